"""The Baccarat Table of Play, and a round dealt by it. The five sheets share it; each cites its own paragraph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from punto.rules.cards import Card, most_copied, write_cards
from punto.rules.hands import NATURAL_POINTS, Hand, point_total
from punto.rules.outcome import Outcome
from punto.rules.refusals import RecordCode, Refusal
from punto.rules.words import counted


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
INITIAL_ORDER = (Hand.PLAYER, Hand.BANKER, Hand.PLAYER, Hand.BANKER)


def player_draws(player: int, banker: int) -> bool:
    """Whether Player draws, for the two-card totals of both hands."""
    return player in PLAYER_DRAWS_ON and banker not in NEITHER_DRAWS_ON


def banker_draws(player: int, banker: int, player_third: int | None) -> bool:
    """Whether Banker draws, for both two-card totals and the points of Player's third card (None: Player stood)."""
    if player in NEITHER_DRAWS_ON or banker in NEITHER_DRAWS_ON:
        return False
    if player_third is None:
        return banker in BANKER_DRAWS_ALONE_ON
    return player_third in BANKER_DRAWS_ON[banker]


def next_hand(cards: Sequence[Card]) -> Hand | None:
    """Which hand the next card goes to, after these cards in dealing order; None when the round is complete.

    The cards must be ones the Table of Play allows so far: `deal` checks cards that come from outside.
    """
    dealt = len(cards)
    if dealt < INITIAL_CARDS:
        return INITIAL_ORDER[dealt]
    if dealt > INITIAL_CARDS + 1:
        return None
    first, second, third, fourth = cards[:INITIAL_CARDS]
    player = (first.points + third.points) % 10
    banker = (second.points + fourth.points) % 10
    if player_draws(player, banker):
        if dealt == INITIAL_CARDS:
            return Hand.PLAYER
        return Hand.BANKER if banker_draws(player, banker, cards[INITIAL_CARDS].points) else None
    if dealt == INITIAL_CARDS:
        return Hand.BANKER if banker_draws(player, banker, None) else None
    return None


def needed(cards: Sequence[Card]) -> int:
    """How many of these cards, in the order they left the shoe, a round takes: the rest came out beyond it."""
    return next((taken for taken in range(INITIAL_CARDS, len(cards)) if next_hand(cards[:taken]) is None), len(cards))


@dataclass(frozen=True, slots=True)
class Round:
    """A finished round: the cards in dealing order, the two hands and the outcome."""

    cards: tuple[Card, ...]
    player: tuple[Card, ...]
    banker: tuple[Card, ...]
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class DealRules:
    """Where a sheet tells of the first four cards, of Banker when Player stands, of the Table of Play, of decks."""

    initial_cards: str | None = None
    third_card: str | None = None
    table_of_play: str | None = None
    decks: str | None = None

    def for_card(self, cards: Sequence[Card]) -> str | None:
        """The paragraph by which a card comes, or does not come, after these."""
        if len(cards) < INITIAL_CARDS:
            return self.initial_cards
        player, banker = point_total(cards[0:INITIAL_CARDS:2]), point_total(cards[1:INITIAL_CARDS:2])
        stood = player in PLAYER_STANDS_ON and banker not in NEITHER_DRAWS_ON
        return self.third_card if stood else self.table_of_play


NO_RULES = DealRules()


def deal(cards: tuple[Card, ...], decks: int, rules: DealRules = NO_RULES) -> Round | Refusal:
    """The round that these cards make in dealing order, or why they are not one complete round of such a shoe."""
    player, banker = [*cards[0:INITIAL_CARDS:2]], [*cards[1:INITIAL_CARDS:2]]
    to_come = next_hand(cards[:INITIAL_CARDS])
    for place in range(INITIAL_CARDS, len(cards)):
        if to_come is None:
            return Refusal(RecordCode.CARD_TOO_MANY, _too_many(cards, place), rules.for_card(cards[:place]))
        (player if to_come is Hand.PLAYER else banker).append(cards[place])
        to_come = next_hand(cards[: place + 1])
    if to_come is not None:
        return Refusal(RecordCode.CARD_MISSING, _missing(cards, to_come), rules.for_card(cards))
    if len(cards) > decks and (most := most_copied(cards))[1] > decks:
        card, copies = most
        message = f"{card} appears {copies} times, and a shoe of {counted(decks, 'deck')} holds {decks}"
        return Refusal(RecordCode.CARD_COPIES, message, rules.decks)
    return Round(cards, tuple(player), tuple(banker), Outcome.of(player, banker))


def why(cards: Sequence[Card]) -> str:
    """The Table of Play's reason for what comes after these cards, in words."""
    if len(cards) < INITIAL_CARDS:
        return "the first four cards go to Player and Banker in turn"
    if len(cards) > INITIAL_CARDS + 1:
        return "both hands have three cards"
    player, banker = point_total(cards[0:INITIAL_CARDS:2]), point_total(cards[1:INITIAL_CARDS:2])
    if player in NEITHER_DRAWS_ON or banker in NEITHER_DRAWS_ON:
        return f"Player has {player} and Banker {banker} in two cards: a natural, so nobody draws"
    if len(cards) == INITIAL_CARDS and player in PLAYER_DRAWS_ON:
        return f"Player has {player} and draws"
    if player in PLAYER_DRAWS_ON:
        third = cards[INITIAL_CARDS].points
        verb = "draws" if banker_draws(player, banker, third) else "stands"
        return f"Player drew a card worth {third} and Banker {verb} on {banker}"
    if len(cards) > INITIAL_CARDS:
        return f"Player stood on {player} and Banker has drawn"
    verb = "draws" if banker_draws(player, banker, None) else "stands"
    return f"Player stands on {player} and Banker {verb} on {banker}"


def _too_many(cards: Sequence[Card], place: int) -> str:
    extra = write_cards(cards[place:])
    return f"card {place + 1}, {cards[place]}, is one too many: {why(cards[:place])}; left over: {extra}"


def _missing(cards: Sequence[Card], to_come: Hand) -> str:
    return f"card {len(cards) + 1} is missing: it goes to {to_come.capitalize()}, for {why(cards)}"
