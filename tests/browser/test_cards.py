"""A card shows all of what is asked, and nothing on it is pressed by mistake."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser import asks
from tests.browser.chromium import PHONE, Tab
from tests.browser.scene import Scene
from tests.contract.rows import PERMISSIONS
from tests.desks import sample

pytestmark = pytest.mark.end_to_end


@pytest.fixture
def tab(scene: Scene) -> Tab:
    return scene.tab()


# --- who asks, and for what -------------------------------------------------------------------


def test_case_60_a_card_says_who_asks(scene: Scene, tab: Tab) -> None:
    session_id = "3f0f2c1e-8a52-4f56-9a55-0d9f1ef1c0aa"
    scene.event(sample("UserPromptSubmit", session_id=session_id, prompt=asks.PROMPT))
    asked = scene.ask(asks.BASH, session_id=session_id)
    card = tab.show(asked.id)
    for words in ("Claude Code", "wants to use Bash", "project", "main agent", session_id[:8], "just now"):
        expect(card).to_contain_text(words)
    expect(card).to_contain_text(asks.PROMPT[:80])
    expect(card.get_by_role("article")).to_have_accessible_name(re.compile("^Claude Code wants to use Bash"))
    expect(tab.entry(asked.id)).to_contain_text("docker compose")


def test_a_subagents_card_says_so(scene: Scene, tab: Tab) -> None:
    payload = sample("PermissionRequest.subagent")
    asked = scene.ask(asks.row(PERMISSIONS[0].kind, "a subagent's", payload))
    expect(tab.show(asked.id)).to_contain_text("subagent general-purpose")


def test_a_change_is_a_diff_and_a_command_whole(scene: Scene, tab: Tab) -> None:
    edit = scene.ask(asks.EDIT)
    card = tab.show(edit.id)
    expect(card.get_by_role("img", name="added")).to_have_count(5)
    expect(card.get_by_role("img", name="removed")).to_have_count(3)
    expect(card).to_contain_text("parsedate_to_datetime(value)")
    bash = scene.ask(asks.BASH)
    card = tab.show(bash.id)
    for line in asks.COMMAND.splitlines():
        expect(card.get_by_text(line.strip(), exact=False).first).to_be_visible()


def test_case_44_what_an_always_would_allow_is_said_in_words(scene: Scene, tab: Tab) -> None:
    asked = scene.ask(asks.BASH)
    card = tab.show(asked.id)
    labels = [suggestion["label"] for suggestion in asked.view["suggestions"]]
    assert "Bash(docker compose -f deploy/compose.yml up:*)" in labels[0]
    for label in labels:
        expect(card.get_by_role("radio", name=label)).not_to_be_checked()
    expect(card.get_by_role("radio", name="Only this once")).to_be_checked()
    fetch = scene.ask(asks.FETCH)
    expect(tab.show(fetch.id).get_by_role("radio")).to_have_count(0)  # nothing that the agent did not offer


def test_case_24_a_plan_is_approved_into_a_mode_that_still_asks(scene: Scene, tab: Tab) -> None:
    card = tab.show(scene.ask(asks.PLAN).id)
    expect(card.get_by_role("heading", name="Retries that honour the server's wish")).to_be_visible()
    expect(card.get_by_role("cell", name="120 s")).to_be_visible()
    expect(card.get_by_role("radio")).to_have_count(3)
    expect(card).not_to_contain_text(re.compile("bypass", re.IGNORECASE))


def test_a_passage_of_a_plan_is_commented_on_and_goes_back_with_it(scene: Scene, tab: Tab) -> None:
    asked = scene.ask(asks.PLAN)
    card = tab.show(asked.id)
    passage = card.get_by_role("button", name=re.compile("^Comment on: The client waits"))
    passage.focus()
    passage.press("Enter")
    card.get_by_label("What of it?").fill("Two seconds at least.")
    tab.button("Keep the comment").click()
    tab.button("Send the comment back").click()
    said = asked.becomes("delivered")["asked"]
    assert "The client waits **one second**" in said
    assert "Two seconds at least." in said


# --- what is not to be seen at once ------------------------------------------------------------


def test_case_43_allow_is_locked_until_the_end_was_on_the_screen(scene: Scene) -> None:
    tab = scene.tab(viewport=PHONE)
    asked = scene.ask(asks.LONG)
    card = tab.show(asked.id)
    expect(card).to_contain_text("Read “Command” to its end first")
    expect(tab.button("Allow")).to_be_disabled()
    tab.button("Take me there").click()
    expect(card.get_by_text("rm -rf ~/backups")).to_be_in_viewport()
    expect(card).to_contain_text("⟨39 blank lines⟩")
    expect(tab.button("Allow")).to_be_enabled()
    assert scene.pending()
    tab.button("Allow").click()
    asked.becomes("delivered")


def test_case_43_what_hides_is_made_visible(scene: Scene, tab: Tab) -> None:
    card = tab.show(scene.ask(asks.HIDING).id)
    shown = card.get_by_role("article").inner_text()
    assert [sign for sign in "\u202e\u2066\u2069\u200b\u00ad\x1b\u2028\u200f" if sign in shown] == []
    for name in ("202E", "2066", "200B", "AD", "2028", "200F"):
        assert name in shown.upper()


def test_case_43_an_empty_command_is_a_warning(scene: Scene, tab: Tab) -> None:
    card = tab.show(scene.ask(asks.EMPTY).id)
    expect(card).to_contain_text("There is no command in this request.")


def test_letters_from_right_to_left_reorder_nothing_else(scene: Scene, tab: Tab) -> None:
    card = tab.show(scene.ask(asks.HEBREW).id)
    boxes = [boxed(card.get_by_text(part, exact=False).last) for part in ("git commit", "&& rm", "&& echo")]
    assert [box["x"] for box in boxes] == sorted(box["x"] for box in boxes)
    assert len({round(box["y"]) for box in boxes}) == 1
    heading = card.get_by_role("heading", level=2)
    assert heading.evaluate("(e) => getComputedStyle(e).direction") == "ltr"
    expect(card).to_contain_text("right to left")


def boxed(locator: Locator) -> dict[str, float]:
    """Return where a text stands, to the letter and not to its element."""
    return locator.evaluate(
        """(element) => {
          const range = document.createRange();
          range.selectNodeContents(element);
          const {x, y} = range.getBoundingClientRect();
          return {x, y};
        }"""
    )


def test_what_is_masked_is_said(scene: Scene, tab: Tab) -> None:
    card = tab.show(scene.ask(asks.SECRET).id)
    expect(card).to_contain_text("ghp_…[masked]")
    expect(card).to_contain_text("masked: 1 part of 36 characters")


MARKUP = "<img src=x onerror=pwned()><script>pwned()</script>"
HOSTILE = f"""# {MARKUP}

