"""What the log comes to: where its streams end, what accounts hold, which rows were set, which keys were used.

A store that serves keeps one of these, first as the audit at its start folds it, then record by record. The tables of
the database only repeat it. A row that says otherwise was written by somebody else, so it decides nothing.
"""

from __future__ import annotations

import secrets
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, NamedTuple

from msgspec import Struct

from punto.store.batches import Rows
from punto.store.errors import ForgedError, SchemaChangedError
from punto.store.records import (
    NO_HASH,
    Batch,
    PostingRow,
    RawRecord,
    Tail,
    fits_hash,
    read_fingerprints,
    row_fingerprint,
    row_name,
)

MOST_UNSORTED = 100_000
_BUCKETS = 1_024
MOST_FINDINGS = 1_000
"""Findings that the house is told of; more say nothing new."""


class UsedKeys:
    """The idempotency keys of the log as numbers of 64 bits: 8 bytes each, so that all of them fit in memory.

    Two keys may share a number. Whoever finds a key here and not in the database looks at every record. The numbers are
    keyed hashes, so that nobody can choose keys that share one.
    """

    def __init__(self, secret: bytes | None = None) -> None:
        self._buckets = [array("q") for _ in range(_BUCKETS)]  # each sorted, so that keys can be added in parts
        self._sorted = 0
        self._recent: set[int] = set()
        self._secret = secret or secrets.token_bytes(16)

    def _number(self, key: str) -> int:
        return int.from_bytes(blake2b(key.encode(), digest_size=8, key=self._secret).digest(), signed=True)

    def save(self) -> tuple[bytes, bytes]:
        """The secret and the numbers, for a checkpoint: how many are in each bucket, the buckets, then the rest."""
        parts = [array("q", map(len, self._buckets)), *self._buckets, array("q", self._recent)]
        return self._secret, b"".join([part.tobytes() for part in parts])

    @classmethod
    def restore(cls, secret: bytes, numbers: bytes) -> UsedKeys:
        """The keys of a checkpoint."""
        keys, saved, place = cls(secret), array("q", numbers), _BUCKETS
        for bucket, count in enumerate(saved[:_BUCKETS]):
            keys._buckets[bucket] = saved[place : place + count]
            place += count
        keys._sorted = place - _BUCKETS
        keys._recent.update(saved[place:])
        return keys

    def update(self, keys: Iterable[str]) -> None:
        """Note keys."""
        self._recent.update(map(self._number, keys))
        if len(self._recent) > MOST_UNSORTED + self._sorted // 16:
            self._sort()

    def _sort(self) -> None:
        for number in self._recent:
            self._buckets[number % _BUCKETS].append(number)
        self._buckets = [array("q", sorted(bucket)) for bucket in self._buckets]
        self._sorted += len(self._recent)
        self._recent.clear()

    def __contains__(self, key: str) -> bool:
        number = self._number(key)
        if number in self._recent:
            return True
        bucket = self._buckets[number % _BUCKETS]
        place = bisect_left(bucket, number)
        return place < len(bucket) and bucket[place] == number


FoldedBefore = list[tuple[dict[str, Any], str, Any]]
"""Entries of a fold as they were: where, under which name, and what; None where there was nothing."""


class Finding(NamedTuple):
    """Something in the database that the log did not put there: the code of what was done, and to what."""

    code: str
    subject: str
    detail: str


class SavedFold(Struct, frozen=True, forbid_unknown_fields=True):
    """The fold of a log in a checkpoint."""

    tails: dict[str, tuple[int, str, int]]
    balances: dict[str, int]
    fingerprints: dict[str, tuple[str, str, int]]
    secret: bytes
    keys: bytes


