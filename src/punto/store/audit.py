"""Auditing a store: chain, gaps, ledger, bets, keys, heads, people and settings, in one pass over a snapshot.

The log is read once, in the order in which it was written. The first bad record comes first. A bad record does not hide
others, because the check continues from the hash in the database.
"""

from __future__ import annotations

import asyncio
import gc
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from punto.ledger.accounts import may_be_negative, may_be_positive
from punto.ledger.balances import PostingRow
from punto.ledger.moves import FINAL, Reason
from punto.rules.money import money
from punto.store.errors import RefusedStoreError, unsigned_message
from punto.store.fold import Checkpoint, LogFold, by_record
from punto.store.heads import Heads
from punto.store.records import (
    NO_HASH,
    RawRecord,
    Record,
    Sign,
    Tail,
    read_fingerprints,
    record_hash,
    record_mac,
    row_fingerprint,
    row_name,
)
from punto.store.sql import StoreSnapshot

AUDIT_PAGE = 20_000
"""Records that an audit reads at once."""
MAX_PROBLEMS = 20
"""The maximum number of problems reported."""

_NOTHING = (0, NO_HASH, 0)
_LAST = 2**63
_FIRST = -(2**62)
"""Below any number that a record can have; the store counts from 1, somebody else need not."""
_FINAL = frozenset(reason.value for reason in FINAL)
_STAKE = Reason.STAKE.value
_BETS, _TICKET = "bets:", "ticket:"


def _unbalanced(postings: list[PostingRow]) -> bool:
    """True if a transfer does not sum to zero. Its postings need not stand together where somebody has edited them."""
    sums: defaultdict[int, int] = defaultdict(int)
    for _, _, transfer, _, _, _, cents, _ in postings:
        sums[transfer] += cents
    return any(sums.values())


class Replayer(Protocol):
    """Replays a stream: it takes the records in order and says what is wrong with one, if anything."""

    def __call__(self, record: Record, /) -> str | None:
        """Apply this record. Returns a sentence if it could not follow, or if its postings should be different."""
        ...


Replay = Callable[[str], Replayer | None]
"""Makes the replayer of a stream, or None for a stream with nothing to replay."""


@dataclass(frozen=True, slots=True)
class AuditProblem:
    """A problem: a stable code, a sentence and the bad record, if there is one."""

    code: str
    message: str
    stream: str | None = None
    seq: int | None = None
    record: int | None = None
    """The record's number in the whole store, by which problems are sorted."""


@dataclass(frozen=True, slots=True)
class AuditReport:
    """The result of an audit. The log is good if there are no problems; the first is the first bad record."""

    records: int
    postings: int
    replayed: int
    tails: tuple[Tail, ...]
    bets_open: int
    house_cents: int
    patron_cents: int
    problems: tuple[AuditProblem, ...]
    fold: LogFold = field(repr=False, compare=False)
    """The fold of the log; to be trusted only if there are no problems."""

    @property
    def first(self) -> AuditProblem | None:
        """The first problem."""
        return self.problems[0] if self.problems else None

    def with_replay(self, replayed: int, problems: Sequence[AuditProblem]) -> AuditReport:
        """The report with the problems of a separate replay added, sorted again."""
        every = sorted([*self.problems, *problems], key=lambda problem: problem.record or _LAST)
        return replace(self, replayed=self.replayed + replayed, problems=tuple(every[:MAX_PROBLEMS]))


