"""`sayso telegram`: a bot gets its token, people are paired with it by a code, and taken back.

The token is typed unseen or read from a file, never an argument, since others see those; it is tried at
Telegram before the desk gets it. Not here: what the desk does with it. Imports `api` to try a token.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from sayso.channels import manual
from sayso.channels.cli import runner
from sayso.channels.output import DONE, GONE, Output
from sayso.channels.text import visible
from sayso.client.blocking import Desk
from sayso.errors import BadRequest, SaysoError, Unavailable

METHOD = "desk.telegram"
TOKEN = re.compile(r"[0-9]{5,20}:[A-Za-z0-9_-]{30,64}")
CALL_S = 90.0
"""A keyring may have to ask for a password."""
_SLACK_S = 10.0
"""How much longer than a code is good for the desk may take to say that it is over."""
_HOW = """\
A bot of your own: write to @BotFather in Telegram, send /newbot, and paste the token that it gives you."""
_THROUGH = """\
What agents ask, and your answers, then pass through Telegram's servers, which can read them; what looks
like a secret is hidden before."""


# --- pairing ---------------------------------------------------------------------------


def _pair(args: argparse.Namespace, out: Output) -> int:
    with args.connect() as desk:
        info: dict[str, Any] = desk.call(METHOD, {"list": True})
        if args.token_file or args.new_token or not info["bot"] or args.drop_webhook:
            _give_token(args, desk, info["api"], out)
        opened: dict[str, Any] = desk.call(METHOD, {"pair": True, "name": args.name})
        out.json(opened)
        _show(opened, out)
        sys.stdout.flush()
        try:
            became: dict[str, Any] = desk.call(METHOD, {"wait": opened["id"]}, opened["expires_s"] + _SLACK_S)
        except KeyboardInterrupt:
            _cancel(args, opened["id"])
            raise
        health = desk.call(METHOD, {"list": True})["health"]
    out.json(became)
    if became["state"] == "used":
        name = visible(became["name"])
        out.say(
            f"{name} may now answer from Telegram. `sayso telegram revoke NAME` takes that back.", "strong"
        )
        return DONE
    out.say("The code is closed: nobody typed it in time, or too many wrong ones were. Make another one.")
    if words := health.get("words"):
        out.say(f"Trouble: {visible(words)}")
    return GONE


def _show(opened: dict[str, Any], out: Output) -> None:
    from sayso.channels import qr  # heavy, and only wanted here

    out.say(_THROUGH)
    drawn = qr.lines(opened["link"], out.styled)
    if qr.columns(drawn) <= out.columns and _writes_blocks():
        for line in drawn:
            out.say(line)
    out.say(f"In Telegram, scan this or open:  {opened['link']}")
    out.say(f"Or write this to @{opened['bot']}, in a chat with it alone:  {opened['code']}", "strong")
    out.say("It works once, within two minutes, for whoever writes it. Waiting …", "faint")


def _writes_blocks() -> bool:
    try:
        "█▀▄".encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def _cancel(args: argparse.Namespace, code_id: str) -> None:
    """Close a code whose person has left; without a desk it is closed anyway."""
    with suppress(SaysoError), args.connect() as desk:
        desk.call(METHOD, {"cancel": code_id})


# --- the token -------------------------------------------------------------------------


def _give_token(args: argparse.Namespace, desk: Desk, api: str, out: Output) -> None:
    import asyncio  # heavy, and only wanted here

    token = _token(args.token_file, out)
    bot_id, name = asyncio.run(tried(token, api, args.drop_webhook))
    desk.call(METHOD, {"token": token, "bot_id": bot_id, "bot": name}, CALL_S)
    kept_in = desk.call(METHOD, {"list": True})["kept_in"]
    where = "the system's keyring" if kept_in == "keyring" else "a file that is yours alone"
    out.say(f"The bot is @{name}; its token is in {where}.")


def _token(path: str, out: Output) -> str:
    """Return the token that the person gives. Raises: BadRequest."""
    if path:
        try:
            text = sys.stdin.read() if path == "-" else Path(path).read_text("ascii")
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "it is not a token"
            raise BadRequest(f"the token cannot be read: {why}", "token") from None
    elif sys.stdin.isatty():
        import getpass

        out.say(_HOW)
        try:
            text = getpass.getpass("Token (is not shown): ")
        except EOFError:
            text = ""
    else:
        raise BadRequest("the token is asked for in a terminal: or give --token-file FILE", "token")
    token = text.strip()
    if not TOKEN.fullmatch(token):
        raise BadRequest("this is not the token of a bot: it looks like 123456789:AAE…", "token")
    return token


async def tried(token: str, api: str, drop_webhook: bool) -> tuple[int, str]:
    """Return the id and the name of a token's bot, as Telegram says.

    Raises: BadRequest, for a token that it does not know; Unavailable.
    """
    from sayso.channels.telegram.api import PUBLIC_URL, BotApi
    from sayso.channels.telegram.errors import ApiError, Unreachable

    bot = BotApi(token, api or PUBLIC_URL)
    try:
        me = await bot.call("getMe", {})
        if drop_webhook:
            await bot.call("deleteWebhook", {})
        webhook = await bot.call("getWebhookInfo", {})
        found = int(me["id"]), str(me["username"])
    except ApiError as error:
        if error.is_unknown_bot:
            raise BadRequest("Telegram knows no bot with this token", "token") from None
        raise Unavailable(f"Telegram answers {error.code} {error.description}") from None
    except (Unreachable, KeyError, TypeError, ValueError) as error:
        words = error.words if isinstance(error, Unreachable) else "what answers is not the Bot API"
        raise Unavailable(f"the token cannot be tried: {words}") from None
    finally:
        bot.close()
    if webhook.get("url"):
        raise BadRequest(
            "what people write to this bot goes to a web server: make a bot for this desk alone, or take it "
            "from there with --drop-webhook",
            "token",
        )
    return found


# --- who is paired ---------------------------------------------------------------------


def _list(args: argparse.Namespace, out: Output) -> int:
    with args.connect() as desk:
        info: dict[str, Any] = desk.call(METHOD, {"list": True})
    out.json(info)
    if not info["bot"]:
        out.say("There is no bot. `sayso telegram pair` makes one known, and pairs you with it.")
        return DONE
    out.say(f"@{visible(info['bot'])}: {_health(info['health'])}")
    for one in info.get("senders", ()):
        out.say(f"{one['sender']}  {one['device']}  {visible(one['name'])}")
    if not info.get("senders"):
        out.say("Nobody is paired: `sayso telegram pair`.")
    return DONE


def _health(health: dict[str, Any]) -> str:
    """Return in words how the bot fares."""
    if words := health.get("words"):
        return visible(words)
    reached_at = health.get("reached_at", 0)
    if reached_at:
        return f"reached last at {time.strftime('%Y-%m-%d %H:%M:%S', time.localtime(reached_at))}."
    return "not asked yet." if health.get("state") == "connecting" else "off while nobody is paired."


def _revoke(args: argparse.Namespace, out: Output) -> int:
    with args.connect() as desk:
        gone: dict[str, Any] = desk.call(METHOD, {"revoke": args.name})
    out.json(gone)
    out.say(f"{visible(gone['name'])} may do nothing any more.")
    return DONE


def _forget(args: argparse.Namespace, out: Output) -> int:
    with args.connect() as desk:
        done: dict[str, Any] = desk.call(METHOD, {"forget": True}, CALL_S)
    out.json(done)
    out.say(
        "The token is forgotten, and everybody is taken back. @BotFather can end the bot itself: /revoke."
    )
    return DONE


# --- the parsers -----------------------------------------------------------------------


def add_command(subparsers: manual.Subparsers) -> None:
    """Add `telegram`; each of its actions leaves `args.run`."""
    telegram = subparsers.add_parser("telegram", help="answer from a chat with a bot of your own in Telegram")
    actions = telegram.add_subparsers(required=True, metavar="ACTION")
    pair = actions.add_parser(
        "pair",
        help="give whoever types a code to the bot the power to answer",
        description="Ask for the token of your bot, if there is none yet, show a code, and wait until it was "
        "typed to the bot. What agents ask then passes through Telegram's servers.",
    )
    pair.add_argument("--name", default="", help="what the sender is called here; else as in Telegram")
    pair.add_argument(
        "--token-file", default="", metavar="FILE", help="where the bot's token is; - for standard input"
    )
    pair.add_argument("--new-token", action="store_true", help="ask for a token, in place of the one before")
    pair.add_argument(
        "--drop-webhook",
        action="store_true",
        help="take the bot from a web server that gets what people write to it; asks for its token",
    )
    pair.set_defaults(run=runner(_pair))
    actions.add_parser("list", help="the bot, how it fares, and who is paired").set_defaults(
        run=runner(_list)
    )
    revoke = actions.add_parser("revoke", help="take somebody back, at once")
    revoke.add_argument("name", help="a sender's name, device, or id in Telegram")
    revoke.set_defaults(run=runner(_revoke))
    forget = actions.add_parser("forget", help="forget the bot and its token, and take everybody back")
    forget.set_defaults(run=runner(_forget))
    for action in actions.choices.values():
        action.add_argument("--json", action="store_true", help="one line of JSON, as the desk gives it")
