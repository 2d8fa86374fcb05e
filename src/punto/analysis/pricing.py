"""The value of a bet: exact figures from the number of deals for each line of its pay table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from html import escape

import numpy as np
from numpy.typing import NDArray

from punto.analysis.counting import Counts, Distribution, sums_by_place
from punto.rules.bets import FIRST_PAY_LINE, LOSES, RETURNED, OfferedBet
from punto.rules.html import table_html
from punto.rules.outcome import SIZE
from punto.rules.sheet import Sheet
from punto.rules.shown import Shown


@dataclass(frozen=True, slots=True, repr=False)
class Price(Shown):
    """A bet's figures for one unit staked. `deals` counts the ordered deals of `total` by payoff byte.

    All figures are exact fractions but the standard deviation, which is a root.
    """

    bet: OfferedBet
    total: int
    deals: tuple[int, ...]

    @property
    def value(self) -> Fraction:
        """The patron's expected net."""
        return self._mean(self.bet.nets)

    @property
    def edge(self) -> Fraction:
        """The House's share of each unit staked: the negative of the patron's expected net."""
        return -self.value

    @property
    def hit(self) -> Fraction:
        """The probability that the bet wins on any pay line."""
        return Fraction(sum(self.deals[FIRST_PAY_LINE:]), self.total)

    @property
    def loses(self) -> Fraction:
        """The probability that the stake is lost."""
        return Fraction(self.deals[LOSES], self.total)

    @property
    def returned(self) -> Fraction:
        """The probability that the stake is returned."""
        return Fraction(self.deals[RETURNED], self.total)

    @property
    def lines(self) -> tuple[Fraction, ...]:
        """The probability of each pay line."""
        return tuple([Fraction(deals, self.total) for deals in self.deals[FIRST_PAY_LINE:]])

    @property
    def variance(self) -> Fraction:
        """The variance of the patron's net."""
        return self._mean([net * net for net in self.bet.nets]) - self.value**2

    @property
    def sd(self) -> float:
        """The standard deviation of the patron's net."""
        return math.sqrt(self.variance)

    def __str__(self) -> str:
        return f"{self.bet.id}: House edge {float(self.edge):.4%}, wins {float(self.hit):.4%}"

    def _repr_html_(self) -> str:
        return prices_html([self])

    def _mean(self, worth: Sequence[Fraction]) -> Fraction:
        # Whole numbers over one denominator, because adding fractions would reduce each of them.
        common = math.lcm(*[each.denominator for each in worth])
        parts = [deals * int(each * common) for deals, each in zip(self.deals, worth, strict=True)]
        return Fraction(sum(parts), self.total * common)


def prices_html(prices: Iterable[Price], title: str = "") -> str:
    """Prices as a table."""
    rows = [
        (f"<b>{escape(price.bet.name)}</b>", *[f"{float(share):.4%}" for share in shares], f"{price.sd:.4f}")
        for price in prices
        for shares in [(price.edge, price.hit, price.returned)]
    ]
    return table_html(("Bet", "House edge", "Wins", "Returned", "Std dev"), rows, title=title)


def price_sheet(sheet: Sheet, of: Distribution) -> dict[str, Price]:
    """Every original and side bet of a sheet, priced from one distribution."""
    bets = tuple(sheet.bets.values())
    classes = classes_of(tuple([bet.payoffs for bet in bets]))
    deals = classes.count(of.joint.reshape(-1))
    return {
        bet.id: Price(bet, of.total, by_code(bet, row, deals)) for bet, row in zip(bets, classes.codes, strict=True)
    }


def correlation(sheet: Sheet, first: str, second: str, of: Distribution) -> float:
    """The correlation between the nets of two bets of a sheet (by id) in one round; nan if a bet cannot vary."""
    bets = [sheet.bets[first], sheet.bets[second]]
    classes = classes_of(tuple([bet.payoffs for bet in bets]))
    deals = [int(count) for count in classes.count(of.joint.reshape(-1))]
    x, y = ([bet.nets[code] for code in row] for bet, row in zip(bets, classes.codes.tolist(), strict=True))

    def mean(worth: list[Fraction]) -> Fraction:
        return sum((each * count for each, count in zip(worth, deals, strict=True)), Fraction(0)) / of.total

    def covariance(one: list[Fraction], other: list[Fraction]) -> Fraction:
        return mean([a * b for a, b in zip(one, other, strict=True)]) - mean(one) * mean(other)

    spread = covariance(x, x) * covariance(y, y)
    return float(covariance(x, y)) / math.sqrt(spread) if spread else math.nan


@dataclass(frozen=True, slots=True, eq=False)
class Classes:
    """Classes of outcomes for some bets: outcomes with the same payoff bytes are one class.

    `codes` has a row for each bet and a column for each class; `class_of` has the class of each outcome.
    """

    codes: NDArray[np.uint8]
    class_of: Counts

    def count(self, table: Counts) -> Counts:
        """Sum a table over outcomes (or over another index of the payoffs) by class."""
        return sums_by_place(table, self.class_of, (self.codes.shape[1],))


@lru_cache(maxsize=64)
def classes_of(payoffs: tuple[bytes, ...], size: int = SIZE) -> Classes:
    """The classes that payoff tables of this size, one for each bet, distinguish."""
    table = np.frombuffer(b"".join(payoffs), np.uint8).reshape(len(payoffs), size)
    class_of = np.zeros(size, np.int64)
    for row in table:  # classes are in the order of their columns
        pairs = class_of * 256 + row
        class_of = (np.cumsum(np.bincount(pairs) > 0) - 1)[pairs]
    example = np.empty(class_of.max() + 1, np.int64)
    example[class_of] = np.arange(size)
    return Classes(table[:, example], class_of)


def by_code(bet: OfferedBet, codes: NDArray[np.uint8], deals: Counts) -> tuple[int, ...]:
    """Deals by payoff byte, from the byte and the deals of each class."""
    found = [0] * (FIRST_PAY_LINE + len(bet.pays))
    for code, count in zip(codes.tolist(), deals.tolist(), strict=True):
        found[code] += count
    return tuple(found)
