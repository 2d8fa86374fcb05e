"""The exact value of insurance: each offer at each pair of points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from punto.analysis.counting import STOOD, Counts, Distribution
from punto.rules.bets import Result
from punto.rules.insurance import Insurance, Offer, Window, may_be_offered
from punto.rules.outcome import Winner
from punto.rules.tableau import banker_draws, player_draws


@dataclass(frozen=True, slots=True, repr=False)
class InsuranceCell:
    """An insurance offer at a pair of points, and the ordered deals of `total` that reach it, by result."""

    offer: Offer
    player: int
    banker: int
    total: int
    wins: int
    returns: int
    loses: int

    def __repr__(self) -> str:
        value = "never" if self.value is None else f"{float(self.value):+.4%}"
        where = f"{self.offer.hand} {self.offer.window} at {self.player}-{self.banker}"
        return f"<InsuranceCell {where} for {self.offer.odds}: {value}>"

    @property
    def key(self) -> tuple[Window, int, int]:
        """The key of the offer in the sheet's table."""
        return self.offer.window, self.player, self.banker

    @property
    def deals(self) -> int:
        """The number of deals that reach this offer."""
        return self.wins + self.returns + self.loses

    @property
    def reached(self) -> Fraction:
        """The probability that a round reaches this offer."""
        return Fraction(self.deals, self.total)

    @property
    def win(self) -> Fraction | None:
        """The probability that the insurance wins when it is on offer; None if these cards cannot reach it."""
        return Fraction(self.wins, self.deals) if self.deals else None

    @property
    def push(self) -> Fraction | None:
        """The probability that it is returned."""
        return Fraction(self.returns, self.deals) if self.deals else None

    @property
    def lose(self) -> Fraction | None:
        """The probability that it loses."""
        return Fraction(self.loses, self.deals) if self.deals else None

    @property
    def value(self) -> Fraction | None:
        """The patron's expected net for each unit of insurance."""
        if not self.deals:
            return None
        return self.net / self.deals

    @property
    def net(self) -> Fraction:
        """The net in sum of one unit of insurance in every deal that reaches this offer."""
        return self.wins * self.offer.odds.exact - self.loses


def cells(insurance: Insurance, of: Distribution) -> list[InsuranceCell]:
    """Every insurance offer at every pair of points, in the order of the sheet's table."""
    ends = endings(of)
    return [
        cell_of(row, player, banker, ends.get((row.window, player, banker)), of.total)
        for row, player, banker in offers_of(insurance)
    ]


def offers_of(insurance: Insurance) -> Iterator[tuple[Offer, int, int]]:
    """Every row of the sheet's table at each pair of points at which a card may still be to come."""
    for row in insurance.rows:
        for player, banker in product(sorted(row.player), sorted(row.banker)):
            if may_be_offered(row.window, player, banker):
                yield row, player, banker


def endings(of: Distribution) -> dict[tuple[Window, int, int], Counts]:
    """The results of the deals that reach a window, by Player's and Banker's points in it, for any sheet."""
    ends: dict[tuple[Window, int, int], Counts] = {}
    for state in open_states(of):
        for window, player, ended in state.windows:
            key = window, player, state.banker
            ends[key] = ends.get(key, 0) + ended
    return ends


def cell_of(offer: Offer, player: int, banker: int, ended: Counts | None, total: int) -> InsuranceCell:
    """An offer at these points with its deals by winner, as in the last axis of a distribution's states."""
    deals = dict.fromkeys(Result, 0)
    if ended is not None:
        for winner, count in zip(Winner, ended.tolist(), strict=True):
            deals[offer.result(winner)] += count
    return InsuranceCell(offer, player, banker, total, deals[Result.WIN], deals[Result.RETURNED], deals[Result.LOSE])


@dataclass(frozen=True, slots=True, eq=False)
class PointsState:
    """Two-card points at which a card is still to come, with deals by winner: in total and by Player's third card."""

    player: int
    banker: int
    ended: Counts
    by_third: Counts

    @property
    def thirds(self) -> Iterator[tuple[int, Counts]]:
        """The third cards of Player after which Banker draws too: the second window."""
        if player_draws(self.player, self.banker):
            for third in range(STOOD):
                if banker_draws(self.player, self.banker, third):
                    yield third, self.by_third[third]

    @property
    def windows(self) -> Iterator[tuple[Window, int, Counts]]:
        """Each window that opens, with Player's points then."""
        yield Window.FOUR_CARDS, self.player, self.ended
        for third, ended in self.thirds:
            yield Window.PLAYER_THIRD, (self.player + third) % 10, ended


def open_states(of: Distribution) -> Iterator[PointsState]:
    """Every pair of two-card points at which a card is still to come."""
    for player, banker in product(range(10), range(10)):
        if may_be_offered(Window.FOUR_CARDS, player, banker):
            by_third = of.states[player, banker]
            yield PointsState(player, banker, by_third.sum(axis=0), by_third)
