"""A program that asks a person in every way. It is never run: a type checker reads it, strictly."""

# pyright: strict, reportUnnecessaryTypeIgnoreComment=true

from __future__ import annotations

from typing import Literal, assert_type

import sayso
from sayso import ask
from sayso.ask import aio

assert_type(ask.yesno("Deploy?"), bool)
assert_type(ask.yesno("Deploy?", body="all", default=False, timeout_s=60, unsafe=True), bool)
assert_type(ask.choice("Where?", ["eu", "us"]), str)
assert_type(ask.choice("Where?", [("eu", "Europe"), "us"], default="eu"), str)
assert_type(ask.choice("Where?", {"eu": "Europe"}), str)
assert_type(ask.text("Name?", default="v1", surface="s", label="release"), str)
assert_type(ask.confirm_command("make deploy", title="Deploy?", unsafe=True), Literal[True])
assert_type(sayso.ask.yesno("Deploy?"), bool)

ask.yesno()  # pyright: ignore[reportCallIssue]
ask.yesno("Deploy?", "all")  # pyright: ignore[reportCallIssue]
ask.yesno("Deploy?", default="yes")  # pyright: ignore[reportArgumentType]
ask.text("Name?", default=True)  # pyright: ignore[reportArgumentType]
ask.choice("Where?")  # pyright: ignore[reportCallIssue]
ask.choice("Where?", [1, 2])  # pyright: ignore[reportArgumentType]
ask.confirm_command("make", default=True)  # pyright: ignore[reportCallIssue]


def handled() -> str:
    try:
        return ask.text("Name?")
    except ask.TimedOut as error:
        return error.text
    except ask.Cancelled as error:
        assert_type(error.reason, str)
        return error.reason
    except ask.NotAnswered:
        raise
    except ask.NoDesk:
        return ""
    except ask.BadRequest as error:
        return error.field


async def together() -> None:
    assert_type(await aio.yesno("Deploy?"), bool)
    assert_type(await ask.aio.choice("Where?", ["eu"]), str)
    assert_type(await sayso.ask.aio.text("Name?", timeout_s=1.5), str)
    assert_type(await aio.confirm_command("make"), Literal[True])
    await aio.yesno("Deploy?", default="yes")  # pyright: ignore[reportArgumentType]
