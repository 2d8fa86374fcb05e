"""docs/api.md holds what the code says."""

from __future__ import annotations

import pytest

from punto.service.settings import EdgeLimits
from punto.web.app import make_app, route_table
from punto.web.problems import STATUS, EdgeCode, code_table, status_table
from punto.web.sockets import CLOSE_CODES, CLOSES, close_table
from tests.e2e.command import ROOT
from tests.web.rig import edge, run

PAGE = (ROOT / "docs" / "api.md").read_text()


@pytest.mark.parametrize("table", [code_table, status_table, close_table])
def test_tables_are_as_the_code_has_them(table: object) -> None:
    assert callable(table)
    assert table() in PAGE


def test_every_address_is_listed() -> None:
    async def play() -> None:
        async with edge() as e:
            assert route_table(make_app(e.house)) in PAGE

    run(play())


def test_every_code_of_the_edge_has_a_status_and_every_close_a_word() -> None:
    assert set(EdgeCode) <= set(STATUS)
    assert set(CLOSE_CODES.values()) <= set(CLOSES)


def test_the_limits_are_those_of_the_settings() -> None:
    limits = EdgeLimits()
    kib = limits.payload_bytes // 1024
    assert f"{limits.messages_per_second} times a second after a burst of {limits.burst}, send {kib} KiB" in PAGE
    assert f"keep {limits.connections_per_person}\nconnections open" in PAGE
    assert f"keep {limits.boards_per_address:,} display boards" in PAGE
    assert f"leaves {limits.queued_messages} messages unread" in PAGE
