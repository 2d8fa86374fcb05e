"""Insurance: when it is on offer, the rows that make sense, and what is not a window."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import product

import pytest

from punto.rules.hands import Hand
from punto.rules.insurance import Insurance, InsuranceBet, Offer, Window, maximum_insurance
from punto.rules.loader import load
from punto.rules.money import Odds
from punto.rules.reasons import Problem, ProblemError
from tests.rulebook.tables import cards, each_insurance_state


def row(window: str, player: Iterable[int], banker: Iterable[int], hand: Hand = Hand.BANKER) -> Offer:
    return Offer(Window(window), hand, frozenset(player), frozenset(banker), Odds.parse("3:1"), "4")


def insurance() -> Insurance:
    found = load("da-hu-ying-xiong").insurance
    assert found is not None
    return found


def test_a_row_can_be_on_offer_where_a_card_is_still_to_come() -> None:
    reached = {(window, player, banker) for window, _, player, banker, to_come in each_insurance_state() if to_come}
    for window, player, banker in product(Window, range(10), range(10)):
        assert row(window, [player], [banker]).can_be_on_offer == ((window, player, banker) in reached)


def test_one_of_the_points_of_a_row_is_enough() -> None:
    assert row("four-cards", [5, 8], [6]).can_be_on_offer
    assert row("player-third", [3, 2], [6]).can_be_on_offer
    assert not row("four-cards", [8, 9], [6]).can_be_on_offer
    assert not row("four-cards", [], [6]).can_be_on_offer


def test_nothing_is_on_offer_before_four_cards_or_after_the_last() -> None:
    for count in range(4):
        for shown in product("A36789K", repeat=count):
            assert insurance().offers(cards(" ".join(shown))) == {}
    for finished in ("9 2 K 5", "6 K K 5 4", "5 K 6 6 9", "5 K 6 6 6 2"):
        assert insurance().offers(cards(finished)) == {}


PLAYERS, BANKERS = InsuranceBet("p", "P", Hand.PLAYER), InsuranceBet("b", "B", Hand.BANKER)


@pytest.mark.parametrize(
    "bets",
    [(), (PLAYERS,), (PLAYERS, replace(BANKERS, hand=Hand.PLAYER)), (PLAYERS, replace(BANKERS, id="p"))],
)
def test_there_is_one_insurance_bet_on_each_hand_with_an_id_of_its_own(bets: tuple[InsuranceBet, ...]) -> None:
    rows = (row("four-cards", [1], [6]),)
    for order in ((PLAYERS, BANKERS), (BANKERS, PLAYERS)):
        assert Insurance(order, rows, "1", "2", "3", "4", "5", "6", "player").bets == order
    with pytest.raises(ProblemError) as caught:
        Insurance(bets, rows, "1", "2", "3", "4", "5", "6", "player")
    assert caught.value.problem is Problem.INSURANCE_BETS


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ((), Problem.INSURANCE_EMPTY),
        ((row("four-cards", [8], [9]),), Problem.INSURANCE_UNREACHABLE),
        ((row("four-cards", [0, 1], [5]), row("four-cards", [1], [5, 6])), Problem.INSURANCE_ROWS_OVERLAP),
    ],
)
def test_rows_that_make_no_sense(rows: tuple[Offer, ...], problem: Problem) -> None:
    with pytest.raises(ProblemError) as caught:
        Insurance((PLAYERS, BANKERS), rows, "1", "2", "3", "4", "5", "6", "player")
    assert caught.value.problem is problem


@pytest.mark.parametrize(
    ("original", "odds", "taken", "most"),
    [
        (10_000, "3:1", [], 3_333),
        (10_000, "1.5:1", [], 6_666),
        (10_000, "1:2", [], 20_000),
        (10_000, "3:1", [(1_000, "3:1"), (2_000, "1.5:1")], 1_333),
        (10_000, "2:1", [(6_666, "1.5:1")], 0),
        (10_000, "2:1", [(6_667, "1.5:1")], -1),
    ],
)
def test_all_insurance_together_pays_no_more_than_the_original_bet(
    original: int, odds: str, taken: list[tuple[int, str]], most: int
) -> None:
    so_far = [(stake, Odds.parse(each)) for stake, each in taken]
    assert maximum_insurance(original, Odds.parse(odds), so_far) == most
