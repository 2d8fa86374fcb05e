"""The fold of the log: where its streams end, what accounts hold, which rows were set, which keys were used.

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

from punto.ledger.balances import PostingRow
from punto.store.batches import Rows
from punto.store.errors import ForgedError, SchemaChangedError
from punto.store.records import NO_HASH, Batch, RawRecord, Tail, is_whole, read_fingerprints, row_fingerprint, row_name

MOST_UNSORTED = 100_000
_BUCKETS = 1_024
MOST_FINDINGS = 1_000
"""Findings that the house is told of; more say nothing new."""


class UsedKeys:
    """The idempotency keys of the log as numbers of 64 bits: 8 bytes each, so that all of them fit in memory.

    The numbers are keyed hashes, so that nobody can choose keys that share one. By chance, a new key shares one of a
    billion numbers once in 18 billion times.
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

    def remove(self, key: str) -> None:
        """Forget a key whose commit failed."""
        number = self._number(key)
        if number in self._recent:
            self._recent.remove(number)
        else:
            self._buckets[number % _BUCKETS].remove(number)

    def _sort(self) -> None:
        # Other threads look for keys meanwhile: each stays where it is found until the new buckets are there.
        added: list[list[int]] = [[] for _ in range(_BUCKETS)]
        for number in self._recent:
            added[number % _BUCKETS].append(number)
        self._buckets = [array("q", sorted([*old, *new])) for old, new in zip(self._buckets, added, strict=True)]
        self._sorted += len(self._recent)
        self._recent = set()

    def __contains__(self, key: object) -> bool:
        number = self._number(str(key))
        if number in self._recent:
            return True
        bucket = self._buckets[number % _BUCKETS]
        place = bisect_left(bucket, number)
        return place < len(bucket) and bucket[place] == number


FoldedBefore = list[tuple[dict[str, Any], str, Any]]
"""Entries of a fold as they were: where, under which name, and what; None where there was nothing."""


def by_record(postings: Iterable[PostingRow]) -> dict[int, list[PostingRow]]:
    """Postings by the number of their record."""
    found: dict[int, list[PostingRow]] = {}
    for posting in postings:
        found.setdefault(posting[0], []).append(posting)
    return found


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


class Checkpoint(Struct, frozen=True, forbid_unknown_fields=True):
    """The state of the log at one moment, and what a house keeps beside it, so that a start need not read it all.

    Whoever hands one to `open_store` has checked its signature. The store makes sure that it is one of this log.
    `places` are the records that the parts have taken in last: for each stream its number and hash. None of them is
    before the fold.
    """

    fold: SavedFold
    places: dict[str, tuple[int, str]]
    parts: dict[str, bytes]


