"""Whether a process can serve: what it depends on, as those are told who send requests to it."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any

import pytest

from punto.store import errors
from punto.store.memory import MemoryStore
from punto.store.records import Tail
from tests.local_bus import LocalBus
from tests.service.rig import ETG, SETTINGS, rig


class Absent:
    """A store that cannot be reached while `away`."""

    def __init__(self) -> None:
        self.store, self.away = MemoryStore(lambda: 0), False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    async def tail(self, stream: str) -> Tail:
        if self.away:
            raise errors.UnavailableError("nobody answers")
        return await self.store.tail(stream)


async def test_a_process_whose_store_is_away_is_not_ready_and_says_so_once(caplog: pytest.LogCaptureFixture) -> None:
    store = Absent()
    async with rig(SETTINGS, store=store) as r:
        await r.table(ETG)
        assert (await r.house.health.ready()).status == "ok"
        with caplog.at_level(logging.INFO, "punto.health"):
            store.away = True
            for _ in range(3):
                health = await r.house.health.ready()
                assert (health.status, health.checks["store"]) == ("away", "away")
            store.away = False
            assert (await r.house.health.ready()).status == "ok"
        assert [each.getMessage() for each in caplog.records if "store" in each.getMessage()] == [
            "store: away (nobody answers)",
            "store is well again",
        ]
        assert r.house.health.alive


async def test_a_process_whose_bus_is_away_serves_by_itself_and_says_so() -> None:
    """Every process has lost it: a proxy that took them all off would close the house."""
    bus = LocalBus()
    async with rig(SETTINGS, bus=bus) as r:
        bus.connected = False
        health = await r.house.health.ready()
        assert (health.status, health.checks["bus"]) == ("ok", "away")


async def test_a_table_that_nobody_runs_is_told_and_the_others_are_served() -> None:
    async with rig() as r:
        table = await r.table(ETG)
        runner = r.house.registry.runners.pop(table)
        health = await r.house.health.ready()
        assert (health.status, health.checks["tables"], health.tables[table].runs_here) == ("ok", "nobody-runs", False)
        r.house.registry.runners[table] = runner
        assert (await r.house.health.ready()).checks["tables"] == "ok"


async def test_a_process_that_does_not_renew_its_leases_is_not_ready() -> None:
    async with rig() as r:
        assert (await r.house.health.ready()).checks["leases"] == "ok"
        r.house.leases._turned_ms -= 2 * r.house.settings.lease_ms + 1
        assert (await r.house.health.ready()).status == "late"


async def test_a_disk_that_fills_up_is_told_before_it_is_full(tmp_path: Any) -> None:
    settings = replace(SETTINGS, head=str(tmp_path / "head"), disk_free_bytes=2**60)
    async with rig(settings) as r:
        health = await r.house.health.ready()
        assert (health.status, health.checks["disk"]) == ("ok", "low")


async def test_a_house_that_closes_takes_no_more_requests_and_one_that_failed_is_dead() -> None:
    async with rig() as r:
        await r.house.close()
        assert (await r.house.health.ready()).status == "stopping"
        assert r.house.health.alive
    r.house.supervisor.fail(errors.BrokenStoreError("a failed fsync"))
    assert not r.house.health.alive
