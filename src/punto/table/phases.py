"""The phases of a table, and the phase of a round by its cards."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from punto.rules.cards import Card
from punto.rules.hands import Hand
from punto.rules.tableau import INITIAL_CARDS, banker_always_draws, next_hand


class Phase(StrEnum):
    """The phases of a table."""

    NOT_OPEN = "not-open"
    BETWEEN_ROUNDS = "between-rounds"
    BETTING = "betting"
    INITIAL_CARDS = "initial-cards"
    FIRST_WINDOW = "first-window"
    PLAYER_THIRD = "player-third"
    SECOND_WINDOW = "second-window"
    BANKER_THIRD = "banker-third"
    RESULT = "result"
    HELD = "held"
    OPENING = "opening"


OPEN = frozenset(Phase) - {Phase.NOT_OPEN}
"""The phases of an open table."""

IN_ROUND = frozenset(Phase) - {Phase.NOT_OPEN, Phase.BETWEEN_ROUNDS, Phase.BETTING, Phase.HELD}
"""The phases after bets closed and before the round is settled."""

DEALING = IN_ROUND - {Phase.RESULT, Phase.OPENING}
"""The phases in which a card is due."""

MOVES: dict[tuple[Phase, Phase], str] = {
    (Phase.NOT_OPEN, Phase.BETWEEN_ROUNDS): "open-table",
    (Phase.BETWEEN_ROUNDS, Phase.NOT_OPEN): "close-table",
    (Phase.BETWEEN_ROUNDS, Phase.BETTING): "open-bets, “Place your bets”",
    (Phase.BETTING, Phase.INITIAL_CARDS): "close-bets, “No more bets”",
    (Phase.INITIAL_CARDS, Phase.FIRST_WINDOW): "fourth card, an offer stands",
    (Phase.INITIAL_CARDS, Phase.PLAYER_THIRD): "fourth card, Player draws",
    (Phase.INITIAL_CARDS, Phase.BANKER_THIRD): "fourth card, only Banker draws",
    (Phase.INITIAL_CARDS, Phase.RESULT): "fourth card, nobody draws",
    (Phase.FIRST_WINDOW, Phase.SECOND_WINDOW): "Player's third, an offer stands",
    (Phase.FIRST_WINDOW, Phase.BANKER_THIRD): "Player's third, Banker draws",
    (Phase.FIRST_WINDOW, Phase.RESULT): "the last card",
    (Phase.PLAYER_THIRD, Phase.SECOND_WINDOW): "Player's third, an offer stands",
    (Phase.PLAYER_THIRD, Phase.BANKER_THIRD): "Player's third, Banker draws",
    (Phase.PLAYER_THIRD, Phase.RESULT): "Player's third, Banker stands",
    (Phase.SECOND_WINDOW, Phase.RESULT): "Banker's third",
    (Phase.BANKER_THIRD, Phase.RESULT): "Banker's third",
    (Phase.RESULT, Phase.BETWEEN_ROUNDS): "settle",
    (Phase.INITIAL_CARDS, Phase.OPENING): "fourth card, some are closed",
    (Phase.FIRST_WINDOW, Phase.OPENING): "the next card, closed",
    (Phase.PLAYER_THIRD, Phase.OPENING): "Player's third, closed",
    (Phase.SECOND_WINDOW, Phase.OPENING): "Banker's third, closed",
    (Phase.BANKER_THIRD, Phase.OPENING): "Banker's third, closed",
    (Phase.OPENING, Phase.FIRST_WINDOW): "four cards open, an offer stands",
    (Phase.OPENING, Phase.PLAYER_THIRD): "four cards open, Player draws",
    (Phase.OPENING, Phase.SECOND_WINDOW): "Player's third open, an offer stands",
    (Phase.OPENING, Phase.BANKER_THIRD): "all cards open, Banker draws",
    (Phase.OPENING, Phase.RESULT): "the last card open",
}
"""The transitions of a round without incidents. From any phase, an open case leads to `held` and back."""


def phase_of(cards: Sequence[Card], waiting: int = 0, *, waived: bool = False) -> Phase:
    """The phase of a round after bets closed, by its cards alone. Insurance windows are not considered.

    `cards` are the open cards up to the first closed one, `waiting` the number of cards from that one on. All four
    initial cards are opened before a third card is dealt, and Player's third before Banker decides; except that with
    the second window `waived`, a Banker who draws in any case gets the third card first.
    """
    dealt = len(cards) + waiting
    if dealt < INITIAL_CARDS:
        return Phase.INITIAL_CARDS
    if waiting:
        banker_first = waived and dealt == INITIAL_CARDS + 1 and banker_always_draws(cards)
        return Phase.BANKER_THIRD if banker_first else Phase.OPENING
    hand = next_hand(cards)
    if hand is None:
        return Phase.RESULT
    return Phase.PLAYER_THIRD if hand is Hand.PLAYER else Phase.BANKER_THIRD
