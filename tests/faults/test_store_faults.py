"""What the house does when its store fails it, each fault as the store reports it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from punto.store import errors
from punto.store.memory import MemoryStore
from punto.store.records import Appended, Batch, Tail
from tests.faults.invariants import check
from tests.service.rig import ETG, SETTINGS, code, gather, kinds, rig


def nothing(batch: Batch) -> None:
    """No fault."""


def full_disk(batch: Batch) -> Exception:
    return errors.DiskFullError("no space left on the disk")


class Faulty:
    """A store whose commits fail as the test says: before they happen, or after."""

    def __init__(self) -> None:
        self.store = MemoryStore(lambda: 0)
        self.before: Callable[[Batch], Exception | None] = nothing
        self.after: Callable[[Batch], Exception | None] = nothing

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    async def append(self, batch: Batch) -> Appended:
        if error := self.before(batch):
            raise error
        appended = await self.store.append(batch)
        if error := self.after(batch):
            raise error
        return appended


def bets(batch: Batch) -> bool:
    return any(draft.kind == "bet-placed" for unit in batch.units for draft in unit.records)


async def test_disk_full_suspends_the_table_until_there_is_room() -> None:
    store = Faulty()
    async with rig(SETTINGS, store=store) as r:
        ann, table, reader = await r.seated(ETG, cents=10_000)
        store.before = full_disk
        bet = {"box": 1, "on": "tie", "stake_cents": 1_000}
        full = await r.give(ann, table, "place-bet", "bet", **bet)
        assert (code(full), full.seq) == ("table-suspended", r.house.snapshot(table, None).seq)
        assert r.house.snapshot(table, ann).suspended
        assert (await r.house.health.ready()).checks["tables"] == "suspended"
        assert (await r.house.health.ready()).tables[table].suspended == "no space left on the disk"
        assert await r.house.cashier.balance(ann) == 10_000
        with pytest.raises(errors.DiskFullError):
            await r.house.cashier.buy(ann, 500, "buy")
        store.before = nothing
        await r.until_seen(reader, lambda message: message["type"] == "suspended" and not message["suspended"])
        await r.until(reader, "bets-opened")
        assert (await r.house.health.ready()).checks["tables"] == "ok"
        await r.done(ann, table, "place-bet", "bet", **bet)
        assert await r.house.cashier.balance(ann) == 9_000
        assert "suspended" in {line.heading for line in await r.house.significant.newest()}
        await check(store.store)


async def test_a_failed_fsync_stops_the_house() -> None:
    store = Faulty()
    calls = []

    def fails(batch: Batch) -> Exception:
        calls.append(batch)
        return errors.BrokenStoreError("fsync: input/output error")

    from punto.service.house import open_house
    from tests.manual_clock import ManualClock
    from tests.service.rig import Rig, world

    house = await open_house(SETTINGS, world(clock := ManualClock(), store))
    r = Rig(house, clock)
    ann = await r.person("Ann", cents=10_000)
    table = await r.table(ETG)
    await r.until(house.subscribe(table, None), "bets-opened")
    store.before = fails
    reply = asyncio.create_task(r.give(ann, table, "sit", box=1))
    error = await house.failed
    assert isinstance(error, errors.BrokenStoreError)
    assert len(calls) == 1, "a broken disk is not asked again"
    await house.close()
    refused = (await reply).refused
    assert refused is not None


async def test_an_unknown_commit_is_looked_up_and_never_sent_blindly_again() -> None:
    for committed in (True, False):
        store = Faulty()
        async with rig(SETTINGS, store=store) as r:
            ann, table, _ = await r.seated(ETG, cents=10_000)
            asked: list[Tail] = []

            def lost(batch: Batch, store: Faulty = store) -> Exception | None:
                if not bets(batch):
                    return None
                store.before = store.after = nothing
                return errors.OutcomeUnknownError(Tail(batch.stream, 10_000 + len(batch.units)))

            async def resolve(
                unknown: errors.OutcomeUnknownError, committed: bool = committed, asked: list[Tail] = asked
            ) -> bool:
                asked.append(unknown.tail)
                return committed

            store.resolve = resolve  # type: ignore[attr-defined]
            if committed:
                store.after = lost
            else:
                store.before = lost
            reply = await r.done(ann, table, "place-bet", box=1, on="tie", stake_cents=1_000)
            assert len(asked) == 1
            assert kinds(reply) == ["bet-placed"]
            assert await r.house.cashier.balance(ann) == 9_000
            assert (await r.house.me(table, ann)).balance_cents == 9_000, "what is shown at the table is as new"
            await check(store.store, [(table, reply)], bets_open=1)


async def test_a_buy_that_was_found_in_the_log_is_shown_at_the_tables() -> None:
    store = Faulty()
    async with rig(SETTINGS, store=store) as r:
        ann = await r.person("Ann", cents=10_000)
        table = await r.table(ETG)

        def lost(batch: Batch) -> Exception:
            store.after = nothing
            return errors.OutcomeUnknownError(Tail(batch.stream))

        asked = 0

        async def resolve(_: errors.OutcomeUnknownError) -> bool:
            nonlocal asked
            asked += 1
            if asked == 1:
                raise errors.UnavailableError("the database cannot be used now")
            return True

        store.after, store.resolve = lost, resolve  # type: ignore[attr-defined]
        buying = asyncio.create_task(r.house.cashier.buy(ann, 500, "buy"))
        while not buying.done():
            await r.clock.step()
        assert (await buying).refused is None
        assert asked == 2
        assert (await r.house.me(table, ann)).balance_cents == 10_500


async def test_a_house_closes_while_it_cannot_find_out_whether_a_bet_was_written() -> None:
    store = Faulty()
    async with rig(SETTINGS, store=store) as r:
        ann, table, _ = await r.seated(ETG, cents=10_000)
        asked = asyncio.Event()

        async def away(_: errors.OutcomeUnknownError) -> bool:
            asked.set()
            raise errors.UnavailableError("the database cannot be used now")

        store.after = lambda batch: errors.OutcomeUnknownError(Tail(batch.stream)) if bets(batch) else None
        store.resolve = away  # type: ignore[attr-defined]
        giving = asyncio.create_task(r.give(ann, table, "place-bet", "bet", box=1, on="tie", stake_cents=1_000))
        buying = asyncio.create_task(r.house.cashier.buy(ann, 500, "buy"))
        await asked.wait()
        closing = asyncio.create_task(r.house.close())
        while not closing.done():
            await asyncio.sleep(0)
            r.clock.advance(1_000)
        await closing
        unsure = await giving
        assert code(unsure) == "house-closing", "neither done nor refused: the key tells, after the next start"
        assert (await buying).refused is None
        assert not r.house.failed.done()


async def test_a_bet_that_races_the_close_is_in_or_out_by_its_number() -> None:
    async with rig() as r:
        ann, table, reader = await r.seated(ETG, cents=1_000_000)
        await r.done(ann, table, "place-bet", box=1, on="tie", stake_cents=1_000)

        def raises() -> list[asyncio.Task[Any]]:
            return [
                asyncio.create_task(r.give(ann, table, "raise-bet", box=1, on="tie", add_cents=100)) for _ in range(5)
            ]

        early = raises()
        await asyncio.sleep(0)
        r.clock.advance(10_000)
        replies = await gather(*early, *raises())
        closed = await r.until(reader, "bets-closed")
        taken = [reply for reply in replies if reply.refused is None]
        assert all(reply.seq < closed["seq"] for reply in taken)
        late = [reply for reply in replies if reply.refused is not None]
        assert all(reply.refused.code == "bets-closed" for reply in late)
        first_card = await r.until(reader, "card-dealt")
        assert first_card["seq"] > closed["seq"]
        assert code(await r.give(ann, table, "raise-bet", box=1, on="tie", add_cents=100)) == "bets-closed"
        await check(r.house.store)


async def test_a_clock_that_jumps_changes_no_order_and_is_noted() -> None:
    async with rig() as r:
        table = await r.table(ETG)
        reader = r.house.subscribe(table, None)
        first = await r.until(reader, "bets-opened")
        r.clock.jump(-3_600_000)
        closed = await r.until(reader, "bets-closed")
        assert closed["at_ms"] < first["at_ms"]
        assert closed["seq"] > first["seq"]
        await r.until(reader, "round-closed")
        (jump,) = [line for line in await r.house.significant.newest() if line.heading == "clock"]
        assert (jump.code, jump.parameters) == ("clock-jumped", {"by_ms": -3_600_000, "owner": "house"})
        await check(r.house.store)


async def test_closing_finishes_the_round_that_is_on_the_table() -> None:
    store = MemoryStore(lambda: 0)
    async with rig(SETTINGS, store=store, stop_ms=60_000) as r:
        ann, table, _ = await r.seated(ETG, cents=10_000)
        await r.done(ann, table, "place-bet", box=1, on="tie", stake_cents=1_000)
        closing = asyncio.create_task(r.house.close())
        while not closing.done():
            step = asyncio.create_task(r.clock.step())
            await asyncio.wait({closing, step}, return_when=asyncio.FIRST_COMPLETED)
            step.cancel()
        state = r.house.followed(table).state
        assert (state.round, state.rounds) == (None, 1)
        assert r.house.metrics.value("punto_rounds_total", table=table, ending="settled") == 1
        assert code(await r.give(ann, table, "leave")) == "house-closing"
    await check(store, bets_open=0)
