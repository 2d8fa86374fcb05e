"""A house's end of the bus: what it hears, and which of its tables it answers for."""

from __future__ import annotations

import asyncio

import pytest

from punto.service.cluster.bus import NobodyAnswersError, Responder, Stop
from punto.service.cluster.cluster_link import ClusterLink, HouseNews
from punto.service.tables.command_router import request_name
from tests.local_bus import LocalBus
from tests.service.rig import ETG, rig


async def test_news_that_cannot_be_read_is_not_heard() -> None:
    bus, heard = LocalBus(), list[HouseNews]()
    link = ClusterLink(bus, "punto", shared=True)
    await link.listen("house", HouseNews, heard.append)
    for news in (b"", b"nonsense", b'{"people": 3}', b'{"people": ["\xff"]}', b"[" * 5_000, b'{"x": ' * 5_000):
        await bus.publish("punto.house", news)
    assert heard == []
    await bus.publish("punto.house", b'{"people": ["ann"], "newer": 1}')
    assert heard == [HouseNews(people=["ann"])]


async def test_whoever_answers_under_a_name_again_is_the_only_one_who_does() -> None:
    link = ClusterLink(LocalBus(), "punto", shared=True)

    async def answer_as(name: str) -> None:
        async def answer(_: HouseNews) -> HouseNews:
            return HouseNews(people=[name])

        await link.answer("table", HouseNews, answer)

    await answer_as("one")
    await answer_as("other")
    assert await link.request("table", HouseNews(), HouseNews, 100) == HouseNews(people=["other"])
    await link.stop_answering("table")
    with pytest.raises(NobodyAnswersError):
        await link.request("table", HouseNews(), HouseNews, 100)


async def test_a_table_that_is_lost_and_taken_again_stays_reachable() -> None:
    """The store says late that the first lease is over, when the table already runs here again under the next."""
    bus = LocalBus()
    async with rig(bus=bus, owner="one") as r:
        table = await r.table(ETG)
        lost = r.house.registry.runners[table]
        await lost.stop()
        await r.house.store.release(lost.lease)
        assert await r.house.leases.take(lost.host)
        before = set(r.house.supervisor._tasks)
        await r.house.leases.renew(lost)
        await asyncio.gather(*(r.house.supervisor._tasks - before))
        assert await bus.request(f"punto.{request_name(table)}", b"what cannot be read", 100) == b""


async def test_a_table_that_is_lost_while_it_is_announced_is_left_to_its_next_owner() -> None:
    bus = SlowBus()
    async with rig(bus=bus, owner="one") as r:
        table = await r.table(ETG)
        runners, first = r.house.registry.runners, r.house.registry.runners[table]
        await first.stop()
        await r.house.store.release(first.lease)
        bus.goes_on.clear()
        taking = asyncio.create_task(r.house.leases.take(first.host))
        await bus.waits.wait()
        await r.house.store.release(runners[table].lease)
        await r.house.store.acquire(runners[table].lease.stream, "other", 10_000)
        await r.house.leases.renew(runners[table])
        bus.goes_on.set()
        await taking
        with pytest.raises(NobodyAnswersError):
            await bus.request(f"punto.{request_name(table)}", b"", 100)


class SlowBus(LocalBus):
    """A bus on which nobody begins to answer before the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.goes_on, self.waits = asyncio.Event(), asyncio.Event()
        self.goes_on.set()

    async def answer(self, subject: str, answer: Responder) -> Stop:
        if not self.goes_on.is_set():
            self.waits.set()
        await self.goes_on.wait()
        return await super().answer(subject, answer)
