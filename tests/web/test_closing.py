"""A table that is closed and opened again over HTTP: shoe, seats and money stay, and the cashier is always there."""

from __future__ import annotations

from typing import Any

import pytest

from punto.client import Client, RefusedByServerError
from punto.table.automatic import Timing
from tests.web.rig import AUTOMATIC, PIT, Edge, edge, refusal

PACE = Timing(betting_ms=200, card_ms=5, insurance_ms=20, pause_ms=300)


class Floor:
    """A table where Ann sits, Cy stands behind her and a round has been played, and its people."""

    def __init__(self, e: Edge, spec: dict[str, Any]) -> None:
        self.e, self.spec, self.table = e, spec, spec["table"]
        self.live = spec["mode"] == "live"

    async def begin(self) -> None:
        await self.e.table(self.spec)
        self.ann, self.cy = await self.e.person("Ann", cents=10_000), await self.e.person("Cy", cents=10_000)
        self.dan, self.sue = await self.e.person("Dan", "dealer"), await self.e.person("Sue", "pit-supervisor")
        await self.ann.command(self.table, "sit", box=1)
        await self.cy.command(self.table, "stand", box=1)
        if self.live:
            await self.dan.command(self.table, "load-shoe")
            await self.round()

    async def round(self) -> None:
        """Play a round of a live table, with a bet of Ann's."""
        await self.dan.command(self.table, "open-bets")
        await self.ann.command(self.table, "place-bet", box=1, on="player", stake_cents=1_000)
        await self.e.deal(self.dan, table=self.table)

    async def close(self) -> None:
        """Close the table between rounds: an automatic one after the round in which that is in time."""
        if self.live:
            await self.sue.command(self.table, "close-table")
            return
        async with self.ann.watch(self.table) as watched:
            while True:
                await watched.until(lambda: bool(watched.view.round) and watched.view.phase == "between-rounds")
                try:
                    await self.sue.command(self.table, "close-table")
                except RefusedByServerError as refused:
                    assert refused.code == "wrong-phase"
                    await watched.until(lambda: watched.view.phase == "betting")
                else:
                    return

    async def reopen(self, **changes: Any) -> Any:
        return await self.sue.post("/api/tables", self.spec | changes)

    async def viewers(self) -> tuple[Client, ...]:
        return self.e.public, self.ann, self.cy, self.dan, self.sue


@pytest.mark.parametrize("spec", [PIT, AUTOMATIC], ids=["live", "automatic"])
async def test_a_closed_table_shows_all_it_keeps_and_the_cashier_is_open(spec: dict[str, Any]) -> None:
    async with edge(timing=PACE) as e:
        floor = Floor(e, spec)
        await floor.begin()
        await floor.close()
        address = f"/api/tables/{floor.table}"
        for viewer in await floor.viewers():
            seen = await viewer.snapshot(floor.table)
            assert (seen.phase, seen.ends_at_ms, seen.round >= 1) == ("not-open", None, True)
            assert seen.table.decks == 8
            assert (seen.boxes[0].seated, seen.boxes[0].standing, len(seen.boxes)) == ("Ann", 1, 9)
            assert seen.shoe is not None
            assert seen.shoe.dealt >= 4
            assert (len(seen.last), seen.roads.rounds) == (seen.round, seen.round)
            assert len(await viewer.get(f"{address}/rounds")) == seen.round
            published = await viewer.get(f"{address}/shoes/1")
            assert (published["over"], published["order"], published["salt"]) == (False, None, None)
            async with viewer.watch(floor.table) as watched:
                assert watched.view.phase == "not-open"
        [line] = await e.public.get("/api/tables")
        assert (line["phase"], line["patrons"], line["minimum_cents"]) == ("not-open", 2, 1_000)
        await floor.dan.get(f"{address}/values")

        before = (await floor.ann.me()).balance_cents
        assert before is not None
        assert await floor.ann.buy(500) == before + 500
        assert (await floor.ann.cash_out(400)).amount_cents == 400
        assert (await floor.cy.cash_out()).amount_cents == 10_000
        for kind in ("sit", "stand"):
            assert (await refusal(floor.ann.command(floor.table, kind, box=2))).code == "table-not-open"
        for kind in ("open-bets", "load-shoe", "come-on-duty"):
            code = (await refusal(floor.dan.command(floor.table, kind))).code
            assert code in {"table-not-open", "automatic"}
        await floor.cy.command(floor.table, "leave")
        for viewer in await floor.viewers():
            assert (await viewer.snapshot(floor.table)).boxes[0].standing == 0
            if viewer is not e.public:
                await viewer.get(f"{address}/choices")


async def test_the_cashier_is_open_while_a_round_is_held() -> None:
    async with edge() as e:
        await e.table(PIT | {"game": "easy-six", "layout": "bean-7"})
        dan, ann = await e.person("Dan", "dealer"), await e.person("Ann", cents=10_000)
        await e.betting(dan)
        await ann.command("pit", "sit", box=1)
        await ann.command("pit", "place-bet", box=1, on="player", stake_cents=1_000)
        await dan.command("pit", "close-bets")
        await dan.command("pit", "recover")
        assert (await ann.snapshot("pit")).phase == "held"
        assert await ann.buy(500) == 9_500
        assert (await ann.cash_out()).amount_cents == 9_500
