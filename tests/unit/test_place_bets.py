"""`place-bets`: a patron's bets in a box stand as one command says, or nothing changes."""

from __future__ import annotations

import pytest

from punto.rules.money import Cents
from punto.table import acts
from punto.table.acts.bets import BetStake
from punto.table.engine import choices
from punto.table.refusals import OverDifferential, StakeBelowMinimum
from punto.table.values import BetLimits
from punto.table.ways import Amount
from tests.table_kit import DEALER, Play, patron


def stand(name: str = "ann", box: int = 1, round_: int | None = None, **stakes: int) -> acts.PlaceBets:
    """Bets as they shall stand, by the id of each bet."""
    named = tuple([BetStake(on.replace("_", "-"), Cents(stake)) for on, stake in stakes.items()])
    return acts.PlaceBets(patron(name), name, box, named, round_)


def stakes_of(play: Play, name: str = "ann") -> dict[str, int]:
    return {spot.on: bet.stake_cents for spot, bet in play.round.bets.items() if spot.patron == name}


@pytest.fixture
def table() -> Play:
    return Play("commission", live=True).sit("ann").open()


def test_bets_are_placed_raised_lowered_and_withdrawn_in_one_command(table: Play) -> None:
    placed = table.do(stand(player=10_000, tie=2_500))
    assert [type(event) for event in placed] == [acts.BetPlaced, acts.BetPlaced]
    changed = table.do(stand(player=5_000, banker=3_000))
    assert [type(event) for event in changed] == [acts.BetWithdrawn, acts.BetWithdrawn, acts.BetPlaced]
    assert stakes_of(table) == {"player": 5_000, "banker": 3_000}
    raised = table.do(stand(player=5_000, banker=4_000))
    assert [type(event) for event in raised] == [acts.BetRaised]
    table.do(stand())
    assert stakes_of(table) == {}


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (stand(player=5_000, tie=100), "stake-below-minimum"),
        (stand(player=5_000, tie=2_550), "stake-off-unit"),
        (stand(player=5_000, tie=0), "stake-invalid"),
        (stand(player=5_000, tie=-100), "stake-invalid"),
        (stand(player=5_000, moon=2_500), "bet-not-offered"),
        (stand(player=102_500), "over-differential"),
        (stand(box=2, player=5_000), "not-at-box"),
        (stand(box=99, player=5_000), "box-unknown"),
        (stand("bo", player=5_000), "not-at-box"),
        (stand(round_=7, player=5_000), "round-mismatch"),
        (acts.PlaceBets(patron("bo"), "ann", 1, (BetStake("player", Cents(5_000)),)), "not-yours"),
        (acts.PlaceBets(patron("ann"), "ann", 1, (BetStake("tie", Cents(2_500)),) * 2), "bet-exists"),
    ],
)
def test_one_refused_bet_refuses_them_all(command: acts.PlaceBets, code: str) -> None:
    play = Play("commission", live=True, sides=(BetLimits("tie", Cents(2_500), Cents(10_000)),)).sit("ann").open()
    play.do(stand(player=4_000))
    assert play.refused(command)[0] == code
    assert stakes_of(play) == {"player": 4_000}


def test_recorded_chips_below_the_minimum_may_stay(table: Play) -> None:
    table.do(acts.RecordBet(DEALER, "ann", 1, "player", Cents(500)))
    table.do(stand(player=500, tie=2_500))
    assert stakes_of(table) == {"player": 500, "tie": 2_500}
    assert table.refused(stand(player=400))[0] == "stake-below-minimum"


def test_the_ways_say_how_much_may_stand_on_each_bet(table: Play) -> None:
    table.do(stand(player=10_000, banker=5_000))
    (choice,) = [each for each in choices(table.state, patron("ann")) if each.kind == "place-bets"]
    amounts = {way.on: way.amount for way in choice.ways}
    assert amounts["player"] == Amount(Cents(2_500), Cents(105_000), Cents(100), StakeBelowMinimum, OverDifferential)
    assert amounts["banker"] is not None
    assert amounts["banker"].maximum_cents == 110_000
    assert [way.on for way in choice.ways] == list(table.sheet.bets)
