"""The house: the one place that makes every part of it, hands each what it needs, and starts and stops them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from functools import partial
from math import nan
from pathlib import Path

from msgspec import UNSET

from punto.protocol import views as v
from punto.protocol.shown import Choice
from punto.rules.refusals import Refusal
from punto.service.audit.house_log import HouseLog
from punto.service.audit.incident_log import IncidentLog
from punto.service.audit.observer import Observer
from punto.service.audit.significant import SignificantEvents
from punto.service.checkpoints import CheckpointFile, Checkpoints
from punto.service.cluster.bus import Bus
from punto.service.cluster.cluster_link import ClusterLink, HouseNews
from punto.service.cluster.lease_manager import LeaseManager
from punto.service.health import HealthCheck
from punto.service.metrics import Metrics
from punto.service.money import statement, statement_entries
from punto.service.money.cashier import Cashier
from punto.service.money.debts import DebtCollector
from punto.service.money.notices import Notices
from punto.service.money.tickets import TicketNumbers
from punto.service.people.admissions import People
from punto.service.people.first_run import FirstRun
from punto.service.people.person import Person
from punto.service.replies import Reply
from punto.service.settings import HouseSettings
from punto.service.shoes.encryption import ShoeCipher
from punto.service.shoes.house_key import HouseKey
from punto.service.supervisor import Supervisor
from punto.service.tables.command_router import CommandRouter
from punto.service.tables.followed_table import FollowedTable, RecordedEvent
from punto.service.tables.registry import TableRegistry
from punto.service.tables.runner import Runner
from punto.service.tables.table_host import TableHost
from punto.service.tables.table_setup import TableSetup
from punto.service.viewing.choice_views import all_choices
from punto.service.viewing.event_views import EventViews
from punto.service.viewing.floor_feed import FloorFeed
from punto.service.viewing.history import History
from punto.service.viewing.incident_views import show_effect
from punto.service.viewing.subscriptions import Subscription
from punto.service.viewing.table_views import incidents, summary
from punto.service.world import World
from punto.store.errors import BrokenStoreError
from punto.store.fold import Checkpoint
from punto.store.interface import Store
from punto.table.act import Command
from punto.table.effects import effect_of_command

ONE_PROCESS = "house"
"""The owner's name where only one process can have the store: after a crash it takes its own leases back at once."""


async def open_house(settings: HouseSettings, world: World | None = None) -> House:
    """Open and check the store, replay every table, recover interrupted rounds, then run.

    Raises the store's RefusedStoreError for a database that must not be trusted or a key that is not its own, and
    OSError for a bus that is away.
    """
    world = world or World()
    key = HouseKey(settings.key_file, world.entropy)
    file = CheckpointFile(path, key, world.entropy) if (path := settings.checkpoint_file) else None
    checkpoint, refused = await asyncio.to_thread(_read_checkpoint, file, key)
    house = await _make_house(settings, world, key, file, checkpoint)
    await house.start(refused)
    return house


async def _make_house(
    settings: HouseSettings,
    world: World,
    key: HouseKey,
    file: CheckpointFile | None,
    checkpoint: Checkpoint | None,
) -> House:
    """A house with its store open. The log is read from its first record if the checkpoint does not fit the house."""
    store = await world.open_store(
        settings.database,
        head=Path(settings.head) if settings.head else None,
        adopt_head=settings.adopt_head,
        signer=key.signer,
        check=key.check,
        checkpoint=checkpoint,
    )
    try:
        bus = await world.open_bus(settings.bus)
    except BaseException:
        await store.close()
        raise
    house = House(settings, world, store, bus, key, file)
    if checkpoint is not None and store.resumed and not await house.checkpoints.restore(checkpoint):
        await house.close()
        return await _make_house(settings, world, key, file, None)
    return house


def _read_checkpoint(file: CheckpointFile | None, key: HouseKey) -> tuple[Checkpoint | None, str | None]:
    """The newest checkpoint, and why it is not used, where somebody else has changed it."""
    if file is None or key.fingerprint is None:
        return None, None
    try:
        return file.read(), None
    except ValueError as error:
        return None, str(error)


