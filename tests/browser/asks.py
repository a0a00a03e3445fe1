"""What agents and programs ask, as they do at work: for looks, for readers of screens, for pictures.

A row of the contract each, so that an asker of the contract can ask it; what it would be told is not here.
Data and the shapes of payloads; may import the contract and the samples.
"""

from __future__ import annotations

from typing import Any

from sayso.core.types import Kind
from tests.contract.rows import Row
from tests.desks import sample

Json = dict[str, Any]


def row(kind: Kind, name: str, payload: Json) -> Row:
    return Row(kind, name, payload, {}, None, None, None)


def tool(name: str, tool_input: Json, suggestions: list[Json] | None = None, **more: Any) -> Row:
    """Return what the agent asks when it wants to use a tool."""
    payload = sample("PermissionRequest.Bash", tool_name=name, tool_input=tool_input, **more)
    payload["permission_suggestions"] = suggestions or []
    return row(Kind.PERMISSION, name, payload)


def rules(*contents: str, where: str = "localSettings") -> Json:
    """Return a suggestion: these commands, from now on."""
    listed = [{"toolName": "Bash", "ruleContent": content} for content in contents]
    return {"type": "addRules", "rules": listed, "behavior": "allow", "destination": where}


COMMAND = (
    "docker compose -f deploy/compose.yml up -d --build api \\\n"
    '  && curl --fail --retry 5 "http://localhost:8080/health" \\\n'
    "  && docker compose -f deploy/compose.yml logs --tail 40 api"
)
BASH = tool(
    "Bash",
    {"command": COMMAND, "description": "Build the api container, start it and check that it is healthy"},
    [
        rules("docker compose -f deploy/compose.yml up:*", "curl --fail:*"),
        {"type": "setMode", "mode": "acceptEdits", "destination": "session"},
    ],
)
OLD = '''def retry_after(response: Response) -> float:
    """Return how long to wait, in seconds."""
    value = response.headers.get("Retry-After")
    if value is None:
        return 1.0
    return float(value)
'''
NEW = '''def retry_after(response: Response, now: datetime) -> float:
    """Return how long to wait, in seconds; the header may be a date."""
    value = response.headers.get("Retry-After")
    if value is None:
        return 1.0
    if value.isdigit():
        return float(value)
    return max((parsedate_to_datetime(value) - now).total_seconds(), 0.0)
'''
MODE = {"type": "setMode", "mode": "acceptEdits", "destination": "session"}
EDIT = tool(
    "Edit",
    {
        "file_path": "/home/ada/shop/api/http/retry.py",
        "old_string": OLD,
        "new_string": NEW,
        "replace_all": False,
    },
    [MODE],
)
WRITE = tool(
    "Write",
    {
        "file_path": "/home/ada/shop/api/tests/test_retry.py",
        "content": (
            "from api.http.retry import retry_after\n\n\n"
            "def test_a_date_counts_from_now(response, now):\n"
            '    response.headers["Retry-After"] = "Mon, 30 Nov 2026 18:00:30 GMT"\n'
            "    assert retry_after(response, now) == 30.0\n"
        ),
    },
    [MODE],
)
FETCH = tool(
    "WebFetch", {"url": "https://www.rfc-editor.org/rfc/rfc9110", "prompt": "What does Retry-After hold?"}
)
LONG = tool(
    "Bash",
    {
        "command": "\n".join(
            f"install -D -m 644 build/part-{n:03}.css public/part-{n:03}.css" for n in range(90)
        )
        + "\n" * 40
        + "rm -rf ~/backups",
        "description": "Copy the built styles",
    },
)
"""Longer than what is listed of a value, with the worst of it at the end."""
SECRET = tool(
    "Bash",
    {"command": "curl -H 'Authorization: token ghp_" + "A1b2C3d4E5f6" * 3 + "' https://api.github.com/user"},
)
HIDING = tool(
    "Bash",
    {
        "command": "echo done\u202e\u2066 # \u2069\u2066 ~ fr- mr\u2069; ls\u200b\u00ad -la \x1b[2K\u2028",
        "description": "Show the folder \u200f(read only)",
    },
)
"""What changes direction, what is not seen, and what a terminal obeys."""
HEBREW = tool(
    "Bash",
    {
        "command": "git commit -m 'תיקון: שגיאה בחישוב המע״מ' && rm \"דוח ישן.pdf\" && echo سلام",
        "description": "שמירת התיקון",
    },
)
EMPTY = tool("Bash", {"command": ""})

