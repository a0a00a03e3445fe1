"""A page of somebody else, in the browser of a person whose page may answer: it gets nowhere.

It stands on another port of the same address, under another name of the machine, or under a name of its
own; a port is all it takes to share cookies, a name all it takes to be another site. Whatever it tries,
nothing changes at the desk, and it reads nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.chromium import STRANGER, Tab
from tests.browser.scene import Asked, Scene
from tests.browser.stranger import Stranger
from tests.contract import rows

pytestmark = pytest.mark.end_to_end


@pytest.fixture
def stranger() -> Iterator[Stranger]:
    with Stranger() as stranger:
        yield stranger


@pytest.fixture
def tab(scene: Scene, stranger: Stranger) -> Tab:
    """The person's own browser, paired; strangers' pages open in it, too."""
    tab = scene.tab()
    tab.others |= {scene.address.replace("http", "ws"), *stranger.origins.values()}
    return tab


@pytest.fixture
def asked(scene: Scene) -> Iterator[Asked]:
    """What waits meanwhile, and must wait on."""
    asked = scene.ask(rows.PERMISSIONS[0])
    before = state(scene)
    yield asked
    assert state(scene) == before


def state(scene: Scene) -> dict[str, Any]:
    """Return all that a stranger could want to change."""
    with scene.home.desk() as desk:
        snapshot = desk.snapshot()
        devices = desk.call("desk.devices", {"list": True})
    names = ("requests", "ended", "sessions", "messages", "settings")
    kept = [{name: one[name] for name in ("id", "name", "power")} for one in devices["devices"]]
    return {**{name: snapshot[name] for name in names}, "devices": kept}


def visits(tab: Tab, stranger: Stranger) -> Iterator[Page]:
    """Open a stranger's page at each of its origins, one after the other."""
    for origin in stranger.origins.values():
        page = tab.context.new_page()
        page.goto(f"{origin}/")
        yield page
        page.close()


LINK = next(row for row in rows.ELICITATIONS if row.name == "link accepted")
AS_JSON = "'content-type': 'application/json'"
WAYS = {
    "no-cors as text": "fetch(url, {method: 'POST', mode: 'no-cors', body})",
    "no-cors as a form": "fetch(url, {method: 'POST', mode: 'no-cors', body: new URLSearchParams({body})})",
    "cors as JSON": f"fetch(url, {{method: 'POST', headers: {{{AS_JSON}}}, body}})",
    "cors as text": "fetch(url, {method: 'POST', credentials: 'include', body})",
    "with a made-up token": (
        f"fetch(url, {{method: 'POST', headers: {{authorization: 'Bearer x', {AS_JSON}}}, body}})"
    ),
    "a beacon": "(async () => navigator.sendBeacon(url, new Blob([body], {type: 'text/plain'})))()",
    "outliving its page": "fetch(url, {method: 'POST', mode: 'no-cors', keepalive: true, body})",
}


def test_case_49_no_script_of_a_stranger_answers(
    scene: Scene, tab: Tab, stranger: Stranger, asked: Asked
) -> None:
    message = {"agent": "claude-code", "session_id": asked.session_id, "text": "rm -rf /"}
    bodies = {
        f"/api/agent-requests/{asked.id}/answer": {"behavior": "allow"},
        f"/api/agent-requests/{asked.id}/release": {},
        "/api/agent-messages": message,
        "/api/presence": {"present": True},
        "/api/pair": {"code": "0" * 16, "name": "stranger"},
    }
    for page in visits(tab, stranger):
        for path, body in bodies.items():
            for way in WAYS.values():
                said = page.evaluate(
                    f"([url, body]) => {way}.then((r) => r.type ?? 'sent', (e) => e.name)",
                    [scene.address + path, json.dumps(body)],
                )
                assert said in ("opaque", "TypeError", "sent"), (path, way, said)  # nothing is readable


