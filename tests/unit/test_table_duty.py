"""Staff on duty: in which position they act, and who may assign it."""

from __future__ import annotations

import pytest

from punto.rules.sheet import Role
from punto.table import commands as c
from punto.table import events as e
from punto.table.bounds import Input, InputType, Way
from punto.table.duty import in_position, ways_to_assign
from punto.table.refusals import NotOnDuty, PositionNotAssignable, SamePerson
from tests.table_kit import DEALER, MANAGER, SUPERVISOR, Play

PIT = (Role.DEALER, Role.PIT_SUPERVISOR, Role.PIT_MANAGER)


def on_duty(*staff: c.Actor) -> Play:
    play = Play("commission")
    for actor in staff:
        play.do(c.ComeOnDuty(actor))
    return play


def test_commission_1_11_whoever_is_assigned_a_position_acts_in_it() -> None:
    play = on_duty(DEALER, SUPERVISOR)
    assert in_position(play.state, DEALER) == DEALER
    play.do(c.AssignPosition(SUPERVISOR, "dan", Role.PIT_SUPERVISOR))
    acting = c.Actor("dan", Role.PIT_SUPERVISOR, own=Role.DEALER)
    assert in_position(play.state, DEALER) == acting
    assert in_position(play.state, acting) == acting, "the own role stays"
    assert in_position(play.state, c.Actor("dan")) == c.Actor("dan"), "a patron of that name has no position"
    assert in_position(play.state, SUPERVISOR) == SUPERVISOR


@pytest.mark.parametrize(
    ("assigning", "refusal"),
    [
        (c.AssignPosition(SUPERVISOR, "sue", Role.DEALER), SamePerson(rule="1.11")),
        (c.AssignPosition(SUPERVISOR, "max", Role.DEALER), NotOnDuty("max", rule="1.11")),
        (
            c.AssignPosition(SUPERVISOR, "dan", Role.PIT_MANAGER),
            PositionNotAssignable(Role.PIT_MANAGER, PIT[:2], rule="1.11"),
        ),
    ],
)
def test_commission_1_11_who_may_not_assign_what(assigning: c.AssignPosition, refusal: object) -> None:
    assert on_duty(DEALER, SUPERVISOR).decide(assigning) == refusal


def test_commission_1_11_nobody_assigns_more_than_their_own_role() -> None:
    """Sue acts as Pit Manager, and is a Pit Supervisor."""
    play = on_duty(DEALER, SUPERVISOR, MANAGER)
    play.do(c.AssignPosition(MANAGER, "sue", Role.PIT_MANAGER))
    sue = c.Actor("sue", Role.PIT_MANAGER, own=Role.PIT_SUPERVISOR)
    too_high = PositionNotAssignable(Role.PIT_MANAGER, PIT[:2], rule="1.11")
    assert play.decide(c.AssignPosition(SUPERVISOR, "dan", Role.PIT_MANAGER)) == too_high
    (assigned,) = play.do(c.AssignPosition(SUPERVISOR, "dan", Role.PIT_SUPERVISOR))
    assert assigned == e.PositionAssigned(sue, "dan", Role.DEALER, Role.PIT_SUPERVISOR, "1.11")
    (back,) = play.do(c.AssignPosition(SUPERVISOR, "dan"))
    assert back == e.PositionAssigned(sue, "dan", Role.DEALER, Role.DEALER, "1.11")


def test_who_may_be_let_act_in_what() -> None:
    play = on_duty(SUPERVISOR)
    assert ways_to_assign(play.state, SUPERVISOR) == NotOnDuty(None, rule="1.11")
    play.do(c.ComeOnDuty(DEALER))
    person = Input("person", InputType.ONE_OF, True, "not-on-duty", "not-on-duty", ("dan",))
    refused = "position-not-assignable"
    position = Input("position", InputType.ONE_OF, required=False, refused=refused, allowed=PIT[:2])
    assert ways_to_assign(play.state, SUPERVISOR) == (Way(inputs=(person, position)),)
