"""Auditing a store: chain, gaps, ledger, bets, keys, heads, people and settings, in one pass over a snapshot.

The log is read once in the order in which it was written. What goes wrong first is named first; a record that is bad
does not hide others, since the chain is taken up again at the hash that stands in the database.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from punto.ledger.accounts import may_be_negative
from punto.ledger.moves import FINAL, Reason
from punto.rules.money import money
from punto.store.errors import unsigned
from punto.store.heads import Heads
from punto.store.interface import RawRecord, Snapshot
from punto.store.records import NO_HASH, PostingRow, Record, Sign, Tail, read_marks, record_hash, row_mark

PAGE = 20_000
MOST_PROBLEMS = 20
"""Problems told; a log that is bad throughout would fill the screen with the same one."""

RawPosting = tuple[int, *PostingRow]
_NOTHING = (0, NO_HASH, 0)
_LAST = 2**63
_FINAL = frozenset(reason.value for reason in FINAL)
_STAKE = Reason.STAKE.value


class Replayer(Protocol):
    """What knows a stream's kinds of record: it is fed them in order, and says what is wrong with one, if anything."""

    def __call__(self, record: Record, postings: list[RawPosting], /) -> str | None:
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
    record: int | None = None
    """The record's number in the whole store, by which problems are put in order."""


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

    def with_replay(self, replayed: int, problems: Sequence[Problem]) -> Report:
        """The report with what a replay beside the audit found, the first bad record first again."""
        every = sorted([*self.problems, *problems], key=lambda problem: problem.record or _LAST)
        return replace(self, replayed=self.replayed + replayed, problems=tuple(every[:MOST_PROBLEMS]))


