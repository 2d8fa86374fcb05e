"""Money: whole cents and exact odds, never floats.

Punto has one rounding rule: a payout is rounded **down** to the cent.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import NewType

from punto.rules.reasons import Problem, ProblemError, quoted

Cents = NewType("Cents", int)
"""An amount in cents."""

EXACT_CENTS = 2**53
"""Balances stay below this, so that programs that read JSON numbers as doubles get them exactly."""

MAX_CENTS = 10**13
"""Stakes and limits stay below this, so that every payout of the sheets is exact as a double too."""

_RATIO = re.compile(r"([0-9]+(?:\.[0-9]+)?):([0-9]+(?:\.[0-9]+)?)")


@dataclass(frozen=True, slots=True)
class Odds:
    """The payout of a winning bet for its stake, as an exact ratio: 0.95:1 is 19 for 20."""

    win: int
    stake: int
    text: str

    @classmethod
    def parse(cls, text: object) -> Odds:
        """Parse `12:1`, `1:2` or `0.95:1`. Raises ProblemError."""
        match = _RATIO.fullmatch(text) if isinstance(text, str) else None
        if not isinstance(text, str) or match is None:
            raise ProblemError(Problem.NOT_ODDS, quoted(text))
        win, stake = Fraction(match[1]), Fraction(match[2])
        if win <= 0 or stake <= 0:
            raise ProblemError(Problem.ODDS_NOT_POSITIVE, text)
        ratio = win / stake
        return cls(ratio.numerator, ratio.denominator, text)

    def pays(self, stake: int) -> Cents:
        """The payout on a winning stake, without the stake, rounded down to the cent."""
        return Cents(stake * self.win // self.stake)

    @property
    def exact(self) -> Fraction:
        """The payout for each unit staked."""
        return Fraction(self.win, self.stake)

    def __str__(self) -> str:
        return self.text


def money(cents: int) -> str:
    """Cents as text for people: 1,234.50."""
    sign = "-" if cents < 0 else ""
    whole, rest = divmod(abs(cents), 100)
    return f"{sign}{whole:,}.{rest:02d}"
