"""What may leave the house: the same events and state without the cards that are still to come."""

from __future__ import annotations

from dataclasses import replace

from punto.table.events import ConfirmationAsked, Event, ShoeLoaded
from punto.table.state import State, changed


def public(event: Event) -> Event:
    """An event as anyone may see it: a shoe's order stays in the log."""
    if isinstance(event, ShoeLoaded) and (event.cards or event.salt):
        return replace(event, cards=(), salt=None)
    if isinstance(event, ConfirmationAsked):
        return replace(event, events=tuple([public(each) for each in event.events]))
    return event


def view(state: State) -> State:
    """A state as anyone may see it: what lies, and nothing of what the shoe still holds."""
    if state.shoe is None or not state.shoe.order:
        return state
    return changed(state, shoe=changed(state.shoe, order=()))