async def audit(
    snapshot: Snapshot,
    *,
    heads: Heads | None = None,
    replay: Replay | None = None,
    sign: Sign | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Report:
    """Check everything in a snapshot; `progress` is told records done and records in all.

    Without `sign` the seals are not looked at, and records that somebody added at the end of a stream may pass.
    """
    total, postings = await snapshot.counts()
    auditor = _Auditor(heads, replay, postings)
    page, moved = await _page(snapshot, 0)
    while page:
        # The next page comes while this one is checked.
        (page, moved), _ = await asyncio.gather(
            _page(snapshot, page[-1][0]), asyncio.to_thread(auditor.take, page, moved)
        )
        if progress:
            progress(auditor.records, total)
    auditor.refuse_orphans(moved)
    auditor.finish(await snapshot.tails(), await snapshot.balances(), sign)
    auditor.compare_rows("person", await snapshot.people())
    auditor.compare_rows("table", await snapshot.tables())
    if (key := await snapshot.repeated_key()) is not None:
        auditor.wrong("key-repeated", f"the idempotency key {key!r} stands in two records")
    return auditor.report()


async def replay_stream(snapshot: Snapshot, replay: Replay, stream: str) -> tuple[int, list[Problem]]:
    """Replay one stream and check nothing else: how many records that were, and what is wrong with them.

    Streams can be replayed apart, in processes of their own, beside an audit of the whole.
    """
    auditor, last = _Auditor(None, replay, 0), 0
    while page := await snapshot.stream(stream, last, PAGE):
        moved = await snapshot.stream_postings(stream, last, page[-1][2])
        auditor.replay_page(page, moved)
        last = page[-1][2]
    return auditor.replayed, auditor.problems


async def _page(snapshot: Snapshot, after: int) -> tuple[list[RawRecord], list[RawPosting]]:
    """The next records with their postings; after the last record, the postings that should not be there."""
    page = await snapshot.page(after, PAGE)
    return page, await snapshot.postings(after, page[-1][0] if page else None)


@dataclass(slots=True)
class _Auditor:
    """The fold of an audit. Its loops are written for speed: a log has millions of rows."""

    heads: Heads | None
    replay: Replay | None
    postings: int
    records: int = 0
    replayed: int = 0
    tails: dict[str, tuple[int, str, int]] = field(default_factory=dict)
    balances: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    open_bets: dict[tuple[str, str], int] = field(default_factory=dict)
    replayers: dict[str, Replayer | None] = field(default_factory=dict)
    marks: dict[str, tuple[str, str, int]] = field(default_factory=dict)
    """What each row must be: its mark, and the stream and number of the record that last set it."""
    problems: list[Problem] = field(default_factory=list)
    at: int | None = None
    """The number of the record that is looked at."""

    def wrong(self, code: str, message: str, stream: str | None = None, seq: int | None = None) -> None:
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(Problem(code, message, stream, seq, self.at))

    def take(self, page: list[RawRecord], postings: list[RawPosting]) -> None:
        """Check a page of records with their postings."""
        heads = self.heads.streams if self.heads else {}
        place, many = 0, len(postings)
        for row in page:
            number, stream, seq, _, fence, _, _, _, _, _, marks, stored = row
            self.at = number
            start = before = place
            while start < many and postings[start][0] < number:
                start += 1
            place = start
            while place < many and postings[place][0] == number:
                place += 1
            text = self._post(stream, seq, postings[start:place]) if place > start else ""
            last_seq, last_hash, last_fence = self.tails.get(stream, _NOTHING)
            if seq != last_seq + 1:
                self._gap(stream, last_seq, seq)
            elif record_hash(last_hash, row[1:11], text) != stored:
                self.wrong(
                    "hash-mismatch", f"{stream} {seq} does not have the hash that its contents give", stream, seq
                )
            if fence < last_fence:
                self.wrong("fence-fell", f"{stream} {seq} was written under an older fencing number", stream, seq)
            if stream in heads and heads[stream][0] == seq and heads[stream][1] != stored:
                self.wrong(
                    "head-mismatch", f"{stream} {seq} is not the record whose hash was kept outside", stream, seq
                )
            if start > before:
                self.refuse_orphans(postings[before:start])
            self.tails[stream] = (seq, stored, fence)
            if marks:
                self.marks.update((name, (mark, stream, seq)) for name, mark in read_marks(marks))
            if self.replay and (replayer := self._replayer(stream)):
                self._replayed(row, replayer(Record._make(row), postings[start:place]))
        self.records += len(page)
        self.refuse_orphans(postings[place:])

    def refuse_orphans(self, postings: list[RawPosting]) -> None:
        """Postings that follow from no record."""
        for number, _, reason, reference, account, _ in postings[:1]:
            message = (
                f"a posting to {account} ({reason} {reference}) belongs to record number {number}, which is missing"
            )
            self.wrong("posting-orphaned", message)

    def _gap(self, stream: str, last: int, seq: int) -> None:
        if seq > last + 1:
            self.wrong("record-missing", f"{stream} {last + 1} is missing: {seq} follows {last}", stream, last + 1)
        else:
            self.wrong("sequence-broken", f"{stream} {seq} follows {last}", stream, seq)

    def _post(self, stream: str, seq: int, postings: list[RawPosting]) -> str:
        """Follow the money of one record, and give its postings as the hash sees them.

        Transfers must sum to zero, nobody may be overdrawn, and every bet ends once, at what was staked on it.
        """
        balances, text = self.balances, ""
        sums: defaultdict[int, int] = defaultdict(int)
        overdrawn: list[str] = []
        for _, transfer, reason, reference, account, cents in postings:
            text += f"\n{transfer} {reason} {reference} {account} {cents}"
            held = balances[account] = balances[account] + cents
            sums[transfer] += cents
            if held < 0 and cents < 0 and not may_be_negative(account):
                overdrawn.append(account)
            if account.startswith("bets:"):
                self._follow_bet(stream, seq, reason, (account, reference), cents)
        if any(sums.values()):
            self.wrong("postings-unbalanced", f"the postings of {stream} {seq} do not sum to zero", stream, seq)
        for account in overdrawn:
            # Looked at again: a later transfer of the same record may have made up for it.
            if (held := balances[account]) < 0:
                message = f"{stream} {seq} overdraws {account} by {money(-held)}"
                self.wrong("account-overdrawn", message, stream, seq)
        return text

    def _follow_bet(self, stream: str, seq: int, reason: str, bet: tuple[str, str], cents: int) -> None:
        bets = self.open_bets
        if reason == _STAKE and cents > 0:
            bets[bet] = bets.get(bet, 0) + cents
        elif reason not in _FINAL or bets.pop(bet, 0) != -cents:
            message = f"{stream} {seq} ends bet {bet[1]} ({reason}), which was not in play at that amount"
            self.wrong("bet-ended-wrongly", message, stream, seq)

    def replay_page(self, page: list[RawRecord], postings: list[RawPosting]) -> None:
        """Replay a page of one stream and check nothing else."""
        if (replayer := self._replayer(page[0][1])) is None:
            return
        place, many = 0, len(postings)
        for row in page:
            number, start = row[0], place
            while place < many and postings[place][0] == number:
                place += 1
            self.at = number
            self._replayed(row, replayer(Record._make(row), postings[start:place]))

    def _replayer(self, stream: str) -> Replayer | None:
        if stream not in self.replayers:
            self.replayers[stream] = self.replay(stream) if self.replay else None
        return self.replayers[stream]

    def _replayed(self, row: RawRecord, complaint: str | None) -> None:
        self.replayed += 1
        if complaint:
            self.wrong("replay-differs", f"{row[1]} {row[2]}: {complaint}", row[1], row[2])

    def finish(self, tails: list[Tail], balances: dict[str, int], sign: Sign | None) -> None:
        """Compare what the log comes to with what the database and the heads say."""
        self.at = None
        for kept in tails:
            found = self._tail(kept.stream)
            if found.seq < kept.seq:
                message = f"{kept.stream} {found.seq + 1} is missing: the stream should end at {kept.seq}"
                self.wrong("record-missing", message, kept.stream, found.seq + 1)
            elif (found.seq, found.hash) != (kept.seq, kept.hash) or found.fence > kept.fence:
                message = f"{kept.stream} ends at {found.seq}, not as the database believes (at {kept.seq})"
                self.wrong("tail-mismatch", message, kept.stream, found.seq)
            elif sign and kept.seq and kept.seal != sign(kept):
                self.wrong("seal-wrong", unsigned(kept), kept.stream, kept.seq)
        for stream in sorted(self.tails.keys() - {kept.stream for kept in tails}):
            message = f"{stream} has records, and the database knows of no such stream"
            self.wrong("tail-mismatch", message, stream, self._tail(stream).seq)
        for stream, (seq, _) in self.heads.streams.items() if self.heads else ():
            if (found := self._tail(stream)).seq < seq:
                message = f"{stream} {found.seq + 1} is missing: the head kept outside the database is at {seq}"
                self.wrong("record-missing", message, stream, found.seq + 1)
        for account in sorted(self.balances.keys() | balances.keys()):
            posted, balance = self.balances.get(account, 0), balances.get(account, 0)
            if posted != balance:
                message = f"{account} has a balance of {money(balance)}, but its postings sum to {money(posted)}"
                self.wrong("balance-mismatch", message)
        if total := sum(self.balances.values()):
            self.wrong("ledger-unbalanced", f"all postings sum to {money(total)}, not to zero")

    def compare_rows(self, kind: str, rows: Iterable[tuple[Any, ...]]) -> None:
        """Compare the people or the tables there are with what the log last made of each; the first is told first."""
        found = {f"{kind}:{row[0]}": row for row in rows}
        expected = {name for name in self.marks if name.startswith(f"{kind}:")}
        for name in sorted(expected | found.keys()):
            says = f"{kind} {name.removeprefix(f'{kind}:')!r}"
            if name not in expected:
                self.wrong("row-added", f"no record tells of the {says}, but there is one")
                continue
            mark, stream, seq = self.marks[name]
            if name not in found:
                self.wrong("row-missing", f"the {says}, which {stream} {seq} tells of, is missing")
            elif row_mark(found[name]) != mark:
                self.wrong("row-changed", f"the {says} is not as {stream} {seq} left it")

    def _tail(self, stream: str) -> Tail:
        return Tail(stream, *self.tails.get(stream, _NOTHING))

    def report(self) -> Report:
        def held(kind: str) -> int:
            return sum(cents for account, cents in self.balances.items() if account.startswith(kind))

        tails = tuple(self._tail(stream) for stream in sorted(self.tails))
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
