"""Settled rounds put right. A round that was recorded or paid wrongly is corrected whenever that is noticed.

Its cards as they actually were settle it again. Each bet's old line is reversed and a new one posted; other rounds
stand. Where a sheet has no paragraph for it, the role that decides otherwise corrects the round.
"""

from __future__ import annotations

from collections import Counter

from punto.rules.cards import Card
from punto.rules.refusals import CardCopies, CardMissing, Refusal
from punto.rules.settlement import Settlement, settle
from punto.rules.sheet import Irregularity, Role, Ruling, Sheet
from punto.rules.tableau import INITIAL_CARDS, deal
from punto.table.act import act
from punto.table.actor import Actor
from punto.table.acts.rounds import neglected_spots
from punto.table.corrections.adjusted import RoundAdjusted
from punto.table.corrections.record import PastCommand, settled_record
from punto.table.draft import Draft
from punto.table.phases import OPEN, Phase
from punto.table.refusals import Contradiction, FactsContradict, NotPermitted, ReasonMissing
from punto.table.rulings.cases import add_and_close, propose, reported
from punto.table.rulings.facts import round_input
from punto.table.rulings.reorder import outdated_insurance
from punto.table.rulings.situations import MISREAD_CARD
from punto.table.state import EndedRound, State
from punto.table.values import Adjustment, Facts, adjustment, spot_of
from punto.table.ways import REASON, Input, InputType


@act(by=Role.PIT_SUPERVISOR, during=OPEN - {Phase.HELD})
class CorrectRound(PastCommand):
    """Correct a settled round that was recorded wrongly. `cards` are its cards as they actually were."""

    round: int
    cards: tuple[Card, ...]
    reason: str

    @classmethod
    def refuse(cls, state: State, by: Actor) -> Refusal | None:
        prevails, authority = _table_prevails(state.sheet), state.sheet.authority
        role = Role.PIT_SUPERVISOR if prevails else authority.decides_otherwise
        if not by.may_act_as(role):
            return NotPermitted(role, rule=authority.otherwise_rule)
        if not _last_ended(state):
            return FactsContradict(Contradiction.NO_ROUND, rule=_correction_rule(state.sheet))
        return None

    @classmethod
    def inputs(cls, state: State) -> tuple[Input, ...]:
        most = INITIAL_CARDS + 2
        cards = Input("cards", InputType.CARDS, missing=CardMissing, minimum=INITIAL_CARDS, maximum=most)
        return round_input(_last_ended(state)), cards, REASON

    def decide(self, state: State) -> Draft | Refusal:
        by, cards, rule = self.by, self.cards, _correction_rule(state.sheet)
        record = settled_record(self.record, self.round, rule)
        if isinstance(record, Refusal):
            return record
        if not self.reason.strip():
            return ReasonMissing(rule=rule)
        if refusal := _refuse_cards(state.sheet, record, cards, rule):
            return refusal
        lines = settled_again(state, record, cards, rule)
        facts = Facts(cards=cards, round=record.number, note=self.reason)
        draft = reported(state, by, MISREAD_CARD, facts, record.number)
        before, number = record.cards, record.number
        adjusted = RoundAdjusted(by, number, lines, False, rule, self.reason, record.shoe, before, cards)
        propose(draft, by, lambda d: add_and_close(d, adjusted))
        return draft

    def round_needed(self, state: State) -> int | None:
        return self.round


def _last_ended(state: State) -> int:
    """The number of the last round that has ended; 0 if there is none."""
    return state.rounds - (state.round is not None)


def _table_prevails(sheet: Sheet) -> Irregularity | None:
    """The sheet's paragraph by which the table prevails over what was recorded or shown, if it has one."""
    return next((each for each in sheet.irregularities.values() if each.ruling is Ruling.TABLE_PREVAILS), None)


def _correction_rule(sheet: Sheet) -> str | None:
    prevails = _table_prevails(sheet)
    return prevails.rule if prevails else sheet.authority.otherwise_rule


def _refuse_cards(sheet: Sheet, record: EndedRound, cards: tuple[Card, ...], rule: str | None) -> Refusal | None:
    """The refusal of cards that cannot be those of a settled round as they actually were."""
    if record.order_known:
        return FactsContradict(Contradiction.CARDS_KNOWN, rule=rule)
    round_ = deal(cards, record.settings.decks, sheet.deal_rules)
    if isinstance(round_, Refusal):
        return round_
    if cards == record.cards:
        return FactsContradict(Contradiction.SAME_CARDS, cards, rule=rule)
    for card, copies in Counter([*record.other_cards, *cards]).items():
        if copies > record.settings.decks:
            return CardCopies(card.text, copies, record.settings.decks, rule=sheet.decks.rule)
    if len(cards) - len(record.cards) > record.cards_left:
        return FactsContradict(Contradiction.FEW_CARDS_LEFT, rule=sheet.deal_rules.table_of_play)
    return None


def settled_again(
    state: State, record: EndedRound, cards: tuple[Card, ...], rule: str | None
) -> tuple[Adjustment, ...]:
    """The bets of a round whose settlement changes with these cards.

    Insurance is returned if these cards do not make the offer on which it was taken. What was decided for a bet stays.
    """
    sheet = state.sheet
    bets = [each.bet for each in record.bets]
    outdated = {spot_of(bet) for bet in outdated_insurance(sheet, bets, record.cards_at_settlement, cards)}
    standing = [bet for bet in bets if spot_of(bet) not in outdated]
    settings, placed = record.settings, [*standing, *record.taken_back]
    settlement = settle(sheet, cards, placed, decks=settings.decks, limits=settings.limits)
    assert isinstance(settlement, Settlement), settlement  # noqa: S101 — the table settled these bets before
    by_spot = {spot_of(line.bet): line for line in settlement.lines}
    rulings = sheet.irregularities.values()
    claims_rule = next((each.rule for each in rulings if each.ruling is Ruling.RETURN_ORIGINAL), None)
    neglected = {spot for window, claim in record.claims for spot in neglected_spots(state, cards, window, [claim])}
    lines = []
    for each in record.bets:
        spot = spot_of(each.bet)
        if each.decided:
            continue
        if spot in neglected or spot in outdated:
            new = adjustment(each, each.bet.stake_cents, claims_rule if spot in neglected else rule)
        else:
            line = by_spot[spot]
            new = adjustment(each, line.returned_cents, line.rule, line)
        if new.correction_cents:
            lines.append(new)
    return tuple(lines)
