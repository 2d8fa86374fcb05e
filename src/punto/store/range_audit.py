"""An audit of a long log in ranges, each in a process of its own.

A hash needs what the log came to before its record: ends of streams, balances and bets in play. For the start of a
range these are read from the database, unproved. The range before it then proves them: it must end with exactly the
same. Where it does not, or where anything at all is wrong, the log is audited again in one piece. So a report of
problems is always that of `audit`, and ranges only make good logs quicker to read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context

from punto.store.audit import BEFORE_ALL, BETS, Auditor, AuditReport, audit, conclude, read_log
from punto.store.errors import StoreError
from punto.store.heads import Heads
from punto.store.interface import StoreSnapshot
from punto.store.opening import open_snapshot
from punto.store.records import Sign, Tail

WORTH_A_RANGE = 150_000
"""Records for which a process of its own pays."""
_TENTHS_LEFT = 9
"""Tenths of the time for a record that are left once its postings were added up, to find where a range starts."""
_LOOK_BACK = (2_000, 20_000, 200_000)
"""Records before a range in which the bets are looked for that are in play at its start."""


@dataclass(frozen=True, slots=True)
class LogState:
    """The state of the log after the record with this number, as far as later records are checked by it."""

    number: int = BEFORE_ALL
    tails: dict[str, tuple[int, str, int]] = field(default_factory=dict)
    balances: dict[str, int] = field(default_factory=dict)
    open_bets: dict[tuple[str, str], int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Range:
    """A range of the log to check: what it starts from, and its last record."""

    address: str
    start: LogState
    last: int
    heads: tuple[Heads, ...]
    record_key: bytes | None


@dataclass(frozen=True, slots=True)
class _Checked:
    """A range in which nothing is wrong: how many records it has, what it ends with, and the rows that it has set."""

    records: int
    end: LogState
    fingerprints: dict[str, tuple[str, str, int]]


class _DoubtError(Exception):
    """Something is wrong in a range, or two ranges do not meet."""


_DOUBTS = (_DoubtError, StoreError, BrokenProcessPool, OSError, TypeError, ValueError, AttributeError)


async def audit_in_ranges(
    snapshot: StoreSnapshot,
    address: str,
    processes: int,
    *,
    heads: Heads | None = None,
    anchors: Sequence[Heads] = (),
    sign: Sign | None = None,
    progress: Callable[[int, int], object] | None = None,
    worth: int = WORTH_A_RANGE,
) -> AuditReport:
    """Like `audit`, without a replay, in as many processes as given and worth their start.

    `address` is the snapshot's database. The processes are spawned, so the main module of the program must be safe to
    import.
    """
    total, postings = await snapshot.counts()
    ranges = min(processes, total // worth)
    if ranges > 1:
        outside = tuple([*anchors, heads] if heads else anchors)
        auditor = Auditor(outside, None, postings, record_key=sign.record_key if sign else None)
        reading = _read_ranges(snapshot, auditor, address, ranges, progress)
        # On any doubt the audit in one piece says what is wrong.
        with suppress(*_DOUBTS):
            report = await conclude(snapshot, auditor, reading, sign)
            if not report.problems:
                return report
    return await audit(snapshot, heads=heads, anchors=anchors, sign=sign, progress=progress)


async def _read_ranges(
    snapshot: StoreSnapshot,
    auditor: Auditor,
    address: str,
    ranges: int,
    progress: Callable[[int, int], object] | None,
) -> None:
    """Check the last range here and the others in processes of their own; nothing in those changes any more."""
    total, _ = await snapshot.counts()
    heads, state = tuple(auditor.heads), LogState()
    loop, pool = asyncio.get_running_loop(), ProcessPoolExecutor(ranges - 1, get_context("spawn"))
    checked: list[asyncio.Future[_Checked | None]] = []
    states: list[LogState] = []
    try:
        for last in await _last_records(snapshot, total, ranges):
            part = _Range(address, state, last, heads, auditor.record_key)
            checked.append(loop.run_in_executor(pool, _check_range, part))
            state = await _state_after(snapshot, state, last)
            states.append(state)
        auditor.start(state.tails, state.balances, state.open_bets)
        shown = _share(progress, ranges) if progress else None
        await read_log(snapshot, auditor, total, shown, state.number + 1)
        _refuse_doubts(auditor)
        for part_checked, expected in zip(await asyncio.gather(*checked), states, strict=True):
            if part_checked is None or part_checked.end != expected:
                raise _DoubtError
            auditor.records += part_checked.records
            # A row may have been set in several ranges; the last one counts.
            auditor.fold.fingerprints = part_checked.fingerprints | auditor.fold.fingerprints
    finally:
        for each in checked:
            each.cancel()
        pool.shutdown(wait=False, cancel_futures=True)


def _share(progress: Callable[[int, int], object], ranges: int) -> Callable[[int, int], object]:
    """The progress of all ranges by that of one: they have about as many records."""
    return lambda done, total: progress(min(done * ranges, total), total)


def _refuse_doubts(auditor: Auditor) -> None:
    if auditor.problems:
        raise _DoubtError


async def _last_records(snapshot: StoreSnapshot, total: int, ranges: int) -> list[int]:
    """The number of the last record of each range but the last one; numbers have few gaps, if any.

    The last range is shorter, because its process looks up first what all the ranges start from.
    """
    ((first, *_),) = await snapshot.page(BEFORE_ALL, 1)
    each = total * 10 // (10 + _TENTHS_LEFT * (ranges - 1))
    found = [await snapshot.page(first + each * place, 1) for place in range(1, ranges)]
    return sorted({page[0][0] for page in found if page})


async def _state_after(snapshot: StoreSnapshot, before: LogState, last: int) -> LogState:
    """The state of the log after a record, as the database has it."""
    balances = dict(before.balances)
    for account, cents in (await snapshot.posted(before.number, last)).items():
        balances[account] = balances.get(account, 0) + cents
    tails = {tail.stream: await _end_before(snapshot, tail, last) for tail in await snapshot.tails()}
    return LogState(
        last,
        {stream: end for stream, end in tails.items() if end is not None},
        balances,
        await _open_bets(snapshot, balances, last),
    )


async def _end_before(snapshot: StoreSnapshot, tail: Tail, last: int) -> tuple[int, str, int] | None:
    """The last record of a stream up to a number of the whole store, found by halving."""
    low, high, found = 0, tail.seq, None
    while low < high:
        middle = (low + high + 1) // 2
        page = await snapshot.stream(tail.stream, middle - 1, 1)
        if page and page[0][0] <= last:
            low, found = middle, (page[0][2], page[0][11], page[0][4])
        else:
            high = middle - 1
    return found


async def _open_bets(snapshot: StoreSnapshot, balances: dict[str, int], last: int) -> dict[tuple[str, str], int]:
    """The bets in play after a record: those before it that add up to what the accounts of bets hold."""
    wanted = {account: cents for account, cents in balances.items() if account.startswith(BETS) and cents}
    for records in _LOOK_BACK:
        bets: dict[tuple[str, str], int] = {}
        for _, _, _, _, reference, account, cents, _ in await snapshot.postings(last - records, last) if wanted else ():
            if account.startswith(BETS):
                bets[account, reference] = bets.get((account, reference), 0) + cents
        bets = {bet: cents for bet, cents in bets.items() if cents > 0}  # below zero: staked before, ended since
        sums: dict[str, int] = {}
        for (account, _), cents in bets.items():
            sums[account] = sums.get(account, 0) + cents
        if sums == wanted:
            return bets
    raise _DoubtError


def _check_range(part: _Range) -> _Checked | None:
    """Check a range, in its process; None in any doubt."""
    with suppress(*_DOUBTS):
        return asyncio.run(_check(part))
    return None


async def _check(part: _Range) -> _Checked:
    auditor, start = Auditor(part.heads, None, 0, record_key=part.record_key), part.start
    auditor.start(start.tails, start.balances, start.open_bets)
    async with open_snapshot(part.address) as (snapshot, _):
        await read_log(snapshot, auditor, 0, None, start.number + 1, part.last)
    _refuse_doubts(auditor)
    fold = auditor.fold
    return _Checked(
        auditor.records, LogState(part.last, fold.tails, fold.balances, auditor.open_bets), fold.fingerprints
    )
