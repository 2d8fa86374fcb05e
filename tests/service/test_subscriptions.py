"""Readers that keep up stay, however much comes at once; those that do not are dropped, and hold little until then."""

from __future__ import annotations

import asyncio
from typing import Any

from punto.protocol.views import Pong
from punto.service.settings import EdgeLimits
from punto.service.tables.runner import FEW_READERS
from punto.service.viewing.subscriptions import Message, Subscription
from punto.store.memory import MemoryStore
from tests.local_bus import LocalBus
from tests.manual_clock import ManualClock
from tests.service.rig import PIT, Rig, gather, pair, rig, taken

LIMIT = 8


def burst(count: int) -> list[Message[Pong]]:
    return [Message(Pong()) for _ in range(count)]


async def test_a_reader_is_judged_by_what_lay_unread_before() -> None:
    gone: list[Subscription] = []
    reader = Subscription(LIMIT, gone.append)
    reader.put(burst(5 * LIMIT))
    reader.put(burst(1))  # the same turn of the loop: there was no time to read
    assert not reader.dropped
    assert len(reader.take()) == 5 * LIMIT + 1
    await asyncio.sleep(0)
    reader.put(burst(5 * LIMIT))
    await asyncio.sleep(0)
    reader.put(burst(1))
    assert reader.dropped
    assert gone == [reader]
    assert reader.take() == []


async def test_a_commit_larger_than_the_limit_drops_nobody_who_reads() -> None:
    async with rig(edge=EdgeLimits(queued_messages=LIMIT)) as r:
        table = await r.table(PIT)
        dan = await r.person("Dan", "dealer")
        await r.betting(dan, table)
        patrons = [await r.person(f"p{number}", cents=10_000) for number in range(5 * LIMIT)]
        await r.done(patrons[0], table, "sit", box=1)
        for patron in patrons[1:]:
            await r.done(patron, table, "stand", box=1)
        readers = [r.house.subscribe(table, who) for who in (None, dan, patrons[0])]

        async def placed(reader: Any) -> int:
            count = 0
            async for message in reader:
                count += '"bet-placed"' in message.text
                if count == len(patrons):
                    break
            return count

        seen = [asyncio.create_task(placed(reader)) for reader in readers]
        await asyncio.sleep(0)
        before = r.house.followed(table).seq
        await gather(*[r.done(each, table, "place-bet", box=1, on="tie", stake_cents=1_000) for each in patrons])
        assert r.house.followed(table).seq == before + len(patrons)
        assert await gather(*seen) == [len(patrons)] * 3
        assert not any(reader.dropped for reader in readers)
        assert r.house.metrics.value("punto_readers_dropped_total") == 0


async def test_a_follower_that_fell_far_behind_shows_its_readers_a_snapshot() -> None:
    clock, bus = ManualClock(), LocalBus()
    few = EdgeLimits(queued_messages=LIMIT)
    async with pair(MemoryStore(clock.now_ms), clock, bus, edge=few) as (one, other):
        await one.table(PIT)
        while "pit" not in other.house.registry.hosts:
            await asyncio.sleep(0)
        host = other.house.registry.hosts["pit"]
        await one.done(await one.person("Ann"), "pit", "sit", box=1)
        patrons = [await one.person(f"p{number}") for number in range(3 * LIMIT)]
        while _seq(other) != _seq(one):
            await asyncio.sleep(0)
        async with host._catching_up:  # what the bus brings now is left for the store
            for patron in patrons:
                await one.done(patron, "pit", "stand", box=1)
            reader = other.house.subscribe("pit", None)
            assert taken(reader)[0]["type"] == "snapshot"
        behind = host.followed.seq
        await host.catch_up()
        messages = taken(reader)
        assert [message["type"] for message in messages if message["type"] != "clock"] == ["snapshot"]
        assert messages[-1]["seq"] == host.followed.seq == behind + len(patrons)
        assert messages[-1]["boxes"][0]["standing"] == len(patrons)
        # From here on events again, and a view that is right over that snapshot.
        await one.done(patrons[0], "pit", "leave")
        while host.followed.seq <= behind + len(patrons):
            await asyncio.sleep(0)
        after = taken(reader)
        assert [message["seq"] for message in after if message["type"] == "event"] == [host.followed.seq]
        view = next(message["view"] for message in after if message["type"] == "view")
        assert view["boxes"][0]["standing"] == len(patrons) - 1
        assert not reader.dropped


def _seq(r: Rig) -> int:
    return r.house.followed("pit").seq


async def test_commands_at_a_table_that_many_watch_are_committed_and_shown_together(monkeypatch: Any) -> None:
    async with rig() as r:
        ann, dan, table = await r.live(cents=10_000)
        await r.done(dan, table, "open-bets")
        reader, *_ = [r.house.subscribe(table, None) for _ in range(2 * FEW_READERS)]
        runner = r.house.registry.runners[table]
        monkeypatch.setattr(runner, "_loop_time", lambda: runner._committed_at)
        await r.done(ann, table, "place-bet", box=1, on="tie", stake_cents=1_000)
        reader.take()
        bets = [asyncio.create_task(r.done(ann, table, "place-bet", box=1, on="player", stake_cents=1_000))]
        while not runner.queued:
            await asyncio.sleep(0)
        for _ in range(LIMIT):
            await asyncio.sleep(0)
        assert runner.queued, "the first was taken before there could be a second"
        bets.append(asyncio.create_task(r.done(ann, table, "raise-bet", box=1, on="tie", add_cents=1_000)))
        await asyncio.gather(*bets)
        assert [message["type"] for message in taken(reader)] == ["event", "event", "view"]