QUESTION = row(
    Kind.QUESTION,
    "two questions",
    sample(
        "PermissionRequest.AskUserQuestion",
        tool_input={
            "questions": [
                {
                    "question": "How shall clients page through the list of orders?",
                    "header": "Paging",
                    "multiSelect": False,
                    "options": [
                        {
                            "label": "Cursor",
                            "description": "Steady while orders come in; no jumping to a page",
                            "preview": "GET /orders?after=b3JkZXI6MTIzNA&limit=50\n\n"
                            '{\n  "orders": […],\n  "next": "b3JkZXI6MTI4NA"\n}',
                        },
                        {
                            "label": "Page numbers",
                            "description": "Easy to link to; repeats or skips rows when orders come in",
                            "preview": "GET /orders?page=3&per_page=50\n\n"
                            '{\n  "orders": […],\n  "pages": 41\n}',
                        },
                    ],
                },
                {
                    "question": "Which of these shall the first release have?",
                    "header": "Scope",
                    "multiSelect": True,
                    "options": [
                        {"label": "Filter by state", "description": "open, paid, sent, returned"},
                        {"label": "Sort, newest first", "description": "by date, amount or customer"},
                        {"label": "Export as CSV", "description": "in the background, with a link by mail"},
                    ],
                },
            ]
        },
    ),
)
PLAN_TEXT = """# Retries that honour the server's wish

The client waits **one second** after every 429, whatever `Retry-After` says.

## Steps

1. Read the header in `retry_after()`, as seconds *or* as a date.
2. Wait no longer than `max_wait`, then give up with `RateLimited`.
3. Tell the waiting time in the log, once a minute at most.

| header | waits |
|---|---|
| none | 1 s |
| `120` | 120 s |
| a date | until then |

```python
delay = min(retry_after(response, now), max_wait)
```

- [ ] tests for both forms
- [ ] a line in the changelog

> Left alone: retries of uploads. They need an idempotency key first.
"""
PLAN = row(
    Kind.PLAN,
    "a plan",
    sample(
        "PermissionRequest.ExitPlanMode",
        tool_input={**sample("PermissionRequest.ExitPlanMode")["tool_input"], "plan": PLAN_TEXT},
    ),
)
FORM = row(
    Kind.ELICITATION,
    "a form",
    sample(
        "Elicitation.form",
        mcp_server_name="tickets",
        message="Open a ticket for the failed nightly build?",
        requested_schema={
            "type": "object",
            "properties": {
                "title": {"type": "string", "title": "Title", "minLength": 3, "maxLength": 80},
                "points": {"type": "integer", "title": "Points", "minimum": 1, "maximum": 13},
                "team": {"type": "string", "title": "Team", "enum": ["build", "payments", "search"]},
                "notify": {"type": "boolean", "title": "Tell the team now", "default": True},
                "mail": {"type": "string", "title": "Who follows it", "format": "email"},
            },
            "required": ["title", "team"],
        },
    ),
)
LINK = row(
    Kind.ELICITATION,
    "a link",
    sample(
        "Elicitation.url", mcp_server_name="tickets", url="https://tickets.example/oauth/start?state=81f2"
    ),
)


def asked(kind: Kind, name: str, title: str, **more: Any) -> Row:
    """Return what a program asks."""
    return row(kind, name, {"kind": kind.value, "title": title, **more})


YESNO = asked(
    Kind.YESNO,
    "yes or no",
    "Deploy build 4187 to production?",
    body="14 commits since Monday\nAll checks passed",
    default="no",
)
CHOICE = asked(
    Kind.CHOICE,
    "a choice",
    "Where shall the restore go?",
    body="The backup of 02:00 is 41 GB.",
    choices=[
        {"id": "staging", "label": "Staging, beside what is there"},
        {"id": "fresh", "label": "A fresh machine"},
        {"id": "prod", "label": "Production, in place of what is there"},
    ],
    default="staging",
)
TEXT = asked(
    Kind.TEXT,
    "a text",
    "What goes into the release notes?",
    body="Changes: 3 fixes, 1 feature",
    default="Small fixes.",
)
CONFIRM = asked(
    Kind.CONFIRM,
    "a command",
    "Drop the old orders table?",
    body="psql shop -c 'DROP TABLE orders_2019 CASCADE'\nrm -r /srv/backups/orders_2019",
    unsafe=True,
)

EVERY: tuple[Row, ...] = (
    *(BASH, EDIT, WRITE, FETCH, LONG, SECRET, HIDING, HEBREW, EMPTY),
    *(QUESTION, PLAN, FORM, LINK, YESNO, CHOICE, TEXT, CONFIRM),
)
"""All of them; the same agent asks each in a session of its own."""
PROMPT = (
    "The client hammers the payment API after a 429: make it wait as long as the server asks for, with tests."
)
