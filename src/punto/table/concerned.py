"""The patrons whose choices may have changed with the events of a table."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from punto.rules.cash import is_cash
from punto.table.act import Event
from punto.table.acts.squeezes import hears_squeezes
from punto.table.phases import Phase
from punto.table.state import State


def boxes_changed(events: Iterable[Event]) -> set[int]:
    """The boxes in which bets were made, changed or ended."""
    moved = [each for event in events for each in event.money()]
    return {each.bet.box for each in moved if each.bet is not None}


_ASKED_OF_BETTORS = frozenset({Phase.FIRST_WINDOW, Phase.SECOND_WINDOW, Phase.HELD})
"""The phases in which those with bets may insure or must choose."""


def whose_changed(before: State, now: State, boxes: Collection[int]) -> set[str]:
    """The patrons whose own choices may have changed, where bets changed in these boxes.

    Patrons' choices repeat nothing that the view already refuses to everyone.
    """
    round_ = now.round
    if _places(now) != _places(before):
        return {*before.places, *now.places}
    if now.phase is Phase.BETTING:
        if before.phase is not Phase.BETTING or before.rounds != now.rounds:
            return {*now.places}
        # What may still be bet in a box follows from all bets in it.
        seated = {now.seats[box] for box in boxes if box in now.seats}
        return seated.union([patron for box, patron in now.standing if box in boxes])
    squeezes = now.settings is not None and hears_squeezes(now)
    if round_ is None or not (squeezes or now.phase in _ASKED_OF_BETTORS):
        return set()
    # Whoever has the highest bet may squeeze.
    changed = _asked(before) != _asked(now) or (squeezes and boxes)
    return {spot.patron for spot in round_.bets} if changed else set()


def _places(state: State) -> tuple[object, ...]:
    """The basis of the choices of places. It changes as soon as a round begins or ends."""
    is_open, round_ = state.phase is not Phase.NOT_OPEN, state.round
    cash = {spot.box for spot in round_.bets if is_cash(spot.patron)} if round_ and has_chips(state) else set()
    return is_open, state.seats, state.standing, round_ and round_.away, cash


def has_chips(state: State) -> bool:
    """True if bets are chips on a layout, of which some may be nobody's: one may stand behind a box that they hold."""
    return state.settings is not None and state.settings.live


def _asked(state: State) -> tuple[object, ...]:
    """The basis of squeezes, insurance and choices in a round, but for bets."""
    round_ = state.open_round
    cards = (round_.cards, round_.waiting, round_.squeezers)
    return state.phase, state.case, *cards, round_.request, round_.requests, round_.waived
