"""Decisions about money where no paragraph answers: their inputs, what is refused, and what they do, cent for cent."""

from __future__ import annotations

from typing import Any

import pytest

from punto.rules.money import MAX_CENTS, Cents
from punto.table import acts
from punto.table.engine import decide
from punto.table.refusals import (
    AmountOutOfRange,
    Contradiction,
    FactsContradict,
    InputsMissing,
    NameInvalid,
    RoundNotSettled,
)
from punto.table.rulings.decided_money import way_to_decide_money
from punto.table.values import Decision, Spot
from punto.table.ways import Way
from tests.table_kit import NATURAL, SHIFT, Play

ANN = Spot(1, "ann", "player")
RETURN, PAY = Decision.RETURN_BETS, Decision.PAY_BETS
PAY_AMOUNT, CHARGE_AMOUNT = Decision.PAY_AMOUNT, Decision.CHARGE_AMOUNT


def contradicts(why: Contradiction, rule: str | None = None) -> FactsContradict:
    return FactsContradict(why, rule=rule)


def betting(game: str = "commission", **settings: Any) -> Play:
    """Ann has 100.00 on Player, bo 200.00 on Banker."""
    return Play(game, **settings).sit("ann", "bo").open(("ann", "player", 10_000), ("bo", "banker", 20_000))


def held(play: Play, number: int | None = None) -> Play:
    """Someone reported what no paragraph answers, about this round or an earlier one."""
    play.report("anything-else", SHIFT, round=number)
    return play


def settled(game: str = "commission", **settings: Any) -> Play:
    """Ann won in round 1; in round 2 both bet again, and bets are closed."""
    play = betting(game, **settings).close().deal(NATURAL)
    play.settle()
    return play.open(("ann", "player", 10_000), ("bo", "banker", 20_000)).close()


def deciding(decision: Decision, **given: Any) -> acts.Decide:
    return acts.Decide(SHIFT, decision, "as seen", **given)


def way(play: Play, decision: Decision) -> Way:
    return way_to_decide_money(play.state, play.case, decision)


# ------------------------------------------------------------------------------------------- what is asked for


@pytest.mark.parametrize("decision", [RETURN, PAY])
def test_bets_are_decided_on_once_bets_are_closed(decision: Decision) -> None:
    assert way(held(betting()), decision).refusal == contradicts(Contradiction.BETTING)
    nobody = held(Play("commission").open().close())
    assert way(nobody, decision).refusal == contradicts(Contradiction.NO_BET)
    before = held(Play("commission"))
    assert way(before, decision).refusal == contradicts(Contradiction.NO_BET)
    earlier = settled()
    earlier.deal(NATURAL).settle()
    assert way(held(earlier.open(), 1), decision).refusal is None


@pytest.mark.parametrize(
    ("command", "refusal"),
    [
        (deciding(RETURN), InputsMissing(RETURN, ("bets",))),
        (deciding(PAY), InputsMissing(PAY, ("bets", "odds"))),
        (deciding(PAY, bets=(ANN,)), InputsMissing(PAY, ("odds",))),
        (deciding(PAY_AMOUNT), InputsMissing(PAY_AMOUNT, ("account", "amount_cents"))),
        (deciding(CHARGE_AMOUNT, account="", amount_cents=1), InputsMissing(CHARGE_AMOUNT, ("account",))),
        (deciding(CHARGE_AMOUNT, account="ann"), InputsMissing(CHARGE_AMOUNT, ("amount_cents",))),
        (deciding(PAY_AMOUNT, account="a b", amount_cents=1), NameInvalid()),
        (deciding(PAY_AMOUNT, account="cash:1", amount_cents=1), NameInvalid()),  # no chips at an automatic table
        (deciding(PAY_AMOUNT, account="ann", amount_cents=0), AmountOutOfRange(Cents(0))),
        (deciding(CHARGE_AMOUNT, account="ann", amount_cents=-5), AmountOutOfRange(Cents(-5))),
        (deciding(PAY_AMOUNT, account="ann", amount_cents=MAX_CENTS), AmountOutOfRange(Cents(MAX_CENTS))),
        (deciding(RETURN, bets=(ANN, Spot(1, "ann", "tie"))), contradicts(Contradiction.NO_BET)),
    ],
)
@pytest.mark.parametrize("number", [None, 1])
def test_a_decision_that_lacks_something_is_refused(command: acts.Decide, refusal: object, number: int | None) -> None:
    assert held(settled(), number).decide(command) == refusal


# ------------------------------------------------------------------------------------------- what is done


def done(play: Play, command: acts.Decide) -> acts.Event:
    """The event that carries a decision out; the case is closed with it."""
    made, event, closed = play.do(command)
    assert isinstance(made, acts.DecisionMade)
    assert isinstance(closed, acts.CaseClosed)
    return event


def test_commission_5_17_without_its_record_an_earlier_round_cannot_be_decided() -> None:
    play = held(settled(), 1)
    assert decide(play.state, deciding(RETURN, bets=(ANN,))) == RoundNotSettled(1, rule="5.17")
