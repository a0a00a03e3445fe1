"""Whatever is asked, answered, told and left out, in whatever order: what always holds of a desk."""

from __future__ import annotations

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from sayso.core import bounds
from sayso.core.desk import Desk
from sayso.core.effects import Hint, Persist, Publish, Resolve
from sayso.core.grants import call_of
from sayso.core.states import (
    ENDED,
    LIVE,
    UNPROVEN,
    SessionState,
    State,
)
from sayso.core.types import (
    Answerer,
    Ask,
    Decision,
    EventType,
    Hold,
    HookEvent,
    Kind,
    ListedAnswer,
    Option,
    Presence,
    Question,
    Reply,
    Request,
    Row,
)
from sayso.errors import SaysoError
from tests.properties.desk_listener import Listener, described, told
from tests.properties.desk_messages import AGENT, PICKS, SESSIONS, MessageRules

PROCESSES = st.sampled_from(["1:1", "1:1", "2:2", ""])
SUBAGENTS = st.sampled_from(["", "", "sub"])
DIGESTS = st.sampled_from(["d1", "d2"])
LAGS = st.sampled_from([0.0, 0.05, 0.5, 2.0, 100.0])
STEPS = st.sampled_from([0.01, 0.01, 0.2, 1.0, 5.0, 26.0, 130.0, 700.0, 4000.0])
QUESTIONS = (Question(question="Which?", options=(Option(label="A"), Option(label="B"))),)
REPLIES = st.sampled_from(
    [
        Reply(behavior="allow"),
        Reply(behavior="allow", suggestion="1"),
        Reply(behavior="allow", suggestion="7"),
        Reply(behavior="allow", key="k"),
        Reply(behavior="allow", for_s=600.0),
        Reply(behavior="allow", for_s=60.0, key="k"),
        Reply(behavior="allow", unseen=True),
        Reply(behavior="allow", answers={"Which?": "B"}),
        Reply(behavior="allow", answers=[ListedAnswer(text="neither")]),
        Reply(behavior="allow", content={}),
        Reply(behavior="deny", message="no"),
        Reply(behavior="deny", interrupt=True),
        Reply(behavior="maybe"),
    ]
)
KINDS: dict[str, dict[str, Any]] = {
    Kind.PERMISSION: {"tool": "Bash", "suggestions": ("one", "two")},
    Kind.QUESTION: {"tool": "AskUserQuestion", "questions": QUESTIONS},
    Kind.PLAN: {"tool": "ExitPlanMode", "modes": ("default",)},
    Kind.ELICITATION: {"tool": "server"},
}
ODDITIES = ["", "", "", "resumed", "unattended", "bypass", "codex", "long", "brief", "taken"]
PRESENCES = ["is here", "looks", "reaches", "leaves"]
CHANGES: list[dict[str, Any]] = [{"exclusive_wait_s": 400.0}, {"exclusive_wait_s": 0.0}]
CHANGES += [
    {"pending_per_agent": 2},
    {"away": True},
    {"away": False},
    {"codex_approvals": True},
    {"codex_approvals": False},
]
UNDECIDED = {State.PENDING, State.EXPIRED, State.WITHDRAWN, State.RELEASED, State.DEFERRED}
LONG = Row(label="Long", value="x" * (bounds.MAX_VALUE_CHARS + 1))
SHORT = Row(label="Plan", value="a plan")


