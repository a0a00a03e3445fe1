"""The server that tests hold the channel against refuses what Telegram's documentation says it does."""

from __future__ import annotations

import threading
import urllib.error
import urllib.request
from typing import Any

import pytest

from tests.telegram.bot_api import (
    CONFLICT,
    KEPT_S,
    NOT_MODIFIED,
    QUERY_S,
    TOKEN,
    TOO_OLD,
    WEBHOOK,
    BotServer,
    served,
)
from tests.telegram.limits import Refusal
from tests.telegram.people import Person, group


class Clock:
    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def server(clock: Clock) -> BotServer:
    made = BotServer(clock)
    Person(made, 4711)
    return made


def call(server: BotServer, method: str, **params: Any) -> Any:
    return server.serve(TOKEN, method, {"chat_id": 4711, **params})


def refused(server: BotServer, method: str, **params: Any) -> str:
    with pytest.raises(Refusal) as found:
        call(server, method, **params)
    return f"{found.value.code} {found.value.description}"


def keyboard(*rows: list[str]) -> dict[str, Any]:
    return {"inline_keyboard": [[{"text": "x", "callback_data": data} for data in row] for row in rows]}


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"text": ""}, "400 Bad Request: message text is empty"),
        ({"text": " \n"}, "400 Bad Request: message text is empty"),
        ({"text": "x" * 4097}, "400 Bad Request: message is too long"),
        ({"text": "😀" * 2049}, "400 Bad Request: message is too long"),
        (
            {"text": "a", "entities": [{"type": "bold", "offset": 0, "length": 2}]},
            "400 Bad Request: entity at 0",
        ),
        ({"text": "a", "reply_markup": keyboard(["x" * 65])}, "400 Bad Request: BUTTON_DATA_INVALID"),
        ({"text": "a", "reply_markup": keyboard(["ä" * 33])}, "400 Bad Request: BUTTON_DATA_INVALID"),
        ({"text": "a", "reply_markup": keyboard([""])}, "400 Bad Request: BUTTON_DATA_INVALID"),
        (
            {"text": "a", "reply_markup": keyboard(*[["x"]] * 101)},
            "400 Bad Request: reply markup is too long",
        ),
        ({"text": "a", "reply_markup": keyboard(["x"] * 9)}, "400 Bad Request: reply markup is too long"),
        ({"text": "a", "chat_id": 5}, "400 Bad Request: chat not found"),
        (
            {"text": "a", "reply_parameters": {"message_id": 9}},
            "400 Bad Request: message to be replied not found",
        ),
    ],
)
def test_messages_that_are_refused(server: BotServer, params: dict[str, Any], said: str) -> None:
    assert refused(server, "sendMessage", **params).startswith(said)


def test_what_just_fits(server: BotServer) -> None:
    entities = [{"type": "code", "offset": 2 * number, "length": 2} for number in range(101)]
    sent = call(server, "sendMessage", text="😀" * 2048, entities=entities, reply_markup=keyboard(["x" * 64]))
    assert len(sent["entities"]) == 100
    assert sent["reply_markup"]["inline_keyboard"][0][0]["callback_data"] == "x" * 64


def test_files_and_captions(server: BotServer) -> None:
    assert (
        refused(server, "sendDocument", caption="a") == "400 Bad Request: there is no document in the request"
    )
    assert "caption is too long" in refused(server, "sendDocument", document=b"x", caption="x" * 1025)
    assert call(server, "sendDocument", document=b"x", caption="x" * 1024)["caption"] == "x" * 1024


def test_edits(server: BotServer) -> None:
    call(server, "sendMessage", text="a")
    assert refused(server, "editMessageText", message_id=1, text="a") == f"400 {NOT_MODIFIED}"
    assert (
        refused(server, "editMessageText", message_id=9, text="b")
        == "400 Bad Request: message to edit not found"
    )
    theirs = Person(server, 4711).write("hello")
    assert (
        refused(server, "editMessageText", message_id=theirs.id, text="b")
        == "400 Bad Request: message can't be edited"
    )
    assert (
        call(server, "editMessageText", message_id=1, text="b", reply_markup=keyboard(["x"]))["text"] == "b"
    )
    assert "reply_markup" not in call(server, "editMessageReplyMarkup", message_id=1)


