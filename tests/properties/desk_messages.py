"""The part of the desk's machine that is about messages: written, taken with events or without, reported."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from sayso.core import bounds
from sayso.core.desk import Desk
from sayso.core.states import MessageState, MessageTrigger, SessionState
from sayso.core.types import EventType, HookEvent, Message

AGENT = "claude-code"
SESSIONS = st.sampled_from(["s1", "s1", "s2"])
PICKS = st.integers(0, 40)
ENDS_A_ROW = {EventType.TOOL_DONE, EventType.TOOL_FAILED, EventType.BATCH, EventType.SESSION_END}


class MessageRules(RuleBasedStateMachine):
    """`rows`: how often a session's turn was made to go on, in a row; `untakeable`: texts that were taken."""

    desk: Desk
    now: float

    def __init__(self) -> None:
        super().__init__()
        self.texts = 0
        self.takers: dict[str, str] = {}
        self.untakeable: set[str] = set()
        self.rows: Counter[str] = Counter()
        self.at_stop: dict[str, str] = {}

    def attempt(self, method: str, *args: Any) -> Any:
        """Call a method; if it raises, nothing may have changed."""
        raise NotImplementedError

    def observed(self, event: HookEvent, process: str, hook: str) -> None:
        afresh = event.type is EventType.STOP and not event.continued
        if not event.agent_id and (event.type in ENDS_A_ROW or afresh):
            self.rows[event.session_id] = 0
        taker = f"t{len(self.takers)}" if hook else ""
        message = self.attempt("observe", event, self.now, process, taker)
        if message is not None:
            assert hook
            assert not event.agent_id
            assert event.type in {EventType.TOOL_DONE, EventType.STOP}
            assert message.process in {"", process} or not process
            self.taken(message, taker, at_stop=event.type is EventType.STOP)

    def forget_rows(self) -> None:
        """A session that was silent for a day is forgotten, and one that ended has no row any more."""
        sessions = self.desk.snapshot().sessions.values()
        alive = {one.session_id for one in sessions if one.state is not SessionState.ENDED}
        for session_id in self.rows.keys() - alive:
            self.rows[session_id] = 0

    @rule(session=SESSIONS, when=st.sampled_from(["soon", "stop", "never"]))
    def a_person_writes(self, session: str, when: str) -> None:
        self.texts += 1
        self.attempt("queue", AGENT, session, f"text {self.texts}", when, self.now)

    @rule(session=SESSIONS, at_stop=st.booleans())
    def a_hook_takes(self, session: str, at_stop: bool) -> None:
        taker = f"t{len(self.takers)}"
        message = self.attempt("take", AGENT, session, taker, self.now, at_stop)
        if message is not None:
            self.taken(message, taker, at_stop)

    def taken(self, message: Message, taker: str, at_stop: bool) -> None:
        assert message.text not in self.untakeable
        assert at_stop or message.when == "soon"
        self.untakeable.add(message.text)
        self.takers[taker] = message.text
        self.rows[message.session_id] += at_stop
        self.at_stop[taker] = message.session_id if at_stop else ""

    @rule(session=SESSIONS, times=st.integers(1, 9), told=st.booleans())
    def a_turn_is_made_to_go_on_again_and_again(self, session: str, times: int, told: bool) -> None:
        for _ in range(times):
            self.now += 0.1
            self.texts += 1
            self.attempt("queue", AGENT, session, f"text {self.texts}", "soon", self.now)
            stop = HookEvent(
                agent=AGENT, session_id=session, type=EventType.STOP, at_s=self.now, continued=told
            )
            self.observed(stop, "", "takes")
            last = max(self.takers, default="", key=lambda taker: int(taker[1:]))
            self.attempt("message_receipt", last, MessageTrigger.WRITTEN, self.now)

    @precondition(lambda self: self.takers)
    @rule(number=PICKS, receipt=st.sampled_from(["WRITTEN", "NOT_WRITTEN", "TAKER_DIED"]))
    def a_taker_reports(self, number: int, receipt: str) -> None:
        taker = sorted(self.takers)[number % len(self.takers)]
        messages = self.desk.snapshot().messages.values()
        held = any(m.taker == taker and m.state is MessageState.TAKEN for m in messages)
        self.attempt("message_receipt", taker, MessageTrigger[receipt], self.now)
        if held and receipt == "NOT_WRITTEN":
            self.untakeable.discard(self.takers[taker])
            if self.at_stop[taker]:
                self.rows[self.at_stop[taker]] -= 1

    @rule(session=SESSIONS)
    def a_person_takes_it_back(self, session: str) -> None:
        self.attempt("delete_message", AGENT, session, self.now)

    @invariant()
    def no_turn_is_made_to_go_on_too_often_in_a_row(self) -> None:
        assert max(self.rows.values(), default=0) <= bounds.MOST_CONTINUATIONS
