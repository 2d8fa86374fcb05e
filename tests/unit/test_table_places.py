"""Places at the boxes: who may sit or stand where, who comes back, and what leaving ends."""

from __future__ import annotations

import pytest

from punto.table import acts
from punto.table.phases import Phase
from punto.table.refusals import NameInvalid
from tests.table_kit import DEALER, Play, patron


def standing(name: str, box: int) -> acts.Stand:
    return acts.Stand(patron(name), name, box)


def in_round() -> Play:
    """Ann sits, cy stands behind her, both with bets; bo sits without one. Two cards are dealt."""
    play = Play("commission").sit("ann", "bo")
    play.do(standing("cy", 1))
    return play.open(("ann", "player", 10_000), ("cy", "player", 10_000)).close().deal("2h 3d")


@pytest.mark.parametrize("name", ["", "  ", "cash:1"])
def test_a_place_has_a_name_that_a_person_can_have(name: str) -> None:
    assert Play("commission").decide(acts.Sit(DEALER, name, 1)) == NameInvalid()


@pytest.mark.parametrize(
    ("leaving", "event"),
    [
        (acts.Leave(patron("bo"), "bo"), acts.PatronLeft(patron("bo"), "bo", None)),  # nothing stays
        (
            acts.Leave(patron("bo"), "bo", absent=True),
            acts.PatronLeft(patron("bo"), "bo", None),
        ),  # nobody says so themselves
        (acts.Leave(DEALER, "bo"), acts.PatronLeft(DEALER, "bo", None)),
        (acts.Leave(DEALER, "bo", absent=True), acts.PatronLeft(DEALER, "bo", None, absent=True)),
        (acts.Leave(patron("ann"), "ann"), acts.PatronLeft(patron("ann"), "ann", "5.3", bets_stay=True)),
        (acts.Leave(DEALER, "ann", absent=True), acts.PatronLeft(DEALER, "ann", "5.3", bets_stay=True, absent=True)),
    ],
)
def test_commission_5_3_bets_stay_when_a_patron_leaves(leaving: acts.Leave, event: acts.PatronLeft) -> None:
    assert in_round().do(leaving) == (event,)


def test_leaving_answers_the_own_choice_and_not_that_of_others() -> None:
    play = in_round()
    play.report("other-dealing-error")
    for name, waits_for in (("ann", ("cy",)), ("cy", ())):
        play.do(acts.Leave(patron(name), name))
        case = play.state.case
        assert (case.patrons if case else ()) == waits_for
    assert play.state.phase is Phase.INITIAL_CARDS
