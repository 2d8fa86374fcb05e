"""A patron walks away from a round: the bets stay and are settled."""

from __future__ import annotations

from punto.rules.sheet import Irregularity, Ruling
from punto.table.actor import Actor
from punto.table.acts.places import PatronLeft
from punto.table.draft import Draft
from punto.table.refusals import Contradiction, FactsContradict
from punto.table.rulings.cases import close_case, ruled
from punto.table.rulings.procedures import ReportWay, WaysToReport, procedure
from punto.table.state import State
from punto.table.values import Facts


def _ways_to_walk_away(state: State, irregularity: Irregularity) -> WaysToReport:
    round_ = state.round
    bettors = dict.fromkeys([spot.patron for spot in round_.bets]) if round_ else {}
    if not bettors or round_ is None:
        return FactsContradict(Contradiction.NO_BET, rule=irregularity.rule)
    present = [patron for patron in bettors if patron not in round_.away]
    if not present:
        return FactsContradict(Contradiction.WALKED_AWAY, rule=irregularity.rule)
    return tuple([ReportWay(Facts(patron=patron)) for patron in present])


@procedure(Ruling.SETTLE, ways=_ways_to_walk_away)
def _rule_walk_away(draft: Draft, by: Actor, irregularity: Irregularity) -> None:
    ruled(draft, by, irregularity)
    draft.add(PatronLeft(by, draft.case.facts.patron or "", irregularity.rule, bets_stay=True))
    close_case(draft, by)
