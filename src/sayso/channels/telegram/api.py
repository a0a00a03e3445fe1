"""Calls of the Bot API: parameters there, results back, refusals as errors.

The token is part of each address, so addresses are made here, told to nobody, and no error or log
line has one. Not here: when something is sent (`outbox`), what comes in (`poller`). Imports `http`.

Source: Telegram Bot API documentation, Making requests, Sending files, ResponseParameters.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from sayso.channels.telegram.errors import ApiError, Unreachable
from sayso.channels.telegram.http import Client, Response

PUBLIC_URL = "https://api.telegram.org"
ANSWER_S = 30.0
"""How long an answer may take, beyond what a long poll asks for itself, and a large body."""
MOST_RETRY_S = 3600.0
"""Whatever pause is asked for, after so long it is asked again."""
LEAST_BYTES_A_S = 16_384
"""What a slow line takes of a body each second: a file must not be given up and sent anew for ever."""


class Document(Struct, frozen=True):
    """A file to be sent."""

    name: str
    data: bytes


class _Parameters(Struct, frozen=True):
    retry_after: float = 0.0


class _Envelope(Struct, frozen=True):
    """What every answer is wrapped in."""

    ok: bool
    result: Any = None
    error_code: int = 0
    description: str = ""
    parameters: _Parameters = _Parameters()


class BotApi:
    """One bot's Bot API."""

    def __init__(self, token: str, base_url: str = PUBLIC_URL) -> None:
        self._token = token
        self._client = Client(base_url)

    async def call(
        self,
        method: str,
        params: Mapping[str, Any],
        document: Document | None = None,
        answer_s: float = ANSWER_S,
    ) -> Any:
        """Return the result of a method.

        Raises:
            ApiError: it was refused. Unreachable: there was no answer.
        """
        kind, body = _as_json(params) if document is None else _as_parts(params, document)
        headers = {"Content-Type": kind, "Accept": "application/json"}
        within_s = answer_s + len(body) / LEAST_BYTES_A_S
        response = await self._client.post(f"/bot{self._token}/{method}", headers, body, within_s)
        return self._result(response)

    def _result(self, response: Response) -> Any:
        try:
            said = msgspec.json.decode(response.body, type=_Envelope)
        except (msgspec.DecodeError, RecursionError):
            if response.status == 200:
                raise Unreachable("what answers is not the Bot API", True) from None
            raise ApiError(response.status, "an answer that is not the Bot API's") from None
        if said.ok:
            return said.result
        description = said.description.replace(self._token, "…")
        retry_s = min(said.parameters.retry_after, MOST_RETRY_S)
        raise ApiError(said.error_code or response.status, description, retry_s)

    def fresh(self) -> None:
        """Use new connections from now on."""
        self._client.drop_idle()

    close = fresh


def _as_json(params: Mapping[str, Any]) -> tuple[str, bytes]:
    return "application/json", msgspec.json.encode(params)


def _as_parts(params: Mapping[str, Any], document: Document) -> tuple[str, bytes]:
    """Return the type and body of a form with a file; what is no text goes as JSON within it."""
    boundary = f"sayso-{secrets.token_hex(16)}"
    parts: list[bytes] = []
    for name, value in params.items():
        text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
        parts.append(f'Content-Disposition: form-data; name="{name}"\r\n\r\n{text}'.encode())
    name = "".join(char if char.isalnum() or char in "._- " else "_" for char in document.name)
    head = f'Content-Disposition: form-data; name="document"; filename="{name}"\r\n'
    parts.append(f"{head}Content-Type: application/octet-stream\r\n\r\n".encode() + document.data)
    lead = f"--{boundary}\r\n".encode()
    body = b"".join(lead + part + b"\r\n" for part in parts) + f"--{boundary}--\r\n".encode()
    return f"multipart/form-data; boundary={boundary}", body
