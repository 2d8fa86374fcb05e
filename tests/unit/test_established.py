"""Outcome established: which bets are decided before the last card is dealt."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from punto.rules.cards import DECK, Card, parse_cards
from punto.rules.established import BetStatus, established
from punto.rules.loader import GAMES, load
from punto.rules.outcome import Outcome
from punto.rules.sheet import Sheet

ONE_OF_EACH_RANK = DECK[:13]


def finished(cards: tuple[Card, ...]) -> Iterator[tuple[list[Card], list[Card]]]:
    """Every way these cards may end, one card of each rank at a time, by a drawing rule written out here again."""
    if len(cards) < 4:
        for card in ONE_OF_EACH_RANK:
            yield from finished((*cards, card))
        return
    player, banker = [cards[0], cards[2]], [cards[1], cards[3]]
    p, b = (sum(card.points for card in hand) % 10 for hand in (player, banker))
    if max(p, b) >= 8:
        yield player, banker
    elif p >= 6:
        if b >= 6:
            yield player, banker
        else:
            for card in cards[4:5] or ONE_OF_EACH_RANK:
                yield player, [*banker, card]
    else:
        for card in cards[4:5] or ONE_OF_EACH_RANK:
            third = card.points
            lowest = {0: 0, 1: 0, 2: 0, 3: 0, 4: 2, 5: 4, 6: 6, 7: 99}[b]
            draws = b <= 2 or (b == 3 and third != 8) or (b > 3 and lowest <= third <= 7)
            if not draws:
                yield [*player, card], banker
                continue
            for last in cards[5:6] or ONE_OF_EACH_RANK:
                yield [*player, card], [*banker, last]


def by_enumeration(sheet: Sheet, cards: tuple[Card, ...]) -> dict[str, set[str]]:
    codes: dict[str, set[str]] = {bet: set() for bet in sheet.bets}
    for player, banker in finished(cards):
        index = Outcome.of(player, banker).index
        for bet in sheet.bets.values():
            codes[bet.id].add({0: "lost", 1: "returned"}.get(bet.payoffs[index], "won"))
    return codes


def random_start(random_: random.Random, most: int) -> tuple[Card, ...]:
    cards = tuple(random_.choices(DECK, k=4))
    player, banker = next(iter(finished(cards)))
    extra = random_.randrange(0, len(player) + len(banker) - 4 + 1)
    return (*cards, *random_.choices(DECK, k=min(extra, 1)))[: random_.randrange(most + 1)]


@pytest.mark.parametrize("game", GAMES)
def test_completing_by_hand_kinds_agrees_with_dealing_every_card(game: str) -> None:
    sheet = load(game)
    random_ = random.Random(game)
    starts = [start for start in (random_start(random_, 5) for _ in range(120)) if len(start) >= 3]
    assert {len(start) for start in starts} == {3, 4, 5}
    for cards in starts:
        found = {bet: {each.value} for bet, each in established(sheet, cards).items()}
        wanted = {bet: codes if len(codes) == 1 else {"open"} for bet, codes in by_enumeration(sheet, cards).items()}
        assert found == wanted, cards


@pytest.mark.parametrize("game", GAMES)
def test_a_closed_card_may_be_any_card(game: str) -> None:
    sheet = load(game)
    random_ = random.Random(f"{game} closed")
    for _ in range(12):
        cards = tuple(random_.choices(DECK, k=4))
        place = random_.randrange(4)
        found = established(sheet, (*cards[:place], None, *cards[place + 1 :]))
        wanted: dict[str, set[str]] = {bet: set() for bet in sheet.bets}
        for card in ONE_OF_EACH_RANK:
            for bet, codes in by_enumeration(sheet, (*cards[:place], card, *cards[place + 1 :])).items():
                wanted[bet] |= codes
        assert {bet: {each.value} for bet, each in found.items()} == {
            bet: codes if len(codes) == 1 else {"open"} for bet, codes in wanted.items()
        }, (cards, place)


def test_a_third_card_counts_though_the_one_before_it_is_closed() -> None:
    four = parse_cards("2s 2h Kd Kc")
    found = established(load("da-hu-ying-xiong"), (*four, None, *parse_cards("5d")))
    assert found["tiger"] is BetStatus.LOST, "Banker has 7 whatever Player's third card is"


def test_cards_beyond_a_complete_round_are_a_bug_of_the_caller() -> None:
    with pytest.raises(ValueError, match="complete after 4 cards"):
        established(load("commission"), parse_cards("9s 2h Kd 5c 4c"))
