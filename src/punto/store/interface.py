"""The interface of every store, and what all have in common. The suite in tests/contract runs against each.

Whatever a store shows is read from its database and proved first. A reading is a generator: it yields queries and is
sent their rows. So SQLite carries it out in a thread and PostgreSQL on a connection, also in the middle of a commit.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, TypeAlias, TypeVar, cast

from punto.ledger.balances import PostingRow
from punto.store.batches import Rows, rows_of
from punto.store.errors import ForgedError, KeyMissingError, OutcomeUnknownError, RecordChangedError
from punto.store.fold import Finding, LogFold, SavedFold
from punto.store.heads import HeadFile
from punto.store.leases import next_lease
from punto.store.records import (
    NO_HASH,
    POSTING_COLUMNS,
    RECORD_COLUMNS,
    TAIL_COLUMNS,
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
    is_whole,
    read_posting_rows,
    read_record_rows,
    read_tail,
)
from punto.store.sql import READ_PEOPLE, READ_TABLES, StoreSnapshot

T = TypeVar("T")
Found: TypeAlias = list[tuple[Any, ...]]
Reading: TypeAlias = Generator[tuple[Any, ...], Found, T]
"""Yields queries, each before its values, and returns what their rows come to."""

_READ_RECORDS = (
    f"SELECT {RECORD_COLUMNS}, (SELECT hash FROM records AS earlier WHERE earlier.stream = records.stream "
    "AND earlier.seq = records.seq - 1) FROM records WHERE "
)
_READ_LINES = (
    "SELECT record, line FROM postings WHERE account = $1 AND (record, line) <= ($2, $3) "
    "ORDER BY record DESC, line DESC LIMIT $4"
)
ACCEPTED = "head-accepted"
"""The code of what somebody accepted on trust about the head file."""
_NEWEST = (2**62, 0)
_TRIES = 5
"""The number of times a statement is read whose account moves meanwhile."""
_FEW = 20
"""Records that are read beside those of a table; more are a look at its history."""


class Store:
    """The event log, the ledger and the leases. Errors are those of `punto.store.errors`."""

    _among: str
    """The condition of being one of a list of values, `$1`."""

    def __init__(self, head: HeadFile | None, fold: LogFold, sign: Sign | None) -> None:
        self._head, self._fold, self._sign = head, fold, sign
        for says in head.accepted if head else ():
            fold.find(ACCEPTED, "", says)

    def findings(self) -> list[Finding]:
        """The changes by somebody else that were found in the database, and what somebody accepted about its head.

        Write each into the log, then call `finding_noted`.
        """
        return [finding for finding, is_noted in list(self._fold.found.items()) if not is_noted]

    def finding_noted(self, finding: Finding) -> None:
        """Say that the log holds a finding."""
        self._fold.found[finding] = True
        if self._head and self._head.accepted and not any(each.code == ACCEPTED for each in self.findings()):
            self._head.noted()

    @property
    def resumed(self) -> bool:
        """True if the store was opened from a checkpoint, so that what the checkpoint holds can be used."""
        return self._fold.resumed

    # ---------------------------------------------------------------------------------------- of each database

    async def append(self, batch: Batch) -> Appended:
        """Append a batch in one commit. When this returns, the batch and the head are on disk.

        Waiting batches share a commit. A refused batch writes nothing and does not affect the others.
        """
        raise NotImplementedError

    async def acquire(self, stream: str, owner: str, ttl_ms: int) -> Lease:
        """Take a free stream under a new, higher fencing number; raises LeaseHeldError."""
        raise NotImplementedError

    async def renew(self, lease: Lease, ttl_ms: int) -> Lease:
        """Extend a lease; raises FencedOutError if the stream has been taken over."""
        raise NotImplementedError

    async def release(self, lease: Lease) -> None:
        """Release a stream, so that others need not wait. Does nothing if it has been taken over."""
        raise NotImplementedError

    async def save_fold(self) -> SavedFold:
        """The fold of the log at this moment, for a checkpoint."""
        return self._fold.save()

    def snapshot(self) -> AbstractAsyncContextManager[StoreSnapshot]:
        """The store at this moment. Later writes do not change it."""
        raise NotImplementedError

    async def close(self) -> None:
        """Finish pending work, then close the database."""
        raise NotImplementedError

    async def _read(self, reading: Reading[T], *, long: bool = False) -> T:
        """Carry out a reading; a long one keeps no table waiting."""
        raise NotImplementedError

    async def _held(self, accounts: Sequence[str]) -> dict[str, int]:
        """The balances of accounts after the log, between two commits. One whose row says something else is stopped."""
        raise NotImplementedError

    async def _proved_now(self, kind: str, query: tuple[Any, ...]) -> Found:
        """The rows of people or tables that the log has set, between two commits. The others are findings."""
        raise NotImplementedError

    # ---------------------------------------------------------------------------------------- readings

    def _records(self, where: str, *values: object) -> Reading[list[Record | None]]:
        """Records, with None in place of one that is not as it was written, which is a finding."""
        rows = yield _READ_RECORDS + where, *values
        moved: dict[int, Found] = {row[0]: [] for row in rows}
        if rows:
            select = f"SELECT {POSTING_COLUMNS} FROM postings WHERE record {self._among} ORDER BY record, line"
            for line in (yield select, list(moved)):
                moved[line[0]].append(line)
        return [self._whole(tuple(columns), previous, moved[columns[0]]) for *columns, previous in rows]

    def _whole(self, columns: tuple[Any, ...], previous: str | None, moved: Found) -> Record | None:
        key = self._sign.record_key if self._sign else None
        try:
            [row] = read_record_rows([columns])
            lines: list[PostingRow] = read_posting_rows(moved)
            if (isinstance(previous, str) or row[2] == 1) and is_whole(row, previous or NO_HASH, lines, key):
                return Record(*row, postings=lines)
        except ValueError:
            pass
        self._fold.find("record-changed", f"{columns[1]} {columns[2]}")
        return None

    def _replies(self, keys: Sequence[str]) -> Reading[dict[str, StoredReply]]:
        found = (yield from self._records(f"key {self._among}", list(keys))) if keys else []
        return {record.key: record.stored_reply for record in found if record and record.key}

    def _account_lines(self, account: str, upto: tuple[int, int], limit: int) -> Reading[list[StatementLine]]:
        places = yield _READ_LINES, account, *upto, limit
        found = yield from self._records(f"id {self._among}", list({record for record, _ in places}))
        by_place = {
            (row[0], row[1]): StatementLine(record, row[1], *row[3:])
            for record in found
            if record
            for row in record.postings
            if row[5] == account
        }
        if missing := [place for place in places if place not in by_place]:
            raise RecordChangedError(f"line {missing[0][1]} of record number {missing[0][0]}")
        return [by_place[place] for place in places]

    def _row_balances(self, accounts: Sequence[str] | None) -> Reading[dict[str, int]]:
        query = ("",) if accounts is None else (f" WHERE account {self._among}", list(accounts))
        rows = yield f"SELECT account, cents FROM balances{query[0]}", *query[1:]
        return dict.fromkeys(accounts or (), 0) | dict(cast(Iterable[tuple[str, int]], rows))

    # ---------------------------------------------------------------------------------------- for all of them

    async def tail(self, stream: str) -> Tail:
        """The tail of a stream; at 0 if nothing was written to it."""
        found = await self._read(_rows(f"SELECT {TAIL_COLUMNS} FROM streams WHERE name = $1", stream))
        return as_tail(found[0]) if found else Tail(stream)

    async def tails(self) -> list[Tail]:
        """The tail of every stream, by name."""
        rows = await self._read(_rows(f"SELECT {TAIL_COLUMNS} FROM streams"), long=True)
        return sorted(map(as_tail, rows), key=lambda tail: tail.stream)

    async def read(self, stream: str, after: int = 0, limit: int = 1_000) -> list[Record]:
        """Records of a stream, in order; RecordChangedError where one is not as it was written."""
        reading = self._records("stream = $1 AND seq > $2 ORDER BY seq LIMIT $3", stream, after, limit)
        found = await self._read(reading, long=limit > _FEW)
        records = [record for record in found if record]
        if [record.seq for record in records] != list(range(after + 1, after + 1 + len(found))):
            raise RecordChangedError(f"{stream}, after record {after},")
        return records

    async def balances(self, accounts: Sequence[str] | None = None) -> dict[str, int]:
        """Balances in cents of these accounts (0 if never used), or of all accounts that were used, after the log."""
        found, folded = await self._read(self._row_balances(accounts)), self._fold.balances
        doubtful = [account for account, cents in found.items() if folded.get(account, 0) != cents]
        if accounts is None:
            doubtful += set(folded) - found.keys()
        elif doubtful:
            doubtful = list(found)  # all at one moment, where so few are asked about
        return found | await self._held(sorted(doubtful)) if doubtful else found

    async def replies(self, keys: Sequence[str]) -> dict[str, StoredReply]:
        """The stored replies of those keys that have been used. A record that was changed gives none."""
        return await self._read(self._replies(keys))

    async def people(self, ids: Sequence[str] | None = None) -> list[StoredPerson]:
        """The known people of these ids, or everyone, by id. Those that the log has not set are left out."""
        query = (READ_PEOPLE,) if ids is None else (f"{READ_PEOPLE} WHERE id {self._among}", list(ids))
        return [StoredPerson(*row) for row in sorted(await self._proved("person", *query))]

    async def person(self, token_hash: str) -> StoredPerson | None:
        """The person with this token hash."""
        rows = await self._proved("person", f"{READ_PEOPLE} WHERE token_hash = $1", token_hash)
        return StoredPerson(*rows[0]) if rows else None

    async def tables(self) -> list[TableSettings]:
        """The settings of every table, by name. Those that the log has not set are left out."""
        return [TableSettings(*row) for row in sorted(await self._proved("table", READ_TABLES))]

    async def _proved(self, kind: str, *query: Any) -> Found:
        """The rows of people or tables that a query gives, as far as the log has set them."""
        rows = await self._read(_rows(*query), long=len(query) == 1)
        return rows if all(self._fold.proves(kind, row) for row in rows) else await self._proved_now(kind, query)

    def _rows(
        self,
        batch: Batch,
        tail: Tail,
        numbers: Sequence[int],
        held: Mapping[str, int],
        replies: Mapping[str, StoredReply],
    ) -> Rows:
        """The rows that a batch would write now; raises where it is refused. What does not fit the fold is noted."""
        fold = self._fold
        fold.check_signature(tail)
        looked_up = (batch, tail, numbers, fold.held(held), replies, self._sign, fold.stopped)
        try:
            return rows_of(*looked_up, used=fold.keys, trusted=fold.end(batch.stream)[1])
        except KeyMissingError as error:
            fold.find(error.code, error.key)
            raise

    def _next_lease(self, lease: Lease, held: tuple[object, object, object], now_ms: int) -> Lease:
        """The lease of someone who asks for one, as `next_lease` gives it. A row that is wrong is noted."""
        taken, wrong = next_lease(lease, held, now_ms, self._fold.fence(lease.stream))
        if wrong:
            self._fold.find("lease-healed", lease.stream, wrong)
        return taken

    async def statement(
        self, account: str, before: tuple[int, int] | None = None, limit: int = 100
    ) -> list[StatementLine]:
        """An account's postings, newest first; `before` is the place of the last one already seen.

        RecordChangedError where the record of one is not as it was written, or one is missing between two others.
        """
        for _ in range(_TRIES):
            held = None if before else (await self.balances([account]))[account]
            # With the line before which they stand, from which the newest of them must lead on.
            reading = self._account_lines(account, before or _NEWEST, limit + 1)
            lines = await self._read(reading, long=True)
            ends = [line.balance_cents - line.cents for line in lines]
            starts = [line.balance_cents for line in lines] + ([0] if len(lines) <= limit else [])
            if held is not None:
                ends.insert(0, held)
            elif lines:
                starts.pop(0)
            else:
                starts = []
            if all(end == start for end, start in zip(ends, starts, strict=False)):
                return [line for line in lines if line.place != before][:limit]
            if held is None:
                break
        self._fold.find("record-changed", f"the statement of {account}")
        raise RecordChangedError(f"the statement of {account}")

    async def resolve(self, unknown: OutcomeUnknownError) -> bool:
        """True if the batch with the interrupted commit is in the log. Waits for a commit still in progress."""
        records = await self.read(unknown.tail.stream, unknown.tail.seq - 1, 1)
        return [record.hash for record in records] == [unknown.tail.hash]


def _rows(*query: Any) -> Reading[Found]:
    return (yield query)


def as_tail(row: Iterable[Any]) -> Tail:
    """The end of a stream from its row; ForgedError where somebody else has written it."""
    name, *rest = row
    try:
        return read_tail((name, *rest))
    except ValueError:
        raise ForgedError(Tail(str(name))) from None
