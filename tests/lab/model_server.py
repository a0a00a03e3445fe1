"""What scripted model servers share: scenarios, the record of requests, control calls.

A scenario is a list of turns; a turn, one reply of the model, is a list of blocks:

    {"text": "…"} | {"tool": "Bash", "input": {…}} | {"sleep": 1.5}

or one block {"status": 500}, which makes the reply an HTTP error. The name of a
scenario is that of its file. The text of a prompt chooses what is played:

- the last user message that holds SCN:<name> starts scenario <name>, and each
  reply after that message plays its next turn (so a sub-agent that is given
  "SCN:bash" plays its own scenario at the same time);
- a conversation that never names one plays the scenario "default", which is what
  `scripts` or POST /control/script was given last;
- after the last turn the reply is "DONE <name>", which ends the agent's turn.

{NAME} in a block is replaced by the variable of that name: {PROJECT}, the folder
the agent works in, and what else the test names.

Beside the model API, all on 127.0.0.1:

    POST /control/script     a list of turns (scenario "default") or {name: turns}
    GET  /control/requests   every model request so far, oldest first

May import the standard library only.
"""

from __future__ import annotations

import json
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Json = dict[str, Any]
Turn = list[Json]
SCENARIOS = sorted((Path(__file__).resolve().parent / "scenarios").glob("*.json"))
MARKER = re.compile(r"SCN:([\w-]+)")


def load_scenario(path: Path) -> list[Turn]:
    """Read one scenario file."""
    turns: list[Turn] = json.loads(path.read_text(encoding="utf-8"))
    return turns


def choose(messages: Iterable[tuple[str, str]]) -> tuple[str, int]:
    """Name the scenario and the number of the turn that a conversation is at.

    Takes (role, text) pairs, oldest first; one "assistant" pair for each reply.
    """
    name, turn = "default", 0
    for role, text in messages:
        if role == "assistant":
            turn += 1
        elif role == "user" and (named := MARKER.findall(text)):
            name, turn = named[-1], 0
    return name, turn


def fill(value: Any, variables: Mapping[str, str]) -> Any:
    """Replace each {NAME} in every string of a JSON value."""
    if isinstance(value, str):
        for name, text in variables.items():
            value = value.replace("{" + name + "}", text)
        return value
    if isinstance(value, list):
        return [fill(item, variables) for item in value]
    if isinstance(value, dict):
        return {key: fill(item, variables) for key, item in value.items()}
    return value


class ModelServer(ThreadingHTTPServer):
    """A scripted model server on 127.0.0.1; use it as a context manager."""

    handler: ClassVar[type[ModelHandler]]

    def __init__(
        self,
        scenarios: Iterable[Path] = SCENARIOS,
        variables: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(("127.0.0.1", 0), self.handler)
        self.port: int = self.server_address[1]
        self.variables = dict(variables or {})
        self.scripts = {path.stem: load_scenario(path) for path in scenarios}
        self.requests: list[Json] = []
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self._thread.join(5)
        self.server_close()

    def turn_for(self, name: str, number: int, variables: Mapping[str, str]) -> Turn:
        """Return the blocks of one turn, with the variables filled in."""
        turns = self.scripts.get(name, [])
        turn = turns[number] if number < len(turns) else [{"text": f"DONE {name}"}]
        filled: Turn = fill(turn, {**self.variables, **variables})
        return filled

    def record(self, path: str, body: Json, scenario: str | None, turn: int) -> Json:
        """Keep a request; "n" is its number."""
        with self._lock:
            entry = {
                "n": len(self.requests) + 1,
                "path": path,
                "scenario": scenario,
                "turn": turn,
                "received_at": time.monotonic(),
                "answered_at": None,  # set when the whole reply has been sent
                "body": body,
            }
            self.requests.append(entry)
        return entry

    def told(self, scenario: str | None = None) -> str:
        """Return, as JSON text, the messages of the last request (of a scenario)."""
        with self._lock:
            fitting = [r for r in self.requests if scenario in (None, r["scenario"])]
        return json.dumps(fitting[-1]["body"].get("messages")) if fitting else ""


class ModelHandler(BaseHTTPRequestHandler):
    """One connection: the control calls here, the model API in the subclasses."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # or each event waits for an acknowledgement
    server: ModelServer  # pyright: ignore[reportIncompatibleVariableOverride]

    def model_post(self, path: str, body: Json) -> None:
        """Answer a POST to the model API."""
        raise NotImplementedError

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path == "/control/requests":
            self.send_json(self.server.requests)
        else:
            self.send_not_found(path)

    def do_POST(self) -> None:
        path = self.path.partition("?")[0]
        body = json.loads(self.read_body() or b"{}")
        if path == "/control/script":
            self.server.scripts.update({"default": body} if isinstance(body, list) else body)
            self.send_json(sorted(self.server.scripts))
        else:
            self.model_post(path, body)

    def read_body(self) -> bytes:
        """Read a body, whether with a content-length or in chunks."""
        if self.headers.get("transfer-encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("content-length") or 0))
        body = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def send_json(self, value: Any, status: int = 200) -> None:
        self.send_data(json.dumps(value).encode(), "application/json", status)

    def send_data(self, data: bytes, kind: str, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def send_not_found(self, path: str) -> None:
        self.send_json({"error": {"type": "not_found_error", "message": path}}, 404)

    def start_events(self) -> None:
        """Begin a reply of server-sent events, sent as they come."""
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()

    def event(self, data: Json) -> None:
        text = f"event: {data['type']}\ndata: {json.dumps(data)}\n\n".encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(text), text))
        self.wfile.flush()

    def end_events(self) -> None:
        self.wfile.write(b"0\r\n\r\n")

    def handle(self) -> None:
        try:
            super().handle()
        except ConnectionError:  # the agent hung up: an interrupted turn
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        """Stay silent; `requests` has it all."""
