"""The script behind an interpreter."""

from __future__ import annotations

import pytest

from sayso.daemon import scripts
from sayso.daemon.access import agent_of


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("node /usr/local/bin/gemini -p hello", "gemini"),
        ("/opt/node/bin/node --no-warnings --max-old-space-size=8192 /usr/bin/gemini", "gemini"),
        ("node --require /x/a.js --import ./b.mjs /usr/bin/claude", "claude"),
        ("node /usr/lib/node_modules/@openai/codex/bin/codex.js exec", "codex"),
        ("node /home/a/.npm-global/lib/node_modules/@github/copilot/index.js", "copilot"),
        ("node /a/node_modules/.pnpm/x/node_modules/@google/gemini-cli/dist/index.js", "gemini"),
        ("node /a/node_modules/opencode-ai/bin/x.mjs", "opencode"),
        ("bun run /home/a/bin/opencode", "opencode"),
        ("deno run -A /home/a/copilot.ts", "copilot"),
        ("python3.11 -X dev -W error /home/a/.local/bin/codex", "codex"),
        ("/usr/bin/python3 -I -m claude", "claude"),
    ],
)
def test_agents_that_are_scripts(line: str, name: str) -> None:
    assert agent_of(scripts.names(line.split())) == name


@pytest.mark.parametrize(
    "line",
    [
        "",
        "node",
        "node --version",
        "node -e claude",
        "python3 -c claude",
        "python3 - claude",
        "python3 -m",
        "node --require claude",
        "node /srv/app/server.js claude",
        "python3 /home/a/gemini.py",  # an exchange and a protocol are called that, too
        "node /home/a/claude/index.js",
        "node /a/node_modules/@google",
        "node /a/node_modules",
        "vim claude",
        "/bin/sh /usr/local/bin/sync codex",
        "pythonic /usr/bin/claude",
    ],
)
def test_what_is_none(line: str) -> None:
    assert agent_of(scripts.names(line.split())) == ""
