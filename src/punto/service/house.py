"""The house: one facade over its tables, people and money, whichever process each table runs in."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import Counter
from collections.abc import AsyncIterator, Coroutine, Mapping
from pathlib import Path
from typing import Any, Self

from punto.ledger.accounts import patron_account
from punto.rules.loader import GAMES, load
from punto.rules.refusals import RecordCode, Refusal, RefusedError
from punto.rules.sheet import Sheet
from punto.service.audit.house_log import HouseLog
from punto.service.clock import Clock, SystemClock
from punto.service.cluster.bus import Bus, NatsBus
from punto.service.cluster.cluster_link import ClusterLink
from punto.service.cluster.lease_manager import LeaseManager
from punto.service.money.cashier import Cashier
from punto.service.people.admissions import SET_UP, People
from punto.service.people.person import Person
from punto.service.refusals import HouseCode
from punto.service.replies import (
    Reply,
)
from punto.service.settings import HouseSettings, Timing
from punto.service.shoes.encryption import Seals, default_key
from punto.service.tables.command_router import CommandRouter
from punto.service.tables.followed_table import FollowedTable
from punto.service.tables.table_host import TableHost
from punto.service.tables.table_setup import set_up
from punto.service.viewing import history
from punto.service.viewing.subscriptions import Subscription
from punto.service.viewing.table_views import incident, summary
from punto.store import errors
from punto.store.interface import Store
from punto.store.opening import open_store
from punto.store.records import TableSettings
from punto.table import events as e

_COUNTED: dict[type[e.Event], str] = {
    e.BetPlaced: "bets",
    e.BetRaised: "bets",
    e.RoundSettled: "rounds_settled",
    e.RoundVoided: "rounds_void",
}
KEPT_SIGNIFICANT = 10_000
ONE_PROCESS = "house"
"""The owner's name where only one process can have the store: after a crash it takes its own leases back at once."""


