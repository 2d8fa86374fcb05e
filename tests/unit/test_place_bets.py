"""`place-bets`: a patron's bets in a box stand as one command says, or nothing changes."""

from __future__ import annotations

import pytest

from punto.rules.loader import GAMES, load
from punto.rules.money import Cents
from punto.table import acts
from punto.table.acts.bets import BetStake
from punto.table.engine import choices
from punto.table.refusals import OverDifferential, StakeBelowMinimum
from punto.table.values import BetLimits
from punto.table.ways import Amount
from tests.table_kit import DEALER, Play, patron

LIMITED = [game for game in GAMES if load(game).limits]


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


def test_the_same_stakes_again_change_nothing(table: Play) -> None:
    table.do(stand(player=10_000))
    assert table.do(stand(player=10_000)) == ()


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


def test_a_closed_round_takes_no_bets(table: Play) -> None:
    table.close()
    assert table.refused(stand(player=5_000))[0] == "bets-closed"
    assert Play("commission").sit("ann").refused(stand(player=5_000))[0] == "bets-not-open"


def test_5_1_both_sides_may_go_far_over_the_differential_together(table: Play) -> None:
    table.do(stand(player=500_000, banker=450_000))
    assert stakes_of(table) == {"player": 500_000, "banker": 450_000}
    assert [type(event) for event in table.do(stand(player=3_000, banker=2_500))] == [
        acts.BetWithdrawn,
        acts.BetWithdrawn,
    ]
    table.do(stand(banker=102_500, player=2_500))
    assert stakes_of(table) == {"player": 2_500, "banker": 102_500}
    assert table.refused(stand(player=2_500, banker=102_600))[0] == "over-differential"


@pytest.mark.parametrize("game", LIMITED)
def test_5_1_a_seated_patron_displaces_standing_bets_once(game: str) -> None:
    play = Play(game, live=True).sit("ann")
    play.do(acts.Stand(patron("bo"), "bo", 1))
    play.open(("ann", "player", 50_000), ("bo", "banker", 100_000))
    events = play.do(stand(banker=90_000))
    assert [type(event) for event in events] == [acts.BetWithdrawn, acts.BetDisplaced, acts.BetPlaced]
    assert stakes_of(play) == {"banker": 90_000}
    assert stakes_of(play, "bo") == {"banker": 10_000}


def test_a_bet_that_is_lowered_returns_what_the_other_side_has_too_much_as_withdrawing_does(table: Play) -> None:
    table.do(stand(player=50_000, banker=150_000))
    table.do(stand(player=10_000, banker=150_000))
    assert stakes_of(table) == {"player": 10_000, "banker": 110_000}


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
