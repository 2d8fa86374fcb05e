"""An automatic table: which command comes next, and how long after the last. Whoever runs the table owns the clock."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum

from punto.rules.established import is_established
from punto.rules.refusals import Refusal
from punto.rules.sheet import Role
from punto.table.act import Command
from punto.table.actor import Actor
from punto.table.acts.cards import Deal, OpenCard
from punto.table.acts.rounds import CloseBets, OpenBets, Settle
from punto.table.acts.squeezes import AnswerSqueeze
from punto.table.engine import decide
from punto.table.phases import Phase
from punto.table.rulings.decide import Decide
from punto.table.rulings.interruption import Recover
from punto.table.rulings.situations import interruption
from punto.table.state import RoundInPlay, State
from punto.table.values import Decision, Waits

AUTOMAT = Actor("automat", Role.DEALER)
"""The one who gives the commands of an automatic table."""
STANDING_ORDER = Actor("standing-order", Role.SHIFT_MANAGER)
"""The one who decides on interrupted rounds by the standing order."""


class StandingOrder(StrEnum):
    """The Shift Manager's advance decision on interrupted rounds of automatic tables, where the sheet is silent.

    A round is concluded if a bet of the game is decided and else void; or always void; or held for the Shift Manager.
    """

    CONCLUDE_OR_VOID = "conclude-or-void"
    VOID = "void"
    HOLD = "hold"


@dataclass(frozen=True, slots=True)
class Timing:
    """The pace of an automatic table, in milliseconds."""

    betting_ms: int = 15_000
    """The time for which bets are open."""
    card_ms: int = 1_000
    """The time between two cards."""
    insurance_ms: int = 8_000
    """The time for which an insurance window is open, if anyone could insure."""
    pause_ms: int = 5_000
    """The time between two rounds."""
    squeeze_ms: int = 10_000
    """A patron's time to open a squeezed card."""

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if type(value) is not int or not 0 <= value <= 3_600_000:
                raise ValueError(f"{each.name} must be a whole number of milliseconds from 0 to an hour, not {value!r}")


@dataclass(frozen=True, slots=True)
class Step:
    """A command and how long after the last step it is due. Without a command it asks for a shuffled shoe."""

    wait_ms: int
    command: Command | None


def needs_shoe(state: State) -> bool:
    """True if the next round needs a new shoe."""
    return state.shoe is None or state.shoe_is_over


def next_step(state: State, timing: Timing) -> Step | None:
    """The next step of the automat; None while the table is closed, play is suspended or a case holds it."""
    step = _next_of_phase(state, timing)
    request = state.round.request if state.round is not None else None
    if step is None or request is None:
        return step
    # The automat grants a card. Only a person may waive the window of others: without one's answer it is refused.
    if request.what.waives:
        return Step(step.wait_ms, AnswerSqueeze(AUTOMAT, consent=False))
    return Step(0, AnswerSqueeze(AUTOMAT, consent=True))


def _next_of_phase(state: State, timing: Timing) -> Step | None:
    match state.phase:
        case Phase.BETWEEN_ROUNDS if state.suspended is not None:
            return None
        case Phase.BETWEEN_ROUNDS if needs_shoe(state):
            return Step(timing.pause_ms if state.rounds else 0, None)
        case Phase.BETWEEN_ROUNDS:
            # After a new shoe there is nothing to look at yet: its first round begins at once.
            fresh = state.shoe is not None and state.shoe.drawn == state.shoe.burned
            return Step(0 if fresh else timing.pause_ms, OpenBets(AUTOMAT))
        case Phase.BETTING:
            return Step(timing.betting_ms, CloseBets(AUTOMAT))
        case Phase.INITIAL_CARDS | Phase.PLAYER_THIRD | Phase.BANKER_THIRD:
            return Step(timing.card_ms, Deal(AUTOMAT))
        case Phase.FIRST_WINDOW | Phase.SECOND_WINDOW:
            return Step(timing.insurance_ms if _may_be_insured(state) else timing.card_ms, Deal(AUTOMAT))
        case Phase.OPENING if state.round is not None:
            # Banker's third card, the later of the two, is the one that may have to be opened first.
            place = state.round.closed_places[-1]
            wait_ms = timing.squeeze_ms if place in state.round.squeezers else timing.card_ms
            return Step(wait_ms, OpenCard(AUTOMAT, place))
        case Phase.RESULT:
            return Step(timing.card_ms, Settle(AUTOMAT))
    return None


def pace(state: State) -> tuple[object, ...]:
    """The values that must change for the automat's time to start anew.

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
        state.suspended,
    )


def _may_be_insured(state: State) -> bool:
    """True if anyone who has not declined has an original bet on a hand: else a window is only shown in passing."""
    bets, declined = state.open_round.bets.values(), state.open_round.declined
    return any(bet.window is None and state.sheet.bets[bet.on].hand and bet.patron not in declined for bet in bets)


def standing_order_at(state: State, order: StandingOrder) -> StandingOrder | None:
    """The standing order that applies at a table: None at a live one, and where the sheet rules on interruptions."""
    automatic = state.settings is not None and not state.settings.live
    return order if automatic and interruption(state.sheet) is None else None


def recovery_steps(state: State, timing: Timing, order: StandingOrder) -> list[Command]:
    """The commands that bring an interrupted round to its end: by the sheet, or by the standing order if it is silent.

    A live table's cards are on the table, so play goes on there; an automatic one deals what is missing at once.
    """
    if state.settings is None:
        return []
    live, steps = state.settings.live, []
    command: Command | None = Recover(AUTOMAT)
    while command is not None and not isinstance(answer := decide(state, command), Refusal):
        steps.append(command)
        state = answer.state
        command = None if live else _next_recovery_step(state, timing, order)
    return steps


def _next_recovery_step(state: State, timing: Timing, order: StandingOrder) -> Command | None:
    if state.round is None:
        return None
    if state.case is not None and state.case.waits is Waits.DECISION:
        return _decision(order, state.round, is_established(state.sheet, state.round.known))
    step = next_step(state, timing)
    return step.command if step else None


def _decision(order: StandingOrder, round_: RoundInPlay, established: bool) -> Decide | None:
    """The decision on an interrupted round that the standing order makes, if any."""
    if order is StandingOrder.HOLD:
        return None
    concluded = established and order is StandingOrder.CONCLUDE_OR_VOID
    decided = "a bet" if established else "no bet"
    why = f"standing order {order}: {decided} of the game was decided when round {round_.number} was interrupted"
    return Decide(STANDING_ORDER, Decision.CONTINUE if concluded else Decision.VOID, why)
