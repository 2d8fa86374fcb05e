"""The common part of stores that keep a database: the head file outside it, and the fold of its log."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, TypeVar

from punto.ledger.balances import PostingRow
from punto.store.batches import Rows, rows_of
from punto.store.errors import KeyMissingError, RecordChangedError, RefusedStoreError
from punto.store.fold import Finding, LogFold, by_record
from punto.store.heads import HeadFile
from punto.store.records import (
    NO_HASH,
    RECORD_COLUMNS,
    Batch,
    Record,
    Sign,
    StatementLine,
    StoredReply,
    Tail,
    is_whole,
    read_posting_rows,
    read_record_rows,
)

T = TypeVar("T")
_NEWEST = (2**62, 0)
_TRIES = 5
"""The number of times a statement is read whose account moves meanwhile."""
READ_RECORDS = (
    f"SELECT {RECORD_COLUMNS}, (SELECT hash FROM records AS earlier WHERE earlier.stream = records.stream "
    "AND earlier.seq = records.seq - 1) FROM records"
)
"""Selects records as `FoldedStore._whole` takes them: each with the hash of the record before it."""


def readable(read: Callable[[Sequence[Any]], T], rows: Sequence[Any]) -> T:
    """Rows of a snapshot, read strictly; RefusedStoreError where a column holds what it cannot."""
    try:
        return read(rows)
    except ValueError as error:
        message = f"the database holds what cannot be there: {error}"
        raise RefusedStoreError("database-unreadable", message) from None


class FoldedStore:
    """The part of `Store` that does not depend on the database."""

    def __init__(self, head: HeadFile | None, fold: LogFold | None, sign: Sign | None) -> None:
        self._head, self._fold, self._sign = head, fold, sign

    @property
    def accepted(self) -> tuple[str, ...]:
        """See `Store`."""
        return self._head.accepted if self._head else ()

    async def noted(self) -> None:
        """See `Store`."""
        if self._head:
            await asyncio.wrap_future(self._head.noted())

    def findings(self) -> list[Finding]:
        """See `Store`."""
        return list(self._fold.findings) if self._fold else []

    def finding_noted(self, finding: Finding) -> None:
        """See `Store`."""
        if self._fold:
            self._fold.finding_noted(finding)

    @property
    def resumed(self) -> bool:
        """See `Store`."""
        return self._fold is not None and self._fold.resumed

    def _rows(
        self,
        batch: Batch,
        tail: Tail,
        numbers: Sequence[int],
        held: Mapping[str, int],
        replies: Mapping[str, StoredReply],
        used: Container[str],
    ) -> Rows:
        """The rows that a batch would write now; raises where it is refused. What does not fit the fold is noted."""
        if (fold := self._fold) is None:
            return rows_of(batch, tail, numbers, held, replies, self._sign)
        fold.check_signature(tail)
        trusted = fold.end(batch.stream)[1]
        try:
            return rows_of(
                *(batch, tail, numbers, fold.held(held), replies, self._sign, fold.stopped), used=used, trusted=trusted
            )
        except KeyMissingError as error:
            fold.find(error.code, error.key)
            raise

    # ---------------------------------------------------------------------------------------- what was read

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
        if self._fold:
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
        """See `Store`. The newest line leaves what the account holds, the first began with nothing, others follow."""
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

    async def balances(self, accounts: Sequence[str] | None = None) -> dict[str, int]:
        """See `Store`."""
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
