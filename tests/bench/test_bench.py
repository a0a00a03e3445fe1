"""The benchmark works: every measurement, a few times each, and what is told of it."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

from bench import __main__ as bench
from bench import desks, table
from bench.table import Row
from bench.world import CannotMeasure, World

MANY, STREAMS = 1000, 200
ROWS = [
    Row("to compare: nothing", "1 ms"),
    table.ratio("a hook", [0.03, 0.01, 0.02], [0.01, 0.01], 1.75, "nothing"),
    table.percentiles("an answer", [0.001, 0.002, 0.1], {50: 0.010, 99: 0.200}, "with care"),
    Row("a page", bar="500 ms", failure="there is no browser"),
]


def test_a_ratio_compares_medians() -> None:
    assert ROWS[1].measured == "2.00 x nothing (20 ms to 10 ms)"
    assert (ROWS[1].bar, ROWS[1].verdict) == ("1.75 x", "MISSED")


def test_percentiles_have_each_their_bar() -> None:
    assert (ROWS[2].measured, ROWS[2].bar) == ("p50 2 ms, p99 98 ms", "p50 10 ms, p99 200 ms")
    assert ROWS[2].verdict == "met"
    assert table.percentiles("one", [0.02], {50: 0.01}).verdict == "MISSED"


def test_the_table_for_a_terminal() -> None:
    lines = table.plain(ROWS, ["machine: small"]).splitlines()
    assert lines[0] == "machine: small"
    assert lines[2].split() == ["what", "measured", "bar"]
    assert lines[4].endswith("MISSED")
    assert lines[6].endswith("not measured")
    assert lines[-2:] == ["an answer: with care", "a page: there is no browser"]


def test_the_table_for_the_documentation() -> None:
    page = table.page(ROWS, ["machine: small"], "python -m bench --write")
    assert page.startswith("# Performance\n")
    assert "`python -m bench --write`" in page
    assert "| a hook | 2.00 x nothing (20 ms to 10 ms) | 1.75 x | MISSED |" in page
    assert "| a page |  | 500 ms | not measured |" in page
    assert "- an answer: with care\n" in page


ROWS_OF = {
    "starts": 6,
    "observer": 1,
    "asking": 1,
    "questions": 1,
    "answers": 1,
    "held": 2,
    "requested": 2,
    "asked": 1,
    "streams": 3,
    "codex": 1,
    "idle": 2,
    "masks": 4,
    "page": 2,
}


NAMES = [
    pytest.param(name, marks=pytest.mark.end_to_end) if name == "page" else name for name in bench.MEASURES
]
"""A real browser measures the page."""


@pytest.mark.parametrize("name", NAMES)
def test_a_few_of_each_can_be_measured(name: str) -> None:
    rows = bench.measured(name, bench.TINY)
    assert [row.failure for row in rows if row.failure] == []
    assert all(row.measured for row in rows)
    assert len([row for row in rows if "node" not in row.what]) == ROWS_OF[name]
    every = [row for row in rows if row.what.endswith("random order")]
    assert [row.verdict for row in every] == ["met"] * (name in ("held", "requested", "asked"))


def test_each_run_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with World() as world:
        assert world.home.parent == tmp_path
    assert list(tmp_path.iterdir()) == []


def test_it_ends_with_0_however_slow(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(bench.MEASURES, "idle", lambda _world, _sizes: ROWS[:2])
    assert bench.main(["--only", "idle"]) == 0
    said = capsys.readouterr().out
    assert "MISSED" in said
    assert said.startswith("machine: ")


def test_it_ends_with_1_when_something_could_not_be_measured(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def measure(_world: World, _sizes: bench.Sizes) -> list[Row]:
        raise CannotMeasure("the moon is full")

    monkeypatch.setitem(bench.MEASURES, "idle", measure)
    assert bench.main(["--only", "idle"]) == 1
    assert "idle: the moon is full" in capsys.readouterr().out


def test_the_page_is_written_when_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "PAGE", tmp_path / "performance.md")
    monkeypatch.setitem(bench.MEASURES, "idle", lambda _world, _sizes: ROWS)
    bench.main(["--only", "idle", "--write"])
    assert (tmp_path / "performance.md").read_text("utf-8").startswith("# Performance\n")


def test_a_thousand_requests_wait_over_http_and_each_is_answered_once() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))  # as the benchmark does, for its clients
    try:
        with World() as world:
            rows = desks.requested(world, MANY)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert [row.failure for row in rows] == ["", ""]
    assert rows[1].measured == f"{MANY + 20:,} of {MANY + 20:,}"


def test_two_hundred_streams_at_once_all_hear_of_it() -> None:
    with World() as world:
        rows = desks.streams(world, 2, STREAMS)
    assert [row.failure for row in rows] == [""] * 3
    assert all(row.measured for row in rows)
