"""The data of a store: records in streams, batches to append, leases, people, settings.

A record's hash covers the hash of the previous record of its stream and every column of its row and of its postings, so
that no change goes unnoticed. People and settings are rows that change. The record written with such a row holds its
fingerprint, the hash of its contents, so that the log proves the row. A chain of hashes needs no secret, so anyone
could extend it; a store with a signer signs each tail, and gives each record a code that can be checked by itself.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, dataclass
from functools import cached_property
from typing import Annotated, Any, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta

from punto.ledger.accounts import parse_account
from punto.ledger.balances import PostingRow
from punto.ledger.moves import Move, Reason, check_move
from punto.rules.money import EXACT_CENTS

NO_HASH = "0" * 64
"""The previous hash of the first record of a stream."""

RECORD_COLUMNS = "id, stream, seq, time_ms, fence, kind, payload, key, body_hash, reply, fingerprints, hash, mac"
POSTING_COLUMNS = "record, line, transfer, reason, reference, account, cents, balance_cents"
TAIL_COLUMNS = "name, seq, hash, fence, signature"

_Place = Annotated[int, Meta(ge=1)]
_Count = Annotated[int, Meta(ge=0)]
_Hash = Annotated[str, Meta(min_length=64, max_length=64)]
_Key = Annotated[str, Meta(min_length=1, max_length=255)]
_Reference = Annotated[str, Meta(min_length=1, max_length=128)]
_Moved = tuple[_Place, _Place, _Place, Reason, _Reference, str, int, int]
_End = tuple[str, _Count, _Hash, _Count, str | None]
RawRecord: TypeAlias = tuple[
    _Place, str, _Place, _Count, _Count, str, str, _Key | None, _Hash | None, str | None, str | None, _Hash, str | None
]
"""The row of a record: `RECORD_COLUMNS`."""

_NAME = re.compile(r"[a-z0-9](?:[A-Za-z0-9._:-]{0,126}[A-Za-z0-9])?")
_KEY, _KEYS = re.compile(r"[!-~]{1,255}"), re.compile(r"[!-~]*")
_HEX = re.compile(r"[0-9a-f]{64}")
_FINGERPRINTS = re.compile(r"(?:person|table):[^ =]+=[0-9a-f]{64}(?: (?:person|table):[^ =]+=[0-9a-f]{64})*")
# PostgreSQL cannot store NUL, and a log of a process is read by lines.
_NOT_ONE_LINE = re.compile(r"[\x00-\x1f\ud800-\udfff]")


def _one_line(text: str, what: str) -> None:
    if not text or _NOT_ONE_LINE.search(text):
        raise ValueError(f"{what} must be one line of text without control characters, like canonical JSON")


@dataclass(frozen=True, slots=True)
class NewRecord:
    """A record to append: what happened, as a kind and canonical JSON, and the money that it moves."""

    kind: str
    payload: str
    moves: Sequence[Move] = ()

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.kind):
            raise ValueError(f"{self.kind!r} is not a kind of record")
        _one_line(self.payload, "a payload")
        for move in self.moves:
            check_move(move)


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
        people = [(row_name("person", each.id), astuple(each)) for each in self.people]
        return [*people, *[(row_name("table", each.table), astuple(each)) for each in self.tables]]


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
    mac: str | None
    postings: Sequence[PostingRow] = ()

    def moved_by(self, moves: Iterable[Move]) -> bool:
        """True if these moves, and no others, give the postings of the record."""
        return [row[1:7] for row in self.postings] == moved_rows(moves)

    @property
    def stored_reply(self) -> StoredReply:
        """The reply of a record that has a key."""
        return StoredReply(self.key or "", self.body_hash or "", self.reply or "", self.stream, self.seq)


@dataclass(frozen=True, slots=True)
class Tail:
    """The end of a stream, the fencing number of its writer, and its signature, if the store signs."""

    stream: str
    seq: int = 0
    hash: str = NO_HASH
    fence: int = 0
    signature: str | None = None


@dataclass(frozen=True)
class Sign:
    """A house's signing: `tail` gives the signature of a stream, its number and its hash; a lease changes none of them.

    `secret` is that of the codes of single records; who has the public key alone has none.
    """

    tail: Callable[[Tail], str]
    secret: Callable[[], bytes] | None = None

    @cached_property
    def record_key(self) -> bytes | None:
        """The secret, once it is needed: a new house has no key before its first record."""
        return self.secret() if self.secret else None


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


class StatementLine(NamedTuple):
    """A posting on an account, and its record."""

    record: Record
    line: int
    reason: str
    reference: str
    account: str
    cents: int
    balance_cents: int

    @property
    def place(self) -> tuple[int, int]:
        """Where it stands among all postings of the store."""
        return self.record.id, self.line


def row_name(kind: str, name: object) -> str:
    """The name under which the log has the row of a person or a table: `person:ID`, `table:NAME`."""
    return f"{kind}:{name}"


def row_fingerprint(row: Iterable[object]) -> str:
    """The hash of a row's contents: SHA-256 over its columns as a MessagePack array."""
    return hashlib.sha256(_encode(list(row))).hexdigest()


