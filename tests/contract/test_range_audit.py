"""An audit in ranges says what the audit in one piece says."""

from __future__ import annotations

from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any

import pytest

from punto.store import range_audit
from punto.store.audit import AuditReport, audit
from punto.store.heads import read_heads
from punto.store.interface import StoreSnapshot
from punto.store.opening import open_snapshot
from punto.store.range_audit import audit_in_ranges
from punto.store.records import Batch, StoredPerson
from tests.contract.places import Place, bet, bought, unit
from tests.contract.test_faults import EDITS, ROLL_BACK

RANGES = (2, 3, 4)
EVERY_EDIT = {
    **{what: statements for what, (statements, _, _) in EDITS.items()},
    "rolled back": ROLL_BACK,
    "a row of a person": ["UPDATE people SET role = 'admin'"],
    "bets that end otherwise": ["UPDATE postings SET reference = 'x' WHERE record = 4"],
}


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads in place of processes, which take long to start."""
    monkeypatch.setattr(range_audit, "ProcessPoolExecutor", lambda count, _: ThreadPoolExecutor(count))


async def filled(place: Place) -> None:
    """Bets in play over every seam, and a person who is set in two ranges."""
    store = await place.open()
    await store.append(bought("ann", 10_000))
    for number in range(1, 6):
        await store.append(bet(number, after=number - 1))
        if number % 2:
            people = (StoredPerson("ann", f"Ann {number}", "patron", None),)
            await store.append(Batch("desk", None, 1, (unit(),), people=people))
    await store.close()


@asynccontextmanager
async def audited(place: Place) -> AsyncIterator[tuple[StoreSnapshot, dict[str, Any], AuditReport | str]]:
    """A snapshot, how to audit it, and what the audit in one piece says: a report, or why there is none."""
    options: dict[str, Any] = {"heads": read_heads(place.head())}
    async with open_snapshot(place.address) as (snapshot, _):
        yield snapshot, options, await _outcome(audit(snapshot, **options))


async def _outcome(auditing: Any) -> AuditReport | str:
    try:
        report = await auditing
    except Exception as error:
        return repr(error)
    else:
        assert isinstance(report, AuditReport)
        return report


async def test_ranges_of_a_good_log_give_the_same(
    durable: Place, threads: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    await filled(durable)
    async with audited(durable) as (snapshot, options, whole):
        monkeypatch.setattr(range_audit, "audit", None)  # it is not needed
        for ranges in RANGES:
            totals: list[int] = []
            options["progress"] = lambda _, total, totals=totals: totals.append(total)
            report = await audit_in_ranges(snapshot, durable.address, ranges, worth=1, **options)
            assert report == whole
            assert isinstance(whole, AuditReport)
            assert (report.fold.tails, report.fold.balances) == (whole.fold.tails, whole.fold.balances)
            assert report.fold.fingerprints == whole.fold.fingerprints
            assert totals[-1] == report.records == 9


@pytest.mark.parametrize("what", EVERY_EDIT)
async def test_ranges_of_an_edited_log_give_the_same(durable: Place, threads: None, what: str) -> None:
    await filled(durable)
    durable.edit_log([*EVERY_EDIT[what]])
    await _compare(durable)


async def test_ranges_refuse_an_account_of_bytes_alike(sqlite: Place, threads: None) -> None:
    await filled(sqlite)
    sqlite.edit_log(["UPDATE postings SET account = CAST(account AS BLOB) WHERE record = 2"])
    await _compare(sqlite)


async def _compare(place: Place) -> None:
    async with audited(place) as (snapshot, options, whole):
        assert isinstance(whole, str) or whole.problems
        for ranges in RANGES:
            found = await _outcome(audit_in_ranges(snapshot, place.address, ranges, worth=1, **options))
            assert found == whole


async def test_ranges_run_in_processes(sqlite: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    await filled(sqlite)
    async with audited(sqlite) as (snapshot, options, whole):
        monkeypatch.setattr(range_audit, "audit", None)
        assert await audit_in_ranges(snapshot, sqlite.address, 2, worth=1, **options) == whole
