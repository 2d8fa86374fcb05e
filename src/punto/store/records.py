"""What a store holds and takes: records in streams, batches to append, leases, people, settings.

A record's hash covers the previous record of its stream, its number in the whole store and all its own fields, with the
postings, the balances that they lead to and the stored reply, so that no change goes unnoticed. People and settings are
rows that change. The record written with such a row holds its fingerprint, the hash of its contents, so that the log
proves the row. A chain of hashes needs no secret, so anyone could extend it; a store with a signer therefore signs each
tail.

The columns `seal` (a tail's signature) and `marks` (fingerprints) keep their older names.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, MutableMapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from punto.ledger.moves import Move, Reason
from punto.ledger.transfers import Transfer
from punto.rules.money import EXACT_CENTS

NO_HASH = "0" * 64
"""The previous hash of the first record of a stream."""

ORDER_BOUND = "order-bound"
"""The kind of record that binds the order of all records of older versions, whose own hashes do not: their number, and
a hash over the number in the whole store and the hash of each."""

PostingRow = tuple[int, str, str, str, int]
"""A posting as stored: number of the transfer within its record, reason, reference, account, cents."""

HashedFields = tuple[str, int, int, int, str, str, str | None, str | None, str | None, str | None]
"""What the hash of a record covers of its columns: stream to fingerprints."""
RawRecord = tuple[int, str, int, int, int, str, str, str | None, str | None, str | None, str | None, str]
"""The fields of a `Record`, in its order."""

_NAME = re.compile(r"[a-z0-9](?:[A-Za-z0-9._:-]{0,126}[A-Za-z0-9])?")
_KEY = re.compile(r"[!-~]{1,255}")
_HEX = re.compile(r"[0-9a-f]{64}")
# A line break could make one field look like two in the hash; PostgreSQL cannot store NUL.
_NOT_ONE_LINE = re.compile(r"[\x00-\x1f\ud800-\udfff]")


def _one_line(text: str, what: str) -> None:
    if not text or _NOT_ONE_LINE.search(text):
        raise ValueError(f"{what} must be one line of text without control characters, like canonical JSON")


@dataclass(frozen=True, slots=True)
class NewRecord:
    """A record to append: what happened, as a kind and canonical JSON, and its transfers."""

    kind: str
    payload: str
    transfers: tuple[Transfer, ...] = ()

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.kind):
            raise ValueError(f"{self.kind!r} is not a kind of record")
        _one_line(self.payload, "a payload")


@dataclass(frozen=True, slots=True)
class NewReply:
    """The reply to store for an idempotency key, with the SHA-256 of the request's body."""

    key: str
    body_hash: str
    text: str

    def __post_init__(self) -> None:
        if not _KEY.fullmatch(self.key):
            raise ValueError(f"{self.key!r} is not an idempotency key: 1 to 255 printable ASCII characters, no space")
        if not _HEX.fullmatch(self.body_hash):
            raise ValueError("the hash of a body is a SHA-256 in 64 hexadecimal digits")
        _one_line(self.text, "a reply")


@dataclass(frozen=True, slots=True)
class Unit:
    """One command's result: its records, and the reply to store if it had a key. Written whole or not at all."""

    records: tuple[NewRecord, ...]
    reply: NewReply | None = None
    ceiling: tuple[str, int] | None = None
    """An account that the unit moves, and the maximum it may hold afterwards. The transaction checks it."""
    empty: str | None = None
    """An account that must hold nothing, such as a debt. The transaction locks and checks it."""

    def __post_init__(self) -> None:
        if not self.records:
            raise ValueError("a unit needs at least one record")


@dataclass(frozen=True, slots=True)
class StoredPerson:
    """A known person. Only the hash of the token is stored; None if the person has no access any more."""

    id: str
    name: str
    role: str
    token_hash: str | None

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.id) or not _NAME.fullmatch(self.role):
            raise ValueError(f"{self.id!r} ({self.role!r}) cannot be the id and role of a person")
        _one_line(self.name, "a person's name")
        if self.token_hash is not None and not _HEX.fullmatch(self.token_hash):
            raise ValueError("a token is stored as its SHA-256 in 64 hexadecimal digits")


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
    `people` and `tables` are set in the same commit, and the batch's last record holds their fingerprints. A person or
    a table is always set in the same stream, so that its records are in the order of the row's changes.
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
        if type(self.time_ms) is not int or not 0 <= self.time_ms < EXACT_CENTS:
            raise ValueError(f"{self.time_ms!r} is not a time in milliseconds")

    @property
    def fingerprints(self) -> str | None:
        """The fingerprints of the rows that the batch sets, as one line of text; None if it sets none."""
        return " ".join([f"{name}={row_fingerprint(row)}" for name, row in self.rows]) or None

    @property
    def rows(self) -> list[tuple[str, tuple[Any, ...]]]:
        """The rows that the batch sets, each with its name."""
        people = [(row_name("person", each.id), person_row(each)) for each in self.people]
        return [*people, *[(row_name("table", each.table), table_row(each)) for each in self.tables]]


def check_stream(name: str) -> None:
    """Raise ValueError for an invalid stream name."""
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is not the name of a stream")


class Record(NamedTuple):
    """A stored record. `id` orders all records of the store; `seq` counts those of its stream from 1 without gaps."""

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
    fingerprints: str | None
    hash: str


@dataclass(frozen=True, slots=True)
class Tail:
    """The end of a stream, the fencing number of its writer, and its signature, if the store signs."""

    stream: str
    seq: int = 0
    hash: str = NO_HASH
    fence: int = 0
    signature: str | None = None


