"""Setting tables up: a request is read, decided as the table itself would, and stored with the table's first record."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from punto.rules.refusals import Refusal, RefusedError
from punto.rules.sheet import Role, Sheet
from punto.service.clock import Clock
from punto.service.cluster.cluster_link import ClusterLink
from punto.service.cluster.lease_manager import LeaseManager
from punto.service.people.person import ADMIN_ROLE, Person, may_set_up
from punto.service.refusals import HouseCode
from punto.service.replies import canonical, hash_body
from punto.service.settings import HouseSettings, Timing, read_timing
from punto.service.streams import table_stream
from punto.service.tables.command_router import CommandRouter
from punto.service.tables.registry import TableRegistry
from punto.service.tables.table_host import TableHost
from punto.service.viewing.table_views import summary
from punto.store import errors
from punto.store.interface import Store
from punto.store.records import Batch, Lease, NewRecord, TableSettings, Unit
from punto.table import commands as c
from punto.table import events as e
from punto.table.codec import read_command, to_json, write_command
from punto.table.decide import decide
from punto.table.phases import Phase
from punto.table.state import new_table

TABLE_ID_LENGTH = 32
_TABLE_ID = re.compile(rf"[a-z0-9](?:[a-z0-9-]{{0,{TABLE_ID_LENGTH - 2}}}[a-z0-9])?")


class TableSetup:
    """Opens new tables, and tables that were closed again."""

    def __init__(
        self,
        tables: TableRegistry,
        leases: LeaseManager,
        router: CommandRouter,
        store: Store,
        link: ClusterLink,
        clock: Clock,
        settings: HouseSettings,
        owner: str,
    ) -> None:
        self._tables, self._leases, self._router = tables, leases, router
        self._store, self._link, self._clock, self._settings, self._owner = store, link, clock, settings, owner

    async def set_up(self, by: Person, spec: Mapping[str, Any]) -> dict[str, Any] | Refusal:
        """Open a table: the fields of `open-table`, with `mode` and `timing`. The table's summary, or why not.

        A live table asks for a second person before voids and corrections, unless an admin says otherwise.
        """
        if not may_set_up(by):
            return Refusal(HouseCode.NOT_PERMITTED, f"a {by.role} may not set tables up")
        read = self._read(by, spec)
        if isinstance(read, Refusal):
            return read
        sheet, game, command, timing = read
        if command.live and not command.second_person and by.role != ADMIN_ROLE:
            message = "only an admin opens a live table where one person alone may void and correct rounds"
            return Refusal(HouseCode.NOT_PERMITTED, message)
        if command.table in self._tables.hosts:
            host = self._tables.hosts[command.table]
            if host.timing.differs(spec.get("timing") or {}):
                message = f"{command.table} keeps the timing it was set up with: leave `timing` out to open it again"
                return Refusal(HouseCode.COMMAND_UNREADABLE, message)
            return await self._reopen(by, host, command)
        opened = decide(new_table(sheet), command)
        if isinstance(opened, Refusal):
            return opened
        try:
            return await self._open(by, game, command.table, opened, timing)
        except (errors.LeaseHeldError, errors.SequenceConflictError, errors.FencedOutError):
            return Refusal(HouseCode.TABLE_EXISTS, f"a table with the id {command.table!r} is there already")
        except (errors.DiskFullError, errors.UnavailableError) as error:
            return Refusal(HouseCode.STORE_UNAVAILABLE, error.message)

    def _read(self, by: Person, spec: Mapping[str, Any]) -> tuple[Sheet, str, c.OpenTable, Timing] | Refusal:
        data = dict(spec)
        mode, timing_data = data.pop("mode", None), data.pop("timing", None)
        if "by" in data or "kind" in data or "live" in data or mode not in {"automatic", "live"}:
            message = "a table is set up with mode `automatic` or `live` and the fields of open-table but `live`"
            return Refusal(HouseCode.COMMAND_UNREADABLE, message)
        if data.get("second_person") is None:
            data["second_person"] = mode == "live"
        table, game = data.get("table"), data.get("game")
        if not isinstance(table, str) or not _TABLE_ID.fullmatch(table):
            message = f"a table's id is 1 to {TABLE_ID_LENGTH} lower-case letters, digits and hyphens"
            return Refusal(HouseCode.NAME_INVALID, message)
        try:
            timing = read_timing(timing_data, self._settings.timing)
            sheet = self._tables.sheet_of(game) if isinstance(game, str) else None
            actor = c.Actor(by.id, by.staff or Role.PIT_SUPERVISOR)
            data |= {"kind": "open-table", "by": actor.text, "live": mode == "live"}
            if sheet is not None:
                data["game"] = sheet.id
            command = read_command(data)
        except RefusedError as error:
            return error.refusal
        except ValueError as error:
            return Refusal(HouseCode.COMMAND_UNREADABLE, str(error))
        if not isinstance(command, c.OpenTable) or sheet is None or not isinstance(game, str):
            raise AssertionError("the kind and the game were given")
        return sheet, game, command, timing

    async def _open(
        self, by: Person, game: str, table: str, opened: tuple[e.Event, ...], timing: Timing
    ) -> dict[str, Any]:
        lease = await self._store.acquire(table_stream(table), self._owner, self._settings.lease_ms)
        pace = {each.name: getattr(timing, each.name) for each in fields(timing)}
        stored = TableSettings(table, canonical({"game": game, "timing": pace, "by": by.id}))
        records = tuple(NewRecord(c.kind_of(type(event)), to_json(event)) for event in opened)
        batch = Batch(table_stream(table), 0, self._clock.now_ms(), (Unit(records),), lease.fence, tables=(stored,))
        await self._append(batch, lease)
        host = await self._tables.add(stored)
        await self._store.release(lease)
        await self._leases.take(host)
        self._link.publish("house", {"tables": True})
        return summary(host.followed)

    async def _append(self, batch: Batch, lease: Lease) -> None:
        try:
            await self._store.append(batch)
        except errors.OutcomeUnknownError as error:
            if not await self._store.resolve(error):
                await self._store.release(lease)
                raise errors.UnavailableError("the table could not be written; try again") from None

    async def _reopen(self, by: Person, host: TableHost, command: c.OpenTable) -> dict[str, Any] | Refusal:
        if host.followed.state.phase is not Phase.NOT_OPEN:
            return Refusal(HouseCode.TABLE_EXISTS, f"a table with the id {command.table!r} is there already")
        key = f"{by.id}:reopen-{command.table}-{host.followed.seq}"
        reply = await self._router.carry_out(host, by, command, key, hash_body(write_command(command)))
        return reply.refused or summary(host.followed)
