"""Bets at a table: what each event says of a bet, what each refusal names, and how much may be added or taken."""

from __future__ import annotations

from typing import Any

import pytest

from punto.rules.money import Cents
from punto.rules.refusals import BetNotOffered, Refusal, StakeInvalid, StakeOffUnit
from punto.rules.settlement import Bet
from punto.table import acts
from punto.table.actor import Actor
from punto.table.acts.bets import BetStake
from punto.table.refusals import BetExists, BetUnknown, NotAtBox, OverDifferential, StakeAboveMaximum, StakeBelowMinimum
from punto.table.values import BetLimits
from tests.table_kit import DEALER, Play, patron

ANN, BO = patron("ann"), patron("bo")
SIDES = (BetLimits("tie", Cents(500), Cents(5_000)),)


def table(game: str = "commission", **settings: Any) -> Play:
    """Bets are open; ann sits at box 1, and bo stands behind it where that is possible."""
    given: dict[str, Any] = {"live": True, "sides": SIDES} | settings
    play = Play(game, **given).sit("ann")
    if play.sheet.boxes.layouts:
        play.do(acts.Stand(BO, "bo", 1))
    return play.open()


def bet(on: str, stake: int, name: str = "ann", *, seated: bool | None = None) -> Bet:
    """A bet in box 1, at which ann has the seat."""
    return Bet(1, name, on, Cents(stake), None, name == "ann" if seated is None else seated)


def placing(on: str, stake: int, name: str = "ann", by: Actor | None = None) -> acts.PlaceBet:
    return acts.PlaceBet(by or patron(name), name, 1, on, Cents(stake))


def raising(on: str, add: int, name: str = "ann", by: Actor | None = None) -> acts.RaiseBet:
    return acts.RaiseBet(by or patron(name), name, 1, on, Cents(add))


def taking(on: str, take: int | None, name: str = "ann") -> acts.WithdrawBet:
    return acts.WithdrawBet(patron(name), name, 1, on, None if take is None else Cents(take))


def recording(on: str, stake: int, name: str = "ann") -> acts.RecordBet:
    return acts.RecordBet(DEALER, name, 1, on, Cents(stake))


# ------------------------------------------------------------------------------------------- events


def test_chips_are_recorded_as_they_lie() -> None:
    """Placed, raised, lowered and taken away: by the Dealer, who bets for nobody and cites no paragraph."""
    play = table()
    assert play.do(recording("player", 500)) == (acts.BetPlaced(DEALER, 1, bet("player", 500), True, None),)
    raised = acts.BetRaised(DEALER, 1, bet("player", 200_000), Cents(199_500), True, None)
    assert play.do(recording("player", 200_000)) == (raised,)
    assert play.do(recording("player", 200_000)) == ()
    lowered = acts.BetWithdrawn(DEALER, 1, bet("player", 200_000), Cents(199_900))
    assert play.do(recording("player", 100)) == (lowered,)
    assert play.do(recording("player", 0)) == (acts.BetWithdrawn(DEALER, 1, bet("player", 100), Cents(100)),)
    assert play.do(recording("tie", 100, "bo")) == (acts.BetPlaced(DEALER, 1, bet("tie", 100, "bo"), True, None),)


# ------------------------------------------------------------------------------------------- refusals


def open_table_with_bets(**settings: Any) -> Play:
    play = table(**settings)
    for on, stake in (("player", 10_000), ("tie", 1_000)):
        play.do(placing(on, stake))
    return play


OFFERED = ("player", "banker", "tie", "player-pair", "banker-pair")


@pytest.mark.parametrize(
    ("command", "refusal"),
    [
        (placing("moon", 2_500), BetNotOffered("moon", OFFERED, rule="3.7")),
        (raising("moon", 2_500), BetNotOffered("moon", OFFERED, rule="3.7")),
        (recording("moon", 2_500), BetNotOffered("moon", OFFERED, rule="3.7")),
        (placing("tie", 1_000), BetExists(1, "tie")),
        (raising("banker", 2_500), BetUnknown(1, "banker")),
        (taking("banker", 2_500), BetUnknown(1, "banker")),
        (raising("tie", 4_100), StakeAboveMaximum("tie", Cents(5_100), Cents(5_000), rule="3.4")),
        (raising("player", 90_100), OverDifferential(1, "player", Cents(100_000), Cents(90_000), rule="5.1")),
        (taking("player", 10_001), StakeInvalid("player", 10_001)),
        (taking("player", 0), StakeInvalid("player", 0, rule="3.5")),
        (taking("player", 7_600), StakeBelowMinimum("player", Cents(2_400), Cents(2_500), rule="5.2")),
        (taking("tie", 600), StakeBelowMinimum("tie", Cents(400), Cents(500), rule="5.2")),
        (recording("banker", 0), StakeInvalid("banker", 0, rule="3.5")),
        (recording("tie", 1_050), StakeOffUnit("tie", Cents(1_050), Cents(100), rule="3.4")),
        (
            acts.PlaceBets(ANN, "ann", 1, (BetStake("tie", Cents(500)), BetStake("tie", Cents(600)))),
            BetExists(1, "tie"),
        ),
        (
            acts.PlaceBets(ANN, "ann", 1, (BetStake("tie", Cents(500)), BetStake("moon", Cents(600)))),
            BetNotOffered("moon", OFFERED, rule="3.7"),
        ),
        (acts.PlaceBets(ANN, "ann", 1, (BetStake("tie", Cents(0)),)), StakeInvalid("tie", 0, rule="3.5")),
        (acts.PlaceBets(ANN, "ann", 2, ()), NotAtBox(2)),
    ],
)
def test_a_refused_bet_names_what_was_wrong_with_it(command: acts.Command, refusal: Refusal) -> None:
    assert open_table_with_bets().decide(command) == refusal


# ------------------------------------------------------------------------------------------- many bets in one command


def stand(**stakes: int) -> acts.PlaceBets:
    """Ann's bets as they shall stand, by the id of each bet."""
    return acts.PlaceBets(ANN, "ann", 1, tuple([BetStake(on, Cents(stake)) for on, stake in stakes.items()]))


def stakes_of(play: Play) -> dict[str, int]:
    return {spot.on: each.stake_cents for spot, each in play.round.bets.items()}


def test_recorded_chips_below_the_minimum_may_stay() -> None:
    play = table()
    play.do(recording("player", 500))
    play.do(stand(player=500, tie=2_500))
    assert stakes_of(play) == {"player": 500, "tie": 2_500}
    assert play.refused(stand(player=400))[0] == "stake-below-minimum"
