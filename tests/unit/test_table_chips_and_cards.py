"""Cards that came out and chips that lie: none is lost, counted twice, or measured by the wrong limit."""

from __future__ import annotations

from typing import Any

import pytest

from punto.rules.cards import parse_cards
from punto.rules.money import Cents
from punto.table import acts
from punto.table.phases import Phase
from punto.table.values import BetLimits, Decision, Option
from tests.table_kit import DEALER, NATURAL, SHIFT, SUPERVISOR, Play, patron


def betting(game: str = "commission", **settings: Any) -> Play:
    return Play(game, **settings).sit("ann", "bo").open(("ann", "player", 10_000))


def record(name: str, box: int, on: str, stake: int) -> acts.RecordBet:
    return acts.RecordBet(DEALER, name, box, on, Cents(stake))


def test_the_reading_of_an_excess_card_is_not_missed_later() -> None:
    play = betting().close()
    for reading, card in enumerate(parse_cards(NATURAL), 1):
        play.do(acts.Deal(DEALER, card, reading))
    assert play.refused(acts.Deal(DEALER, parse_cards("7c")[0], 5))[0] == "wrong-phase"
    play.report("excess-card", cards=NATURAL + " 7c", reconstructible=True)
    assert len(play.of(acts.ResultDeclared)) == 1
    play.settle()
    play.open(("ann", "player", 10_000)).close()
    play.do(acts.Deal(DEALER))
    play.do(acts.Deal(DEALER, parse_cards("8c")[0], 6))
    assert play.cards == parse_cards("7c 8c")
    play.replays()


def test_a_correction_keeps_the_cards_that_were_carried() -> None:
    play = betting().close().deal(NATURAL)
    play.report("excess-card", cards=NATURAL + " 7c 8c", reconstructible=True)
    play.settle()
    play.open(("ann", "player", 10_000)).close()
    play.do(acts.Deal(DEALER))
    lost = acts.CorrectCards(SUPERVISOR, parse_cards("6c"), "misread")
    assert play.refused(lost)[0] == "facts-contradict"
    play.do(acts.CorrectCards(SUPERVISOR, parse_cards("6c 8c"), "misread"))
    assert play.shoe.drawn == 6
    play.replays()


def test_a_side_bet_has_its_own_minimum() -> None:
    sides = (BetLimits("tie", Cents(500), Cents(50_000)),)
    play = betting(live=True, sides=sides)
    play.bet("ann", "tie", 1_000)
    low = play.reporting("below-minimum", patron="ann", box=1, on="tie")
    assert play.refused(low)[0] == "facts-contradict"
    play.do(record("ann", 1, "tie", 400))
    asked = play.of(acts.RaiseAsked, play.do(low))[0]
    assert asked.minimum_cents == 500
    play.do(acts.RaiseBet(patron("ann"), "ann", 1, "tie", Cents(100)))
    play.close()


def test_bets_taken_back_leave_no_excess_to_decide() -> None:
    play = Play("easy-six", live=True).sit("ann", "bo").open(("bo", "banker", 10_000))
    play.do(record("ann", 1, "player", 500_000))
    play.close().deal("2h 3d").report("other-dealing-error")
    play.confirmed(acts.Decide(SHIFT, Decision.OPTIONS, "cards fell"))
    play.do(acts.Choose(patron("ann"), "ann", Option.TAKE_BACK))
    play.do(acts.Choose(patron("bo"), "bo", Option.CONTINUE))
    play.deal("6h 4d")
    assert play.state.phase is Phase.RESULT
    assert [line.bet.patron for line in play.settle().lines] == ["bo"]
    play.replays()


@pytest.mark.parametrize(("game", "situation"), [("easy-six", "deck-count"), ("commission", "anything-else")])
def test_no_decision_voids_a_settled_round(game: str, situation: str) -> None:
    play = betting(game).close().deal(NATURAL)
    play.settle()
    play.report(situation)
    void = acts.Decide(SHIFT, Decision.VOID, "the deck was short")
    assert play.refused(void)[0] == "facts-contradict"
    play.do(acts.Decide(SHIFT, Decision.CONTINUE, "rounds stand"))
    assert not play.of(acts.RoundAdjusted)
