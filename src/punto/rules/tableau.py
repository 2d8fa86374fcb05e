"""The Baccarat Table of Play, and dealing a round by it. All five sheets share it, each with its own paragraphs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from punto.rules.cards import Card, most_copied, write_cards
from punto.rules.hands import NATURAL_POINTS, Cards, Hand, of_cards, point_total
from punto.rules.outcome import Outcome
from punto.rules.reasons import DrawCode, DrawReason
from punto.rules.refusals import CardCopies, CardMissing, CardTooMany, Refusal
from punto.rules.shown import Shown


def _points(printed: str) -> frozenset[int]:
    return frozenset(int(digit) for digit in printed.split("-"))


# Player's first two cards            Player's hand
PLAYER_DRAWS_ON = _points("0-1-2-3-4-5")
PLAYER_STANDS_ON = _points("6-7")
NEITHER_DRAWS_ON = NATURAL_POINTS  #  8-9, in either hand

# Banker's first two cards            Banker draws when Player's third card is worth
BANKER_DRAWS_ON = {
    0: _points("0-1-2-3-4-5-6-7-8-9"),
    1: _points("0-1-2-3-4-5-6-7-8-9"),
    2: _points("0-1-2-3-4-5-6-7-8-9"),
    3: _points("0-1-2-3-4-5-6-7-9"),
    4: _points("2-3-4-5-6-7"),
    5: _points("4-5-6-7"),
    6: _points("6-7"),
    7: frozenset[int](),
}

# When Player stands                  Banker draws
BANKER_DRAWS_ALONE_ON = _points("0-1-2-3-4-5")

INITIAL_CARDS = 4
PLAYER_THIRD_PLACE, BANKER_THIRD_PLACE = INITIAL_CARDS + 1, INITIAL_CARDS + 2
"""The places of the third cards, counted from 1, where both hands draw."""
INITIAL_ORDER = (Hand.PLAYER, Hand.BANKER, Hand.PLAYER, Hand.BANKER)


def player_draws(player: int, banker: int) -> bool:
    """True if Player draws, given the two-card totals of both hands."""
    return player in PLAYER_DRAWS_ON and banker not in NEITHER_DRAWS_ON


def banker_draws(player: int, banker: int, player_third: int | None) -> bool:
    """True if Banker draws, given both two-card totals and the points of Player's third card (None: Player stood)."""
    if player in NEITHER_DRAWS_ON or banker in NEITHER_DRAWS_ON:
        return False
    if player_third is None:
        return banker in BANKER_DRAWS_ALONE_ON
    return player_third in BANKER_DRAWS_ON[banker]


def banker_always_draws(cards: Sequence[Card]) -> bool:
    """True if Player draws after these four cards, and Banker draws whatever Player's third card is."""
    if len(cards) < INITIAL_CARDS:
        return False
    player, banker = point_total(cards[0:INITIAL_CARDS:2]), point_total(cards[1:INITIAL_CARDS:2])
    return player_draws(player, banker) and all(banker_draws(player, banker, third) for third in range(10))


def next_hand(cards: Sequence[Card]) -> Hand | None:
    """The hand that gets the next card after these cards in dealing order; None when the round is complete.

    The cards must follow the Table of Play; `deal` checks cards that come from outside.
    """
    dealt = len(cards)
    if dealt < INITIAL_CARDS:
        return INITIAL_ORDER[dealt]
    drawing, drawn = _drawing(cards), dealt - INITIAL_CARDS
    return drawing[drawn] if drawn < len(drawing) else None


def _drawing(cards: Sequence[Card]) -> tuple[Hand, ...]:
    """The hands that get third cards, in order. Banker's may be unknown until Player's is dealt."""
    player = (cards[0].points + cards[2].points) % 10
    banker = (cards[1].points + cards[3].points) % 10
    return _third_cards(player, banker, cards[INITIAL_CARDS].points if len(cards) > INITIAL_CARDS else None)


@cache
def _third_cards(player: int, banker: int, fifth: int | None) -> tuple[Hand, ...]:
    """The hands that get third cards, given both two-card totals and the points of the fifth card, if it is dealt."""
    if player_draws(player, banker):
        both = fifth is not None and banker_draws(player, banker, fifth)
        return (Hand.PLAYER, Hand.BANKER) if both else (Hand.PLAYER,)
    return (Hand.BANKER,) if banker_draws(player, banker, None) else ()


