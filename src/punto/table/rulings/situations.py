"""The situations that can be reported, and the sheet's answer to each."""

from __future__ import annotations

from punto.rules.refusals import Refusal
from punto.rules.sheet import Irregularity, Ruling, Sheet
from punto.table.phases import Phase
from punto.table.refusals import SituationUnknown
from punto.table.rulings.procedures import SituationGroup
from punto.table.state import State
from punto.table.values import Facts

EXCESS_BETS = "excess-bets"
BELOW_MINIMUM = "below-minimum"
LATE_BET = "late-bet"
LATE_WITHDRAWAL = "late-withdrawal"
WALK_AWAY = "walk-away"
INTERRUPTION = "technical-interruption"
NOT_ENOUGH_CARDS = "not-enough-cards"
INSURANCE_NEGLECTED = "insurance-neglected"
EXCESS_CARD = "excess-card"
DECK_COUNT = "deck-count"
MISREAD_CARD = "misread-card"
OVER_MAXIMUM = "over-maximum"
LATE_CHIPS = "late-chips"
DEALT_FACE_UP = "dealt-face-up"


SITUATIONS = {
    EXCESS_BETS: SituationGroup.BET,
    BELOW_MINIMUM: SituationGroup.BET,
    WALK_AWAY: SituationGroup.PERSON,
    INTERRUPTION: SituationGroup.EQUIPMENT,
    "foreign-card": SituationGroup.SHOE,
    DECK_COUNT: SituationGroup.SHOE,
    "wrong-number-of-cards": SituationGroup.CARD,
    NOT_ENOUGH_CARDS: SituationGroup.SHOE,
    "not-shuffled": SituationGroup.SHOE,
    LATE_BET: SituationGroup.BET,
    LATE_WITHDRAWAL: SituationGroup.BET,
    EXCESS_CARD: SituationGroup.CARD,
    "wrong-area": SituationGroup.CARD,
    DEALT_FACE_UP: SituationGroup.CARD,
    "simultaneous-cards": SituationGroup.CARD,
    "late-error": SituationGroup.CARD,
    "other-dealing-error": SituationGroup.CARD,
    INSURANCE_NEGLECTED: SituationGroup.BET,
    "misplaced-bet": SituationGroup.BET,
    "display-mistake": SituationGroup.EQUIPMENT,
    "bet-for-patron": SituationGroup.BET,
    "anything-else": SituationGroup.OTHER,
}
"""The situations that can be reported at any table, and where people look for each.

A sheet with a ruling describes its situation in its own words.
"""


DEALING_ERRORS = frozenset({EXCESS_CARD, "wrong-area", "simultaneous-cards", "other-dealing-error"})
"""The situations that may leave a hand with a wrong number of cards."""


SHOE_FAULTS = frozenset({"foreign-card", DECK_COUNT, "not-shuffled"})
"""The situations that cannot be at a shoe whose order is known."""


def situations(sheet: Sheet) -> tuple[str, ...]:
    """The situations that can be reported at a table of this sheet."""
    named = dict.fromkeys([*SITUATIONS, *sheet.irregularities])
    return tuple([each for each in named if _is_situation(sheet, each)])


def _is_situation(sheet: Sheet, name: str) -> bool:
    if name in sheet.irregularities:
        return True
    # No insurance, none neglected. No Differential, no bet over it.
    if (name == INSURANCE_NEGLECTED and sheet.insurance is None) or (name == EXCESS_BETS and sheet.limits is None):
        return False
    return name in SITUATIONS


def group_of(situation: str) -> SituationGroup:
    """Where people look for a situation. One that only a sheet knows is with everything else."""
    return SITUATIONS.get(situation, SituationGroup.OTHER)


def refuse_situation(sheet: Sheet, situation: str) -> Refusal | None:
    """The reason why a situation of this name cannot be reported at a table of this sheet."""
    return None if _is_situation(sheet, situation) else SituationUnknown(situation, situations(sheet))


def may_be_beyond_reconstruction(sheet: Sheet, situation: str) -> bool:
    """True if the situation may leave a hand with a wrong number of cards."""
    irregularity = sheet.irregularities.get(situation)
    return situation in DEALING_ERRORS if irregularity is None else irregularity.ruling is Ruling.RECONSTRUCT


def beyond_reconstruction(sheet: Sheet) -> Irregularity | None:
    """The sheet's answer to a wrong number of cards beyond reconstruction."""
    return next((each for each in sheet.irregularities.values() if each.beyond_reconstruction), None)


def ruling_on(sheet: Sheet, situation: str, facts: Facts) -> Irregularity | None:
    """The sheet's answer to a situation, if it has one.

    A hand with a wrong number of cards beyond reconstruction has a ruling of its own, whatever the situation.
    """
    irregularity = sheet.irregularities.get(situation)
    if facts.reconstructible is not False or facts.hand is None or not may_be_beyond_reconstruction(sheet, situation):
        return irregularity
    return beyond_reconstruction(sheet) or irregularity


def past_round(state: State, situation: str, facts: Facts) -> int | None:
    """The number of the earlier round that a report names; None if it is about the present.

    Only what no paragraph answers, and insurance that was not offered, can be about an earlier round.
    """
    irregularity = ruling_on(state.sheet, situation, facts)
    present = state.round.number if state.round else None
    if irregularity is not None:
        if irregularity.ruling is not Ruling.RETURN_ORIGINAL:
            return None
        present = state.last.number if state.last else present
    return None if facts.round == present else facts.round


def cited_now(sheet: Sheet, irregularity: Irregularity, phase: Phase) -> str | None:
    """The paragraph of a ruling: bets outside the limits that are seen in time have another than those seen late."""
    limits, in_time = sheet.limits, phase is Phase.BETTING
    if limits is not None and irregularity.ruling is Ruling.PRO_RATA and in_time:
        return limits.excess_rule
    if limits is not None and irregularity.ruling is Ruling.RAISE_OR_WITHDRAW and not in_time:
        return limits.minimum_unnoticed_rule
    return irregularity.rule


def late_error(sheet: Sheet) -> Irregularity | None:
    """The sheet's answer to an error that is noticed after the next round began."""
    return next((each for each in sheet.irregularities.values() if each.ruling is Ruling.NO_EFFECT), None)


def interruption(sheet: Sheet) -> Irregularity | None:
    """The sheet's paragraph on technical interruptions, if it has one."""
    return next((each for each in sheet.irregularities.values() if each.ruling is Ruling.CONCLUDE_OR_VOID), None)
