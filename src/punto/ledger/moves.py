"""Moves: money moved between accounts for one reason, as amounts that sum to zero.

Every bet has its own reference. It is staked in one move or more and ends in exactly one final move: paid, lost or
returned. If part of a bet is returned before bets close, it is returned whole and staked again with a new reference.

A record checks its moves before they are written. An audit reads millions of postings, so it compares them with moves
that are not checked again.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from punto.ledger.accounts import (
    CASH_DESK,
    Account,
    bets_account,
    chips_account,
    house_account,
    is_patron,
    owed_account,
    parse_account,
    patron_account,
    ticket_account,
)
from punto.rules.bets import Result
from punto.rules.cash import is_cash
from punto.rules.money import EXACT_CENTS, money
from punto.table.money import Holder


class Reason(StrEnum):
    """The reason for which money moves."""

    BUY = "buy"
    CASH_OUT = "cash-out"
    ISSUE = "issue"
    REDEEM = "redeem"
    STAKE = "stake"
    PAY = "pay"
    LOSE = "lose"
    RETURN = "return"
    ADJUST = "adjust"
    COLLECT = "collect"
    MOVE = "move"


FINAL = frozenset({Reason.PAY, Reason.LOSE, Reason.RETURN})
"""The reasons that end a bet. Every bet ends with exactly one."""

_MAX_REFERENCE = 128

REASON_OF = {Result.WIN: Reason.PAY, Result.LOSE: Reason.LOSE, Result.RETURNED: Reason.RETURN}


class Move(NamedTuple):
    """Money moved for one reason. An amount of zero makes no posting."""

    reason: Reason
    reference: str
    amounts: tuple[tuple[Account, int], ...]


def check_move(move: Move) -> None:
    """Raise ValueError for a move that cannot be written."""
    reason, reference, amounts = move
    if not 0 < len(reference) <= _MAX_REFERENCE or not reference.isprintable() or " " in reference:
        raise ValueError(f"{reference!r} is not a reference: 1 to {_MAX_REFERENCE} printable characters, no space")
    for account, cents in amounts:
        parse_account(account)
        if type(cents) is not int or abs(cents) >= EXACT_CENTS:
            raise ValueError(f"{cents!r} cents cannot be posted to {account}")
    if not any(cents for _, cents in amounts):
        raise ValueError(f"a move ({reason} {reference}) without amounts moves nothing")
    if total := sum([cents for _, cents in amounts]):
        raise ValueError(f"the amounts of {reason} {reference} sum to {money(total)}, not to zero")


def by_patron(moves: Iterable[Move]) -> dict[str, int]:
    """The gains and losses of patrons by moves, by their accounts."""
    found: dict[str, int] = {}
    for move in moves:
        for account, cents in move.amounts:
            if is_patron(account):
                found[account] = found.get(account, 0) + cents
    return found


def buy(patron: str, cents: int, reference: str) -> Move:
    """Credits bought for cash."""
    return _paid(Reason.BUY, reference, CASH_DESK, patron_account(patron), cents)


def cash_out(patron: str, cents: int, ticket: str) -> Move:
    """Credits turned into a ticket. The number of a ticket is the reference of whatever moves it."""
    return _paid(Reason.CASH_OUT, ticket, patron_account(patron), ticket_account(ticket), cents)


def issue(cents: int, ticket: str) -> Move:
    """A ticket sold for cash."""
    return _paid(Reason.ISSUE, ticket, CASH_DESK, ticket_account(ticket), cents)


def take_in(patron: str, cents: int, ticket: str) -> Move:
    """A ticket turned into credits."""
    return _paid(Reason.BUY, ticket, ticket_account(ticket), patron_account(patron), cents)


def redeem(cents: int, ticket: str) -> Move:
    """A ticket paid in cash."""
    return _paid(Reason.REDEEM, ticket, ticket_account(ticket), CASH_DESK, cents)


def stake(patron: str, table: str, cents: int, bet: str) -> Move:
    """A bet was placed. `bet` is its reference."""
    return _paid(Reason.STAKE, bet, _held_by(patron, table), bets_account(table), cents)


def returned(patron: str, table: str, cents: int, bet: str) -> Move:
    """A bet is returned whole: the round is void, or the bet was withdrawn before bets closed."""
    return final(patron, table, bet, Reason.RETURN, cents, cents)


def final(patron: str, table: str, bet: str, reason: Reason, stake_cents: int, returned_cents: int) -> Move:
    """A bet ends: its stake leaves the bets in play, the patron gets `returned_cents`, the House the difference."""
    if reason not in FINAL:
        raise ValueError(f"a bet does not end in {reason}")
    back, house = _held_by(patron, table), house_account(table)
    amounts = ((bets_account(table), -stake_cents), (back, returned_cents), (house, stake_cents - returned_cents))
    return Move(reason, bet, amounts)


def correct(patron: str, table: str, before_cents: int, after_cents: int, reference: str) -> Move:
    """A correction of what the House paid a patron: the old amount is reversed, the new one posted.

    A correction against a patron becomes a debt, so that it never fails for lack of credit; `collect` takes it later.
    Whoever bets cash is paid and charged in chips.
    """
    house, holder = house_account(table), _held_by(patron, table)
    if after_cents < before_cents and not is_cash(patron):
        holder = owed_account(patron)
    reversed_, posted = (house, before_cents), (holder, -before_cents)
    return Move(Reason.ADJUST, reference, (reversed_, posted, (house, -after_cents), (holder, after_cents)))


def collect(patron: str, cents: int, reference: str) -> Move:
    """A debt is taken from a patron's credit, in whole or in part."""
    return _paid(Reason.COLLECT, reference, patron_account(patron), owed_account(patron), cents)


def moved(table: str, giver: Holder, taker: Holder, cents: int, reference: str) -> Move:
    """Money of the House goes from one of its accounts to another."""
    accounts = {Holder.CAGE: CASH_DESK, Holder.HOUSE: house_account(table), Holder.CHIPS: chips_account(table)}
    return _paid(Reason.MOVE, reference, accounts[giver], accounts[taker], cents)


def collectable(credit_cents: int, owed_cents: int) -> int:
    """The part of a debt that can be collected now: no more than is owed, and no more than is there.

    `owed_cents` is the balance of the debt, which is negative.
    """
    return max(min(credit_cents, -owed_cents), 0)


def _held_by(patron: str, table: str) -> Account:
    """Where the stakes of a patron come from and go back to."""
    return chips_account(table) if is_cash(patron) else patron_account(patron)


def _paid(reason: Reason, reference: str, source: Account, target: Account, cents: int) -> Move:
    if cents <= 0:
        raise ValueError(f"{cents!r} cents is not an amount to move ({reason} {reference})")
    return Move(reason, reference, ((source, -cents), (target, cents)))
