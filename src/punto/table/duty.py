"""Staff on duty at a table, and the positions in which they act.

A person may be assigned to act in another position for a time. What they do is then recorded under that position and
their own role. Nobody needs to be on duty to act in their own role.
"""

from __future__ import annotations

from punto.rules.refusals import Refusal
from punto.rules.sheet import Role
from punto.table import commands as c
from punto.table import events as e
from punto.table.bounds import Input, InputType, Way
from punto.table.play import EventsOrRefusal
from punto.table.refusals import AlreadyOnDuty, NotOnDuty, PositionNotAssignable, SamePerson
from punto.table.state import State

POSITIONS = (Role.DEALER, Role.PIT_SUPERVISOR, Role.PIT_MANAGER)
"""The positions of pit employees, in which others may act."""


def in_position(state: State, actor: c.Actor) -> c.Actor:
    """The actor in the position that they were assigned, if any."""
    duty = state.duty.get(actor.person)
    if duty is None or duty.position is None or actor.role is None:
        return actor
    return c.Actor(actor.person, duty.position, own=actor.own or actor.role)


def refuse_duty(state: State, by: c.Actor) -> Refusal | None:
    """Why someone cannot come on duty."""
    return AlreadyOnDuty() if by.person in state.duty else None


def come_on_duty(state: State, command: c.ComeOnDuty) -> EventsOrRefusal:
    """Come on duty in one's own position."""
    return refuse_duty(state, command.by) or (e.StaffOnDuty(command.by),)


def refuse_off_duty(state: State, by: c.Actor) -> Refusal | None:
    """Why someone cannot go off duty."""
    return None if by.person in state.duty else NotOnDuty(by.person)


def go_off_duty(state: State, command: c.GoOffDuty) -> EventsOrRefusal:
    """Go off duty."""
    return refuse_off_duty(state, command.by) or (e.StaffOffDuty(command.by),)


def ways_to_assign(state: State, by: c.Actor) -> tuple[Way, ...] | Refusal:
    """The input to let someone else on duty act in a position."""
    others = tuple([person for person in state.duty if person != by.person])
    if not others:
        return NotOnDuty(None, rule=state.sheet.authority.acting_rule)
    person = Input("person", InputType.ONE_OF, missing="not-on-duty", refused="not-on-duty", allowed=others)
    refused, allowed = "position-not-assignable", _assignable(by)
    return (Way(inputs=(person, Input("position", InputType.ONE_OF, False, refused=refused, allowed=allowed))),)


def assign_position(state: State, command: c.AssignPosition) -> EventsOrRefusal:
    """Let someone on duty act in a position that the one who assigns it has by their own role."""
    by, person, position, rule = command.by, command.person, command.position, state.sheet.authority.acting_rule
    if isinstance(ways := ways_to_assign(state, by), Refusal):
        return ways
    if person == by.person:
        return SamePerson(rule=rule)
    if (duty := state.duty.get(person)) is None:
        return NotOnDuty(person, rule=rule)
    assignable = _assignable(by)
    if position is not None and position not in assignable:
        return PositionNotAssignable(position, assignable, rule=rule)
    return (e.PositionAssigned(by, person, duty.own, position or duty.own, rule),)


def _assignable(by: c.Actor) -> tuple[str, ...]:
    """The positions that someone can assign: those up to their own role."""
    own = by.own or by.role
    return tuple([position for position in POSITIONS if own is not None and position.level <= own.level])
