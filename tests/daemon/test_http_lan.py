"""One more address: with TLS or knowingly without, never all of them, never the Internet's."""

from __future__ import annotations

import asyncio
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from sayso.daemon import http_lan
from sayso.daemon.devices import Devices
from sayso.daemon.http import make_app
from sayso.daemon.http_guard import access
from sayso.daemon.http_lan import Lan, LanServer, Wanted, checked
from sayso.daemon.lifecycle import Options, up
from sayso.errors import BadRequest
from sayso.wire.protocol import Power
from tests.daemon.certificates import Certificates, made_for
from tests.daemon.http_stage import StandIn
from tests.daemon.stage import desk, private_home

WAIT_S = 5.0


@pytest.fixture
def certificates(tmp_path: Path) -> Certificates:
    return made_for(tmp_path, "127.0.0.1", "127.0.0.2")


def wanted(certificates: Certificates, listen: str) -> Wanted:
    return Wanted(listen=listen, tls_cert=str(certificates.certificate), tls_key=str(certificates.key))


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return found.getsockname()[1]


# --- what is allowed -------------------------------------------------------------------


def test_nothing_is_listened_on_unless_it_is_said() -> None:
    assert checked(Wanted()) is None


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("192.168.1.5", "192.168.1.5"),
        ("10.0.0.1", "10.0.0.1"),
        ("100.101.102.103", "100.101.102.103"),  # a tailnet's
        ("fd7a:115c:a1e0::1", "[fd7a:115c:a1e0::1]"),
    ],
)
def test_addresses_of_a_network_or_a_tailnet(address: str, name: str, certificates: Certificates) -> None:
    lan = checked(wanted(certificates, address))

    assert lan is not None
    assert LanServer(lan, 7297).url == f"https://{name}:7297"
    assert LanServer(lan, 7297).troubles() == []


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("0.0.0.0", "all of them"),
        ("::", "all of them"),
        ("127.0.0.1", "anyway"),
        ("::1", "anyway"),
        ("8.8.8.8", "whole Internet"),
        ("2606:4700::1", "whole Internet"),
        ("224.0.0.1", "no address that a browser"),
        ("fe80::1", "no address that a browser"),
        ("169.254.0.1", "no address that a browser"),
        ("desk.example", "takes one address"),
        ("192.168.1.5:80", "takes one address"),
        ("192.168.1.0/24", "takes one address"),
    ],
)
def test_case_49_addresses_that_are_refused(address: str, words: str, certificates: Certificates) -> None:
    with pytest.raises(BadRequest, match=words) as caught:
        checked(wanted(certificates, address))
    assert caught.value.field == "listen"
    with pytest.raises(BadRequest, match=words):
        checked(Wanted(listen=address, insecure_lan=True))


def test_case_49_without_tls_it_must_be_said_and_is_said_back() -> None:
    with pytest.raises(BadRequest, match="everybody in that network can read"):
        checked(Wanted(listen="192.168.1.5"))

    lan = checked(Wanted(listen="192.168.1.5", insecure_lan=True))

    assert lan is not None
    server = LanServer(lan, 7297)
    assert server.url == "http://192.168.1.5:7297"
    (trouble,) = server.troubles()
    assert "not encrypted" in trouble


def test_words_that_do_not_go_together(certificates: Certificates) -> None:
    for alone in (Wanted(tls_cert="a"), Wanted(tls_key="a"), Wanted(insecure_lan=True)):
        with pytest.raises(BadRequest, match="are about --listen"):
            checked(alone)
    both = Wanted(listen="10.0.0.1", tls_cert=str(certificates.certificate), insecure_lan=True)
    with pytest.raises(BadRequest, match="not both"):
        checked(both)


def test_certificates_that_are_none(certificates: Certificates, tmp_path: Path) -> None:
    broken = tmp_path / "broken.crt"
    broken.write_text("no certificate")
    for path, key in (
        (tmp_path / "nothing.crt", certificates.key),
        (broken, certificates.key),
        (certificates.certificate, tmp_path / "nothing.key"),
        (certificates.certificate, certificates.certificate),
    ):
        with pytest.raises(BadRequest, match="cannot be used as a certificate") as caught:
            checked(Wanted(listen="10.0.0.1", tls_cert=str(path), tls_key=str(key)))
        assert caught.value.field == "tls_cert"


def test_a_key_may_be_in_the_same_file(certificates: Certificates, tmp_path: Path) -> None:
    both = tmp_path / "both.pem"
    both.write_text(certificates.key.read_text() + certificates.certificate.read_text())

    lan = checked(Wanted(listen="10.0.0.1", tls_cert=str(both)))

    assert lan is not None
    assert lan.context is not None


@pytest.mark.skipif(shutil.which("openssl") is None, reason="a locked key is made by openssl")
def test_a_key_with_a_password_asks_nobody(certificates: Certificates, tmp_path: Path) -> None:
    locked = tmp_path / "locked.key"
    command = [
        "openssl",
        "ec",
        "-in",
        str(certificates.key),
        "-aes256",
        "-passout",
        "pass:x",
        "-out",
        str(locked),
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=20)

    with pytest.raises(BadRequest, match="locked by a password"):
        checked(Wanted(listen="10.0.0.1", tls_cert=str(certificates.certificate), tls_key=str(locked)))


