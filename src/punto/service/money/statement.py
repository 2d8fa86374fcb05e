"""A patron's statement: every movement of their credit, read from the store."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

from punto.ledger.accounts import patron_account
from punto.ledger.moves import Reason
from punto.protocol.views import Movement
from punto.service.streams import PAGE, table_of
from punto.store.interface import Store
from punto.store.records import StatementLine
from punto.table.commands import PATRON_ROLE

MOST_MOVEMENTS = 500
"""The most that one statement gives at once."""


async def statement(store: Store, patron: str, before: str | None, limit: int) -> list[Movement]:
    """A patron's movements before a place, newest first, each with the credit before and after it."""
    found: list[Movement] = []
    last = _place(before) if before else None
    # From the newest on even for older ones: what the credit was then follows from what it is now.
    async for page in movements(store, patron):
        found += [line for line in page if last is None or _place(line.place) < last]
        if len(found) >= min(limit, MOST_MOVEMENTS):
            break
    return found[: min(limit, MOST_MOVEMENTS)]


async def movements(store: Store, patron: str) -> AsyncIterator[list[Movement]]:
    """All of a patron's movements, newest first, a page at a time."""
    account = patron_account(patron)
    newest = await store.statement(account, limit=1)
    while True:
        # Where nothing was posted while the balance was read, it is what the newest line left. The balance itself would
        # not tell: what went out may have come in again.
        after = (await store.balances([account]))[account]
        lines = await store.statement(account, limit=PAGE)
        if lines[:1] == newest:
            break
        newest = lines[:1]
    while lines:
        page = []
        for line in lines:
            page.append(_movement(line, after, await _staff(store, line)))
            after -= line.cents
        yield page
        lines = await store.statement(account, (lines[-1].record, lines[-1].line), PAGE)


def _place(text: str) -> tuple[int, int]:
    record, _, line = text.partition("-")
    return int(record), int(line)


async def _staff(store: Store, line: StatementLine) -> str | None:
    """Who of the staff took a patron's money into play, or sold the credits: the record of the line says."""
    if line.reason not in {Reason.STAKE, Reason.BUY}:
        return None
    found = await store.read(line.stream, line.seq - 1, 1)
    said = json.loads(found[0].payload) if found else {}
    by: str = said.get("seller") or said.get("by") or PATRON_ROLE
    return None if by.partition(":")[0] == PATRON_ROLE else by


def _movement(line: StatementLine, after: int, by: str | None) -> Movement:
    parts = line.reference.split("/")
    table = table_of(line.stream)
    return Movement(
        place=f"{line.record}-{line.line}",
        at_ms=line.time_ms,
        table=table,
        round=int(parts[1]) if table and len(parts) > 2 and parts[1].isdigit() else None,
        seq=line.seq,
        reason=line.reason,
        bet=line.reference,
        amount_cents=line.cents,
        before_cents=after - line.cents,
        after_cents=after,
        by=by,
    )
