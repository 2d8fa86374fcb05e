"""What a patron is told about the room left at the Differential, against what the table then accepts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from punto.rules.hands import Hand
from punto.rules.loader import GAMES, load
from punto.rules.money import Cents
from punto.rules.refusals import Refusal
from punto.table import acts
from punto.table.refusals import OverDifferential
from punto.table.values import Spot
from tests.table_kit import DEALER, Play, patron

UNIT, MINIMUM, DIFFERENTIAL = 100, 2_500, 100_000
FAR_TOO_MUCH = 10**9
NAMES = ("ann", "bo", "cy")

stakes = st.integers(1, 2 * DIFFERENTIAL // UNIT).map(lambda units: Cents(units * UNIT))
chips = st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(list(Hand)), stakes, st.booleans()), max_size=8)


def adding(play: Play, name: str, hand: Hand, cents: int) -> acts.Command:
    assert play.state.round is not None
    lies = Spot(1, name, hand) in play.state.round.bets
    kind = acts.RaiseBet if lies else acts.PlaceBet
    return kind(patron(name), name, 1, hand, Cents(cents))


def told_room(play: Play, name: str, hand: Hand) -> int:
    """What the refusal of far too much says may be added, read as the patron reads it."""
    refusal = play.decide(adding(play, name, hand, FAR_TOO_MUCH))
    assert isinstance(refusal, Refusal)
    assert isinstance(refusal, OverDifferential)
    return refusal.maximum_cents


def differential(play: Play) -> int:
    assert play.state.round is not None
    sums = dict.fromkeys(Hand, 0)
    for spot, bet in play.state.round.bets.items():
        if spot.on in sums:
            sums[Hand(spot.on)] += bet.stake_cents
    return abs(sums[Hand.PLAYER] - sums[Hand.BANKER])


@pytest.mark.parametrize("game", [game for game in GAMES if load(game).limits])
@given(chips, st.booleans())
@settings(max_examples=60, derandomize=True, deadline=None, database=None)
def test_5_1_the_maximum_of_an_over_differential_refusal_is_accepted_and_one_unit_more_is_refused(
    game: str, lying: list[tuple[str, Hand, Cents, bool]], sits: bool
) -> None:
    play = Play(game, live=True, minimum_cents=MINIMUM, differential_cents=DIFFERENTIAL, unit_cents=UNIT)
    seated = "ann" if sits else "di"  # with di in the seat, everybody who bets on a hand stands
    play.sit(seated)
    for name in NAMES[1 if sits else 0 :]:
        play.do(acts.Stand(patron(name), name, 1))
    play.open((seated, "tie", MINIMUM))
    for name, hand, stake, recorded in lying:
        command = acts.RecordBet(DEALER, name, 1, hand, stake) if recorded else adding(play, name, hand, stake)
        if not isinstance(play.decide(command), Refusal):
            play.do(command)
    assert play.state.round is not None
    before = differential(play)
    for name in NAMES:
        for hand in Hand:
            most = told_room(play, name, hand)
            bet = play.state.round.bets.get(Spot(1, name, hand))
            least = max(MINIMUM - (bet.stake_cents if bet else 0), UNIT)
            more = play.decide(adding(play, name, hand, max(most + UNIT, least)))
            assert isinstance(more, Refusal)
            assert more.code == "over-differential"
            if most:
                trial = Play.__new__(Play)
                trial.sheet, trial.state, trial.log, trial.given = play.sheet, play.state, [], []
                taken = trial.do(adding(play, name, hand, most))
                assert isinstance(taken[-1], acts.BetPlaced | acts.BetRaised)
                assert differential(trial) <= max(DIFFERENTIAL, before)
