"""A reader of the interaction bridge, who answers in document 004's words what a row says for HTTP.

Not here: what these words mean (`sayso.wire.interaction_answers`).
"""

from __future__ import annotations

from typing import Any

import httpx

from tests.contract.rows import Row
from tests.desks import Home
from tests.standin import WAIT_S

Dict = dict[str, Any]


def has_words(reply: Dict | None) -> bool:
    """Whether the document has words for a reply: none that stop a turn, and none for notes."""
    if reply is None or reply.get("interrupt"):
        return False
    answers = reply.get("answers", [])
    return not any("notes" in one for one in answers if isinstance(one, dict))


def response(request: Dict, reply: Dict) -> Dict:
    """Return a reply in the words of the document."""
    if reply["behavior"] != "allow":
        said = {"decision": reply["behavior"], "reason": reply.get("message")}
        return {name: words for name, words in said.items() if words is not None}
    if "answers" in reply:
        return _answers(request, reply["answers"])
    if "value" in reply:
        return {"text" if request["kind"] == "text" else "selection": reply["value"]}
    if "step" in reply:
        return {"decision": reply["step"]}
    chosen = next((reply[name] for name in ("suggestion", "mode", "content") if name in reply), None)
    said = {"decision": "allow", "selection": chosen, "text": reply.get("plan")}
    return {name: words for name, words in said.items() if words is not None}


def _answers(request: Dict, answers: Any) -> Dict:
    if isinstance(answers, dict):
        return {"selection": answers}
    picked = [one.get("picked", one.get("text")) for one in answers]
    if len(picked) > 1:
        asked = [one["question"] for one in request["questions"]]
        return {"selection": dict(zip(asked, picked, strict=True))}
    return {"text": answers[0]["text"]} if "text" in answers[0] else {"selection": picked[0]}


class Reading:
    """A program with a token that may answer and no more."""

    name = "feed"

    def __init__(self, home: Home) -> None:
        token = home.sayso("token", "create", self.name, "--power", "answer").stdout.split()[0]
        with_desk = home.desk()
        address = with_desk.call("desk.health", {})["http"]
        with_desk.close()
        headers = {"Authorization": f"Bearer {token}"}
        self._http = httpx.Client(base_url=address, headers=headers, trust_env=False, timeout=WAIT_S)

    def answer(self, request: Dict, row: Row) -> None:
        listed = self._http.get("/agents/interaction/pending").json()["requests"]
        assert [(one["id"], one["kind"]) for one in listed] == [(request["id"], row.kind)]
        if row.ack:
            assert self._respond(request, {"decision": "ack"})["status"] == "pending"
        assert row.http is not None
        assert self._respond(request, response(request, row.http))["status"] == "resolved"

    def _respond(self, request: Dict, response: Dict) -> Dict:
        body = {"id": request["id"], "response": response}
        done = self._http.post("/agents/interaction/respond", json=body)
        assert done.status_code == 200, done.text
        told: Dict = done.json()["request"]
        return told

    def close(self) -> None:
        self._http.close()