[a link](javascript:pwned()) ![a picture](http://stranger.example/x.png) <svg onload=pwned()>
<a href="http://stranger.example/">there</a> `{MARKUP}` http://stranger.example/auto

```html
{MARKUP}
```

| {MARKUP} |
|---|
| [x](data:text/html,{MARKUP}) |
"""


def test_no_text_of_an_agent_is_more_than_text(scene: Scene, tab: Tab) -> None:
    """Nothing of it runs, nothing of it is fetched; the tab fails the test if anything was tried."""
    tab.page.evaluate("() => { window.ran = 0; window.pwned = () => { window.ran += 1; }; }")
    question = {
        "question": MARKUP,
        "header": "<b>h</b>",
        "multiSelect": False,
        "options": [{"label": MARKUP + str(n), "description": HOSTILE, "preview": HOSTILE} for n in range(2)],
    }
    rows = (
        asks.tool(MARKUP, {"command": MARKUP, MARKUP: HOSTILE}, cwd=f"/tmp/{MARKUP}"),
        asks.tool("Write", {"file_path": f"/tmp/{MARKUP}.html", "content": HOSTILE}),
        asks.tool("Edit", {"file_path": "/tmp/x.ts", "old_string": HOSTILE, "new_string": MARKUP}),
        asks.row(
            asks.PLAN.kind, "plan", sample("PermissionRequest.ExitPlanMode", tool_input={"plan": HOSTILE})
        ),
        asks.row(
            asks.QUESTION.kind,
            "question",
            sample("PermissionRequest.AskUserQuestion", tool_input={"questions": [question]}),
        ),
        asks.asked(asks.CHOICE.kind, "choice", MARKUP, body=HOSTILE, choices=[{"id": MARKUP}, {"id": "b"}]),
    )
    for row in rows:
        card = tab.show(scene.ask(row).id)
        expect(card.get_by_text("pwned()", exact=False).first).to_be_visible()
        expect(card.locator("script, svg, iframe")).to_have_count(0)
        assert card.locator("img, a[href^='javascript'], a[href^='data']").count() == 0
    assert tab.page.evaluate("window.ran") == 0


# --- what is not pressed by mistake --------------------------------------------------------------


def test_case_18_an_answer_that_does_not_fit_is_refused_beside_its_field(scene: Scene, tab: Tab) -> None:
    asked = scene.ask(asks.FORM)
    card = tab.show(asked.id)
    card.get_by_label("Title").fill("ab")
    card.get_by_role("radio", name="build").check()
    tab.button("Send the form").click()
    expect(card.get_by_role("alert")).to_contain_text("at least 3")
    expect(card.get_by_label("Title")).to_have_value("ab")
    assert [view["id"] for view in scene.pending()] == [asked.id]


def test_case_17_19_a_question_is_sent_neither_blank_nor_half(scene: Scene, tab: Tab) -> None:
    asked = scene.ask(asks.QUESTION)
    card = tab.show(asked.id)
    tab.button("Next question").click()
    expect(card.get_by_role("alert")).to_contain_text("pick an option")
    card.get_by_role("radio", name="In my own words").check()
    card.get_by_label("Your own words").fill("  \n ")
    tab.button("Next question").click()
    expect(card.get_by_role("alert")).to_be_visible()
    expect(card.get_by_text("Question 1 of 2")).to_be_visible()
    assert [view["id"] for view in scene.pending()] == [asked.id]


def test_previews_of_options_are_shown_as_they_were_written(scene: Scene, tab: Tab) -> None:
    card = tab.show(scene.ask(asks.QUESTION).id)
    preview = card.get_by_text('"next": "b3JkZXI6MTI4NA"', exact=False).last
    expect(preview).to_be_visible()
    assert "mono" in preview.evaluate("(e) => getComputedStyle(e).fontFamily")


def test_a_command_takes_two_steps_and_enter_never_runs_it(scene: Scene, tab: Tab) -> None:
    asked = scene.ask(asks.CONFIRM)
    card = tab.show(asked.id)
    expect(card).to_contain_text("DROP TABLE orders_2019 CASCADE")
    expect(tab.button("Run it")).to_have_count(0)
    tab.button("I understand the command").dblclick()
    expect(tab.button("Run it")).to_be_enabled()
    expect(card.get_by_text("DROP TABLE orders_2019 CASCADE", exact=False).last).to_be_visible()
    for key in ("Enter", "r", "Enter", "y", "a", "Enter"):
        tab.page.keyboard.press(key)
    assert [view["id"] for view in scene.pending()] == [asked.id]
    assert tab.card.evaluate("(e) => e.shadowRoot.activeElement?.id") != "run"
    for key in "run":
        tab.page.keyboard.press(key)
    asked.becomes("delivered")


def test_the_focus_never_goes_to_what_answers(scene: Scene, tab: Tab) -> None:
    for row in (asks.BASH, asks.PLAN, asks.CONFIRM, asks.YESNO):
        asked = scene.ask(row)
        tab.show(asked.id)
        focused = tab.card.evaluate("(e) => e.shadowRoot.activeElement?.tagName ?? ''")
        assert focused == "", row.name
        tab.page.keyboard.press("Enter")
        assert asked.id in {view["id"] for view in scene.pending()}


def test_a_key_that_was_meant_for_another_card_does_nothing(scene: Scene, tab: Tab) -> None:
    """Nothing counts in the moment in which another card has come under the hand."""
    first, second = scene.ask(asks.FETCH), scene.ask(asks.WRITE)
    tab.show(first.id)
    expect(tab.button("Allow")).to_be_enabled()
    tab.page.keyboard.press("j")
    tab.page.keyboard.press("a")
    expect(tab.page).to_have_url(re.compile(second.id))
    expect(tab.button("Allow")).to_be_enabled()
    assert len(scene.pending()) == 2


def test_what_is_written_stays_while_others_come_and_go(scene: Scene, tab: Tab) -> None:
    asked = scene.ask(asks.BASH)
    card = tab.show(asked.id)
    tab.button("Deny…").click()
    field = card.get_by_role("textbox")
    expect(field).to_be_focused()
    tab.page.keyboard.type("Not on a Friday, ")
    other = scene.ask(asks.EDIT)
    expect(tab.entry(other.id)).to_be_visible()
    scene.watcher.answer(other.id, behavior="deny")
    expect(tab.entry(other.id)).to_contain_text("anded to the agent")
    tab.page.keyboard.type("please")
    expect(field).to_be_focused()
    expect(tab.button("Deny")).to_be_enabled()
    tab.page.keyboard.press("Enter")
    assert asked.becomes("delivered")["asked"] == "deny: Not on a Friday, please"


# --- how it ended ---------------------------------------------------------------------------------


def test_overruled_is_loud(scene: Scene, tab: Tab) -> None:
    asked = scene.ask(PERMISSIONS[0])
    tab.show(asked.id)
    tab.button("Deny…").click()
    tab.button("Deny").click()
    asked.becomes("delivered")
    # The terminal said yes meanwhile: the command ran.
    scene.event(
        sample(
            "PostToolUse.Bash",
            session_id=asked.session_id,
            tool_input=PERMISSIONS[0].payload["tool_input"],
            prompt_id=PERMISSIONS[0].payload["prompt_id"],
        )
    )
    expect(tab.card).to_contain_text("OVERRULED")
    expect(tab.page.get_by_role("list", name="News")).to_contain_text("OVERRULED")
    asked.becomes("overruled")


def test_lost_is_loud(scene: Scene, tab: Tab) -> None:
    asked = scene.ask(PERMISSIONS[0])
    tab.show(asked.id)
    asked.freeze()
    tab.button("Allow").click()
    asked.becomes("answered")
    asked.kill()
    expect(tab.card).to_contain_text("LOST")
    expect(tab.page.get_by_role("list", name="News")).to_contain_text("LOST")


def test_what_the_terminal_settled_stays_for_a_while_and_says_so(scene: Scene, tab: Tab) -> None:
    asked = scene.ask(PERMISSIONS[0])
    tab.show(asked.id)
    asked.kill()
    expect(tab.card).to_contain_text("No longer asked")
    expect(tab.button("Allow")).to_have_count(0)
    expect(tab.entry(asked.id)).to_contain_text("No longer asked")
