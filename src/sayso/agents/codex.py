"""Codex, through its app server: what it asks of a client, and what it expects back. Speaks of 0.171.0.

Each request has a row in one table: what a person is shown of it, and the result that their decision
makes. What has no row, and what could not be shown, is never answered: Codex's own terminal shows it too.
Not here: how it comes and goes (`intake`), notifications (`codex_events`), Codex's hooks. May import
`core.digest` and its siblings.
"""

from sayso.agents import Unrenderable, Unshowable
from sayso.agents import codex_approvals as approvals
from sayso.agents import codex_questions as questions
from sayso.agents.codex_approvals import REASON
from sayso.core.digest import NotJson, digest_of, items, members, shown, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

NAME = "codex"

Dict = dict[str, object]

COMMAND = "item/commandExecution/requestApproval"
FILE_CHANGE = "item/fileChange/requestApproval"
PERMISSIONS = "item/permissions/requestApproval"
QUESTION = "item/tool/requestUserInput"
ELICITATION = "mcpServer/elicitation/request"


class Kind:
    """How one kind of request is shown and answered.

    Args:
        name: the kind of the ask.
        show: returns what is shown of the parameters; with them comes the item that they are about.
        allow: returns the result of an allow.
        deny: returns the result of a deny.
        stops: whether a deny can end the turn as well.
    """

    __slots__ = ("allow", "deny", "name", "show", "stops")

    def __init__(
        self,
        name: str,
        show: "Callable[[Dict, Dict], Dict]",
        allow: "Callable[[Dict, Dict, Dict], Dict]",
        deny: "Callable[[Dict], Dict]",
        stops: bool = False,
    ) -> None:
        self.name = name
        self.show = show
        self.allow = allow
        self.deny = deny
        self.stops = stops


_APPROVAL = "permission"
_KINDS = {
    COMMAND: Kind(_APPROVAL, approvals.command, approvals.allow_command, approvals.deny, stops=True),
    FILE_CHANGE: Kind(_APPROVAL, approvals.change, approvals.allow_change, approvals.deny, stops=True),
    PERMISSIONS: Kind(_APPROVAL, approvals.permissions, approvals.allow_permissions, approvals.grant_nothing),
    QUESTION: Kind("question", questions.question, questions.answer, questions.answer_nothing),
}
_TOOL_CALL = Kind(_APPROVAL, approvals.tool_call, approvals.allow_tool_call, questions.decline)
_FORM = Kind("elicitation", questions.form, questions.fill_in, questions.decline)
METHODS = frozenset((*_KINDS, ELICITATION))
"""The requests of the app server that are answered here, and no others."""


def kind_of(method: str, params: Dict) -> "Kind | None":
    """Return how a request is shown and answered; None for one that is not answered here."""
    if method == ELICITATION:
        return _TOOL_CALL if approvals.is_tool_call(params) else _FORM
    return _KINDS.get(method)


def ask(method: str, params: Dict, item: Dict) -> "Dict | None":
    """Return what is shown of a request, in the shape of `core.types.Ask`; None for one not of ours.

    Args:
        item: the thread's item that it is about, as far as it is known: a file change holds its diff.
    """
    kind = kind_of(method, params)
    if kind is None:
        return None
    asked: Dict = {
        "agent": NAME,
        "kind": kind.name,
        "hold": "parallel",
        "interrupt": kind.stops,
        "digest": identity(method, params, item),
        "prompt_id": shown(text(params.get("turnId"))),
        "cwd": shown(text(params.get("cwd"))),
    }
    try:
        asked.update(kind.show(params, item))
    except Unshowable as reason:
        asked["unshowable"] = str(reason)
    except NotJson:
        asked["unshowable"] = "its input is nested too deeply"
    if asked["digest"]:
        asked["content"] = content(asked)
    return asked


def content(asked: Dict) -> str:
    """Return what two calls have in common that are the same: all that is shown, but for the reason."""
    rows = [members(one) for one in items(asked.get("input"))]
    return digest_of([asked.get("tool"), [one for one in rows if one.get("label") != REASON]])


def result(method: str, params: Dict, item: Dict, decision: Dict) -> Dict:
    """Return the result that a decision makes.

    Raises:
        Unrenderable: it does not fit; nothing must be sent then.
    """
    kind = kind_of(method, params)
    asked = ask(method, params, item)
    if kind is None or asked is None or "unshowable" in asked:
        raise Unrenderable("what could not be shown is not answered")
    behavior = decision.get("behavior")
    if behavior == "allow":
        return kind.allow(params, asked, decision)
    if behavior == "cancel" and kind is _FORM:
        return questions.cancel()
    if behavior != "deny":
        raise Unrenderable("neither allow nor deny")
    if decision.get("interrupt") is True:
        if not kind.stops:
            raise Unrenderable("this denial cannot stop the turn")
        return approvals.stop()
    return kind.deny(params)


# --- which item a request is about, and what became of it ------------------------------------------


def item_of(method: str, params: Dict, open_items: "dict[str, Dict]") -> Dict:
    """Return the item that a request is about, of those of its thread that are not done; {} for none."""
    if method == ELICITATION:
        return approvals.called(params, open_items)
    return open_items.get(text(params.get("itemId")), {})


def identity(method: str, params: Dict, item: Dict) -> str:
    """Return what the request has in common with the end of its item; "" where no item's end tells of it.

    Input for a terminal and a part of a command have an id of their own: their item goes on, and what it
    ends with says nothing of them. A question, permissions and a form have no item at all.
    """
    thread_id = text(params.get("threadId"))
    if method == ELICITATION:
        return item_identity(thread_id, text(item.get("id")))
    if method in (COMMAND, FILE_CHANGE) and params.get("approvalId") is None:
        return item_identity(thread_id, text(params.get("itemId")))
    return ""


def item_identity(thread_id: str, item_id: str) -> str:
    return digest_of([thread_id, item_id]) if item_id else ""


_RAN = {"completed": "post-tool-use", "failed": "post-tool-use-failure", "declined": "tool-declined"}


def ended(item: Dict) -> str:
    """Return the type of the event that an item's end is; "" for one of which nothing was asked."""
    kind = text(item.get("type"))
    if kind == "mcpToolCall" and approvals.was_refused(item):
        return "tool-declined"
    if kind not in ("commandExecution", "fileChange", "mcpToolCall"):
        return ""
    return _RAN.get(text(item.get("status")), "")


def words_of(item: Dict) -> str:
    """Return the text of a user's message."""
    parts = [text(members(one).get("text")) for one in items(item.get("content"))]
    return "\n".join(part for part in parts if part)
