"""Who is known: tokens that ended stay ended, and nobody pays for how many there are."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from punto.protocol.refusals import NameImitates, SecondPersonAsked
from punto.rules.refusals import Refusal
from punto.service.cluster.lease_manager import NEWS_TURNS
from punto.service.people.admissions import DAY_MS, SET_UP
from punto.store.memory import MemoryStore
from punto.store.records import Appended, Batch, StoredPerson
from punto.store.tokens import new_token
from tests.manual_clock import ManualClock
from tests.service.rig import ETG, SETTINGS, Rig, gather, pair, rig


class SlowStore(MemoryStore):
    """Answers late with what it found early, and notes what it was asked for."""

    def __init__(self, clock: Any = lambda: 0) -> None:
        super().__init__(clock)
        self.gate: asyncio.Event | None = None
        self.asked: list[Sequence[str] | None] = []
        self.appends = 0

    async def people(self, ids: Sequence[str] | None = None) -> list[StoredPerson]:
        self.asked.append(ids)
        found, gate = await super().people(ids), self.gate
        if gate is not None:
            await gate.wait()
        return found

    async def append(self, batch: Batch) -> Appended:
        self.appends += 1
        await asyncio.sleep(0)
        return await super().append(batch)


async def admitted(r: Rig, name: str = "Ann", role: str = "patron") -> tuple[Any, str]:
    made = await r.house.people.create(SET_UP, name, role)
    assert not isinstance(made, Refusal)
    return made


async def test_a_read_that_began_before_a_token_was_replaced_does_not_bring_it_back() -> None:
    store = SlowStore()
    async with rig(store=store) as r:
        people = r.house.people
        ann, old = await admitted(r)
        store.gate = asyncio.Event()
        loads = [asyncio.create_task(people.load()), asyncio.create_task(people.load(["ann"]))]
        await asyncio.sleep(0)
        new = await people.replace_token(SET_UP, "ann")
        store.gate.set()
        await gather(*loads)
        assert await people.authenticate(old) is None
        assert await people.authenticate(str(new)) == ann


async def test_a_look_up_that_began_before_a_token_was_replaced_does_not_bring_it_back() -> None:
    clock = ManualClock()
    store = SlowStore(clock.now_ms)
    async with pair(store, clock) as (one, other):
        ann, old = await admitted(one)
        store.gate = gate = asyncio.Event()
        known = asyncio.create_task(other.house.people.authenticate(old))
        while store.asked[-1] != ["ann"]:
            await asyncio.sleep(0)
        new = await one.house.people.replace_token(SET_UP, "ann")
        store.gate = None
        later = asyncio.create_task(other.house.people.load())
        gate.set()
        await gather(known, later)
        assert await other.house.people.authenticate(old) is None
        assert await other.house.people.authenticate(str(new)) == ann


async def test_tokens_replaced_at_once_leave_one_that_is_known() -> None:
    async with rig(store=SlowStore()) as r:
        await admitted(r)
        tokens = await gather(*[r.house.people.replace_token(SET_UP, "ann") for _ in range(5)])
        known = [token for token in tokens if await r.house.people.authenticate(token) is not None]
        assert known == tokens[-1:]


async def test_without_a_bus_another_process_ends_a_replaced_token_and_finds_new_tables() -> None:
    clock = ManualClock()
    store = MemoryStore(clock.now_ms)
    async with pair(store, clock) as (one, other):
        ann, old = await admitted(one)
        assert await other.house.people.authenticate(old) == ann
        new = await one.house.people.replace_token(SET_UP, "ann")
        await one.table(ETG)
        for _ in range(NEWS_TURNS + 1):
            await clock.step()
            await asyncio.sleep(0)
        while "etg" not in other.house.registry.hosts:
            await asyncio.sleep(0)
        assert await other.house.people.authenticate(old) is None
        assert await other.house.people.authenticate(str(new)) == ann


async def test_a_request_that_another_process_spent_counts_no_more() -> None:
    clock = ManualClock()
    store = MemoryStore(clock.now_ms)
    async with pair(store, clock) as (one, other):
        await admitted(one)
        (max_, _), (sue, _) = await admitted(one, "Max", "pit-manager"), await admitted(one, "Sue", "shift-manager")
        await other.house.people.load()
        assert isinstance(await one.house.people.replace_token(max_, "ann"), SecondPersonAsked)
        assert isinstance(await one.house.people.replace_token(sue, "ann"), str)
        assert isinstance(await other.house.people.replace_token(sue, "ann"), SecondPersonAsked)


async def test_a_request_counts_on_its_day_and_the_next() -> None:
    clock = ManualClock()
    async with rig(SETTINGS, clock=clock) as r:
        people = r.house.people
        await admitted(r)
        (max_, _), (sue, _) = await admitted(r, "Max", "pit-manager"), await admitted(r, "Sue", "shift-manager")
        for days, token_type in ((1, str), (2, SecondPersonAsked)):
            assert isinstance(await people.replace_token(max_, "ann"), SecondPersonAsked)
            clock.jump(days * DAY_MS)
            assert isinstance(await people.replace_token(sue, "ann"), token_type)


async def test_an_unknown_id_is_looked_up_alone() -> None:
    store = SlowStore()
    async with rig(store=store, database="postgresql://the.store.is.handed.in") as r:
        store.asked.clear()
        assert await r.house.people.find("nobody") is None
        assert await r.house.people.authenticate("no-such-token") is None
        assert store.asked == [["nobody"]]


async def test_many_of_one_name_cost_one_commit_each() -> None:
    store = SlowStore()
    async with rig(store=store) as r:
        before = store.appends
        made = await gather(*[r.house.people.join("Ann") for _ in range(50)])
        assert sorted(person.id for person, _ in made) == sorted(["ann", *[f"ann-{n}" for n in range(2, 51)]])
        assert store.appends == before + 50
        assert (await r.house.people.join("Ann"))[0].id == "ann-51"  # type: ignore[index]
        assert r.house.people.count == len(r.house.people.all()) == 51
        assert len({token for _, token in made}) == 50


async def test_ids_that_another_process_gave_away_are_passed_over() -> None:
    clock = ManualClock()
    store = SlowStore(clock.now_ms)
    async with pair(store, clock) as (one, other):
        await gather(*[one.house.people.join("Ann") for _ in range(3)])
        store.asked.clear()
        assert (await other.house.people.join("Ann"))[0].id == "ann-4"  # type: ignore[index]
        assert store.asked == [["ann"], ["ann-2"], ["ann-3"]]


@pytest.mark.parametrize("name", ["automat", "open-door", "set-up"])
async def test_nobody_gets_an_id_under_which_the_house_acts(name: str) -> None:
    async with rig() as r:
        assert isinstance(await r.house.people.join(name), NameImitates)
        assert (await r.person(name, "dealer")).id == f"{name}-2"


def test_no_token_begins_like_an_option() -> None:
    drawn = iter([b"\xf8" * 32, b"\x01" * 32])
    assert not new_token(lambda _: next(drawn)).startswith("-")
