"""The statements that both databases share, and their snapshots.

Values are written `$1`, `$2`, and so on; SQLite has them as `?1`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from punto.ledger.balances import PostingRow
from punto.store.errors import RefusedStoreError
from punto.store.records import (
    POSTING_COLUMNS,
    RECORD_COLUMNS,
    TAIL_COLUMNS,
    RawRecord,
    Tail,
    read_posting_rows,
    read_record_rows,
    read_tail,
)

T = TypeVar("T")
READ_PEOPLE = "SELECT id, name, role, token_hash FROM people"
READ_TABLES = "SELECT name, settings FROM table_settings"
SET_PERSON = (
    "INSERT INTO people VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO UPDATE "
    "SET name = excluded.name, role = excluded.role, token_hash = excluded.token_hash"
)
SET_TABLE = "INSERT INTO table_settings VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET settings = excluded.settings"


def readable(read: Callable[[Sequence[Any]], T], rows: Sequence[Any]) -> T:
    """Rows of a snapshot, read strictly; RefusedStoreError where a column holds what it cannot."""
    try:
        return read(rows)
    except ValueError as error:
        message = f"the database holds what cannot be there: {error}"
        raise RefusedStoreError("database-unreadable", message) from None


class StoreSnapshot:
    """The whole store at one moment, for audits: pages of records in order of `id`, and their postings."""

    _joined = "JOIN"
    """Joins tables so that the one on the left is read first."""
    _whole = ""
    """Follows a table of which no index is read."""

    async def counts(self) -> tuple[int, int]:
        """The numbers of records and postings."""
        [(records, postings)] = await self._rows(
            "SELECT (SELECT count(*) FROM records), (SELECT count(*) FROM postings)"
        )
        return records, postings

    async def page(self, after: int, limit: int) -> list[RawRecord]:
        """The records whose ids follow `after`."""
        select = f"SELECT {RECORD_COLUMNS} FROM records WHERE id > $1 ORDER BY id LIMIT $2"
        return readable(read_record_rows, await self._rows(select, after, limit))

    async def postings(self, after: int, last: int | None) -> list[PostingRow]:
        """The postings of records with ids above `after` and up to `last`, in order."""
        select = f"SELECT {POSTING_COLUMNS} FROM postings WHERE record > $1 AND record <= $2 ORDER BY record, line"
        return readable(read_posting_rows, await self._rows(select, after, 2**62 if last is None else last))

    async def stream(self, stream: str, after: int, limit: int) -> list[RawRecord]:
        """The records of one stream whose numbers follow `after`."""
        select = f"SELECT {RECORD_COLUMNS} FROM records WHERE stream = $1 AND seq > $2 ORDER BY seq LIMIT $3"
        return readable(read_record_rows, await self._rows(select, stream, after, limit))

    async def stream_postings(self, stream: str, after: int, last: int) -> list[PostingRow]:
        """The postings of a stream's records with numbers above `after` and up to `last`, like `postings`."""
        select = (
            f"SELECT {POSTING_COLUMNS} FROM records {self._joined} postings ON record = id "
            "WHERE stream = $1 AND seq > $2 AND seq <= $3 ORDER BY seq, line"
        )
        return readable(read_posting_rows, await self._rows(select, stream, after, last))

    async def balances(self) -> dict[str, int]:
        """All balances."""
        return dict(await self._rows("SELECT account, cents FROM balances"))

    async def tails(self) -> list[Tail]:
        """The tail of every stream, as stored."""
        rows = await self._rows(f"SELECT {TAIL_COLUMNS} FROM streams")
        return sorted([readable(read_tail, row) for row in rows], key=lambda tail: tail.stream)

    async def people(self) -> list[tuple[Any, ...]]:
        """Every person's row as stored (id, name, role, token_hash), even if it was edited."""
        return await self._rows(f"{READ_PEOPLE}{self._whole}")

    async def tables(self) -> list[tuple[Any, ...]]:
        """Every table's row as stored (name, settings)."""
        return await self._rows(f"{READ_TABLES}{self._whole}")

    async def _rows(self, select: str, *values: object) -> list[Any]:
        """The rows that a query gives, as tuples."""
        raise NotImplementedError

    async def repeated_key(self) -> str | None:
        """An idempotency key that two records have, if there is one."""
        raise NotImplementedError

    async def schema_changes(self) -> list[str]:
        """The differences of tables, indexes, triggers and constraints from those of the program, a sentence each."""
        raise NotImplementedError

    async def damage(self) -> str | None:
        """The damage that the database itself finds, such as an index that points elsewhere; None where all is well."""
        raise NotImplementedError
