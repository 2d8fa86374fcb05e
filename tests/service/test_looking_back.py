"""The record of play: what it costs to look back, and that all of it belongs together."""

from __future__ import annotations

import asyncio
from typing import Any

from punto.service.people.person import Person
from punto.service.viewing import history
from punto.store.memory import MemoryStore
from punto.store.records import Record
from tests.service.rig import Rig, gather, plain, rig


class CountingStore(MemoryStore):
    """Says how often it was read, and can hold a reader up."""

    reads = 0
    gate: asyncio.Event | None = None

    async def read(self, stream: str, after: int = 0, limit: int = 1_000) -> list[Record]:
        self.reads += 1
        if self.gate is not None:
            await self.gate.wait()
        return await super().read(stream, after, limit)


async def play(r: Rig, table: str, dan: Person, *patrons: Person, rounds: int = 1) -> None:
    for _ in range(rounds):
        await r.play(dan, table, *[(patron, "player", 1_000) for patron in patrons])


async def opened(r: Rig) -> tuple[str, Person, Person, Person]:
    """A table with a shoe, its Dealer, and two patrons at box 1."""
    (ann, dan, table), bo = await r.live(100_000), await r.person("Bo", cents=100_000)
    await r.done(bo, table, "stand", box=1)
    return table, dan, ann, bo


async def test_rounds_read_in_one_go_are_what_each_is_alone() -> None:
    async with rig() as r:
        table, dan, ann, bo = await opened(r)
        await play(r, table, dan, ann, bo, rounds=2)
        await r.done(bo, table, "leave")  # a record between two rounds
        await play(r, table, dan, ann)
        for who in (None, ann, bo, dan):
            told = await r.house.history.rounds(table, who)
            assert [each.round for each in told] == [3, 2, 1]
            for each in told:
                whole = plain(await r.house.history.round(table, who, each.round))
                alone = plain(each)
                assert alone == {name: whole[name] for name in alone} | {"replay": False}
        assert [line.bet.patron for line in (await r.house.history.rounds(table, bo))[1].lines] == ["bo"]
        assert (await r.house.history.rounds(table, None))[1].lines == ()
        assert len((await r.house.history.rounds(table, dan))[1].lines) == 2
        assert [each.round for each in await r.house.history.rounds(table, None, before=3, limit=1)] == [2]
        assert await r.house.history.rounds(table, None, before=1) == []


async def test_rounds_are_read_together_and_only_staff_get_many(monkeypatch: Any) -> None:
    monkeypatch.setattr(history, "MOST_ROUNDS", 3)
    store = CountingStore()
    async with rig(store=store) as r:
        table, dan, ann, _ = await opened(r)
        await play(r, table, dan, ann, rounds=5)
        store.reads = 0
        assert [each.round for each in await r.house.history.rounds(table, ann, limit=500)] == [5, 4, 3]
        assert [each.round for each in await r.house.history.rounds(table, None, before=3, limit=500)] == [2, 1]
        assert [each.round for each in await r.house.history.rounds(table, dan, limit=500)] == [5, 4, 3, 2, 1]
        assert store.reads == 3


async def test_the_public_looks_back_one_at_a_time_and_staff_need_not_wait() -> None:
    store = CountingStore()
    async with rig(store=store) as r:
        table, dan, ann, _ = await opened(r)
        await play(r, table, dan, ann)
        store.reads, store.gate = 0, asyncio.Event()
        looks = [asyncio.create_task(r.house.history.rounds(table, None)) for _ in range(20)]
        looks.append(asyncio.create_task(r.house.history.rounds(table, ann)))
        await asyncio.sleep(0)
        assert store.reads == 1
        staff = asyncio.create_task(r.house.history.rounds(table, dan))
        await asyncio.sleep(0)
        assert store.reads == 2
        store.gate.set()
        assert all(len(found) == 1 for found in await gather(*looks, staff))
