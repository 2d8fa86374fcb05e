"""Places at the boxes: who sits at one, stands behind one, or leaves."""

from __future__ import annotations

from collections.abc import Callable

from punto.rules.cash import is_cash
from punto.rules.refusals import Refusal
from punto.table.act import Event, Named, PatronCommand, act, event
from punto.table.draft import Draft
from punto.table.phases import OPEN, Phase
from punto.table.refusals import AlreadyThere, BoxTaken, NameInvalid, NobodySeated, NotAtBox, PatronAway, StandingClosed
from punto.table.rulings.cases import close_case
from punto.table.rulings.options import OptionChosen
from punto.table.rulings.situations import WALK_AWAY
from punto.table.seats import is_away, refuse_number, seated_patron
from punto.table.state import State, without_patrons, without_squeezes
from punto.table.values import Option, printable
from punto.table.ways import ANYONE, NEWCOMERS, Asking, BoxWay, Input, InputType, Ways


@event(money=False)
class PatronSeated(Event):
    """A patron sat down."""

    patron: Named[str]
    box: int

    def apply(self, state: State) -> State:
        standing = state.standing - {(self.box, self.patron)}
        places = state.places | {self.patron: (self.box, *_other_boxes(state, self))}
        seats = state.seats | {self.box: self.patron}
        return _back_in_round(state._replace(seats=seats, standing=standing, places=places), self.patron)


@act(by=None, during=OPEN, at_request=True)
class Sit(PatronCommand):
    """Seat a patron at a box."""

    box: int

    @classmethod
    def ways(cls, state: State, asking: Asking) -> Ways[BoxWay]:
        return _free_places(state, asking, refuse_sit)

    @classmethod
    def shared_ways(cls, state: State) -> Ways[BoxWay]:
        free = [way for way in cls.ways(state, NEWCOMERS) if not isinstance(way, Refusal)]
        # A full table refuses each place, not the command: whoever walked away may come back to their seat.
        return free or [BoxWay(box, refusal=refuse_sit(state, ANYONE, box)) for box in sorted(state.seats)]

    def decide(self, state: State) -> Draft | Refusal:
        refusal = refuse_sit(state, self.patron, self.box)
        return refusal or Draft(state, PatronSeated(self.by, self.patron, self.box))


def refuse_sit(state: State, patron: str, box: int) -> Refusal | None:
    """The reason why a patron cannot sit at a box."""
    if refusal := _refuse_box(state, box, patron):
        return refusal
    if state.seats.get(box) not in {None, patron}:
        return BoxTaken(box)
    seat = state.sits_at(patron)
    if seat is not None and (seat != box or not is_away(state, patron)):
        return AlreadyThere(seat)
    return None


@event(money=False)
class PatronStood(Event):
    """A patron stands behind a box."""

    patron: Named[str]
    box: int

    def apply(self, state: State) -> State:
        standing = state.standing | {(self.box, self.patron)}
        places = state.places | {self.patron: (*_other_boxes(state, self), self.box)}
        return _back_in_round(state._replace(standing=standing, places=places), self.patron)


@act(by=None, during=OPEN, at_request=True)
class Stand(PatronCommand):
    """Let a patron stand behind a box and bet on it together with the seated patron."""

    box: int

    @classmethod
    def ways(cls, state: State, asking: Asking) -> Ways[BoxWay]:
        closed = _refuse_standing(state, 1)
        return [closed] if closed else _free_places(state, asking, refuse_stand)

    @classmethod
    def shared_ways(cls, state: State) -> Ways[BoxWay]:
        return cls.ways(state, NEWCOMERS)

    def decide(self, state: State) -> Draft | Refusal:
        refusal = refuse_stand(state, self.patron, self.box)
        return refusal or Draft(state, PatronStood(self.by, self.patron, self.box))


