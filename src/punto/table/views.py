"""What may be shown: events without the cards still to come, and the cards of the round that are open.

A closed card is shown to nobody, staff included, until it is opened. All that follows from the cards (phase, points,
offers, result, settlement) depends on open cards alone, so `State` minus `Shoe.order` and the values in
`RoundInPlay.waiting` holds nothing that must be hidden.
"""

from __future__ import annotations

from dataclasses import replace

from punto.rules.cards import Card
from punto.table.events import CardDealt, ConfirmationAsked, Event, ShoeLoaded
from punto.table.state import State


def public(event: Event) -> Event:
    """The event as anyone may see it, staff included: without the order of a shoe and the value of a closed card."""
    if isinstance(event, ShoeLoaded) and (event.cards or event.salt):
        return replace(event, cards=(), salt=None)
    if isinstance(event, CardDealt) and event.closed and event.card is not None:
        return replace(event, card=None)
    if isinstance(event, ConfirmationAsked):
        return replace(event, events=tuple([public(each) for each in event.events]))
    return event


def visible_cards(state: State) -> tuple[Card | None, ...]:
    """The cards on the table in dealing order, None for each closed one: what every viewer may see, and no more."""
    if state.round is None:
        return state.last.cards if state.last else ()
    return state.round.visible
