"""Cards in excess, or dealt to the wrong place: they are put in order if they can be."""

from __future__ import annotations

from punto.rules.cards import Card
from punto.rules.sheet import Irregularity, Ruling
from punto.table.actor import Actor
from punto.table.draft import Draft
from punto.table.refusals import ShoeMissing
from punto.table.rulings.cases import RulingEffect, refer, ruled
from punto.table.rulings.facts import NOT_NOW, NOTE, cards_input, hands_inputs, refuse_closed
from punto.table.rulings.options import put_right_by
from punto.table.rulings.procedures import ReportWay, WaysToReport, procedure
from punto.table.state import State
from punto.table.ways import Input, InputType


def _ways_to_reconstruct(state: State, irregularity: Irregularity) -> WaysToReport:
    if state.shoe is None:
        return ShoeMissing()
    if refuse_closed(state):
        # The round goes on as it is, with the options that are due now. Cards in excess are listed when all are open.
        return (ReportWay(inputs=(NOT_NOW, NOTE)),)
    return (
        ReportWay(inputs=(cards_input(state), Input("reconstructible", InputType.FLAG), *hands_inputs(state), NOTE)),
    )


@procedure(Ruling.RECONSTRUCT, ways=_ways_to_reconstruct)
def _rule_reconstruct(draft: Draft, by: Actor, irregularity: Irregularity) -> None:
    state, facts = draft.state, draft.case.facts
    possible = facts.reconstructible is True
    if possible and changes_settled_round(state, facts.cards):
        refer(draft, by)  # no paragraph says what becomes of a round that was settled on other cards
        return
    ruled(draft, by, irregularity, None if possible else RulingEffect.NOT_RECONSTRUCTIBLE)
    put_right_by(draft, by, irregularity)


def changes_settled_round(state: State, cards: tuple[Card, ...]) -> bool:
    """True if the cards of the last settled round would be others in this order."""
    settled = state.last.cards if state.last else ()
    return cards[: len(settled)] != settled
