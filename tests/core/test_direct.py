"""What programs ask themselves: what a reply means, the two steps of a command, what cannot be asked."""

from __future__ import annotations

from typing import Any

import pytest

from sayso.core.bounds import ACKNOWLEDGED_S, MAX_CHOICES, MAX_MESSAGE_CHARS, MAX_TEXT_CHARS
from sayso.core.direct import OWN_FIELDS
from sayso.core.fit import fit
from sayso.core.types import DIRECT, Answerer, Ask, Choice, Decision, Kind, Reply
from sayso.errors import BadReply, BadRequest
from tests.core.stage import ADA, BOB, Stage, asked

YESNO, TEXT, COMMAND = asked(Kind.YESNO), asked(Kind.TEXT), asked(Kind.CONFIRM)
CHOICE = asked(Kind.CHOICE, choices=(Choice(value="a", label="The first"), Choice(value="cancel", label="b")))
ACK, RUN = Reply(behavior="allow", step="ack"), Reply(behavior="allow", step="run")
ADA_ELSEWHERE = Answerer(channel="telegram", credential=ADA.credential)


def allow(**fields: Any) -> Reply:
    return Reply(behavior="allow", **fields)


def test_the_kinds_have_their_own_fields() -> None:
    assert OWN_FIELDS.keys() == DIRECT


@pytest.mark.parametrize(
    ("ask", "reply", "value"),
    [
        (YESNO, allow(value="yes"), "yes"),
        (YESNO, allow(value="no"), "no"),
        (CHOICE, allow(value="a"), "a"),
        (CHOICE, allow(value="cancel"), "cancel"),
        (TEXT, allow(value=""), ""),
        (TEXT, allow(value=" as it\n is "), " as it\n is "),
        (TEXT, allow(value="x" * MAX_TEXT_CHARS), "x" * MAX_TEXT_CHARS),
        (COMMAND, RUN, "run"),
    ],
)
def test_a_value_that_fits_is_handed_on_as_it_is(ask: Ask, reply: Reply, value: str) -> None:
    assert fit(ask, reply) == Decision(behavior="allow", value=value)


@pytest.mark.parametrize("ask", [YESNO, CHOICE, TEXT, COMMAND], ids=lambda ask: ask.kind)
@pytest.mark.parametrize("behavior", ["deny", "cancel"])
def test_a_person_can_cancel_with_words_or_without(ask: Ask, behavior: str) -> None:
    assert fit(ask, Reply(behavior=behavior)) == Decision(behavior="cancel")
    assert fit(ask, Reply(behavior=behavior, message=" \n")) == Decision(behavior="cancel")
    assert fit(ask, Reply(behavior=behavior, message="later")) == Decision(behavior="cancel", message="later")