def test_taps_are_answered_once_in_time_and_shortly(server: BotServer, clock: Clock) -> None:
    ada = Person(server, 4711)
    first, second = ada.send_data(ada.chat, 1, "x"), ada.send_data(ada.chat, 1, "x")
    assert "MESSAGE_TOO_LONG" in refused(
        server, "answerCallbackQuery", callback_query_id=first.id, text="x" * 201
    )
    assert call(server, "answerCallbackQuery", callback_query_id=first.id, text="x" * 200)
    assert refused(server, "answerCallbackQuery", callback_query_id=first.id) == f"400 {TOO_OLD}"
    clock.now_s += QUERY_S + 1
    assert refused(server, "answerCallbackQuery", callback_query_id=second.id) == f"400 {TOO_OLD}"


def test_rates_of_a_chat(server: BotServer, clock: Clock) -> None:
    for _ in range(5):
        call(server, "sendMessage", text="a")
    with pytest.raises(Refusal) as found:
        call(server, "sendMessage", text="a")
    assert found.value.body() == {
        "ok": False,
        "error_code": 429,
        "description": "Too Many Requests: retry after 1",
        "parameters": {"retry_after": 1},
    }
    clock.now_s += 1
    call(server, "sendMessage", text="a")


def test_rates_of_a_group_and_of_all(server: BotServer, clock: Clock) -> None:
    builders = group(server)
    for _ in range(20):
        call(server, "sendMessage", chat_id=builders.id, text="a")
        clock.now_s += 1
    assert refused(server, "sendMessage", chat_id=builders.id, text="a").startswith("429 Too Many Requests")
    people = [Person(server, 5000 + number) for number in range(31)]
    for one in people[:30]:
        call(server, "sendMessage", chat_id=one.id, text="a")
    assert refused(server, "sendMessage", chat_id=people[30].id, text="a").startswith("429 Too Many Requests")


def test_who_blocked_the_bot_gets_nothing(server: BotServer) -> None:
    ada = Person(server, 4711)
    ada.block()
    assert refused(server, "sendMessage", text="a") == "403 Forbidden: bot was blocked by the user"
    ada.block(False)
    call(server, "sendMessage", text="a")


def test_tokens(server: BotServer) -> None:
    for token, code in (("1:x", 401), ("x", 404)):
        with pytest.raises(Refusal) as found:
            server.serve(token, "getMe", {})
        assert found.value.code == code
    assert refused(server, "dance").startswith("404")


# --- updates -----------------------------------------------------------------------------------


def texts(updates: list[dict[str, Any]]) -> list[str]:
    return [update["message"]["text"] for update in updates]


def test_an_offset_confirms_and_nothing_else_does(server: BotServer) -> None:
    ada = Person(server, 4711)
    ada.write("a")
    ada.write("b")
    first = call(server, "getUpdates")
    assert texts(first) == texts(call(server, "getUpdates")) == ["a", "b"]
    assert texts(call(server, "getUpdates", limit=1)) == ["a"]
    assert texts(call(server, "getUpdates", offset=first[0]["update_id"] + 1)) == ["b"]
    assert texts(call(server, "getUpdates")) == ["b"]
    ada.write("c")
    assert texts(call(server, "getUpdates", offset=-1)) == ["c"]


def test_updates_are_kept_a_day(server: BotServer, clock: Clock) -> None:
    Person(server, 4711).write("a")
    clock.now_s += KEPT_S + 1
    assert call(server, "getUpdates") == []