def test_case_49_no_form_of_a_stranger_answers(
    scene: Scene, tab: Tab, stranger: Stranger, asked: Asked
) -> None:
    """A form with its body as text can be made to look like JSON; one that is sent goes to a new page."""
    for page in visits(tab, stranger):
        for coding in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
            with tab.context.expect_page() as opened:
                page.evaluate(
                    """([action, enctype]) => {
                      const form = document.createElement("form");
                      Object.assign(form, {action, enctype, method: "post", target: "_blank"});
                      const field = document.createElement("input");
                      [field.name, field.value] = ['{"behavior": "allow", "message": "', '"}'];
                      form.append(field);
                      document.body.append(form);
                      form.submit();
                    }""",
                    [f"{scene.address}/api/agent-requests/{asked.id}/answer", coding],
                )
            opened.value.wait_for_load_state()
            assert '"ok":false' in opened.value.inner_text("body").replace(" ", "")
            opened.value.close()


def test_case_49_a_stranger_reads_nothing(scene: Scene, tab: Tab, stranger: Stranger, asked: Asked) -> None:
    for page in visits(tab, stranger):
        for path in (
            "/",
            "/api/agent-requests",
            "/api/sessions",
            "/api/events",
            "/api/health",
            "/api/openapi.json",
        ):
            said = page.evaluate(
                """async (url) => {
                  const tried = {};
                  for (const credentials of ["omit", "include"])
                    tried[credentials] = await fetch(url, {credentials}).then((r) => r.text(), (e) => e.name);
                  tried.opaque = await fetch(url, {mode: "no-cors"}).then((r) => r.text(), (e) => e.name);
                  tried.script = await new Promise((done) => {
                    const script = document.createElement("script");
                    script.onload = () => done("loaded");
                    script.onerror = () => done("error");
                    script.src = url;
                    document.head.append(script);
                  });
                  return tried;
                }""",
                scene.address + path,
            )
            assert said == {
                "omit": "TypeError",
                "include": "TypeError",
                "opaque": "TypeError",  # the resource policy of every response keeps it from being taken in
                "script": "error",
            }, path


def test_case_49_no_socket_and_no_stream_opens_for_a_stranger(
    scene: Scene, tab: Tab, stranger: Stranger, asked: Asked
) -> None:
    for page in visits(tab, stranger):
        said = page.evaluate(
            """async (address) => {
              const end = (thing) => new Promise((done) => {
                thing.onopen = () => done("open");
                thing.onmessage = () => done("message");
                thing.onerror = () => done("error");
              });
              return [
                await end(new WebSocket(`${address.replace("http", "ws")}/api/events`)),
                await end(new EventSource(`${address}/api/events`)),
                await end(new EventSource(`${address}/api/events`, {withCredentials: true})),
              ];
            }""",
            scene.address,
        )
        assert said == ["error", "error", "error"]


def test_case_49_a_name_that_was_pointed_here_is_not_listened_to(
    scene: Scene, tab: Tab, asked: Asked
) -> None:
    """DNS rebinding: the stranger's own name, now this machine's, at the desk's port."""
    address = scene.address.replace("127.0.0.1", STRANGER)
    tab.others.add(address)
    page = tab.context.new_page()
    response = page.goto(f"{address}/")
    assert response is not None
    assert response.status == 403
    said = page.evaluate(
        """async (path) => {
          const headers = {"content-type": "application/json"};
          const answer = {method: "POST", headers, body: '{"behavior": "allow"}'};
          const tried = [fetch("/api/agent-requests"), fetch(path, answer)];
          return Promise.all(tried.map((each) => each.then((r) => r.status, (e) => e.name)));
        }""",
        f"/api/agent-requests/{asked.id}/answer",
    )
    assert said == ["TypeError", "TypeError"]  # what is refused comes with a policy that allows nothing
    assert page.evaluate("localStorage.length") == 0


def test_the_page_is_shown_in_no_frame(scene: Scene, tab: Tab, stranger: Stranger, asked: Asked) -> None:
    for page in visits(tab, stranger):
        for element in ("iframe", "embed", "object"):
            page.evaluate(
                """([element, url]) => new Promise((done) => {
                  const frame = document.createElement(element);
                  frame[element === "object" ? "data" : "src"] = url;
                  frame.onload = frame.onerror = done;
                  document.body.append(frame);
                })""",
                [element, f"{scene.address}/"],
            )
        assert [frame.url for frame in page.frames[1:] if frame.url.startswith(scene.address)] == []


