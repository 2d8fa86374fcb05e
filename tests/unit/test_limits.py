"""The limits of a table: which contradict each other, and what they leave of the stakes of a box."""

from __future__ import annotations

import pytest

from punto.rules.differential import Limits, pro_rata, share
from punto.rules.money import Cents
from punto.rules.reasons import Problem, ProblemError


@pytest.mark.parametrize(
    ("minimum", "differential", "unit", "problem"),
    [
        (-1, 100, 1, Problem.LIMITS_NOT_POSITIVE),
        (0, 0, 1, Problem.LIMITS_NOT_POSITIVE),
        (0, 100, 0, Problem.LIMITS_NOT_POSITIVE),
        (0, 100, -1, Problem.LIMITS_NOT_POSITIVE),
        (101, 100, 1, Problem.MINIMUM_ABOVE_DIFFERENTIAL),
        (3, 100, 2, Problem.LIMITS_OFF_UNIT),
        (2, 101, 2, Problem.LIMITS_OFF_UNIT),
    ],
)
def test_limits_that_contradict_each_other(minimum: int, differential: int, unit: int, problem: Problem) -> None:
    with pytest.raises(ProblemError) as raised:
        Limits(Cents(minimum), Cents(differential), Cents(unit))
    assert raised.value.problem is problem


def test_limits_at_their_bounds() -> None:
    """No minimum at all, a minimum that is the Differential, and the smallest Differential there is."""
    assert Limits(Cents(0), Cents(1)).unit_cents == 1
    assert Limits(Cents(100), Cents(100), Cents(100)).minimum_cents == 100


@pytest.mark.parametrize(
    ("stakes", "light", "in_play"),
    [
        ([600, 600], 0, [500, 500]),
        ([600, 600], 100, [550, 550]),
        ([99, 1_101], 0, [99, 901]),  # one below the minimum stays whole
        ([100, 1_400], 0, [100, 900]),  # one that would fall below it is set to it
        ([100] * 11, 0, [100] * 11),  # all are at the minimum: nothing can give way
        ([101, 101, 2_798], 0, [100, 100, 800]),
    ],
)
def test_pro_rata(stakes: list[int], light: int, in_play: list[int]) -> None:
    assert pro_rata(stakes, light, Limits(Cents(100), Cents(1_000))) == in_play


@pytest.mark.parametrize(
    ("total", "stakes", "unit", "shares"),
    [
        (100, [1, 1, 1], 1, [34, 33, 33]),  # what is left over goes to the first of equals
        (10, [1, 5, 4], 1, [1, 5, 4]),
        (11, [1, 5, 4], 1, [1, 6, 4]),  # and before that to the largest remainder
        (17, [1, 1], 5, [10, 5]),
    ],
)
def test_shares_are_whole_units(total: int, stakes: list[int], unit: int, shares: list[int]) -> None:
    assert share(total, stakes, unit) == shares
