"""The hand of each card on the table.

A closed card is shown to nobody, staff included, until it is opened. All that follows from the cards (phase, points,
offers, result, settlement) depends on open cards alone, so `State` minus `Shoe.order` and the values in
`RoundInPlay.waiting` holds nothing that must be hidden: `visible_cards` are what everyone sees.
"""

from __future__ import annotations

from collections.abc import Sequence

from punto.rules.cards import Card
from punto.rules.hands import Hand
from punto.rules.tableau import INITIAL_CARDS, INITIAL_ORDER, next_hand


def hands_of(cards: Sequence[Card | None]) -> tuple[Hand | None, ...]:
    """The hand of each card on the table, in dealing order; None for a card too many.

    No third card is dealt before the first four are open, and after a closed third card only Banker gets one.
    """
    hands: list[Hand | None] = [*INITIAL_ORDER[: len(cards)]]
    for place in range(INITIAL_CARDS, len(cards)):
        before = [card for card in cards[:place] if card is not None]
        hands.append(next_hand(before) if len(before) == place else Hand.BANKER)
    return tuple(hands)
