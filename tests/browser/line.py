"""The network between a browser and a desk: whole, cut, dead without a word, or losing an answer.

A proxy of bytes on the loopback, in a thread of its own. Not here: what goes through it. Imports the
standard library.
"""

from __future__ import annotations

import selectors
import socket
import threading
from contextlib import suppress
from types import TracebackType
from typing import Self

_CHUNK = 1 << 16
_LOOK_S = 0.02


class Line:
    """Listens on a port of its own, and passes on to `port`; as a context.

    `host`: what a browser calls this machine.
    """

    def __init__(self, host: str = "127.0.0.1") -> None:
        self.port = 0
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://{host}:{self._listening.getsockname()[1]}"
        self._others: dict[socket.socket, socket.socket] = {}
        self._from_browser: set[socket.socket] = set()
        self._selector = selectors.DefaultSelector()
        self._lock = threading.RLock()
        self._ended = threading.Event()
        self._is_cut = self._is_silent = False
        self._losing = b""
        self._lost = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._selector.register(self._listening, selectors.EVENT_READ)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()
        self.cut()
        self._listening.close()
        self._selector.close()

    # --- what happens to it ----------------------------------------------------------------

    def cut(self) -> None:
        """Break every connection, and let none through."""
        with self._lock:
            self._is_cut = True
            for each in list(self._others):
                self._close(each)

    def mend(self) -> None:
        with self._lock:
            self._is_cut = self._is_silent = False

    def fall_silent(self) -> None:
        """Pass nothing on any more, and break nothing: a machine that slept, a router that forgot."""
        with self._lock:
            self._is_silent = True

    def lose_answer_to(self, path: str) -> threading.Event:
        """Pass the next request for a path on, and break the line where its answer should come.

        Returns: an event that is set when that happened.
        """
        with self._lock:
            self._losing = path.encode()
            self._lost = threading.Event()
        return self._lost

    # --- the thread ------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._ended.is_set():
            for key, _ in self._selector.select(_LOOK_S):
                with self._lock:
                    if key.fileobj is self._listening:
                        self._accept()
                    elif isinstance(key.fileobj, socket.socket):
                        self._pass(key.fileobj)

    def _accept(self) -> None:
        browser, _ = self._listening.accept()
        try:
            if self._is_cut:
                raise ConnectionRefusedError
            desk = socket.create_connection(("127.0.0.1", self.port))
        except OSError:
            browser.close()
            return
        self._from_browser.add(browser)
        for one, other in ((browser, desk), (desk, browser)):
            self._others[one] = other
            self._selector.register(one, selectors.EVENT_READ)

    def _pass(self, one: socket.socket) -> None:
        other = self._others.get(one)
        if other is None:
            return  # closed in this very round
        try:
            data = one.recv(_CHUNK)
            if data and not self._is_silent:
                other.sendall(data)
        except OSError:
            data = b""
        if not data:
            self._close(one)
        elif self._losing and one in self._from_browser and self._losing in data.partition(b"\r\n")[0]:
            self._lose(other)

    def _lose(self, desk: socket.socket) -> None:
        """Wait for the desk's answer, and break the line with it."""
        self._losing = b""
        desk.recv(_CHUNK)
        self.cut()
        self._lost.set()

    def _close(self, one: socket.socket) -> None:
        other = self._others.pop(one, None)
        if other is None:
            return
        self._others.pop(other, None)
        for each in (one, other):
            self._from_browser.discard(each)
            with suppress(KeyError):
                self._selector.unregister(each)
            each.close()
