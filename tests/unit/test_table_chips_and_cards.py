"""Cards that came out and chips that lie: none is lost, counted twice, or measured by the wrong limit."""

from __future__ import annotations

from typing import Any

from punto.rules.cards import parse_cards
from punto.rules.money import Cents
from punto.table import acts
from punto.table.phases import Phase
from punto.table.values import Decision, Option
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
