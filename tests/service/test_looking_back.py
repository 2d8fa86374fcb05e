"""The record of play: what it costs to look back, and that all of it belongs together."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from punto.ledger.accounts import patron_account
from punto.ledger.moves import buy, cash_out
from punto.protocol.views import Funds, Movement
from punto.rules.refusals import Refusal
from punto.service.people.person import Person
from punto.service.viewing import history
from punto.store.memory import MemoryStore
from punto.store.records import Batch, NewRecord, Record, StatementLine, Unit
from tests.service.rig import PIT, Rig, gather, plain, rig


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
    table = await r.table(PIT)
    dan = await r.person("Dan", "dealer")
    ann, bo = await r.person("Ann", cents=100_000), await r.person("Bo", cents=100_000)
    await r.done(dan, table, "load-shoe")
    await r.done(ann, table, "sit", box=1)
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


class Moving(MemoryStore):
    """Money moves whenever it is asked about: in, and out again, so that the balance looks as if nothing had."""

    moves: list[Any]

    async def statement(
        self, account: str, before: tuple[int, int] | None = None, limit: int = 100
    ) -> list[StatementLine]:
        await self._move()
        found = await super().statement(account, before, limit)
        await self._move()
        return found

    async def _move(self) -> None:
        moves, self.moves = self.moves, []  # to append is to ask, too
        if moves:
            await self.append(moves.pop(0))
        self.moves = moves


@pytest.mark.parametrize("start", range(4))
async def test_a_statement_and_its_credit_belong_together_whatever_moves_meanwhile(start: int) -> None:
    store = Moving()
    store.moves = []
    async with rig(store=store) as r:
        table, dan, ann, _ = await opened(r)
        await play(r, table, dan, ann, rounds=2)
        bought, paid = ("credits-bought", buy), ("cashed-out", cash_out)
        moves = [(bought, 500), (paid, 500), (bought, 70), (paid, 70), (bought, 70), (paid, 20)]
        batches = []
        for number, ((kind, move), cents) in enumerate(moves):
            told = f'{{"at":0,"cents":{cents},"patron":"{ann.id}","reference":"move-{number}"}}'
            record = NewRecord(kind, told, (move(ann.id, cents, f"move-{number}"),))
            batches.append(Batch("desk", None, 0, (Unit((record,)),)))
        # Two rounds won: 1,000 out and 2,000 in, twice over 100,000.
        store.moves = batches[start:]
        first = await r.house.history.round(table, ann, 1)
        assert not isinstance(first, Refusal)
        assert first.funds == (Funds("ann", 100_000, 101_000),)
        store.moves = [replace(batch, time_ms=1) for batch in batches[start:]]
        for line in await r.house.statement(ann):
            credit = sum(older.cents for older in await whole(store) if older.place <= place(line))
            assert line.after_cents == credit
            assert line.before_cents == credit - line.amount_cents


async def whole(store: MemoryStore) -> list[StatementLine]:
    return await MemoryStore.statement(store, patron_account("ann"), limit=1_000)


def place(line: Movement) -> tuple[int, int]:
    record, number = map(int, line.place.split("-"))
    return record, number
