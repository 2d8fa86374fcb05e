"""Incidents at a table, event by event: what is ruled, what is asked of whom, and what is done about it."""

from __future__ import annotations

from typing import Any

import pytest

from punto.rules.sheet import Role, Ruling
from punto.table import acts
from punto.table.actor import Actor
from punto.table.rulings.cases import RulingEffect
from punto.table.values import Decision
from tests.table_kit import DEALER, NATURAL, SHIFT, Play, sheet_text


def after_report(play: Play, situation: str, by: Actor = DEALER, **facts: Any) -> list[acts.Event]:
    """What follows a report: its own event names the round, the case and the facts."""
    report = play.reporting(situation, by, **facts)
    number, case = play.state.rounds, play.state.cases + 1
    first, *rest = play.do(report)
    assert first == acts.IncidentReported(by, case, number, situation, report.facts)
    return rest


def ruled(ruling: Ruling, rule: str, finding: RulingEffect | None = None, by: Actor = DEALER) -> acts.Event:
    return acts.IncidentRuled(by, 1, ruling, rule, finding)


CLOSED = acts.CaseClosed(DEALER, 1)


# ------------------------------------------------------------------------------------------- other sheets


def own_sheet(cards: str, *changes: tuple[str, str]) -> Play:
    """A table of the sheet `commission` with these changes; ann has 100.00 on Player."""
    play = Play(sheet_text("commission", *changes), live=True).sit("ann")
    return play.open(("ann", "player", 10_000)).close().deal(cards)


NEW_SHOE = 'rule = "5.5.1"\nnew-shoe = {} # house practice\n'


@pytest.mark.parametrize(
    "new", ['rule = "5.5.1"\n', 'rule = "5.5.1"\nnew-shoe = { rule = "5.5.1", by = "pit-supervisor" }\n']
)
def test_a_sheet_may_leave_the_shoe_in_play_after_a_void(new: str) -> None:
    """It says nothing of a new shoe, or names who may replace it."""
    play = own_sheet("9h", (NEW_SHOE, new))
    play.confirmed(play.reporting("foreign-card"))
    assert not play.of(acts.ShoeRemoved)
    nothing = acts.IncidentRuled(DEALER, 2, Ruling.VOID, "5.5.1", RulingEffect.NOTHING_TO_VOID)
    assert after_report(play, "foreign-card") == [nothing, acts.CaseClosed(DEALER, 2)]


def test_a_sheet_may_give_no_options() -> None:
    none = ('options = { unless = "outcome-established-and-reconstructible", rule = "5.8" }\n', "")
    facts: dict[str, Any] = {"cards": "9h 2c", "reconstructible": False, "note": "mixed up"}
    beyond = ruled(Ruling.RECONSTRUCT, "5.8", RulingEffect.NOT_RECONSTRUCTIBLE)
    assert after_report(own_sheet("9h 2c", none), "wrong-area", **facts) == [beyond, CLOSED]


def test_a_sheet_may_rule_an_interruption_by_one_paragraph() -> None:
    one = (('conclude = "5.4.1"\n', ""), ('void-interrupted = "5.4.2"\n', ""))
    undecided = after_report(own_sheet("9h", *one), "technical-interruption")
    assert undecided[0] == ruled(Ruling.CONCLUDE_OR_VOID, "5.4", RulingEffect.UNDECIDED)
    concluded = after_report(own_sheet("5h Kd 5s", *one), "technical-interruption")
    assert concluded[0] == ruled(Ruling.CONCLUDE_OR_VOID, "5.4", RulingEffect.CONCLUDED)


# ------------------------------------------------------------------------------------------- decisions


def test_a_sheet_may_let_a_settled_round_be_void_by_decision() -> None:
    wrong_area = 'rule = "5.8"\noptions = { unless = "outcome-established-and-reconstructible", rule = "5.8" }\n'
    play = own_sheet(NATURAL, (wrong_area, f"{wrong_area}until-next-round = true\n"))
    play.settle()
    assert after_report(play, "wrong-area", cards="2c 9h Kd 3c", reconstructible=True) == [
        acts.IncidentReferred(DEALER, 1, Role.SHIFT_MANAGER, "5.17")
    ]
    play.confirmed(acts.Decide(SHIFT, Decision.VOID, "seen on camera"))
    (adjusted,) = play.of(acts.RoundAdjusted)
    assert (adjusted.void, [each.after_cents for each in adjusted.lines]) == (True, [10_000])
