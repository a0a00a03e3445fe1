"""Certificates of a made-up authority, and a proxy that speaks TLS in front of a desk."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import trustme
from msgspec import Struct


class Certificates(Struct, frozen=True):
    """A certificate with its key as files, and what trusts it."""

    certificate: Path
    key: Path
    trust: ssl.SSLContext

    def server(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, self.key)
        return context


def made_for(folder: Path, *names: str) -> Certificates:
    """Make a certificate for some names or addresses."""
    authority = trustme.CA()
    issued = authority.issue_cert(*names)
    certificate, key = folder / "desk.crt", folder / "desk.key"
    issued.private_key_pem.write_to_path(key)
    for number, blob in enumerate(issued.cert_chain_pems):
        blob.write_to_path(certificate, append=number > 0)
    trust = ssl.create_default_context()
    authority.configure_trust(trust)
    return Certificates(certificate, key, trust)


@asynccontextmanager
async def tls_proxy(certificates: Certificates, target_port: int, port: int = 0) -> AsyncGenerator[int]:
    """Pass what comes by TLS on to a port of the loopback, as it is; yields the proxy's port."""
    tasks: set[asyncio.Task[None]] = set()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        back, forth = await asyncio.open_connection("127.0.0.1", target_port)
        pipes = [asyncio.create_task(pipe(reader, forth)), asyncio.create_task(pipe(back, writer))]
        tasks.update(pipes)
        await asyncio.wait(pipes, return_when=asyncio.FIRST_COMPLETED)
        forth.close()
        writer.close()

    async def pipe(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with suppress(OSError, ssl.SSLError):
            while data := await source.read(1 << 16):
                sink.write(data)
                await sink.drain()

    server = await asyncio.start_server(connected, "127.0.0.1", port, ssl=certificates.server())
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
