"""The list of significant events: each once, the newest at hand, a page at a time."""

from __future__ import annotations

import asyncio

import pytest

from punto.protocol.views import SignificantEvent
from punto.service.audit import significant
from punto.service.streams import HOUSE_STREAM
from punto.store.memory import MemoryStore
from punto.store.records import Record
from tests.service.rig import gather, rig


class GivingWay(MemoryStore):
    """Lets others run before it answers, as any store on a disk does."""

    async def read(self, stream: str, after: int = 0, limit: int = 1_000) -> list[Record]:
        found = await super().read(stream, after, limit)
        if stream == HOUSE_STREAM:
            await asyncio.sleep(0)
        return found


async def test_two_who_ask_at_once_see_each_line_once() -> None:
    async with rig(store=GivingWay()) as r:
        for number in range(5):
            await r.person(f"Dealer {number}", "dealer")
        asked = await gather(*[r.house.significant.newest() for _ in range(3)])
        for lines in (*asked, await r.house.significant.newest()):
            assert sorted(line.seq for line in lines) == [2, 3, 4, 5, 6]


def line(number: int, at: int) -> SignificantEvent:
    return SignificantEvent(at, None, number, "people", "token-ended", {"name": "", "person": ""}, None, "house")


async def test_pages_follow_each_other_without_a_gap() -> None:
    async with rig() as r:
        r.house.significant.add([line(number, at=number // 3) for number in range(20)])  # three of each moment
        seen: list[int] = []
        before = None
        while page := await r.house.significant.newest(4, before):
            assert len(page) in {2, 3, 5, 6}
            seen += [each.seq for each in page]
            before = page[-1].at_ms
        assert sorted(seen) == list(range(20))
        assert [each.at_ms for each in await r.house.significant.newest(1, before=3)] == [2, 2, 2]


async def test_the_newest_are_at_hand_in_whichever_order_they_came(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(significant, "MOST_AT_HAND", 10)
    async with rig() as r:
        # After a start come the lines of one table after those of another.
        for start in (1_000, 0):
            for number in range(50):
                r.house.significant.add([line(number, at=start + number)])
        assert [each.at_ms for each in await r.house.significant.newest(500)] == list(range(1_049, 1_039, -1))
        assert len(r.house.significant._lines) <= 20
