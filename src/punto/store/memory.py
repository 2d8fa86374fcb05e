"""The store in memory, for tests and trials: the simplest form of the contract. Nothing outlives the process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import replace

from punto.ledger.balances import PostingRow
from punto.store import schema
from punto.store.batches import Rows, accounts_of, keys_of, records_in
from punto.store.errors import FencedOutError, StoreError
from punto.store.fold import LogFold
from punto.store.interface import Store
from punto.store.leases import next_lease, wall_clock_ms
from punto.store.records import (
    Appended,
    Batch,
    Lease,
    Record,
    Sign,
    StatementLine,
    StoredPerson,
    StoredReply,
    TableSettings,
    Tail,
    check_stream,
    person_row,
    table_row,
)
from punto.store.sqlite import SqliteSnapshot, insert, insert_rows


class MemoryStore(Store):
    """Lists and dictionaries. No method awaits anything, so each is atomic."""

    def __init__(
        self, clock: Callable[[], int] = wall_clock_ms, sign: Sign | None = None, fold: LogFold | None = None
    ) -> None:
        super().__init__(None, fold or LogFold(), sign)
        self._clock = clock
        self._records: list[Record] = []
        self._postings: list[PostingRow] = []
        self._balances: dict[str, int] = {}
        self._replies: dict[str, StoredReply] = {}
        self._tails: dict[str, Tail] = {}
        self._leases: dict[str, Lease] = {}
        self._people: dict[str, StoredPerson] = {}
        self._tables: dict[str, TableSettings] = {}

    async def append(self, batch: Batch) -> Appended:
        rows = self._decide(batch)
        self._write(batch, rows)
        return Appended(rows.tail, rows.balances)

    def _decide(self, batch: Batch) -> Rows:
        """The rows that a batch would write now; raises where it is refused."""
        replies = {key: self._replies[key] for key in keys_of(batch) if key in self._replies}
        held = {account: self._balances.get(account, 0) for account in accounts_of(batch)}
        numbers = range(len(self._records) + 1, len(self._records) + 1 + records_in(batch))
        tail = self._tails.get(batch.stream, Tail(batch.stream))
        rows = self._rows(batch, tail, numbers, held, replies)
        people = self._people | {person.id: person for person in batch.people}
        tokens = [person.token_hash for person in people.values() if person.token_hash]
        if len(set(tokens)) < len(tokens):
            raise StoreError("two people cannot have the same token")
        return rows

    def _write(self, batch: Batch, rows: Rows) -> None:
        for row, postings in zip(rows.records, rows.postings, strict=True):
            self._records.append(Record(*row, postings=postings))
            self._postings += postings
            if row[7] is not None:
                self._replies[row[7]] = self._records[-1].stored_reply
        self._balances |= rows.balances
        self._tails[batch.stream] = rows.tail
        self._people |= {person.id: person for person in batch.people}
        self._tables |= {table.table: table for table in batch.tables}
        self._fold.apply(rows)

    async def tail(self, stream: str) -> Tail:
        return self._tails.get(stream, Tail(stream))

    async def tails(self) -> list[Tail]:
        return sorted(self._tails.values(), key=lambda tail: tail.stream)

    async def read(self, stream: str, after: int = 0, limit: int = 1_000) -> list[Record]:
        return [row for row in self._records if row.stream == stream and row.seq > after][:limit]

    async def replies(self, keys: Sequence[str]) -> dict[str, StoredReply]:
        return {key: self._replies[key] for key in keys if key in self._replies}

    async def balances(self, accounts: Sequence[str] | None = None) -> dict[str, int]:
        wanted = self._balances if accounts is None else accounts
        return self._fold.held({account: self._balances.get(account, 0) for account in wanted})

    async def _lines(self, account: str, upto: tuple[int, int], limit: int) -> list[StatementLine]:
        return [
            StatementLine(self._records[row[0] - 1], row[1], *row[3:])
            for row in self._postings[::-1]
            if row[5] == account and row[:2] <= upto
        ][:limit]

    async def acquire(self, stream: str, owner: str, ttl_ms: int) -> Lease:
        check_stream(stream)
        now = self._clock()
        tail, held = await self.tail(stream), self._leases.get(stream)
        row = (held.owner if held else None, held.expires_ms if held else 0, tail.fence)
        lease, wrong = next_lease(Lease(stream, owner, 0, now + ttl_ms), row, now, self._fold.fence(stream))
        if wrong:
            self._fold.find("lease-healed", stream, wrong)
        self._tails[stream], self._leases[stream] = replace(tail, fence=lease.fence), lease
        return lease

    async def renew(self, lease: Lease, ttl_ms: int) -> Lease:
        tail = await self.tail(lease.stream)
        if tail.fence != lease.fence:
            raise FencedOutError(lease.stream, lease.fence, tail.fence)
        renewed = self._leases[lease.stream] = replace(lease, expires_ms=self._clock() + ttl_ms)
        return renewed

    async def release(self, lease: Lease) -> None:
        if (await self.tail(lease.stream)).fence == lease.fence:
            self._leases.pop(lease.stream, None)

    async def people(self, ids: Sequence[str] | None = None) -> list[StoredPerson]:
        wanted = sorted(self._people if ids is None else self._people.keys() & set(ids))
        return [
            self._people[each]
            for each in wanted
            if self._fold.proves_or_finds("person", person_row(self._people[each]))
        ]

    async def person(self, token_hash: str) -> StoredPerson | None:
        found = next((person for person in self._people.values() if person.token_hash == token_hash), None)
        return found if found and self._fold.proves_or_finds("person", person_row(found)) else None

    async def tables(self) -> list[TableSettings]:
        tables = sorted(self._tables.values(), key=lambda table: table.table)
        return [table for table in tables if self._fold.proves_or_finds("table", table_row(table))]

    async def save_fold(self) -> None:
        """Nothing outlives the process."""

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[SqliteSnapshot]:
        with closing(schema.sqlite_in_memory()) as connection:
            records = [row[:-1] for row in self._records]
            insert(connection, records, self._postings, self._balances, self._tails.values())
            insert_rows(connection, self._people.values(), self._tables.values())
            yield SqliteSnapshot(connection, None)

    async def close(self) -> None:
        """There is nothing to close."""
