"""Bets outside the limits that are noticed: put right while bets are open, ruled when they are reported.

While bets are open the excess goes back, and the patron of a low bet is asked to raise or withdraw it. If the patron
does neither, the Dealer returns the bet.
"""

from __future__ import annotations

from dataclasses import dataclass

from punto.rules.refusals import Refusal
from punto.rules.sheet import Irregularity, Role, Ruling
from punto.table.act import Command, act
from punto.table.actor import Actor
from punto.table.acts.bets import BetDisplaced, RaiseAsked, reject_excess
from punto.table.draft import Draft
from punto.table.limits import minimum_for, to_put_right
from punto.table.phases import Phase
from punto.table.refusals import Contradiction, FactsContradict, WithinLimits
from punto.table.rulings.cases import IncidentRuled, RulingEffect, close_case
from punto.table.rulings.procedures import ReportWay, WaysToReport, procedure
from punto.table.rulings.situations import cited_now
from punto.table.state import State
from punto.table.values import BoxProblem, BoxWarning, Facts, Spot
from punto.table.ways import Asking, Way, Ways, way_record


@way_record
class RemedyWay(Way):
    """A way to put one bet or box right or, without a box, all."""

    box: int | None = None
    on: str | None = None


@dataclass(frozen=True, slots=True)
class _OneOrAll(Command):
    """A command about one bet or box outside the limits or, without a box, about all."""

    box: int | None = None
    patron: str | None = None
    on: str | None = None

    @classmethod
    def warnings(cls, state: State) -> tuple[BoxWarning, ...]:
        """The warnings that the command answers."""
        raise NotImplementedError

    @classmethod
    def ways(cls, state: State, asking: Asking) -> Ways[RemedyWay]:
        """One way for each box or bet, and one for all if there are several."""
        ways = [RemedyWay(each.box, each.on, patron=each.patron) for each in cls.warnings(state)]
        return [*ways, *[RemedyWay()] * (len(ways) > 1), WithinLimits()]

    def chosen(self, state: State) -> list[BoxWarning]:
        """The warnings that it names."""
        named = self.box, self.patron, self.on
        found = self.warnings(state)
        return [each for each in found if self.box is None or named == (each.box, each.patron, each.on)]


@act(by=Role.DEALER, during={Phase.BETTING})
class PutRight(_OneOrAll):
    """Reject the excess of a box, or ask the patron of a low bet to raise or withdraw it; without a box, all of it."""

    @classmethod
    def warnings(cls, state: State) -> tuple[BoxWarning, ...]:
        """Each box over the Differential, and each low bet whose patron was not asked yet."""
        asked = state.open_round.asked
        return tuple([each for each in to_put_right(state) if _spot(each) not in asked])

    def decide(self, state: State) -> Draft | Refusal:
        draft = Draft(state)
        for warning in self.chosen(state):
            if warning.problem is BoxProblem.OVER_DIFFERENTIAL:
                reject_excess(draft, self.by, warning.box)
            elif _spot(warning) in draft.round.bets:
                ask_to_raise(draft, self.by, _spot(warning), warning.rule)
        return draft if draft.events else WithinLimits()


@act(by=Role.DEALER, during={Phase.BETTING})
class ReturnLowBet(_OneOrAll):
    """Return a bet below the minimum whose patron was asked and neither raised nor withdrew it; without a box, all."""

    @classmethod
    def warnings(cls, state: State) -> tuple[BoxWarning, ...]:
        """Each low bet whose patron was asked."""
        asked = state.open_round.asked
        return tuple([each for each in to_put_right(state) if _spot(each) in asked])

    def decide(self, state: State) -> Draft | Refusal:
        """Return low bets. If the other side of the box is then over the Differential, its excess goes back, too."""
        draft, low = Draft(state), [state.open_round.bets[_spot(each)] for each in self.chosen(state)]
        draft.add(*[BetDisplaced(self.by, draft.round.number, bet, bet.stake_cents, None) for bet in low])
        for box in sorted({bet.box for bet in low}):
            reject_excess(draft, self.by, box)
        return draft if low else WithinLimits()


def _spot(warning: BoxWarning) -> Spot:
    return Spot(warning.box, warning.patron or "", warning.on or "")


def ask_to_raise(draft: Draft, by: Actor, spot: Spot, rule: str | None) -> None:
    """Ask the patron of a low bet to raise or withdraw it."""
    minimum = minimum_for(draft.state.sheet, draft.settings, spot.on)
    draft.add(RaiseAsked(by, draft.round.number, draft.round.bets[spot], minimum, rule))


@procedure(Ruling.PRO_RATA)
def _rule_excess(draft: Draft, by: Actor, irregularity: Irregularity) -> None:
    """Return the excess at once while bets are open; later the settlement scales it."""
    resume = draft.case.resume
    rule = cited_now(draft.state.sheet, irregularity, resume)
    draft.add(IncidentRuled(by, draft.case.number, irregularity.ruling, rule))
    if resume is Phase.BETTING and draft.state.sheet.limits:
        for box in sorted({spot.box for spot in draft.round.bets}):
            reject_excess(draft, by, box)
    close_case(draft, by)


def _ways_below_minimum(state: State, irregularity: Irregularity) -> WaysToReport:
    bets = state.round.bets.values() if state.round else ()
    settings = state.open_settings
    low = [bet for bet in bets if bet.window is None and bet.stake_cents < minimum_for(state.sheet, settings, bet.on)]
    if not low:
        return FactsContradict(Contradiction.NOT_BELOW_MINIMUM, rule=irregularity.rule)
    return tuple([ReportWay(Facts(patron=bet.patron, box=bet.box, on=bet.on)) for bet in low])


@procedure(Ruling.RAISE_OR_WITHDRAW, ways=_ways_below_minimum)
def _rule_below_minimum(draft: Draft, by: Actor, irregularity: Irregularity) -> None:
    in_time = draft.case.resume is Phase.BETTING
    rule = cited_now(draft.state.sheet, irregularity, draft.case.resume)
    finding = None if in_time else RulingEffect.SEEN_TOO_LATE
    draft.add(IncidentRuled(by, draft.case.number, irregularity.ruling, rule, finding))
    if in_time:
        facts = draft.case.facts
        ask_to_raise(draft, by, Spot(facts.box or 0, facts.patron or "", facts.on or ""), irregularity.rule)
    close_case(draft, by)
