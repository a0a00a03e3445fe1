"""This very call for a while: given on its card, in sight until its end, ended at once."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser import asks
from tests.browser.scene import Scene
from tests.contract.askers import Agent

pytestmark = pytest.mark.end_to_end

SESSION = "7d1c3f52-3d39-4b6f-9c4e-52d5a7e3b611"


def test_case_59_a_grant_is_given_seen_and_ended(scene: Scene) -> None:
    tab = scene.tab()
    asked = scene.ask(asks.WRITE, session_id=SESSION)
    tab.show(asked.id)
    tab.page.get_by_role("checkbox", name=re.compile("this very call")).check()
    tab.button("Allow for 5 minutes").click()
    asked.becomes("delivered")
    open_grants = tab.page.get_by_role("list", name="Allowed for a while")
    expect(open_grants).to_contain_text(re.compile(r"Allowed for [45] min more to Claude Code"))

    Agent(scene.agent, asks.WRITE, SESSION)
    by_grant = scene.watcher.until(lambda view: granted(view) and view["id"] != asked.id)
    assert scene.pending() == []
    assert by_grant["by"]["name"]

    open_grants.get_by_role("button", name="End").click()
    expect(open_grants).to_have_count(0)
    waiting = scene.ask(asks.WRITE, session_id=SESSION)
    assert [view["id"] for view in scene.pending()] == [waiting.id]


def granted(view: dict[str, Any]) -> bool:
    return str(view.get("asked", "")).startswith("allow, by the grant until ")


def test_case_59_what_is_no_permission_has_no_such_choice(scene: Scene) -> None:
    tab = scene.tab()
    for row in (asks.QUESTION, asks.PLAN, asks.CONFIRM):
        asked = scene.ask(row)
        expect(tab.show(asked.id)).to_be_visible()
        expect(tab.page.get_by_role("checkbox", name=re.compile("this very call"))).to_have_count(0)
