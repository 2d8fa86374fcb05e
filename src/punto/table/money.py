"""The money that an event moves, in the table's own terms. `ledger` makes transfers of it."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from punto.rules.bets import Result
from punto.rules.settlement import Bet, Line
from punto.table.values import Paid, Returned


class Staked(NamedTuple):
    """A bet now has its whole `cents` at stake: it was placed, raised, or partly or wholly withdrawn."""

    bet: Bet
    cents: int

    @property
    def patron(self) -> str:
        """The patron of the bet."""
        return self.bet.patron


class BetEnded(NamedTuple):
    """A bet left the round, won, lost or returned, and gave its patron `returned_cents` back."""

    bet: Bet
    result: Result
    returned_cents: int

    @property
    def patron(self) -> str:
        """The patron of the bet."""
        return self.bet.patron


class Corrected(NamedTuple):
    """The House's payment to a patron changed after the fact. `part` tells the lines of one event apart."""

    patron: str
    before_cents: int
    after_cents: int
    bet: Bet | None = None
    part: int | None = None


class Holder(StrEnum):
    """An account of the House: the cage, its result at this table, or the table's chips outside any account."""

    CAGE = "cage"
    HOUSE = "house"
    CHIPS = "chips"


class Moved(NamedTuple):
    """Money moved from one account of the House to another."""

    giver: Holder
    taker: Holder
    cents: int
    patron: None = None
    bet: None = None


Money = Staked | BetEnded | Corrected | Moved


def ended(lines: Iterable[Line | Returned | Paid]) -> tuple[Money, ...]:
    """The money of bets that left the round by these lines."""
    return tuple([BetEnded(line.bet, line.result, line.returned_cents) for line in lines])
