"""Settling a round: the amounts that can be bet, the rows of a settlement, and what refuses insurance."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from punto.rules.cards import parse_cards
from punto.rules.differential import Limits
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.loader import load
from punto.rules.money import MAX_CENTS, Cents
from punto.rules.refusals import InsuranceHandNotOnOffer, InsuranceOverCap, StakeInvalid
from punto.rules.settlement import Bet, Settlement, settle

PLAYER_1_BANKER_6 = parse_cards("5h Kd 6s 6c 9h")
"""Player has 1 and draws a 9; Banker has 6 and wins."""
TIGER = "da-hu-ying-xiong"


def bet(on: str, stake: Any, window: Window | None = None, *, patron: str = "ann") -> Bet:
    return Bet(1, patron, on, Cents(stake), window)


def settled(*bets: Bet, game: str = TIGER, limits: Limits | None = None) -> Settlement:
    answer = settle(load(game), PLAYER_1_BANKER_6, bets, limits=limits)
    assert isinstance(answer, Settlement)
    return answer


@pytest.mark.parametrize("stake", [0, -1, MAX_CENTS, True, 0.5, 100.0])
def test_a_stake_that_is_no_whole_number_of_cents_that_can_be_bet_is_refused(stake: Any) -> None:
    for game, rule in (("commission", "3.5"), ("gallery/baccarat", None)):
        answer = settle(load(game), PLAYER_1_BANKER_6, [bet("player", stake)])
        assert answer == StakeInvalid("player", stake, rule=rule)


@pytest.mark.parametrize("stake", [1, MAX_CENTS - 1])
def test_the_least_and_the_most_that_can_be_bet(stake: int) -> None:
    assert settled(bet("player", stake)).house_cents == stake


def test_a_hand_that_is_not_on_offer_is_refused_by_the_paragraph_of_the_first_row() -> None:
    sheet = load(TIGER)
    assert sheet.insurance is not None
    rows = (replace(sheet.insurance.rows[0], rule="first"), *sheet.insurance.rows[1:])
    sheet = replace(sheet, insurance=replace(sheet.insurance, rows=rows))
    bets = [bet("player", 9_000), bet("player-insurance", 3_000, Window.FOUR_CARDS)]
    answer = settle(sheet, PLAYER_1_BANKER_6, bets)
    assert answer == InsuranceHandNotOnOffer("player-insurance", (Hand.BANKER,), rule="first")


@pytest.mark.parametrize(
    ("first", "second", "most"),
    [(1_000, 1_100, 1_000), (1_001, 1_000, 999), (4_500, 1, 0), (5_000, 100, 0)],
)
def test_insurance_over_the_cap_in_both_windows_is_told_at_the_higher_odds(first: int, second: int, most: int) -> None:
    """`da-hu-ying-xiong` 3.12.2: Banker has 5 against 4, and insurance pays 2:1; Player draws a 7, and it pays 7:1."""
    windows = [(first, Window.FOUR_CARDS), (second, Window.PLAYER_THIRD)]
    bets = [bet("banker", 9_000), *[bet("banker-insurance", *each) for each in windows]]
    answer = settle(load(TIGER), parse_cards("4h 5d Ks Kc 7h 2s"), bets)
    cents = (Cents(9_000), Cents(second), Cents(most))
    assert answer == InsuranceOverCap(Hand.BANKER, "7:1", *cents, 1, "ann", rule="3.12.2")


def test_commission_5_1_1_who_sits_at_another_box_stands_at_this_one() -> None:
    """The odd cent goes to the first in seat order, and then by name: zoe's seat is at box 2."""
    bets = [
        Bet(1, "ann", "player", Cents(1_000)),
        Bet(1, "zoe", "player", Cents(1_000)),
        Bet(2, "zoe", "player", Cents(100), seated=True),
    ]
    answer = settle(load("commission"), PLAYER_1_BANKER_6, bets, limits=Limits(Cents(100), Cents(1_001)))
    assert isinstance(answer, Settlement)
    assert [line.in_play_cents for line in answer.lines] == [501, 500, 100]
