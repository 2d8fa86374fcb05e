"""A patron's statement: every movement of their credit and of their debt, read from the store."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

from punto.ledger.accounts import owed_account, patron_account
from punto.ledger.moves import Reason
from punto.protocol.views import Movement
from punto.service.people.person import Names
from punto.service.shoes.encryption import event_of
from punto.service.streams import table_of
from punto.store.interface import Store
from punto.store.records import Record, StatementLine
from punto.table import acts
from punto.table.actor import PATRON_ROLE
from punto.table.values import Returned, ReturnReason

MOST_MOVEMENTS = 500
"""The most that one statement gives at once."""
PAGE_OF_LINES = 200
"""Lines that are read at once, each with its whole record."""
_SINGLE = frozenset({Reason.BUY, Reason.CASH_OUT, Reason.STAKE})
"""The reasons whose records are about one movement of one person."""
_TOLD_KINDS = frozenset([kind for kind, event in acts.EVENTS.items() if event.tells])
"""The events that move patrons' money otherwise than by bets and their settlement."""


async def statement(store: Store, patron: str, names: Names, before: str | None, limit: int) -> list[Movement]:
    """A patron's movements before a place, newest first, each with the credit before and after it."""
    limit = min(limit, MOST_MOVEMENTS)
    found: list[Movement] = []
    async for page in movements(store, patron, names, before, min(limit, PAGE_OF_LINES)):
        found += page
        if len(found) >= limit:
            break
    return found[:limit]


async def movements(
    store: Store, patron: str, names: Names, before: str | None = None, limit: int = PAGE_OF_LINES
) -> AsyncIterator[list[Movement]]:
    """A patron's movements before a place, newest first, a page at a time.

    What makes a debt stands among the movements of the credit, which it leaves as it is.
    """
    last = place_of(before) if before else None
    while True:
        # Whatever collects a debt moves the credit too, so no line between these is missing.
        lines = await store.statement(patron_account(patron), last, limit)
        lines += [
            line for line in await store.statement(owed_account(patron), last, limit) if line.reason != Reason.COLLECT
        ]
        lines = sorted(lines, key=lambda line: line.place, reverse=True)[:limit]
        if lines:
            yield [await _movement(store, patron, names, line) for line in lines]
        if len(lines) < limit:
            return
        last = lines[-1].place


def place_of(text: str) -> tuple[int, int]:
    """The place of a movement, as a record of the whole store and a line of it."""
    record, _, line = text.partition("-")
    return int(record), int(line)


def round_of(line: StatementLine) -> int | None:
    """The round of a table that a posting belongs to, by its reference."""
    parts = line.reference.split("/")
    in_round = table_of(line.record.stream) is not None and len(parts) > 2 and parts[1].isdigit()
    return int(parts[1]) if in_round else None


async def _movement(store: Store, patron: str, names: Names, line: StatementLine) -> Movement:
    """A movement of the credit, or one of the debt alone, which leaves the credit as it was."""
    record, of_debt = line.record, line.account == owed_account(patron)
    single = json.loads(record.payload) if line.reason in _SINGLE else {}
    told = told_event(record)
    by = _chooser(told, patron) if told else _staff(single)
    if of_debt:
        newest = await store.statement(patron_account(patron), line.place, 1)
        before = after = newest[0].balance_cents if newest else 0
        amount, owed = 0, -line.cents
    else:
        before, after = line.balance_cents - line.cents, line.balance_cents
        amount, owed = line.cents, line.cents if line.reason == Reason.COLLECT else 0
    return Movement(
        place=f"{record.id}-{line.line}",
        at_ms=record.time_ms,
        table=table_of(record.stream),
        round=round_of(line),
        seq=record.seq,
        reason=line.reason,
        bet=line.reference,
        amount_cents=amount,
        before_cents=before,
        after_cents=after,
        owed_cents=owed,
        rule=rule_for(told, patron) if told else None,
        by=by,
        by_name=names(by.partition(":")[2].partition("@")[0]) if by else None,
        on=single["bet"]["on"] if "bet" in single else None,
    )


def told_event(record: Record) -> acts.Event | None:
    """The event of a record that moved money otherwise than by bets and their settlement."""
    if record.kind not in _TOLD_KINDS or table_of(record.stream) is None:
        return None
    return event_of(record)


def rule_for(event: acts.Event, patron: str) -> str | None:
    """The paragraph by which an event moved a patron's money: its own, or that of the patron's first line."""
    of_lines = next((line.rule for line in event.bet_lines() if line.bet.patron == patron), None)
    rule: str | None = getattr(event, "rule", of_lines)
    return rule


def _chooser(told: acts.Event, patron: str) -> str | None:
    """The member of staff who chose for a patron to take the bets back."""
    lines = [line for line in told.bet_lines() if line.bet.patron == patron]
    chosen = any(isinstance(line, Returned) and line.reason is ReturnReason.OPTION for line in lines)
    return told.by.text if chosen and told.by.role is not None else None


def _staff(single: dict[str, str]) -> str | None:
    """The member of staff who took a patron's money into play, or sold the credits, by the record of the line."""
    by = single.get("by") or PATRON_ROLE
    return None if by.partition(":")[0] == PATRON_ROLE else by
