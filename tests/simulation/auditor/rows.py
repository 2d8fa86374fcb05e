"""The store's rows at the end: chained, balanced, and each bet ended once (I1, I2, I4, I5, I7)."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from typing import Any, NamedTuple

from msgpack import packb

from tests.simulation.auditor.findings import Findings

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


class Ledger:
    """The rows, taken one record at a time in the order of their ids."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self.held: dict[str, int] = defaultdict(int)
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
        self._check_rows("person", end["people"])
        self._check_rows("table", end["tables"])

    def _check_rows(self, kind: str, rows: list[list[Any]]) -> None:
        """The rows of people or tables are those that the log proves by their fingerprints."""
        stored = {f"{kind}:{row[0]}": hashlib.sha256(packb(row)).hexdigest() for row in rows}
        proved = {name: written for name, written in self._rows.items() if name.startswith(f"{kind}:")}
        for name in sorted({name for name, _ in stored.items() ^ proved.items()}):
            self._findings.add("I7", "end", f"the row of {name} is not the one that the log proves")


def hash_of(row: Row | list[Any], previous: str, postings: list[Posting]) -> str:
    """The hash of a record, as docs/store.md describes it."""
    return hashlib.sha256(packb([previous, *row[:11], postings])).hexdigest()


def rows_of(end: dict[str, Any]) -> list[tuple[Row, list[Posting]]]:
    """The records of a store with their postings, in the order of their ids as they stand."""
    postings: dict[int, list[Posting]] = defaultdict(list)
    for each in end["postings"]:
        postings[each[0]].append(tuple(each))
    return [(Row(*row), postings[row[0]]) for row in end["records"]]
