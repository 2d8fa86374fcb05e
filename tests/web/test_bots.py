"""Bots fill tables and play: a load that any house can be tried with, and money that adds up after it."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from punto.client import Client, ConnectionLostError, RefusedByServerError
from punto.client.bots import Tally, play
from punto.table.automatic import Timing
from tests.e2e.command import punto
from tests.web.rig import AUTOMATIC, edge, refusal
from tests.web.served import Served

QUICK = Timing(betting_ms=400, card_ms=2, insurance_ms=1_000, pause_ms=10)


@asynccontextmanager
async def playing(house: Client, patrons: int, *tables: str) -> AsyncIterator[Tally]:
    """Bots that play meanwhile, and have left afterwards."""
    tally = Tally()
    task = asyncio.create_task(play(house, patrons, tables, tally, seed=1))
    yield tally
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


async def test_bots_play_insure_and_leave_with_their_money() -> None:
    async with edge(timing=QUICK) as e:
        await e.table(AUTOMATIC, game="commission-insurance", table="insured", layout="bean-9")
        await e.table(AUTOMATIC, game="easy-six", table="easy")
        watcher = await e.person("Sue", "pit-supervisor")
        async with playing(e.public, 30) as tally, watcher.watch("insured") as table:
            await table.until(lambda: table.view.round >= 3 and tally.insured > 0 and tally.bets > 30)
        assert tally.patrons == 30
        assert set(tally.refused) <= TOLERATED, tally.refused
        balances = await e.house.store.balances()
        assert sum(balances.values()) == 0
        assert all(cents >= 0 for account, cents in balances.items() if account.startswith("patron:"))
        for name in ("easy", "insured"):  # whoever left with bets in play has the place until the round ends
            async with watcher.watch(name) as table:
                await table.until(lambda: not any(box.seated or box.standing for box in table.view.boxes))
        assert [each.patrons for each in await e.public.tables()] == [0, 0]


TOLERATED = {
    "box-taken",
    "nobody-seated",
    "bets-closed",
    "bets-not-open",
    "round-mismatch",
    "insurance-closed",
    "insurance-hand-not-on-offer",
    "insurance-over-cap",
    "over-differential",
    "funds-short",
    "wrong-phase",
}
"""What befalls anyone who plays at a table that does not wait: a place taken, a call come too early."""


async def test_bots_say_why_they_cannot_play() -> None:
    async with edge(open_door=False) as e:
        with pytest.raises(ConnectionLostError, match="the server has no tables"):
            await play(e.public, 1, (), Tally(), seed=1)
        await e.table(AUTOMATIC)
        assert (await refusal(play(e.public, 1, ("nowhere",), Tally(), seed=1))).code == "table-unknown"
        with pytest.raises(RefusedByServerError):
            await play(e.public, 1, (), Tally(), seed=1)
        admin = await e.person("Ada", "admin")
        async with playing(admin, 2, "auto"), e.public.watch("auto") as table:
            await table.until(lambda: sum(box.seated is not None for box in table.view.boxes) == 2)


async def test_where_credits_are_sold_at_the_desk_bots_need_someone_who_sells_them() -> None:
    async with edge(free_credit=False, timing=QUICK) as e:
        await e.table(AUTOMATIC)
        assert (await refusal(play(e.public, 3, (), Tally(), seed=1))).code == "credits-at-desk"
        manager = await e.person("Mia", "pit-manager")
        async with playing(manager, 3) as tally, e.public.watch("auto") as table:
            await table.until(lambda: tally.bets > 3)
        # As an operator gives the line of the tutorial: a sentence, not a traceback.
        admin = ("--token", (await e.person("Ada", "admin")).token or "")
        for token, code in (((), "credits-at-desk"), (admin, "not-permitted")):
            done = await asyncio.to_thread(punto, "bots", e.public.address, "--patrons", "3", *token)
            assert (done.returncode, f"[{code}]" in done.stderr) == (2, True), done.stderr


def test_the_command_plays_for_a_while_and_says_what_was_done() -> None:
    for seconds in ("3", "30", "300"):  # a busy machine may need longer
        with Served() as served:
            done = punto("bots", served.address, "--patrons", "4", "--seconds", seconds, "--table", "auto", "--json")
        assert done.returncode == 0, done.stderr
        told = json.loads(done.stdout)
        if told["patrons"] == 4 and told["bets"] > 0:
            break
    assert told["patrons"] == 4
    assert told["bets"] > 0
    assert told["bought_cents"] > 0
