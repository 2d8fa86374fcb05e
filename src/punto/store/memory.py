"""The store in memory, for tests and trials: tables of SQLite that are gone with the process."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from typing import TypeVar

from punto.store import schema
from punto.store.fold import LogFold
from punto.store.interface import Reading
from punto.store.leases import wall_clock_ms
from punto.store.records import Sign
from punto.store.sqlite import OneWriterStore, SqliteSnapshot, attempt, carry_out

T = TypeVar("T")


class MemoryStore(OneWriterStore):
    """One connection, on which everything is done at once: no method awaits anything, so each is atomic."""

    def __init__(
        self, clock: Callable[[], int] = wall_clock_ms, sign: Sign | None = None, fold: LogFold | None = None
    ) -> None:
        super().__init__(None, fold or LogFold(), sign)
        self._clock = clock
        self._connection = schema.sqlite_in_memory()

    async def _write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return attempt(self._connection, work)

    async def _read(self, reading: Reading[T], *, long: bool = False) -> T:
        return carry_out(self._connection, reading)

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[SqliteSnapshot]:
        with closing(schema.sqlite_in_memory()) as connection:
            self._connection.backup(connection)
            yield SqliteSnapshot(connection, None)

    async def close(self) -> None:
        """Do nothing: another house may go on with it."""
