"""Cards that came out at the same time: someone with authority decides their order, and every patron may choose."""

from __future__ import annotations

from collections import Counter

from punto.rules.cards import Card
from punto.rules.refusals import Refusal
from punto.rules.sheet import Irregularity, Role, Ruling
from punto.table.act import Event, event
from punto.table.actor import Actor
from punto.table.draft import Draft
from punto.table.refusals import Contradiction, FactsContradict, ShoeMissing
from punto.table.rulings.cases import held, refer, ruled
from punto.table.rulings.facts import refuse_closed
from punto.table.rulings.options import put_right
from punto.table.rulings.procedures import ReportWay, WaysToReport, procedure
from punto.table.rulings.reorder import cards_of, in_order
from punto.table.state import State
from punto.table.values import Waits
from punto.table.ways import Input, InputType


@event(money=False)
class OrderAsked(Event):
    """Cards came out at the same time. The round is held until someone with authority decides their order."""

    case: int
    to: Role
    cards: tuple[Card, ...]
    rule: str | None

    def apply(self, state: State) -> State:
        return held(state, Waits.ORDER, self.to)


def _ways_to_order(state: State, irregularity: Irregularity) -> WaysToReport:
    shoe = state.shoe
    if shoe is None:
        return ShoeMissing()
    if shoe.order:
        return FactsContradict(Contradiction.CARDS_KNOWN, rule=irregularity.rule)
    if shoe.size - shoe.drawn < 2:
        return FactsContradict(Contradiction.FEW_CARDS_LEFT, rule=irregularity.rule)
    if refuse_closed(state):
        return (ReportWay(),)  # the Dealer deals them in the order that is decided
    return (ReportWay(inputs=(Input("cards", InputType.CARDS, minimum=2, maximum=shoe.size - shoe.drawn),)),)


@procedure(Ruling.ORDER_CARDS, ways=_ways_to_order)
def _rule_order(draft: Draft, by: Actor, irregularity: Irregularity) -> None:
    if draft.state.round is None:
        refer(draft, by)
        return
    ruled(draft, by, irregularity)
    draft.add(OrderAsked(by, draft.case.number, irregularity.decides, draft.case.facts.cards, irregularity.rule))


def decide_order(draft: Draft, by: Actor, order: tuple[Card, ...]) -> Refusal | None:
    """Deal the cards that came out at the same time in the decided order, and let every patron choose.

    While cards are closed the reason says which card comes first, and the Dealer deals them after the choices.
    """
    state, case = draft.state, draft.case
    irregularity = state.sheet.irregularities[case.situation]
    if Counter(order) != Counter(case.facts.cards):
        return FactsContradict(Contradiction.NOT_THESE_CARDS, case.facts.cards, rule=irregularity.rule)
    if not order:
        put_right(draft, by, irregularity, cards_of(state), reconstructed=True)
        return None
    put_right(draft, by, irregularity, in_order(state, (*state.known_cards, *order)), reconstructed=True)
    return None
