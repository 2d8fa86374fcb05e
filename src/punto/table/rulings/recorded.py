"""Rulings that change nothing at the table: the incident and its paragraph are recorded."""

from __future__ import annotations

from punto.rules.sheet import Irregularity, Ruling
from punto.table.actor import Actor
from punto.table.draft import Draft
from punto.table.phases import IN_ROUND, Phase
from punto.table.refusals import Contradiction, FactsContradict
from punto.table.rulings.cases import close_case, ruled
from punto.table.rulings.procedures import ReportWay, WaysToReport, procedure
from punto.table.state import State
from punto.table.ways import Input, InputType


def _ways_when_late(state: State, irregularity: Irregularity) -> WaysToReport:
    if state.rounds < 2:
        return FactsContradict(Contradiction.ROUND_NOT_OVER, rule=irregularity.rule)
    return (ReportWay(inputs=(Input("round", InputType.NUMBER, minimum=1, maximum=state.rounds - 1),)),)


def _ways_when_closed(state: State, irregularity: Irregularity) -> WaysToReport:
    if state.phase not in IN_ROUND and state.phase is not Phase.HELD:
        return FactsContradict(Contradiction.BETS_OPEN, rule=irregularity.rule)
    return (ReportWay(),)


@procedure(Ruling.REFUSE, Ruling.STANDS, ways=_ways_when_closed)
@procedure(Ruling.NO_EFFECT, ways=_ways_when_late)
@procedure(Ruling.CHIPS_PREVAIL, Ruling.TABLE_PREVAILS)
def _rule_recorded(draft: Draft, by: Actor, irregularity: Irregularity) -> None:
    """Record the ruling. Nothing at the table changes."""
    ruled(draft, by, irregularity)
    close_case(draft, by)
