"""Which way in stops before no file is left; what becomes of a flood is in tests/fuzz."""

from __future__ import annotations

import resource

import pytest

from sayso.daemon.files import ACCEPTED_AT_ONCE, HTTP_SHARE, SOCKET_SHARE, is_crowded

SOFT = 1024


def limited(monkeypatch: pytest.MonkeyPatch, soft: int) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _which: (soft, soft))


def test_http_stops_before_the_socket_does(monkeypatch: pytest.MonkeyPatch) -> None:
    limited(monkeypatch, SOFT)

    assert not is_crowded(700, HTTP_SHARE)
    assert is_crowded(800, HTTP_SHARE)
    assert not is_crowded(800, SOCKET_SHARE)
    assert is_crowded(1000, SOCKET_SHARE)


def test_what_is_taken_in_at_once_fits_into_what_is_left() -> None:
    assert ACCEPTED_AT_ONCE <= SOFT * (1 - SOCKET_SHARE)


def test_without_a_limit_nothing_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    limited(monkeypatch, resource.RLIM_INFINITY)

    assert not is_crowded(10**6, HTTP_SHARE)
