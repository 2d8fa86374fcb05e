"""Choices: what may be done now, by whom, and within which bounds. `decide` accepts exactly this.

Every command has one entry: its refusal, or the ways in which it is accepted. A page draws its buttons and forms from
these entries, so that it holds no rule of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from punto.rules.cash import cash_patron, is_cash
from punto.rules.refusals import Refusal
from punto.rules.sheet import Ruling
from punto.table import commands as c
from punto.table.betting import (
    bounds_to_place,
    bounds_to_raise,
    bounds_to_record,
    bounds_to_stake,
    bounds_to_withdraw,
    refuse_bet_now,
)
from punto.table.bounds import ANY, REASON, Amount, Choice, Input, InputType, SituationGroup, Way
from punto.table.corrections import ways_to_correct_round
from punto.table.dealing import ways_to_deal, ways_to_open_card
from punto.table.decide import refuse_choice, refuse_closing, refuse_kind, refuse_opening
from punto.table.duty import in_position, refuse_duty, refuse_off_duty, ways_to_assign
from punto.table.facts import group_of, refuse_recovery, situations, ways_to_claim_later, ways_to_report
from punto.table.incidents import refuse_decision, refuse_report, ways_to_correct, ways_to_decide
from punto.table.insuring import bounds_to_insure, cover_of, refuse_announcement, refuse_minimum
from punto.table.limits import boxes_to_check
from punto.table.opening import (
    refuse_insurance_change,
    refuse_resumption,
    refuse_suspension,
    ways_to_change_limits,
    ways_to_open,
)
from punto.table.phases import LEGAL
from punto.table.places import refuse_leave, refuse_sit, refuse_stand, takes_cash
from punto.table.play import offers_now, open_round, open_settings
from punto.table.refusals import BetUnknown, BoxTaken, NotAtBox, NotPermitted, SqueezeNotAsked, SqueezeNotOffered
from punto.table.roles import AUTHORITY
from punto.table.shoe_life import (
    refuse_cut_card,
    refuse_preparation,
    refuse_replacement,
    ways_to_burn,
    ways_to_check,
    ways_to_count,
    ways_to_load,
)
from punto.table.squeezing import nothing_to_pass, refuse_squeeze, squeezes_left
from punto.table.state import Spot, State

Ways = tuple[Way, ...] | Refusal


class Acting(NamedTuple):
    """Whom commands are for: patrons, each with the boxes at which they sit or stand.

    Staff name the patron. What patrons do for themselves names nobody. With `cash`, they are for bets in cash, too.
    """

    boxes: dict[str, Sequence[int]]
    by_staff: bool
    cash: bool = False

    def name(self, patron: str) -> str | None:
        """The patron as a way names them."""
        return patron if self.by_staff else None


def choices(state: State, actor: c.Actor, patrons: Iterable[str] | None = None) -> tuple[Choice, ...]:
    """What someone may do now, command by command.

    A patron acts for themselves; staff act for `patrons`, by default everyone who has a place at the table and whoever
    bets cash.
    """
    actor = in_position(state, actor)
    if actor.role is None:
        acting = Acting({actor.person: boxes_of(state, actor.person)}, by_staff=False)
    else:
        cash = patrons is None
        patrons = patrons_at(state) if patrons is None else patrons
        boxes = {patron: boxes_of(state, patron) for patron in patrons}
        acting = Acting(boxes | _cash_bettors(state) if cash else boxes, by_staff=True, cash=cash)
    return tuple([_choice(state, actor, kind, acting) for kind in c.COMMANDS.values()])


PATRON_COMMANDS = tuple([kind for kind in c.COMMANDS.values() if AUTHORITY[kind] is None])
"""The commands of patrons."""
_PLACE_COMMANDS = (c.Sit, c.Stand)


def shared_choices(state: State) -> tuple[Choice, ...]:
    """What all patrons share: which of their commands the table refuses now, and the free places.

    For a command without a refusal, `own_choices` decides.
    """
    newcomer, acting = c.Actor(_ANYONE), Acting({_ANYONE: ()}, by_staff=False)
    found = {kind: Choice(c.kind_of(kind), refusal=refuse_kind(state, newcomer, kind)) for kind in PATRON_COMMANDS}
    for kind in _PLACE_COMMANDS:
        found[kind] = _choice(state, newcomer, kind, acting) if found[kind].refusal is None else found[kind]
    if found[c.Sit].refusal and c.Sit in LEGAL[state.phase]:
        # A full table refuses each place, not the command: whoever walked away may come back to their seat.
        taken = [Way(box=box, refusal=refuse_sit(state, _ANYONE, box)) for box in sorted(state.seats)]
        found[c.Sit] = Choice(c.kind_of(c.Sit), tuple(taken))
    return tuple(found.values())


def own_choices(
    state: State, patron: str, boxes: Sequence[int], kinds: Iterable[type[c.Command]] = PATRON_COMMANDS
) -> tuple[Choice, ...]:
    """What a patron with a place at these boxes may do now, of the commands that the table does not refuse to all.

    Whoever has no place has nothing of their own: all they may do is take one, as anyone may.
    """
    if not boxes:
        return ()
    actor, acting, legal = c.Actor(patron), Acting({patron: boxes}, by_staff=False), LEGAL[state.phase]
    return tuple([_choice(state, actor, kind, acting) for kind in kinds if kind in legal])


def boxes_of(state: State, patron: str) -> Sequence[int]:
    """The boxes at which a patron sits or stands."""
    return state.places.get(patron, ())


def patrons_at(state: State) -> list[str]:
    """Everyone who has a place at the table."""
    return list(state.places)


def _cash_bettors(state: State) -> dict[str, Sequence[int]]:
    """Whoever bets cash in this round, each with their box."""
    bets = state.round.bets if state.round else ()
    return {spot.patron: (spot.box,) for spot in bets if is_cash(spot.patron)}


def _choice(state: State, actor: c.Actor, kind: type[c.Command], acting: Acting) -> Choice:
    role = AUTHORITY[kind]
    if role is not None and not actor.may_act_as(role):
        return _NOT_PERMITTED[kind]
    name = c.kind_of(kind)
    if refusal := refuse_kind(state, actor, kind):
        return Choice(name, refusal=refusal)
    ways = _ways(state, actor, kind, acting)
    return Choice(name, refusal=ways) if isinstance(ways, Refusal) else Choice(name, ways)


_NOT_PERMITTED = {
    kind: Choice(c.kind_of(kind), refusal=NotPermitted(role)) for kind, role in AUTHORITY.items() if role is not None
}
"""The choices of actors without the required role, made once."""


# ------------------------------------------------------------------------------------------- places

_NEWCOMER = Input("patron", InputType.NEWCOMER, refused="already-there")
_ANYONE = "a newcomer"
"""Stands for any patron who has no place at the table."""

Refuse = Callable[[State, str, int], Refusal | None]


def _places(state: State, acting: Acting, refuse: Refuse) -> Ways:
    every = range(1, open_settings(state).boxes + 1)
    if not state.sheet.boxes.layouts and refuse is refuse_stand:
        return BoxTaken(1, rule=state.sheet.boxes.rule)  # a terminal is for the one who sits at it
    ways, refusals = [], []
    for patron, own in acting.boxes.items():
        # Whoever sits somewhere can only come back to that seat.
        seat = state.sits_at(patron) if refuse is refuse_sit else None
        for box in dict.fromkeys([*own, *every]) if seat is None else (seat,):
            if refusal := refuse(state, patron, box):
                refusals.append(refusal)
            else:
                ways.append(Way(acting.name(patron), box))
    if acting.by_staff:
        ways += [Way(box=box, inputs=(_NEWCOMER,)) for box in every if refuse(state, _ANYONE, box) is None]
    return tuple(ways) or _first(refusals, refuse(state, _ANYONE, 1))


def _first(refusals: Iterable[Refusal | None], otherwise: Refusal | None = None) -> Ways:
    """The first refusal found: why there is no way."""
    return next(iter(refusals), None) or otherwise or NotAtBox(None)


def _patrons(state: State, acting: Acting, refuse: Callable[[State, str], Refusal | None]) -> Ways:
    """The ways of a command that needs a patron and nothing else."""
    refusals = {patron: refuse(state, patron) for patron in acting.boxes}
    ways = [Way(acting.name(patron)) for patron, refusal in refusals.items() if refusal is None]
    return tuple(ways) or _first(refusals.values())


# ------------------------------------------------------------------------------------------- bets


def _spots(acting: Acting, bets: Iterable[str]) -> list[Spot]:
    """Every spot at which these patrons have a place."""
    return [Spot(box, patron, on) for patron, boxes in acting.boxes.items() for box in boxes for on in bets]


def _placed(state: State, patron: str, boxes: Iterable[int]) -> list[Spot]:
    """The spots on which a patron has bets."""
    there = open_round(state).boxes
    spots = [spot for box in boxes for spot in there.get(box, ())]
    return [spot for spot in spots if spot.patron == patron]


Bounds = Callable[[State, Spot], Amount | Refusal]


def _bets(
    state: State, acting: Acting, spots: Iterable[Spot], bounds_of: Bounds, otherwise: Refusal | None = None
) -> Ways:
    """The ways to bet on these spots. A way on which no amount is accepted carries its refusal."""
    ways, refused = [], []
    for spot in spots:
        bounds = bounds_of(state, spot)
        if isinstance(bounds, Refusal):
            refused.append(bounds)
        else:
            refusal = refuse_minimum(state, spot, bounds) if bounds.is_empty else None
            cover = cover_of(state, spot, bounds) if spot.on in state.sheet.insurance_bets else None
            way = Way(acting.name(spot.patron), spot.box, spot.on, bounds, cover=cover)
            ways.append(way if refusal is None else way._replace(refusal=refusal))
    return tuple(ways) or _first(refused, otherwise)


def _place(state: State, acting: Acting) -> Ways:
    return _bets(state, acting, _spots(acting, state.sheet.bets), bounds_to_place)


def _place_all(state: State, acting: Acting) -> Ways:
    """For each bet how much may stand on it while the patron's other bets stay. Together, more may be accepted."""
    return _bets(state, acting, _spots(acting, state.sheet.bets), bounds_to_stake)