async def audit(
    snapshot: StoreSnapshot,
    *,
    heads: Heads | None = None,
    anchors: Sequence[Heads] = (),
    replay: Replay | None = None,
    sign: Sign | None = None,
    progress: Callable[[int, int], object] | None = None,
    keys: bool = False,
) -> AuditReport:
    """Check everything in a snapshot. `progress` gets the number of records done and in total.

    `anchors` are heads of earlier times, each to be found in the log.
    Without `sign`, signatures are not checked, and records that somebody added at the end of a stream may pass.
    With `keys` the fold has every idempotency key, as a store that serves needs it.
    """
    total, postings = await snapshot.counts()
    record_key = sign.record_key if sign and total else None
    auditor = Auditor([*anchors, heads] if heads else anchors, replay, postings, record_key=record_key, keys=keys)
    damage = asyncio.create_task(snapshot.damage())  # beside the rest: it reads every page by itself
    try:
        tails = await snapshot.tails()
        await read_log(snapshot, auditor, total, progress)
        await _compare(snapshot, auditor, tails, sign)
        if (key := await snapshot.repeated_key()) is not None:
            auditor.wrong("key-repeated", f"two records have the idempotency key {key!r}")
        if (damaged := await damage) is not None:
            auditor.wrong("database-damaged", f"the database is damaged: {damaged}")
    except (TypeError, ValueError) as error:  # SQLite lets any type into any column
        message = f"a row near record number {auditor.at or 1} holds what cannot be there: {error}"
        raise RefusedStoreError("database-unreadable", message) from None
    finally:
        damage.cancel()
    return auditor.report()


async def audit_since(
    snapshot: StoreSnapshot, checkpoint: Checkpoint, heads: Heads, sign: Sign | None
) -> AuditReport | str:
    """Check what a log has beyond a checkpoint, or say why the checkpoint is not one of this log.

    Records before it are not read, so an edit of one is found by a whole audit alone. Rows of accounts, people and
    tables, the schema and all signatures are checked as ever. The report counts the records that were read.
    """
    ends = {stream: (seq, hash_) for stream, (seq, hash_, _) in checkpoint.fold.tails.items()}
    for stream, (seq, hash_) in [*ends.items(), *checkpoint.places.items(), *heads.streams.items()]:
        found = await snapshot.stream(stream, seq - 1, 1) if seq else []
        if seq and (not found or (found[0][2], found[0][11]) != (seq, hash_)):
            return f"the log does not have {stream} {seq} as it was"
    known = {stream: seq for stream, (seq, _) in ends.items()}
    record_key = sign.record_key if sign else None
    auditor = Auditor((), None, 0, LogFold.restore(checkpoint.fold), known, record_key, keys=True, bets=False)
    tails = await snapshot.tails()
    ahead = [tail.stream for tail in tails if tail.seq > known.get(tail.stream, 0)]
    first = [row[0] for stream in ahead for row in await snapshot.stream(stream, known.get(stream, 0), 1)]
    await read_log(snapshot, auditor, 0, None, min(first, default=None))
    await _compare(snapshot, auditor, tails, sign)
    return auditor.report()


async def _compare(snapshot: StoreSnapshot, auditor: Auditor, tails: list[Tail], sign: Sign | None) -> None:
    """Compare what the log comes to with everything else in a snapshot."""
    auditor.finish(tails, await snapshot.balances(), sign)
    auditor.compare_rows("person", await snapshot.people())
    auditor.compare_rows("table", await snapshot.tables())
    for change in await snapshot.schema_changes():
        auditor.wrong("schema-changed", f"in the schema of the database {change}")


async def read_log(
    snapshot: StoreSnapshot,
    auditor: Auditor,
    total: int,
    progress: Callable[[int, int], object] | None,
    first: int | None = _FIRST,
) -> None:
    """Check the log from its record number `first` on, but for what the auditor's fold has already."""
    if first is None:
        return
    collecting = gc.isenabled()
    gc.disable()  # rows have no cycles, and looking for some in each takes a tenth of the time
    try:
        page, moved = await _page(snapshot, first - 1)
        while page:
            # The next page is read while this one is checked, and to its end: its connection must be free afterwards.
            following = asyncio.ensure_future(_page(snapshot, page[-1][0]))
            try:
                await asyncio.to_thread(auditor.take, page, moved)
            finally:
                await asyncio.wait([following])
            page, moved = following.result()
            if progress:
                progress(auditor.records, total)
    finally:
        if collecting:
            gc.enable()
    auditor.refuse_orphans(moved)


