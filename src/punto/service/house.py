"""The house: one facade over its tables, people and money, whichever process each table runs in."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

from punto.ledger.accounts import patron_account
from punto.protocol import views as v
from punto.protocol.shown import Choice
from punto.rules.refusals import Refusal
from punto.rules.sheet import Sheet
from punto.service.audit.house_log import HouseLog
from punto.service.audit.significant import SignificantEvents
from punto.service.cluster.cluster_link import ClusterLink, HouseNews
from punto.service.cluster.lease_manager import LeaseManager
from punto.service.metrics import Metrics
from punto.service.money import statement
from punto.service.money.cashier import Cashier
from punto.service.people.admissions import People
from punto.service.people.first_run import FirstRun
from punto.service.people.person import Person
from punto.service.replies import Reply
from punto.service.settings import HouseSettings
from punto.service.shoes.house_key import HouseKey
from punto.service.supervisor import Supervisor
from punto.service.tables.command_router import CommandRouter
from punto.service.tables.followed_table import FollowedTable, RecordedEvent
from punto.service.tables.registry import TableRegistry
from punto.service.tables.table_setup import TableSetup
from punto.service.viewing.choice_views import all_choices
from punto.service.viewing.event_views import looking_back
from punto.service.viewing.history import History
from punto.service.viewing.subscriptions import Subscription
from punto.service.viewing.table_views import incident, summary
from punto.store.interface import Store
from punto.table.commands import Command


@dataclass(eq=False, repr=False)
class House:
    """Tables that run. `punto.service.composition.open_house` puts the parts together and starts it."""

    settings: HouseSettings
    store: Store
    key: HouseKey
    link: ClusterLink
    log: HouseLog
    people: People
    balances: dict[str, int]
    """What each account held after the last commit that this process heard of. The store has the last word."""
    cashier: Cashier
    registry: TableRegistry
    leases: LeaseManager
    router: CommandRouter
    setup: TableSetup
    first_run: FirstRun
    history: History
    significant_events: SignificantEvents
    counts: Metrics
    supervisor: Supervisor

    # --------------------------------------------------------------------------------------- opening and closing

    async def start(self) -> None:
        """Replay every table, recover interrupted rounds, then run. A house that cannot start is closed."""
        try:
            await self._start()
        except BaseException:
            await self._stop(0)
            raise

    async def _start(self) -> None:
        await self.log.agree_on(self.key)
        await self.log.note_accepted()
        await self.people.load()
        self.balances.update(await self.store.balances())
        await self.significant_events.refresh()
        await self.registry.load()
        for host in self.registry.hosts.values():
            await self.leases.take(host)
        await self.link.listen("house", HouseNews, self._hear)
        self.supervisor.spawn(self.link.send())
        self.supervisor.spawn(self.leases.run())

    def _hear(self, news: HouseNews) -> None:
        self.balances.update(news.balances)
        if news.tables:
            self.supervisor.spawn(self.registry.load())
        if news.people:
            self.supervisor.spawn(self.people.load(news.people))

    async def close(self) -> None:
        """Take nothing new, let automatic tables finish their rounds or hold them, and give the tables up."""
        await self._stop(self.settings.stop_ms)

    async def _stop(self, grace_ms: int) -> None:
        if self.supervisor.closing:
            return
        self.supervisor.closing = True
        await self.leases.release_all(grace_ms)
        for host in self.registry.hosts.values():
            await host.close()
        await self.supervisor.stop()
        await self.link.close()
        await self.store.close()

    @property
    def failed(self) -> asyncio.Future[BaseException]:
        """Done when something happened after which nothing may be trusted to be durable."""
        return self.supervisor.failed

    # --------------------------------------------------------------------------------------- tables

    def sheet_of(self, game: str) -> Sheet:
        """The sheet of a built-in game, or one of the house's own by id or path; a RefusedError says there is none."""
        return self.registry.sheet_of(game)

    async def set_up(self, by: Person, new: v.NewTable) -> v.TableSummary | Refusal:
        """Open a table. Its summary, or why not."""
        return await self.setup.set_up(by, new)

    async def command(self, by: Person, table: str, command: Command, key: str) -> Reply:
        """Give a command at a table; the same key again gets the same reply and nothing happens twice."""
        self.counts["commands"] += 1
        reply = await self.router.give(by, table, command, key)
        if reply.refused is not None:
            self.counts["refusals"] += 1
        return reply

    def preview(self, by: Person, table: str, command: Command) -> v.Preview | Refusal:
        """What a command would lead to at the table as this process has it, as the one who asks would see it."""
        answer = self.router.preview(by, self.followed(table), command)
        if isinstance(answer, Refusal):
            return answer
        views = looking_back([RecordedEvent(0, 0, event) for event in answer], self.people.name_of)
        return v.Preview(tuple([each.recorded_for(by).event for each in views]))

    def choices(self, table: str, person: Person, patron: str | None = None) -> tuple[Choice, ...]:
        """What someone may do at a table; staff may ask for one patron."""
        return all_choices(self.followed(table).state, person, patron)

    # --------------------------------------------------------------------------------------- looking

    def tables(self) -> list[v.TableSummary]:
        """Public summaries of all tables."""
        return [summary(host.followed) for _, host in sorted(self.registry.hosts.items())]

    def has_table(self, table: str) -> bool:
        """Whether there is such a table."""
        return table in self.registry.hosts

    def followed(self, table: str) -> FollowedTable:
        """A table with its state, for the server's own use: it holds what nobody may be shown."""
        return self.registry.hosts[table].followed

    def snapshot(self, table: str, person: Person | None) -> v.Snapshot:
        """A table now, for whoever looks; a KeyError for a table that is not there."""
        return self.registry.hosts[table].snapshot(person)

    async def me(self, table: str, person: Person, seq: int = 0) -> v.Standing:
        """What someone has at a table, once record `seq` was taken in."""
        host = self.registry.hosts[table]
        if host.followed.seq < seq:  # another process runs the table, and its news are still on the way
            await host.catch_up()
            self.balances[patron_account(person.id)] = await self.cashier.balance(person)
        return host.audience.standing(person)

    def subscribe(self, table: str, person: Person | None, after: int | None = None) -> Subscription:
        """Follow a table: a snapshot or what was missed since `after`, then every event in order."""
        return self.registry.hosts[table].subscribe(person, after)

    async def rounds(
        self, table: str, person: Person | None, before: int | None = None, limit: int = 20
    ) -> list[v.RoundRecord]:
        """The record of play, newest first."""
        return await self.history.rounds(self.followed(table), person, before, limit)

    async def round(self, table: str, person: Person | None, number: int) -> v.RoundRecord | Refusal:
        """One round whole, marked as a replay."""
        return await self.history.round(self.followed(table), person, number)

    async def shoe(self, table: str, number: int, person: Person | None = None) -> v.PublishedShoe | Refusal:
        """A shoe as it is published; its order and salt only once it is over, and so what came out, but to staff."""
        return await self.history.shoe(self.followed(table), person, number)

    async def statement(self, person: Person, before: str | None = None, limit: int = 100) -> list[v.Movement]:
        """A patron's movements, newest first; only those before one, named by its `place`, if that is asked for."""
        return await statement.statement(self.store, person.id, before, limit)

    def whole_statement(self, person: Person) -> AsyncIterator[list[v.Movement]]:
        """All of a patron's movements, newest first, a page at a time."""
        return statement.movements(self.store, person.id)

    async def significant(self, limit: int = 100, before: int | None = None) -> list[v.SignificantEvent]:
        """Significant events of tables and house (before a time), newest first; see `SignificantEvents.newest`."""
        return await self.significant_events.newest(limit, before)

    def incidents(self) -> list[v.Incident]:
        """The open cases of all tables, for staff."""
        found = [incident(host.followed, self.people.name_of) for host in self.registry.hosts.values()]
        return [each for each in found if each is not None]

    # --------------------------------------------------------------------------------------- for whoever watches it

    def health(self) -> v.Health:
        """Whether all is well, for whoever watches over the process."""
        tables = {
            table: v.TableHealth(
                host.followed.state.phase,
                runs_here=table in self.registry.runners,
                suspended=host.audience.suspended,
                stuck=host.why_stuck,
            )
            for table, host in sorted(self.registry.hosts.items())
        }
        if self.supervisor.closing or self.failed.done():
            return v.Health("stopping", tables, self.settings.owner)
        suspended = any(each.suspended for each in tables.values())
        stuck = any(each.stuck for each in tables.values())
        return v.Health("suspended" if suspended else "stuck" if stuck else "ok", tables, self.settings.owner)

    def metrics(self) -> dict[str, int]:
        """Counters and gauges."""
        return {
            **self.counts,
            "tables": len(self.registry.hosts),
            "tables_run_here": len(self.registry.runners),
            "subscribers": sum(len(host.audience.readers) for host in self.registry.hosts.values()),
            "people": self.people.count,
        }