def refuse_stand(state: State, patron: str, box: int) -> Refusal | None:
    """The reason why a patron cannot stand behind a box, such as an empty one. The seated patron has no say in it.

    Whoever comes back to a seat of their own sits down there.
    """
    if refusal := _refuse_box(state, box, patron):
        return refusal
    if refusal := _refuse_standing(state, box):
        return refusal
    if box not in state.seats and seated_patron(state, box) is None:
        return NobodySeated(box, rule=state.sheet.boxes.standing_rule)
    if state.seats.get(box) == patron or ((box, patron) in state.standing and not is_away(state, patron)):
        return AlreadyThere(box)
    return None


def _refuse_standing(state: State, box: int) -> Refusal | None:
    """The reason why nobody can stand behind a box of this table. A terminal is for the one who sits at it."""
    if state.sheet.boxes.terminals_rule:
        return BoxTaken(box, rule=state.sheet.boxes.rule)
    return StandingClosed() if state.open_settings.seated_only else None


@event(money=False)
class PatronLeft(Event):
    """A patron left. Placed bets stay and are settled, by `rule` if the sheet has one.

    With `absent`, the House freed the place of a patron who was gone.
    """

    patron: Named[str]
    rule: str | None
    bets_stay: bool = False
    absent: bool = False

    def apply(self, state: State) -> State:
        if state.round is not None and any(spot.patron == self.patron for spot in state.round.bets):
            round_ = without_squeezes(state.round, {self.patron})
            walked = {self.patron: round_.dealt} | round_.walked
            return state._replace(round=round_._replace(away=round_.away | {self.patron}, walked=walked))
        return without_patrons(state, frozenset({self.patron}))


@act(by=None, during=frozenset(Phase))
class Leave(PatronCommand):
    """Let a patron leave. Bets that were placed stay. With `absent`, the House frees the place of one who is gone."""

    absent: bool = False

    @classmethod
    def refuse_patron(cls, state: State, patron: str) -> Refusal | None:
        if patron not in state.places:
            return NotAtBox(None)
        return PatronAway() if is_away(state, patron) else None

    def decide(self, state: State) -> Draft | Refusal:
        """Let a patron leave. The patron's bets stay and are settled, which also answers an open choice."""
        patron, round_ = self.patron, state.round
        absent = self.absent and self.by.role is not None  # nobody says so of themselves
        if round_ is None or all(spot.patron != patron for spot in round_.bets):
            return Draft(state, PatronLeft(self.by, patron, None, absent=absent))
        walk_away = state.sheet.irregularities.get(WALK_AWAY)
        rule = walk_away.rule if walk_away else state.sheet.offered_rule
        draft = Draft(state, PatronLeft(self.by, patron, rule, bets_stay=True, absent=absent))
        case = state.case
        while case is not None and patron not in case.patrons:
            case = case.previous
        if case is not None:
            draft.add(OptionChosen(self.by, case.number, patron, Option.CONTINUE, rule))
            if case is state.case and not draft.case.patrons:
                close_case(draft, self.by)
        return draft


_NEWCOMER = Input("patron", InputType.NEWCOMER, refused=AlreadyThere)
Refuse = Callable[[State, str, int], Refusal | None]


def _free_places(state: State, asking: Asking, refuse: Refuse) -> Ways[BoxWay]:
    every = range(1, state.open_settings.boxes + 1)
    for patron, own in asking.boxes.items():
        # Whoever sits somewhere can only come back to that seat.
        seat = state.sits_at(patron) if refuse is refuse_sit else None
        for box in dict.fromkeys([*own, *every]) if seat is None else (seat,):
            yield refuse(state, patron, box) or BoxWay(box, patron=asking.name(patron))
    if asking.by_staff:
        yield from [refuse(state, ANYONE, box) or BoxWay(box, inputs=(_NEWCOMER,)) for box in every]


def _refuse_box(state: State, box: int, patron: str) -> Refusal | None:
    return refuse_number(state, box) if printable(patron) and not is_cash(patron) else NameInvalid()


def _other_boxes(state: State, event: PatronSeated | PatronStood) -> list[int]:
    return [box for box in state.places.get(event.patron, ()) if box != event.box]


def _back_in_round(state: State, patron: str) -> State:
    """Let a patron who returns to the table take part in the round again."""
    if state.round is None:
        return state
    return state._replace(round=state.round._replace(away=state.round.away - {patron}))
