"""The engine of a table: who may give a command now, the ways in which it is accepted, and what follows from it.

`decide` and `choices` know no command. They ask its class, and both make the same checks first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache

from punto.rules.cash import is_cash
from punto.rules.refusals import Refusal
from punto.rules.sheet import Role, Sheet
from punto.table.act import COMMANDS, Command, Event
from punto.table.actor import Actor
from punto.table.draft import Draft
from punto.table.phases import Phase
from punto.table.refusals import NotAtBox, NotPermitted, NotYours, RoundMismatch, TableNotOpen, TerminalsOnly
from punto.table.rulings.cases import refuse_held
from punto.table.state import State, new_table
from punto.table.ways import ANYONE, AnyChoice, Asking, Choice, Way, Ways


def in_position(state: State, actor: Actor) -> Actor:
    """The actor in the position that they were assigned, if any."""
    duty = state.duty.get(actor.person)
    if duty is None or duty.position is None or actor.role is None:
        return actor
    return Actor(actor.person, duty.position, own=actor.own or actor.role)


def refuse_authority(state: State, by: Actor, kind: type[Command]) -> Refusal | None:
    """The reason why someone can never give a command of this kind, in the position in which they act."""
    role = kind.authority
    return None if role is None or in_position(state, by).may_act_as(role) else NotPermitted(role)


def refuse_kind(state: State, by: Actor, kind: type[Command]) -> Refusal | None:
    """The reason why someone cannot give a command of this kind now, whatever its target."""
    if refusal := refuse_authority(state, by, kind):
        return refusal
    if kind.makes_bets and by.role is not None and (rule := state.sheet.boxes.terminals_rule):
        return TerminalsOnly(rule=rule)
    if state.phase in kind.during:
        return None
    if state.phase is Phase.NOT_OPEN:
        return TableNotOpen()
    return refuse_held(state.case) if state.case is not None else kind.refuse_phase(state)


def decide(state: State, command: Command) -> Draft | Refusal:
    """The events of a command and the state after them, or its refusal. The given state does not change."""
    command = _acting(state, command)
    return _refuse_first(state, command) or command.refuse_given(state) or command.decide(state)


def round_needed(state: State, command: Command) -> int | None:
    """The number of the earlier round whose record must be supplied before the command is decided; None without one.

    A command that is refused for another reason needs none: nobody without authority makes a house read its log.
    """
    command = _acting(state, command)
    return None if _refuse_first(state, command) or command.refuse_given(state) else command.round_needed(state)


def _acting(state: State, command: Command) -> Command:
    """The command, given in the position in which its actor acts."""
    by = in_position(state, command.by)
    return command if by is command.by else replace(command, by=by)


def _refuse_first(state: State, command: Command) -> Refusal | None:
    """The refusal of a command by who gives it and when, before its act is asked."""
    kind, by = type(command), command.by
    if by.role is None and kind.authority is None and getattr(command, "patron", by.person) != by.person:
        return NotYours(rule=state.sheet.authority.bets_for_patrons_rule)
    if refusal := command.refuse_first(state) or refuse_kind(state, by, kind):
        return refusal
    if not kind.names_round:
        return None
    number: int | None = getattr(command, "round")  # noqa: B009 — of some acts only
    now = state.round.number if state.round else None
    return RoundMismatch(number, now) if number not in {None, now} else None


def evolve(state: State, event: Event) -> State:
    """The state after an event."""
    return event.apply(state)


def replay(sheet: Sheet, events: Iterable[Event]) -> State:
    """The state of a table of this sheet after these events, starting from a new table."""
    state = new_table(sheet)
    for event in events:
        state = evolve(state, event)
    return state


def choices(state: State, actor: Actor, patrons: Iterable[str] | None = None) -> tuple[AnyChoice, ...]:
    """The acts open to someone now, command by command.

    A patron acts for themselves; staff act for `patrons`, by default everyone who has a place at the table and whoever
    bets cash.
    """
    actor = in_position(state, actor)
    if actor.role is None:
        asking = Asking(actor, {actor.person: state.places.get(actor.person, ())})
    else:
        named = state.places if patrons is None else patrons
        boxes = {patron: state.places.get(patron, ()) for patron in named}
        cash = _cash_bettors(state) if patrons is None else {}
        asking = Asking(actor, boxes | cash, cash=patrons is None)
    return tuple([_choice(state, kind, asking) for kind in COMMANDS.values()])


def shared_choices(state: State) -> tuple[AnyChoice, ...]:
    """The part that all patrons share: which of their commands the table refuses now, and the free places.

    For a command without a refusal, `own_choices` decides.
    """
    found = []
    for kind in patron_commands():
        by = Actor(ANYONE)
        refusal = refuse_kind(state, by, kind) or kind.refuse(state, by)
        ways = () if refusal else kind.shared_ways(state)
        found.append(Choice(kind.kind, refusal=refusal) if refusal or not ways else _among(kind, ways))
    return tuple(found)


def own_choices(
    state: State, patron: str, boxes: Sequence[int], kinds: Iterable[type[Command]] | None = None
) -> tuple[AnyChoice, ...]:
    """The acts open to a patron with a place at these boxes, among the commands that not all are refused.

    Whoever has no place has nothing of their own: all they may do is take one, as anyone may.
    """
    if not boxes:
        return ()
    asking, kinds = Asking(Actor(patron), {patron: boxes}), patron_commands() if kinds is None else kinds
    return tuple([_choice(state, kind, asking) for kind in kinds if state.phase in kind.during])


@cache
def patron_commands() -> tuple[type[Command], ...]:
    """The commands of patrons."""
    return tuple([kind for kind in COMMANDS.values() if kind.authority is None])


def _cash_bettors(state: State) -> dict[str, Sequence[int]]:
    """Those who bet cash in this round, each with their box."""
    bets = state.round.bets if state.round else ()
    return {spot.patron: (spot.box,) for spot in bets if is_cash(spot.patron)}


def _choice(state: State, kind: type[Command], asking: Asking) -> AnyChoice:
    if kind.authority is not None and not asking.actor.may_act_as(kind.authority):
        return _not_permitted(kind.kind, kind.authority)
    refusal = refuse_kind(state, asking.actor, kind) or kind.refuse(state, asking.actor)
    return Choice(kind.kind, refusal=refusal) if refusal else _among(kind, kind.ways(state, asking))


def _among(kind: type[Command], ways: Ways[Way]) -> AnyChoice:
    """The choice of a command among its ways; where there are none but refusals, the first of them."""
    every = tuple(ways)
    found = tuple([each for each in every if not isinstance(each, Refusal)])
    first = next((each for each in every if isinstance(each, Refusal)), None)
    return Choice(kind.kind, found) if found else Choice(kind.kind, refusal=first or NotAtBox(None))


@cache
def _not_permitted(kind: str, role: Role) -> AnyChoice:
    return Choice(kind, refusal=NotPermitted(role))
