"""After a technical interruption: the round is concluded, voided, or referred for a decision.

With an established outcome the round is concluded: play continues where it stopped. Otherwise it is void. Closed cards
were dealt and count: the table uses the values that it knows. If they decide, those that it does not know are opened
first, before a witness: someone lists the cards, and a second person confirms them.
"""

from __future__ import annotations

from punto.rules.established import is_established
from punto.rules.refusals import Refusal
from punto.rules.sheet import Irregularity, Role, Ruling
from punto.table.act import Command, act
from punto.table.actor import Actor
from punto.table.draft import Draft
from punto.table.phases import OPEN, Phase
from punto.table.refusals import NothingToRecover
from punto.table.rulings.cases import IncidentRuled, RulingEffect, close_case, propose, refer, refuse_held, reported
from punto.table.rulings.procedures import ReportWay, procedure
from punto.table.rulings.situations import INTERRUPTION, interruption
from punto.table.rulings.void import void_round
from punto.table.state import State
from punto.table.values import Waits


@procedure(Ruling.CONCLUDE_OR_VOID, ways=lambda state, irregularity: refuse_recovery(state) or (ReportWay(),))
def rule_interruption(draft: Draft, by: Actor, irregularity: Irregularity) -> None:
    """Conclude the round if its outcome is established, and void it otherwise. Cards nobody knows are opened first."""
    if not is_established(draft.state.sheet, draft.round.known) and None in draft.round.known:
        finding = RulingEffect.CARDS_TO_OPEN
        draft.add(IncidentRuled(by, draft.case.number, irregularity.ruling, irregularity.rule, finding))
    else:
        _conclude_or_void(draft, by, irregularity, confirmed=False)


def rule_opened(draft: Draft, by: Actor) -> bool:
    """Rule the interruption whose closed cards are open now. False if the open case is another."""
    irregularity = interruption(draft.state.sheet)
    if irregularity is None or draft.case.situation != irregularity.id:
        return False
    _conclude_or_void(draft, by, irregularity, confirmed=True)
    return True


def _conclude_or_void(draft: Draft, by: Actor, irregularity: Irregularity, *, confirmed: bool) -> None:
    """Conclude or void the round. Unless it is `confirmed` already, a void may wait for a second person."""
    authority, case = draft.state.sheet.authority, draft.case.number
    if is_established(draft.state.sheet, draft.round.known):
        rule = authority.conclude_rule or irregularity.rule
        draft.add(IncidentRuled(by, case, irregularity.ruling, rule, RulingEffect.CONCLUDED))
        close_case(draft, by)
        return
    rule = authority.void_interrupted_rule or irregularity.rule
    draft.add(IncidentRuled(by, case, irregularity.ruling, rule, RulingEffect.UNDECIDED))

    def void(draft: Draft) -> None:
        void_round(draft, by, rule, irregularity.situation, None)

    if confirmed:
        void(draft)
    else:
        propose(draft, by, void)


@act(by=Role.DEALER, during=OPEN - {Phase.BETWEEN_ROUNDS}, of_automat=True)
class Recover(Command):
    """After a technical interruption, conclude or void the round by the sheet, or refer it."""

    @classmethod
    def refuse(cls, state: State, by: Actor) -> Refusal | None:
        return refuse_recovery(state)

    def decide(self, state: State) -> Draft | Refusal:
        irregularity = interruption(state.sheet)
        draft = reported(state, self.by, irregularity.id if irregularity else INTERRUPTION)
        if irregularity is None:
            refer(draft, self.by)
        else:
            rule_interruption(draft, self.by, irregularity)
        return draft


def refuse_recovery(state: State) -> Refusal | None:
    """The reason why no round can be recovered. A round that a case holds stays held, unless it is void."""
    case, round_ = state.case, state.round
    if round_ is None:
        return NothingToRecover()
    if case is None:
        return None
    stays = interruption(state.sheet) is None or is_established(state.sheet, round_.known)
    return refuse_held(case) if stays or case.waits in {Waits.CONFIRMATION, Waits.CORRECTION} else None
