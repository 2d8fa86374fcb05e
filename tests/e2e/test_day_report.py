"""`punto day-report`: the figures of a gaming day from a database, for people, programs and spreadsheets."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from pathlib import Path

import pytest

from punto.analysis.edges import bet_edge
from punto.ledger.table_day import DAY_MS, rounded
from punto.rules.loader import load
from tests.manual_clock import ManualClock
from tests.service.rig import PIT, SETTINGS, rig
from tests.unit.command import punto

NOW_MS = 1_763_200_000_000
"""15 November 2025, 09:46 UTC."""


@pytest.fixture
async def database(tmp_path: Path) -> str:
    """A table that played a round on one day and another on the next."""
    address, clock = f"sqlite:///{tmp_path / 'house.db'}", ManualClock(NOW_MS)
    async with rig(SETTINGS, clock=clock, database=address) as r:
        ann, dan = await r.person("Ann", cents=1_000_000), await r.person("Dan", "dealer")
        table = await r.table(PIT, name="High limit 1")
        await r.done(ann, table, "sit", box=1)
        await r.done(dan, table, "come-on-duty")
        await r.done(dan, table, "load-shoe")
        for stake in (10_000, 30_000):
            await r.play(dan, table, (ann, "player", stake), (ann, "tie", stake), cards="4h 7d 4s Kc")
            clock.advance(DAY_MS)
        clock.advance(-DAY_MS)
        max_ = await r.person("Max", "pit-manager")
        out, _ = [await r.house.cashier.cash_out(ann, cents, f"out-{cents}") for cents in (500, 700)]
        assert out.ticket is not None
        assert (await r.house.cashier.pay(max_, out.ticket.ticket, "paid")).refused is None
    return address


async def test_a_day_is_reported_to_the_cent(database: str) -> None:
    told = json.loads(punto("day-report", "--database", database, "--day", "2025-11-15", "--json").stdout)
    [table] = told["tables"]
    assert (table["name"], table["rounds"], table["handle_cents"], table["win_cents"]) == ("High limit 1", 1, 20_000, 0)
    edges = [bet_edge(load("commission"), 8, on) for on in ("player", "tie")]
    assert table["theoretical_cents"] == rounded(sum(edges, Fraction(0)) * 10_000)
    assert table["hold_basis_points"] == 0
    assert told["credits"] == [{"person": "ann", "name": "Ann", "sold_cents": 1_000_000, "paid_out_cents": 0}]
    later = json.loads(punto("day-report", "--database", database, "--day", "2025-11-16", "--json").stdout)
    assert later["tables"][0]["handle_cents"] == 60_000
    # A day that starts at 10:00 still has the morning of the next calendar day.
    shifted = punto("day-report", "--database", database, "--day", "2025-11-14", "--day-starts", "10:00", "--json")
    assert json.loads(shifted.stdout)["tables"][0]["handle_cents"] == 20_000


async def test_a_day_is_told_to_people_in_both_languages_and_exported(database: str, tmp_path: Path) -> None:
    day = ("day-report", "--database", database, "--day", "2025-11-16")
    english, chinese = punto(*day).stdout, punto("--lang", "zh-Hans", *day).stdout
    for words in (
        "Gaming day 2025-11-16",
        "High limit 1",
        "Dan",
        "600.00",
        "Owed to the House: 0.00",
        "Tickets not used yet: 7.00",
        "Max sold 0.00 and paid out 5.00",
    ):
        assert words in english
    assert "营业日 2025-11-16" in chinese
    file = tmp_path / "day.csv"
    punto(*day, "--csv", str(file))
    table, total = csv.DictReader(io.StringIO(file.read_text()))
    assert (table["handle_cents"], table["on_duty"], total["handle_cents"]) == ("60000", "Dan (dealer)", "60000")


async def test_what_is_no_day_is_refused(database: str) -> None:
    for arguments, code in ((("--day", "tomorrow"), "usage"), (("--day-starts", "dawn"), "day-start-invalid")):
        done = punto("day-report", "--database", database, *arguments, "--json")
        assert (done.returncode, json.loads(done.stdout)["refused"]["code"]) == (2, code)