async def replay_stream(snapshot: StoreSnapshot, replay: Replay, stream: str) -> tuple[int, list[AuditProblem]]:
    """Replay one stream and check nothing else. Returns the number of records, and what is wrong with them.

    Each stream can be replayed in its own process, next to an audit of the whole.
    """
    auditor, last = Auditor((), replay, 0), 0
    while page := await snapshot.stream(stream, last, AUDIT_PAGE):
        moved = await snapshot.stream_postings(stream, last, page[-1][2])
        auditor.replay_page(page, moved)
        last = page[-1][2]
    return auditor.replayed, auditor.problems


async def _page(snapshot: StoreSnapshot, after: int) -> tuple[list[RawRecord], list[PostingRow]]:
    """The next records with their postings; after the last, the postings that should not be there."""
    page = await snapshot.page(after, AUDIT_PAGE)
    return page, await snapshot.postings(after, page[-1][0] if page else None)


@dataclass(slots=True)
class Auditor:
    """The state of an audit. Its loops are written for speed, as a log has millions of rows."""

    heads: Sequence[Heads]
    replay: Replay | None
    postings: int
    fold: LogFold = field(default_factory=LogFold)
    known: Mapping[str, int] = field(default_factory=dict)
    """Where streams ended at the checkpoint that the fold began with."""
    record_key: bytes | None = None
    """The secret of the codes of records, with which they are checked."""
    keys: bool = False
    bets: bool = True
    """True if every bet is followed to its end, for which the log is read from its first record."""
    records: int = 0
    replayed: int = 0
    open_bets: dict[tuple[str, str], int] = field(default_factory=dict)
    replayers: dict[str, Replayer | None] = field(default_factory=dict)
    kept: dict[str, dict[int, set[str]]] = field(default_factory=dict)
    """The hashes that heads have of records, by stream and number."""
    problems: list[AuditProblem] = field(default_factory=list)
    astray: set[str] = field(default_factory=set)
    """Accounts of which a posting says another balance."""
    at: int | None = None
    """The number of the current record."""

    def __post_init__(self) -> None:
        for heads in self.heads:
            for stream, (seq, hash_) in heads.streams.items():
                self.kept.setdefault(stream, {}).setdefault(seq, set()).add(hash_)

    def wrong(self, code: str, message: str, stream: str | None = None, seq: int | None = None) -> None:
        """Note a problem of the current record."""
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(AuditProblem(code, message, stream, seq, self.at))

    def take(self, page: list[RawRecord], postings: list[PostingRow]) -> None:
        """Check a page of records with their postings."""
        kept = self.kept
        tails = self.fold.tails
        if self.known:
            page, postings = self._unknown(page, postings)
        if self.keys:
            self.fold.keys.update([row[7] for row in page if row[7]])
        place, many, record_key = 0, len(postings), self.record_key
        following = postings[0][0] if postings else _LAST
        for row in page:
            number, stream, seq, _, fence, _, _, _, _, _, fingerprints, stored, mac = row
            self.at = number
            before = start = place
            lines: list[PostingRow] = []
            if following <= number:
                while start < many and postings[start][0] < number:
                    start += 1
                place = start
                while place < many and postings[place][0] == number:
                    place += 1
                lines = postings[start:place]
                following = postings[place][0] if place < many else _LAST
            last_seq, last_hash, last_fence = tails.get(stream, _NOTHING)
            if seq != last_seq + 1:
                self._gap(stream, last_seq, seq)
            elif record_hash(last_hash, row[:11], lines) != stored:
                message = f"{stream} {seq} does not have the hash that its contents give"
                self.wrong("hash-mismatch", message, stream, seq)
            if lines:
                self._post(stream, seq, lines)
            if record_key and record_mac(record_key, stored) != mac:
                self.wrong("signature-wrong", f"{stream} {seq} does not have the code of this house", stream, seq)
            if fence < last_fence:
                self.wrong("fence-fell", f"{stream} {seq} was written under an older fencing number", stream, seq)
            if stream in kept and seq in kept[stream] and kept[stream][seq] != {stored}:
                self.wrong(
                    "head-mismatch", f"{stream} {seq} is not the record whose hash was kept outside", stream, seq
                )
            if start > before:
                self.refuse_orphans(postings[before:start])
            tails[stream] = (seq, stored, fence)
            if fingerprints:
                for name, fingerprint in read_fingerprints(fingerprints):
                    self.fold.fingerprints[name] = (fingerprint, stream, seq)
            if self.replay and (replayer := self._replayer(stream)):
                self._replayed(row, replayer(Record(*row, postings=lines)))
        self.records += len(page)
        self.refuse_orphans(postings[place:])

    def _unknown(self, page: list[RawRecord], postings: list[PostingRow]) -> tuple[list[RawRecord], list[PostingRow]]:
        """The records of a page that the checkpoint does not have, and all postings but those of the others."""
        known = {row[0] for row in page if row[2] <= self.known.get(row[1], 0)}
        if not known:
            return page, postings
        return [row for row in page if row[0] not in known], [row for row in postings if row[0] not in known]

    def refuse_orphans(self, postings: list[PostingRow]) -> None:
        """Report postings that belong to no record."""
        for number, _, _, reason, reference, account, _, _ in postings[:1]:
            message = (
                f"a posting to {account} ({reason} {reference}) belongs to record number {number}, which is missing"
            )
            self.wrong("posting-orphaned", message)

    def _gap(self, stream: str, last: int, seq: int) -> None:
        if seq > last + 1:
            self.wrong("record-missing", f"{stream} {last + 1} is missing: {seq} follows {last}", stream, last + 1)
        else:
            self.wrong("sequence-broken", f"{stream} {seq} follows {last}", stream, seq)

    def _post(self, stream: str, seq: int, lines: list[PostingRow]) -> None:
        """Check the postings of one record.

        Transfers must sum to zero, no account may be overdrawn, each posting says the balance that it leaves, and every
        bet ends once, at its stake.
        """
        balances, bets = self.fold.balances, self.open_bets
        current, total, uneven = 0, 0, False
        overdrawn: list[str] = []
        for place, (_, line, transfer, reason, reference, account, cents, after) in enumerate(lines, 1):
            held = balances[account] = balances.get(account, 0) + cents
            if (held != after or line != place) and account not in self.astray:
                self.astray.add(account)  # told once: whatever follows is wrong by the same amount
                message = f"line {line} of {stream} {seq} leaves {account} at {money(after)}, and not at {money(held)}"
                self.wrong("posting-wrong", message, stream, seq)
            if transfer != current:
                uneven = uneven or total != 0
                current, total = transfer, 0
            total += cents
            if cents < 0:
                if held < 0 and not may_be_negative(account):
                    overdrawn.append(account)
            elif held > 0 and not may_be_positive(account):
                overdrawn.append(account)
            if account[:5] == _BETS and self.bets:
                bet = (account, reference)
                if reason == _STAKE and cents > 0:
                    bets[bet] = bets.get(bet, 0) + cents
                elif reason not in _FINAL or bets.pop(bet, 0) != -cents:
                    message = f"{stream} {seq} ends bet {reference} ({reason}), which was not in play at that amount"
                    self.wrong("bet-ended-wrongly", message, stream, seq)
            elif account[:7] == _TICKET and cents < 0 < held:
                self.wrong("ticket-used-in-part", f"{stream} {seq} leaves {account} at {money(held)}", stream, seq)
        if (uneven or total) and _unbalanced(lines):
            self.wrong("postings-unbalanced", f"the postings of {stream} {seq} do not sum to zero", stream, seq)
        for account in overdrawn:
            # Check again: a later transfer of the same record may have restored the balance.
            held = balances[account]
            if held < 0 if may_be_positive(account) else held > 0:
                message = f"{stream} {seq} overdraws {account} by {money(abs(held))}"
                self.wrong("account-overdrawn", message, stream, seq)

    def replay_page(self, page: list[RawRecord], postings: list[PostingRow]) -> None:
        """Replay a page of one stream and check nothing else."""
        if (replayer := self._replayer(page[0][1])) is None:
            return
        moved = by_record(postings)
        for row in page:
            self.at = row[0]
            self._replayed(row, replayer(Record(*row, postings=moved.get(row[0], []))))

    def _replayer(self, stream: str) -> Replayer | None:
        if stream not in self.replayers:
            self.replayers[stream] = self.replay(stream) if self.replay else None
        return self.replayers[stream]

    def _replayed(self, row: RawRecord, complaint: str | None) -> None:
        self.replayed += 1
        if complaint:
            self.wrong("replay-differs", f"{row[1]} {row[2]}: {complaint}", row[1], row[2])

    def finish(self, tails: list[Tail], balances: dict[str, int], sign: Sign | None) -> None:
        """Compare the results of the log with the database and the heads."""
        self.at = None
        for known in tails:
            found = self._tail(known.stream)
            if found.seq < known.seq:
                message = f"{known.stream} {found.seq + 1} is missing: the stream should end at {known.seq}"
                self.wrong("record-missing", message, known.stream, found.seq + 1)
            elif (found.seq, found.hash) != (known.seq, known.hash) or found.fence > known.fence:
                message = f"{known.stream} ends at {found.seq}, not as the database believes (at {known.seq})"
                self.wrong("tail-mismatch", message, known.stream, found.seq)
            elif sign and known.signature != (sign.tail(known) if known.seq else None):
                self.wrong("signature-wrong", unsigned_message(known), known.stream, known.seq)
            self.fold.signatures[known.stream] = known.signature
        for stream in sorted(self.fold.tails.keys() - {known.stream for known in tails}):
            message = f"{stream} has records, and the database lists no such stream"
            self.wrong("tail-mismatch", message, stream, self._tail(stream).seq)
        for stream, seq in [(stream, max(places)) for stream, places in self.kept.items()]:
            if (found := self._tail(stream)).seq < seq:
                message = f"{stream} {found.seq + 1} is missing: the head kept outside the database is at {seq}"
                self.wrong("record-missing", message, stream, found.seq + 1)
        posted_to = self.fold.balances
        for account in sorted(posted_to.keys() | balances.keys()):
            posted, balance = posted_to.get(account, 0), balances.get(account, 0)
            if posted != balance:
                message = f"{account} has a balance of {money(balance)}, but its postings sum to {money(posted)}"
                self.wrong("balance-mismatch", message)
            elif account not in posted_to or account not in balances:
                message = f"{account} has {'a balance, but no postings' if account in balances else 'no balance'}"
                self.wrong("balance-mismatch", message)

    def compare_rows(self, kind: str, rows: Iterable[tuple[Any, ...]]) -> None:
        """Compare the rows of people or tables with what the log last set, in the order of the log."""
        found, prefix = {row_name(kind, row[0]): row for row in rows}, row_name(kind, "")
        expected = {name for name in self.fold.fingerprints if name.startswith(prefix)}
        for name in sorted(expected | found.keys()):
            says = f"{kind} {name.removeprefix(prefix)!r}"
            if name not in expected:
                self.wrong("row-added", f"no record mentions the {says}, but there is one")
                continue
            fingerprint, stream, seq = self.fold.fingerprints[name]
            if name not in found:
                self.wrong("row-missing", f"the {says}, which {stream} {seq} set, is missing")
            elif row_fingerprint(found[name]) != fingerprint:
                self.wrong("row-changed", f"the {says} is not as {stream} {seq} left it")

    def _tail(self, stream: str) -> Tail:
        return Tail(stream, *self.fold.tails.get(stream, _NOTHING))

    def report(self) -> AuditReport:
        """The result."""

        def held(kind: str) -> int:
            return sum(cents for account, cents in self.fold.balances.items() if account.startswith(kind))

        tails = tuple(self._tail(stream) for stream in sorted(self.fold.tails))
        return AuditReport(
            self.records,
            self.postings,
            self.replayed,
            tails,
            len(self.open_bets),
            held("house:"),
            held("patron:"),
            tuple(self.problems),
            self.fold,
        )
