"""Dealing by the Table of Play: how many cards a round takes, who gets them, and what is said of a card too few."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from punto.rules.cards import Card
from punto.rules.hands import Hand
from punto.rules.reasons import DrawCode, DrawReason
from punto.rules.refusals import CardCopies, CardMissing, CardTooMany, Refusal
from punto.rules.tableau import (
    DealRules,
    banker_always_draws,
    banker_draws,
    cards_in_round,
    deal,
    draw_reason,
    fewest_to_come,
    hand_counts,
    player_draws,
)
from tests.rulebook.tables import cards, draws, each_start

RULES = DealRules("four", "alone", "table", "decks")


def on_table(text: str) -> list[Card | None]:
    """Cards in dealing order, of which `?` is closed."""
    return [None if name == "?" else cards(name)[0] for name in text.split()]


def dealt(player: int, banker: int) -> Iterator[tuple[Card, ...]]:
    """Four cards with these two-card totals, each made in two ways."""
    for second in (0, 7):
        for fourth in (0, 3):
            worth = [(player - second) % 10, (banker - fourth) % 10, second, fourth]
            yield cards(" ".join("TA23456789"[value] for value in worth))


def test_who_draws_for_every_total_and_third_card() -> None:
    for player, banker in each_start():
        assert player_draws(player, banker) == (draws(player, banker) == "player")
        assert banker_draws(player, banker, None) == (max(player, banker) < 8 and banker <= 5)
        for third in range(10):
            natural = max(player, banker) >= 8
            assert banker_draws(player, banker, third) == (not natural and draws(0, banker, third) == "banker")


def test_where_banker_draws_whatever_player_draws() -> None:
    for player, banker in each_start():
        expected = draws(player, banker) == "player"
        expected = expected and all(draws(player, banker, third) == "banker" for third in range(10))
        for four in dealt(player, banker):
            assert banker_always_draws(four) == expected
            assert banker_always_draws((*four, *cards("9 8"))) == expected, "later cards make no difference"
            assert not banker_always_draws(four[:3])


@pytest.mark.parametrize(
    ("shoe", "taken"),
    [
        ("", 0),
        ("9 9", 2),
        ("9 9 K K", 4),
        ("9 9 K K 2 3", 4),
        ("6 K K 6 2 3", 4),
        ("6 K K 5 2 3", 5),
        ("2 K 3 7 5 6", 5),
        ("2 K 3 3 8 6", 5),
        ("2 K 3 3 9 6 2", 6),
    ],
)
def test_the_cards_of_a_round_in_the_order_they_left_the_shoe(shoe: str, taken: int) -> None:
    assert cards_in_round(cards(shoe)) == taken


@pytest.mark.parametrize(
    ("shown", "fewest"),
    [
        ("", 4),
        ("9", 3),
        ("9 9 K", 1),
        ("? ?", 2),
        ("9 9 K K", 0),
        ("6 K K 6", 0),
        ("6 K K 5", 1),
        ("6 K K 5 2", 0),
        ("6 K K 2 ?", 0),
        ("2 K 3 7", 1),
        ("2 K 3 3", 1),
        ("2 K 3 2", 2),
        ("2 K 3 3 8", 0),
        ("2 K 3 3 9", 1),
        ("2 K 3 3 ?", 0),
        ("2 K 3 2 ?", 1),
        ("2 K 3 2 ? ?", 0),
        ("2 K 3 2 8 5", 0),
        ("2 K 3 2 8 ?", 0),
        ("? K 3 2", 0),
        ("2 K 3 ?", 0),
    ],
)
def test_how_many_cards_must_still_come_whatever_they_are(shown: str, fewest: int) -> None:
    assert fewest_to_come(on_table(shown)) == fewest


@pytest.mark.parametrize(
    ("shown", "player", "banker"),
    [
        ("", (0, 3), (0, 3)),
        ("9", (1, 3), (0, 3)),
        ("9 9 K", (2, 2), (1, 2)),
        ("6 9 K", (2, 2), (1, 3)),
        ("5 9 K", (2, 3), (1, 3)),
        ("? 9 2", (2, 3), (1, 3)),
        ("9 9 K K", (2, 2), (2, 2)),
        ("6 K K 7", (2, 2), (2, 2)),
        ("6 K K 5", (2, 2), (2, 3)),
        ("6 K K 5 9", (2, 2), (3, 3)),
        ("6 K K 5 ?", (2, 2), (3, 3)),
        ("2 K 3 7", (2, 3), (2, 2)),
        ("2 K 3 6", (2, 3), (2, 3)),
        ("2 K 3 6 5", (3, 3), (2, 2)),
        ("2 K 3 6 6", (3, 3), (2, 3)),
        ("2 K 3 6 ?", (3, 3), (2, 3)),
        ("2 K 3 7 ?", (3, 3), (2, 2)),
        ("2 K 3 6 6 A", (3, 3), (3, 3)),
        ("2 K 3 2 ? ?", (3, 3), (3, 3)),
        ("? K K 9", (2, 2), (2, 2)),
        ("? K K 7", (2, 3), (2, 2)),
        ("8 K K ?", (2, 2), (2, 2)),
        ("7 K K ?", (2, 2), (2, 3)),
        ("? ? ? ?", (2, 3), (2, 3)),
    ],
)
def test_how_many_cards_each_hand_may_have(shown: str, player: tuple[int, int], banker: tuple[int, int]) -> None:
    found = hand_counts(on_table(shown))
    assert {hand: (counts[0], counts[-1]) for hand, counts in found.items()} == {
        Hand.PLAYER: player,
        Hand.BANKER: banker,
    }


@pytest.mark.parametrize(
    ("shown", "given"),
    [
        ("", DrawReason(DrawCode.INITIAL_CARDS)),
        ("2 K 3", DrawReason(DrawCode.INITIAL_CARDS)),
        ("2 A 6 3", DrawReason(DrawCode.NOBODY_DRAWS, 8, 4)),
        ("2 6 A 3", DrawReason(DrawCode.NOBODY_DRAWS, 3, 9)),
        ("2 A 3 6", DrawReason(DrawCode.PLAYER_DRAWS, 5, 7)),
        ("2 A 3 3 2", DrawReason(DrawCode.PLAYER_DREW_BANKER_DRAWS, 5, 4, 2)),
        ("2 A 3 3 A", DrawReason(DrawCode.PLAYER_DREW_BANKER_STANDS, 5, 4, 1)),
        ("2 A 4 4", DrawReason(DrawCode.PLAYER_STANDS_BANKER_DRAWS, 6, 5)),
        ("2 A 4 4 9", DrawReason(DrawCode.PLAYER_STOOD_BANKER_DREW, 6, 5)),
        ("2 A 5 5", DrawReason(DrawCode.PLAYER_STANDS_BANKER_STANDS, 7, 6)),
        ("2 A 3 3 2 9", DrawReason(DrawCode.BOTH_DREW)),
    ],
)
def test_the_reason_for_the_next_card_or_none(shown: str, given: DrawReason) -> None:
    assert draw_reason(cards(shown)) == given


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
