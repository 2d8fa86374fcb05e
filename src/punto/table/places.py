"""Places at the boxes: who sits at one, stands behind one or leaves, and who has a place there to bet from."""

from __future__ import annotations

from punto.rules.cash import cash_patron, is_cash
from punto.rules.refusals import BoxUnknown, Refusal
from punto.table import commands as c
from punto.table import events as e
from punto.table.facts import WALK_AWAY
from punto.table.opening import printable
from punto.table.play import Draft, EventsOrRefusal, close_case, open_settings
from punto.table.refusals import AlreadyThere, BoxTaken, NameInvalid, NobodySeated, NotAtBox, PatronAway
from punto.table.seats import is_away, seated_patron
from punto.table.state import Spot, State


def refuse_sit(state: State, patron: str, box: int) -> Refusal | None:
    """Why a patron cannot sit at a box."""
    if refusal := _refuse_box(state, box, patron):
        return refusal
    if state.seats.get(box) not in {None, patron}:
        return BoxTaken(box)
    seat = state.sits_at(patron)
    if seat is not None and (seat != box or not is_away(state, patron)):
        return AlreadyThere(seat)
    return None


def sit(state: State, command: c.Sit) -> EventsOrRefusal:
    """Seat a patron at a box."""
    refusal = refuse_sit(state, command.patron, command.box)
    return refusal or (e.PatronSeated(command.by, command.patron, command.box),)


def refuse_stand(state: State, patron: str, box: int) -> Refusal | None:
    """Why a patron cannot stand behind a box: nobody sits or bets cash there. The seated patron has no say in it.

    Whoever comes back to a seat of their own sits down there.
    """
    if refusal := _refuse_box(state, box, patron):
        return refusal
    if not state.sheet.boxes.layouts:
        return BoxTaken(box, rule=state.sheet.boxes.rule)
    if box not in state.seats and seated_patron(state, box) is None:
        return NobodySeated(box, rule=state.sheet.boxes.standing_rule)
    if state.seats.get(box) == patron or ((box, patron) in state.standing and not is_away(state, patron)):
        return AlreadyThere(box)
    return None


def stand(state: State, command: c.Stand) -> EventsOrRefusal:
    """Let a patron stand behind a box."""
    refusal = refuse_stand(state, command.patron, command.box)
    return refusal or (e.PatronStood(command.by, command.patron, command.box),)


def refuse_leave(state: State, patron: str) -> Refusal | None:
    """Why a patron cannot leave."""
    if patron not in state.places:
        return NotAtBox(None)
    return PatronAway() if is_away(state, patron) else None


def leave(state: State, command: c.Leave) -> EventsOrRefusal:
    """Let a patron leave. The patron's bets stay and are settled, which also answers an open choice."""
    patron, round_ = command.patron, state.round
    if refusal := refuse_leave(state, patron):
        return refusal
    absent = command.absent and command.by.role is not None  # nobody says so of themselves
    if round_ is None or all(spot.patron != patron for spot in round_.bets):
        return (e.PatronLeft(command.by, patron, None, absent=absent),)
    walk_away = state.sheet.irregularities.get(WALK_AWAY)
    rule = walk_away.rule if walk_away else state.sheet.offered_rule
    draft = Draft(state)
    draft.add(e.PatronLeft(command.by, patron, rule, bets_stay=True, absent=absent))
    case = state.case
    while case is not None and patron not in case.patrons:
        case = case.previous
    if case is not None:
        draft.add(e.OptionChosen(command.by, case.number, patron, c.Option.CONTINUE, rule))
        if case is state.case and not draft.case.patrons:
            close_case(draft, command.by)
    return tuple(draft.events)


def _refuse_box(state: State, box: int, patron: str) -> Refusal | None:
    return _refuse_number(state, box) if printable(patron) and not is_cash(patron) else NameInvalid()


def _refuse_number(state: State, box: int) -> Refusal | None:
    boxes = open_settings(state).boxes
    return None if 1 <= box <= boxes else BoxUnknown(box, boxes, rule=state.sheet.boxes.rule)


def refuse_place(state: State, spot: Spot, *, cash: bool = False) -> Refusal | None:
    """Why a patron has no place at the box of a spot. With `cash`, chips that belong to no account have one."""
    if refusal := _refuse_number(state, spot.box):
        return refusal
    in_cash = cash and spot.patron == cash_patron(spot.box) and takes_cash(state)
    if not in_cash and not _is_at(state, spot.patron, spot.box):
        return NotAtBox(spot.box)
    return PatronAway() if is_away(state, spot.patron) else None


def _is_at(state: State, patron: str, box: int) -> bool:
    """Whether a patron sits at a box or stands behind it."""
    return state.seats.get(box) == patron or (box, patron) in state.standing


def takes_cash(state: State) -> bool:
    """Whether chips that belong to no account can be on this layout: it is live, and no terminal."""
    return open_settings(state).live and bool(state.sheet.boxes.layouts)