Sign = Callable[[Tail], str]
"""Signs a tail: its stream, number and hash. A lease changes none of them."""
Signer = Callable[[str], Sign]
"""Makes the `Sign` of the store with this id, so that no signature is valid in another store."""


@dataclass(frozen=True, slots=True)
class StoredReply:
    """The reply to the command with this key, and its record."""

    key: str
    body_hash: str
    text: str
    stream: str
    seq: int


@dataclass(frozen=True, slots=True)
class Appended:
    """An appended batch: the new tail of the stream, and the balances of the accounts it moved."""

    tail: Tail
    balances: dict[str, int]


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to write to a stream, as long as no higher fencing number exists."""

    stream: str
    owner: str
    fence: int
    expires_ms: int


@dataclass(frozen=True, slots=True)
class StatementLine:
    """A posting on an account, with its record."""

    record: int
    line: int
    stream: str
    seq: int
    time_ms: int
    reason: str
    reference: str
    cents: int
    kind: str
    payload: str | None
    """The payload of the record, for the reasons in `SINGLE`; None where it may be about many people."""


SINGLE = (Reason.BUY, Reason.CASH_OUT, Reason.STAKE)
"""The reasons whose records are about one movement of one person, and are therefore small."""
STATEMENT_COLUMNS = (
    "record, line, stream, seq, time_ms, reason, reference, cents, kind, "
    f"CASE WHEN reason IN {tuple([reason.value for reason in SINGLE])} THEN payload END"
)
"""The fields of a `StatementLine`, for the stores that read SQL."""


def person_row(person: StoredPerson) -> tuple[str, str, str, str | None]:
    """A person as a row."""
    return person.id, person.name, person.role, person.token_hash


def table_row(table: TableSettings) -> tuple[str, str]:
    """A table's settings as a row."""
    return table.table, table.settings


def row_name(kind: str, name: object) -> str:
    """The name under which the log has the row of a person or a table: `person:ID`, `table:NAME`."""
    return f"{kind}:{name}"


def row_fingerprint(row: Iterable[object]) -> str:
    """The hash of a row's contents: SHA-256 over its columns as a JSON array. An edited row may hold anything."""
    return hashlib.sha256(json.dumps(list(row), separators=(",", ":"), default=repr).encode()).hexdigest()


def read_fingerprints(text: str) -> list[tuple[str, str]]:
    """The rows that a record sets, each by its name (`person:ID`, `table:NAME`), with their fingerprints."""
    return [(name, fingerprint) for name, _, fingerprint in [each.partition("=") for each in text.split(" ")]]


def posting_rows(transfers: Iterable[Transfer]) -> list[PostingRow]:
    """A record's postings as rows, as they are stored and hashed."""
    return [
        (number, transfer.reason.value, transfer.reference, posting.account, posting.cents)
        for number, transfer in enumerate(transfers, 1)
        for posting in transfer.postings
    ]


def moved_rows(record: int, moves: Iterable[Move]) -> list[tuple[int, *PostingRow]]:
    """The rows that the moves of a record would be stored as, to compare with the stored ones."""
    return [
        (record, number, reason, reference, account, cents)
        for number, (reason, reference, amounts) in enumerate(moves, 1)
        for account, cents in amounts
        if cents
    ]


def posting_text(postings: Iterable[PostingRow], balances: MutableMapping[str, int]) -> str:
    """A record's postings as the text that its hash covers, one on each line, each with what its account holds then.

    `balances` is what the accounts held before; it is changed to what they hold afterwards.
    """
    text = ""
    for number, reason, reference, account, cents in postings:
        held = balances[account] = balances.get(account, 0) + cents
        text += f"\n{number} {reason} {reference} {account} {cents} {held}"
    return text


def record_hash(previous: str, number: int, fields: HashedFields, postings: str) -> str:
    """The hash of a record: SHA-256 over its number in the whole store, the previous hash and its fields, one a line.

    The fields are stream, seq, time_ms, fence, kind, payload, key, body_hash, reply and fingerprints. The postings come
    last, their parts separated by spaces. No field has a line break and no part of a posting a space, so no two records
    give the same text. The number binds the order of all streams, and the postings bind every balance.
    """
    stream, seq, time_ms, fence, kind, payload, key, body_hash, reply, fingerprints = fields
    text = (
        f"{number} {previous}\n{stream}\n{seq}\n{time_ms}\n{fence}\n{kind}\n{payload}\n"
        f"{key or ''}\n{body_hash or ''}\n{reply or ''}\n{fingerprints or ''}{postings}"
    )
    return hashlib.sha256(text.encode()).hexdigest()


def older_record_hash(previous: str, fields: HashedFields, postings: Iterable[PostingRow]) -> str:
    """The hash of a record of an older version: without its number in the whole store, and without balances."""
    lines = "".join([f"\n{n} {reason} {ref} {account} {cents}" for n, reason, ref, account, cents in postings])
    stream, seq, time_ms, fence, kind, payload, *stored = fields
    text = [previous, stream, str(seq), str(time_ms), str(fence), kind, payload, *[each or "" for each in stored]]
    return hashlib.sha256(("\n".join(text) + lines).encode()).hexdigest()


def fits_hash(record: Record | RawRecord, previous: str, postings: list[PostingRow], held: dict[str, int]) -> bool:
    """Whether a stored record has the hash that its contents give; `held` is what its accounts held before it."""
    number, fields, stored = record[0], record[1:11], record[11]
    if record_hash(previous, number, fields, posting_text(postings, held)) == stored:
        return True
    return older_record_hash(previous, fields, postings) == stored
