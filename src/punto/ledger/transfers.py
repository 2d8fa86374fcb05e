"""Transfers: money moved between accounts for one reason, as postings that sum to zero.

Every bet is staked under its own reference, in one transfer or more, and ends in exactly one final transfer: paid, lost
or returned. A bet of which part goes back before bets close is returned, and staked anew under another reference.
"""

from __future__ import annotations

from dataclasses import dataclass

from punto.ledger import moves
from punto.ledger.accounts import Account, parse_account
from punto.ledger.moves import FINAL, Move, Reason
from punto.rules.money import EXACT_CENTS, Cents, money
from punto.rules.settlement import Line

__all__ = [
    "FINAL",
    "Posting",
    "Reason",
    "Transfer",
    "adjust",
    "buy",
    "cash_out",
    "final",
    "returned",
    "settled",
    "stake",
]

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

    @classmethod
    def of(cls, move: Move) -> Transfer:
        """The transfer that a move makes; a ValueError says why it makes none."""
        postings = tuple([Posting(account, Cents(cents)) for account, cents in move.amounts if cents])
        return cls(move.reason, move.reference, postings)


def buy(patron: str, cents: int, reference: str) -> Transfer:
    """Credits bought for cash."""
    return _above_zero(cents, moves.buy(patron, cents, reference))


def cash_out(patron: str, cents: int, reference: str) -> Transfer:
    """Credits paid out in cash."""
    return _above_zero(cents, moves.cash_out(patron, cents, reference))


def stake(patron: str, table: str, cents: int, bet: str) -> Transfer:
    """A bet placed; `bet` is the reference under which it will be settled."""
    return _above_zero(cents, moves.stake(patron, table, cents, bet))


def settled(table: str, bet: str, line: Line) -> Transfer:
    """A bet's final transfer by its line of a settlement, at whatever odds and with whatever part in play."""
    return Transfer.of(moves.settled(table, bet, line))


def returned(patron: str, table: str, cents: int, bet: str) -> Transfer:
    """A bet taken back whole: a void round, or a bet withdrawn before bets closed."""
    return final(patron, table, bet, Reason.RETURN, cents, cents)


def final(patron: str, table: str, bet: str, reason: Reason, stake_cents: int, returned_cents: int) -> Transfer:
    """A bet's end: the stake leaves the bets in play, `returned_cents` go to the patron, the House bears the rest."""
    if reason not in FINAL:
        raise ValueError(f"a bet does not end in {reason}")
    return Transfer.of(moves.final(patron, table, bet, reason, stake_cents, returned_cents))


def adjust(patron: str, table: str, cents: int, reference: str) -> Transfer:
    """A correction between the House and a patron, to the patron where positive; the reference says whose decision."""
    return Transfer.of(moves.adjust(patron, table, cents, reference))


def _above_zero(cents: int, move: Move) -> Transfer:
    if cents <= 0:
        raise ValueError(f"{cents!r} cents is not an amount to move ({move.reason} {move.reference})")
    return Transfer.of(move)
