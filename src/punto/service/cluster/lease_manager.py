"""Leases on tables: taken, renewed and given up, and taken over from processes that are gone.

Tables spread evenly over the processes that hear of one another. A table moves between two of its rounds. The lease
manager also watches the clock, since leases and the pace of tables rest on it.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from punto.service.audit.house_log import HouseLog
from punto.service.cluster.peers import Peers
from punto.service.part import Part
from punto.service.people.admissions import People
from punto.service.streams import table_stream
from punto.service.tables.command_router import Answered, Forwarded, request_name
from punto.service.tables.registry import TableRegistry
from punto.service.tables.runner import Ended, Runner
from punto.service.tables.table_host import TableHost
from punto.store import errors
from punto.store.records import Lease

NEWS_TURNS = 10
"""Turns after which the store is asked for what other processes may have published, or could not."""

MakeRunner = Callable[[TableHost, Lease, Ended], Runner]


@dataclass(eq=False, repr=False)
class LeaseManager(Part):
    """Looks after the tables of one process. `answer` answers the commands that other processes forward."""

    _log: HouseLog
    _people: People
    _tables: TableRegistry
    _make_runner: MakeRunner
    _answer: Callable[[Forwarded], Awaitable[Answered]]

    def __post_init__(self) -> None:
        self._offset = self._clock.now_ms() - self._clock.steady_ms()
        self._turned_ms = self._clock.steady_ms()
        self._peers = Peers(self._settings.owner, self._settings.lease_ms, self._link, self._clock)
        self._moving: set[str] = set()  # tables on their way to another process, once their rounds end
        self._passed: set[str] = set()  # tables that nobody ran, and that were left to processes with fewer

    async def listen(self) -> None:
        """Hear which other processes there are, and take what they give up."""
        await self._peers.listen(lambda tables: self._supervisor.spawn(self._take_freed(tables)))

    def silent_ms(self) -> int:
        """The time since the last turn of `run` ended."""
        return self._clock.steady_ms() - self._turned_ms

    async def run(self) -> None:
        """Renew what is ours, look out for what nobody runs any more, and watch the clock."""
        for turn in itertools.count(1):
            await self._rest()
            self._watch_clock()
            with contextlib.suppress(errors.UnavailableError, errors.DiskFullError):
                await self._renew_all()
                await self._read_lost_news()
                self._tell()  # not while the store is away: the others then take the tables over
            with contextlib.suppress(errors.UnavailableError, errors.DiskFullError):
                await self._log.note_findings()
            if self._link.shared and turn % NEWS_TURNS == 0:
                with contextlib.suppress(errors.UnavailableError):
                    await self._people.load()  # a token may have ended
                    await self._tables.load()
            await self._look_out()
            self._spread()
            self._turned_ms = self._clock.steady_ms()

    async def _rest(self) -> None:
        """Wait for the next turn, which comes early where another process is not heard of any more."""
        turn = self._clock.steady_ms() + self._settings.lease_ms // 3
        lapse = self._peers.next_lapse_ms()
        await self._clock.sleep_until(turn if lapse is None else min(turn, lapse))

    async def _renew_all(self) -> None:
        """Renew the leases of all tables, where others wait for them at once: the last might come too late."""
        runners = list(self._tables.runners.values())
        if not self._link.shared:
            for runner in runners:
                await self.renew(runner)
            return
        for error in await asyncio.gather(*[self.renew(runner) for runner in runners], return_exceptions=True):
            if error is not None:
                raise error

    async def _look_out(self) -> None:
        """Take what nobody runs, for as long as the leases of this process can wait."""
        until = self._clock.steady_ms() + self._settings.lease_ms // 3
        for host in list(self._tables.hosts.values()):
            if host.followed.id not in self._tables.runners:
                with contextlib.suppress(errors.UnavailableError, errors.DiskFullError):
                    await self._look_after(host)
            if self._clock.steady_ms() > until:
                return

    async def _look_after(self, host: TableHost) -> None:
        if host.audience.readers:
            host.report_watched()
        table = host.followed.id
        if self._peers.run(table):
            host.runs_elsewhere = True
            self._passed.discard(table)
        elif self._has_room() or table in self._passed:
            self._passed.discard(table)
            await self.take(host)
        else:
            self._passed.add(table)

    async def _read_lost_news(self) -> None:
        """Catch up with tables of other processes: news may have been lost with nothing after them to show the gap."""
        if not self._link.shared:
            return
        ends = {tail.stream: tail.seq for tail in await self._store.tails()}
        for table, host in self._tables.hosts.items():
            if table not in self._tables.runners and ends.get(table_stream(table), 0) > host.followed.seq:
                host.fall_behind()

    # --------------------------------------------------------------------------------------- spreading

    def _has_room(self) -> bool:
        """True if this process runs less than its share of the tables."""
        return len(self._tables.runners) < self._peers.share(len(self._tables.hosts))

    def _tell(self) -> None:
        self._peers.tell(sorted(self._tables.runners), closing=self._supervisor.closing)

    async def _take_freed(self, tables: set[str]) -> None:
        """Take tables that another process has given up, as far as there is room."""
        for table in sorted(tables):
            if (host := self._tables.hosts.get(table)) is not None and self._has_room():
                await self.take(host)

    def _spread(self) -> None:
        """Let tables above this process's share go to others, each as soon as it is between rounds."""
        staying = [table for table in self._tables.runners if table not in self._moving]
        excess = self._peers.excess(len(staying), len(self._tables.hosts))
        between_rounds_first = sorted(staying, key=lambda table: self._tables.followed(table).state.round is not None)
        for table in between_rounds_first[:excess]:
            self._moving.add(table)
            self._supervisor.spawn(self._hand_over(self._tables.runners[table]))

    async def _hand_over(self, runner: Runner) -> None:
        try:
            await runner.leave()
            await self._give_up(runner)
        finally:
            self._moving.discard(runner.host.followed.id)

    async def _give_up(self, runner: Runner) -> None:
        """Leave a table that runs here no more to whoever takes it; the others hear of it at once."""
        await self._link.stop_answering(request_name(runner.host.followed.id))
        with contextlib.suppress(errors.StoreError):
            await self._store.release(runner.lease)
        self._tell()

    # --------------------------------------------------------------------------------------- taking and keeping

    async def take(self, host: TableHost) -> bool:
        """Take a table that nobody runs: catch up, recover its round, run it. One attempt at a time."""
        async with host.taking:
            taken = {*self._tables.runners, *self._moving}
            free = host.followed.id not in taken and not self._supervisor.closing
            return free and await self._take(host)

    async def _take(self, host: TableHost) -> bool:
        followed = host.followed
        try:
            lease = await self._store.acquire(table_stream(followed.id), self._settings.owner, self._settings.lease_ms)
        except errors.LeaseHeldError:
            host.runs_elsewhere = True
            return False
        except (errors.UnavailableError, errors.DiskFullError):
            return False
        host.runs_elsewhere = False
        await host.catch_up()
        interrupted = followed.state.round is not None
        runner = self._make_runner(host, lease, self._ended)
        try:
            if not await runner.recover():
                return False  # the round is recovered before anything else, when the store can write again
        except (errors.FencedOutError, errors.SequenceConflictError):
            return False
        if self._supervisor.closing:
            return False  # whoever closes has not seen this runner; the lease runs out by itself
        host.suspended(None)
        self._tables.runners[followed.id] = runner
        host.schedule = runner.schedule
        runner.start()
        host.paced()
        await self._link.answer(request_name(followed.id), Forwarded, self._answer)
        await self._stop_answering(followed.id)  # it may be lost already
        self._tell()
        if interrupted and self._link.connected:
            self._log.note("table-taken-over", table=followed.id, owner=self._settings.owner)
        return True

    async def renew(self, runner: Runner) -> None:
        """Keep a table. Where the store is away, the fencing number protects the log until it can be asked again."""
        try:
            runner.lease = await self._store.renew(runner.lease, self._settings.lease_ms)
        except errors.FencedOutError as error:
            await runner.stop()
            self._lost(runner.host, error)

    def _ended(self, runner: Runner, error: BaseException | None) -> None:
        host = runner.host
        if self._tables.runners.get(host.followed.id) is runner:
            del self._tables.runners[host.followed.id]
            host.schedule, host.why_stuck = None, None
        if error is not None:
            self._lost(host, error)

    def _lost(self, host: TableHost, error: BaseException) -> None:
        """A runner stopped by itself: fenced out, and we follow the new owner; or broken, and the house stops."""
        self._supervisor.spawn(self._stop_answering(host.followed.id))
        if isinstance(error, errors.FencedOutError | errors.SequenceConflictError):
            self._metrics.fenced_out.inc()
            host.fall_behind()
        else:
            self._supervisor.fail(error)

    async def _stop_answering(self, table: str) -> None:
        """Leave the requests for a table to its new owner, unless it runs here."""
        if table not in self._tables.runners:
            await self._link.stop_answering(request_name(table))

    async def release_all(self, grace_ms: int) -> None:
        """Let every runner finish what it can in time, and give its table up as soon as it has."""

        async def release(runner: Runner) -> None:
            await runner.close(grace_ms)
            await self._give_up(runner)

        self._tell()
        await asyncio.gather(*[release(runner) for runner in list(self._tables.runners.values())])

    def _watch_clock(self) -> None:
        offset = self._clock.now_ms() - self._clock.steady_ms()
        jump, self._offset = offset - self._offset, offset
        if abs(jump) >= self._settings.clock_jump_ms:
            self._log.note("clock-jumped", by_ms=jump, owner=self._settings.owner)
