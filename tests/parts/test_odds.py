"""Odds as exact ratios, payouts rounded down to the cent, and money as text."""

from __future__ import annotations

from fractions import Fraction

import pytest

from punto.rules.bets import LOSES, RETURNED, Payoff, Result
from punto.rules.money import Odds, money
from punto.rules.reasons import Problem, ProblemError


@pytest.mark.parametrize("text", ["", "1", "1:", ":1", "1:1:1", "-1:1", "1:-1", ".5:1", "1.:1", "one:1", 1, 0.95, None])
def test_what_is_no_ratio(text: object) -> None:
    with pytest.raises(ProblemError) as raised:
        Odds.parse(text)
    assert raised.value.problem is Problem.NOT_ODDS


@pytest.mark.parametrize("text", ["0:1", "0.0:1", "1:0", "0:0"])
def test_odds_of_nothing(text: str) -> None:
    with pytest.raises(ProblemError) as raised:
        Odds.parse(text)
    assert (raised.value.problem, raised.value.given) == (Problem.ODDS_NOT_POSITIVE, (text,))


def test_a_payout_is_rounded_down() -> None:
    commission = Odds.parse("0.95:1")
    assert (commission.win, commission.stake, commission.exact) == (19, 20, Fraction(19, 20))
    assert [commission.pays(stake) for stake in (1, 19, 20, 21)] == [0, 18, 19, 19]
    assert Odds.parse("1:2").pays(101) == 50
    assert Odds.parse("0.01:1").pays(100) == 1


def test_what_a_stake_comes_to() -> None:
    """A loss is the stake below zero; what is returned wins nothing; insurance shows its odds also when it loses."""
    odds = Odds.parse("3:1")
    nets = [Payoff(result, odds, "1").net_odds.pays(100) for result in Result]
    assert nets == [300, -100, 0]
    assert (LOSES, RETURNED) == (0, 1)


@pytest.mark.parametrize(
    ("cents", "text"),
    [
        (0, "0.00"),
        (1, "0.01"),
        (-1, "-0.01"),
        (99, "0.99"),
        (100, "1.00"),
        (-123_450, "-1,234.50"),
        (10**8, "1,000,000.00"),
    ],
)
def test_money_as_text(cents: int, text: str) -> None:
    assert money(cents) == text
