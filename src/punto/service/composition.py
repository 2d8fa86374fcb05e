"""The one place that knows all parts of a house: it makes each and hands it what it needs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from punto.service.audit.house_log import HouseLog
from punto.service.audit.significant import SignificantEvents
from punto.service.cluster.bus import Bus
from punto.service.cluster.cluster_link import ClusterLink
from punto.service.cluster.lease_manager import LeaseManager
from punto.service.house import House
from punto.service.metrics import Metrics
from punto.service.money.cashier import Cashier
from punto.service.people.admissions import People
from punto.service.people.first_run import FirstRun
from punto.service.settings import HouseSettings
from punto.service.shoes.encryption import ShoeCipher
from punto.service.shoes.house_key import HouseKey, default_key
from punto.service.supervisor import Supervisor
from punto.service.tables.command_router import CommandRouter
from punto.service.tables.followed_table import FollowedTable, RecordedEvent
from punto.service.tables.registry import TableRegistry
from punto.service.tables.runner import Ended, Runner
from punto.service.tables.table_host import TableHost
from punto.service.tables.table_setup import TableSetup
from punto.service.viewing.audience import TableAudience
from punto.service.viewing.history import History
from punto.service.world import World
from punto.store.interface import Store
from punto.store.records import Lease
from punto.table.automatic import Timing

ONE_PROCESS = "house"
"""The owner's name where only one process can have the store: after a crash it takes its own leases back at once."""


async def open_house(settings: HouseSettings, world: World | None = None, *, adopt_head: bool = False) -> House:
    """Open the store (migrate, check), replay every table, recover interrupted rounds, then run.

    Raises the store's RefusedStoreError for a database that must not be trusted or a key that is not its own, and
    OSError for a bus that is away.
    """
    world = world or World()
    head = Path(settings.head) if settings.head else None
    key = HouseKey(Path(settings.key) if settings.key else default_key(settings.database, head), world.entropy)
    store = await world.open_store(
        settings.database, head=head, adopt_head=adopt_head, signer=key.signer, check=key.check
    )
    try:
        bus = await world.open_bus(settings.bus)
    except BaseException:
        await store.close()
        raise
    house = build(settings, world, store, bus, key)
    await house.start()
    return house


def build(settings: HouseSettings, world: World, store: Store, bus: Bus | None, key: HouseKey) -> House:
    """A house of parts, not yet started."""
    clock = world.clock
    link = ClusterLink(bus, settings.bus_prefix, shared=settings.shared or bus is not None)
    if not link.shared:
        settings = replace(settings, owner=ONE_PROCESS)
    supervisor, metrics, balances = Supervisor(world.spawn), Metrics(), dict[str, int]()
    cipher = ShoeCipher(key, world.entropy)
    log = HouseLog(store, clock, supervisor)
    significant = SignificantEvents(log, settings.large_win_cents)
    people = People(store, log, link, world.entropy)

    def observe(table: str, recorded: RecordedEvent) -> None:
        significant.observe(table, recorded)
        metrics.count(recorded.event)

    def make_host(followed: FollowedTable, timing: Timing) -> TableHost:
        audience = TableAudience(followed, people.name_of, balances, clock, metrics, settings.edge.queued_messages)
        parts = (store, cipher, balances, link, log, observe, clock, supervisor, settings)
        return TableHost(followed, timing, audience, *parts)

    def make_runner(host: TableHost, lease: Lease, ended: Ended) -> Runner:
        return Runner(host, lease, ended, store, cipher, balances, settings, world)

    tables = TableRegistry(store, settings.sheets, make_host)
    router = CommandRouter(tables, people, balances, link, clock, supervisor)
    parts = (store, link, log, metrics, clock, supervisor, settings)
    leases = LeaseManager(tables, people, make_runner, router.answer, *parts)
    setup = TableSetup(tables, leases, router, store, link, clock, settings)
    return House(
        settings=settings,
        store=store,
        key=key,
        link=link,
        log=log,
        people=people,
        balances=balances,
        cashier=Cashier(store, log, balances, tables, link, clock, settings),
        registry=tables,
        leases=leases,
        router=router,
        setup=setup,
        first_run=FirstRun(people, tables, setup, store, link, world, settings.owner),
        history=History(store, cipher, people.name_of),
        significant_events=significant,
        counts=metrics,
        supervisor=supervisor,
    )
