"""`place-bets` held against the single commands: whatever they reach in some order, it reaches, and no more."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from punto.rules.hands import Hand
from punto.rules.loader import GAMES, load
from punto.rules.money import Cents
from punto.rules.refusals import Refusal
from punto.table import acts
from punto.table.acts.bets import BetStake
from punto.table.engine import decide, evolve
from punto.table.state import State
from punto.table.values import Spot
from tests.table_kit import Play, patron

UNIT, MINIMUM, DIFFERENTIAL = 100, 1_000, 10_000
ANN = patron("ann")
BETS = ("player", "banker", "tie")
amounts = st.sampled_from([0, 900, MINIMUM, 1_500, 5_000, DIFFERENTIAL, 11_000, 15_000, 30_000])
bets = st.fixed_dictionaries(dict.fromkeys(BETS, amounts))
others = st.lists(st.tuples(st.sampled_from(("bo", "cy")), st.sampled_from(BETS), amounts), max_size=4)


def stand(stakes: dict[str, int]) -> acts.PlaceBets:
    return acts.PlaceBets(ANN, "ann", 1, tuple([BetStake(on, Cents(stake)) for on, stake in stakes.items() if stake]))


def after(state: State, events: tuple[acts.Event, ...]) -> State:
    for event in events:
        state = evolve(state, event)
    return state


def stakes_of(state: State, name: str = "ann") -> dict[str, int]:
    return {on: bet.stake_cents for (_, who, on, _), bet in state.open_round.bets.items() if who == name}


def lead(state: State) -> int:
    bets = state.open_round.bets.values()
    sums = [sum(bet.stake_cents for bet in bets if bet.on == hand) for hand in Hand]
    return abs(sums[0] - sums[1])


def singly(state: State, stakes: dict[str, int], order: tuple[str, ...]) -> State | None:
    """The state after single commands in an order; None if one is refused or returns a bet of the patron's own."""
    for on in order:
        bet, stake = state.open_round.bets.get(Spot(1, "ann", on)), stakes[on]
        placed = bet.stake_cents if bet else 0
        if stake == placed:
            continue
        command: acts.Command = acts.PlaceBet(ANN, "ann", 1, on, Cents(stake))
        if stake < placed:
            command = acts.WithdrawBet(ANN, "ann", 1, on, Cents(placed - stake))
        elif placed:
            command = acts.RaiseBet(ANN, "ann", 1, on, Cents(stake - placed))
        answer = decide(state, command)
        if isinstance(answer, Refusal) or any(isinstance(event, acts.BetDisplaced) for event in answer):
            return None
        state = answer.state
    return state


@pytest.mark.parametrize("game", [game for game in GAMES if load(game).boxes.layouts])
@given(before=bets, wanted=bets, placed=others, seated=st.booleans())
@settings(max_examples=80, derandomize=True, deadline=None, database=None)
def test_bets_sent_as_one_are_those_of_the_single_commands(
    game: str, before: dict[str, int], wanted: dict[str, int], placed: list[tuple[str, str, int]], seated: bool
) -> None:
    play = Play(game, live=True, minimum_cents=MINIMUM, differential_cents=DIFFERENTIAL, unit_cents=UNIT)
    play.sit("ann" if seated else "di")
    for name in ("bo", "cy") if seated else ("ann", "bo", "cy"):
        play.do(acts.Stand(patron(name), name, 1))
    play.open() if seated else play.open(("di", "tie", MINIMUM))
    first = decide(play.state, stand(before))
    state = play.state if isinstance(first, Refusal) else first.state
    for name, on, stake in placed:
        answer = decide(state, acts.PlaceBet(patron(name), name, 1, on, Cents(stake)))
        state = state if isinstance(answer, Refusal) else answer.state

    answer = decide(state, stand(wanted))
    reached = [end for order in permutations(BETS) if (end := singly(state, wanted, order)) is not None]
    if isinstance(answer, Refusal):
        assert not reached, "what single commands reach is accepted as one"
        return
    end = answer.state
    named = {on: stake for on, stake in wanted.items() if stake}
    cut = {event.bet.on for event in answer if isinstance(event, acts.BetDisplaced) and event.bet.patron == "ann"}
    assert {on: stake for on, stake in stakes_of(end).items() if on not in cut} == {
        on: stake for on, stake in named.items() if on not in cut
    }
    assert play.sheet.limits is None or lead(end) <= DIFFERENTIAL
    assert all(each.open_round.bets == end.open_round.bets for each in reached)
    again = decide(end, stand(stakes_of(end)))
    assert not isinstance(again, Refusal)
    assert not again.events, "the same again changes nothing"
