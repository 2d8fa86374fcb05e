"""Who runs which table: leases taken, renewed and given up, and what nobody runs any more taken over.

The keeper also watches the clock, since leases and the pace of tables rest on it.
"""

from __future__ import annotations

import contextlib
import itertools
from typing import TYPE_CHECKING

from punto.service.tables.command_router import name_of
from punto.service.tables.runner import Runner
from punto.service.tables.table_host import TableHost, stream_of
from punto.store import errors

if TYPE_CHECKING:
    from punto.service.house import House

NEWS_TURNS = 10
"""Turns after which the store is asked for what other processes may have told, or had no way to tell."""


class LeaseManager:
    """Looks after the tables of one process."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._offset = house.clock.now_ms() - house.clock.steady_ms()

    async def keep(self) -> None:
        """Renew what is ours, look out for what nobody runs any more, and watch the clock."""
        house = self._house
        for turn in itertools.count(1):
            await house.clock.sleep_until(house.clock.steady_ms() + house.settings.lease_ms // 3)
            self._watch_clock()
            if house.shared and turn % NEWS_TURNS == 0:
                with contextlib.suppress(errors.UnavailableError):
                    await house.people.load()  # a token may have ended
                    await house.load_tables()
            for host in list(house.hosts.values()):
                with contextlib.suppress(errors.UnavailableError, errors.DiskFullError):
                    await self._look_after(host)

    async def _look_after(self, host: TableHost) -> None:
        if host.runner is not None:
            await self.renew(host, host.runner)
            return
        if host.readers:
            self._house.wire.tell(f"{host.followed.id}.watch", {})
        if await self.take(host):
            return
        # News may have been lost with nothing after them to show the gap.
        if (await self._house.store.tail(stream_of(host.followed.id))).seq > host.followed.seq:
            host.fall_behind()

    async def take(self, host: TableHost) -> bool:
        """Take a table that nobody runs: catch up, recover its round, run it. One attempt at a time."""
        async with host.taking:
            return host.runner is None and not self._house.closing and await self._take(host)

    async def _take(self, host: TableHost) -> bool:
        house, followed = self._house, host.followed
        try:
            lease = await house.store.acquire(stream_of(followed.id), house.owner, house.settings.lease_ms)
        except (errors.LeaseHeldError, errors.UnavailableError, errors.DiskFullError):
            return False
        await host.catch_up()
        interrupted = followed.state.round is not None
        runner = Runner(followed, house.store, lease, host, house.clock, house.settings, host.timing, house.seals)
        try:
            await runner.recover()
        except (errors.FencedOutError, errors.SequenceConflictError):
            return False
        if interrupted and followed.state.round is not None and host.why_suspended:
            return False  # the store failed in the middle of it: the round is recovered before anything else, later
        if house.closing:
            return False  # whoever closes has not seen this runner; the lease runs out by itself
        host.suspended(None)
        host.runner = runner
        runner.start()
        host.paced()
        await house.wire.answer(name_of(followed.id), house.orders.answer)
        if interrupted and house.wire.connected:
            says = f"{house.owner} took {followed.id} over in a round and recovered it"
            house.spawn(house.desk.write("table-taken-over", {"table": followed.id, "says": says}))
        return True

    async def renew(self, host: TableHost, runner: Runner) -> None:
        """Keep a table. Where the store is away, the fencing number protects the log until it can be asked again."""
        try:
            runner.lease = await self._house.store.renew(runner.lease, self._house.settings.lease_ms)
        except errors.FencedOutError as error:
            await runner.stop()
            self.lost(host, error)

    def lost(self, host: TableHost, error: BaseException) -> None:
        """A runner stopped by itself: fenced out, and we follow the new owner; or broken, and the house stops."""
        house = self._house
        house.spawn(house.wire.stop_answering(name_of(host.followed.id)))
        if isinstance(error, errors.FencedOutError | errors.SequenceConflictError):
            house.counts["fenced_out"] += 1
            host.fall_behind()
        else:
            house.fail(error)

    def _watch_clock(self) -> None:
        house = self._house
        offset = house.clock.now_ms() - house.clock.steady_ms()
        jump, self._offset = offset - self._offset, offset
        if abs(jump) >= house.settings.clock_jump_ms:
            says = f"the clock of {house.owner} jumped by {jump} ms"
            house.spawn(house.desk.write("clock-jumped", {"by_ms": jump, "owner": house.owner, "says": says}))