class DeskMachine(MessageRules):
    def __init__(self) -> None:
        super().__init__()
        self.desk = Desk()
        self.now = 1000.0
        self.shown = Listener()
        self.ids: list[str] = []
        self.waiters: dict[str, str] = {}
        self.states: dict[str, State] = {}
        self.presences: dict[str, Presence] = {}
        self.granted: set[tuple[tuple[str, ...], float, Answerer]] = set()

    def pick(self, number: int) -> str:
        return self.ids[number % len(self.ids)]

    def attempt(self, method: str, *args: Any) -> Any:
        """Call a method; if it raises, nothing may have changed."""
        self.desk.tick(self.now)
        self.settle()
        before = self.desk.snapshot()
        try:
            result = getattr(self.desk, method)(*args)
        except SaysoError:
            assert self.desk.snapshot() == before
            assert self.desk.effects() == []
            return None
        self.settle()
        return result

    def settle(self) -> None:
        """Carry the effects out, as a shell would."""
        for effect in self.desk.effects():
            match effect:
                case Resolve(request_id=name, waiter=waiter, decision=decision):
                    assert self.waiters[name] == waiter
                    self.shown.resolved[name] += 1
                    request = self.desk.snapshot().requests[name]
                    assert decision == request.decision
                    assert (decision is None) == (request.answered_s is None)
                case Publish():
                    self.shown.apply(effect)
                case Hint(session_id=session, raised=raised):
                    assert (session in self.shown.flags) is not raised
                    self.shown.flags ^= {session}
                case Persist(settings=chosen):
                    assert chosen == self.desk.snapshot().settings

    # --- what happens ------------------------------------------------------------------

    @rule(step=STEPS)
    def time_passes(self, step: float) -> None:
        self.now += step
        self.desk.tick(self.now)
        self.settle()

    @rule()
    def the_timer_rings(self) -> None:
        due_s = self.desk.next_deadline()
        if due_s is not None:
            self.now = max(self.now, due_s)
            self.attempt("tick", self.now)
            self.forget_rows()

    @rule(
        session=SESSIONS,
        process=PROCESSES,
        subagent=SUBAGENTS,
        digest=DIGESTS,
        lag=LAGS,
        kind=st.sampled_from(sorted(KINDS)),
        hold=st.sampled_from(list(Hold)),
        odd=st.sampled_from(ODDITIES),
    )
    def asks(self, process: str, lag: float, kind: str, hold: Hold, odd: str, **more: str) -> None:
        name = self.pick(0) if odd == "taken" and self.ids else f"r{len(self.ids)}"
        ask = Ask(
            id=name,
            agent="codex" if odd == "codex" else AGENT,
            session_id=more["session"],
            agent_id=more["subagent"],
            digest=more["digest"],
            started_s=self.now - lag,
            kind=kind,
            hold=hold,
            hold_s=20.0 if odd == "brief" else 595.0,
            attended=odd != "unattended",
            resumed=odd == "resumed",
            mode="bypassPermissions" if odd == "bypass" else "default",
            input=(LONG if odd == "long" else SHORT,),
            interrupt=True,
            **KINDS[kind],
        )
        waiter = f"w-{name}"
        if name not in self.ids:
            self.ids.append(name)
            self.waiters[name] = waiter
        self.attempt("ask", ask, waiter, self.now, process)

    @precondition(lambda self: self.ids)
    @rule(number=PICKS, reply=REPLIES, credential=st.sampled_from(["c1", "c2"]))
    def a_person_answers(self, number: int, reply: Reply, credential: str) -> None:
        self.attempt(
            "answer", self.pick(number), reply, Answerer(channel="web", credential=credential), self.now
        )

    @precondition(lambda self: self.ids)
    @rule(number=PICKS, credential=st.sampled_from(["c1", "c2"]))
    def a_person_reads_a_row(self, number: int, credential: str) -> None:
        self.attempt("row", self.pick(number), 0, credential)

    @precondition(lambda self: self.ids)
    @rule(number=PICKS)
    def a_person_gives_it_back(self, number: int) -> None:
        self.attempt("release", self.pick(number), self.now)

    @precondition(lambda self: self.ids)
    @rule(number=PICKS, does=st.sampled_from(["written", "written", "not_written", "gone"]), expects=DIGESTS)
    def a_hook_reports(self, number: int, does: str, expects: str) -> None:
        name = self.pick(number)
        if does == "written":
            self.attempt("written", name, self.waiters[name], expects, self.now)
        elif does == "not_written":
            self.attempt("not_written", name, self.waiters[name], self.now)
        else:
            self.attempt("waiter_gone", self.waiters[name], self.now, "orphan" if number % 5 == 0 else "")

    @rule(
        kind=st.sampled_from(list(EventType)),
        session=SESSIONS,
        process=PROCESSES,
        subagent=SUBAGENTS,
        digest=DIGESTS,
        answers=DIGESTS,
        lag=LAGS,
        tool=st.sampled_from(["Bash", "ExitPlanMode", "server", ""]),
        hook=st.sampled_from(["", "takes", "takes"]),
    )
    def an_event_comes(self, kind: EventType, session: str, process: str, lag: float, **more: str) -> None:
        event = HookEvent(
            agent=AGENT,
            session_id=session,
            type=kind,
            at_s=self.now - lag,
            agent_id=more["subagent"],
            tool=more["tool"],
            digest=more["digest"],
            answers=more["answers"],
            responses=(more["answers"],),
        )
        self.observed(event, process, more["hook"])

    @rule(process=st.sampled_from(["1:1", "2:2"]))
    def a_process_dies(self, process: str) -> None:
        self.attempt("process_gone", process, self.now)
        self.forget_rows()

    @rule(
        watcher=st.sampled_from(["page", "chat"]),
        does=st.sampled_from(PRESENCES),
    )
    def a_channel_speaks(self, watcher: str, does: str) -> None:
        cards = tuple(self.ids[-1:]) if does == "looks" else ()
        presence = Presence(
            present_s=None if does == "reaches" else self.now, open=cards, reaches=does == "reaches"
        )
        self.presences[watcher] = presence
        if does == "leaves":
            del self.presences[watcher]
        self.attempt("watch", watcher, None if does == "leaves" else presence, self.now)

    @rule(change=st.sampled_from(CHANGES))
    def a_setting_changes(self, change: dict[str, Any]) -> None:
        self.attempt("change", change, self.now)

    @precondition(lambda self: self.ids)
    @rule(number=PICKS, whose=st.sampled_from(["", "", "c1"]))
    def a_grant_is_ended(self, number: int, whose: str) -> None:
        if whose:
            self.attempt("end_grants_of", whose, self.now)
        else:
            self.attempt("end_grant", self.pick(number), self.now)

    @rule()
    def the_desk_gives_all_back(self) -> None:
        self.attempt("shutdown", self.now)

    # --- what always holds -------------------------------------------------------------

    @invariant()
    def a_waiter_is_told_at_most_once(self) -> None:
        assert max(self.shown.resolved.values(), default=0) <= 1
        for request in self.desk.snapshot().requests.values():
            assert self.shown.resolved[request.id] == (request.state is not State.PENDING)

    @invariant()
    def an_end_is_final_and_a_belief_is_corrected_by_evidence(self) -> None:
        requests = self.desk.snapshot().requests
        for name, before in self.states.items():
            now = requests[name].state if name in requests else before
            if before in ENDED:
                assert now is before
            elif before in UNPROVEN:
                allowed = {before, State.CONFIRMED, State.OVERRULED, State.UNCONFIRMED}
                assert now in allowed | ({State.DELIVERED} if before is State.LOST else set())
        self.states = {name: request.state for name, request in requests.items()}

    @invariant()
    def positions_lie_inside_what_was_offered(self) -> None:
        for request in self.desk.snapshot().requests.values():
            decision = request.decision
            if decision is None:
                assert request.state not in {
                    State.ANSWERED,
                    State.DELIVERED,
                    State.CONFIRMED,
                    State.OVERRULED,
                }
                continue
            assert decision.suggestion in {None, *range(len(request.ask.suggestions))}
            for answer, question in zip(decision.answers, request.ask.questions, strict=False):
                assert set(answer.picked) <= set(range(len(question.options)))

    @invariant()
    def a_grant_answers_the_very_call_that_its_person_allowed(self) -> None:
        kept = self.desk.snapshot()
        for grant in kept.grants:
            assert self.now < grant.until_s <= self.now + bounds.MOST_GRANT_S
            self.granted.add((grant.call, grant.until_s, grant.by))
        for request in kept.requests.values():
            if request.granted_until_s is not None:
                call = call_of(request)
                assert call is not None
                assert request.by is not None
                assert (call, request.granted_until_s, request.by) in self.granted
                assert request.decision == Decision(behavior="allow")

    @invariant()
    def who_heard_every_change_knows_what_is_kept(self) -> None:
        kept = self.desk.snapshot()
        assert self.shown.requests == {name: told(request) for name, request in kept.requests.items()}
        assert self.shown.sessions == {key: described(session) for key, session in kept.sessions.items()}
        assert self.shown.messages == kept.messages
        assert self.shown.settings == kept.settings
        assert self.shown.grants == kept.grants

    @invariant()
    def a_flag_is_up_exactly_where_something_needs_it(self) -> None:
        kept = self.desk.snapshot()
        needed = {
            request.ask.session_id
            for request in kept.requests.values()
            if request.state in LIVE | UNPROVEN or request.notice
        }
        needed |= {m.session_id for m in kept.messages.values() if m.state in {"queued", "taken"}}
        needed |= {s.session_id for s in kept.sessions.values() if s.state is SessionState.PRESUMED_IDLE}
        counted = self.desk._ledger.continuations
        needed |= {session for session in ("s1", "s2") if counted.runs(AGENT, session)}
        assert self.shown.flags == needed

    @invariant()
    def the_next_deadline_is_the_least_of_all(self) -> None:
        kept = self.desk.snapshot()
        due = [self.due_s(request) for request in kept.requests.values()]
        due += [
            session.since_s + bounds.KEEP_SESSION_S
            if session.state is SessionState.ENDED
            else session.seen_s + bounds.KEEP_SILENT_S
            for session in kept.sessions.values()
        ]
        due += [grant.until_s for grant in kept.grants]
        assert self.desk.next_deadline() == min(due, default=None)

    def due_s(self, request: Request) -> float:
        absent_s = request.absent_s if request.absent_s is not None else float("inf")
        match request.state:
            case State.PENDING:
                return self.waits_until_s(request)
            case State.ANSWERED:
                return min(absent_s, (request.answered_s or 0.0) + bounds.WRITE_S)
            case State.DELIVERED:
                return min(absent_s, (request.delivered_s or 0.0) + bounds.UNPROVEN_S)
            case State.LOST | State.UNCONFIRMED:
                return min(absent_s, (request.ended_s or 0.0) + bounds.KEEP_UNPROVEN_S)
            case _:
                return (request.ended_s or 0.0) + bounds.KEEP_ENDED_S

    def waits_until_s(self, request: Request) -> float:
        ask, chosen = request.ask, self.desk.snapshot().settings
        if ask.hold is Hold.PARALLEL:
            return ask.started_s + ask.hold_s
        last = ask.started_s + ask.hold_s - bounds.HOLD_MARGIN_S
        seen = [p.present_s + bounds.WATCH_S for p in self.presences.values() if p.present_s is not None]
        if chosen.away and any(presence.reaches for presence in self.presences.values()):
            seen.append(float("inf"))
        until = max(seen, default=float("-inf"))
        if ask.resumed:
            until = max(until, request.created_s + bounds.REATTACH_S)
        wait_s = chosen.exclusive_wait_s
        if any(request.id in presence.open for presence in self.presences.values()):
            wait_s = max(wait_s, bounds.OPEN_CARD_S)
        if not ask.attended:
            wait_s = chosen.unattended_wait_s
        elif chosen.away:
            wait_s = float("inf")
        return min(last, ask.started_s + wait_s, until)


TestDesk = DeskMachine.TestCase
TestDesk.settings = settings(max_examples=150, stateful_step_count=40)
