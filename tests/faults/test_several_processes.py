"""Several processes on one store: any serves any terminal, one owns each table, and a dead owner is replaced."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, TypeVar
from unittest.mock import AsyncMock, patch

import pytest
from msgspec import Raw

from punto.protocol.refusals import StoreUnavailable
from punto.protocol.shown import show_refusal
from punto.service.people.admissions import SET_UP
from punto.service.people.first_run import FIRST_RUN, HELD_MS
from punto.service.tables.command_router import Forwarded
from punto.store import errors
from punto.store.memory import MemoryStore
from punto.store.records import Batch
from punto.table.phases import Phase
from tests.faults.invariants import check
from tests.local_bus import LocalBus
from tests.manual_clock import ManualClock
from tests.service.rig import ETG, PIT, SETTINGS, Rig, code, crash, rig

T = TypeVar("T")


@asynccontextmanager
async def two(bus: LocalBus | None = None) -> AsyncIterator[tuple[Rig, Rig, MemoryStore]]:
    """Two processes of one house, here in one loop: the first owns the table `etg`."""
    clock, bus = ManualClock(), bus or LocalBus()
    store = MemoryStore(clock.now_ms)
    shared = replace(SETTINGS, always_on=True)
    async with (
        rig(shared, clock=clock, store=store, bus=bus, owner="one") as one,
        rig(shared, clock=clock, store=store, bus=bus, owner="two") as other,
    ):
        await one.table(ETG)
        await settled(lambda: "etg" in other.house.registry.hosts)
        yield one, other, store


async def as_time_passes(clock: ManualClock, work: Coroutine[Any, Any, T]) -> T:
    """Do what waits for time to pass, such as asking for a table that changes hands."""
    task = asyncio.ensure_future(work)
    while not task.done():
        clock.advance(1)
        await asyncio.sleep(0)
    return await task


async def settled(done: Callable[[], bool]) -> None:
    """Give way until something that needs no time to pass has happened."""
    for _ in range(10_000):
        if done():
            return
        await asyncio.sleep(0)
    raise AssertionError("it did not happen")


def seq(r: Rig) -> int:
    return r.house.followed("etg").seq


async def test_two_first_starts_at_once_set_the_house_up_once() -> None:
    async with two() as (one, other, store):
        tokens: dict[str, list[str]] = {"one": [], "two": []}

        def start(r: Rig, name: str) -> Coroutine[Any, Any, None]:
            return r.house.first_run.run(lambda _, token: tokens[name].append(token), demo=True)

        async def both() -> None:
            await asyncio.gather(start(one, "one"), start(other, "two"))

        await as_time_passes(one.clock, both())
        assert sorted(map(len, tokens.values())) == [0, 5]
        for token in tokens["one"] + tokens["two"]:
            assert await one.house.people.authenticate(token) is not None
            assert await other.house.people.authenticate(token) is not None
        assert len(await store.tables()) == 9  # the eight of the demonstration and its own
        await check(store)


async def test_a_patron_whose_terminal_another_process_serves_is_not_gone() -> None:
    async with two() as (one, other, _):
        ann, bo = await one.person("Ann"), await one.person("Bo")
        reader = other.house.subscribe("etg", ann)
        await other.done(ann, "etg", "sit", box=1)
        await other.done(bo, "etg", "sit", box=2)
        await other.until(reader, "patron-left")
        assert one.house.followed("etg").state.seats == {1: "ann"}
        host = one.house.registry.hosts["etg"]
        assert host.present() == {"ann"}
        reader.close()
        while host.present():
            await one.clock.step()


@pytest.mark.parametrize("heard", [True, False])
async def test_a_process_shows_nobody_whose_name_it_does_not_know_yet(heard: bool) -> None:
    async with two() as (one, other, _):
        with patch.object(other.house.people, "load", AsyncMock()):  # the news of who was admitted are late
            ann = await one.person("Ann Lee")
            await settled(lambda: one.house.link._outbox.empty())
        if not heard:
            for stop in other.house.link._stops:
                await stop()
        assert other.house.people.get(ann.id) is None
        await one.done(ann, "etg", "sit", box=1)
        if not heard:
            other.house.registry.hosts["etg"].fall_behind()
        await settled(lambda: seq(other) == seq(one))
        assert other.house.snapshot("etg", None).boxes[0].seated == "Ann Lee"


async def test_an_owner_knows_the_name_of_whom_staff_seat_at_another_process() -> None:
    async with two() as (one, other, _):
        await one.table(PIT)
        await settled(lambda: "pit" in one.house.registry.hosts and "pit" in other.house.registry.hosts)
        owner, elsewhere = (one, other) if "pit" in one.house.registry.runners else (other, one)
        sue = await owner.person("Sue", "pit-supervisor")
        with patch.object(owner.house.people, "load", AsyncMock()):  # the news of who was admitted are late
            ann = await elsewhere.person("Ann Lee")
            await settled(lambda: elsewhere.house.link._outbox.empty())
        assert owner.house.people.get(ann.id) is None
        await elsewhere.done(sue, "pit", "sit", patron=ann.id, box=1)
        assert owner.house.snapshot("pit", None).boxes[0].seated == "Ann Lee"


async def test_any_process_serves_any_terminal() -> None:
    async with two() as (one, other, store):
        ann = await one.person("Ann", cents=10_000)
        reader = other.house.subscribe("etg", ann)
        await other.until(reader, "bets-opened")
        sat = await other.done(ann, "etg", "sit", box=1)
        bet = await other.done(ann, "etg", "place-bet", "bet", box=1, on="tie", stake_cents=1_000)
        # The same key at the other process: the same reply.
        again = await one.done(ann, "etg", "place-bet", "bet", box=1, on="tie", stake_cents=1_000)
        assert (bet.seq, list(bet.events)) == (again.seq, list(again.events))
        refused = await other.give(ann, "etg", "place-bet", box=1, on="fish", stake_cents=1_000)
        assert refused.refused is not None
        assert refused.refused.code == "bet-not-offered"
        await other.until(reader, "round-settled")
        await settled(lambda: seq(one) == seq(other))
        assert other.house.followed("etg").state.seats == one.house.followed("etg").state.seats
        assert other.house.balances["patron:ann"] == await one.house.cashier.balance(ann)
        rounds = [r.house.metrics.value("punto_rounds_total", table="etg", ending="settled") for r in (one, other)]
        assert rounds == [1, 0], "counted where the table runs"
        await check(store, [("etg", sat), ("etg", bet)])


async def test_a_token_given_by_one_process_opens_the_door_of_another() -> None:
    async with two() as (one, other, _):
        made = await one.house.people.join("Bo")
        assert isinstance(made, tuple)
        assert await other.house.people.authenticate(made[1]) == made[0]
        assert await other.house.people.authenticate("no-such-token") is None


async def test_a_dead_owner_is_replaced_in_time_and_its_round_recovered() -> None:
    async with two() as (one, other, store):
        ann = await one.person("Ann", cents=10_000)
        reader = other.house.subscribe("etg", ann)
        await other.until(reader, "bets-opened")
        await other.done(ann, "etg", "sit", box=1)
        await other.done(ann, "etg", "place-bet", box=1, on="tie", stake_cents=1_000)
        one.house.link._bus._answers.clear()  # type: ignore[union-attr]
        await crash(one.house)
        died = one.clock.steady_ms()
        await other.until(reader, "round-voided")
        assert other.clock.steady_ms() - died <= 5_000
        assert await other.house.cashier.balance(ann) == 10_000
        await other.until(reader, "bets-opened")
        await other.done(ann, "etg", "place-bet", box=1, on="tie", stake_cents=1_000)
        await check(store, bets_open=1)
        assert {"taken-over", "void"} <= {line.heading for line in await other.house.significant.newest()}


async def test_an_owner_that_was_paused_leaves_what_it_would_refuse_to_the_new_owner() -> None:
    """Both are asked while the old one does not know: its refusal must not hide what the new one has done."""
    async with two() as (one, other, _):
        ann = await one.person("Ann", cents=10_000)
        ask = Forwarded("etg", "ann", Raw(b'{"kind":"leave","by":"patron:ann","patron":"ann"}'), "ann:leave", "0" * 64)
        answer = await one.house.router.answer(ask)
        assert answer.refused is not None, "the owner answers"
        one.house.leases.renew = asleep  # type: ignore[method-assign]
        one.clock.advance(SETTINGS.lease_ms + 1)
        await settled(lambda: "etg" in other.house.registry.runners)
        await other.done(ann, "etg", "sit", box=1)
        assert "etg" in one.house.registry.runners
        answer = await one.house.router.answer(ask)
        assert (answer.moved, answer.refused) == (True, None)


async def test_an_owner_that_cannot_look_up_who_asks_says_that_the_store_is_away() -> None:
    """Otherwise nobody would answer, and whoever asked would wait until the time is up."""
    async with two() as (one, _, _):
        ask = Forwarded("etg", "eve", Raw(b'{"kind":"leave","by":"patron:eve","patron":"eve"}'), "eve:leave", "0" * 64)
        with patch.object(one.house.people._store, "people", AsyncMock(side_effect=errors.UnavailableError("away"))):
            answer = await one.house.router.answer(ask)
        assert (answer.moved, answer.refused) == (False, show_refusal(StoreUnavailable()))


async def test_a_reader_who_has_seen_more_elsewhere_makes_a_process_read_on() -> None:
    async with two() as (one, other, _):
        for stop in other.house.link._stops:  # the bus brings it no news
            await stop()
        with patch.object(other.house.leases, "_read_lost_news", AsyncMock()):  # nor has it looked for them yet
            await one.until(one.house.subscribe("etg", None), "bets-opened")
        assert seq(other) < seq(one)
        other.house.subscribe("etg", None, seq(one))
        await settled(lambda: seq(other) == seq(one))


async def asleep(runner: Any) -> None:
    """An owner that is paused renews nothing."""


async def spread(clock: ManualClock, *rigs: Rig) -> None:
    """Let time pass until no process runs two tables more than another."""
    for _ in range(10_000):
        counts = [len(r.house.registry.runners) for r in rigs]
        if sum(counts) == len(rigs[0].house.registry.hosts) and max(counts) - min(counts) <= 1:
            return
        await clock.step()
        for _ in range(10):
            await asyncio.sleep(0)
    raise AssertionError(f"the tables did not spread: {counts}")


async def test_tables_spread_over_the_processes_and_move_back_when_one_closes() -> None:
    async with two() as (one, other, store):
        for number in range(2, 7):
            await one.table(ETG | {"table": f"t{number}"})
        await spread(one.clock, one, other)
        ann = await one.person("Ann", cents=10_000)
        far = min(other.house.registry.runners)
        await one.done(ann, far, "sit", box=1)
        async with rig(one.house.settings, clock=one.clock, store=store, bus=one.house.link._bus, owner="x") as third:
            await spread(one.clock, one, other, third)
            assert [len(r.house.registry.runners) for r in (one, other, third)] == [2, 2, 2]
            moved = set(third.house.registry.runners)
            died = one.clock.steady_ms()
            await third.house.close()
            # No lease has to end: whoever has room takes each table as soon as it is given up.
            await settled(lambda: moved <= {*one.house.registry.runners, *other.house.registry.runners})
            assert one.clock.steady_ms() == died
        assert [len(r.house.registry.runners) for r in (one, other)] == [3, 3]
        await one.done(ann, far, "leave")
        assert one.house.metrics.value("punto_fenced_out_total") == 0
        await check(store)


async def test_a_table_moves_between_rounds_and_what_waits_goes_with_it() -> None:
    async with two() as (one, other, store):
        ann = await one.person("Ann", cents=10_000)
        reader = one.house.subscribe("etg", ann)
        await one.until(reader, "bets-opened")
        await one.done(ann, "etg", "sit", box=1)
        await one.done(ann, "etg", "place-bet", box=1, on="tie", stake_cents=1_000)
        leaving = asyncio.create_task(one.house.leases._hand_over(one.house.registry.runners["etg"]))
        await one.until(reader, "round-closed")
        await leaving
        await settled(lambda: "etg" in {*one.house.registry.runners, *other.house.registry.runners})
        await one.done(ann, "etg", "leave")
        kinds = [record.kind for record in await store.read("table:etg")]
        assert "round-voided" not in kinds, "no round is interrupted"
        await check(store)


async def test_a_closing_process_still_brings_commands_to_the_tables_of_others() -> None:
    async with two() as (one, other, _):
        ann = await one.person("Ann")
        other.house.supervisor.closing = True
        await other.done(ann, "etg", "sit", box=1)
        other.house.supervisor.closing = False
        assert one.house.followed("etg").state.seats == {1: "ann"}


async def test_a_table_that_nobody_with_fewer_takes_is_taken_all_the_same() -> None:
    async with two() as (one, other, _):
        await one.table(ETG | {"table": "t2"})
        await spread(one.clock, one, other)
        # The other says that it is there and takes nothing.
        (mine,), (theirs,) = one.house.registry.runners, other.house.registry.runners
        other.house.leases.take = nothing  # type: ignore[method-assign]
        await other.house.leases._hand_over(other.house.registry.runners[theirs])
        while len(one.house.registry.runners) < 2:
            await one.clock.step()
        assert set(one.house.registry.runners) == {mine, theirs}


async def nothing(host: Any) -> bool:
    """A process that takes no table."""
    return False


async def test_two_processes_cannot_open_the_same_table_or_admit_the_same_id() -> None:
    async with two() as (one, other, _):
        made = await asyncio.gather(*[r.house.people.join("Ann") for r in (one, other) for _ in range(3)])
        assert len({person.id for person, _ in made}) == 6  # type: ignore[misc]
        opened = await asyncio.gather(*[r.set_up(SET_UP, ETG | {"table": "new"}) for r in (one, other)])
        assert sorted(map(code, opened)) == ["", "table-exists"]


async def test_a_held_round_is_taken_back_after_the_store_was_away() -> None:
    """A round that nothing recovers is not one whose recovery failed, whatever the store did before."""
    async with two() as (one, _, store):
        pit = await one.table(PIT, game="easy-six", layout="bean-7")
        dan, sue = await one.person("Dan", "dealer"), await one.person("Sue", "pit-supervisor")
        await one.done(dan, pit, "load-shoe")
        await one.done(dan, pit, "open-bets")
        await one.done(dan, pit, "report", situation="anything-else", facts={"note": "the shoe is stuck"})
        assert one.house.followed(pit).state.phase is Phase.HELD

        async def away(batch: Batch) -> Any:
            raise errors.UnavailableError("the database is away")

        store.append = away  # type: ignore[method-assign]
        assert code(await one.give(sue, pit, "come-on-duty")) == "table-suspended"
        del store.append
        lease = one.house.registry.runners[pit].lease
        await store.release(lease)
        await store.release(await store.acquire(lease.stream, "someone", 1_000))
        await one.house.leases.renew(one.house.registry.runners[pit])
        assert pit not in one.house.registry.runners
        assert await one.house.leases.take(one.house.registry.hosts[pit])
        await one.done(sue, pit, "come-on-duty")
        await check(store)


@pytest.mark.parametrize("repeated", [True, False])
async def test_an_owner_that_was_overtaken_answers_nothing_by_what_it_knew(repeated: bool) -> None:
    """What it knew may be old, and neither a refusal nor a stored reply touches the store in a way that says so."""
    bus = LocalBus()
    async with two(bus) as (one, other, store):
        ann, bo = await one.person("Ann"), await one.person("Bo")
        await one.done(ann, "etg", "sit", box=1)
        await store.release(one.house.registry.runners["etg"].lease)
        with patch.object(bus, "publish", AsyncMock()):  # the first hears nothing of it
            assert await other.house.leases.take(other.house.registry.hosts["etg"])
            await other.done(ann, "etg", "leave")
            sat = await other.done(bo, "etg", "sit", "sit", box=1)
            assert one.house.followed("etg").state.seats == {1: "ann"}
            if repeated:
                again = await as_time_passes(one.clock, one.done(bo, "etg", "sit", "sit", box=1))
                assert (again.seq, list(again.events)) == (sat.seq, list(sat.events))
            else:
                refused = await as_time_passes(one.clock, one.give(ann, "etg", "sit", box=1))
                assert code(refused) == "box-taken"
            assert "etg" not in one.house.registry.runners
        await check(store)


async def test_the_process_that_sets_the_house_up_keeps_the_others_waiting_however_long_it_takes() -> None:
    async with rig(bus=LocalBus()) as r:
        store = r.house.store
        async with r.house.first_run.alone():
            for _ in range(10):
                r.clock.advance(HELD_MS // 3 + 1)
                for _ in range(10):
                    await asyncio.sleep(0)
                with pytest.raises(errors.LeaseHeldError):
                    await store.acquire(FIRST_RUN, "another", 1_000)
        assert (await store.acquire(FIRST_RUN, "another", 1_000)).owner == "another"


async def test_a_process_that_died_while_it_set_the_house_up_is_waited_for_only_so_long() -> None:
    async with rig(bus=LocalBus()) as r:
        store = r.house.store
        await store.acquire(FIRST_RUN, "dead", HELD_MS)
        waiting = asyncio.create_task(r.house.first_run.run(lambda *_: None))
        while not waiting.done():
            await r.clock.step()
        await waiting
        assert r.clock.steady_ms() >= HELD_MS
        assert [person.role for person in r.house.people.all()] == ["admin"]
