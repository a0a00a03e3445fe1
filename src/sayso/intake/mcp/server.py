"""The protocol: calls of tools to questions, and their ends to results.

Imports the MCP SDK, which is an extra: whoever imports this has to be ready for its absence.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from sayso import __version__
from sayso.client.aio import Desk
from sayso.client.asking import default_surface
from sayso.errors import SaysoError
from sayso.intake.mcp import words
from sayso.intake.mcp.asks import Asks
from sayso.intake.mcp.tools import INSTRUCTIONS, TOOLS, AskWait, Notify, decode, question

Context = ServerRequestContext[dict[str, Any]]


async def serve(path: str, limit_s: float, env: Mapping[str, str] = os.environ) -> None:
    """Serve on standard input and output until the client ends, which withdraws what it asked."""
    asks = Asks(Desk(path), limit_s)
    server = server_of(asks, env)
    try:
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
    finally:
        await asks.close()


def server_of(asks: Asks, env: Mapping[str, str]) -> Server[dict[str, Any]]:
    """Return the server of these questions, for any transport."""
    service = _Service(asks, default_surface(env))
    return Server(
        "sayso",
        version=__version__,
        title="sayso",
        instructions=INSTRUCTIONS,
        on_list_tools=service.list_tools,
        on_call_tool=service.call_tool,
    )


class _Service:
    def __init__(self, asks: Asks, surface_id: str) -> None:
        self._asks = asks
        self._where = {"surface_id": surface_id}
        with suppress(OSError):  # the folder was removed
            self._where["cwd"] = os.getcwd()

    async def list_tools(
        self, _ctx: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_offer(name) for name in TOOLS])

    async def call_tool(self, ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        try:
            told = await self._call(ctx, params.name, params.arguments or {})
        except SaysoError as error:
            return types.CallToolResult(content=_text(words.failed(error)), is_error=True)
        return types.CallToolResult(content=_text(told.message), structured_content=told.members)

    async def _call(self, ctx: Context, name: str, arguments: dict[str, Any]) -> words.Told:
        asked = decode(name, arguments)
        where = {**self._where, "agent_id": _label(ctx)}
        match asked:
            case Notify():
                note = {"title": asked.title, "body": asked.body}
                await self._asks.desk.call("agent.notify", {**where, **note})
                return words.told()
            case AskWait():
                return await self._wait(ctx, asked.request_id)
            case _:
                request_id = self._asks.start({**where, **question(name, asked)})
                return await self._wait(ctx, request_id, asked.title)

    async def _wait(self, ctx: Context, request_id: str, title: str | None = None) -> words.Told:
        """Wait for a question's end. `title`: its title when this call asked it, None for a later one."""
        about = f": {title}" if title else ""

        async def tell(passed_s: float) -> None:
            await ctx.session.report_progress(passed_s, None, f"waiting for the person{about}")

        kind, outcome = await self._asks.wait(request_id, tell, asks=title is not None)
        return words.pending(request_id) if outcome is None else words.ended(kind, outcome)


def _label(ctx: Context) -> str | None:
    """Return what the client calls itself: a claim, shown beside who it is."""
    client = ctx.session.client_params
    if client is None:
        return None
    return client.client_info.title or client.client_info.name


def _offer(name: str) -> types.Tool:
    tool = TOOLS[name]
    # Asking changes nothing on this computer; the answer comes from the one person who runs the agent.
    hints = types.ToolAnnotations(
        title=tool.title,
        read_only_hint=True,
        destructive_hint=False,
        idempotent_hint=tool.repeats,
        open_world_hint=False,
    )
    return types.Tool(
        name=name, title=tool.title, description=tool.about, input_schema=tool.input_schema, annotations=hints
    )


def _text(text: str) -> list[types.ContentBlock]:
    return [types.TextContent(type="text", text=text)]
