"""The tables that this process knows, and the runners of those that it runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Mapping, Sequence

from punto.ledger.accounts import owner_of
from punto.ledger.table_day import FROM_MIDNIGHT, GamingDay
from punto.rules.loader import GAMES, load, load_all
from punto.rules.reasons import Problem
from punto.rules.refusals import GameUnknown, Refused, SheetInvalid
from punto.rules.sheet import Sheet
from punto.service.audit.observer import Observer
from punto.service.streams import table_stream
from punto.service.tables.followed_table import FollowedTable
from punto.service.tables.runner import Runner
from punto.service.tables.saved_table import restore_table
from punto.service.tables.table_host import TableHost
from punto.store.interface import Store
from punto.store.records import TableSettings
from punto.table.automatic import Timing

MakeHost = Callable[[FollowedTable, Timing], TableHost]


class TableRegistry(Observer):
    """Tables by id. `own_sheets` are paths of the house's own rule sheets, read once: rules do not change in play."""

    def __init__(
        self, store: Store, own_sheets: Sequence[str], make_host: MakeHost, gaming_day: GamingDay = FROM_MIDNIGHT
    ) -> None:
        self._store, self._make_host = store, make_host
        self._own_sheets = {path: load(path) for path in own_sheets}
        self._gaming_day = gaming_day
        self._restored: dict[str, FollowedTable] = {}
        self.hosts: dict[str, TableHost] = {}
        self.runners: dict[str, Runner] = {}

    def sheet_of(self, game: str) -> Sheet:
        """The sheet of a built-in game, or one of the house's own by id or path; a Refused says there is none."""
        if game in GAMES:
            return load(game)
        for path, sheet in self._own_sheets.items():
            if game in {path, sheet.id}:
                return sheet
        raise Refused(GameUnknown(game, tuple([sheet.id for sheet in self.sheets])))

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        """The built-in sheets, and the house's own."""
        return (*load_all(), *self._own_sheets.values())

    async def load(self) -> None:
        """Follow all tables that the store has, those too that another process has set up."""
        for stored in await self._store.tables():
            await self.add(stored)

    async def restore(self, parts: Mapping[str, bytes], streams: Container[str]) -> None:
        """Begin with the tables of a checkpoint, by their streams. ValueError where one of its streams has none."""
        for stored in await self._store.tables():
            stream = table_stream(stored.table)
            if stream in parts or stream in streams:
                self._restored[stored.table] = table = self._new(stored)
                restore_table(table, parts.get(stream, b""))

    def _new(self, stored: TableSettings) -> FollowedTable:
        return FollowedTable(stored.table, self.sheet_of(json.loads(stored.settings)["game"]), self._gaming_day)

    async def add(self, stored: TableSettings) -> TableHost:
        """Follow a table that the store has, from its first record on or from where a checkpoint had it.

        Who runs it is for the lease manager.
        """
        if (known := self.hosts.get(stored.table)) is not None:
            return known
        followed = self._restored.pop(stored.table, None) or self._new(stored)
        timing = Timing(**json.loads(stored.settings)["timing"])
        host = self.hosts[stored.table] = self._make_host(followed, timing)
        await host.listen()
        await host.catch_up()
        if followed.effective not in {None, followed.sheet.effective}:
            given = (followed.sheet.effective,)
            raise Refused(SheetInvalid(followed.sheet.id, stored.table, Problem.OTHER_EDITION, given))
        if followed.fingerprint not in {"", followed.sheet.fingerprint}:
            raise Refused(SheetInvalid(followed.sheet.id, stored.table, Problem.OTHER_RULES))
        return host

    def followed(self, table: str) -> FollowedTable:
        """A table as its log has it; a KeyError for a table that is not there."""
        return self.hosts[table].followed

    def followed_tables(self) -> list[FollowedTable]:
        """All tables, by id."""
        return [host.followed for _, host in sorted(self.hosts.items())]

    def house_moved(self, balances: Mapping[str, int]) -> None:
        """Show patrons what is their own at every table they look at: their balances changed outside the tables."""
        for patron in filter(None, map(owner_of, balances)):
            for host in self.hosts.values():
                host.audience.show_own(patron)
