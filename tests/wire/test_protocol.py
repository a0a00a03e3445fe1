"""The table of methods: who may call what, and that it says so for each."""

from __future__ import annotations

from sayso.wire.protocol import METHODS, Power


def test_each_power_includes_the_ones_below() -> None:
    assert Power.NONE < Power.ASK < Power.SEE < Power.ANSWER < Power.ADMIN


def test_every_method_has_a_power_and_words() -> None:
    for name, method in METHODS.items():
        assert method.power > Power.NONE or name in ("desk.pair", "desk.push_answer"), name
        assert method.about, name
        assert name.partition(".")[0] in ("agent", "desk") or name == "askUserRequestSnapshot", name


def test_case_51_what_hooks_call_needs_no_more_than_asking() -> None:
    asking = {name for name, method in METHODS.items() if method.power is Power.ASK}
    hooks = {"request", "event", "written", "not_written", "gone", "take-message"}
    assert asking >= {f"agent.{name}" for name in hooks}
    assert not {name for name in asking if name.startswith("desk.")}


def test_case_51_what_decides_needs_the_power_to_answer() -> None:
    for name in ("desk.answer", "desk.release", "desk.queue", "desk.unqueue"):
        assert METHODS[name].power is Power.ANSWER
    for name in ("desk.settings", "desk.devices", "desk.stop"):
        assert METHODS[name].power is Power.ADMIN


def test_receipts_are_not_answered() -> None:
    assert {name for name, method in METHODS.items() if method.notifies} == {
        "agent.written",
        "agent.not_written",
        "agent.gone",
    }
    assert {"agent.request", "desk.subscribe"} <= {name for name, method in METHODS.items() if method.holds}
