"""What programs import from `sayso`, for type checkers: the file beside this one must import nothing."""

from sayso.store import (
    AGENT_CLAUDE_CODE as AGENT_CLAUDE_CODE,
)
from sayso.store import (
    AGENT_CODEX as AGENT_CODEX,
)
from sayso.store import (
    BEHAVIOR_ALLOW as BEHAVIOR_ALLOW,
)
from sayso.store import (
    BEHAVIOR_DENY as BEHAVIOR_DENY,
)
from sayso.store import (
    CLAUDE_HOLD as CLAUDE_HOLD,
)
from sayso.store import (
    DEFAULT_CODEX_WAIT as DEFAULT_CODEX_WAIT,
)
from sayso.store import (
    KIND_ELICITATION as KIND_ELICITATION,
)
from sayso.store import (
    KIND_PERMISSION as KIND_PERMISSION,
)
from sayso.store import (
    KIND_PLAN as KIND_PLAN,
)
from sayso.store import (
    KIND_QUESTION as KIND_QUESTION,
)
from sayso.store import (
    MAX_MESSAGE as MAX_MESSAGE,
)
from sayso.store import (
    MAX_OPTIONS as MAX_OPTIONS,
)
from sayso.store import (
    MAX_QUESTIONS as MAX_QUESTIONS,
)
from sayso.store import (
    MAX_SUGGESTIONS as MAX_SUGGESTIONS,
)
from sayso.store import (
    MAX_VALUE as MAX_VALUE,
)
from sayso.store import (
    METHOD_REQUEST as METHOD_REQUEST,
)
from sayso.store import (
    METHOD_TAKE_MESSAGE as METHOD_TAKE_MESSAGE,
)
from sayso.store import (
    Answer as Answer,
)
from sayso.store import (
    Ask as Ask,
)
from sayso.store import (
    BadRequest as BadRequest,
)
from sayso.store import (
    Decision as Decision,
)
from sayso.store import (
    EventType as EventType,
)
from sayso.store import (
    Gone as Gone,
)
from sayso.store import (
    HookEvent as HookEvent,
)
from sayso.store import (
    ListedAnswer as ListedAnswer,
)
from sayso.store import (
    Message as Message,
)
from sayso.store import (
    NotRunning as NotRunning,
)
from sayso.store import (
    Option as Option,
)
from sayso.store import (
    Question as Question,
)
from sayso.store import (
    Reply as Reply,
)
from sayso.store import (
    Request as Request,
)
from sayso.store import (
    Row as Row,
)
from sayso.store import (
    Sessions as Sessions,
)
from sayso.store import (
    Settings as Settings,
)
from sayso.store import (
    Store as Store,
)
from sayso.store import (
    Suggestion as Suggestion,
)
from sayso.store import (
    TakeParams as TakeParams,
)
from sayso.store import (
    digest as digest,
)
from sayso.store import (
    match as match,
)

__version__: str
