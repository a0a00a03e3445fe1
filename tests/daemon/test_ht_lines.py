"""The lines that the public client of document 001 writes, byte for byte as they were recorded from it.

They hold the client of these tests (`tests.ht`) to the real one. Not here: what a desk makes of them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests import ht

SURFACE = "surface:3"
ASKED = b'{"id":"1","method":"agent.ask_user","params":{"surface_id":"surface:3","kind":'

RECORDED: dict[tuple[str, ...], bytes] = {
    ("ask", "yesno", "--title", "Run install?"): ASKED + b'"yesno","title":"Run install?"}}\n',
    ("ask", "yesno", "Run install?", "--surface", "surface:9"): (
        b'{"id":"1","method":"agent.ask_user","params":'
        b'{"surface_id":"surface:9","kind":"yesno","title":"Run install?"}}\n'
    ),
    ("ask", "yesno", "--title", "two\nlines"): ASKED + b'"yesno","title":"two\\nlines"}}\n',
    ("ask", "choice", "--title", "T", "--choices", "a,b:Label two,c: x : y , "): ASKED
    + b'"choice","title":"T","choices":[{"id":"a","label":"a"},{"id":"b","label":"Label two"},'
    + b'{"id":"c","label":"x"},{"id":"","label":""}]}}\n',
    ("ask", "choice", "--title", "T", "--choices", "a:"): (
        ASKED + b'"choice","title":"T","choices":[{"id":"a","label":""}]}}\n'
    ),
    ("ask", "text", "--title", "T", "--default", "v", "--timeout", "0"): (
        ASKED + b'"text","title":"T","default":"v","timeout_ms":0}}\n'
    ),
    ("ask", "text", "--title", "T", "--timeout", "abc"): ASKED + b'"text","title":"T","timeout_ms":null}}\n',
    ("ask", "text", "--title", "T", "--timeout"): ASKED + b'"text","title":"T","timeout_ms":null}}\n',
    ("ask", "text", "--title", "T", "--timeout", ""): ASKED + b'"text","title":"T","timeout_ms":null}}\n',
    ("ask", "text", "--title", "T", "--timeout", "1e999"): ASKED
    + b'"text","title":"T","timeout_ms":null}}\n',
    ("ask", "text", "--title", "T", "--timeout", "1500.9"): ASKED
    + b'"text","title":"T","timeout_ms":1500}}\n',
    ("ask", "text", "--title", "T", "--timeout", "-5"): ASKED + b'"text","title":"T","timeout_ms":0}}\n',
    ("ask", "text", "--title", "T", "--timeout", "1e21"): (
        ASKED + b'"text","title":"T","timeout_ms":1e+21}}\n'
    ),
    (
        *("ask", "confirm-command", "--title", "T", "--body", 'rm -rf "x"\n\té/\x7f\u2028'),
        *("--agent", "claude:1", "--unsafe"),
    ): ASKED
    + b'"confirm-command","title":"T","body":"rm -rf \\"x\\"\\n\\t\xc3\xa9/\x7f\xe2\x80\xa8",'
    + b'"unsafe":true,"agent_id":"claude:1"}}\n',
    ("ask", "confirm-command", "--unsafe", "--title", "T"): (
        ASKED + b'"confirm-command","title":"T","unsafe":true}}\n'
    ),
    ("ask", "confirm-command", "--title", "T", "--unsafe", "yes"): (
        ASKED + b'"confirm-command","title":"T"}}\n'
    ),
    ("ask", "confirm-command", "--title", "T", "--body", "--force"): (
        ASKED + b'"confirm-command","title":"T","body":"true"}}\n'
    ),
    ("ask", "pending"): b'{"id":"1","method":"agent.ask_pending","params":{}}\n',
    ("ask", "pending", "--surface", SURFACE): (
        b'{"id":"1","method":"agent.ask_pending","params":{"surface_id":"surface:3"}}\n'
    ),
    ("ask", "answer", "r1", "two words é"): (
        b'{"id":"1","method":"agent.ask_answer","params":{"request_id":"r1","value":"two words \xc3\xa9"}}\n'
    ),
    ("ask", "answer", "r1", ""): (
        b'{"id":"1","method":"agent.ask_answer","params":{"request_id":"r1","value":""}}\n'
    ),
    ("ask", "cancel", "r1"): b'{"id":"1","method":"agent.ask_cancel","params":{"request_id":"r1"}}\n',
    ("ask", "cancel", "r1", "--reason", "user is afk"): (
        b'{"id":"1","method":"agent.ask_cancel","params":{"request_id":"r1","reason":"user is afk"}}\n'
    ),
    ("agent", "create"): b'{"id":"1","method":"agent.create","params":{}}\n',
    ("agent", "split"): b'{"id":"1","method":"agent.create_split","params":{"direction":"horizontal"}}\n',
    ("agent", "split", "down"): b'{"id":"1","method":"agent.create_split","params":{"direction":"down"}}\n',
    ("agent", "list"): b'{"id":"1","method":"agent.list","params":{}}\n',
    ("agent", "count"): b'{"id":"1","method":"agent.count","params":{}}\n',
    ("agent", "close", "agent:1"): (
        b'{"id":"1","method":"agent.close","params":{"agent_id":"agent:1","surface_id":"agent:1"}}\n'
    ),
    ("agent", "close", "--agent", "agent:1"): (
        b'{"id":"1","method":"agent.close","params":{"agent_id":"agent:1"}}\n'
    ),
    ("agent", "close", "--surface", "agent:1"): (
        b'{"id":"1","method":"agent.close","params":{"surface_id":"agent:1"}}\n'
    ),
    ("agent", "close"): b'{"id":"1","method":"agent.close","params":{}}\n',
}


@pytest.mark.parametrize("words", RECORDED)
def test_its_line_is_the_recorded_one(words: tuple[str, ...]) -> None:
    assert ht.line(*ht.call(list(words), SURFACE)) == RECORDED[words]


@pytest.mark.parametrize(
    ("words", "surface"),
    [
        (["ask", "yesno", "--title", "T"], ""),
        (["ask", "yesno"], SURFACE),
        (["ask", "confirm-command", "--unsafe", "T"], SURFACE),  # the flag swallows the title
        (["ask", "choice", "--title", "T"], SURFACE),
        (["ask", "answer", "r1"], SURFACE),
        (["ask", "cancel"], SURFACE),
        (["ask"], SURFACE),
        (["agent"], SURFACE),
    ],
)
def test_what_it_refuses_by_itself_is_never_sent(words: list[str], surface: str) -> None:
    with pytest.raises(ht.Usage):
        ht.call(words, surface)


def test_as_a_program_it_needs_a_desk() -> None:
    env = {**os.environ, "HT_SOCKET_PATH": "/nonexistent/desk.sock"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.ht", "agent", "count"], env=env, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"FileNotFoundError" in done.stderr


@pytest.mark.parametrize(
    ("answer", "ended"),
    [
        ({"result": {"action": "ok", "value": "yes"}}, ht.Ended(0, "yes\n", "")),
        ({"result": {"action": "ok", "value": ""}}, ht.Ended(0, "\n", "")),
        ({"result": {"action": "ok"}}, ht.Ended(3, "", "cancelled\n")),
        ({"result": {"action": "timeout"}}, ht.Ended(2, "", "timed out\n")),
        ({"result": {"action": "cancel", "reason": "no"}}, ht.Ended(3, "", "cancelled: no\n")),
        ({"error": "no surface"}, ht.Ended(1, "", "no surface\n")),
    ],
)
def test_what_its_caller_sees(answer: dict[str, object], ended: ht.Ended) -> None:
    assert ht.ended("agent.ask_user", json.dumps(answer).encode()) == ended


def test_a_connection_that_ends_looks_like_a_success_to_its_caller() -> None:
    assert ht.ended("agent.ask_user", b"") == ht.Ended(0, "", "")
