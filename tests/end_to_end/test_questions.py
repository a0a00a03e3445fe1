"""Questions answered from outside the terminal: what the model reads in the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.end_to_end import told

if TYPE_CHECKING:
    from tests.end_to_end.desk import Desk
    from tests.lab.claude import Claude
    from tests.lab.fake_anthropic import FakeAnthropic

pytestmark = pytest.mark.end_to_end


def question(text: str, *labels: str, several: bool = False, previews: bool = False) -> dict[str, Any]:
    options = [{"label": label, "description": f"The {n}. option"} for n, label in enumerate(labels, 1)]
    if previews:
        for option in options:
            option["preview"] = f"PREVIEW OF {option['label'].upper()}"
    return {"question": text, "header": "Choice", "multiSelect": several, "options": options}


def answered(
    desk: Desk, claude: Claude, model: FakeAnthropic, questions: list[dict[str, Any]], *words: str
) -> str:
    """Have the agent ask, answer so on the command line, and return what the model was told."""
    model.scripts["asks"] = [[{"tool": "AskUserQuestion", "input": {"questions": questions}}]]
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:asks")
        request = desk.wait_request(kind="question")
        desk.answer(request, *words)
        desk.wait_state(request, "confirmed")
        assert desk.states(request) == ["pending", "answered", "delivered", "confirmed"]
        tui.wait_for("DONE asks")
    result = told.result(model, "asks")
    assert not result["is_error"]
    text: str = result["text"]
    return text


def test_one_option_of_a_question(desk: Desk, claude: Claude, fake_model: FakeAnthropic) -> None:
    asked = [question("Which colour?", "Red", "Blue")]
    text = answered(desk, claude, fake_model, asked, "2")
    assert text == (
        'Your questions have been answered: "Which colour?"="Blue". '
        "You can now continue with these answers in mind."
    )


def test_case_21_labels_with_commas_and_quotes_arrive_as_from_the_terminal(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    asked = [question("Which features?", "A, first", 'Say "hi"', "C", "D's", several=True)]
    text = answered(desk, claude, fake_model, asked, "1,2,4")
    assert text == (
        'Your questions have been answered: "Which features?"=""A, first", "Say \\"hi\\"", D\'s". '
        "You can now continue with these answers in mind."
    )
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:asks")
        request = desk.wait_request(2, kind="question")
        tui.wait_for("Which features?")
        for key in ("1", "2", "4", "Tab", "Enter"):
            tui.keys(key)
        tui.wait_for("DONE asks")
        desk.wait_state(request, "withdrawn")
    assert told.result(fake_model, "asks")["text"] == text


def test_an_answer_in_the_persons_own_words(desk: Desk, claude: Claude, fake_model: FakeAnthropic) -> None:
    words = 'Neither; take\n"grün", please, and don\'t ask again'
    asked = [question("Which colour?", "Red", "Blue")]
    text = answered(desk, claude, fake_model, asked, "--text", words)
    assert words in text


def test_a_preview_and_a_note_go_along(desk: Desk, claude: Claude, fake_model: FakeAnthropic) -> None:
    asked = [question("Which layout?", "Wide", "Tall", previews=True)]
    text = answered(desk, claude, fake_model, asked, "2", "--notes", "make it dark")
    assert text.startswith(
        'The user answered: "Which layout?"="Tall" selected preview:\nPREVIEW OF TALL notes: make it dark. '
    )


def test_several_questions_at_once(desk: Desk, claude: Claude, fake_model: FakeAnthropic) -> None:
    asked = [
        question("Which colour?", "Red", "Blue"),
        question("Which features?", "Search", "Export", "Undo", several=True),
        question("Which name?", "Ada", "Bob"),
    ]
    text = answered(desk, claude, fake_model, asked, "1", "3,1", "--text", "3:Eve")
    # The order is the one in which they were picked.
    assert text.startswith(
        'The user answered: "Which colour?"="Red", "Which features?"="Undo, Search", "Which name?"="Eve". '
    )


def test_a_denied_question_tells_the_model_why(desk: Desk, claude: Claude, fake_model: FakeAnthropic) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:ask_one")
        request = desk.wait_request(kind="question")
        desk.deny(request, "-m", "Decide it yourself.")
        desk.wait_state(request, "confirmed")
        tui.wait_for("DONE ask_one")
    assert told.result(fake_model, "ask_one") == {"text": "Decide it yourself.", "is_error": True}


def test_case_17_18_a_question_takes_no_bare_allow_and_no_answer_that_does_not_fit(
    desk: Desk, claude: Claude, fake_model: FakeAnthropic
) -> None:
    with claude.tui(desk.hooks()) as tui:
        tui.say("please SCN:ask_multi")
        request = desk.wait_request(kind="question")
        desk.allow(request, code=2)
        desk.answer(request, code=2)  # nothing
        desk.answer(request, "1", code=2)  # one of two
        desk.answer(request, "3", "1", code=2)  # there is no third
        desk.answer(request, "1,2", "1", code=2)  # one only
        desk.answer(request, "1", "--text", "2:  ", code=2)  # blank
        # Nothing was consumed: it waits, here and in the terminal.
        assert desk.states(request) == ["pending"]
        tui.wait_for("Which layout do you want?")
        assert told.results(fake_model, "ask_multi") == []
        desk.answer(request, "1", "1")
        desk.wait_state(request, "confirmed")
        tui.wait_for("DONE ask_multi")
    assert '"Which layout do you want?"="Wide"' in told.result(fake_model, "ask_multi")["text"]
