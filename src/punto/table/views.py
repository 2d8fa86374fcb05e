"""What may be shown: events without the cards still to come, and the cards of the round that are open.

A closed card is shown to nobody, staff included, until it is opened. All that follows from the cards (phase, points,
offers, result, settlement) depends on open cards alone, so `State` minus `Shoe.order` and the values in
`RoundInPlay.waiting` holds nothing that must be hidden.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from punto.rules.cards import Card
from punto.rules.hands import Hand
from punto.rules.tableau import INITIAL_CARDS, INITIAL_ORDER, next_hand
from punto.table import commands as c
from punto.table.events import CardDealt, ConfirmationAsked, Event, ShoeLoaded
from punto.table.state import State


def public(event: Event) -> Event:
    """The event as anyone may see it, staff included: without the order of a shoe and the value of a closed card."""
    if isinstance(event, ShoeLoaded):
        return replace(event, cards=(), salt=None)
    if isinstance(event, CardDealt) and event.closed:
        return replace(event, card=None)
    if isinstance(event, ConfirmationAsked):
        return replace(event, events=tuple([public(each) for each in event.events]))
    return event


def visible_cards(state: State) -> tuple[Card | None, ...]:
    """The cards on the table in dealing order, None for each closed one: what every viewer may see, and no more."""
    if state.round is None:
        return state.last.cards if state.last else ()
    return state.round.visible


def opens_unseen_cards(state: State, command: c.Command) -> bool:
    """Whether a command, if it is carried out, may show a card that nobody has seen."""
    if not isinstance(command, c.Deal | c.OpenCard):
        return False
    waiting = state.round.waiting if state.round else ()
    return _knows_order(state) or any(not each.is_open and each.card is not None for each in waiting)


def guesses_unseen_cards(state: State, command: c.Command) -> bool:
    """Whether a command names cards that are compared with the order of the shoe, so that its refusal tells, too."""
    if isinstance(command, c.Report):
        return _knows_order(state) and bool(command.facts.cards)
    return _knows_order(state) and isinstance(command, c.Decide | c.CorrectCards) and bool(command.cards)


def _knows_order(state: State) -> bool:
    return state.shoe is not None and bool(state.shoe.order)


def hands_of(cards: Sequence[Card | None]) -> tuple[Hand | None, ...]:
    """The hand of each card on the table, in dealing order; None for a card too many.

    No third card is dealt before the first four are open, and after a closed third card only Banker gets one.
    """
    hands: list[Hand | None] = [*INITIAL_ORDER[: len(cards)]]
    for place in range(INITIAL_CARDS, len(cards)):
        before = [card for card in cards[:place] if card is not None]
        hands.append(next_hand(before) if len(before) == place else Hand.BANKER)
    return tuple(hands)
