"""Sending to webhooks: where to, with what, and how little of the answer counts."""

from __future__ import annotations

import base64
import socket
import ssl
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import pytest
import trustme

from sayso.errors import BadRequest
from sayso.web import webhook_send
from sayso.web.webhook_send import host_of, pause_of, post, shown, target_of, why_not_plain
from tests.web.webhook_receiver import receiving

SECRET_URL = "https://ada:pass%20word@bot.example:8443/hook?token=very-private"


@pytest.mark.parametrize(
    "url",
    [
        "https://bot.example/hook",
        "https://192.168.1.4:8443/hook",
        "http://127.0.0.1:8080/light",
        "http://localhost:8080/light",
        "http://[::1]:8080/",
        "http://10.1.2.3",
        "http://192.168.1.4/x?y=1",
        "http://nas.local/x",
        SECRET_URL,
    ],
)
def test_addresses_of_webhooks(url: str) -> None:
    assert target_of(url).secure == url.startswith("https")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "bot.example/hook",
        "ftp://bot.example/hook",
        "file:///etc/passwd",
        "https:///hook",
        "https://bot.example:0/",
        "https://bot.example:x/",
        "https://[bot.example/",
        "https://bot.example/#part",
        "https://bot.example/a b",
        "https://bot.example/a\r\nhost: x",
        "https://böt.example/",
        "https://bot.example/" + "x" * 2048,
        "http://8.8.8.8/hook",
        "http://[2001:4860:4860::8888]/hook",
        "http://0.0.0.0:80/hook",
        "http://224.0.0.1/hook",
    ],
)
def test_addresses_that_no_webhook_has(url: str) -> None:
    with pytest.raises(BadRequest) as caught:
        target_of(url)
    assert caught.value.field == "add"
    assert post(url, [], b"x").trouble


def leads_to(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    found: list[Any] = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, 80)) for each in addresses]
    monkeypatch.setattr(webhook_send.socket, "getaddrinfo", lambda *_, **__: found)


def test_a_name_that_leads_outside_is_told_nothing_unencrypted(monkeypatch: pytest.MonkeyPatch) -> None:
    target = target_of("http://nas.example/hook")
    leads_to(monkeypatch, "192.168.1.4")
    assert why_not_plain(target) == ""
    leads_to(monkeypatch, "192.168.1.4", "8.8.8.8")
    assert "use https" in why_not_plain(target)
    assert "use https" in post("http://nas.example/hook", [], b"x").trouble


def test_a_name_that_leads_nowhere_may_be_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    leads_to(monkeypatch)
    assert "leads nowhere" in why_not_plain(target_of("http://nas.example/hook"))

    def not_found(*_: Any, **__: Any) -> Any:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(webhook_send.socket, "getaddrinfo", not_found)
    assert "Name or service not known" in why_not_plain(target_of("http://nas.example/hook"))


def test_what_people_see_of_an_address() -> None:
    assert shown(SECRET_URL) == "https://bot.example:8443/hook?…"
    assert shown("http://127.0.0.1:8080/light") == "http://127.0.0.1:8080/light"
    assert host_of(SECRET_URL) == "bot.example:8443"


def test_a_message_as_it_arrives() -> None:
    with receiving() as receiver:
        url = receiver.url.replace("127", "ada:pass%20word@127") + "?a=1&b=2"
        answered = post(url, [("webhook-id", "msg_1")], b'{"a":1}')
        got = receiver.next()
    assert (answered.status, answered.is_taken, answered.trouble) == (204, True, "")
    assert (got.path, got.body) == ("/hook?a=1&b=2", b'{"a":1}')
    assert got.headers["webhook-id"] == "msg_1"
    assert got.headers["host"] == f"127.0.0.1:{receiver.port}"
    assert got.headers["authorization"] == "Basic " + base64.b64encode(b"ada:pass word").decode()


def test_a_redirect_is_not_followed() -> None:
    with receiving() as elsewhere, receiving() as receiver:
        receiver.answer(302, location=elsewhere.url)
        answered = post(receiver.url, [], b"x")
        assert (answered.status, answered.is_taken) == (302, False)
        assert elsewhere.got.empty()


