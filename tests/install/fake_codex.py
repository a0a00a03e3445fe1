"""A stand-in for `codex app-server`, as far as hooks and trust go: a program on a PATH, and what it was told.

It answers as 0.171.0 does, by the place of a hook in `hooks.json`; its sums are its own. The real one is
driven by `tests/end_to_end/test_codex_install.py`.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

Json = dict[str, Any]
_PROGRAM = """#!{python}
import json, os, sys
sys.path.insert(0, {root!r})
from tests.install.fake_codex import answer
from pathlib import Path
if sys.argv[1:] == ["--version"]:
    print("codex-cli {version}")
    sys.exit()
home = Path(os.environ.get("CODEX_HOME") or Path.home() / ".codex")
for line in sys.stdin:
    message = json.loads(line)
    with open({log!r}, "a") as log:
        log.write(line)
    if "id" in message:
        print(json.dumps({{"method": "told/everybody", "params": {{}}}}))
        said = {{"id": message["id"], **answer(home, message["method"], message["params"])}}
        print(json.dumps(said), flush=True)
"""


class FakeCodex:
    """The program, in a folder for a PATH."""

    def __init__(self, folder: Path, version: str = "0.171.0") -> None:
        self.folder = folder
        self._log = folder / "told"
        folder.mkdir()
        root = str(Path(__file__).resolve().parents[2])
        text = _PROGRAM.format(python=sys.executable, root=root, log=str(self._log), version=version)
        (folder / "codex").write_text(text)
        (folder / "codex").chmod(0o755)

    @property
    def told(self) -> list[Json]:
        """Return every message it was sent."""
        if not self._log.exists():
            return []
        return [json.loads(line) for line in self._log.read_text().splitlines()]

    @property
    def edits(self) -> list[Json]:
        return [edit for one in self.told for edit in one.get("params", {}).get("edits", ())]


def answer(home: Path, method: str, params: Json) -> Json:
    if method == "initialize":
        return {"result": {"userAgent": "fake"}}
    if method == "hooks/list":
        return {
            "result": {
                "data": [{"cwd": params["cwds"][0], "hooks": listed(home), "warnings": [], "errors": []}]
            }
        }
    if method == "config/batchWrite":
        for edit in params["edits"]:
            write(home, edit)
        return {"result": {"status": "ok"}}
    return {"error": {"code": -32601, "message": f"no {method}"}}


def listed(home: Path) -> list[Json]:
    path = home / "hooks.json"
    events: Json = json.loads(path.read_text()).get("hooks", {}) if path.exists() else {}
    noted = state(home)
    found: list[Json] = []
    unknown = os.environ.get("FAKE_CODEX_KNOWS_NO", "")
    for event, groups in ((event, groups) for event, groups in events.items() if event != unknown):
        for number, group in enumerate(groups):
            for index, handler in enumerate(group["hooks"]):
                key = f"{path}:{event}:{number}:{index}"
                said, digest = (
                    noted.get(key, {}),
                    f"sum of {json.dumps([event, group.get('matcher'), handler])}",
                )
                trust = "untrusted" if "trusted_hash" not in said else "modified"
                if said.get("trusted_hash") == digest:
                    trust = "trusted"
                row = {
                    "key": key,
                    "eventName": event,
                    "command": handler.get("command"),
                    "trustStatus": trust,
                }
                more = {"enabled": said.get("enabled", True), "currentHash": digest}
                found.append({**row, **more, "source": "user", "sourcePath": str(path)})
    return found


def state(home: Path) -> Json:
    """Return what was noted of hooks; kept as TOML that is JSON, line by line."""
    path = home / "config.toml"
    lines = path.read_text().splitlines() if path.exists() else []
    found: Json = {}
    for line in lines:
        if line.startswith("[hooks.state."):
            found[json.loads(line[len("[hooks.state.") : -1])] = {}
        elif found and " = " in line:
            name, _, value = line.partition(" = ")
            list(found.values())[-1][name] = json.loads(value)
    return found


def write(home: Path, edit: Json) -> None:
    noted = state(home)
    path, value = edit["keyPath"], edit["value"]
    if path == "hooks.state" and value is not None:
        for key, members in value.items():
            noted[key] = {**noted.get(key, {}), **members}
    elif path.startswith('hooks.state."'):
        noted.pop(path[len('hooks.state."') : -1], None)
    lines = [] if path in ("hooks", "hooks.state") and value is None else ["[hooks.state]"]
    for key, members in noted.items():
        lines.append(f"[hooks.state.{json.dumps(key)}]")
        lines += [f"{name} = {json.dumps(member)}" for name, member in members.items()]
    (home / "config.toml").write_text("".join(f"{line}\n" for line in lines))
