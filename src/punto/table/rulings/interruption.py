"""After a technical interruption: whether the round is concluded, voided, or referred for a decision."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from punto.rules.established import is_established
from punto.rules.refusals import Refusal
from punto.rules.sheet import Irregularity, Role, Ruling
from punto.table.act import Command, act
from punto.table.actor import Actor
from punto.table.draft import Draft
from punto.table.phases import OPEN, Phase
from punto.table.refusals import NothingToRecover
from punto.table.rulings.cases import Finding, IncidentRuled, close_case, propose, refer, refuse_held, report_incident
from punto.table.rulings.procedures import procedure
from punto.table.rulings.situations import INTERRUPTION, interruption
from punto.table.rulings.void import void_round
from punto.table.state import State
from punto.table.values import Facts, Waits
from punto.table.ways import ANY, Asking, Ways


class Verdict(StrEnum):
    """The fate of a round after an interruption."""

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


def recover(state: State) -> Recovery:
    """The sheet's verdict on the round in progress after an interruption. The command `Recover` carries it out.

    With an established outcome the round is concluded: play continues where it stopped. Otherwise it is void. Closed
    cards were dealt and count: the table uses the values that it knows. Where
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
    if not is_established(sheet, state.round.known):
        return Recovery(Verdict.VOID, sheet.authority.void_interrupted_rule)
    return Recovery(Verdict.HELD if held else Verdict.CONCLUDE, sheet.authority.conclude_rule)


@procedure(Ruling.CONCLUDE_OR_VOID, ways=lambda state, irregularity: refuse_recovery(state) or ANY)
def rule_interruption(draft: Draft, by: Actor, irregularity: Irregularity, facts: Facts) -> None:
    """Conclude the round if its outcome is established, and void it otherwise."""
    authority = draft.state.sheet.authority
    if is_established(draft.state.sheet, draft.round.known):
        rule = authority.conclude_rule or irregularity.rule
        draft.add(IncidentRuled(by, draft.case.number, irregularity.ruling, rule, Finding.CONCLUDED))
        close_case(draft, by)
        return
    rule = authority.void_interrupted_rule or irregularity.rule
    draft.add(IncidentRuled(by, draft.case.number, irregularity.ruling, rule, Finding.UNDECIDED))
    propose(draft, by, lambda d: void_round(d, by, rule, irregularity.situation, None))


@act(by=Role.DEALER, during=OPEN - {Phase.BETWEEN_ROUNDS}, of_automat=True)
class Recover(Command):
    """After a technical interruption, conclude or void the round by the sheet, or refer it."""

    @classmethod
    def ways(cls, state: State, asking: Asking) -> Ways:
        return refuse_recovery(state) or ANY

    def decide(self, state: State) -> Draft | Refusal:
        if refusal := refuse_recovery(state):
            return refusal
        irregularity = interruption(state.sheet)
        draft = Draft(state)
        report_incident(draft, self.by, irregularity.id if irregularity else INTERRUPTION, Facts())
        if irregularity is None:
            refer(draft, self.by)
        else:
            rule_interruption(draft, self.by, irregularity, Facts())
        return draft


def refuse_recovery(state: State) -> Refusal | None:
    """The reason why no round can be recovered."""
    if state.round is None:
        return NothingToRecover()
    if state.case and recover(state).verdict is Verdict.HELD:
        return refuse_held(state.case)
    return None