def test_when_to_try_again() -> None:
    with receiving() as receiver:
        receiver.answer(503, Retry_After="120")
        assert post(receiver.url, [], b"x").retry_after == "120"
    now_s = 1_796_040_000.0  # Mon, 30 Nov 2026 12:00:00 GMT
    assert pause_of("120", now_s) == 120
    assert pause_of("Mon, 30 Nov 2026 12:01:30 GMT", now_s) == 90
    assert pause_of("Mon, 30 Nov 2026 11:00:00 GMT", now_s) == 0
    assert pause_of("soon", now_s) is None
    assert pause_of("-5", now_s) is None
    assert pause_of("²", now_s) is None


# --- receivers that are none -------------------------------------------------------------


@contextmanager
def saying(*parts: bytes, hold: bool = False) -> Generator[int]:
    """Run a server that says these bytes to whoever connects; yield its port."""
    over = threading.Event()
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        connection, _ = listener.accept()
        with connection:
            connection.recv(65536)
            for part in parts:
                connection.sendall(part)
            if hold:
                over.wait(20)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        over.set()
        thread.join(20)
        listener.close()


@pytest.mark.parametrize(
    ("parts", "trouble"),
    [
        ((b"SSH-2.0-x\r\n\r\n",), "no HTTP"),
        ((b"HTTP/1.1 000 x\r\n\r\n",), "no HTTP"),
        ((b"",), "without an answer"),
        ((b"HTTP/1.1 200 OK\r\n",), "without an answer"),
        ((b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 8000,), "no HTTP"),
    ],
)
def test_an_answer_that_is_none(parts: tuple[bytes, ...], trouble: str) -> None:
    with saying(*parts) as port:
        answered = post(f"http://127.0.0.1:{port}/", [], b"x")
    assert answered.status == 0
    # Who says too much may find the connection closed before it was heard.
    assert trouble in answered.trouble or "reset" in answered.trouble.lower()


def test_a_hint_before_the_answer_is_no_answer() -> None:
    parts = (b"HTTP/1.1 103 Early\r\nretry-after: 9\r\n\r\nHTTP/1.1 20", b"0 OK\r\nx: y\r\n\r\nbody")
    with saying(*parts) as port:
        answered = post(f"http://127.0.0.1:{port}/", [], b"x")
    assert (answered.status, answered.retry_after) == (200, "")


def test_one_that_says_nothing_has_a_deadline() -> None:
    with saying(hold=True) as port:
        assert post(f"http://127.0.0.1:{port}/", [], b"x", within_s=0.05).trouble == "it takes too long"


def test_one_that_drips_has_the_same_deadline() -> None:
    with saying(b"HTTP/1.1 200 OK\r\n", b"a: b\r\n", hold=True) as port:
        assert post(f"http://127.0.0.1:{port}/", [], b"x", within_s=0.05).trouble == "it takes too long"


def test_one_that_is_not_there_is_told_in_words() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    assert "refused" in post(f"http://127.0.0.1:{port}/", [], b"x").trouble.lower()


# --- certificates ------------------------------------------------------------------------


@contextmanager
def encrypted(certificate: trustme.LeafCert) -> Generator[int]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(context)
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        connection, _ = listener.accept()
        with connection:
            try:
                with context.wrap_socket(connection, server_side=True) as secure:
                    secure.recv(65536)
                    secure.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            except OSError:
                return  # the certificate was not believed

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        thread.join(20)
        listener.close()


def test_a_certificate_is_verified(monkeypatch: pytest.MonkeyPatch) -> None:
    authority = trustme.CA()
    with encrypted(authority.issue_cert("127.0.0.1")) as port:
        answered = post(f"https://127.0.0.1:{port}/", [], b"x")
    assert answered.status == 0
    assert "certificate verify failed" in answered.trouble.lower().replace("_", " ")

    usual = ssl.create_default_context

    def believing() -> ssl.SSLContext:
        context = usual()
        authority.configure_trust(context)
        return context

    monkeypatch.setattr(webhook_send.ssl, "create_default_context", believing)
    with encrypted(authority.issue_cert("127.0.0.1")) as port:
        assert post(f"https://127.0.0.1:{port}/", [], b"x").status == 200
    with encrypted(authority.issue_cert("other.example")) as port:
        assert "mismatch" in post(f"https://127.0.0.1:{port}/", [], b"x").trouble