@dataclass(slots=True)
class LogFold:
    """The fold of a log. `balances` has every account that was ever moved."""

    tails: dict[str, tuple[int, str, int]] = field(default_factory=dict)
    """The last number, hash and fencing number of each stream."""
    balances: dict[str, int] = field(default_factory=dict)
    fingerprints: dict[str, tuple[str, str, int]] = field(default_factory=dict)
    """The fingerprint of each row, with the stream and number of the record that last set it."""
    keys: UsedKeys = field(default_factory=UsedKeys)
    stopped: set[str] = field(default_factory=set)
    """Accounts whose rows somebody else has changed. Nobody bets, buys or cashes out from them any more."""
    findings: list[Finding] = field(default_factory=list)
    """What was found and the house has not noted yet."""
    found: set[Finding] = field(default_factory=set)
    """All that was found, so that the house is told once."""
    resumed: bool = False
    """Whether the fold began with a checkpoint."""

    def save(self) -> SavedFold:
        """A copy for a checkpoint, without what was found: the house has noted that, or notes it later."""
        return SavedFold(dict(self.tails), dict(self.balances), dict(self.fingerprints), *self.keys.save())

    @classmethod
    def restore(cls, saved: SavedFold) -> LogFold:
        """The fold of a checkpoint."""
        keys = UsedKeys.restore(saved.secret, saved.keys)
        return cls(dict(saved.tails), dict(saved.balances), dict(saved.fingerprints), keys, resumed=True)

    def end(self, stream: str) -> tuple[int, str]:
        """The last number and hash of a stream."""
        seq, last, _ = self.tails.get(stream, (0, NO_HASH, 0))
        return seq, last

    def fence(self, stream: str) -> int:
        """The fencing number of a stream's last record."""
        return self.tails.get(stream, (0, NO_HASH, 0))[2]

    def apply(self, rows: Rows) -> None:
        """Take in a batch that was committed, unless it is taken in already or something before it is missing."""
        stream, first = rows.tail.stream, rows.tail.seq - len(rows.records)
        if self.end(stream)[0] != first:
            return
        for record, postings in zip(rows.records, rows.postings, strict=True):
            self._take(stream, record[1], record[6], record[9], postings)
        self.tails[stream] = (rows.tail.seq, rows.tail.hash, rows.tail.fence)

    def undo(self, rows: Rows, before: FoldedBefore) -> None:
        """Take back the last batch of a stream, whose commit failed. Its keys stay: that costs a look, and no more."""
        for postings in rows.postings:
            for _, _, _, account, cents in postings:
                self.balances[account] -= cents
        for target, name, value in before:
            if value is None:
                target.pop(name, None)
            else:
                target[name] = value

    def before(self, batch: Batch) -> FoldedBefore:
        """What a batch will replace, for `undo`."""
        kept: FoldedBefore = [(self.fingerprints, name, self.fingerprints.get(name)) for name, _ in batch.rows]
        return [*kept, (self.tails, batch.stream, self.tails.get(batch.stream))]

    def follow(self, page: Sequence[RawRecord], postings: Sequence[tuple[int, *PostingRow]]) -> None:
        """Take in records of other processes, in the order of the store; ForgedError where the chain does not hold.

        A record that was taken in while the page was read is this process's own, and is not taken in again.
        """
        moved: dict[int, list[PostingRow]] = {}
        for number, *posting in postings:
            moved.setdefault(number, []).append(tuple(posting))  # type: ignore[arg-type]
        for row in page:
            number, stream, seq, fence, key, marks = row[0], row[1], row[2], row[4], row[7], row[10]
            last_seq, last_hash = self.end(stream)
            if seq <= last_seq:
                continue
            lines = moved.get(number, [])
            before = {account: self.balances.get(account, 0) for _, _, _, account, _ in lines}
            if seq != last_seq + 1 or not fits_hash(row, last_hash, lines, before):
                raise ForgedError(Tail(stream, seq))
            self._take(stream, seq, key, marks, lines)
            self.tails[stream] = (seq, row[11], fence)

    def _take(self, stream: str, seq: int, key: str | None, marks: str | None, postings: Iterable[PostingRow]) -> None:
        balances = self.balances
        for _, _, _, account, cents in postings:
            balances[account] = balances.get(account, 0) + cents
        if key:
            self.keys.update((key,))
        if marks:
            for name, fingerprint in read_fingerprints(marks):
                self.fingerprints[name] = (fingerprint, stream, seq)

    def held(self, found: Mapping[str, int]) -> dict[str, int]:
        """What accounts hold after the log. One whose row in the database says something else is stopped."""
        held = {account: self.balances.get(account, 0) for account in found}
        if held != found:
            for account in sorted(account for account in held if held[account] != found[account]):
                if account not in self.stopped:
                    self.stopped.add(account)
                    self.find("account-stopped", account, f"{found[account]!r} in place of {held[account]}")
        return held

    def proves(self, kind: str, row: Sequence[Any]) -> bool:
        """Whether the log has set a person or a table as the row has it."""
        set_by = self.fingerprints.get(row_name(kind, row[0]))
        return set_by is not None and set_by[0] == row_fingerprint(row)

    def set_after(self, kind: str, row: Sequence[Any], ends: Mapping[str, int]) -> bool:
        """Whether a row was set again after the moment at which streams ended here."""
        _, stream, seq = self.fingerprints.get(row_name(kind, row[0]), ("", "", 0))
        return seq > ends.get(stream, 0)

    def proves_or_finds(self, kind: str, row: Sequence[Any]) -> bool:
        """Whether the log has set a row as it is; a row that it has not set is noted as a finding."""
        if proved := self.proves(kind, row):
            return proved
        self.find(f"{kind}-stopped", str(row[0]))
        return False

    def refuse_schema(self, changes: Sequence[str]) -> None:
        """Note how the schema differs from the one expected; SchemaChangedError where it does."""
        for change in changes:
            self.find("schema-changed", change)
        if changes:
            raise SchemaChangedError(changes[0])

    def find(self, code: str, subject: str, detail: str = "") -> None:
        """Note something that the house must be told of, once."""
        finding = Finding(code, subject, detail)
        if finding not in self.found and len(self.found) < MOST_FINDINGS:
            self.found.add(finding)
            self.findings.append(finding)

    def finding_noted(self, finding: Finding) -> None:
        """Say that the log holds a finding."""
        if finding in self.findings:
            self.findings.remove(finding)
