"""A scripted OpenAI Responses API for Codex.

See model_server for scenarios and control calls. A tool whose "input" is a string is called as a
custom one (apply_patch); a tool of an MCP server needs its "namespace" too (mcp__<server>). The number
-1 for a "session_id" stands for the terminal that runs. Calls that want an object of some schema (the title
of a thread) are answered beside the turns. Not a model, and no check of what the agent sends. May
import model_server only.
"""

from __future__ import annotations

import json
import re
import time
from typing import TYPE_CHECKING, Any

from tests.lab.model_server import Json, ModelHandler, ModelServer, Turn, choose

if TYPE_CHECKING:
    from collections.abc import Iterator

OF_THE_MODEL = {"function_call", "custom_tool_call", "reasoning"}
RUNNING = re.compile(r"running with session ID (\d+)")
TITLE: Turn = [{"text": '{"title": "A title"}'}]


def conversation(items: list[Json]) -> Iterator[tuple[str, str]]:
    """Yield (role, text) pairs; what the model said in one reply, in a row, is one pair."""
    in_reply = False
    for item in items:
        is_reply = item.get("role") == "assistant" or item.get("type") in OF_THE_MODEL
        if is_reply and not in_reply:
            yield "assistant", ""
        elif item.get("role") == "user":
            yield "user", "\n".join(part.get("text", "") for part in item["content"])
        in_reply = is_reply


class OpenAIHandler(ModelHandler):
    def do_GET(self) -> None:
        if self.path.partition("?")[0].endswith("/models"):
            self.send_json({"object": "list", "data": [], "models": []})
        else:
            super().do_GET()

    def model_post(self, path: str, body: Json) -> None:
        if not path.endswith("/responses"):
            self.send_not_found(path)
            return
        if "format" not in body.get("text", {}):
            name, number = choose(conversation(body.get("input", [])))
            turn = self.server.turn_for(name, number, {})
        else:
            name, number, turn = None, 0, TITLE
        entry = self.server.record(path, body, name, number)
        running = RUNNING.findall(json.dumps(body))
        for block in turn:
            if isinstance(block.get("input"), dict) and block["input"].get("session_id") == -1:
                block["input"]["session_id"] = int(running[-1])
        self.stream(entry["n"], turn)
        entry["answered_at"] = time.monotonic()

    def stream(self, n: int, turn: Turn) -> None:
        response: Json = {"id": f"resp_{n:04d}"}
        self.start_events()
        self.event({"type": "response.created", "response": response})
        for index, item in enumerate(output_items(turn, n)):
            place: Json = {"output_index": index, "item": item}
            if item["type"] == "message":
                text = item["content"][0]["text"]
                delta: Json = {"item_id": item["id"], "content_index": 0, "delta": text}
                self.event({"type": "response.output_item.added", **place})
                self.event({"type": "response.output_text.delta", "output_index": index, **delta})
            self.event({"type": "response.output_item.done", **place})
        usage: Json = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
        self.event({"type": "response.completed", "response": {**response, "usage": usage}})
        self.end_events()


def output_items(turn: Turn, n: int) -> Iterator[dict[str, Any]]:
    """Yield the output items of reply n, pausing where the turn says so."""
    for index, block in enumerate(turn):
        name: Json = {"id": f"item_{n:04d}_{index:02d}"}
        if "sleep" in block:
            time.sleep(block["sleep"])
        elif "text" in block:
            content = [{"type": "output_text", "text": block["text"]}]
            yield {"type": "message", "role": "assistant", **name, "content": content}
        else:
            call: Json = {"call_id": f"call_{n:04d}_{index:02d}", "name": block["tool"]}
            space = {"namespace": block["namespace"]} if "namespace" in block else {}
            if isinstance(block["input"], str):
                yield {"type": "custom_tool_call", **name, **call, "input": block["input"]}
            else:
                arguments = json.dumps(block["input"])
                yield {"type": "function_call", **name, **call, **space, "arguments": arguments}


class FakeOpenAI(ModelServer):
    handler = OpenAIHandler

    def results(self, scenario: str) -> list[str]:
        """Return what the model was told of its calls in a scenario so far, in order."""
        outputs: dict[str, str] = {}
        for request in self.requests:
            if request["scenario"] == scenario:
                for item in request["body"]["input"]:
                    if item.get("type") in ("function_call_output", "custom_tool_call_output"):
                        outputs[item["call_id"]] = _text(item["output"])
        return list(outputs.values())

    def said(self, scenario: str) -> list[str]:
        """Return what users said, as the last request of a scenario has it."""
        requests = [request for request in self.requests if request["scenario"] == scenario]
        return [text for role, text in conversation(requests[-1]["body"]["input"]) if role == "user"]


def _text(output: str | list[Json]) -> str:
    """Return an output without the time that Codex puts before it."""
    text = output if isinstance(output, str) else "\n".join(part.get("text", "") for part in output)
    return text.partition("Output:\n")[2] or text
