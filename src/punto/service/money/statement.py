"""A patron's statement: every movement of their credit and of their debt, read from the store."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

from msgspec.structs import replace

from punto.ledger.accounts import owed_account, patron_account
from punto.ledger.moves import Reason
from punto.protocol.views import Movement
from punto.service.shoes.encryption import event_of
from punto.service.streams import PAGE, table_of
from punto.store.interface import Store
from punto.store.records import StatementLine
from punto.table import events as e
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
    """All of a patron's movements, newest first, a page at a time.

    What makes a debt stands among the movements of the credit, which it leaves as it is.
    """
    debts = await _made_debts(store, patron)
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
            while debts and _order(debts[0]) > _order(line):
                page.append(await _debt(store, debts.pop(0), after))
            page.append(await _movement(store, line, after))
            after -= line.cents
        yield page
        lines = await store.statement(account, (lines[-1].record, lines[-1].line), PAGE)
    if debts:
        yield [await _debt(store, line, after) for line in debts]


async def _made_debts(store: Store, patron: str) -> list[StatementLine]:
    """What was added to a patron's debt or taken from it by corrections, newest first. There are few."""
    found: list[StatementLine] = []
    before = None
    while lines := await store.statement(owed_account(patron), before, PAGE):
        found += [line for line in lines if line.reason != Reason.COLLECT]
        before = _order(lines[-1])
    return found


def _order(line: StatementLine) -> tuple[int, int]:
    return line.record, line.line


def _place(text: str) -> tuple[int, int]:
    record, _, line = text.partition("-")
    return int(record), int(line)


async def _debt(store: Store, line: StatementLine, credit: int) -> Movement:
    """A movement of the debt alone, while the patron had this credit."""
    moved = await _movement(store, line, credit)
    return replace(moved, amount_cents=0, before_cents=credit, owed_cents=-line.cents)


async def _rule(store: Store, line: StatementLine) -> str | None:
    """The paragraph of the correction or decision that a posting belongs to."""
    if line.reason != Reason.ADJUST or table_of(line.stream) is None:
        return None
    [record] = await store.read(line.stream, line.seq - 1, 1)
    event = event_of(record)
    return event.rule if isinstance(event, e.RoundAdjusted | e.AmountDecided) else None


async def _staff(store: Store, line: StatementLine) -> str | None:
    """Who of the staff took a patron's money into play, or sold the credits: the record of the line says."""
    if line.reason not in {Reason.STAKE, Reason.BUY}:
        return None
    found = await store.read(line.stream, line.seq - 1, 1)
    said = json.loads(found[0].payload) if found else {}
    by: str = said.get("seller") or said.get("by") or PATRON_ROLE
    return None if by.partition(":")[0] == PATRON_ROLE else by


async def _movement(store: Store, line: StatementLine, after: int) -> Movement:
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
        owed_cents=line.cents if line.reason == Reason.COLLECT else 0,
        rule=await _rule(store, line),
        by=await _staff(store, line),
    )