def _placed_or_all(state: State, acting: Acting) -> list[Spot]:
    """The spots on which each patron has bets; all spots of a patron without one, who is told so."""
    spots = [
        _placed(state, patron, boxes) or [Spot(box, patron, on) for box in boxes for on in state.sheet.bets]
        for patron, boxes in acting.boxes.items()
    ]
    return [spot for each in spots for spot in each]


def _raise(state: State, acting: Acting) -> Ways:
    return _bets(state, acting, _placed_or_all(state, acting), bounds_to_raise)


def _withdraw(state: State, acting: Acting) -> Ways:
    return _bets(state, acting, _placed_or_all(state, acting), bounds_to_withdraw, BetUnknown(None, None))


def _record(state: State, acting: Acting) -> Ways:
    if open_round(state).dealt:
        return refuse_bet_now(state)
    if acting.cash and takes_cash(state):
        boxes = range(1, open_settings(state).boxes + 1)
        acting = acting._replace(boxes=acting.boxes | {cash_patron(box): (box,) for box in boxes})
    return _bets(state, acting, _spots(acting, state.sheet.bets), bounds_to_record)


def _insure(state: State, acting: Acting) -> Ways:
    """The ways to insure what is on offer. A patron without an original bet to insure gets that refusal."""
    on_offer = [bet.id for bet in state.sheet.insurance_bets.values() if bet.hand in offers_now(state)]
    return _bets(state, acting, _spots(acting, on_offer), bounds_to_insure)


