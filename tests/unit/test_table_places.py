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


def test_leaving_answers_the_own_choice_and_not_that_of_others() -> None:
    play = in_round()
    play.report("other-dealing-error")
    for name, waits_for in (("ann", ("cy",)), ("cy", ())):
        play.do(acts.Leave(patron(name), name))
        case = play.state.case
        assert (case.patrons if case else ()) == waits_for
    assert play.state.phase is Phase.INITIAL_CARDS
