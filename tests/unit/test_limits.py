"""The limits of a table: which contradict each other, and what they leave of the stakes of a box."""

from __future__ import annotations

from typing import Any

import pytest

from punto.rules.differential import Limits, share
from punto.rules.money import MAX_CENTS, Cents
from punto.rules.reasons import Problem, ProblemError
from punto.rules.refusals import StakeInvalid
from punto.table import acts
from punto.table.limits import amount_to_add, boxes_over, minimum_for, refuse_chips
from punto.table.refusals import OverDifferential, StakeAboveMaximum
from punto.table.values import BetLimits
from tests.table_kit import DEALER, Play, patron


@pytest.mark.parametrize(
    ("minimum", "differential", "unit", "problem"),
    [
        (-1, 100, 1, Problem.LIMITS_NOT_POSITIVE),
        (0, 0, 1, Problem.LIMITS_NOT_POSITIVE),
        (0, 100, 1, Problem.LIMITS_NOT_POSITIVE),
        (1, 100, 0, Problem.LIMITS_NOT_POSITIVE),
        (1, 100, -1, Problem.LIMITS_NOT_POSITIVE),
        (101, 100, 1, Problem.MINIMUM_ABOVE_DIFFERENTIAL),
        (3, 100, 2, Problem.LIMITS_OFF_UNIT),
        (2, 101, 2, Problem.LIMITS_OFF_UNIT),
    ],
)
def test_limits_that_contradict_each_other(minimum: int, differential: int, unit: int, problem: Problem) -> None:
    with pytest.raises(ProblemError) as raised:
        Limits(Cents(minimum), Cents(differential), Cents(unit))
    assert raised.value.problem is problem


@pytest.mark.parametrize(
    ("total", "stakes", "unit", "shares"),
    [
        (100, [1, 1, 1], 1, [34, 33, 33]),  # what is left over goes to the first of equals
        (10, [1, 5, 4], 1, [1, 5, 4]),
        (11, [1, 5, 4], 1, [1, 6, 4]),  # and before that to the largest remainder
        (9, [1, 2, 4], 1, [1, 3, 5]),
        (17, [1, 1], 5, [10, 5]),
    ],
)
def test_shares_are_whole_units(total: int, stakes: list[int], unit: int, shares: list[int]) -> None:
    assert share(total, stakes, unit) == shares


# ------------------------------------------------------------------------------------------- at a table

SIDES = (BetLimits("tie", Cents(500), Cents(5_000)),)


@pytest.mark.parametrize(("on", "unit"), [("player-pair", 1), ("player-pair", 100), ("banker-pair", 1)])
def test_a_bet_without_a_limit_or_with_one_that_is_no_amount_leaves_every_amount(on: str, unit: int) -> None:
    play = Play("commission", unit_cents=unit, sides=(BetLimits("banker-pair", Cents(unit), Cents(MAX_CENTS)),))
    accepted = (unit, MAX_CENTS - unit, unit, StakeInvalid, StakeInvalid, None)
    assert amount_to_add(play.state, on, 0) == accepted


@pytest.mark.parametrize("cents", [0, -100, MAX_CENTS, True, 100.0])
def test_an_amount_is_a_whole_number_of_cents(cents: Any) -> None:
    play = Play("commission", unit_cents=1)
    assert refuse_chips(play.state, "banker", cents) == StakeInvalid("banker", cents, rule="3.5")
    assert refuse_chips(play.state, "banker", MAX_CENTS - 1) is None


def test_where_both_limits_are_alike_the_own_one_of_the_bet_is_named() -> None:
    play = Play("commission", sides=SIDES)
    most = amount_to_add(play.state, "tie", 0, 5_000, OverDifferential)
    assert (most.maximum_cents, most.above) == (5_000, StakeAboveMaximum)


def test_a_side_bet_without_limits_has_no_minimum() -> None:
    play = Play("commission", sides=SIDES)
    found = {on: minimum_for(play.sheet, play.settings, on) for on in ("banker", "tie", "player-pair")}
    assert found == {"banker": 2_500, "tie": 500, "player-pair": 0}


def table(*sits: str, stands: tuple[str, ...] = (), **settings: Any) -> Play:
    play = Play("commission", live=True, **settings).sit(*sits)
    for name in stands:
        play.do(acts.Stand(patron(name), name, 1))
    return play


def given_back(play: Play) -> list[tuple[str, int]]:
    """What goes back when chips over the Differential are seen in time."""
    return [(each.bet.patron, each.returned_cents) for each in play.of(acts.BetDisplaced, play.report("excess-bets"))]


def recorded(stakes: dict[str, int], **settings: Any) -> Play:
    """Ann sits, the others stand; chips on Banker as the Dealer records them, in this order."""
    others = tuple(name for name in stakes if name != "ann")
    play = table("ann", stands=others, **settings).open()
    for name, stake in stakes.items():
        play.do(acts.RecordBet(DEALER, name, 1, "banker", Cents(stake)))
    return play


@pytest.mark.parametrize(
    ("stakes", "back"),
    [
        ({"bo": 50_000, "ann": 50_000, "cy": 50_000}, [("cy", 50_000)]),  # the newest standing bet first
        ({"ann": 50_000, "bo": 50_000, "cy": 30_000}, [("cy", 30_000)]),
        ({"ann": 50_000, "bo": 50_000, "cy": 20_000, "di": 10_000}, [("di", 10_000), ("cy", 20_000)]),
        ({"ann": 50_000, "bo": 60_000}, [("bo", 10_000)]),  # only as much as is over
        ({"ann": 120_000, "bo": 10_000}, [("bo", 10_000), ("ann", 20_000)]),  # the sitter last
        ({"ann": 90_000, "bo": 12_500}, [("bo", 2_500)]),
        ({"ann": 97_500, "bo": 5_000}, [("bo", 2_500)]),  # the minimum is left
        ({"ann": 97_600, "bo": 5_000}, [("bo", 5_000)]),  # less would be left: the whole bet goes back
    ],
)
def test_commission_5_1_which_bets_give_way(stakes: dict[str, int], back: list[tuple[str, int]]) -> None:
    play = recorded(stakes)
    assert boxes_over(play.state) == [1]
    assert given_back(play) == back
    assert boxes_over(play.state) == []
