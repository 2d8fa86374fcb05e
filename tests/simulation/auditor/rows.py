"""The store's rows at the end: chained, balanced, and each bet ended once (I1, I2, I4, I5, I7)."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

from tests.simulation.auditor.findings import Findings

FIELDS = (
    *("id", "stream", "seq", "time_ms", "fence", "kind", "payload", "key", "body_hash", "reply"),
    *("fingerprints", "hash"),
)
POSTING_FIELDS = ("record", "line", "number", "reason", "reference", "account", "cents", "balance_cents")
FINAL = frozenset({"pay", "lose", "return"})
_FIRST = "0" * 64


class Row(NamedTuple):
    """A record as it is stored."""

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

    @property
    def where(self) -> str:
        """The record, for people."""
        return f"record {self.id} ({self.stream} {self.seq}, {self.kind})"


Posting = tuple[int, int, int, str, str, str, int, int]
"""Its record, line, the number of its transfer, reason, reference, account, cents, and the balance after it."""


def _plain(row: Any, names: tuple[str, ...]) -> list[Any]:
    return [row[name] for name in names] if isinstance(row, dict) else list(row)


class Ledger:
    """The rows, taken one record at a time in the order of their ids."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self.held: dict[str, int] = defaultdict(int)
        self.past: dict[str, set[int]] = defaultdict(lambda: {0})
        """What each account has held at any time."""
        self.keys: dict[str, Row] = {}
        self._last: dict[str, Row] = {}
        self._last_id = 0
        self._staked: dict[str, int] = {}
        self._ended: set[str] = set()
        self._rows: dict[str, str] = {}

    def take(self, row: Row, postings: list[Posting]) -> None:
        """Take the next record with its postings."""
        add, last = self._findings.add, self._last.get(row.stream)
        if row.id <= self._last_id:
            add("I5", row.where, f"comes after record {self._last_id}")
        if row.seq != (last.seq if last else 0) + 1:
            add("I5", row.where, f"follows number {last.seq if last else 0} of its stream")
        if last and row.fence < last.fence:
            add("I5", row.where, f"was written under fence {row.fence}, after {last.fence}")
        self._post(row, postings)
        if hash_of(row, last.hash if last else _FIRST, postings) != row.hash:
            add("I5", row.where, "its hash does not follow from its contents and the record before it")
        if row.key is not None:
            if row.key in self.keys:
                add("I3", row.where, f"its key {row.key!r} was used by {self.keys[row.key].where}")
            self.keys[row.key] = row
        for each in (row.fingerprints or "").split():
            name, _, fingerprint = each.partition("=")
            self._rows[name] = fingerprint
        self._last[row.stream], self._last_id = row, row.id

    def _post(self, row: Row, postings: list[Posting]) -> None:
        """Apply the postings of a record."""
        sums, held = defaultdict[int, int](int), self.held
        by_number: dict[int, list[Posting]] = {}
        for place, posting in enumerate(postings, 1):
            _, line, number, _, _, account, cents, balance_cents = posting
            sums[number] += cents
            now = held[account] = held[account] + cents
            if (line, balance_cents) != (place, now):
                self._findings.add("I7", row.where, f"line {line} leaves {account} at {balance_cents}, not {now}")
            by_number.setdefault(number, []).append(posting)
        for number, total in sums.items():
            if total:
                self._findings.add("I1", row.where, f"the postings of transfer {number} sum to {total}")
            self._bet(row, by_number[number])
        for _, _, _, _, _, account, _, _ in postings:
            self.past[account].add(held[account])
            if held[account] < 0 and account.startswith(("patron:", "bets:", "ticket:")):
                self._findings.add("I2", row.where, f"{account} holds {held[account]}")
            if held[account] > 0 and account.startswith("owed:"):
                self._findings.add("I2", row.where, f"{account} holds {held[account]}, which is no debt")

    def _bet(self, row: Row, transfer: list[Posting]) -> None:
        """A bet is staked under its reference and ends once, with all of its stake."""
        _, _, _, reason, reference, *_ = transfer[0]
        moved = sum([cents for _, _, _, _, _, account, cents, _ in transfer if account.startswith("bets:")])
        if reason == "stake":
            if reference in self._ended:
                self._findings.add("I4", row.where, f"bet {reference} is staked after its end")
            self._staked[reference] = self._staked.get(reference, 0) + moved
        elif reason in FINAL:
            if reference in self._ended:
                self._findings.add("I4", row.where, f"bet {reference} ends a second time")
            elif (staked := self._staked.pop(reference, None)) is None or staked != -moved:
                self._findings.add("I4", row.where, f"bet {reference} ends with {-moved}, and {staked} were staked")
            self._ended.add(reference)
        elif moved:
            self._findings.add("I4", row.where, f"{reason} {reference} moves bets in play")

    def finish(self, end: dict[str, Any], in_play: dict[str, int]) -> None:
        """Compare with the store's balances and people, and with the bets that the tables have in play."""
        add, stored = self._findings.add, end.get("balances", {})
        for account in sorted(self.held.keys() | stored.keys()):
            if (now := self.held.get(account, 0)) != stored.get(account, 0):
                add("I7", "end", f"{account} holds {stored.get(account, 0)}, and its postings come to {now}")
        if total := sum(stored.values()):
            add("I1", "end", f"all balances sum to {total}")
        for reference in sorted(self._staked.keys() - in_play.keys()):
            add("I4", "end", f"bet {reference} never ended, and its table has no such bet in play")
        for reference in sorted(in_play.keys() - self._staked.keys()):
            add("I4", "end", f"bet {reference} is in play at its table, and not in the ledger")
        self._check_rows("person", end.get("people", []), ("id", "name", "role", "token_hash"))
        self._check_rows("table", end.get("tables", []), ("table", "settings"))
        for stream, (seq, hashed) in end.get("tails", {}).items():
            last = self._last.get(stream)
            if seq and (last is None or (last.seq, last.hash) != (seq, hashed)):
                add("I5", "end", f"{stream} ends with record {seq} by its tail, and not by its records")

    def _check_rows(self, kind: str, rows: Iterable[Any], names: tuple[str, ...]) -> None:
        """The rows of people or tables are those that the log proves by their fingerprints."""
        known = set()
        for each in rows:
            row = _plain(each, names)
            name = f"{kind}:{row[0]}"
            known.add(name)
            written = hashlib.sha256(packed(row)).hexdigest()
            if self._rows.get(name) != written:
                self._findings.add("I7", "end", f"the row of {name} is not the one that the log proves")
        for name in sorted(self._rows.keys() - known) if known else ():
            if name.startswith(f"{kind}:"):
                self._findings.add("I7", "end", f"the row of {name} is gone")


