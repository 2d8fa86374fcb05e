"""What a store keeps and is handed: records in streams, batches to append, leases, people, settings.

A record's hash covers the record before it in its stream and every field of its own, the postings and the stored reply
included, so that nothing of it can be changed unseen. People and settings are rows that change; the record written with
one carries a mark of it, the hash of its contents, so that the log says what each row must be. A chain of hashes needs
no secret, so anyone could lengthen it: where a store is handed something to sign with, each tail carries its seal.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from punto.ledger.moves import Move
from punto.ledger.transfers import Transfer
from punto.table.codec import EXACT

NO_HASH = "0" * 64
"""What the first record of a stream has before it."""

PostingRow = tuple[int, str, str, str, int]
"""A posting as kept: number of the transfer within its record, reason, reference, account, cents."""

_NAME = re.compile(r"[a-z0-9](?:[A-Za-z0-9._:-]{0,126}[A-Za-z0-9])?")
_KEY = re.compile(r"[!-~]{1,255}")
_HEX = re.compile(r"[0-9a-f]{64}")
# A line break would let one field pass for two in the hash; PostgreSQL keeps no NUL.
_NOT_ONE_LINE = re.compile(r"[\x00-\x1f\ud800-\udfff]")


def _one_line(text: str, what: str) -> None:
    if not text or _NOT_ONE_LINE.search(text):
        raise ValueError(f"{what} must be one line of text without control signs, as canonical JSON is")


@dataclass(frozen=True, slots=True)
class NewRecord:
    """A record to be: what happened, as a kind and a text of canonical JSON, and the transfers that follow from it."""

    kind: str
    payload: str
    transfers: tuple[Transfer, ...] = ()

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.kind):
            raise ValueError(f"{self.kind!r} is not a kind of record")
        _one_line(self.payload, "a payload")


@dataclass(frozen=True, slots=True)
class NewReply:
    """The reply to keep under an idempotency key, with the SHA-256 of the request's body."""

    key: str
    body_hash: str
    text: str

    def __post_init__(self) -> None:
        if not _KEY.fullmatch(self.key):
            raise ValueError(f"{self.key!r} is not an idempotency key: 1 to 255 printable ASCII signs, no space")
        if not _HEX.fullmatch(self.body_hash):
            raise ValueError("the hash of a body is a SHA-256 in 64 hexadecimal signs")
        _one_line(self.text, "a reply")


@dataclass(frozen=True, slots=True)
class Unit:
    """One command's result: its records, and the reply to keep if it carried a key. Written whole or not at all."""

    records: tuple[NewRecord, ...]
    reply: NewReply | None = None
    ceiling: tuple[str, int] | None = None
    """An account that the unit moves, and the most it may hold afterwards: judged where nobody else can write."""

    def __post_init__(self) -> None:
        if not self.records:
            raise ValueError("a unit needs a record: what happened, and what a reply rests on")


@dataclass(frozen=True, slots=True)
class StoredPerson:
    """Someone known here. Only the hash of a person's token is kept; None where they cannot come in any more."""

    id: str
    name: str
    role: str
    token_hash: str | None

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.id) or not _NAME.fullmatch(self.role):
            raise ValueError(f"{self.id!r} ({self.role!r}) cannot be the id and role of a person")
        _one_line(self.name, "a person's name")
        if self.token_hash is not None and not _HEX.fullmatch(self.token_hash):
            raise ValueError("a token is kept as its SHA-256 in 64 hexadecimal signs")


@dataclass(frozen=True, slots=True)
class TableSettings:
    """A table and its settings, as one line of canonical JSON."""

    table: str
    settings: str

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.table):
            raise ValueError(f"{self.table!r} is not the name of a table")
        _one_line(self.settings, "settings")


@dataclass(frozen=True, slots=True)
class Batch:
    """Units to append to one stream in one commit, in the order in which they were decided.

    `after` is the sequence number the stream must end with, or None where the units depend on nothing in it.
    `people` and `tables` are set in the same commit, and the batch's last record carries their marks. A person or a
    table is always set in the same stream, so that the order of its records is that of the row's changes.
    A stream that was never leased is written under fence 0.
    """

    stream: str
    after: int | None
    time_ms: int
    units: tuple[Unit, ...]
    fence: int = 0
    people: tuple[StoredPerson, ...] = ()
    tables: tuple[TableSettings, ...] = ()

    def __post_init__(self) -> None:
        check_stream(self.stream)
        if not self.units:
            raise ValueError("a batch without units writes nothing")
        if type(self.time_ms) is not int or not 0 <= self.time_ms < EXACT:
            raise ValueError(f"{self.time_ms!r} is not a time in milliseconds")

    @property
    def marks(self) -> str | None:
        """The marks of the rows this sets, as one line of text; None where it sets none."""
        marks = [f"person:{each.id}={row_mark(person_row(each))}" for each in self.people]
        marks += [f"table:{each.table}={row_mark(table_row(each))}" for each in self.tables]
        return " ".join(marks) or None