@dataclass(slots=True)
class LogFold:
    """The fold of a log. `balances` has every account that was ever moved."""

    tails: dict[str, tuple[int, str, int]] = field(default_factory=dict)
    """The last number, hash and fencing number of each stream."""
    balances: dict[str, int] = field(default_factory=dict)
    signatures: dict[str, str | None] = field(default_factory=dict)
    """The signature of each stream, as far as this process has written or checked it."""
    fingerprints: dict[str, tuple[str, str, int]] = field(default_factory=dict)
    """The fingerprint of each row, with the stream and number of the record that last set it."""
    keys: UsedKeys = field(default_factory=UsedKeys)
    stopped: set[str] = field(default_factory=set)
    """Accounts whose rows somebody else has changed. Nobody bets, buys or cashes out from them any more."""
    found: dict[Finding, bool] = field(default_factory=dict)
    """All that was found, each once, and True once the house has noted it."""
    resumed: bool = False
    """True if the fold began with a checkpoint."""

    def save(self) -> SavedFold:
        """A copy for a checkpoint, without what was found: the house has noted that, or notes it later."""
        return SavedFold(dict(self.tails), dict(self.balances), dict(self.fingerprints), *self.keys.save())

    @classmethod
    def restore(cls, saved: SavedFold) -> LogFold:
        """The fold of a checkpoint."""
        keys = UsedKeys.restore(saved.secret, saved.keys)
        return cls(
            dict(saved.tails), dict(saved.balances), fingerprints=dict(saved.fingerprints), keys=keys, resumed=True
        )

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
            self._take(record, postings)
        self.tails[stream] = (rows.tail.seq, rows.tail.hash, rows.tail.fence)
        self.signatures[stream] = rows.tail.signature

    def before(self, batch: Batch, rows: Rows) -> FoldedBefore:
        """The state that a batch will replace, for `undo`."""
        places: list[tuple[dict[str, Any], str]] = [(self.balances, account) for account in rows.balances]
        places += [(self.fingerprints, name) for name, _ in batch.rows]
        places += [(self.tails, batch.stream), (self.signatures, batch.stream)]
        return [(target, name, target.get(name)) for target, name in places]

    def undo(self, rows: Rows, before: FoldedBefore) -> None:
        """Take back the last batch of a stream, whose commit failed."""
        for key in [record[7] for record in rows.records if record[7] is not None]:
            self.keys.remove(key)
        for target, name, value in before:
            if value is None:
                target.pop(name, None)
            else:
                target[name] = value

    def follow(self, page: Sequence[RawRecord], postings: Sequence[PostingRow]) -> None:
        """Take in records of other processes, in the order of the store; ForgedError where the chain does not hold.

        A record that was taken in while the page was read is this process's own, and is not taken in again.
        """
        moved = by_record(postings)
        for row in page:
            stream, seq = row[1], row[2]
            last_seq, last_hash = self.end(stream)
            if seq <= last_seq:
                continue
            lines = moved.get(row[0], [])
            if seq != last_seq + 1 or not is_whole(row, last_hash, lines, None) or not self._follows(lines):
                raise ForgedError(Tail(stream, seq))
            self._take(row, lines)
            self.tails[stream] = (seq, row[11], row[4])
            self.signatures.pop(stream, None)

    def _follows(self, lines: Iterable[PostingRow]) -> bool:
        """True if each posting leaves its account at the balance that it says."""
        held: dict[str, int] = {}
        for _, _, _, _, _, account, cents, after in lines:
            held[account] = held.get(account, self.balances.get(account, 0)) + cents
            if held[account] != after:
                return False
        return True

    def _take(self, record: RawRecord, postings: Iterable[PostingRow]) -> None:
        for _, _, _, _, _, account, _, after in postings:
            self.balances[account] = after
        if record[7] is not None:
            self.keys.update((record[7],))
        if record[10] is not None:
            for name, fingerprint in read_fingerprints(record[10]):
                self.fingerprints[name] = (fingerprint, record[1], record[2])

    def check_signature(self, tail: Tail) -> None:
        """Note a signature that somebody else has changed, before the next commit replaces it."""
        if tail.hash == self.end(tail.stream)[1] and self.signatures.get(tail.stream, tail.signature) != tail.signature:
            self.find("signature-changed", tail.stream)

    def held(self, found: Mapping[str, int]) -> dict[str, int]:
        """The balances of accounts after the log. One whose row in the database says something else is stopped."""
        held = {account: self.balances.get(account, 0) for account in found}
        if held != found:
            for account in sorted(account for account in held if held[account] != found[account]):
                if account not in self.stopped:
                    self.stopped.add(account)
                    self.find("account-stopped", account, f"{found[account]!r} in place of {held[account]}")
        return held

    def proves(self, kind: str, row: Sequence[Any]) -> bool:
        """True if the log has set a person or a table as the row has it."""
        set_by = self.fingerprints.get(row_name(kind, row[0]))
        return set_by is not None and set_by[0] == row_fingerprint(row)

    def set_after(self, kind: str, row: Sequence[Any], ends: Mapping[str, int]) -> bool:
        """True if a row was set again after the moment at which streams ended here."""
        _, stream, seq = self.fingerprints.get(row_name(kind, row[0]), ("", "", 0))
        return seq > ends.get(stream, 0)

    def proves_or_finds(self, kind: str, row: Sequence[Any]) -> bool:
        """True if the log has set a row as it is; a row that it has not set is noted as a finding."""
        if proved := self.proves(kind, row):
            return proved
        self.find(f"{kind}-stopped", str(row[0]))
        return False

    def refuse_schema(self, changes: Sequence[str]) -> None:
        """Note how the schema differs from the one expected; SchemaChangedError where it does."""
        for change in changes:
            self.find("schema-changed", change)
        if changes:
            raise SchemaChangedError(f"in the schema of the database {changes[0]}")

    def find(self, code: str, subject: str, detail: str = "") -> None:
        """Note something that the house must be told of, once."""
        if len(self.found) < MOST_FINDINGS:
            self.found.setdefault(Finding(code, subject, detail), False)
