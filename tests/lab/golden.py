"""Golden sequences: what hooks saw, in order, in files that stay the same.

A file tests/golden/<agent>/<scenario>.jsonl has one object a line. The first says
what was recorded (scenario, agent, version, what happens), and names in `marks` what
the agent put into the environment of every hook. Each other has `kind` and `at_ms`,
milliseconds after the first hook started (what came before has a negative one):

    start   a hook process: `hook` (its number), `event`, `input` (the payload),
            `process` (the number of the agent's process), `by_agent` (was that the
            parent of the hook, by CLAUDE_PID?), `more_marks` (beside those of all)
    end     it ended by itself: `hook`, `event`, `exit`, `out` (what it printed)
    signal  it was sent one, and ended: `hook`, `event`, `signal`
    hangup, orphaned    nobody reads its output any more; its parent is gone
    person  what the person did: `did`, and with what

Identifiers and paths are replaced by stable ones that look alike. Not a recorder:
that is record_golden. May import the standard library and the lab.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from tests.lab.claude import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

Json = dict[str, Any]
GOLDEN = ROOT / "tests/golden"
HOME, PROJECT = "/home/dev", "/home/dev/project"
# Members whose value is an identifier, and what the stable one begins with.
IDENTIFIERS = {
    "session_id": "session",
    "prompt_id": "prompt",
    "agent_id": "agent",
    "agentId": "agent",
    "tool_use_id": "toolu",
}
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
PLAN = re.compile(r"(?<=/plans/)[\w.-]+(?=\.md)")
# What differs from run to run and is no identifier.
NOISE = (
    (re.compile(r"127\.0\.0\.1:\d+"), "127.0.0.1:8443"),
    (re.compile(r"/tmp/claude-\d+/"), "/tmp/claude-1000/"),
    (re.compile(r"<duration_ms>\d+"), "<duration_ms>100"),
)
DURATIONS = ("duration_ms", "durationMs", "totalDurationMs")
# The agent's own environment, and what any process has.
INHERITED = frozenset(
    {
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_BASE_URL",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
        "CLAUDE_CODE_MAX_RETRIES",
        "CLAUDE_CODE_TMPDIR",
        "DISABLE_AUTOUPDATER",
        "DISABLE_ERROR_REPORTING",
        "DISABLE_TELEMETRY",
        "HOME",
        "LANG",
        "NODE_EXTRA_CA_CERTS",
        "OLDPWD",
        "PATH",
        "PWD",
        "SHELL",
        "SHLVL",
        "TERM",
        "TMPDIR",
        "_",
    }
)


class Names:
    """Stable names for what differs from run to run, in order of first sight."""

    def __init__(self, root: Path) -> None:
        home, project = str(root / "home"), str(root / "project")
        # Longer ones first: one may begin with another. The folder names of transcripts
        # are paths with dashes.
        slug = re.compile(r"[^A-Za-z0-9]")
        self.known = {
            slug.sub("-", project): slug.sub("-", PROJECT),
            project: PROJECT,
            home: HOME,
        }
        self.count: dict[str, int] = {}

    def learn(self, value: object) -> None:
        """Take in the identifiers of a payload, those with a meaning first."""
        self._learn_members(value)
        text = json.dumps(value)
        for plan in PLAN.findall(text):
            self._add(plan, "plan")
        for uuid in UUID.findall(text):
            self._add(uuid, "uuid")

    def _learn_members(self, value: object) -> None:
        if isinstance(value, dict):
            for key, item in value.items():
                if key in IDENTIFIERS and isinstance(item, str):
                    self._add(item, IDENTIFIERS[key])
                else:
                    self._learn_members(item)
        elif isinstance(value, list):
            for item in value:
                self._learn_members(item)

    def _add(self, found: str, kind: str) -> None:
        if found not in self.known:
            self.count[kind] = self.count.get(kind, 0) + 1
            self.known[found] = f"{kind}-{self.count[kind]}"

    def replace(self, value: Any) -> Any:
        """Return a JSON value with everything known replaced."""
        if isinstance(value, str):
            for found, stable in self.known.items():
                value = value.replace(found, stable)
            for pattern, stable in NOISE:
                value = pattern.sub(stable, value)
            return value
        if isinstance(value, list):
            return [self.replace(item) for item in value]
        if isinstance(value, dict):
            return {k: 100 if k in DURATIONS else self.replace(v) for k, v in value.items()}
        return value


def normalise(records: Sequence[Json], root: Path) -> list[Json]:
    """Return a recording in the form of a golden file, without its first line.

    Args:
        records: of recorder_hook and the driver, in any order.
        root: the folder that held home and project.
    """
    names = Names(root)
    ordered = sorted(records, key=lambda record: record["at"])
    hooks: dict[str, int] = {}
    processes: dict[int, int] = {}
    first_at = next(record["at"] for record in ordered if record["kind"] == "start")
    lines: list[Json] = []
    for record in ordered:
        if record["kind"] == "start":
            hooks[record["hook"]] = len(hooks) + 1
            processes.setdefault(record["ppid"], len(processes) + 1)
            names.learn(record["input"])
        line = {"kind": record["kind"], "at_ms": round(1000 * (record["at"] - first_at))}
        if "hook" in record:
            line["hook"] = hooks[record["hook"]]
        line |= {key: names.replace(value) for key, value in rest(record, processes).items()}
        lines.append(line)
    return lines


def common_marks(lines: Iterable[Json]) -> list[str]:
    """Take the marks that all hooks have out of a recording, and return them."""
    starts = [line for line in lines if line["kind"] == "start"]
    marks = set.intersection(*(set(start["more_marks"]) for start in starts))
    for start in starts:
        start["more_marks"] = [mark for mark in start["more_marks"] if mark not in marks]
    return sorted(marks)


def rest(record: Json, processes: dict[int, int]) -> Json:
    """Return the members of a record that need no number of a hook."""
    own = {k: v for k, v in record.items() if k not in ("kind", "at", "hook", "pid", "ppid", "env")}
    if record["kind"] != "start":
        return own
    marks = sorted(set(record["env"]) - INHERITED)
    payload = own.pop("input")
    return {**own, "process": processes[record["ppid"]], "more_marks": marks, "input": payload}


def outline(lines: Iterable[Json]) -> dict[str, list[str]]:
    """Return what must come in the same order each time: one list for the main agent
    and the person, one for each sub-agent.

    Left out: notifications (they come by the clock), and the ends of hooks that decide
    nothing (they overlap with what follows).
    """
    agents: dict[int, str] = {}
    lists: dict[str, list[str]] = {}
    for line in lines:
        event = line.get("event", "")
        if line["kind"] == "start":
            agents[line["hook"]] = line["input"].get("agent_id", "main")
        if event == "Notification" or (line["kind"] == "end" and not line["out"]):
            continue
        words = [line["kind"], event, detail(line)]
        who = "main" if line["kind"] == "person" else agents.get(line.get("hook", 0), "main")
        lists.setdefault(who, []).append(" ".join(word for word in words if word))
    return lists


def detail(line: Json) -> str:
    """Name what matters of one line beside its kind and event."""
    if line["kind"] == "start":
        payload = line["input"]
        return payload.get("tool_name") or payload.get("source") or payload.get("reason") or ""
    return line.get("did") or line.get("signal") or ""


def path_of(scenario: str, agent: str = "claude_code") -> Path:
    return GOLDEN / agent / f"{scenario}.jsonl"


def save(path: Path, head: Json, lines: Iterable[Json]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    texts = [json.dumps(line, ensure_ascii=False) for line in (head, *lines)]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")


def load(path: Path) -> tuple[Json, list[Json]]:
    """Return the first line of a golden file and the others."""
    head, *lines = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return head, lines
