"""SQLite: queries of the history do not delay a table."""

from __future__ import annotations

import asyncio
import threading

from punto.store.interface import Reading
from punto.store.sqlite import SqliteStore
from tests.contract.places import Place, bet, bought
from tests.patience import PATIENCE_SECONDS


async def test_queries_of_a_table_do_not_wait_behind_the_history(sqlite: Place) -> None:
    store = await sqlite.open()
    assert isinstance(store, SqliteStore)
    await store.append(bought("ann", 1_000))
    go_on, begun = threading.Event(), threading.Event()

    def long_look_back() -> Reading[str]:
        yield ("SELECT 1",)
        begun.set()
        go_on.wait(PATIENCE_SECONDS)
        return "seen"

    looking = asyncio.create_task(store._read(long_look_back(), long=True))
    await asyncio.to_thread(begun.wait)
    page = asyncio.create_task(store.read("t1"))
    async with asyncio.timeout(PATIENCE_SECONDS / 2):
        assert await store.replies(["no such key"]) == {}
        assert await store.balances(["patron:ann"]) == {"patron:ann": 1_000}
        assert (await store.tail("t1")).seq == 0
        assert (await store.append(bet(1))).tail.seq == 1
        assert len(await store.read("t1", 0, 1)) == 1
    assert not looking.done()
    assert not page.done()
    go_on.set()
    assert await looking == "seen"
    assert [record.seq for record in await page] == [1]
