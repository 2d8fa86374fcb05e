"""The most that the House can lose in a round, against every finished round that the cards allow."""

from __future__ import annotations

from random import Random

import pytest

from punto.rules.cards import DECK, Card, parse_cards
from punto.rules.exposure import most_to_lose
from punto.rules.insurance import Window
from punto.rules.loader import GAMES, load
from punto.rules.money import Cents
from punto.rules.settlement import Bet, Settlement, settle
from punto.rules.sheet import Sheet
from punto.rules.tableau import next_hand


def worst(sheet: Sheet, cards: tuple[Card, ...], bets: list[Bet]) -> int:
    """The worst result by settling every round that can follow, one card of each rank at a time."""
    if next_hand(cards) is None:
        settled = settle(sheet, cards, bets)
        assert isinstance(settled, Settlement)
        return -settled.house_cents
    return max(worst(sheet, (*cards, card), bets) for card in DECK if card.suit == "h")


@pytest.mark.parametrize("game", GAMES)
def test_it_is_the_worst_of_all_rounds_that_can_follow(game: str) -> None:
    sheet, chance = load(game), Random(1)
    for _ in range(12):
        cards = tuple(chance.sample([card for card in DECK if card.suit != "h"], chance.choice([3, 4, 4, 4])))
        if len(cards) == 4 and next_hand(cards) is None:
            continue
        some = chance.sample(list(sheet.bets), chance.randint(1, len(sheet.bets)))
        bets = [Bet(1, "ann", on, Cents(chance.randint(1, 99) * 100)) for on in some]
        expected = max(0, worst(sheet, cards, bets))
        assert most_to_lose(sheet, cards, bets, [bet.stake_cents for bet in bets]) == expected


def test_insurance_counts_with_the_bet_it_insures() -> None:
    sheet = load("da-hu-ying-xiong")
    cards = parse_cards("2h 3h Ks 4s")  # Player 2, Banker 7
    assert sheet.insurance is not None
    [(hand, offer)] = sheet.insurance.offers(cards).items()
    insuring = next(bet.id for bet in sheet.insurance_bets.values() if bet.hand is hand)
    original = next(bet.id for bet in sheet.bets.values() if bet.hand is hand)
    bets = [Bet(1, "ann", original, Cents(10_000)), Bet(1, "ann", insuring, Cents(1_000), Window.FOUR_CARDS)]
    lost = offer.odds.pays(1_000) - 10_000
    won = max(0, lost, worst(sheet, cards, bets))
    assert most_to_lose(sheet, cards, bets, [10_000, 1_000]) == won


def test_a_closed_card_may_be_any_card() -> None:
    sheet = load("commission")
    bets = [Bet(1, "ann", "player", Cents(10_000)), Bet(1, "ann", "tie", Cents(1_000))]
    first, second, third, _ = parse_cards("9h 9d Ks Kd")
    stakes = [bet.stake_cents for bet in bets]
    assert most_to_lose(sheet, (first, second, third, None), bets, stakes) == 9_000  # Player wins, or both have 9
    assert most_to_lose(sheet, parse_cards("9h 9d Ks Kd"), bets, stakes) == 8_000
    assert most_to_lose(sheet, (), [], []) == 0
