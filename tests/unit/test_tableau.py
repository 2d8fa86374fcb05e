"""Dealing by the Table of Play: how many cards a round takes, who gets them, and what is said of a card too few."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from punto.rules.cards import DECK, Card
from punto.rules.established import fewest_to_come, hand_counts
from punto.rules.hands import Hand
from punto.rules.reasons import DrawCode, DrawReason
from punto.rules.refusals import CardCopies, CardMissing, CardTooMany, Refusal
from punto.rules.tableau import DealRules, banker_always_draws, cards_in_round, deal
from tests.rulebook.tables import cards, draws, each_start

RULES = DealRules("four", "alone", "table", "decks")


def dealt(player: int, banker: int) -> Iterator[tuple[Card, ...]]:
    """Four cards with these two-card totals, each made in two ways."""
    for second in (0, 7):
        for fourth in (0, 3):
            worth = [(player - second) % 10, (banker - fourth) % 10, second, fourth]
            yield cards(" ".join("TA23456789"[value] for value in worth))


def test_where_banker_draws_whatever_player_draws() -> None:
    for player, banker in each_start():
        expected = draws(player, banker) == "player"
        expected = expected and all(draws(player, banker, third) == "banker" for third in range(10))
        for four in dealt(player, banker):
            assert banker_always_draws(four) == expected
            assert banker_always_draws((*four, *cards("9 8"))) == expected, "later cards make no difference"
            assert not banker_always_draws(four[:3])


def endings(shown: list[Card | None]) -> set[tuple[int, int]]:
    """The numbers of cards of both hands with which a round that shows these cards may end, by the printed table."""
    totals = [
        range(10) if None in hand or len(hand) < 2 else [sum(card.points for card in hand if card) % 10]
        for hand in (shown[0:4:2], shown[1:4:2])
    ]
    third = shown[4] if len(shown) > 4 else None
    found = set()
    for player, banker in product(*totals):
        if draws(player, banker) == "player":
            thirds = [third.points] if third else range(10)
            found |= {(3, 3 if draws(player, banker, each) == "banker" else 2) for each in thirds}
        else:
            found.add((2, 3 if draws(player, banker) == "banker" else 2))
    return {each for each in found if sum(each) >= len(shown)}


def test_what_may_still_come_whatever_closed_cards_are() -> None:
    """Third cards follow only four open ones."""
    chance = Random(3)
    for _ in range(4_000):
        order = chance.choices(DECK, k=6)
        length = chance.randint(0, cards_in_round(order))
        closed = chance.random() < 0.5
        shown = [None if closed and (length < 5 or place > 3) and chance.random() < 0.5 else card
                 for place, card in enumerate(order[:length])]  # fmt: skip
        ends = endings(shown)
        assert fewest_to_come(shown) == min(map(sum, ends)) - length, shown
        player, banker = (sum(card.points for card in order[first:4:2]) % 10 for first in (0, 1))
        fifth = (3, 2) if draws(player, banker) == "player" else (2, 3)
        has = (-(-length // 2), length // 2) if length < 5 else fifth if length == 5 else (3, 3)
        expected = {hand: range(has[place], max(each[place] for each in ends) + 1) for place, hand in enumerate(Hand)}
        assert hand_counts(shown) == expected, shown


@pytest.mark.parametrize(
    ("shown", "refusal"),
    [
        ("", CardMissing(1, Hand.PLAYER, DrawReason(DrawCode.INITIAL_CARDS), rule="four")),
        ("2 A 3", CardMissing(4, Hand.BANKER, DrawReason(DrawCode.INITIAL_CARDS), rule="four")),
        ("2 A 3 6", CardMissing(5, Hand.PLAYER, DrawReason(DrawCode.PLAYER_DRAWS, 5, 7), rule="table")),
        ("2 A 4 4", CardMissing(5, Hand.BANKER, DrawReason(DrawCode.PLAYER_STANDS_BANKER_DRAWS, 6, 5), rule="alone")),
        (
            "2 A 3 3 2",
            CardMissing(6, Hand.BANKER, DrawReason(DrawCode.PLAYER_DREW_BANKER_DRAWS, 5, 4, 2), rule="table"),
        ),
        (
            "2 A 3 3 A 5",
            CardTooMany(6, "5h", "5h", DrawReason(DrawCode.PLAYER_DREW_BANKER_STANDS, 5, 4, 1), rule="table"),
        ),
        ("2 A 6 3 5", CardTooMany(5, "5s", "5s", DrawReason(DrawCode.NOBODY_DRAWS, 8, 4), rule="table")),
        ("2 6 5 3 5", CardTooMany(5, "5s", "5s", DrawReason(DrawCode.NOBODY_DRAWS, 7, 9), rule="table")),
        (
            "2 A 4 4 9 5 6",
            CardTooMany(6, "5h", "5h 6d", DrawReason(DrawCode.PLAYER_STOOD_BANKER_DREW, 6, 5), rule="alone"),
        ),
        (
            "2 A 5 5 9 5",
            CardTooMany(5, "9s", "9s 5h", DrawReason(DrawCode.PLAYER_STANDS_BANKER_STANDS, 7, 6), rule="alone"),
        ),
        ("2 A 3 3 2 9 7", CardTooMany(7, "7d", "7d", DrawReason(DrawCode.BOTH_DREW), rule="table")),
        ("Ks Ks Ks Ks 9h 9h", CardCopies("Ks", 4, 3, rule="decks")),
    ],
)
def test_cards_that_are_no_round_are_refused_with_place_reason_and_paragraph(shown: str, refusal: Refusal) -> None:
    assert deal(cards(shown), 3, RULES) == refusal