class House:
    """Tables that run. `open` brings everything to where the log says it is, and recovers what was interrupted."""

    def __init__(self, settings: HouseSettings, store: Store, bus: Bus | None, clock: Clock, seals: Seals) -> None:
        self.settings, self.store, self.clock, self.seals = settings, store, clock, seals
        self.desk = HouseLog(store, clock)
        self.shared = settings.shared or bus is not None
        """Whether other processes may run tables of this house, admit people and end their tokens."""
        self.people = People(store, self.desk, shared=self.shared)
        self.wire = ClusterLink(bus, settings.bus_prefix)
        self.people.changed = lambda person: self.wire.tell("house", {"people": [person]})
        self.orders, self.keeper, self.cashier = CommandRouter(self), LeaseManager(self), Cashier(self)
        self.counts: Counter[str] = Counter()
        self.failed: asyncio.Future[BaseException] = asyncio.get_running_loop().create_future()
        self.hosts: dict[str, TableHost] = {}
        self.owner = settings.owner if self.shared else ONE_PROCESS
        self.closing = False
        self._significant: list[dict[str, Any]] = []
        self._looking_back = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()

    # --------------------------------------------------------------------------------------- opening and closing

    @classmethod
    async def open(
        cls,
        settings: HouseSettings,
        *,
        clock: Clock | None = None,
        store: Store | None = None,
        bus: Bus | None = None,
        adopt_head: bool = False,
    ) -> Self:
        """Open the store (migrate, check), replay every table, recover interrupted rounds, then run.

        Raises the store's RefusedStoreError for a database that must not be trusted or a key that is not its own, and
        OSError for a bus that is away.
        """
        own_clock = clock or SystemClock()
        head = Path(settings.head) if settings.head else None
        seals = Seals(Path(settings.key) if settings.key else default_key(settings.database, head))
        if store is None:
            lease_clock = own_clock.now_ms if clock is not None else None
            store = await open_store(
                settings.database,
                head=head,
                adopt_head=adopt_head,
                clock=lease_clock,
                signer=seals.signer,
                check=seals.check,
            )
        try:
            if bus is None and settings.bus is not None:
                bus = await NatsBus.connect(settings.bus)
        except BaseException:
            await store.close()
            raise
        house = cls(settings, store, bus, own_clock, seals)
        try:
            await house._begin()
        except BaseException:
            await house._give_up(0)
            raise
        return house

    async def _begin(self) -> None:
        await self.desk.agree_on(self.seals)
        await self.desk.note_accepted()
        await self.people.load()
        self.cashier.learn(await self.store.balances())
        self.note(await self.desk.news())
        for stored in await self.store.tables():
            await self.add(stored)
        for host in self.hosts.values():
            await self.keeper.take(host)
        await self.wire.listen("house", self._hear)
        self.spawn(self.wire.carry())
        self.spawn(self.keeper.keep())

    def _hear(self, news: dict[str, Any]) -> None:
        """What another process tells of the house: money moved at the desk, tables or people there are now."""
        self.cashier.learn(news.get("balances", {}))
        if news.get("tables"):
            self.spawn(self.load_tables())
        if people := news.get("people"):
            self.spawn(self.people.load(people))

    async def load_tables(self) -> None:
        """Follow the tables that another process has set up."""
        for stored in await self.store.tables():
            if stored.table not in self.hosts:
                await self.add(stored)

    async def close(self) -> None:
        """Take nothing new, let automatic tables finish their rounds or hold them, and give the tables up."""
        await self._give_up(self.settings.stop_ms)

    async def _give_up(self, grace_ms: int) -> None:
        if self.closing:
            return
        self.closing = self.desk.closing = True
        owned = [(host, host.runner) for host in self.hosts.values() if host.runner is not None]
        await asyncio.gather(*[runner.close(grace_ms) for _, runner in owned])
        with contextlib.suppress(errors.StoreError):
            for _, runner in owned:
                await self.store.release(runner.lease)
        for host in self.hosts.values():
            await host.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.wire.close()
        await self.store.close()

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Do something beside everything else; it ends with the house."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._task_done)
        return task

    def _task_done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if task.cancelled() or (error := task.exception()) is None:
            return
        # A note that could not be written is lost with the disk full; what it was about is in the table's own log.
        if not isinstance(error, errors.DiskFullError | errors.UnavailableError):
            self.fail(error)

    def fail(self, error: BaseException) -> None:
        """Something after which nothing may be trusted to be durable: whoever waits for `failed` stops the process."""
        if not self.failed.done():
            self.failed.set_result(error)

    # --------------------------------------------------------------------------------------- tables

    def sheet_of(self, game: str) -> Sheet:
        """The sheet of a built-in game, or one of the house's own by id or path; a RefusedError says there is none."""
        if game in GAMES:
            return load(game)
        for path in self.settings.sheets:
            if game in {path, load(path).id}:
                return load(path)
        own = ", ".join(load(path).id for path in self.settings.sheets)
        known = ", ".join(GAMES) + (f", {own}" if own else "")
        raise RefusedError(RecordCode.GAME_UNKNOWN, f"no game of this house is called {game!r}; there are {known}")

    async def add(self, stored: TableSettings) -> TableHost:
        """Follow a table that the store has, from its first record on. Who runs it is the keeper's business."""
        if stored.table in self.hosts:
            return self.hosts[stored.table]
        if (known := self.hosts.get(stored.table)) is not None:
            return known
        data = json.loads(stored.settings)
        followed = FollowedTable(stored.table, self.sheet_of(data["game"]))
        host = self.hosts[stored.table] = TableHost(self, followed, Timing(**data["timing"]))
        await self.wire.listen(f"{stored.table}.events", host.hear_events)
        await self.wire.listen(f"{stored.table}.clock", host.hear_clock)
        await self.wire.listen(f"{stored.table}.watch", host.hear_watchers)
        await host.catch_up()
        if followed.effective not in {None, followed.sheet.effective}:
            message = (
                f"{stored.table} was opened under the sheet of {followed.sheet.id} in force from {followed.effective}; "
                f"the one at hand is that of {followed.sheet.effective}"
            )
            raise RefusedError(RecordCode.SHEET_INVALID, message)
        return host

    async def set_up(self, by: Person, spec: Mapping[str, Any]) -> dict[str, Any] | Refusal:
        """Open a table: the fields of `open-table`, with `mode` and `timing`. The table's summary, or why not."""
        return await set_up(self, by, spec)

    async def command(self, by: Person, table: str, command: Mapping[str, Any], key: str) -> Reply:
        """Give a command at a table; the same key again gets the same reply and nothing happens twice."""
        self.counts["commands"] += 1
        reply = await self.orders.give(by, table, command, key)
        if reply.refused is not None:
            self.counts["refusals"] += 1
        return reply

    # --------------------------------------------------------------------------------------- looking

    def tables(self) -> list[dict[str, Any]]:
        """Public summaries of all tables."""
        return [summary(host.followed) for _, host in sorted(self.hosts.items())]

    def has_table(self, table: str) -> bool:
        """Whether there is such a table."""
        return table in self.hosts

    def followed(self, table: str) -> FollowedTable:
        """A table with its state, for the server's own use: it holds what nobody may be shown."""
        return self.hosts[table].followed

    def snapshot(self, table: str, person: Person | None) -> dict[str, Any]:
        """A table now, for whoever looks; a KeyError for a table that is not there."""
        return self.hosts[table].snapshot(person)

    async def me(self, table: str, person: Person, seq: int = 0) -> dict[str, Any]:
        """What is one's own at a table, once record `seq` was taken in."""
        host = self.hosts[table]
        if host.followed.seq < seq:  # another process runs the table, and its news are still on the way
            await host.catch_up()
            self.cashier.learn({patron_account(person.id): await self.cashier.balance(person)})
        return host.me(person)

    def subscribe(self, table: str, person: Person | None, after: int | None = None) -> Subscription:
        """Follow a table: a snapshot or what was missed since `after`, then every event in order."""
        return self.hosts[table].subscribe(person, after)

    async def rounds(
        self, table: str, person: Person | None, before: int | None = None, limit: int = 20
    ) -> list[dict[str, Any]]:
        """The record of play, newest first."""
        followed = self.hosts[table].followed
        async with self._turn(person):
            return await history.rounds(self.store, followed, person, self.people.name_of, before, limit)

    async def round(self, table: str, person: Person | None, number: int) -> dict[str, Any] | Refusal:
        """One round whole, marked as a replay."""
        followed = self.hosts[table].followed
        async with self._turn(person):
            found = await history.one_round(self.store, followed, person, self.people.name_of, number)
        return found or Refusal(HouseCode.ROUND_UNKNOWN, f"{table} has no finished round {number}")

    async def statement(self, person: Person, before: str | None = None, limit: int = 100) -> list[dict[str, Any]]:
        """A patron's movements, newest first; only those before one, named by its `place`, if that is asked for."""
        return await history.statement(self.store, person.id, before, limit)

    def whole_statement(self, person: Person) -> AsyncIterator[list[dict[str, Any]]]:
        """All of a patron's movements, newest first, a page at a time."""
        return history.movements(self.store, person.id)

    async def shoe(self, table: str, number: int, person: Person | None = None) -> dict[str, Any] | Refusal:
        """A shoe as it is published; its order and salt only once it is over, and so what came out, but to staff."""
        followed = self.hosts[table].followed
        async with self._turn(person):
            played = await history.played_shoe(self.store, self.seals, followed, number)
        if played is None:
            return Refusal(HouseCode.SHOE_UNKNOWN, f"{table} has had no shoe {number}")
        return history.published(followed, played, staff=person is not None and person.is_staff)

    def _turn(self, person: Person | None) -> contextlib.AbstractAsyncContextManager[None]:
        """Patrons and the public look back one at a time: many who ask at once wait for each other, not the tables."""
        return contextlib.nullcontext() if person is not None and person.is_staff else self._looking_back

    async def significant(self, limit: int = 100, before: int | None = None) -> list[dict[str, Any]]:
        """Significant events of tables and house (before a time), newest first.

        A page may be longer than asked for: it has all of its last moment, so that the next begins before that.
        """
        self.note(await self.desk.news())
        found = [line for line in self._newest() if before is None or line["at"] < before]
        end = limit
        while 0 < end < len(found) and found[end]["at"] == found[end - 1]["at"]:
            end += 1
        return found[:end]

    def note(self, lines: list[dict[str, Any]]) -> None:
        """Keep significant events at hand: the newest of them, in whichever order they come."""
        self._significant += lines
        if len(self._significant) > 2 * KEPT_SIGNIFICANT:
            self._significant = self._newest()

    def _newest(self) -> list[dict[str, Any]]:
        return sorted(self._significant, key=lambda line: -line["at"])[:KEPT_SIGNIFICANT]

    def incidents(self) -> list[dict[str, Any]]:
        """The open cases of all tables, for staff."""
        found = [incident(host.followed, SET_UP, self.people.name_of) for host in self.hosts.values()]
        return [each for each in found if each is not None]

    def count(self, event: e.Event) -> None:
        """Count what the metrics tell."""
        self.counts["events"] += 1
        if (name := _COUNTED.get(type(event))) is not None:
            self.counts[name] += 1

    def health(self) -> dict[str, Any]:
        """Whether all is well, for whoever watches over the process."""
        tables = {
            table: {
                "phase": host.followed.state.phase.value,
                "runs_here": host.runner is not None,
                "suspended": host.why_suspended,
                "stuck": host.why_stuck,
            }
            for table, host in sorted(self.hosts.items())
        }
        troubles = [name for name in ("suspended", "stuck") if any(each[name] for each in tables.values())]
        status = "stopping" if self.closing or self.failed.done() else next(iter(troubles), "ok")
        return {"status": status, "owner": self.owner, "tables": tables}

    def metrics(self) -> dict[str, int]:
        """Counters and gauges."""
        return {
            **self.counts,
            "tables": len(self.hosts),
            "tables_run_here": sum(host.runner is not None for host in self.hosts.values()),
            "subscribers": sum(len(host.readers) for host in self.hosts.values()),
            "people": self.people.count,
        }
