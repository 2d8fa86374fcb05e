"""Staff on duty: in which position they act, and who may assign it."""

from __future__ import annotations

from punto.rules.sheet import Role
from punto.table import acts
from punto.table.actor import Actor
from punto.table.refusals import PositionNotAssignable, SamePerson
from tests.table_kit import DEALER, MANAGER, SUPERVISOR, Play

PIT = (Role.DEALER, Role.PIT_SUPERVISOR, Role.PIT_MANAGER)


def on_duty(*staff: Actor) -> Play:
    play = Play("commission")
    for actor in staff:
        play.do(acts.ComeOnDuty(actor))
    return play


def test_commission_1_11_nobody_assigns_more_than_their_own_role() -> None:
    """Sue acts as Pit Manager, and is a Pit Supervisor."""
    play = on_duty(DEALER, SUPERVISOR, MANAGER)
    play.do(acts.AssignPosition(MANAGER, "sue", Role.PIT_MANAGER))
    sue = Actor("sue", Role.PIT_MANAGER, own=Role.PIT_SUPERVISOR)
    too_high = PositionNotAssignable(Role.PIT_MANAGER, PIT[:2], rule="1.11")
    assert play.decide(acts.AssignPosition(SUPERVISOR, "dan", Role.PIT_MANAGER)) == too_high
    (assigned,) = play.do(acts.AssignPosition(SUPERVISOR, "dan", Role.PIT_SUPERVISOR))
    assert assigned == acts.PositionAssigned(sue, "dan", Role.DEALER, Role.PIT_SUPERVISOR, "1.11")
    (back,) = play.do(acts.AssignPosition(SUPERVISOR, "dan"))
    assert back == acts.PositionAssigned(sue, "dan", Role.DEALER, Role.DEALER, "1.11")
    assert play.decide(acts.AssignPosition(SUPERVISOR, "sue", Role.DEALER)) == SamePerson(rule="1.11")
