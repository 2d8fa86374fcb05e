"""Seats and places, read off the state at the moment it matters and never stored with a bet.

Nobody has the seat at a box where only cash is bet, but somebody is there whom the table does not know. So whoever bets
cash in a box without a sitter holds that box.
"""

from __future__ import annotations

from dataclasses import replace

from punto.rules.cash import cash_patron
from punto.rules.refusals import BoxUnknown, Refusal
from punto.rules.settlement import Bet
from punto.table.refusals import NotAtBox, PatronAway
from punto.table.state import State
from punto.table.values import Spot


def is_away(state: State, patron: str) -> bool:
    """True if a patron walked away from the round in progress."""
    return state.round is not None and patron in state.round.away


def sitter(state: State, box: int) -> str | None:
    """The patron who sits at a box, or whoever bets cash there if nobody sits.

    Who walked away from the round in progress does not sit.
    """
    patron = state.seats.get(box, cash_patron(box))
    return None if is_away(state, patron) else patron


def seated_patron(state: State, box: int) -> str | None:
    """The patron who sits at a box and has a bet in it. A sitter without a bet is not a seated patron of the rules."""
    patron, round_ = sitter(state, box), state.round
    spots = round_.boxes.get(box, ()) if round_ else ()
    return patron if any(spot.patron == patron for spot in spots) else None


def as_seated(state: State, bet: Bet) -> Bet:
    """A bet that says whether its patron has the seat of its box now, as the settlement orders the patrons of a box."""
    seated = state.seats.get(bet.box, cash_patron(bet.box)) == bet.patron
    return bet if bet.seated is seated else replace(bet, seated=seated)


def refuse_number(state: State, box: int) -> Refusal | None:
    """The refusal of a box number that the table does not have."""
    boxes = state.open_settings.boxes
    return None if 1 <= box <= boxes else BoxUnknown(box, boxes, rule=state.sheet.boxes.rule)


def refuse_place(state: State, spot: Spot, *, cash: bool = False) -> Refusal | None:
    """The refusal of a patron without a place at the box. With `cash`, chips that belong to no account have one."""
    if refusal := refuse_number(state, spot.box):
        return refusal
    in_cash = cash and spot.patron == cash_patron(spot.box) and takes_cash(state)
    at = state.seats.get(spot.box) == spot.patron or (spot.box, spot.patron) in state.standing
    if not in_cash and not at:
        return NotAtBox(spot.box)
    return PatronAway() if is_away(state, spot.patron) else None


def takes_cash(state: State) -> bool:
    """True if chips that belong to no account can be on this layout: it is live, and no terminal."""
    return state.open_settings.live and state.sheet.boxes.terminals_rule is None