def test_only_allowed_updates_come(server: BotServer) -> None:
    ada = Person(server, 4711)
    call(server, "getUpdates", allowed_updates=["callback_query"])
    ada.write("a")
    ada.send_data(ada.chat, 1, "x")
    (update,) = call(server, "getUpdates")
    assert set(update) == {"update_id", "callback_query"}
    assert update["callback_query"]["message"] == {
        "chat": ada.chat.wire(),
        "message_id": 1,
        "date": update["callback_query"]["message"]["date"],
        "from": ada.user.wire(),
        "text": "a",
    }


def test_in_a_group_a_bot_is_told_what_is_for_it(server: BotServer) -> None:
    ada, builders = Person(server, 4711), group(server)
    mine = call(server, "sendMessage", chat_id=builders.id, text="asks")
    ada.write("chatter", chat=builders)
    ada.write("/pending", chat=builders)
    ada.write("because", chat=builders, reply_to=mine["message_id"])
    assert texts(call(server, "getUpdates")) == ["/pending", "because"]


def test_one_consumer_alone(server: BotServer) -> None:
    server.webhook = "https://example.com"
    assert refused(server, "getUpdates") == f"409 {WEBHOOK}"
    assert call(server, "getWebhookInfo")["url"] == "https://example.com"
    assert call(server, "deleteWebhook") is True
    ended: list[Refusal] = []

    def poll() -> None:
        try:
            call(server, "getUpdates", timeout=20)
        except Refusal as refusal:
            ended.append(refusal)

    first = threading.Thread(target=poll)
    first.start()
    server.wait(lambda: len(server.called("getUpdates")) == 2)
    assert call(server, "getUpdates") == []
    assert ended == []
    assert call(server, "getUpdates", timeout=1) == []
    first.join(10)
    assert [(refusal.code, refusal.description) for refusal in ended] == [(409, CONFLICT)]


FORM = (
    b'--X\r\nContent-Disposition: form-data; name="chat_id"\r\n\r\n4711\r\n'
    b'--X\r\nContent-Disposition: form-data; name="text"\r\n\r\na b\r\n--X--\r\n'
)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/json", b'{"chat_id": 4711, "text": "a b"}'),
        ("application/x-www-form-urlencoded", b"chat_id=4711&text=a+b"),
        ("multipart/form-data; boundary=X", FORM),
    ],
)
def test_parameters_come_in_whichever_way(kind: str, body: bytes) -> None:
    with served() as server:
        ada = Person(server, 4711)
        request = urllib.request.Request(f"{server.url}/bot{TOKEN}/sendMessage", body, {"Content-Type": kind})
        with urllib.request.urlopen(request, timeout=10) as answer:
            assert answer.status == 200
        assert [message.text for message in ada.sees()] == ["a b"]
        with pytest.raises(urllib.error.HTTPError) as failed:
            urllib.request.urlopen(f"{server.url}/bot1:x/getMe", timeout=10)
        assert failed.value.code == 401
        failed.value.close()


def test_blank_ends_and_some_marks_are_taken_away_and_entities_move_along(server: BotServer) -> None:
    marks = [{"type": "bold", "offset": 1, "length": 4}, {"type": "code", "offset": 6, "length": 2}]
    call(server, "sendMessage", text="\n a\u030a😀 b \n", entities=marks)
    (message,) = server.shown(4711)
    assert message.text == "a😀 b"
    assert message.entities == [
        {"type": "bold", "offset": 0, "length": 1},
        {"type": "code", "offset": 3, "length": 2},
    ]
    assert refused(server, "sendMessage", text=" \u0333\n") == "400 Bad Request: message text is empty"


def test_what_forces_a_reply_cannot_be_edited(server: BotServer) -> None:
    sent = call(server, "sendMessage", text="Why?", reply_markup={"force_reply": True})
    said = refused(server, "editMessageText", message_id=sent["message_id"], text="Over")
    assert said == "400 Bad Request: message can't be edited"
