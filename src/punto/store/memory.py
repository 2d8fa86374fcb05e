"""The store in memory, for tests and trials: the simplest form of the contract. Nothing outlives the process."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import pairwise
from typing import Any

from punto.ledger.balances import PostingRow
from punto.store.batches import Rows, accounts_of, keys_of, records_in, rows_of
from punto.store.errors import FencedOutError, OutcomeUnknownError, StoreError
from punto.store.fold import Finding, LogFold
from punto.store.leases import next_lease
from punto.store.records import (
    Appended,
    Batch,
    Lease,
    RawRecord,
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


def wall_clock_ms() -> int:
    """The current time in milliseconds, by which leases end."""
    return time.time_ns() // 1_000_000


class MemoryStore:
    """Lists and dictionaries. No method awaits anything, so each is atomic."""

    def __init__(self, clock: Callable[[], int] = wall_clock_ms, sign: Sign | None = None) -> None:
        self._clock, self._sign = clock, sign
        self._records: list[Record] = []
        self._postings: list[PostingRow] = []
        self._balances: dict[str, int] = {}
        self._replies: dict[str, StoredReply] = {}
        self._tails: dict[str, Tail] = {}
        self._leases: dict[str, Lease] = {}
        self._people: dict[str, StoredPerson] = {}
        self._tables: dict[str, TableSettings] = {}
        self._fold = LogFold()

    async def append(self, batch: Batch) -> Appended:
        """See `Store`."""
        rows = self._rows(batch)
        self._write(batch, rows)
        return Appended(rows.tail, rows.balances)

    def _rows(self, batch: Batch) -> Rows:
        """The rows that a batch would write now; raises where it is refused."""
        replies = {key: self._replies[key] for key in keys_of(batch) if key in self._replies}
        held = self._fold.held({account: self._balances.get(account, 0) for account in accounts_of(batch)})
        numbers = range(len(self._records) + 1, len(self._records) + 1 + records_in(batch))
        tail = self._tails.get(batch.stream, Tail(batch.stream))
        stopped, used = self._fold.stopped, self._fold.keys
        rows = rows_of(batch, tail, numbers, held, replies, self._sign, stopped, used=used)
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

    async def resolve(self, unknown: OutcomeUnknownError) -> bool:
        """See `Store`."""
        records = await self.read(unknown.tail.stream, unknown.tail.seq - 1, 1)
        return bool(records) and records[0].hash == unknown.tail.hash

    async def tail(self, stream: str) -> Tail:
        """See `Store`."""
        return self._tails.get(stream, Tail(stream))

    async def tails(self) -> list[Tail]:
        """See `Store`."""
        return sorted(self._tails.values(), key=lambda tail: tail.stream)

    async def read(self, stream: str, after: int = 0, limit: int = 1_000) -> list[Record]:
        """See `Store`."""
        return [row for row in self._records if row.stream == stream and row.seq > after][:limit]

    async def replies(self, keys: Sequence[str]) -> dict[str, StoredReply]:
        """See `Store`."""
        return {key: self._replies[key] for key in keys if key in self._replies}

    async def balances(self, accounts: Sequence[str] | None = None) -> dict[str, int]:
        """See `Store`."""
        wanted = self._balances if accounts is None else accounts
        return self._fold.held({account: self._balances.get(account, 0) for account in wanted})

    async def statement(
        self, account: str, before: tuple[int, int] | None = None, limit: int = 100
    ) -> list[StatementLine]:
        """See `Store`."""
        return [
            StatementLine(self._records[row[0] - 1], row[1], *row[3:])
            for row in self._postings[::-1]
            if row[5] == account and (before is None or row[:2] < before)
        ][:limit]

    async def acquire(self, stream: str, owner: str, ttl_ms: int) -> Lease:
        """See `Store`."""
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
        """See `Store`."""
        tail = await self.tail(lease.stream)
        if tail.fence != lease.fence:
            raise FencedOutError(lease.stream, lease.fence, tail.fence)
        renewed = self._leases[lease.stream] = replace(lease, expires_ms=self._clock() + ttl_ms)
        return renewed

    async def release(self, lease: Lease) -> None:
        """See `Store`."""
        if (await self.tail(lease.stream)).fence == lease.fence:
            self._leases.pop(lease.stream, None)

    async def people(self, ids: Sequence[str] | None = None) -> list[StoredPerson]:
        """See `Store`."""
        wanted = sorted(self._people if ids is None else self._people.keys() & set(ids))
        return [
            self._people[each]
            for each in wanted
            if self._fold.proves_or_finds("person", person_row(self._people[each]))
        ]

    async def person(self, token_hash: str) -> StoredPerson | None:
        """See `Store`."""
        found = next((person for person in self._people.values() if person.token_hash == token_hash), None)
        return found if found and self._fold.proves_or_finds("person", person_row(found)) else None

    async def tables(self) -> list[TableSettings]:
        """See `Store`."""
        tables = sorted(self._tables.values(), key=lambda table: table.table)
        return [table for table in tables if self._fold.proves_or_finds("table", table_row(table))]

    @property
    def accepted(self) -> tuple[str, ...]:
        """See `Store`."""
        return ()

    async def noted(self) -> None:
        """See `Store`."""

    def findings(self) -> list[Finding]:
        """See `Store`."""
        return list(self._fold.findings)

    def finding_noted(self, finding: Finding) -> None:
        """See `Store`."""
        self._fold.finding_noted(finding)

    @property
    def resumed(self) -> bool:
        """See `Store`."""
        return False

    async def save_fold(self) -> None:
        """See `Store`."""

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[MemorySnapshot]:
        """See `Store`."""
        yield MemorySnapshot(
            [row[:-1] for row in self._records],
            list(self._postings),
            dict(self._balances),
            await self.tails(),
            [person_row(self._people[each]) for each in sorted(self._people)],
            [table_row(self._tables[each]) for each in sorted(self._tables)],
        )

    async def close(self) -> None:
        """See `Store`."""


class MemorySnapshot:
    """A copy of a memory store."""

    def __init__(
        self,
        records: list[RawRecord],
        postings: list[PostingRow],
        balances: dict[str, int],
        tails: list[Tail],
        people: list[tuple[Any, ...]],
        tables: list[tuple[Any, ...]],
    ) -> None:
        self._records, self._postings, self._balances, self._tails = records, postings, balances, tails
        self._people, self._tables = people, tables

    async def counts(self) -> tuple[int, int]:
        """See `StoreSnapshot`."""
        return len(self._records), len(self._postings)

    async def page(self, after: int, limit: int) -> list[RawRecord]:
        """See `StoreSnapshot`."""
        return [row for row in self._records if row[0] > after][:limit]

    async def postings(self, after: int, last: int | None) -> list[PostingRow]:
        """See `StoreSnapshot`."""
        return [row for row in self._postings if row[0] > after and (last is None or row[0] <= last)]

    async def stream(self, stream: str, after: int, limit: int) -> list[RawRecord]:
        """See `StoreSnapshot`."""
        return [row for row in self._records if row[1] == stream and row[2] > after][:limit]

    async def stream_postings(self, stream: str, after: int, last: int) -> list[PostingRow]:
        """See `StoreSnapshot`."""
        wanted = {row[0] for row in self._records if row[1] == stream and after < row[2] <= last}
        return [row for row in self._postings if row[0] in wanted]

    async def balances(self) -> dict[str, int]:
        """See `StoreSnapshot`."""
        return self._balances

    async def posted(self, after: int, last: int) -> dict[str, int]:
        """See `StoreSnapshot`."""
        sums: dict[str, int] = {}
        for row in self._postings:
            if after < row[0] <= last:
                sums[row[5]] = sums.get(row[5], 0) + row[6]
        return sums

    async def tails(self) -> list[Tail]:
        """See `StoreSnapshot`."""
        return self._tails

    async def people(self) -> list[tuple[Any, ...]]:
        """See `StoreSnapshot`."""
        return self._people

    async def tables(self) -> list[tuple[Any, ...]]:
        """See `StoreSnapshot`."""
        return self._tables

    async def repeated_key(self) -> str | None:
        """See `StoreSnapshot`."""
        keys = sorted(row[7] for row in self._records if row[7])
        return next((key for key, following in pairwise(keys) if key == following), None)

    async def keyed(self, prefix: str) -> list[RawRecord]:
        """See `StoreSnapshot`."""
        return [row for row in self._records if row[7] and row[7].startswith(prefix)]

    async def schema_changes(self) -> list[str]:
        """See `StoreSnapshot`."""
        return []

    async def damage(self) -> str | None:
        """See `StoreSnapshot`."""
        return None