def check_stream(name: str) -> None:
    """A ValueError for what cannot name a stream."""
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is not the name of a stream")


class Record(NamedTuple):
    """A record as kept. `id` orders all records of the store; `seq` counts those of its stream from 1 without gaps."""

    id: int
    stream: str
    seq: int
    time_ms: int
    fence: int
    kind: str
    payload: str
    key: str | None
    body_hash: str | None
    reply: str | None
    marks: str | None
    hash: str


@dataclass(frozen=True, slots=True)
class Tail:
    """Where a stream ends, the fencing number it is written under, and the seal of its end, where ends are signed."""

    stream: str
    seq: int = 0
    hash: str = NO_HASH
    fence: int = 0
    seal: str | None = None


Sign = Callable[[Tail], str]
"""Gives the seal of a tail: of its stream, number and hash. A lease changes none of them."""
Signer = Callable[[str], Sign]
"""Gives what signs the tails of the store with this id, so that no seal is good in another."""


@dataclass(frozen=True, slots=True)
class StoredReply:
    """What was answered to the command with this key, and the record it rests on."""

    key: str
    body_hash: str
    text: str
    stream: str
    seq: int


@dataclass(frozen=True, slots=True)
class Appended:
    """A batch on disk: where the stream ends now, and the balances of the accounts it moved."""

    tail: Tail
    balances: dict[str, int]


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to write to a stream, as long as no higher fencing number has been given out."""

    stream: str
    owner: str
    fence: int
    expires_ms: int


@dataclass(frozen=True, slots=True)
class StatementLine:
    """A posting on an account, with the record it follows from."""

    record: int
    line: int
    stream: str
    seq: int
    time_ms: int
    reason: str
    reference: str
    cents: int


def person_row(person: StoredPerson) -> tuple[str, str, str, str | None]:
    """A person as kept."""
    return person.id, person.name, person.role, person.token_hash


def table_row(table: TableSettings) -> tuple[str, str]:
    """A table's settings as kept."""
    return table.table, table.settings


def row_mark(row: Iterable[object]) -> str:
    """The hash of a row's contents: SHA-256 over its columns as a JSON array. An edited row may hold anything."""
    return hashlib.sha256(json.dumps(list(row), separators=(",", ":"), default=repr).encode()).hexdigest()


def read_marks(text: str) -> list[tuple[str, str]]:
    """The rows that a record sets, each by its name (`person:ID`, `table:NAME`), with their marks."""
    return [(name, mark) for name, _, mark in [each.partition("=") for each in text.split(" ")]]


def posting_rows(transfers: Iterable[Transfer]) -> list[PostingRow]:
    """A record's postings in the form in which they are kept and hashed."""
    return [
        (number, transfer.reason.value, transfer.reference, posting.account, posting.cents)
        for number, transfer in enumerate(transfers, 1)
        for posting in transfer.postings
    ]


def moved_rows(record: int, moves: Iterable[Move]) -> list[tuple[int, *PostingRow]]:
    """The postings that the moves of a record would be kept as, to be compared with those there are."""
    return [
        (record, number, reason, reference, account, cents)
        for number, (reason, reference, amounts) in enumerate(moves, 1)
        for account, cents in amounts
        if cents
    ]


def posting_text(postings: Iterable[PostingRow]) -> str:
    """A record's postings as its hash sees them, each on a line of its own."""
    return "".join([f"\n{n} {reason} {ref} {account} {cents}" for n, reason, ref, account, cents in postings])


def record_hash(
    previous: str,
    fields: tuple[str, int, int, int, str, str, str | None, str | None, str | None, str | None],
    postings: str,
) -> str:
    """The hash of a record, from that of the one before: SHA-256 over its fields, each on a line of its own.

    The fields are stream, seq, time_ms, fence, kind, payload, key, body_hash, reply and marks; the postings come last,
    their parts parted by spaces. No field holds a line break and no part of a posting a space, so no two records read
    alike.
    """
    stream, seq, time_ms, fence, kind, payload, key, body_hash, reply, marks = fields
    kept = f"{key or ''}\n{body_hash or ''}\n{reply or ''}\n{marks or ''}"
    text = f"{previous}\n{stream}\n{seq}\n{time_ms}\n{fence}\n{kind}\n{payload}\n{kept}{postings}"
    return hashlib.sha256(text.encode()).hexdigest()
