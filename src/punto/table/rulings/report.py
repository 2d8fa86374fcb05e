"""Reporting an incident: the sheet's ruling is carried out, or what it waits for is asked for.

Where the sheet is silent, the case is referred to the role that decides otherwise.
"""

from __future__ import annotations

from dataclasses import replace

from punto.rules.cards import Card
from punto.rules.refusals import Refusal
from punto.rules.sheet import Irregularity, Role, Ruling
from punto.table.act import Event, StaffOnly, act, event
from punto.table.corrections.record import PastCommand
from punto.table.draft import Draft
from punto.table.phases import OPEN
from punto.table.rulings.cases import held, refer, refuse_held, reported
from punto.table.rulings.facts import refuse_by_ways, ways_to_report
from punto.table.rulings.neglected import lost_originals, refuse_past, return_originals, ways_to_claim_later
from punto.table.rulings.procedures import PROCEDURES, ReportWay, SituationGroup
from punto.table.rulings.situations import group_of, past_round, refuse_situation, ruling_on, situations
from punto.table.state import State
from punto.table.values import NO_FACTS, Adjustment, Facts, Waits
from punto.table.ways import Asking, Ways


@event(money=False)
class ApprovalAsked(Event):
    """The ruling needs a higher role than the reporter's. The round is held until that role approves.

    About an earlier round `corrections` are what approval posts, and `cards` are those of the round: the state, from
    which the effect of an approval is worked out, holds the present only.
    """

    case: int
    to: Role
    rule: str | None
    corrections: StaffOnly[tuple[Adjustment, ...]] = ()
    cards: tuple[Card, ...] = ()

    def apply(self, state: State) -> State:
        case = state.open_case._replace(corrections=self.corrections, cards=self.cards)
        return held(state._replace(case=case), Waits.APPROVAL, self.to)


@act(by=Role.DEALER, during=OPEN)
class Report(PastCommand):
    """Report an incident: the id of its situation, and its facts."""

    situation: str
    facts: Facts = NO_FACTS

    @classmethod
    def ways(cls, state: State, asking: Asking) -> Ways[ReportWay]:
        found: list[ReportWay] = []
        order = list(SituationGroup)
        for situation in sorted(situations(state.sheet), key=lambda each: order.index(group_of(each))):
            irregularity = state.sheet.irregularities.get(situation)
            ways = refuse_report(state, situation, irregularity) or ways_to_report(state, situation)
            ways = (ReportWay(refusal=ways),) if isinstance(ways, Refusal) else ways
            may_be_past = irregularity is not None and irregularity.ruling is Ruling.RETURN_ORIGINAL
            if may_be_past and refuse_report(state, situation, irregularity) is None:
                ways += ways_to_claim_later(state)
            found += [replace(way, situation=situation, group=group_of(situation)) for way in ways]
        return tuple(found)

    def decide(self, state: State) -> Draft | Refusal:
        sheet, situation, facts = state.sheet, self.situation, self.facts
        irregularity = ruling_on(sheet, situation, facts)
        past = past_round(state, situation, facts)
        if past is None:
            ways = ways_to_report(state, situation)
            refuse = refuse_by_ways(state, situation, facts, ways, state.round or state.last)
        else:
            refuse = refuse_past(state, irregularity, situation, facts, self.record)
        if refusal := refuse_report(state, situation, irregularity) or refuse:
            return refusal
        draft = reported(state, self.by, situation, facts, past)
        if irregularity is None:
            refer(draft, self.by)
        elif not self.by.may_act_as(irregularity.decides) and irregularity.ruling is not Ruling.ORDER_CARDS:
            record = self.record
            corrections = lost_originals(state, irregularity, facts, record) if record else ()
            to, cards = irregularity.decides, record.cards if record else ()
            draft.add(ApprovalAsked(self.by, draft.case.number, to, irregularity.rule, corrections, cards))
        elif past is not None:
            return_originals(draft, self.by, irregularity, self.record)
        else:
            PROCEDURES[irregularity.ruling].carry_out(draft, self.by, irregularity)
        return draft

    def round_needed(self, state: State) -> int | None:
        refusal = refuse_report(state, self.situation, ruling_on(state.sheet, self.situation, self.facts))
        return None if refusal else past_round(state, self.situation, self.facts)

    def names_cards(self, state: State) -> bool:
        return state.knows_order and bool(self.facts.cards)


def refuse_report(state: State, situation: str, irregularity: Irregularity | None) -> Refusal | None:
    """The reason why a situation cannot be reported at all.

    While a case is open, only a situation that may end the round can be reported, one at a time.
    """
    if state.case is not None:
        ends = irregularity is not None and irregularity.ruling in {Ruling.VOID, Ruling.CONCLUDE_OR_VOID}
        if not ends or state.case.waits is Waits.CONFIRMATION:
            return refuse_held(state.case)
    return refuse_situation(state.sheet, situation)
