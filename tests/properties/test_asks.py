"""What programs ask themselves, whatever they send and whoever answers.

Words in: an ask, or an error that names a field. The desk: no command runs that the same person did not
acknowledge, on the same channel, a little before; nothing that does not fit decides; one end each.
Not here: connections (`test_asks_socket`).
"""

from __future__ import annotations

import json
import math
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from sayso.core.bounds import ACKNOWLEDGED_S
from sayso.core.desk import Desk
from sayso.core.effects import Resolve
from sayso.core.states import State
from sayso.core.types import DIRECT, Answerer, Ask, Choice, Kind, Reply, Row
from sayso.errors import BadRequest, SaysoError
from sayso.wire.ask_user import AskUser, decode
from tests.properties.ask_params import FITTING, PARAMS, TREES

# --- words in ----------------------------------------------------------------------------


def attempt(params: bytes) -> AskUser | BadRequest:
    try:
        return decode(params)
    except BadRequest as error:
        return error


@given(PARAMS)
def test_an_ask_or_an_error_that_names_a_field(params: dict[str, Any]) -> None:
    found = attempt(json.dumps(params).encode())
    if isinstance(found, BadRequest):
        assert found.text
        assert found.field in params or found.field.partition("[")[0] in FITTING
        return
    check_ask(found.ask)
    check_kept(params, found)


def check_ask(ask: Ask) -> None:
    """What holds of every ask that came in."""
    assert ask.kind in DIRECT
    assert ask.surface_id.strip()
    assert ask.surface_id == ask.session_id
    assert (ask.title.strip(), len(ask.title.splitlines())) == (ask.title, 1)
    assert ask.hold_s > 0
    assert not math.isnan(ask.hold_s)
    ids = [choice.value for choice in ask.choices]
    assert (ask.kind == Kind.CHOICE) == bool(ids)
    assert len(set(ids)) == len(ids)
    assert all(choice.value.strip() and choice.label.strip() for choice in ask.choices)


def check_kept(params: dict[str, Any], found: AskUser) -> None:
    """What was said is all there, and nothing else: no part is dropped in silence."""
    ask = found.ask
    assert params.keys() <= FITTING.keys()
    assert "".join(row.value for row in ask.input) == (params.get("body") or "")
    assert ask.label == (params.get("agent_id") or "")
    assert ask.default == (params.get("default") or "")
    assert ask.cwd == (params.get("cwd") or "")
    assert (ask.unsafe, ask.resumed) == (bool(params.get("unsafe")), bool(params.get("resumed")))
    assert found.id == (params.get("id") or "")
    if ask.kind == Kind.CHOICE:
        assert [choice.value for choice in ask.choices] == [one["id"] for one in params["choices"]]
    if math.isfinite(ask.hold_s):
        assert ask.hold_s == params["timeout_ms"] / 1000


@given(st.binary(max_size=40) | TREES.map(lambda tree: json.dumps(tree).encode()))
def test_whatever_comes_instead_of_parameters_is_an_error(params: bytes) -> None:
    assert isinstance(attempt(params), BadRequest)


# --- a person's answers ------------------------------------------------------------------

STEPS_S = st.sampled_from([0.0, 0.5, ACKNOWLEDGED_S - 1, ACKNOWLEDGED_S, ACKNOWLEDGED_S + 0.1, 1000.0])
PICKS = st.integers(0, 63)
CHOICES = (Choice(value="a", label="A"), Choice(value="yes", label="Y"), Choice(value="run", label="R"))
VALUES: dict[str, frozenset[str] | None] = {
    Kind.YESNO: frozenset({"yes", "no"}),
    Kind.CHOICE: frozenset({"a", "yes", "run"}),
    Kind.TEXT: None,  # any
    Kind.CONFIRM: frozenset({"run"}),
}
SAID = st.sampled_from(["yes", "no", "a", "A", "run", "ack", ""])
NOISE = st.builds(
    Reply,
    behavior=st.sampled_from(["allow", "deny", "cancel", "maybe", None]),
    value=st.none() | SAID,
    step=st.none() | st.sampled_from(["ack", "run", "yes", ""]),
    message=st.sampled_from([None, "why", " "]),
    key=st.sampled_from([None, "k"]),
    interrupt=st.sampled_from([None, True]),
    unseen=st.sampled_from([None, True]),
)
REPLIES = st.one_of(
    st.builds(Reply, behavior=st.just("allow"), value=SAID),
    st.builds(Reply, behavior=st.just("allow"), step=st.sampled_from(["ack", "run"])),
    NOISE,
)
PEOPLE = st.builds(
    Answerer, channel=st.sampled_from(["web", "cli"]), credential=st.sampled_from(["c1", "c2"])
)