# ------------------------------------------------------------------------------------------- the rest


def _squeeze(state: State, acting: Acting) -> Ways:
    if not open_settings(state).face_down:
        return SqueezeNotOffered(c.SqueezeOf.CARD)
    return tuple(
        [
            Way(acting.name(patron), what=what, refusal=refuse_squeeze(state, patron, what))
            for patron in acting.boxes
            for what in c.SqueezeOf
        ]
    )


def _pass_squeeze(state: State, acting: Acting) -> Ways:
    left = [(patron, place) for patron in acting.boxes for place in squeezes_left(state, patron)]
    return tuple([Way(acting.name(patron), place=place) for patron, place in left]) or nothing_to_pass(state)


def _answer_squeeze(state: State) -> Ways:
    if open_round(state).request is None:
        return SqueezeNotAsked()
    return Way(consent=True), Way(consent=False)


def _report(state: State) -> Ways:
    found: list[Way] = []
    for situation in situations(state.sheet):
        irregularity = state.sheet.irregularities.get(situation)
        ways = refuse_report(state, situation, irregularity) or ways_to_report(state, situation)
        ways = (Way(refusal=ways),) if isinstance(ways, Refusal) else ways
        may_be_past = irregularity is not None and irregularity.ruling is Ruling.RETURN_ORIGINAL
        if may_be_past and refuse_report(state, situation, irregularity) is None:
            ways += ways_to_claim_later(state)
        found += [way._replace(situation=situation, group=group_of(situation)) for way in ways]
    order = list(SituationGroup)
    return tuple(sorted(found, key=lambda way: order.index(way.group or SituationGroup.OTHER)))


