"""Staff on duty at a table, and the positions in which they act.

A person may be assigned to act in another position for a time. What they do is then recorded under that position and
their own role. Nobody needs to be on duty to act in their own role.
"""

from __future__ import annotations

from punto.rules.refusals import Refusal
from punto.rules.sheet import Role
from punto.table.act import Command, Event, StaffOnly, act, event
from punto.table.actor import Actor
from punto.table.draft import Draft
from punto.table.phases import OPEN
from punto.table.refusals import AlreadyOnDuty, NotOnDuty, PositionNotAssignable, SamePerson
from punto.table.state import OnDuty, State
from punto.table.ways import Asking, Input, InputType, Way, Ways

POSITIONS = (Role.DEALER, Role.PIT_SUPERVISOR, Role.PIT_MANAGER)
"""The positions of pit employees, in which others may act."""


@event(money=False)
class StaffOnDuty(Event):
    """Someone came on duty at the table, in their own position."""

    def apply(self, state: State) -> State:
        by = self.by
        assert by.role is not None  # noqa: S101 — patrons have no duty
        return state._replace(duty=state.duty | {by.person: OnDuty(by.own or by.role)})


@act(by=Role.DEALER, during=OPEN)
class ComeOnDuty(Command):
    """Come on duty at the table."""

    @classmethod
    def refuse(cls, state: State, by: Actor) -> Refusal | None:
        return AlreadyOnDuty() if by.person in state.duty else None

    def decide(self, state: State) -> Draft | Refusal:
        return Draft(state, StaffOnDuty(self.by))


@event(money=False)
class StaffOffDuty(Event):
    """Someone went off duty."""

    def apply(self, state: State) -> State:
        return state._replace(duty={person: duty for person, duty in state.duty.items() if person != self.by.person})


@act(by=Role.DEALER, during=OPEN)
class GoOffDuty(Command):
    """Go off duty. Acting in another position ends with it."""

    @classmethod
    def refuse(cls, state: State, by: Actor) -> Refusal | None:
        return None if by.person in state.duty else NotOnDuty(by.person)

    def decide(self, state: State) -> Draft | Refusal:
        return Draft(state, StaffOffDuty(self.by))


@event(money=False, significant="people")
class PositionAssigned(Event):
    """Someone on duty acts in this position from now on, which may be their own again."""

    person: StaffOnly[str]
    own: Role
    position: Role
    rule: str | None

    def apply(self, state: State) -> State:
        position = self.position if self.position is not self.own else None
        giver = state.duty.get(self.by.person)
        given_by = (self.by.person, *(giver.given_by if giver else ())) if position else ()
        return state._replace(duty=state.duty | {self.person: OnDuty(self.own, position, given_by)})


@act(by=Role.PIT_SUPERVISOR, during=OPEN)
class AssignPosition(Command):
    """Let someone who is on duty act in another position; without a position, in their own again."""

    person: str
    position: Role | None = None

    @classmethod
    def refuse(cls, state: State, by: Actor) -> Refusal | None:
        alone = all(person == by.person for person in state.duty)
        return NotOnDuty(None, rule=state.sheet.authority.acting_rule) if alone else None

    @classmethod
    def ways(cls, state: State, asking: Asking) -> Ways[Way]:
        by, kind = asking.actor, InputType.ONE_OF
        others = tuple([person for person in state.duty if person != by.person])
        person = Input("person", kind, missing=NotOnDuty, refused=NotOnDuty, allowed=others)
        position = Input("position", kind, False, refused=PositionNotAssignable, allowed=_assignable(by))
        return (Way(inputs=(person, position)),)

    def decide(self, state: State) -> Draft | Refusal:
        by, person, position, rule = self.by, self.person, self.position, state.sheet.authority.acting_rule
        if person == by.person:
            return SamePerson(rule=rule)
        if (duty := state.duty.get(person)) is None:
            return NotOnDuty(person, rule=rule)
        assignable = _assignable(by)
        if position is not None and position not in assignable:
            return PositionNotAssignable(position, assignable, rule=rule)
        return Draft(state, PositionAssigned(by, person, duty.own, position or duty.own, rule))


def _assignable(by: Actor) -> tuple[str, ...]:
    """The positions that someone can assign: those up to their own role."""
    own = by.own or by.role
    return tuple([position for position in POSITIONS if own is not None and position.level <= own.level])
