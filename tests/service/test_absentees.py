"""Places of patrons who are gone from an automatic table are freed; whoever is there or bets keeps theirs."""

from __future__ import annotations

from punto.service.viewing.subscriptions import Subscription
from punto.table.automatic import AUTOMAT
from tests.service.rig import ETG, Rig, rig


async def rounds(r: Rig, reader: Subscription, count: int) -> None:
    for _ in range(count):
        await r.until(reader, "bets-closed")


async def test_whoever_is_gone_for_three_rounds_loses_the_place() -> None:
    async with rig() as r:
        table = await r.table(ETG)
        ann, bo, cy = [await r.person(name, cents=100_000) for name in ("Ann", "Bo", "Cy")]
        reader = r.house.subscribe(table, await r.person("Dan", "dealer"))
        _, leaving = r.house.subscribe(table, ann), r.house.subscribe(table, bo)
        for box, who in enumerate((ann, bo, cy), 1):
            await r.done(who, table, "sit", box=box)
        await rounds(r, reader, 1)
        leaving.close()
        for _ in range(2):  # Cy has no connection, but bets
            await r.until(reader, "bets-opened")
            await r.done(cy, table, "place-bet", box=3, on="player", stake_cents=1_000)
            await rounds(r, reader, 1)
        assert r.house.followed(table).state.seats == {1: "ann", 2: "bo", 3: "cy"}
        left = await r.until(reader, "patron-left")
        assert (left["event"]["patron"], left["event"]["by"], left["event"]["absent"]) == ("bo", AUTOMAT.text, True)
        await rounds(r, reader, 1)
        assert r.house.followed(table).state.seats == {1: "ann", 3: "cy"}, "Cy was gone for one round only"
        await r.done(bo, table, "sit", box=2)


async def test_nobody_loses_a_place_where_the_house_does_not_want_it() -> None:
    async with rig(absent_rounds=0) as r:
        table = await r.table(ETG)
        ann, bo = await r.person("Ann"), await r.person("Bo")
        reader = r.house.subscribe(table, ann)
        await r.done(bo, table, "sit", box=2)
        await rounds(r, reader, 5)
        assert r.house.followed(table).state.seats == {2: "bo"}
