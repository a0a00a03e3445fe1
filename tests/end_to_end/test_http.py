"""A paired device answers over HTTP, and whoever comes second learns who was first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx
import pytest

if TYPE_CHECKING:
    from tests.end_to_end.desk import Desk
    from tests.lab.claude import Claude

pytestmark = pytest.mark.end_to_end


def device(desk: Desk, name: str, power: str) -> httpx.Client:
    token = desk.run("token", "create", name, "--power", power).splitlines()[0]
    with desk.connect() as client:
        address = client.call("desk.health", {})["http"]
    return httpx.Client(base_url=address, headers={"Authorization": f"Bearer {token}"}, trust_env=False)


def test_a_device_answers_over_http_and_the_second_answer_is_told_who_was_first(
    desk: Desk, claude: Claude
) -> None:
    with device(desk, "phone", "answer") as phone, claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash")
        request = desk.wait_request()
        (listed,) = phone.get("/api/agent-requests").json()["requests"]
        assert listed["id"] == request["id"]
        done = phone.post(f"/api/agent-requests/{request['id']}/answer", json={"behavior": "allow"})
        assert done.json() == {"ok": True, "state": "answered"}
        confirmed = desk.wait_state(request, "confirmed")
        assert confirmed["by"]["name"] == "phone"
        assert "phone" in desk.deny(request, code=6)
        late = phone.post(f"/api/agent-requests/{request['id']}/answer", json={"behavior": "deny"})
        assert late.status_code == 409
        assert late.json()["code"] == "request_gone"
        tui.wait_for("DONE bash")
    assert claude.made("touched")


def test_a_device_that_may_only_see_cannot_answer(desk: Desk, claude: Claude) -> None:
    with device(desk, "wall", "see") as wall, claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:bash")
        request = desk.wait_request()
        (listed,) = wall.get("/api/agent-requests").json()["requests"]
        assert listed["id"] == request["id"]
        refused = wall.post(f"/api/agent-requests/{request['id']}/answer", json={"behavior": "allow"})
        assert refused.status_code == 403
        assert desk.states(request) == ["pending"]
    assert not claude.made("touched")
