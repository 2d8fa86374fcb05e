"""A patron's statement: every movement of their credit and of their debt, read from the store."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import get_args

from msgspec.structs import replace

from punto.ledger.accounts import owed_account, patron_account
from punto.ledger.moves import Reason
from punto.protocol.views import Movement
from punto.service.people.person import Names
from punto.service.shoes.encryption import event_of
from punto.service.streams import PAGE, table_of
from punto.store.interface import Store
from punto.store.records import StatementLine
from punto.table import events as e
from punto.table.commands import PATRON_ROLE, kind_of

MOST_MOVEMENTS = 500
"""The most that one statement gives at once."""
Told = e.RoundVoided | e.BetsReturned | e.BetsPaid | e.RoundAdjusted | e.AmountDecided
"""The events that move patrons' money otherwise than by bets and their settlement."""
_TOLD_KINDS = frozenset(map(kind_of, get_args(Told)))


async def statement(store: Store, patron: str, names: Names, before: str | None, limit: int) -> list[Movement]:
    """A patron's movements before a place, newest first, each with the credit before and after it."""
    found: list[Movement] = []
    last = place_of(before) if before else None
    # From the newest on even for older ones: what the credit was then follows from what it is now.
    async for page in movements(store, patron, names):
        found += [line for line in page if last is None or place_of(line.place) < last]
        if len(found) >= min(limit, MOST_MOVEMENTS):
            break
    return found[: min(limit, MOST_MOVEMENTS)]


async def movements(store: Store, patron: str, names: Names) -> AsyncIterator[list[Movement]]:
    """All of a patron's movements, newest first, a page at a time.

    What makes a debt stands among the movements of the credit, which it leaves as it is.
    """
    made, debts = _Movements(store, patron, names), await _made_debts(store, patron)
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
                page.append(await made.debt(debts.pop(0), after))
            page.append(await made.movement(line, after))
            after -= line.cents
        yield page
        lines = await store.statement(account, (lines[-1].record, lines[-1].line), PAGE)
    if debts:
        yield [await made.debt(line, after) for line in debts]


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


def place_of(text: str) -> tuple[int, int]:
    """The place of a movement, as a record of the whole store and a line of it."""
    record, _, line = text.partition("-")
    return int(record), int(line)


def round_of(line: StatementLine) -> int | None:
    """The round of a table that a posting belongs to, by its reference."""
    parts = line.reference.split("/")
    in_round = table_of(line.stream) is not None and len(parts) > 2 and parts[1].isdigit()
    return int(parts[1]) if in_round else None


@dataclass(eq=False, repr=False)
class _Movements:
    """Makes a patron's movements. A record that many lines belong to is read once."""

    _store: Store
    _patron: str
    _names: Names
    _rules: dict[int, str | None] = field(default_factory=dict)

    async def movement(self, line: StatementLine, after: int) -> Movement:
        """A movement of the credit, which it leaves at `after` cents."""
        single = json.loads(line.payload) if line.payload else {}
        by = _staff(single)
        return Movement(
            place=f"{line.record}-{line.line}",
            at_ms=line.time_ms,
            table=table_of(line.stream),
            round=round_of(line),
            seq=line.seq,
            reason=line.reason,
            bet=line.reference,
            amount_cents=line.cents,
            before_cents=after - line.cents,
            after_cents=after,
            owed_cents=line.cents if line.reason == Reason.COLLECT else 0,
            rule=await self._rule(line),
            by=by,
            by_name=self._names(by.partition(":")[2].partition("@")[0]) if by else None,
            on=single["bet"]["on"] if "bet" in single else None,
        )

    async def debt(self, line: StatementLine, credit: int) -> Movement:
        """A movement of the debt alone, while the patron had this credit."""
        moved = await self.movement(line, credit)
        return replace(moved, amount_cents=0, before_cents=credit, owed_cents=-line.cents)

    async def _rule(self, line: StatementLine) -> str | None:
        """The paragraph of the void, the correction or the decision that a posting belongs to."""
        if line.record not in self._rules:
            told = await told_event(self._store, line)
            self._rules[line.record] = rule_for(told, self._patron) if told else None
        return self._rules[line.record]


async def told_event(store: Store, line: StatementLine) -> Told | None:
    """The event of a posting, where it moved money otherwise than by bets and their settlement."""
    if line.kind not in _TOLD_KINDS or table_of(line.stream) is None:
        return None
    [record] = await store.read(line.stream, line.seq - 1, 1)
    event = event_of(record)
    return event if isinstance(event, Told) else None


def rule_for(event: Told, patron: str) -> str | None:
    """The paragraph by which an event moved a patron's money."""
    if isinstance(event, e.BetsReturned | e.BetsPaid):
        return next((line.rule for line in event.lines if line.bet.patron == patron), None)
    return event.rule


def _staff(single: dict[str, str]) -> str | None:
    """Who of the staff took a patron's money into play, or sold the credits: the record of the line says."""
    by = single.get("seller") or single.get("by") or PATRON_ROLE
    return None if by.partition(":")[0] == PATRON_ROLE else by
