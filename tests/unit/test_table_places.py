"""Places at the boxes: who may sit or stand where, who comes back, and what leaving ends."""

from __future__ import annotations

import pytest

from punto.rules.refusals import BoxUnknown
from punto.table import commands as c
from punto.table import events as e
from punto.table.phases import Phase
from punto.table.refusals import AlreadyThere, BoxTaken, NameInvalid
from tests.table_kit import DEALER, Play, patron


def sitting(name: str, box: int) -> c.Sit:
    return c.Sit(patron(name), name, box)


def standing(name: str, box: int) -> c.Stand:
    return c.Stand(patron(name), name, box)


def in_round() -> Play:
    """Ann sits, cy stands behind her, both with bets; bo sits without one. Two cards are dealt."""
    play = Play("commission").sit("ann", "bo")
    play.do(standing("cy", 1))
    return play.open(("ann", "player", 10_000), ("cy", "player", 10_000)).close().deal("2h 3d")


@pytest.mark.parametrize("box", [0, 10, -1])
def test_commission_2_1_1_a_layout_has_its_boxes(box: int) -> None:
    play = Play("commission").sit("ann")
    unknown = BoxUnknown(box, 9, rule="2.1.1")
    assert play.decide(sitting("bo", box)) == unknown
    assert play.decide(standing("bo", box)) == unknown
    play.do(sitting("bo", 9))


@pytest.mark.parametrize("name", ["", "  ", "cash:1"])
def test_a_place_has_a_name_that_a_person_can_have(name: str) -> None:
    assert Play("commission").decide(c.Sit(DEALER, name, 1)) == NameInvalid()


def test_nobody_sits_twice_or_in_the_lap_of_another() -> None:
    play = Play("commission").sit("ann", "bo")
    assert play.decide(sitting("ann", 1)) == AlreadyThere(1)
    assert play.decide(sitting("ann", 3)) == AlreadyThere(1)
    assert play.decide(sitting("ann", 2)) == BoxTaken(2)


def test_nobody_stands_twice_behind_a_box() -> None:
    play = in_round()
    assert play.decide(standing("cy", 1)) == AlreadyThere(1)
    assert play.decide(standing("ann", 1)) == AlreadyThere(1)
    play.do(standing("cy", 2))


@pytest.mark.parametrize(("name", "back"), [("ann", sitting("ann", 1)), ("cy", standing("cy", 1))])
def test_whoever_walked_away_may_come_back_to_their_place(name: str, back: c.Command) -> None:
    play = in_round()
    play.do(c.Leave(patron(name), name))
    play.do(back)
    assert play.state.round is not None
    assert play.state.round.away == frozenset()


@pytest.mark.parametrize(
    ("leaving", "event"),
    [
        (c.Leave(patron("bo"), "bo"), e.PatronLeft(patron("bo"), "bo", None)),  # nothing stays
        (c.Leave(patron("bo"), "bo", absent=True), e.PatronLeft(patron("bo"), "bo", None)),  # nobody says so themselves
        (c.Leave(DEALER, "bo"), e.PatronLeft(DEALER, "bo", None)),
        (c.Leave(DEALER, "bo", absent=True), e.PatronLeft(DEALER, "bo", None, absent=True)),
        (c.Leave(patron("ann"), "ann"), e.PatronLeft(patron("ann"), "ann", "5.3", bets_stay=True)),
        (c.Leave(DEALER, "ann", absent=True), e.PatronLeft(DEALER, "ann", "5.3", bets_stay=True, absent=True)),
    ],
)
def test_commission_5_3_bets_stay_when_a_patron_leaves(leaving: c.Leave, event: e.PatronLeft) -> None:
    assert in_round().do(leaving) == (event,)


def test_leaving_answers_the_own_choice_and_not_that_of_others() -> None:
    play = in_round()
    play.report("other-dealing-error")
    for name, waits_for in (("ann", ("cy",)), ("cy", ())):
        play.do(c.Leave(patron(name), name))
        case = play.state.case
        assert (case.patrons if case else ()) == waits_for
    assert play.state.phase is Phase.INITIAL_CARDS
