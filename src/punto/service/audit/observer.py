"""Whoever follows what the house records: all stand in one list, and each answers to what it needs."""

from __future__ import annotations

from collections.abc import Mapping

from punto.service.tables.followed_table import FollowedTable, RecordedEvent
from punto.store.records import Record
from punto.table.state import State


class Observer:
    """Handed every record once, in order, by whichever process it was written."""

    def observe(self, table: FollowedTable, recorded: RecordedEvent, before: State) -> None:
        """Look at the next event of a table, and at the state before it."""

    def observe_record(self, record: Record) -> None:
        """Look at the next record of the house's own log, as `HouseLog.refresh` reads it."""

    def table_moved(self, balances: Mapping[str, int]) -> None:
        """A table has moved these accounts, in a commit of this process."""

    def house_moved(self, balances: Mapping[str, int]) -> None:
        """A record of the house's own log has moved these accounts, or none; written by this process."""
