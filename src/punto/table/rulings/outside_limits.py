"""Bets outside the limits that are noticed: over the Differential, or below the minimum."""

from __future__ import annotations

from punto.rules.refusals import Refusal
from punto.rules.sheet import Irregularity, Ruling
from punto.table.actor import Actor
from punto.table.acts.bets import BetDisplaced, RaiseAsked
from punto.table.draft import Draft
from punto.table.limits import bets_in, displaced_bets, minimum_for
from punto.table.phases import Phase
from punto.table.refusals import Contradiction, FactsContradict
from punto.table.rulings.cases import Finding, IncidentRuled, close_case, ruled
from punto.table.rulings.procedures import procedure
from punto.table.seats import sitter
from punto.table.state import State, open_settings
from punto.table.values import Facts, Spot
from punto.table.ways import Way


@procedure(Ruling.PRO_RATA)
def _rule_excess(draft: Draft, by: Actor, irregularity: Irregularity, facts: Facts) -> None:
    """Return the excess at once while bets are open; later the settlement scales it."""
    ruled(draft, by, irregularity)
    state = draft.state
    if draft.case.resume is Phase.BETTING and state.sheet.limits:
        for box in sorted({spot.box for spot in draft.round.bets}):
            bets = bets_in(draft.round, box)
            for bet, back in list(displaced_bets(state.sheet, bets, draft.settings, sitter(state, box))):
                rule = state.sheet.limits.excess_rule
                draft.add(BetDisplaced(by, draft.round.number, bet, back, rule))
    close_case(draft, by)


def _ways_below_minimum(state: State, irregularity: Irregularity) -> tuple[Way, ...] | Refusal:
    bets = state.round.bets.values() if state.round else ()
    settings = open_settings(state)
    low = [bet for bet in bets if bet.window is None and bet.stake_cents < minimum_for(state.sheet, settings, bet.on)]
    if not low:
        return FactsContradict(Contradiction.NOT_BELOW_MINIMUM, rule=irregularity.rule)
    return tuple([Way(patron=bet.patron, box=bet.box, on=bet.on) for bet in low])


@procedure(Ruling.RAISE_OR_WITHDRAW, ways=_ways_below_minimum)
def _rule_below_minimum(draft: Draft, by: Actor, irregularity: Irregularity, facts: Facts) -> None:
    limits = draft.state.sheet.limits
    if draft.case.resume is not Phase.BETTING:
        rule = limits.minimum_unnoticed_rule if limits else irregularity.rule
        draft.add(IncidentRuled(by, draft.case.number, irregularity.ruling, rule, Finding.SEEN_TOO_LATE))
    else:
        ruled(draft, by, irregularity)
        bet = draft.round.bets[Spot(facts.box or 0, facts.patron or "", facts.on or "")]
        minimum = minimum_for(draft.state.sheet, draft.settings, bet.on)
        draft.add(RaiseAsked(by, draft.round.number, bet, minimum, irregularity.rule))
    close_case(draft, by)
