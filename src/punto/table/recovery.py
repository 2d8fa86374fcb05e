"""After a technical interruption: whether the round is concluded, voided, or referred for a decision."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from punto.rules.established import is_established
from punto.rules.sheet import Irregularity, Role, Ruling, Sheet
from punto.table.phases import Waits
from punto.table.state import State


class Verdict(StrEnum):
    """What happens to a round after an interruption."""

    NOTHING = "nothing"
    CONCLUDE = "conclude"
    VOID = "void"
    REFER = "refer"
    HELD = "held"


@dataclass(frozen=True, slots=True)
class Recovery:
    """The verdict, its paragraph (None where the sheet is silent), and the role that decides a referred round."""

    verdict: Verdict
    rule: str | None = None
    role: Role | None = None


def interruption(sheet: Sheet) -> Irregularity | None:
    """The sheet's paragraph on technical interruptions, if it has one."""
    return next((each for each in sheet.irregularities.values() if each.ruling is Ruling.CONCLUDE_OR_VOID), None)


def recover(state: State) -> Recovery:
    """What the sheet says about the round in progress after an interruption. The command `Recover` carries it out.

    With an established outcome the round is concluded: play continues where it stopped. Otherwise it is void. Where
    the sheet is silent, the round is held for a decision. A round that a case holds stays held, unless it is void.
    """
    sheet = state.sheet
    if state.round is None:
        return Recovery(Verdict.NOTHING)
    held = state.case is not None
    if state.case is not None and state.case.waits is Waits.CONFIRMATION:
        return Recovery(Verdict.HELD)
    if interruption(sheet) is None:
        authority = sheet.authority
        verdict = Verdict.HELD if held else Verdict.REFER
        return Recovery(verdict, authority.otherwise_rule, authority.decides_otherwise)
    if not is_established(sheet, state.round.visible):
        return Recovery(Verdict.VOID, sheet.authority.void_interrupted_rule)
    return Recovery(Verdict.HELD if held else Verdict.CONCLUDE, sheet.authority.conclude_rule)
