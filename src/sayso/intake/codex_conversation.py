"""One connection to an app server, from its first word to its end: threads, requests and words together.

Not here: bytes (`codex_link`), and where and when to connect (`codex_server`). Imports `core`.
"""

from __future__ import annotations

from sayso import __version__
from sayso.intake.codex_desk import Desk, Speaks
from sayso.intake.codex_link import UNWANTED, Answered
from sayso.intake.codex_requests import Requests
from sayso.intake.codex_threads import Thread, Threads
from sayso.intake.codex_words import Words

Dict = dict[str, object]


class Conversation:
    """What is said on one connection. Synchronous: it hears everything in the order in which it was said."""

    def __init__(self, desk: Desk, link: Speaks) -> None:
        self.trouble = ""
        self._link = link
        self._threads = Threads(desk, link)
        self._words = Words(desk, link, self._threads)
        self._requests = Requests(desk, link, self._threads, self._words.say)
        self._threads.on_known = self._known
        self._threads.on_turn = self._turn
        self._threads.on_done = self._requests.done

    def begin(self) -> None:
        """Say who we are, and ask which threads there are."""
        client: Dict = {"name": "sayso", "title": "sayso", "version": __version__}
        able: Dict = {"experimentalApi": True, "optOutNotificationMethods": list(UNWANTED)}
        self._link.call("initialize", {"clientInfo": client, "capabilities": able}, self._initialized)

    def _initialized(self, answered: Answered) -> None:
        if answered.result is None:
            self.trouble = f"Codex takes no client: {answered.error or 'it is gone'}"
            self._link.close()
            return
        self._link.notify("initialized")
        self._threads.begin()

    def hear(self, method: str, request_id: object, params: Dict) -> None:
        """Take in what the server says by itself; an id None is a notification."""
        if request_id is not None:
            self._requests.hear(request_id, method, params)
        elif method == "serverRequest/resolved":
            self._requests.resolved(params.get("requestId"))
        else:
            self._threads.hear(method, params)

    def queued(self, session_id: str, number: int) -> None:
        """A message may wait for a session."""
        self._words.queued(session_id, number)

    def leave(self, word: str) -> None:
        """It is over: give back what waits; `word` is one of `core.requests.LAST_WORDS`."""
        self._requests.lost(word)
        self._threads.lost()

    def _known(self, thread: Thread) -> None:
        self._requests.known(thread)
        if thread.is_known:
            self._words.pump(thread)

    def _turn(self, thread: Thread) -> None:
        self._requests.turn(thread)
        self._words.pump(thread)
