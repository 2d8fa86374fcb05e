"""Transfers: money moved between accounts for one reason, as postings that sum to zero.

Every bet has its own reference. It is staked in one transfer or more and ends in exactly one final transfer: paid, lost
or returned. If part of a bet is returned before bets close, it is returned whole and staked again with a new reference.
"""

from __future__ import annotations

from dataclasses import dataclass

from punto.ledger.accounts import Account, parse_account
from punto.ledger.moves import Move, Reason
from punto.rules.money import EXACT_CENTS, Cents, money

_MAX_REFERENCE = 128


@dataclass(frozen=True, slots=True)
class Posting:
    """Cents that an account receives (positive) or gives (negative); never zero."""

    account: Account
    cents: Cents

    def __post_init__(self) -> None:
        parse_account(self.account)
        if type(self.cents) is not int or not 0 < abs(self.cents) < EXACT_CENTS:
            raise ValueError(f"{self.cents!r} cents cannot be posted to {self.account}")


@dataclass(frozen=True, slots=True)
class Transfer:
    """Postings that sum to zero, with the reason and the reference (a bet, a receipt)."""

    reason: Reason
    reference: str
    postings: tuple[Posting, ...]

    def __post_init__(self) -> None:
        if not 0 < len(self.reference) <= _MAX_REFERENCE or not self.reference.isprintable() or " " in self.reference:
            raise ValueError(
                f"{self.reference!r} is not a reference: 1 to {_MAX_REFERENCE} printable characters, no space"
            )
        if not self.postings:
            raise ValueError(f"a transfer ({self.reason} {self.reference}) without postings moves nothing")
        if total := sum([posting.cents for posting in self.postings]):
            raise ValueError(f"the postings of {self.reason} {self.reference} sum to {money(total)}, not to zero")

    @classmethod
    def of(cls, move: Move) -> Transfer:
        """Make the transfer of a move. Raises ValueError if it is invalid."""
        postings = tuple([Posting(account, Cents(cents)) for account, cents in move.amounts if cents])
        return cls(move.reason, move.reference, postings)
