"""What becomes of a round that was interrupted: concluded or void, as its sheet says, before anything else happens."""

from __future__ import annotations

from punto.rules.established import is_established
from punto.rules.refusals import Refusal
from punto.rules.sheet import Role
from punto.service.settings import Timing
from punto.service.tables.dealer import AUTOMAT, next_step
from punto.table import commands as c
from punto.table.decide import decide
from punto.table.evolve import evolve
from punto.table.phases import Waits
from punto.table.state import RoundInPlay, State

STANDING_ORDER = c.Actor("standing-order", Role.SHIFT_MANAGER)
"""The Shift Manager's decision, made in advance, for interrupted rounds where the sheet says nothing."""


def recovery_steps(state: State, timing: Timing) -> list[c.Command]:
    """The commands that bring an interrupted round to its end: by the sheet, or by the standing order if it is silent.

    A live table's cards are on the table, so play goes on there; an automatic one deals what is missing at once.
    """
    if state.round is None or state.settings is None:
        return []
    live, steps = state.settings.live, []
    command: c.Command | None = c.Recover(AUTOMAT)
    while command is not None and not isinstance(answer := decide(state, command), Refusal):
        steps.append(command)
        for event in answer:
            state = evolve(state, event)
        command = None if live else _next_recovery_step(state, timing)
    return steps


def _next_recovery_step(state: State, timing: Timing) -> c.Command | None:
    if state.round is None:
        return None
    if state.case is not None and state.case.waits is Waits.DECISION:
        return _standing_order(state.round, is_established(state.sheet, state.round.cards))
    step = next_step(state, timing)
    return step.command if step else None


def _standing_order(round_: RoundInPlay, established: bool) -> c.Decide:
    decided = "a bet" if established else "no bet"
    why = f"standing order: {decided} of the game was decided when round {round_.number} was interrupted"
    return c.Decide(STANDING_ORDER, c.Decision.CONTINUE if established else c.Decision.VOID, why)
