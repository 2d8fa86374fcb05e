"""Auditing a store: the chain, the gaps, the ledger, the bets, the keys and the heads, in one pass over a snapshot.

The log is read once in the order in which it was written. What goes wrong first is named first; a record that is bad
does not hide others, since the chain is taken up again at the hash that stands in the database.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from punto.ledger.accounts import may_be_negative
from punto.ledger.transfers import FINAL, Reason
from punto.rules.money import money
from punto.store.heads import Heads
from punto.store.interface import RawRecord, Snapshot
from punto.store.records import NO_HASH, PostingRow, Record, Tail, record_hash

PAGE = 20_000
MOST_PROBLEMS = 20
"""Problems told; a log that is bad throughout would fill the screen with the same one."""

_FINAL = frozenset(reason.value for reason in FINAL)
_STAKE = Reason.STAKE.value


class Replayer(Protocol):
    """What knows a stream's kinds of record: it is fed them in order, and says what is wrong with one, if anything."""

    def __call__(self, record: Record, postings: Sequence[PostingRow], /) -> str | None:
        """Evolve by this record; a sentence if it cannot have followed, or if other postings follow from it."""
        ...


Replay = Callable[[str], Replayer | None]
"""Makes the replayer of a stream, or None for a stream with nothing to replay."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that does not hold: a stable code, a sentence and the record at fault, where one is."""

    code: str
    message: str
    stream: str | None = None
    seq: int | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """What an audit found. The log is good if there are no problems; the first is the first bad record."""

    records: int
    postings: int
    replayed: int
    tails: tuple[Tail, ...]
    bets_open: int
    house_cents: int
    patron_cents: int
    problems: tuple[Problem, ...]

    @property
    def first(self) -> Problem | None:
        """The first problem."""
        return self.problems[0] if self.problems else None


