"""Who is seated, and who is away: read off the state at the moment it matters, never stored with a bet."""

from __future__ import annotations

from dataclasses import replace

from punto.rules.settlement import Bet
from punto.table.state import State


def is_away(state: State, patron: str) -> bool:
    """Whether a patron walked away from the round in progress."""
    return state.round is not None and patron in state.round.away


def sitter(state: State, box: int) -> str | None:
    """The patron who sits at a box. Who walked away from the round in progress does not."""
    patron = state.seats.get(box)
    return None if patron is None or is_away(state, patron) else patron


def seated_patron(state: State, box: int) -> str | None:
    """The patron who sits at a box and has a bet in it. A sitter without a bet is not a seated patron of the rules."""
    patron, round_ = sitter(state, box), state.round
    spots = round_.boxes.get(box, ()) if round_ else ()
    return patron if any(spot.patron == patron for spot in spots) else None


def as_seated(state: State, bet: Bet) -> Bet:
    """A bet that says whether its patron has the seat of its box now, as the settlement orders the patrons of a box."""
    seated = state.seats.get(bet.box) == bet.patron
    return bet if bet.seated is seated else replace(bet, seated=seated)
