"""Moves: a reason, a reference and amounts for accounts, not yet checked.

To write money, a `Transfer` is made from a move and checked. An audit reads millions of postings, so it compares them
with moves directly.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from punto.ledger.accounts import CASH_DESK, Account, bets_account, house_account, is_patron, patron_account
from punto.rules.bets import Result
from punto.rules.settlement import Line


class Reason(StrEnum):
    """Why money moves."""

    BUY = "buy"
    CASH_OUT = "cash-out"
    STAKE = "stake"
    PAY = "pay"
    LOSE = "lose"
    RETURN = "return"
    ADJUST = "adjust"


FINAL = frozenset({Reason.PAY, Reason.LOSE, Reason.RETURN})
"""The reasons that end a bet. Every bet ends with exactly one."""

_REASON_OF = {Result.WIN: Reason.PAY, Result.LOSE: Reason.LOSE, Result.RETURNED: Reason.RETURN}


class Move(NamedTuple):
    """Money moved for one reason. An amount of zero makes no posting."""

    reason: Reason
    reference: str
    amounts: tuple[tuple[Account, int], ...]


def by_patron(moves: Iterable[Move]) -> dict[str, int]:
    """What patrons gain or give by moves, by their accounts."""
    found: dict[str, int] = {}
    for move in moves:
        for account, cents in move.amounts:
            if is_patron(account):
                found[account] = found.get(account, 0) + cents
    return found


def buy(patron: str, cents: int, reference: str) -> Move:
    """Credits bought for cash."""
    return _paid(Reason.BUY, reference, CASH_DESK, patron_account(patron), cents)


def cash_out(patron: str, cents: int, reference: str) -> Move:
    """Credits paid out in cash."""
    return _paid(Reason.CASH_OUT, reference, patron_account(patron), CASH_DESK, cents)


def stake(patron: str, table: str, cents: int, bet: str) -> Move:
    """A bet was placed. `bet` is its reference."""
    return _paid(Reason.STAKE, bet, patron_account(patron), bets_account(table), cents)


def settled(table: str, bet: str, line: Line) -> Move:
    """A bet ends by its line of a settlement."""
    return final(line.bet.patron, table, bet, _REASON_OF[line.result], line.bet.stake_cents, line.returned_cents)


def returned(patron: str, table: str, cents: int, bet: str) -> Move:
    """A bet is returned whole: the round is void, or the bet was withdrawn before bets closed."""
    return final(patron, table, bet, Reason.RETURN, cents, cents)


def final(patron: str, table: str, bet: str, reason: Reason, stake_cents: int, returned_cents: int) -> Move:
    """A bet ends: its stake leaves the bets in play, the patron gets `returned_cents`, the House the difference."""
    if reason not in FINAL:
        raise ValueError(f"a bet does not end in {reason}")
    back, house = patron_account(patron), house_account(table)
    amounts = ((bets_account(table), -stake_cents), (back, returned_cents), (house, stake_cents - returned_cents))
    return Move(reason, bet, amounts)


def adjust(patron: str, table: str, cents: int, reference: str) -> Move:
    """A correction between the House and a patron; positive is to the patron. The reference names the decision."""
    return Move(Reason.ADJUST, reference, ((house_account(table), -cents), (patron_account(patron), cents)))


def _paid(reason: Reason, reference: str, source: Account, target: Account, cents: int) -> Move:
    if cents <= 0:
        raise ValueError(f"{cents!r} cents is not an amount to move ({reason} {reference})")
    return Move(reason, reference, ((source, -cents), (target, cents)))
