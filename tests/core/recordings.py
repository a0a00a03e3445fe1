"""Recordings of the real Claude Code, played to a desk: each payload at its time, each answer, each end.

A hook's connection is its waiter; what a recorded person had the hook answer is said to the desk in its own
words, and the receipt carries what the adapter expects of it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from sayso.agents.claude_code import parse, render
from sayso.core.digest import dumps, loads, members
from sayso.core.states import State
from sayso.core.types import Ask, HookEvent, ListedAnswer, Question, Reply
from tests.core.stage import Stage

FOLDER = Path(__file__).parent.parent / "golden" / "claude_code"
START_S = 1000.0
ASKING = {"PermissionRequest", "Elicitation"}
REASONS = {"signal": "term", "hangup": "hangup", "orphaned": "orphan"}
ACTIONS = {"accept": "allow", "decline": "deny", "cancel": "cancel"}


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.jsonl"))


class Playback:
    """One recording, played to its end."""

    def __init__(self, name: str) -> None:
        self.stage = Stage(watched_at=START_S, exclusive_wait_s=300.0)
        self.payloads: dict[str, dict[str, Any]] = {}
        self.seen: dict[str, list[tuple[State, str]]] = {}
        attended = not name.startswith("print_")
        self._env = {} if attended else {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}
        for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()[1:]:
            entry = json.loads(line)
            self._play(entry, START_S + entry["at_ms"] / 1000)
            self._look()

    def ends(self) -> list[str]:
        """The end of every request, in the order they were asked, with its reason if it has one."""
        self.stage.desk.tick(START_S + 200)
        self._look()
        return [" ".join(filter(None, self.stage.end(name))) for name in self.seen]

    def _look(self) -> None:
        for name, states in self.seen.items():
            if not states or states[-1] != self.stage.end(name):
                states.append(self.stage.end(name))

    def _play(self, entry: dict[str, Any], at_s: float) -> None:
        hook = f"h{entry.get('hook')}"
        kind = entry["kind"]
        if kind == "start":
            self._starts(hook, entry, at_s)
        elif hook not in self.seen:
            return
        elif kind == "person":
            self._answers(hook, entry["out"], at_s)
        elif kind == "end":
            self._ends(hook, entry["out"], at_s)
        else:
            self.stage.gone(at_s, REASONS[kind], name=hook)

    def _starts(self, hook: str, entry: dict[str, Any], at_s: float) -> None:
        payload = loads(json.dumps(entry["input"]).encode())
        parsed = parse(payload, self._env)
        if parsed is None:
            return  # a notification that says nothing of a turn
        what, made = parsed
        process = f"{entry['process']}:1"
        if what == "event":
            event = msgspec.json.decode(dumps({**made, "at_s": 0}), type=HookEvent)
            self.stage.observe(msgspec.structs.replace(event, at_s=at_s), process=process)
            return
        ask = msgspec.json.decode(dumps(made), type=Ask)
        self.payloads[hook] = entry["input"]
        self.seen[hook] = []
        self.stage.ask(msgspec.structs.replace(ask, id=hook, started_s=at_s), process=process)

    def _answers(self, hook: str, out: dict[str, Any] | None, at_s: float) -> None:
        if self.stage.state(hook) is not State.PENDING:
            return
        if out is None:
            self.stage.desk.release(hook, at_s)
        else:
            ask = self.stage.request(hook).ask
            self.stage.answer(reply(ask, self.payloads[hook], out), at_s, name=hook)

    def _ends(self, hook: str, out: dict[str, Any] | None, at_s: float) -> None:
        self._answers(hook, out, at_s)  # where no person is recorded, it answered by itself
        decision = self.stage.request(hook).decision
        if decision is not None:
            payload = loads(json.dumps(self.payloads[hook]).encode())
            _, expects = render(payload, members(loads(msgspec.json.encode(decision))))
            self.stage.written(at_s, expects, name=hook)
        self.stage.gone(at_s, name=hook)


def reply(ask: Ask, payload: dict[str, Any], out: dict[str, Any]) -> Reply:
    """What a person would have said for the hook to write this."""
    output = out["hookSpecificOutput"]
    if "action" in output:
        return Reply(behavior=ACTIONS[output["action"]], content=output.get("content"))
    decision = output["decision"]
    if decision["behavior"] == "deny":
        return Reply(behavior="deny", message=decision["message"], interrupt=decision.get("interrupt"))
    updated, rules = decision.get("updatedInput", {}), decision.get("updatedPermissions")
    match ask.kind:
        case "question":
            answers = [answer(question, updated["answers"][question.question]) for question in ask.questions]
            return Reply(behavior="allow", answers=answers)
        case "plan":
            mode = rules[0]["mode"] if rules else None
            return Reply(behavior="allow", mode=mode, plan=updated.get("plan"))
        case _:
            offered = payload.get("permission_suggestions", [])
            chosen = [str(index) for index, one in enumerate(offered) if rules and one == rules[0]]
            return Reply(behavior="allow", suggestion=chosen[0] if chosen else None)


def answer(question: Question, given: str) -> ListedAnswer:
    """An answer as Claude Code spells it: labels with a comma in quotes."""
    labels = [option.label for option in question.options]
    picked = tuple(label for label in labels if (f'"{label}"' if "," in label else label) in given)
    return ListedAnswer(picked=picked) if picked else ListedAnswer(text=given)