@pytest.mark.parametrize(
    ("ask", "reply", "field"),
    [
        (YESNO, allow(), "value"),
        (YESNO, allow(value=""), "value"),
        (YESNO, allow(value="Yes"), "value"),
        (YESNO, allow(value="maybe"), "value"),
        (YESNO, allow(step="run"), "step"),
        (CHOICE, allow(), "value"),
        (CHOICE, allow(value="The first"), "value"),
        (TEXT, allow(), "value"),
        (TEXT, allow(value="x" * (MAX_TEXT_CHARS + 1)), "value"),
        (COMMAND, allow(), "step"),
        (COMMAND, allow(step="go"), "step"),
        (COMMAND, allow(value="run"), "value"),
        (YESNO, Reply(value="yes"), "behavior"),
        (YESNO, Reply(behavior="maybe"), "behavior"),
        (YESNO, Reply(behavior="deny", value="no"), "value"),
        (YESNO, Reply(behavior="deny", interrupt=True), "interrupt"),
        (YESNO, Reply(behavior="cancel", message="x" * (MAX_MESSAGE_CHARS + 1)), "message"),
        (YESNO, allow(value="yes", message="with words"), "message"),
        (YESNO, allow(value="yes", suggestion="0"), "suggestion"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_field(ask: Ask, reply: Reply, field: str) -> None:
    with pytest.raises(BadReply) as refused:
        fit(ask, reply)
    assert refused.value.field == field


# --- the two steps -----------------------------------------------------------------------


def test_a_command_runs_after_it_was_acknowledged() -> None:
    stage = Stage()
    stage.ask(COMMAND)
    stage.take_effects()
    assert stage.desk.answer("r1", ACK, ADA, 101).state == "pending"
    assert stage.take_effects() == []
    assert stage.desk.answer("r1", RUN, ADA, 101 + ACKNOWLEDGED_S).state == "answered"


@pytest.mark.parametrize("by", [BOB, ADA_ELSEWHERE], ids=["another person", "another channel"])
def test_who_did_not_acknowledge_it_cannot_have_it_run(by: Answerer) -> None:
    stage = Stage()
    stage.ask(COMMAND)
    stage.desk.answer("r1", ACK, ADA, 101)
    with pytest.raises(BadReply) as refused:
        stage.desk.answer("r1", RUN, by, 102)
    assert refused.value.field == "step"
    assert stage.desk.request("r1").state == "pending"
    assert stage.desk.answer("r1", RUN, ADA, 103).state == "answered"


def test_an_acknowledgement_holds_for_a_while_and_can_be_given_again() -> None:
    stage = Stage()
    stage.ask(COMMAND)
    stage.desk.answer("r1", ACK, ADA, 101)
    with pytest.raises(BadReply, match="acknowledge it again"):
        stage.desk.answer("r1", RUN, ADA, 101.5 + ACKNOWLEDGED_S)
    stage.desk.answer("r1", ACK, ADA, 170)
    assert stage.desk.answer("r1", RUN, ADA, 171).state == "answered"


def test_an_acknowledgement_is_of_one_request_alone() -> None:
    stage = Stage()
    stage.ask(COMMAND)
    stage.ask(asked(Kind.CONFIRM, "r2"))
    stage.desk.answer("r1", ACK, ADA, 101)
    with pytest.raises(BadReply):
        stage.desk.answer("r2", RUN, ADA, 102)


def test_a_key_repeats_the_run_and_not_the_acknowledgement() -> None:
    stage = Stage()
    stage.ask(COMMAND)
    once = Reply(behavior="allow", step="ack", key="k")
    stage.desk.answer("r1", once, ADA, 101)
    stage.desk.answer("r1", once, ADA, 102)
    ran = Reply(behavior="allow", step="run", key="k2")
    first = stage.desk.answer("r1", ran, ADA, 103)
    assert stage.desk.answer("r1", ran, ADA, 104) == first


# --- what cannot be asked ----------------------------------------------------------------


def choices(*labels: str) -> tuple[Choice, ...]:
    return tuple(Choice(value=f"{number}", label=label) for number, label in enumerate(labels))


TOO_MANY = choices(*map(str, range(MAX_CHOICES + 1)))


@pytest.mark.parametrize(
    ("ask", "field"),
    [
        (asked(Kind.CHOICE), "choices"),
        (asked(Kind.CHOICE, choices=TOO_MANY), "choices"),
        (asked(Kind.CHOICE, choices=choices("x y", "x  y")), "choices"),
        (asked(Kind.CHOICE, choices=choices(" ")), "choices"),
        (asked(Kind.CHOICE, unshowable="a secret"), "choices"),
        (asked(Kind.TEXT, unshowable="a secret"), "default"),
    ],
)
def test_what_nobody_could_answer_is_refused_and_not_kept(ask: Ask, field: str) -> None:
    stage = Stage()
    with pytest.raises(BadRequest) as refused:
        stage.ask(ask)
    assert refused.value.field == field
    assert stage.take_effects() == []
    assert stage.desk.snapshot().requests == {}


def test_as_many_choices_as_fit_can_be_asked() -> None:
    stage = Stage()
    assert stage.ask(asked(Kind.CHOICE, choices=TOO_MANY[1:])).state == "pending"
