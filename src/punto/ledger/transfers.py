"""Transfers: money moved between accounts for one reason, as postings that sum to zero.

Every bet is staked under its own reference, in one transfer or more, and ends in exactly one final transfer: paid, lost
or returned. A bet of which part goes back before bets close is returned, and staked anew under another reference.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from punto.ledger.accounts import (
    CASH_DESK,
    Account,
    bets_account,
    house_account,
    parse_account,
    patron_account,
)
from punto.rules.bets import Result
from punto.rules.money import EXACT_CENTS, Cents, money
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
"""How a bet ends: every bet has exactly one of these."""

_REASON_OF = {Result.WIN: Reason.PAY, Result.LOSE: Reason.LOSE, Result.RETURNED: Reason.RETURN}
_MAX_REFERENCE = 128


@dataclass(frozen=True, slots=True)
class Posting:
    """Cents that an account receives, or gives where negative; never zero."""

    account: Account
    cents: Cents

    def __post_init__(self) -> None:
        parse_account(self.account)
        if type(self.cents) is not int or not 0 < abs(self.cents) < EXACT_CENTS:
            raise ValueError(f"{self.cents!r} cents cannot be posted to {self.account}")


@dataclass(frozen=True, slots=True)
class Transfer:
    """Postings that sum to zero, with the reason and what it refers to (a bet, a receipt)."""

    reason: Reason
    reference: str
    postings: tuple[Posting, ...]

    def __post_init__(self) -> None:
        if not 0 < len(self.reference) <= _MAX_REFERENCE or not self.reference.isprintable() or " " in self.reference:
            raise ValueError(f"{self.reference!r} is not a reference: 1 to {_MAX_REFERENCE} printable signs, no space")
        if not self.postings:
            raise ValueError(f"a transfer ({self.reason} {self.reference}) without postings moves nothing")
        if total := sum([posting.cents for posting in self.postings]):
            raise ValueError(f"the postings of {self.reason} {self.reference} sum to {money(total)}, not to zero")


def buy(patron: str, cents: int, reference: str) -> Transfer:
    """Credits bought for cash."""
    return _move(Reason.BUY, reference, CASH_DESK, patron_account(patron), cents)


def cash_out(patron: str, cents: int, reference: str) -> Transfer:
    """Credits paid out in cash."""
    return _move(Reason.CASH_OUT, reference, patron_account(patron), CASH_DESK, cents)


def stake(patron: str, table: str, cents: int, bet: str) -> Transfer:
    """A bet placed; `bet` is the reference under which it will be settled."""
    return _move(Reason.STAKE, bet, patron_account(patron), bets_account(table), cents)


def settled(table: str, bet: str, line: Line) -> Transfer:
    """A bet's final transfer by its line of a settlement, at whatever odds and with whatever part in play."""
    return final(line.bet.patron, table, bet, _REASON_OF[line.result], line.bet.stake_cents, line.returned_cents)


def returned(patron: str, table: str, cents: int, bet: str) -> Transfer:
    """A bet taken back whole: a void round, or a bet withdrawn before bets closed."""
    return final(patron, table, bet, Reason.RETURN, cents, cents)


def final(patron: str, table: str, bet: str, reason: Reason, stake_cents: int, returned_cents: int) -> Transfer:
    """A bet's end: the stake leaves the bets in play, `returned_cents` go to the patron, the House bears the rest."""
    if reason not in FINAL:
        raise ValueError(f"a bet does not end in {reason}")
    amounts = [
        (bets_account(table), -stake_cents),
        (patron_account(patron), returned_cents),
        (house_account(table), stake_cents - returned_cents),
    ]
    return Transfer(reason, bet, _postings(amounts))


def adjust(patron: str, table: str, cents: int, reference: str) -> Transfer:
    """A correction between the House and a patron, to the patron where positive; the reference says whose decision."""
    return Transfer(
        Reason.ADJUST, reference, _postings([(house_account(table), -cents), (patron_account(patron), cents)])
    )


def _move(reason: Reason, reference: str, source: Account, target: Account, cents: int) -> Transfer:
    if cents <= 0:
        raise ValueError(f"{cents!r} cents is not an amount to move ({reason} {reference})")
    return Transfer(reason, reference, _postings([(source, -cents), (target, cents)]))


def _postings(amounts: Iterable[tuple[Account, int]]) -> tuple[Posting, ...]:
    return tuple([Posting(account, Cents(cents)) for account, cents in amounts if cents])