def cards_in_round(cards: Sequence[Card]) -> int:
    """The number of these cards, in the order they left the shoe, that a round takes."""
    return next((taken for taken in range(INITIAL_CARDS, len(cards)) if next_hand(cards[:taken]) is None), len(cards))


@dataclass(frozen=True, slots=True, repr=False)
class Round(Shown):
    """A finished round: the cards in dealing order, the two hands and the outcome. Its text is one line."""

    cards: Cards
    player: Cards
    banker: Cards
    outcome: Outcome

    def __str__(self) -> str:
        from punto.rules.notation import write_line

        return write_line(self)


@dataclass(frozen=True, slots=True)
class DealRules:
    """A sheet's paragraphs on the first four cards, Banker when Player stands, the Table of Play, and decks."""

    initial_cards: str | None = None
    third_card: str | None = None
    table_of_play: str | None = None
    decks: str | None = None

    def for_card(self, cards: Sequence[Card]) -> str | None:
        """The paragraph by which a card follows these cards, or does not."""
        if len(cards) < INITIAL_CARDS:
            return self.initial_cards
        player, banker = point_total(cards[0:INITIAL_CARDS:2]), point_total(cards[1:INITIAL_CARDS:2])
        stood = player in PLAYER_STANDS_ON and banker not in NEITHER_DRAWS_ON
        return self.third_card if stood else self.table_of_play


NO_RULES = DealRules()


def deal(cards: tuple[Card, ...], decks: int, rules: DealRules = NO_RULES) -> Round | Refusal:
    """The round of these cards in dealing order, or why they are not one complete round of such a shoe."""
    count = len(cards)
    if count < INITIAL_CARDS:
        return _missing(cards, INITIAL_ORDER[count], rules)
    drawing = _drawing(cards)
    complete = INITIAL_CARDS + len(drawing)
    if count < complete:
        return _missing(cards, drawing[count - INITIAL_CARDS], rules)
    if count > complete:
        dealt, extra = cards[:complete], write_cards(cards[complete:])
        reason = draw_reason(dealt)
        return CardTooMany(complete + 1, cards[complete].text, extra, reason, rule=rules.for_card(dealt))
    if len(cards) > decks and (most := most_copied(cards))[1] > decks:
        card, copies = most
        return CardCopies(card.text, copies, decks, rule=rules.decks)
    banker_third = INITIAL_CARDS + drawing.count(Hand.PLAYER)
    player = of_cards(cards[0:INITIAL_CARDS:2] + cards[INITIAL_CARDS:banker_third])
    banker = of_cards(cards[1:INITIAL_CARDS:2] + cards[banker_third:])
    return Round(of_cards(cards), player, banker, Outcome.of(player, banker))


def _missing(cards: tuple[Card, ...], hand: Hand, rules: DealRules) -> CardMissing:
    return CardMissing(len(cards) + 1, hand, draw_reason(cards), rule=rules.for_card(cards))


def draw_reason(cards: Sequence[Card]) -> DrawReason:
    """The reason why the Table of Play gives the next card, or none, after these cards."""
    if len(cards) < INITIAL_CARDS:
        return DrawReason(DrawCode.INITIAL_CARDS)
    if len(cards) > INITIAL_CARDS + 1:
        return DrawReason(DrawCode.BOTH_DREW)
    player, banker = point_total(cards[0:INITIAL_CARDS:2]), point_total(cards[1:INITIAL_CARDS:2])
    if player in NEITHER_DRAWS_ON or banker in NEITHER_DRAWS_ON:
        return DrawReason(DrawCode.NOBODY_DRAWS, player, banker)
    if player in PLAYER_DRAWS_ON:
        if len(cards) == INITIAL_CARDS:
            return DrawReason(DrawCode.PLAYER_DRAWS, player, banker)
        third = cards[INITIAL_CARDS].points
        draws = banker_draws(player, banker, third)
        code = DrawCode.PLAYER_DREW_BANKER_DRAWS if draws else DrawCode.PLAYER_DREW_BANKER_STANDS
        return DrawReason(code, player, banker, third)
    if len(cards) > INITIAL_CARDS:
        return DrawReason(DrawCode.PLAYER_STOOD_BANKER_DREW, player, banker)
    draws = banker_draws(player, banker, None)
    code = DrawCode.PLAYER_STANDS_BANKER_DRAWS if draws else DrawCode.PLAYER_STANDS_BANKER_STANDS
    return DrawReason(code, player, banker)
