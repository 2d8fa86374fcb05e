"""The interface of every store, and what all have in common. The suite in tests/contract runs against each."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any

from punto.ledger.balances import PostingRow
from punto.store.batches import Rows, rows_of
from punto.store.errors import KeyMissingError, OutcomeUnknownError, RecordChangedError
from punto.store.fold import Finding, LogFold, SavedFold, by_record
from punto.store.heads import HeadFile
from punto.store.records import (
    NO_HASH,
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
)
from punto.store.sql import READ_PEOPLE, READ_TABLES, StoreSnapshot

_NEWEST = (2**62, 0)
_TRIES = 5
"""The number of times a statement is read whose account moves meanwhile."""


class Store:
    """The event log, the ledger and the leases. Errors are those of `punto.store.errors`.

    What is here does not depend on the database: the head file outside it, and the fold of its log.
    """

    _among: str
    """The condition of being one of a list of values, `$1`."""

    def __init__(self, head: HeadFile | None, fold: LogFold, sign: Sign | None) -> None:
        self._head, self._fold, self._sign = head, fold, sign

    @property
    def accepted(self) -> tuple[str, ...]:
        """The sentences on what somebody accepted on trust about the head file. Log them, then call `noted`."""
        return self._head.accepted if self._head else ()

    async def noted(self) -> None:
        """Say that the log holds all of `accepted`."""
        if self._head:
            await asyncio.wrap_future(self._head.noted())

    def findings(self) -> list[Finding]:
        """The changes by somebody else that were found in the database and are not noted yet.

        Write each into the log, then call `finding_noted`.
        """
        return list(self._fold.findings)

    def finding_noted(self, finding: Finding) -> None:
        """Say that the log holds a finding."""
        self._fold.finding_noted(finding)

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

    async def tail(self, stream: str) -> Tail:
        """The tail of a stream; at 0 if nothing was written to it."""
        raise NotImplementedError

    async def tails(self) -> list[Tail]:
        """The tail of every stream, by name."""
        raise NotImplementedError

    async def read(self, stream: str, after: int = 0, limit: int = 1_000) -> list[Record]:
        """Records of a stream, in order; RecordChangedError where one is not as it was written."""
        raise NotImplementedError

    async def balances(self, accounts: Sequence[str] | None = None) -> dict[str, int]:
        """Balances in cents of these accounts (0 if never used), or of all accounts that were used, after the log."""
        raise NotImplementedError

    async def replies(self, keys: Sequence[str]) -> dict[str, StoredReply]:
        """The stored replies of those keys that have been used. A record that was changed gives none."""
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

    async def save_fold(self) -> SavedFold | None:
        """The fold of the log at this moment, for a checkpoint; None where nothing outlives the process."""
        raise NotImplementedError

    def snapshot(self) -> AbstractAsyncContextManager[StoreSnapshot]:
        """The store at this moment. Later writes do not change it."""
        raise NotImplementedError

    async def close(self) -> None:
        """Finish pending work, then close the database."""
        raise NotImplementedError

    # ---------------------------------------------------------------------------------------- for all of them

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

    def _whole(self, rows: Sequence[tuple[Any, ...]], postings: Sequence[tuple[Any, ...]]) -> list[Record]:
        """The records of rows that are as they were written. The others are noted as findings."""
        key = self._sign.record_key if self._sign and rows else None
        moved = by_record(postings)
        found = []
        for *columns, previous in rows:
            try:
                [row] = read_record_rows([tuple(columns)])
                lines: list[PostingRow] = read_posting_rows(moved.get(row[0], []))
            except ValueError:
                self._find_changed(f"{columns[1]} {columns[2]}")
                continue
            if (isinstance(previous, str) or row[2] == 1) and is_whole(row, previous or NO_HASH, lines, key):
                found.append(Record(*row, postings=lines))
            else:
                self._find_changed(f"{columns[1]} {columns[2]}")
        return found

    def _find_changed(self, place: str) -> None:
        self._fold.find("record-changed", place)

    def _whole_stream(
        self, rows: Sequence[tuple[Any, ...]], postings: Sequence[tuple[Any, ...]], after: int
    ) -> list[Record]:
        """The records of a stream that follow `after`; RecordChangedError unless all are as written, without a gap."""
        found = self._whole(rows, postings)
        if [record.seq for record in found] != list(range(after + 1, after + 1 + len(rows))):
            raise RecordChangedError(f"{rows[0][1]}, after record {after},")
        return found

    async def statement(
        self, account: str, before: tuple[int, int] | None = None, limit: int = 100
    ) -> list[StatementLine]:
        """An account's postings, newest first; `before` is the place of the last one already seen.

        RecordChangedError where the record of one is not as it was written, or one is missing between two others.
        """
        for _ in range(_TRIES):
            held = None if before else (await self.balances([account]))[account]
            # With the line before which they stand, from which the newest of them must lead on.
            lines = await self._lines(account, before or _NEWEST, limit + 1)
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
        self._find_changed(f"the statement of {account}")
        raise RecordChangedError(f"the statement of {account}")

    async def people(self, ids: Sequence[str] | None = None) -> list[StoredPerson]:
        """The known people of these ids, or everyone, by id."""
        wanted = () if ids is None else (list(ids),)
        rows = await self._proved("person", READ_PEOPLE + (f" WHERE id {self._among}" if wanted else ""), *wanted)
        return [StoredPerson(*row) for row in sorted(rows)]

    async def person(self, token_hash: str) -> StoredPerson | None:
        """The person with this token hash."""
        rows = await self._proved("person", f"{READ_PEOPLE} WHERE token_hash = $1", token_hash)
        return StoredPerson(*rows[0]) if rows else None

    async def tables(self) -> list[TableSettings]:
        """The settings of every table, by name."""
        return [TableSettings(*row) for row in sorted(await self._proved("table", READ_TABLES))]

    async def resolve(self, unknown: OutcomeUnknownError) -> bool:
        """True if the batch with the interrupted commit is in the log. Waits for a commit still in progress."""
        records = await self.read(unknown.tail.stream, unknown.tail.seq - 1, 1)
        return [record.hash for record in records] == [unknown.tail.hash]

    async def _proved(self, kind: str, select: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of people or tables that a query gives, as far as the log has set them."""
        raise NotImplementedError

    async def _lines(self, account: str, upto: tuple[int, int], limit: int) -> list[StatementLine]:
        """The lines of an account up to and with a place, newest first, as far as their records are whole."""
        raise NotImplementedError

    @staticmethod
    def _of_account(account: str, places: Sequence[tuple[int, int]], records: Sequence[Record]) -> list[StatementLine]:
        by_place = {
            (row[0], row[1]): StatementLine(record, row[1], *row[3:])
            for record in records
            for row in record.postings
            if row[5] == account
        }
        if missing := [place for place in places if place not in by_place]:
            raise RecordChangedError(f"line {missing[0][1]} of record number {missing[0][0]}")
        return [by_place[place] for place in places]