def test_whoever_opens_the_page_has_no_hold_on_it(
    scene: Scene, tab: Tab, stranger: Stranger, asked: Asked
) -> None:
    for page in visits(tab, stranger):
        with tab.context.expect_page() as opened:
            page.evaluate("(url) => { window.desk = window.open(url); }", f"{scene.address}/")
        desk = opened.value
        desk.wait_for_load_state()
        assert page.evaluate("window.desk.closed")  # from there it looks as if it were gone
        assert desk.evaluate("window.opener") is None
        assert desk.evaluate("window.name") == ""
        desk.close()


def test_a_strangers_link_signs_nobody_out(scene: Scene, tab: Tab, stranger: Stranger, asked: Asked) -> None:
    page = tab.context.new_page()
    page.goto(stranger.origins["nothing"])
    with tab.context.expect_page() as opened:
        page.evaluate("(url) => { window.open(url); }", f"{scene.address}/#code=stranger")
    token = tab.page.evaluate("localStorage.getItem('sayso.token')")
    expect(opened.value.get_by_text("the code in the link was not used")).to_be_visible()
    assert token
    assert opened.value.evaluate("localStorage.getItem('sayso.token')") == token
    tab.page.reload()
    expect(tab.entry(asked.id)).to_be_visible()


def test_nothing_that_is_kept_is_shared_with_a_stranger(tab: Tab, stranger: Stranger, asked: Asked) -> None:
    token = tab.page.evaluate("localStorage.getItem('sayso.token')")
    for page in visits(tab, stranger):
        kept = page.evaluate(
            """async () => [localStorage.length, sessionStorage.length, document.cookie,
              (await indexedDB.databases()).length, document.referrer, history.length]"""
        )
        assert kept == [0, 0, "", 0, "", 2]
        assert tab.context.cookies() == []
        assert stranger.visits
        assert [visit for visit in stranger.visits if token in str(visit)] == []


def test_the_way_from_the_page_to_a_stranger_tells_nothing(scene: Scene, tab: Tab) -> None:
    """A form of an agent may be a link to anywhere."""
    url = f"https://{STRANGER}/login"
    visits: list[dict[str, str]] = []

    def answer(route: Route) -> None:
        visits.append(route.request.all_headers())
        route.fulfill(body="<h1>Log in</h1>", content_type="text/html")

    tab.others.add(f"https://{STRANGER}")
    tab.context.route(url, answer)
    asked = scene.ask(LINK, url=url)
    link = tab.show(asked.id).get_by_role("link", name="Open it in a new tab")
    with tab.context.expect_page() as opened:
        link.click()
    expect(opened.value.get_by_role("heading", name="Log in")).to_be_visible()
    assert opened.value.evaluate("[window.opener, document.referrer]") == [None, ""]
    assert [headers.get("referer") for headers in visits] == [None]


def test_an_address_that_is_not_what_it_seems_is_no_link(scene: Scene, tab: Tab) -> None:
    for url in (f"http://{STRANGER}/login", f"https://127.0.0.1@{STRANGER}/"):
        card = tab.show(scene.ask(LINK, url=url).id)
        expect(card).to_contain_text(url)
        expect(card.get_by_role("link")).to_have_count(0)


def test_the_code_of_a_link_stays_nowhere(scene: Scene) -> None:
    tab = scene.tab(is_paired=False)
    link = scene.link()
    code = link.partition("#")[2].partition("=")[2]
    assert code
    tab.pair(link)
    expect(tab.page).to_have_url(re.compile("/$"))
    assert code not in tab.page.evaluate("JSON.stringify([location.href, document.title, {...localStorage}])")
    assert tab.page.evaluate("JSON.stringify([{...sessionStorage}, history.state])").find(code) == -1
    # Only the exchange itself carries it, in its body.
    carrying = [request for request in tab.sent if code in f"{request.url} {request.headers}"]
    assert carrying == []
    told = [request.url for request in tab.sent if code in (request.post_data or "")]
    assert told == [f"{scene.address}/api/pair"]
    tab.page.go_back()
    assert code not in tab.page.url
    tab.page.go_forward()
    assert code not in tab.page.url


def test_a_link_is_good_for_one_browser(scene: Scene) -> None:
    link = scene.link()
    first = scene.tab(is_paired=False)
    first.pair(link)
    second = scene.tab(is_paired=False)
    second.page.goto(link)
    expect(second.page.get_by_role("alert")).to_contain_text("code")
    assert second.page.evaluate("localStorage.getItem('sayso.token')") is None
    assert "code=" not in second.page.url
