"""The threads of one app server: which there are, what they do, and what the desk is told of them.

A thread is subscribed to by resuming it, with nothing changed; the same call returns its last turn, with
the items that run. A subagent's thread is told of under the session at its root. Not here: what is asked
(`codex_requests`), messages (`codex_words`). Imports `agents`, `core`.
"""

from __future__ import annotations

from collections.abc import Callable

from sayso.agents import codex
from sayso.core.digest import dumps, items, members, shown, text
from sayso.intake.codex_desk import Desk, Speaks
from sayso.intake.codex_link import Answered

Dict = dict[str, object]

OURS = "sayso-"
"""How the ids of messages begin that were sent from here."""
MOST_PROMPT_CHARS = 4000
_CALLS = frozenset(("commandExecution", "fileChange", "mcpToolCall"))
_ENDS = {"completed": "stop", "interrupted": "stop", "failed": "stop-failure"}


class Thread:
    """One thread, as far as it is known. `agent_id` is "" for the one at the root of its session."""

    def __init__(self, thread_id: str) -> None:
        self.id = thread_id
        self.session_id = thread_id
        self.agent_id = ""
        self.agent_type = ""
        self.cwd = ""
        self.is_known = False
        self.is_skipped = False
        self.is_asked = False
        self.takes_messages = True
        self.turn_id = ""
        self.was_prompted = False
        self.items: dict[str, Dict] = {}
        """The calls that run, in the order in which they began."""