class House:
    """Tables that run, with the people and the money of the house. `open_house` makes and starts one."""

    def __init__(
        self,
        settings: HouseSettings,
        world: World,
        store: Store,
        bus: Bus | None,
        key: HouseKey,
        checkpoint_file: CheckpointFile | None = None,
    ) -> None:
        """Make every part; nothing runs yet."""
        self.link = link = ClusterLink(bus, settings.bus_prefix, shared=settings.shared or bus is not None)
        self.settings = settings = settings if link.shared else replace(settings, owner=ONE_PROCESS)
        self.store, self.key, self._clock = store, key, world.clock
        self.metrics, self.supervisor = Metrics(), Supervisor(world.spawn)
        self.balances: dict[str, int] = {}
        observers: list[Observer] = []
        shared = (world, settings, store, link, self.metrics, self.supervisor, self.balances, observers)
        cipher = ShoeCipher(key, world.entropy)
        self.log = log = HouseLog(*shared)
        self.people = people = People(*shared, log)
        self.significant = significant = SignificantEvents(log, settings.large_win_cents, people.name_of)
        self.notices = notices = Notices(log, people.name_of)
        self.incident_log = incidents = IncidentLog(people.name_of, settings.gaming_day)
        make_host = partial(TableHost, *shared, cipher, log, people)
        self.registry = tables = TableRegistry(store, settings.sheets, make_host, settings.gaming_day)
        self.checkpoints = Checkpoints(*shared, checkpoint_file, log, tables, significant, incidents, notices)
        self.floor = FloorFeed(*shared, tables.followed_tables, people.name_of, significant)
        self.router = router = CommandRouter(*shared, people, tables)
        make_runner = partial(Runner, *shared, cipher)
        self.leases = LeaseManager(*shared, log, people, tables, make_runner, router.answer)
        self.health = HealthCheck(*shared, tables, self.leases)
        self.setup = TableSetup(*shared, log, tables, router, self.leases)
        self.debts = DebtCollector(*shared, log, people.name_of)
        self.cashier = Cashier(*shared, log, people, self.debts, TicketNumbers(key))
        self.first_run = FirstRun(*shared, key, log, people, tables, self.setup)
        self.history = History(store, cipher, people.name_of, tables)
        observers += [significant, incidents, notices, tables, self.floor, self.checkpoints, self.debts]
        self._started = self._stopped = False

    # --------------------------------------------------------------------------------------- opening and closing

    async def start(self, refused: str | None = None) -> None:
        """Replay every table, recover interrupted rounds, then run. A house that cannot start is closed.

        `refused` is why there is no checkpoint to begin with, where somebody else has changed it.
        """
        try:
            await self._start(refused)
            self._started = self.checkpoints.running = True
        except BaseException:
            await self._stop(0)
            raise

    async def _start(self, refused: str | None) -> None:
        await self.log.agree_on(self.key)
        if refused:
            await self.log.write("checkpoint-refused", {"subject": refused, "detail": ""})
        await self.people.load()
        if self.store.resumed:
            self.supervisor.spawn(self._check_database())
        self.balances.update(await self.store.balances())
        await self.log.refresh()
        await self.registry.load()
        await self.debts.collect_all()
        for host in self.registry.hosts.values():
            await self.leases.take(host)
        await self.link.listen("house", HouseNews, self._hear)
        await self.leases.listen()
        self.supervisor.spawn(self.link.send())
        self.supervisor.spawn(self.leases.run())
        self.supervisor.spawn(self.health.watch())

    async def _check_database(self) -> None:
        """Let the database look for damage, which a start from a checkpoint does not wait for."""
        async with self.store.snapshot() as snapshot:
            if (damaged := await snapshot.damage()) is not None:
                self.supervisor.fail(BrokenStoreError(f"the database is damaged: {damaged}"))

    def _hear(self, news: HouseNews) -> None:
        self.balances.update(news.balances)
        self.floor.changed()
        if news.tables:
            self.supervisor.spawn(self.registry.load())
        if news.people:
            self.supervisor.spawn(self.people.load(news.people))

    async def release(self) -> None:
        """Let automatic tables finish their rounds or hold them, and give the tables up; requests are still answered.

        Where other processes share the house, they go on with the tables, and proxies have time to notice.
        """
        released = self._release(self.settings.stop_ms)
        if self.link.connected:
            until = self._clock.steady_ms() + self.settings.drain_ms
            await asyncio.gather(released, self._clock.sleep_until(until))
        else:
            await released

    async def _release(self, grace_ms: int) -> None:
        if not self.supervisor.closing:
            self.supervisor.closing = True
            await self.leases.release_all(grace_ms)

    async def close(self) -> None:
        """Release the tables, if that has not been done yet, and stop."""
        await self._stop(self.settings.stop_ms)

    async def _stop(self, grace_ms: int) -> None:
        await self._release(grace_ms)
        if self._stopped:
            return
        self._stopped = True
        for host in self.registry.hosts.values():
            await host.close()
        self.floor.close()
        await self.supervisor.stop()
        if self._started and not self.failed.done():
            await self.checkpoints.save()
        await self.link.close()
        await self.store.close()

    @property
    def failed(self) -> asyncio.Future[BaseException]:
        """Done when something happened after which nothing may be trusted to be durable."""
        return self.supervisor.failed

    # --------------------------------------------------------------------------------------- commands

    async def command(self, by: Person, table: str, command: Command, key: str) -> Reply:
        """Give a command at a table; the same key again gets the same reply and nothing happens twice."""
        loop = asyncio.get_running_loop()
        started = loop.time()
        reply = await self.router.give(by, table, command, key)
        self.metrics.count_command(command, reply.refused.code if reply.refused else "", loop.time() - started)
        return reply

    async def preview(self, by: Person, table: str, command: Command) -> v.Preview | Refusal:
        """A command's result at the table as this process has it, as the one who asks would see it."""
        recorded = await self.router.preview(by, self.followed(table), command)
        if isinstance(recorded, Refusal):
            return recorded
        shown = tuple([EventViews(each, self.people.name_of).recorded_for(by).event for each in recorded])
        return v.Preview(shown, self._effect(self.followed(table), recorded) if by.is_staff else UNSET)

    def _effect(self, table: FollowedTable, recorded: Sequence[RecordedEvent]) -> v.IncidentEffect | None:
        """The changes by events that were decided on the table as it is; None where it has moved on since."""
        if not recorded or recorded[0].seq != table.seq + 1:
            return None
        return show_effect(effect_of_command(table.state, [each.event for each in recorded]), self.people.name_of)

    def choices(self, table: str, person: Person, patron: str | None = None) -> tuple[Choice, ...]:
        """The choices of someone at a table; staff may ask for one patron."""
        return all_choices(self.followed(table).state, person, patron)

    # --------------------------------------------------------------------------------------- looking

    def tables(self) -> list[v.TableSummary]:
        """Public summaries of all tables."""
        return [summary(table) for table in self.registry.followed_tables()]

    def followed(self, table: str) -> FollowedTable:
        """A table with its state, for the server's own use: it holds what nobody may be shown."""
        return self.registry.followed(table)

    def snapshot(self, table: str, person: Person | None) -> v.Snapshot:
        """A table now, for whoever looks; a KeyError for a table that is not there."""
        return self.registry.hosts[table].snapshot(person)

    async def me(self, table: str, person: Person, seq: int = 0) -> v.Standing:
        """Someone's own view of a table, once record `seq` was taken in."""
        host = self.registry.hosts[table]
        if host.followed.seq < seq:  # another process runs the table, and its news are still on the way
            await host.catch_up()
            await self.cashier.credit_and_debt(person)
        return host.audience.standing(person)

    def subscribe(self, table: str, person: Person | None, after: int | None = None) -> Subscription:
        """Follow a table: a snapshot or what was missed since `after`, then every event in order."""
        return self.registry.hosts[table].subscribe(person, after)

    async def statement(self, person: Person, before: str | None = None, limit: int = 100) -> list[v.Movement]:
        """A patron's movements, newest first; only those before one, named by its `place`, if that is asked for."""
        return await statement.statement(self.store, person.id, self.people.name_of, before, limit)

    def whole_statement(self, person: Person) -> AsyncIterator[list[v.Movement]]:
        """All of a patron's movements, newest first, a page at a time."""
        return statement.movements(self.store, person.id, self.people.name_of)

    async def statement_entries(self, person: Person, before: str | None, limit: int) -> list[v.StatementEntry]:
        """A patron's statement by round, newest first; only entries before one, named by its `place`, if asked for."""
        hosts = self.registry.hosts.items()
        in_play = {(table, host.followed.state.rounds) for table, host in hosts if host.followed.state.round}
        return await statement_entries.entries(self.whole_statement(person), in_play, before, limit)

    async def statement_totals(
        self, person: Person, by: v.TotalsBy, before: str | None, limit: int
    ) -> list[v.StatementTotal]:
        """The totals of a patron's sessions or gaming days, newest first; older ones by `before`."""
        day = self.settings.gaming_day if by == "day" else None
        return await statement_entries.totals(self.whole_statement(person), day, before, limit)

    def incidents(self) -> list[v.Incident]:
        """The open cases of all tables, for staff."""
        return incidents(self.registry.followed_tables(), self.people.name_of)

    # --------------------------------------------------------------------------------------- for whoever watches it

    async def figures(self) -> bytes:
        """Counters, histograms and gauges, as Prometheus reads them."""
        metrics, hosts = self.metrics, self.registry.hosts
        metrics.tables.set(len(hosts))
        metrics.tables_run_here.set(len(self.registry.runners))
        metrics.people.set(self.people.count)
        free = self.health.disk_free_bytes()
        metrics.disk_free.set(nan if free is None else free)
        metrics.backup.set(self.health.backup_seconds())
        metrics.token_ends.set((self.people.first_end_ms or 0) // 1_000)
        for table, host in hosts.items():
            metrics.readers.labels(table).set(len(host.audience.readers))
            runner = self.registry.runners.get(table)
            metrics.queued_commands.labels(table).set(runner.queued if runner else 0)
        for check, state in (await self.health.ready()).checks.items():
            metrics.up.labels(check).set(state == "ok")
        return metrics.text()