class Asks(RuleBasedStateMachine):
    """A desk that programs ask, with what people may do kept beside it."""

    def __init__(self) -> None:
        super().__init__()
        self.desk = Desk()
        self.now = 1000.0
        self.kinds: dict[str, str] = {}
        self.acknowledged: dict[tuple[str, Answerer], float] = {}
        self.told: dict[str, str | None] = {}

    def pick(self, number: int) -> str:
        return list(self.kinds)[number % len(self.kinds)]

    def state(self, name: str) -> State | None:
        request = self.desk.snapshot().requests.get(name)
        return None if request is None else request.state

    def settle(self) -> None:
        """Hear what waiters are told; each once."""
        for effect in self.desk.effects():
            if isinstance(effect, Resolve):
                assert effect.request_id not in self.told
                decision = effect.decision
                self.told[effect.request_id] = None if decision is None else decision.value

    def attempt(self, method: str, *args: Any) -> bool:
        """Call a method; if it raises, nothing may have changed."""
        self.desk.tick(self.now)
        self.settle()
        before = self.desk.snapshot()
        try:
            getattr(self.desk, method)(*args)
        except SaysoError:
            assert self.desk.snapshot() == before
            assert self.desk.effects() == []
            return False
        self.settle()
        return True

    # --- what happens ------------------------------------------------------------------

    @rule(
        kind=st.sampled_from(sorted(DIRECT)),
        hold_s=st.sampled_from([math.inf, math.inf, 0.01, 70.0]),
        body=st.sampled_from(["", "rm -r build"]),
    )
    def asks(self, kind: str, hold_s: float, body: str) -> None:
        name = f"r{len(self.kinds)}"
        ask = Ask(
            id=name,
            agent="program",
            session_id="s",
            surface_id="s",
            kind=kind,
            title="T",
            input=(Row(label="Command", value=body),) if body else (),
            choices=CHOICES if kind == Kind.CHOICE else (),
            started_s=self.now,
            hold_s=hold_s,
        )
        self.kinds[name] = kind
        assert self.attempt("ask", ask, f"w-{name}", self.now, "", "9:9")

    @precondition(lambda self: self.kinds)
    @rule(number=PICKS, reply=REPLIES, by=PEOPLE)
    def a_person_answers(self, number: int, reply: Reply, by: Answerer) -> None:
        name = self.pick(number)
        self.desk.tick(self.now)
        was = self.state(name)
        took = self.attempt("answer", name, reply, by, self.now)
        if was is not State.PENDING:
            return
        if not took:
            assert self.state(name) is State.PENDING
        elif self.kinds[name] == Kind.CONFIRM and reply.behavior == "allow":
            self.check_step(name, reply, by)
        else:
            self.check_value(name, reply)

    def check_step(self, name: str, reply: Reply, by: Answerer) -> None:
        if reply.step == "ack":
            assert self.state(name) is State.PENDING
            self.acknowledged[name, by] = self.now
            return
        assert reply.step == "run"
        assert self.now - self.acknowledged[name, by] <= ACKNOWLEDGED_S
        assert self.told[name] == "run"

    def check_value(self, name: str, reply: Reply) -> None:
        fitting = VALUES[self.kinds[name]]
        assert self.state(name) is State.ANSWERED
        assert reply.interrupt is None
        assert self.told[name] == (reply.value if reply.behavior == "allow" else None)
        assert reply.behavior != "allow" or fitting is None or reply.value in fitting

    @precondition(lambda self: self.kinds)
    @rule(number=PICKS, one=PEOPLE, other=PEOPLE, after_s=STEPS_S)
    def the_two_steps_are_taken(self, number: int, one: Answerer, other: Answerer, after_s: float) -> None:
        name = self.pick(number)
        fits = self.kinds[name] == Kind.CONFIRM
        if self.attempt("answer", name, Reply(behavior="allow", step="ack"), one, self.now):
            assert fits
            self.acknowledged[name, one] = self.now
        self.now += after_s
        self.attempt("tick", self.now)
        pending = self.state(name) is State.PENDING
        took = self.attempt("answer", name, Reply(behavior="allow", step="run"), other, self.now)
        if pending:
            at_s = self.acknowledged.get((name, other), -math.inf)
            assert took is (fits and self.now - at_s <= ACKNOWLEDGED_S)

    @precondition(lambda self: self.kinds)
    @rule(
        number=PICKS,
        what=st.sampled_from(["release", "withdraw", "gone", "written", "surface", "shutdown"]),
    )
    def it_ends_otherwise(self, number: int, what: str) -> None:
        name = self.pick(number)
        calls: dict[str, tuple[Any, ...]] = {
            "release": ("release", name, self.now),
            "withdraw": ("withdraw", name, "never mind", self.now),
            "gone": ("waiter_gone", f"w-{name}", self.now),
            "written": ("written", name, f"w-{name}", "", self.now),
            "surface": ("close_surface", "s" if number == 0 else "another", self.now),
            "shutdown": ("shutdown" if number == 0 else "tick", self.now),
        }
        self.attempt(*calls[what])

    @rule(step_s=STEPS_S)
    def time_passes(self, step_s: float) -> None:
        self.now += step_s
        self.attempt("tick", self.now)

    # --- what always holds -------------------------------------------------------------

    @invariant()
    def who_asked_is_told_once_and_exactly_when_it_is_over(self) -> None:
        for name, request in self.desk.snapshot().requests.items():
            assert (name in self.told) is (request.state is not State.PENDING)

    @invariant()
    def only_a_person_s_answer_has_a_value(self) -> None:
        for name, request in self.desk.snapshot().requests.items():
            if self.told.get(name) is not None:
                assert request.by is not None
                assert request.state in {State.ANSWERED, State.DELIVERED, State.LOST}


TestAsks = Asks.TestCase
