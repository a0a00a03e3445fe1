"""The desk as a program: one for each home, a port of its own or none, an end that is clean."""

from __future__ import annotations

import json
import signal
import socket
from typing import TYPE_CHECKING

import httpx
import pytest

if TYPE_CHECKING:
    from tests.end_to_end.desk import Desk

pytestmark = pytest.mark.end_to_end


def status(desk: Desk, code: int = 0) -> dict[str, object]:
    found: dict[str, object] = json.loads(desk.run("status", "--json", code=code))
    return found


def test_a_home_has_one_desk(desk: Desk) -> None:
    first = status(desk)
    said = desk.run("up", "--no-http", code=1)
    assert "runs here already" in said
    assert "runs already" in desk.run("start")
    assert status(desk)["pid"] == first["pid"]


def test_a_desk_that_was_killed_leaves_nothing_in_the_way(desk: Desk) -> None:
    desk.kill()
    assert desk.places.socket.exists()
    assert status(desk, code=1) == {"ok": False}
    assert "No desk runs" in desk.run("status", code=1)
    desk.run("start", "--no-http")
    assert status(desk)["http"] == "off"


def test_stop_and_term_end_it_and_take_the_socket_away(desk: Desk) -> None:
    desk.stop()
    assert not desk.places.socket.exists()
    assert "No desk runs" in desk.run("stop")
    desk.up()
    desk.signal(signal.SIGTERM)
    assert not desk.places.socket.exists()


def test_a_port_that_another_holds_leaves_the_desk_without_http(desk: Desk) -> None:
    desk.stop()
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        desk.run("start", "--port", str(port))
        http = str(status(desk)["http"])
        assert http.startswith("off: ")
        assert str(port) in http
        assert "--port" in http
        assert "Nothing waits for you." in desk.run("list")


def test_nothing_is_told_over_http_without_a_credential(desk: Desk) -> None:
    address = str(status(desk)["http"])
    with httpx.Client(base_url=address, trust_env=False) as nobody:
        for path in ("/api/agent-requests", "/api/sessions", "/api/events", "/api/health"):
            assert nobody.get(path).status_code == 401
        answer = nobody.post("/api/agent-requests/x/answer", json={"behavior": "allow"})
        assert answer.status_code == 401


def test_settings_and_devices_outlive_a_restart(desk: Desk) -> None:
    desk.run("settings", "exclusive_wait_s", "40")
    token = desk.run("token", "create", "phone").splitlines()[0]
    desk.restart()
    assert "exclusive_wait_s = 40" in desk.run("settings", "exclusive_wait_s")
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(base_url=str(status(desk)["http"]), headers=headers, trust_env=False) as phone:
        assert phone.get("/api/agent-requests").json()["requests"] == []
        desk.run("token", "revoke", "phone")
        assert phone.get("/api/agent-requests").status_code == 401