def hash_of(row: Row | list[Any], previous: str, postings: list[Posting]) -> str:
    """The hash of a record, as docs/store.md describes it."""
    return hashlib.sha256(packed([previous, *row[:11], postings])).hexdigest()


def packed(value: Any) -> bytes:
    """A value as MessagePack, in its shortest form."""
    if value is None:
        return b"\xc0"
    if isinstance(value, int):
        return _packed_int(value)
    if isinstance(value, str):
        text = value.encode()
        return _head(len(text), 0xA0, 32, (0xD9, 0xDA, 0xDB)) + text
    return _head(len(value), 0x90, 16, (0, 0xDC, 0xDD)) + b"".join([packed(each) for each in value])


def _packed_int(value: int) -> bytes:
    if -32 <= value < 128:
        return value.to_bytes(1, "big", signed=value < 0)
    for size, plain, signed in ((1, 0xCC, 0xD0), (2, 0xCD, 0xD1), (4, 0xCE, 0xD2), (8, 0xCF, 0xD3)):
        if 0 <= value < 256**size or -(256**size) // 2 <= value < 0:
            return bytes([signed if value < 0 else plain]) + value.to_bytes(size, "big", signed=value < 0)
    raise OverflowError(value)


def _head(length: int, small: int, below: int, codes: tuple[int, int, int]) -> bytes:
    """What stands before a text or an array: its length, in as few bytes as there are for it."""
    if length < below:
        return bytes([small + length])
    size, code = next((size, code) for size, code in zip((1, 2, 4), codes, strict=True) if code and length < 256**size)
    return bytes([code]) + length.to_bytes(size, "big")


def rows_of(end: dict[str, Any]) -> list[tuple[Row, list[Posting]]]:
    """The records of a store with their postings, in the order of their ids as they stand."""
    postings: dict[int, list[Posting]] = {}
    for each in end.get("postings", []):
        posting: Any = tuple(_plain(each, POSTING_FIELDS))
        postings.setdefault(posting[0], []).append(posting)
    rows = [Row(*_plain(each, FIELDS)) for each in end.get("records", [])]
    return [(row, postings.get(row.id, [])) for row in rows]
