"""The first checks of a command, and the commands of the round: by whom, when, for which round, and what follows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from punto.rules.cards import Card
from punto.rules.loader import load
from punto.rules.money import Cents
from punto.table import acts
from punto.table.acts.bets import BetStake
from punto.table.engine import decide
from punto.table.phases import Phase
from punto.table.refusals import (
    BetsClosed,
    BetsNotOpen,
    InsuranceClosed,
    NoInsurance,
    RoundHeld,
    RoundMismatch,
    TableNotOpen,
    WrongPhase,
)
from punto.table.values import Option, Waits
from tests.table_kit import DEALER, NATURAL, Play, patron

ANN, BO = patron("ann"), patron("bo")


def betting(game: str = "commission", **settings: Any) -> Play:
    """Ann has 100.00 on Player, bo 200.00 on Banker."""
    return Play(game, **settings).sit("ann", "bo").open(("ann", "player", 10_000), ("bo", "banker", 20_000))


# ------------------------------------------------------------------------------------------- by whom and when


PLACING = acts.PlaceBet(ANN, "ann", 1, "player", Cents(10_000))
STAKING = acts.PlaceBets(ANN, "ann", 1, (BetStake("player", Cents(10_000)),))
WITHDRAWING = acts.WithdrawBet(ANN, "ann", 1, "player")
INSURING = acts.Insure(ANN, "ann", 1, "banker-insurance", Cents(1_000))


def closed_table() -> Play:
    return Play("commission", opened=False)


def between_rounds() -> Play:
    return Play("commission").sit("ann")


def dealt(game: str = "commission", cards: str = NATURAL, **settings: Any) -> Play:
    return betting(game, **settings).close().deal(cards)


def held() -> Play:
    play = dealt(cards="9h")
    play.report("other-dealing-error")
    return play


@pytest.mark.parametrize(
    ("play", "command", "refusal"),
    [
        (closed_table, acts.OpenBets(DEALER), TableNotOpen()),
        (closed_table, PLACING, TableNotOpen()),
        (closed_table, INSURING, TableNotOpen()),
        (between_rounds, PLACING, BetsNotOpen("Place your Bets, please", rule="3.3")),
        (between_rounds, STAKING, BetsNotOpen("Place your Bets, please", rule="3.3")),
        (between_rounds, INSURING, InsuranceClosed(NoInsurance.NOT_IN_GAME, rule="3.7")),
        (between_rounds, acts.CloseBets(DEALER), WrongPhase("close-bets", Phase.BETWEEN_ROUNDS)),
        (dealt, PLACING, BetsClosed("No more Bets", rule="5.6")),
        (dealt, STAKING, BetsClosed("No more Bets", rule="5.6")),
        (lambda: dealt("commission-insurance"), PLACING, BetsClosed("No more bets", rule="5.2")),
        (lambda: dealt("commission-insurance"), WITHDRAWING, BetsClosed("No more bets", rule="5.3")),
        (dealt, acts.Deal(DEALER, Card("7c")), WrongPhase("deal", Phase.RESULT, "excess-card", rule="5.7")),
        (
            lambda: dealt("easy-six"),
            acts.Deal(DEALER, Card("7c")),
            WrongPhase("deal", Phase.RESULT, "excess-card", rule=load("easy-six").play.table_of_play_rule),
        ),
        (held, acts.Deal(DEALER, Card("7c")), RoundHeld(1, Waits.CHOICES, None)),
        (held, PLACING, RoundHeld(1, Waits.CHOICES, None)),
        (held, INSURING, RoundHeld(1, Waits.CHOICES, None)),
        (held, acts.Settle(DEALER), RoundHeld(1, Waits.CHOICES, None)),
    ],
)
def test_what_is_not_legal_now_says_why(play: Callable[[], Play], command: acts.Command, refusal: object) -> None:
    assert decide(play().state, command) == refusal


def insurable() -> Play:
    return betting("da-hu-ying-xiong").close().deal("5h Kd 6s 6c")


@pytest.mark.parametrize(
    ("play", "command"),
    [
        (betting, acts.PlaceBet(ANN, "ann", 1, "tie", Cents(2_500), round=2)),
        (betting, acts.PlaceBets(ANN, "ann", 1, (BetStake("tie", Cents(2_500)),), round=2)),
        (betting, acts.RaiseBet(ANN, "ann", 1, "player", Cents(100), round=2)),
        (betting, acts.WithdrawBet(ANN, "ann", 1, "player", round=2)),
        (insurable, acts.Insure(BO, "bo", 2, "banker-insurance", Cents(1_000), round=2)),
        (held, acts.Choose(ANN, "ann", Option.CONTINUE, round=2)),
    ],
)
def test_a_command_for_another_round_is_refused(play: Callable[[], Play], command: Any) -> None:
    at = play()
    assert at.decide(command) == RoundMismatch(2, 1)
    at.do(replace(command, round=1))
