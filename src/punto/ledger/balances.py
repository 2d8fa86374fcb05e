"""Balances computed from moves, which are applied in order, each whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from punto.ledger.accounts import may_be_negative, may_be_positive
from punto.ledger.moves import Move, Reason
from punto.rules.money import EXACT_CENTS, money

PostingRow = tuple[int, int, int, str, str, str, int, int]
"""A posting as stored: number of its record, line, number of its transfer in the record, reason, reference, account,
cents, and the balance of the account after it."""


@dataclass(frozen=True, slots=True)
class Overdrawn:
    """The reason why a move fails: an account lacks `short_cents`, or would exceed the range by that much."""

    account: str
    short_cents: int
    message: str


class Balances:
    """Balances of some accounts, changed by moves. An unknown account has 0."""

    def __init__(self, cents: Mapping[str, int] | None = None) -> None:
        self._cents = dict(cents or {})

    def __getitem__(self, account: str) -> int:
        return self._cents.get(account, 0)

    def apply(self, moves: Iterable[Move], record: int = 0, rows: list[PostingRow] | None = None) -> Overdrawn | None:
        """Apply the moves of a record in order, and add their postings to `rows`.

        If one is impossible, apply none and return the reason.
        """
        changed: dict[str, int] = {}
        rows = [] if rows is None else rows
        for number, (reason, reference, amounts) in enumerate(moves, 1):
            for account, cents in amounts:
                if cents:
                    held = changed[account] = changed.get(account, self[account]) + cents
                    rows.append((record, len(rows) + 1, number, reason.value, reference, account, cents, held))
            # Checked after the whole move, because the order of its amounts does not matter.
            for account, cents in amounts:
                if cents and (over := _overdrawn(account, changed[account], bounded=reason is Reason.BUY)):
                    return over
        self._cents |= changed
        return None

    def snapshot(self) -> dict[str, int]:
        """All balances by account."""
        return dict(self._cents)


def _overdrawn(account: str, cents: int, *, bounded: bool) -> Overdrawn | None:
    """The refusal of a balance. Only purchases have a maximum, so that every bet can be settled."""
    if cents > 0 and not may_be_positive(account):
        return Overdrawn(account, cents, f"{account} lacks a debt of {money(cents)}")
    if may_be_negative(account):
        return None
    if cents < 0:
        return Overdrawn(account, -cents, f"{account} lacks {money(-cents)}")
    if bounded and cents >= EXACT_CENTS:
        over = cents - EXACT_CENTS + 1
        return Overdrawn(account, over, f"{account} would exceed the exactly countable maximum by {money(over)}")
    return None
