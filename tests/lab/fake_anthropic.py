"""A scripted Anthropic Messages API for Claude Code.

See model_server for scenarios and control calls. Beside the turns it answers token
counts and calls without tools (the title of a conversation, a fetched page).
{PLANFILE} in a block stands for the plan file that plan mode names to the model.
Not a model, and no check of what the agent sends. May import model_server only.
"""

from __future__ import annotations

import json
import re
import time
from typing import TYPE_CHECKING, Any

from tests.lab.model_server import Json, ModelHandler, ModelServer, Turn, choose

if TYPE_CHECKING:
    from collections.abc import Iterator

TITLE: Turn = [{"text": '{"title": "A title"}'}]
PLAN_FILE = re.compile(r"(/[\w./-]*/plans/[\w.-]+\.md)")


def text_of(content: str | list[Json]) -> str:
    """Return the text blocks of a message, not the tool calls and results."""
    if isinstance(content, str):
        return content
    return "\n".join(block["text"] for block in content if block.get("type") == "text")


class AnthropicHandler(ModelHandler):
    def model_post(self, path: str, body: Json) -> None:
        if path.endswith("/count_tokens"):
            self.send_json({"input_tokens": 100})
        elif path.endswith("/messages"):
            self.answer(path, body)
        else:
            self.send_not_found(path)

    def answer(self, path: str, body: Json) -> None:
        messages = body.get("messages", [])
        if body.get("tools"):
            name, number = choose((m["role"], text_of(m["content"])) for m in messages)
            plans = PLAN_FILE.findall(json.dumps(messages))
            turn = self.server.turn_for(name, number, {"PLANFILE": plans[-1]} if plans else {})
        else:
            name, number, turn = None, 0, TITLE
        entry = self.server.record(path, body, name, number)
        if turn and (status := turn[0].get("status")):
            error: Json = {"type": "api_error", "message": "scripted failure"}
            self.send_json({"type": "error", "error": error}, status)
        else:
            self.reply(entry["n"], body, turn)
        entry["answered_at"] = time.monotonic()

    def reply(self, n: int, body: Json, turn: Turn) -> None:
        message: Json = {
            "id": f"msg_{n:04d}",
            "type": "message",
            "role": "assistant",
            "model": body.get("model"),
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": 10, "output_tokens": 1},
        }
        stop = "tool_use" if any("tool" in block for block in turn) else "end_turn"
        if body.get("stream"):
            self.stream(message, content_blocks(turn, n), stop)
        else:
            self.send_json(message | {"content": [*content_blocks(turn, n)], "stop_reason": stop})

    def stream(self, message: Json, blocks: Iterator[Json], stop: str) -> None:
        self.start_events()
        self.event({"type": "message_start", "message": message})
        for index, block in enumerate(blocks):
            if block["type"] == "text":
                empty: Json = {"type": "text", "text": ""}
                delta: Json = {"type": "text_delta", "text": block["text"]}
            else:
                empty = {**block, "input": {}}
                delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
            self.event({"type": "content_block_start", "index": index, "content_block": empty})
            self.event({"type": "content_block_delta", "index": index, "delta": delta})
            self.event({"type": "content_block_stop", "index": index})
        end: Json = {"stop_reason": stop, "stop_sequence": None}
        self.event({"type": "message_delta", "delta": end, "usage": {"output_tokens": 20}})
        self.event({"type": "message_stop"})
        self.end_events()


def content_blocks(turn: Turn, n: int) -> Iterator[dict[str, Any]]:
    """Yield the content blocks of reply n, pausing where the turn says so."""
    for index, block in enumerate(turn):
        if "sleep" in block:
            time.sleep(block["sleep"])
        elif "text" in block:
            yield {"type": "text", "text": block["text"]}
        else:
            call = f"toolu_{n:04d}_{index:02d}"
            yield {"type": "tool_use", "id": call, "name": block["tool"], "input": block["input"]}


class FakeAnthropic(ModelServer):
    handler = AnthropicHandler