class Threads:
    """All threads of a connection. Synchronous; whatever happened is told by `on_known` and `on_turn`."""

    def __init__(self, desk: Desk, link: Speaks) -> None:
        self._desk = desk
        self._link = link
        self._all: dict[str, Thread] = {}
        self.on_known: Callable[[Thread], None] = _nothing
        """A thread's session is known, or will not be."""
        self.on_turn: Callable[[Thread], None] = _nothing
        """A turn began or ended."""
        self.on_done: Callable[[str], None] = _nothing
        """A call ended that has this identity."""
        self._hear: dict[str, Callable[[Dict], None]] = {
            "thread/started": self._started,
            "thread/status/changed": self._status,
            "thread/closed": lambda params: self._closed(text(params.get("threadId"))),
            "turn/started": self._turn_started,
            "turn/completed": self._turn_completed,
            "item/started": self._item_started,
            "item/completed": self._item_completed,
        }

    def begin(self) -> None:
        """Subscribe to every thread that is loaded."""
        self._link.call("thread/loaded/list", {}, self._loaded)

    def hear(self, method: str, params: Dict) -> None:
        """Take in a notification; most tell nothing of use."""
        handler = self._hear.get(method)
        if handler is not None:
            handler(params)

    def get(self, thread_id: str) -> Thread:
        """Return a thread, and get to know it if need be."""
        thread = self._all.get(thread_id)
        if thread is None:
            thread = self._all[thread_id] = Thread(thread_id)
        if not thread.is_known and not thread.is_skipped and not thread.is_asked:
            self._subscribe(thread)
        return thread

    def of_session(self, session_id: str) -> Thread | None:
        """Return the thread at the root of a session, if it is known."""
        thread = self._all.get(session_id)
        return thread if thread is not None and thread.is_known and not thread.agent_id else None

    def lost(self) -> None:
        """The connection is over: nothing more is heard of any thread."""
        for thread in self._all.values():
            if thread.is_known and not thread.agent_id:
                self._desk.reach(codex.NAME, thread.session_id, self._link.process, False)
                if not self._link.process:  # nobody else would tell of its end
                    self.tell(thread, "session-end", reason="cut_off")
        self._all.clear()

    def tell(self, thread: Thread, kind: str, **more: object) -> None:
        """Tell the desk of an event."""
        event: Dict = {"agent": codex.NAME, "session_id": thread.session_id, "type": kind, "at_s": 0.0}
        event["agent_id"] = thread.agent_id
        event["prompt_id"] = thread.turn_id
        event["cwd"] = thread.cwd
        self._desk.observe(dumps({**event, **more}), self._link.process)

    # --- getting to know them --------------------------------------------------------------

    def _loaded(self, answered: Answered) -> None:
        for thread_id in items((answered.result or {}).get("data")):
            if isinstance(thread_id, str):
                self.get(thread_id)

    def _subscribe(self, thread: Thread) -> None:
        thread.is_asked = True
        page: Dict = {"limit": 1, "itemsView": "full"}
        params: Dict = {"threadId": thread.id, "excludeTurns": True, "initialTurnsPage": page}
        self._link.call("thread/resume", params, lambda answered: self._resumed(thread, answered))

    def _resumed(self, thread: Thread, answered: Answered) -> None:
        thread.is_asked = False
        if self._all.get(thread.id) is not thread or not (answered.result or answered.error):
            return  # it was closed meanwhile, or the connection was
        if answered.result is not None:
            self._describe(thread, members(answered.result.get("thread")))
            turns = items(members(answered.result.get("initialTurnsPage")).get("data"))
            if not thread.is_skipped:
                self._know(thread, members(turns[0]) if turns else {})
        # A thread in which nothing was said yet cannot be resumed: its next sign is waited for.
        self.on_known(thread)

    def _describe(self, thread: Thread, told: Dict) -> None:
        thread.is_skipped = told.get("ephemeral") is True
        thread.cwd = shown(text(told.get("cwd")))
        thread.takes_messages = told.get("canAcceptDirectInput") is not False
        parent_id = text(told.get("parentThreadId"))
        if parent_id:
            parent = self._all.get(parent_id)
            root = text(told.get("sessionId")) or parent_id
            thread.session_id = parent.session_id if parent is not None and parent.is_known else root
            thread.agent_id = thread.id
            thread.agent_type = shown(text(told.get("agentRole")) or text(told.get("agentNickname")))

    def _know(self, thread: Thread, turn: Dict) -> None:
        """Begin to tell of a thread; `turn` is its last one."""
        thread.is_known = True
        calls = [members(one) for one in items(turn.get("items"))]
        prompts = [codex.words_of(one) for one in calls if one.get("type") == "userMessage"]
        if not thread.agent_id:
            self.tell(thread, "session-start", prompt=_cut(prompts[0]) if prompts else "")
            self._desk.reach(codex.NAME, thread.session_id, self._link.process, thread.takes_messages)
        if turn.get("status") == "inProgress":
            thread.items = {text(one.get("id")): one for one in calls if _runs(one)}
            self._begin(thread, turn)
            thread.was_prompted = bool(prompts)  # else it is still to come

    # --- what happens ----------------------------------------------------------------------

    def _started(self, params: Dict) -> None:
        told = members(params.get("thread"))
        thread_id = text(told.get("id"))
        if told.get("ephemeral") is True:  # it makes a title, or the like
            self._all.setdefault(thread_id, Thread(thread_id)).is_skipped = True
        elif thread_id:
            self.get(thread_id)

    def _status(self, params: Dict) -> None:
        thread_id = text(params.get("threadId"))
        if members(params.get("status")).get("type") == "notLoaded":
            self._closed(thread_id)
        elif thread_id:
            self.get(thread_id)

    def _closed(self, thread_id: str) -> None:
        thread = self._all.pop(thread_id, None)
        if thread is None or not thread.is_known:
            return
        if thread.agent_id:
            self.tell(thread, "subagent-stop")
            return
        self._desk.reach(codex.NAME, thread.session_id, self._link.process, False)
        self.tell(thread, "session-end", reason="closed")

    def _known(self, params: Dict) -> Thread | None:
        thread = self.get(text(params.get("threadId")))
        return thread if thread.is_known else None

    def _turn_started(self, params: Dict) -> None:
        thread = self._known(params)
        if thread is not None:
            thread.was_prompted = False
            self._begin(thread, members(params.get("turn")))

    def _begin(self, thread: Thread, turn: Dict) -> None:
        thread.turn_id = text(turn.get("id"))
        self.tell(thread, "task-notification")
        self.on_turn(thread)

    def _turn_completed(self, params: Dict) -> None:
        thread = self._known(params)
        if thread is None:
            return
        kind = _ENDS.get(text(members(params.get("turn")).get("status")), "stop")
        self.tell(thread, "subagent-stop" if thread.agent_id else kind)
        thread.turn_id = ""
        thread.items.clear()
        self.on_turn(thread)

    def _item_started(self, params: Dict) -> None:
        thread, item = self._known(params), members(params.get("item"))
        if thread is None:
            return
        if item.get("type") == "userMessage":
            self._prompted(thread, item)
        elif _runs(item):
            thread.items[text(item.get("id"))] = item

    def _prompted(self, thread: Thread, item: Dict) -> None:
        """Tell of a prompt: what somebody typed, and that began the turn. The rest steers it."""
        is_first, thread.was_prompted = not thread.was_prompted, True
        if is_first and not thread.agent_id and not text(item.get("clientId")).startswith(OURS):
            self.tell(thread, "user-prompt-submit", prompt=_cut(codex.words_of(item)))

    def _item_completed(self, params: Dict) -> None:
        thread, item = self._known(params), members(params.get("item"))
        if thread is None:
            return
        thread.items.pop(text(item.get("id")), None)
        kind = codex.ended(item)
        if kind:
            identity = codex.item_identity(thread.id, text(item.get("id")))
            self.tell(thread, kind, digest=identity)
            self.on_done(identity)


def _runs(item: Dict) -> bool:
    return item.get("type") in _CALLS and item.get("status") == "inProgress"


def _cut(words: str) -> str:
    return shown(words[:MOST_PROMPT_CHARS])


def _nothing(_what: object) -> None: ...