def test_a_desk_does_not_start_with_what_is_refused() -> None:
    here = private_home()
    try:
        with pytest.raises(BadRequest, match="all of them"):
            up(here, Options(lan=Wanted(listen="0.0.0.0", insecure_lan=True)))
        with pytest.raises(BadRequest, match="no address of a server"):
            up(here, Options(public_url="desk"))
        assert not here.run.exists()
    finally:
        shutil.rmtree(here.run.parent)


# --- serving ---------------------------------------------------------------------------


async def test_tls_is_spoken_and_nothing_else(certificates: Certificates) -> None:
    port, stop, devices = free_port(), asyncio.Event(), Devices("")
    server = LanServer(Lan(address="127.0.0.1", context=certificates.server()), port)
    app = make_app(StandIn(), devices, access(0, lan_url=server.url))
    serving = asyncio.create_task(server.serve(app, stop))
    token = devices.create("phone", Power.SEE).token
    headers = {"authorization": f"Bearer {token}"}
    transport = httpx.AsyncHTTPTransport(verify=certificates.trust, retries=5)
    try:
        async with httpx.AsyncClient(base_url=server.url, transport=transport, headers=headers) as client:
            assert (await client.get("/api/health", headers={"origin": server.url})).status_code == 200
            refused = await client.get("/api/health", headers={"origin": f"http://127.0.0.1:{port}"})
            assert refused.status_code == 403
        async with httpx.AsyncClient() as plain:
            with pytest.raises(httpx.HTTPError):
                await plain.get(f"http://127.0.0.1:{port}/api/health", headers=headers)
    finally:
        stop.set()
        await asyncio.wait_for(serving, WAIT_S)
        devices.close()


async def test_an_address_that_comes_later_is_served_then(
    certificates: Certificates, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(http_lan, "AGAIN_S", 0.01)
    looked: list[str] = []
    found = asyncio.Event()
    real = http_lan.http_bind.bind_to

    def bind_to(address: str, port: int) -> object:
        looked.append(address)
        if len(looked) < 3:
            return real("198.51.100.1", port)
        found.set()
        return real(address, port)

    monkeypatch.setattr(http_lan.http_bind, "bind_to", bind_to)
    port, stop, devices = free_port(), asyncio.Event(), Devices("")
    server = LanServer(Lan(address="127.0.0.1", context=certificates.server()), port)
    app = make_app(StandIn(), devices, access(0, lan_url=server.url))
    serving = asyncio.create_task(server.serve(app, stop))
    try:
        await asyncio.wait_for(found.wait(), WAIT_S)
        assert "does not have the address" in caplog.text
        assert len(caplog.records) == 1  # said once
        transport = httpx.AsyncHTTPTransport(verify=certificates.trust, retries=5)
        async with httpx.AsyncClient(transport=transport) as client:
            assert (await client.get(f"{server.url}/api/health")).status_code == 401
        assert server.troubles() == []
    finally:
        stop.set()
        await asyncio.wait_for(serving, WAIT_S)
        devices.close()


async def test_an_address_that_never_comes_ends_with_the_desk(
    certificates: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop, devices, looked = asyncio.Event(), Devices(""), asyncio.Event()
    monkeypatch.setattr(http_lan.log, "warning", lambda *_: looked.set())
    server = LanServer(Lan(address="198.51.100.1", context=certificates.server()), free_port())
    app = make_app(StandIn(), devices, access(0))
    serving = asyncio.create_task(server.serve(app, stop))
    await asyncio.wait_for(looked.wait(), WAIT_S)
    assert "does not have the address" in server.troubles()[0]

    stop.set()
    await asyncio.wait_for(serving, WAIT_S)
    devices.close()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the loopback has one address")
async def test_a_whole_desk_on_two_addresses(
    certificates: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    lan = Lan(address="127.0.0.2", context=certificates.server())
    monkeypatch.setattr(http_lan, "checked", lambda _: lan)
    async with desk(port=0) as stage:
        person = await stage.peer()
        opened = await person.call("desk.pairing", {"power": "see"})
        base, _, code = opened["url"].partition("/#code=")
        assert base.startswith("https://127.0.0.2:")
        assert opened["reachable"] is True
        transport = httpx.AsyncHTTPTransport(verify=certificates.trust, retries=5)

        async with httpx.AsyncClient(base_url=base, transport=transport, trust_env=False) as phone:
            made = (await phone.post("/api/pair", json={"code": code})).json()
            headers = {"authorization": f"Bearer {made['token']}"}
            assert (await phone.get("/api/me", headers=headers)).json()["power"] == "see"
            assert (await phone.get("/")).status_code == 200

        assert (await person.call("desk.health"))["troubles"] == []
