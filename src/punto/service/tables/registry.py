"""The tables that this process knows, and the runners of those that it runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from punto.rules.loader import GAMES, load
from punto.rules.refusals import RecordCode, RefusedError
from punto.rules.sheet import Sheet
from punto.service.cluster.cluster_link import ClusterLink
from punto.service.settings import Timing
from punto.service.tables.followed_table import FollowedTable
from punto.service.tables.runner import Runner
from punto.service.tables.table_host import TableHost
from punto.store.interface import Store
from punto.store.records import TableSettings

MakeHost = Callable[[FollowedTable, Timing], TableHost]


class TableRegistry:
    """Tables by id. `own_sheets` are paths of the house's own rule sheets."""

    def __init__(self, store: Store, link: ClusterLink, own_sheets: Sequence[str], make_host: MakeHost) -> None:
        self._store, self._link, self._own_sheets, self._make_host = store, link, own_sheets, make_host
        self.hosts: dict[str, TableHost] = {}
        self.runners: dict[str, Runner] = {}

    def sheet_of(self, game: str) -> Sheet:
        """The sheet of a built-in game, or one of the house's own by id or path; a RefusedError says there is none."""
        if game in GAMES:
            return load(game)
        for path in self._own_sheets:
            if game in {path, load(path).id}:
                return load(path)
        known = ", ".join([*GAMES, *[load(path).id for path in self._own_sheets]])
        raise RefusedError(RecordCode.GAME_UNKNOWN, f"no game of this house is called {game!r}; there are {known}")

    async def load(self) -> None:
        """Follow all tables that the store has, those too that another process has set up."""
        for stored in await self._store.tables():
            await self.add(stored)

    async def add(self, stored: TableSettings) -> TableHost:
        """Follow a table that the store has, from its first record on. Who runs it is for the lease manager."""
        if (known := self.hosts.get(stored.table)) is not None:
            return known
        data = json.loads(stored.settings)
        followed = FollowedTable(stored.table, self.sheet_of(data["game"]))
        host = self.hosts[stored.table] = self._make_host(followed, Timing(**data["timing"]))
        await self._link.listen(f"{stored.table}.events", host.hear_events)
        await self._link.listen(f"{stored.table}.clock", host.hear_clock)
        await self._link.listen(f"{stored.table}.watch", host.hear_watchers)
        await host.catch_up()
        if followed.effective not in {None, followed.sheet.effective}:
            message = (
                f"{stored.table} was opened under the sheet of {followed.sheet.id} in force from {followed.effective}; "
                f"the one at hand is that of {followed.sheet.effective}"
            )
            raise RefusedError(RecordCode.SHEET_INVALID, message)
        return host

    def show_own(self, person: str) -> None:
        """Show someone what is their own at every table they look at: their balance changed outside the tables."""
        for host in self.hosts.values():
            host.audience.show_own(person)