def read_fingerprints(text: str) -> list[tuple[str, str]]:
    """The rows that a record sets, each by its name (`person:ID`, `table:NAME`), with their fingerprints."""
    if not _FINGERPRINTS.fullmatch(text):
        raise ValueError(f"{text!r} are not fingerprints")
    return [(name, fingerprint) for name, _, fingerprint in [each.partition("=") for each in text.split(" ")]]


def moved_rows(moves: Iterable[Move]) -> list[tuple[int, int, str, str, str, int]]:
    """The postings of a record's moves, from their lines to their cents, to compare with the stored ones."""
    rows: list[tuple[int, int, str, str, str, int]] = []
    for number, (reason, reference, amounts) in enumerate(moves, 1):
        for account, cents in amounts:
            if cents:
                rows.append((len(rows) + 1, number, reason, reference, account, cents))
    return rows


# ------------------------------------------------------------------------------------------- the hash

_encode = msgspec.msgpack.Encoder().encode


def record_bytes(previous: str, fields: Sequence[object], postings: Sequence[PostingRow]) -> bytes:
    """The bytes that the hash of a record covers: one MessagePack array, which can be read in one way only.

    Its items are the hash of the previous record of the stream, the columns of the record from `id` to `fingerprints`,
    and an array of its postings with all their columns. Each text is preceded by its length.
    """
    return _encode((previous, *fields, postings))


def record_hash(previous: str, fields: Sequence[object], postings: Sequence[PostingRow]) -> str:
    """The hash of a record: SHA-256 over `record_bytes`."""
    return hashlib.sha256(record_bytes(previous, fields, postings)).hexdigest()


def record_mac(key: bytes, hash_: str) -> str:
    """The code by which the house knows a record as its own without reading later ones: a keyed hash of its hash."""
    return hashlib.blake2b(hash_.encode(), key=key, digest_size=16).hexdigest()


def is_whole(row: RawRecord, previous: str, postings: Sequence[PostingRow], key: bytes | None) -> bool:
    """True if a stored record has the hash of its columns and postings and, with a key, the code of that hash."""
    hash_ = row[11]
    return record_hash(previous, row[:11], postings) == hash_ and (key is None or record_mac(key, hash_) == row[12])


# ------------------------------------------------------------------------------------------- strict reading


def read_record_rows(rows: Sequence[Any]) -> list[RawRecord]:
    """Rows of `RECORD_COLUMNS` with each column of its type and form; ValueError where one is not."""
    found: list[RawRecord] = msgspec.convert(rows, list[RawRecord], strict=True)
    for name in {name for row in found for name in (row[1], row[5])}:
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!r} is not the name of a stream or a kind of record")
    if not _KEYS.fullmatch("".join([row[7] for row in found if row[7] is not None])):
        raise ValueError(f"a record after number {found[0][0]} has no printable key")
    return found


def read_posting_rows(rows: Sequence[Any]) -> list[PostingRow]:
    """Rows of `POSTING_COLUMNS` with each column of its type and form; ValueError where one is not."""
    found: list[PostingRow] = msgspec.convert(rows, list[_Moved], strict=True)
    for account in {row[5] for row in found}:
        parse_account(account)
    references = "".join([row[4] for row in found])
    if not references.isprintable() or " " in references:
        raise ValueError(f"a posting after record number {found[0][0]} has no printable reference")
    return found


def read_tail(row: Iterable[Any]) -> Tail:
    """A row of `TAIL_COLUMNS` with each column of its type and form; ValueError where one is not."""
    tail: tuple[str, int, str, int, str | None] = msgspec.convert(tuple(row), _End, strict=True)
    check_stream(tail[0])
    return Tail(*tail)
