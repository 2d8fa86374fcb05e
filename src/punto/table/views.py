"""Events as the public may see them: without the cards that are still to come."""

from __future__ import annotations

from dataclasses import replace

from punto.table.events import ConfirmationAsked, Event, ShoeLoaded


def public(event: Event) -> Event:
    """The event without the order of a shoe, which only the log holds."""
    if isinstance(event, ShoeLoaded) and (event.cards or event.salt):
        return replace(event, cards=(), salt=None)
    if isinstance(event, ConfirmationAsked):
        return replace(event, events=tuple([public(each) for each in event.events]))
    return event