def _choose(state: State, acting: Acting) -> Ways:
    refusals = {patron: refuse_choice(state, patron) for patron in acting.boxes}
    choosing = [patron for patron, refusal in refusals.items() if refusal is None]
    ways = [Way(acting.name(patron), option=option) for patron in choosing for option in c.Option]
    return tuple(ways) or _first(refusals.values(), refuse_choice(state, _ANYONE))


def _change_insurance(state: State, acting: Acting) -> Ways:
    """For each patron who may ask, the only change there is: to offer insurance again, or to offer it no more."""
    offered = open_settings(state).without_insurance
    refusals = {patron: refuse_insurance_change(state, patron, offered=offered) for patron in acting.boxes}
    ways = [Way(acting.name(patron), offered=offered) for patron, refusal in refusals.items() if refusal is None]
    return tuple(ways) or _first(refusals.values(), refuse_insurance_change(state, _ANYONE, offered=offered))


_AT_TABLE: dict[type[c.Command], Callable[[State], Ways]] = {
    c.OpenTable: ways_to_open,
    c.CloseTable: lambda _: ANY,
    c.LoadShoe: ways_to_load,
    c.CutCard: lambda state: refuse_cut_card(state) or ANY,
    c.OpenBets: lambda state: refuse_opening(state) or ANY,
    c.CloseBets: lambda state: refuse_closing(state) or (Way(warnings=boxes_to_check(state)),),
    c.Deal: ways_to_deal,
    c.AnswerSqueeze: _answer_squeeze,
    c.Settle: lambda _: ANY,
    c.Report: _report,
    c.Recover: lambda state: refuse_recovery(state) or ANY,
    c.ChangeLimits: ways_to_change_limits,
    c.CheckDecks: ways_to_check,
    c.ShuffleCards: lambda state: refuse_preparation(state) or ANY,
    c.BurnCards: ways_to_burn,
    c.CountShoe: ways_to_count,
    c.SuspendPlay: lambda state: refuse_suspension(state) or (Way(inputs=(REASON,)),),
    c.ResumePlay: lambda state: refuse_resumption(state) or ANY,
}
"""Commands whose ways depend on the table alone."""

_BY_STAFF: dict[type[c.Command], Callable[[State, c.Actor], Ways]] = {
    c.ReplaceShoe: lambda state, actor: refuse_replacement(state, actor) or (Way(inputs=(REASON,)),),
    c.OpenCard: ways_to_open_card,
    c.Decide: lambda state, actor: refuse_decision(state, actor) or ways_to_decide(state),
    c.ComeOnDuty: lambda state, actor: refuse_duty(state, actor) or ANY,
    c.GoOffDuty: lambda state, actor: refuse_off_duty(state, actor) or ANY,
    c.AssignPosition: ways_to_assign,
    c.CorrectCards: ways_to_correct,
    c.CorrectRound: ways_to_correct_round,
}
"""Commands whose ways depend on who gives them."""

_FOR_PATRONS: dict[type[c.Command], Callable[[State, Acting], Ways]] = {
    c.Leave: lambda state, acting: _patrons(state, acting, refuse_leave),
    c.PlaceBet: _place,
    c.RaiseBet: _raise,
    c.WithdrawBet: _withdraw,
    c.PlaceBets: _place_all,
    c.RecordBet: _record,
    c.Insure: _insure,
    c.AnnounceInsurance: lambda state, acting: _patrons(state, acting, refuse_announcement),
    c.AskSqueeze: _squeeze,
    c.PassSqueeze: _pass_squeeze,
    c.Choose: _choose,
    c.ChangeInsurance: _change_insurance,
}
"""Commands whose ways depend on whom they are for."""

_PLACES: dict[type[c.Command], Refuse] = {c.Sit: refuse_sit, c.Stand: refuse_stand}


def _ways(state: State, actor: c.Actor, kind: type[c.Command], acting: Acting) -> Ways:
    if kind in _FOR_PATRONS:
        return _FOR_PATRONS[kind](state, acting)
    if kind in _PLACES:
        return _places(state, acting, _PLACES[kind])
    return _BY_STAFF[kind](state, actor) if kind in _BY_STAFF else _AT_TABLE[kind](state)
