"""Sending to addresses that a browser named: public and https, or nothing is connected to."""

from __future__ import annotations

import socket
import ssl
import threading
from typing import Any

import pytest

from sayso.errors import BadRequest
from sayso.web import push_send
from sayso.web.push_send import check_endpoint, post
from tests.web.push_service import served

PUBLIC = "https://updates.push.example/wpush/v2/abc"


@pytest.mark.parametrize(
    "endpoint",
    [
        PUBLIC,
        "https://fcm.googleapis.com/fcm/send/a:b_c",
        "https://push.example:443/x",
        "https://push.example",
    ],
)
def test_addresses_of_push_services(endpoint: str) -> None:
    check_endpoint(endpoint)


@pytest.mark.parametrize(
    "endpoint",
    [
        "",
        "http://push.example/x",
        "https://localhost/x",
        "https://router/x",
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://8.8.8.8/x",
        "https://push.example:8443/x",
        "https://push.example:x/",
        "https://me@push.example/x",
        "https://[push.example/x",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "https://push.example/a b",
        "https://push.example/a\r\nhost: x",
        "https://püsh.example/",
        "https://push.example/" + "x" * 2048,
        "http://127.0.0.1:7297/api/pair",
    ],
)
def test_case_49_addresses_that_no_push_service_has(endpoint: str) -> None:
    with pytest.raises(BadRequest) as caught:
        check_endpoint(endpoint)
    assert caught.value.field == "endpoint"
    assert "is not reached" in post(endpoint, {}, b"x").trouble


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.0.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "::1",
        "fe80::1%2",
        "fd00::1",
        "::ffff:127.0.0.1",
        "2002:7f00:1::",
        "64:ff9b::10.0.0.1",
    ],
)
def test_case_49_names_that_lead_inside_are_not_connected_to(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lead(*_: Any, **__: Any) -> list[Any]:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        public = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.216.34", 443))
        return [public, (family, socket.SOCK_STREAM, 6, "", (address, 443))]

    def refuse(*_: Any, **__: Any) -> Any:
        raise AssertionError("this was connected to")

    monkeypatch.setattr(push_send.socket, "getaddrinfo", lead)
    monkeypatch.setattr(push_send.socket, "create_connection", refuse)

    assert "inside of a network" in post(PUBLIC, {}, b"x").trouble


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:4700::1", "64:ff9b::93.184.216.34"])
def test_names_are_looked_up_once_and_tls_is_spoken(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is connected to is what was looked at, and the certificate is asked for by name."""
    connected: list[Any] = []
    looked: list[Any] = []

    def lead(*given: Any, **_: Any) -> list[Any]:
        looked.append(given)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443))]

    ours, theirs = socket.socketpair()

    def connect(where: Any, timeout: float) -> socket.socket:
        connected.append(where)
        ours.settimeout(timeout)
        return ours

    monkeypatch.setattr(push_send.socket, "getaddrinfo", lead)
    monkeypatch.setattr(push_send.socket, "create_connection", connect)
    theirs.sendall(b"no TLS at all")
    theirs.shutdown(socket.SHUT_WR)

    reached = post(PUBLIC, {}, b"x")

    assert connected == [(address, 443)]
    assert len(looked) == 1
    assert "is not reached" in reached.trouble
    assert b"updates.push.example" in theirs.recv(4096)  # the name in the hello
    theirs.close()


def test_a_name_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(push_send.socket, "getaddrinfo", fail)

    assert post(PUBLIC, {}, b"x").trouble == "updates.push.example is not reached: Name or service not known"


def test_certificates_are_checked() -> None:
    context = ssl.create_default_context()

    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname


@pytest.mark.parametrize(
    ("status", "sent"), [(200, True), (201, True), (302, False), (404, False), (500, False)]
)
def test_the_answer_is_its_status_and_nothing_is_followed(status: int, sent: bool) -> None:
    with served() as browser:
        browser.status = status

        reached = post(browser.subscription.endpoint, {"TTL": "60"}, b"x", loopback=True)

        assert (reached.status, reached.is_sent, reached.trouble) == (status, sent, "")
        got = browser.received.get_nowait()
        assert (got.path, got.headers["ttl"], got.body) == ("/push/abc?x=1", "60", b"x")
        assert browser.received.empty()


def test_a_service_that_is_not_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

    assert "is not reached" in post(f"http://127.0.0.1:{port}/x", {}, b"x", loopback=True).trouble


def test_a_service_that_speaks_no_http() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(5)

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                connection.sendall(b"hello\r\n\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        reached = post(f"http://127.0.0.1:{server.getsockname()[1]}/x", {}, b"x", loopback=True)
        thread.join(5)

    assert "does not answer" in reached.trouble
