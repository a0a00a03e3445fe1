"""Who may answer: a person may, what an agent starts may not."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

import pytest

from tests.end_to_end import told

if TYPE_CHECKING:
    from tests.end_to_end.desk import Desk
    from tests.lab.claude import Claude
    from tests.lab.fake_anthropic import FakeAnthropic

pytestmark = pytest.mark.end_to_end


@pytest.mark.parametrize("disguise", ["env", "env -i"])
def test_the_agents_own_shell_cannot_answer_for_the_person(
    disguise: str, desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    needed = [f"{name}={desk.env[name]}" for name in ("SAYSO_HOME", "PYTHONPATH", "HOME") if name in desk.env]
    sayso = f"{disguise} {shlex.join([*needed, sys.executable, '-m', 'sayso'])}"
    # It waits until the test knows the id, then tries to look, to answer and to switch things off.
    commands = "until [ -s id ]; do sleep 0.05; done; " + "; ".join(
        f"{sayso} {words}; echo ended with $?" for words in ("list", "allow $(cat id)", "settings away on")
    )
    agent = {"description": "Write", "prompt": "Please SCN:write", "subagent_type": "general-purpose"}
    fake_model.scripts["sly"] = [
        [{"tool": "Agent", "input": agent}],
        [{"tool": "Bash", "input": {"command": commands, "description": "Answer for the person"}}],
    ]
    # Its shell may do anything here: only the desk is in its way.
    hooks = desk.hooks(permissions={"allow": ["Bash"]})
    with desk.somebody_watching(), claude.tui(hooks) as tui:
        tui.say("please SCN:sly")
        request = desk.wait_request(tool="Write")
        (claude.project / "id").write_text(request["id"])
        tui.wait_for("DONE sly")
        said = told.result(fake_model, "sly", 2)["text"]
        assert said.count("ended with 3") == 3
        assert said.count("started from inside an agent") == 3
        assert request["id"] not in said
        assert desk.states(request) == ["pending"]
        assert "away = off" in desk.run("settings", "away")
        # The person outside can.
        desk.allow(request)
        desk.wait_state(request, "confirmed")
    assert claude.made("written.txt")
