"""The dealer of an automatic table: which command comes next, and when. Pure; the runner owns the clock."""

from __future__ import annotations

from dataclasses import dataclass

from punto.rules.sheet import Role
from punto.service.settings import Timing
from punto.table import commands as c
from punto.table.phases import Phase
from punto.table.state import State

AUTOMAT = c.Actor("automat", Role.DEALER)
"""Who gives the commands of an automatic table."""


@dataclass(frozen=True, slots=True)
class Step:
    """A command and how long after the last step it is due. Without a command it asks for a shuffled shoe."""

    wait_ms: int
    command: c.Command | None


def needs_shoe(state: State) -> bool:
    """Whether the next round needs a new shoe."""
    return state.shoe is None or state.shoe_is_over


def next_step(state: State, timing: Timing) -> Step | None:
    """What the automat does next; None while the table is closed or a case holds it."""
    if state.round is not None and state.round.request is not None and state.phase is not Phase.HELD:
        return Step(0, c.AnswerSqueeze(AUTOMAT, consent=True))
    match state.phase:
        case Phase.BETWEEN_ROUNDS if needs_shoe(state):
            return Step(timing.pause_ms if state.rounds else 0, None)
        case Phase.BETWEEN_ROUNDS:
            # After a new shoe there is nothing to look at yet: its first round begins at once.
            fresh = state.shoe is not None and state.shoe.drawn == 0
            return Step(0 if fresh else timing.pause_ms, c.OpenBets(AUTOMAT))
        case Phase.BETTING:
            return Step(timing.betting_ms, c.CloseBets(AUTOMAT))
        case Phase.INITIAL_CARDS | Phase.PLAYER_THIRD | Phase.BANKER_THIRD:
            return Step(timing.card_ms, c.Deal(AUTOMAT))
        case Phase.FIRST_WINDOW | Phase.SECOND_WINDOW:
            return Step(timing.insurance_ms if _may_be_insured(state) else timing.card_ms, c.Deal(AUTOMAT))
        case Phase.OPENING if state.round is not None:
            # Banker's third card, the later of the two, is the one that may have to be opened first.
            return Step(timing.card_ms, c.OpenCard(AUTOMAT, state.round.closed_places[-1]))
        case Phase.RESULT:
            return Step(timing.card_ms, c.Settle(AUTOMAT))
    return None


def pace(state: State) -> tuple[object, ...]:
    """What must change for the automat's time to start anew.

    Bets, seats and requests to squeeze do not change it: whatever a patron may repeat would stall the table.
    """
    round_ = state.round
    shoe = state.shoe.number if state.shoe else 0
    return (
        state.phase,
        state.rounds,
        shoe,
        round_ and (round_.dealt, len(round_.closed_places)),
        state.cases,
        state.case is None,
    )


def _may_be_insured(state: State) -> bool:
    """Whether anyone has an original bet on a hand: without one a window is only shown in passing."""
    if state.round is None:
        return False
    return any(bet.window is None and state.sheet.bets[bet.on].hand for bet in state.round.bets.values())