async def audit(
    snapshot: Snapshot,
    *,
    heads: Heads | None = None,
    replay: Replay | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Report:
    """Check everything in a snapshot; `progress` is told records done and records in all."""
    total, _ = await snapshot.counts()
    auditor = _Auditor(heads, replay)
    last = 0
    while page := await snapshot.page(last, PAGE):
        postings = await snapshot.postings(last, page[-1][0])
        auditor.take(page, postings)
        last = page[-1][0]
        if progress:
            progress(auditor.records, total)
    auditor.refuse_orphans(await snapshot.postings(last, None))
    auditor.finish(await snapshot.tails(), await snapshot.balances(), await snapshot.repeated_key())
    return auditor.report()


@dataclass(slots=True)
class _Auditor:
    """The fold of an audit."""

    heads: Heads | None
    replay: Replay | None
    records: int = 0
    postings: int = 0
    replayed: int = 0
    tails: dict[str, Tail] = field(default_factory=dict)
    balances: dict[str, int] = field(default_factory=dict)
    open_bets: dict[str, int] = field(default_factory=dict)
    replayers: dict[str, Replayer | None] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def wrong(self, code: str, message: str, stream: str | None = None, seq: int | None = None) -> None:
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(Problem(code, message, stream, seq))

    def take(self, page: list[RawRecord], postings: list[tuple[int, *PostingRow]]) -> None:
        """Check a page of records with their postings."""
        tails, heads = self.tails, self.heads.streams if self.heads else {}
        place, many = 0, len(postings)
        for row in page:
            number, stream, seq, _, fence, *_, stored = row
            start = place
            while place < many and postings[place][0] <= number:
                place += 1
            moved = [posting[1:] for posting in postings[start:place]] if place > start else []
            if moved and postings[start][0] != number:
                moved = self._without_orphans(postings[start:place], number)
            tail = tails.get(stream)
            last_seq, last_hash, last_fence = (tail.seq, tail.hash, tail.fence) if tail else (0, NO_HASH, 0)
            if seq != last_seq + 1:
                self._gap(stream, last_seq, seq)
            elif record_hash(last_hash, row[1:10], moved) != stored:
                self.wrong(
                    "hash-mismatch", f"{stream} {seq} does not have the hash that its contents give", stream, seq
                )
            if fence < last_fence:
                self.wrong("fence-fell", f"{stream} {seq} was written under an older fencing number", stream, seq)
            if stream in heads and heads[stream][0] == seq and heads[stream][1] != stored:
                self.wrong(
                    "head-mismatch", f"{stream} {seq} is not the record whose hash was kept outside", stream, seq
                )
            tails[stream] = Tail(stream, seq, stored, fence)
            if moved:
                self._post(stream, seq, moved)
            if self.replay:
                self._replay(row, moved)
        self.records += len(page)
        self.postings += many
        self.refuse_orphans(postings[place:])

    def refuse_orphans(self, postings: list[tuple[int, *PostingRow]]) -> None:
        """Postings that follow from no record."""
        for number, _, reason, reference, account, _ in postings[:1]:
            message = (
                f"a posting to {account} ({reason} {reference}) belongs to record number {number}, which is missing"
            )
            self.wrong("posting-orphaned", message)
        self.postings += len(postings) if not self.records else 0

    def _without_orphans(self, postings: list[tuple[int, *PostingRow]], number: int) -> list[PostingRow]:
        self.refuse_orphans([posting for posting in postings if posting[0] != number])
        return [posting[1:] for posting in postings if posting[0] == number]

    def _gap(self, stream: str, last: int, seq: int) -> None:
        if seq > last + 1:
            self.wrong("record-missing", f"{stream} {last + 1} is missing: {seq} follows {last}", stream, last + 1)
        else:
            self.wrong("sequence-broken", f"{stream} {seq} follows {last}", stream, seq)

    def _post(self, stream: str, seq: int, postings: list[PostingRow]) -> None:
        """Follow the money of one record: transfers sum to zero, nobody is overdrawn, every bet ends once."""
        balances = self.balances
        sums: dict[int, int] = {}
        for transfer, reason, reference, account, cents in postings:
            balances[account] = balances.get(account, 0) + cents
            sums[transfer] = sums.get(transfer, 0) + cents
            if account.startswith("bets:"):
                self._follow_bet(stream, seq, reason, reference, cents)
        for _, _, _, account, cents in postings:
            if cents < 0 and balances[account] < 0 and not may_be_negative(account):
                message = f"{stream} {seq} overdraws {account} by {money(-balances[account])}"
                self.wrong("account-overdrawn", message, stream, seq)
        if any(sums.values()):
            self.wrong("postings-unbalanced", f"the postings of {stream} {seq} do not sum to zero", stream, seq)

    def _follow_bet(self, stream: str, seq: int, reason: str, reference: str, cents: int) -> None:
        bets = self.open_bets
        if reason == _STAKE and cents > 0:
            bets[reference] = bets.get(reference, 0) + cents
        elif reason not in _FINAL or bets.pop(reference, 0) != -cents:
            message = f"{stream} {seq} ends bet {reference} ({reason}), which was not in play at that amount"
            self.wrong("bet-ended-wrongly", message, stream, seq)

    def _replay(self, row: RawRecord, moved: list[PostingRow]) -> None:
        stream = row[1]
        if stream not in self.replayers and self.replay:
            self.replayers[stream] = self.replay(stream)
        if (replayer := self.replayers[stream]) is not None:
            self.replayed += 1
            if complaint := replayer(Record(*row), moved):
                self.wrong("replay-differs", f"{stream} {row[2]}: {complaint}", stream, row[2])

    def finish(self, tails: list[Tail], balances: dict[str, int], repeated_key: str | None) -> None:
        """Compare what the log comes to with what the database and the heads say."""
        for kept in tails:
            found = self.tails.get(kept.stream, Tail(kept.stream))
            if found.seq < kept.seq:
                message = f"{kept.stream} {found.seq + 1} is missing: the stream should end at {kept.seq}"
                self.wrong("record-missing", message, kept.stream, found.seq + 1)
            elif (found.seq, found.hash) != (kept.seq, kept.hash) or found.fence > kept.fence:
                message = f"{kept.stream} ends at {found.seq}, not as the database believes (at {kept.seq})"
                self.wrong("tail-mismatch", message, kept.stream, found.seq)
        for stream, (seq, _) in self.heads.streams.items() if self.heads else ():
            if (found := self.tails.get(stream, Tail(stream))).seq < seq:
                message = f"{stream} {found.seq + 1} is missing: the head kept outside the database is at {seq}"
                self.wrong("record-missing", message, stream, found.seq + 1)
        for account in sorted(self.balances.keys() | balances.keys()):
            posted, balance = self.balances.get(account, 0), balances.get(account, 0)
            if posted != balance:
                message = f"{account} has a balance of {money(balance)}, but its postings sum to {money(posted)}"
                self.wrong("balance-mismatch", message)
        if total := sum(self.balances.values()):
            self.wrong("ledger-unbalanced", f"all postings sum to {money(total)}, not to zero")
        if repeated_key is not None:
            self.wrong("key-repeated", f"the idempotency key {repeated_key!r} stands in two records")

    def report(self) -> Report:
        def held(kind: str) -> int:
            return sum(cents for account, cents in self.balances.items() if account.startswith(kind))

        tails = tuple(self.tails[stream] for stream in sorted(self.tails))
        return Report(
            self.records,
            self.postings,
            self.replayed,
            tails,
            len(self.open_bets),
            held("house:"),
            held("patron:"),
            tuple(self.problems),
        )
