"""Setting tables up: a request is read, decided as the table itself would, and stored with the table's first record."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace

from msgspec import UNSET, structs, to_builtins

from punto.protocol.codec import struct_of, to_json
from punto.protocol.refusals import StoreUnavailable, TableExists, TimingKept
from punto.protocol.views import NewTable, TableSummary
from punto.rules.refusals import Refusal, Refused
from punto.rules.sheet import Role, Sheet
from punto.service.audit.house_log import HouseLog
from punto.service.cluster.cluster_link import HouseNews
from punto.service.cluster.lease_manager import LeaseManager
from punto.service.part import Part
from punto.service.people.person import ADMIN_ROLE, Person, may_set_up
from punto.service.replies import canonical, hash_body
from punto.service.streams import table_stream
from punto.service.tables.command_router import CommandRouter
from punto.service.tables.registry import TableRegistry
from punto.service.tables.table_host import TableHost
from punto.service.viewing.table_views import summary
from punto.store import errors
from punto.store.records import Batch, Lease, NewRecord, TableSettings, Unit
from punto.table import acts
from punto.table.act import kind_of
from punto.table.actor import Actor
from punto.table.automatic import Timing
from punto.table.engine import decide
from punto.table.phases import Phase
from punto.table.refusals import NameInvalid, NotPermitted
from punto.table.state import Settings, new_table
from punto.table.values import BetLimits

TABLE_ID_LENGTH = 32
_TABLE_ID = re.compile(rf"[a-z0-9](?:[a-z0-9-]{{0,{TABLE_ID_LENGTH - 2}}}[a-z0-9])?")

_GIVEN = [each.name for each in fields(Settings) if each.name != "live"]
"""The settings that someone gives who sets up a table."""


@dataclass(eq=False, repr=False)
class TableSetup(Part):
    """Opens new tables, and tables that were closed again."""

    _log: HouseLog
    _tables: TableRegistry
    _router: CommandRouter
    _leases: LeaseManager

    async def set_up(self, by: Person, new: NewTable) -> TableSummary | Refusal:
        """Open a table. Its summary, or why not.

        A table that is opened again keeps the role of the second person who confirms voids and corrections. Anyone may
        ask for a higher one, but only an admin for a lower.
        """
        if not may_set_up(by):
            return NotPermitted(Role.PIT_SUPERVISOR)
        read = self._read(by, new)
        if isinstance(read, Refusal):
            return read
        sheet, command, timing = read
        try:
            await self._log.store_sheet(sheet)
        except (errors.DiskFullError, errors.UnavailableError):
            return StoreUnavailable()
        if command.settings.table in self._tables.hosts:
            host = self._tables.hosts[command.settings.table]
            if new.timing is not UNSET and host.timing != _timing(new, host.timing):
                return TimingKept()
            if (settings := host.followed.state.settings) is not None:
                if new.second_role is UNSET:
                    command = replace(command, settings=replace(command.settings, second_role=settings.second_role))
                elif command.settings.second_role.level < settings.second_role.level and by.role != ADMIN_ROLE:
                    return NotPermitted(ADMIN_ROLE)
            return await self._reopen(by, host, command)
        opened = decide(new_table(sheet), command)
        if isinstance(opened, Refusal):
            return opened
        try:
            return await self._open(by, new.game, command.settings.table, tuple(opened), timing)
        except (errors.LeaseHeldError, errors.SequenceConflictError, errors.FencedOutError):
            return TableExists(command.settings.table)
        except (errors.DiskFullError, errors.UnavailableError):
            return StoreUnavailable()

    def _read(self, by: Person, new: NewTable) -> tuple[Sheet, acts.OpenTable, Timing] | Refusal:
        if not _TABLE_ID.fullmatch(new.table):
            return NameInvalid()
        live = new.mode == "live"
        given = {name: value for name in _GIVEN if (value := getattr(new, name)) is not UNSET}
        given["sides"] = tuple([BetLimits(*structs.astuple(each)) for each in new.sides])
        try:
            sheet = self._tables.sheet_of(new.game)
        except Refused as error:
            return error.refusal
        actor = Actor(by.id, by.staff or Role.PIT_SUPERVISOR)
        command = acts.OpenTable(actor, sheet.id, Settings(live=live, **given), new.asked_by)
        return sheet, command, _timing(new, self._settings.timing)

    async def _open(
        self, by: Person, game: str, table: str, opened: tuple[acts.Event, ...], timing: Timing
    ) -> TableSummary:
        lease = await self._store.acquire(table_stream(table), self._settings.owner, self._settings.lease_ms)
        pace = {each.name: getattr(timing, each.name) for each in fields(timing)}
        stored = TableSettings(table, canonical({"game": game, "timing": pace, "by": by.id}))
        records = tuple(NewRecord(kind_of(type(event)), to_json(event)) for event in opened)
        batch = Batch(table_stream(table), 0, self._clock.now_ms(), (Unit(records),), lease.fence, tables=(stored,))
        await self._append(batch, lease)
        host = await self._tables.add(stored)
        await self._store.release(lease)
        await self._leases.take(host)
        self._link.publish("house", HouseNews(tables=True))
        return summary(host.followed)

    async def _append(self, batch: Batch, lease: Lease) -> None:
        try:
            await self._store.append(batch)
        except errors.OutcomeUnknownError as error:
            if not await self._store.resolve(error):
                await self._store.release(lease)
                raise errors.UnavailableError("the table could not be written; try again") from None

    async def _reopen(self, by: Person, host: TableHost, command: acts.OpenTable) -> TableSummary | Refusal:
        if host.followed.state.phase is not Phase.NOT_OPEN:
            return TableExists(command.settings.table)
        key = f"{by.id}:reopen-{command.settings.table}-{host.followed.seq}"
        reply = await self._router.carry_out(command.settings.table, by, command, key, hash_body(struct_of(command)))
        return reply.refused or summary(host.followed)


def _timing(new: NewTable, default: Timing) -> Timing:
    """The pace that was asked for; what is not said stays as the house has it."""
    return default if new.timing is UNSET else replace(default, **to_builtins(new.timing))
