"""Settled rounds put right: cards that were recorded wrongly, and insurance that was not offered.

A round that was recorded or paid wrongly is corrected whenever that is noticed: its cards as they actually were settle
it again. Each bet's old line is reversed and a new one posted; other rounds stand. Where a sheet has no paragraph for
it, the role that decides otherwise corrects the round.
"""

from __future__ import annotations

from collections import Counter

from punto.rules.cards import Card
from punto.rules.insurance import Window
from punto.rules.refusals import CardCopies, Refusal
from punto.rules.settlement import Bet, Settlement
from punto.rules.sheet import Irregularity, Role, Ruling, Sheet
from punto.rules.tableau import INITIAL_CARDS, deal
from punto.table import events as e
from punto.table.bounds import REASON, Input, InputType, Way
from punto.table.card_order import outdated_insurance
from punto.table.commands import Actor, CorrectRound, Facts, Report, RoundRecord, Spot
from punto.table.facts import MISREAD_CARD, refuse_forgone, round_input, uninsured
from punto.table.play import (
    Draft,
    EventsOrRefusal,
    adjustment,
    close_case,
    neglected_spots,
    propose,
    settle_bets,
)
from punto.table.refusals import (
    Contradiction,
    FactsContradict,
    FactsMissing,
    NotPermitted,
    ReasonMissing,
    RoundNotSettled,
)
from punto.table.state import State, spot_of

# ------------------------------------------------------------------------------------------- which rounds


def _last_ended(state: State) -> int:
    """The number of the last round that has ended; 0 if there is none."""
    return state.rounds - (state.round is not None)


def settled_record(record: RoundRecord | None, number: int | None, rule: str | None) -> RoundRecord | Refusal:
    """The record of a round that can be corrected, or why it cannot: it was not settled, or is void."""
    if record is None or record.number != number:
        return RoundNotSettled(number or 0, rule=rule)
    return FactsContradict(Contradiction.ALREADY_VOID, rule=rule) if record.void else record


# ------------------------------------------------------------------------------------------- cards recorded wrongly


def _table_prevails(sheet: Sheet) -> Irregularity | None:
    """The sheet's paragraph by which the table prevails over what was recorded or shown, if it has one."""
    return next((each for each in sheet.irregularities.values() if each.ruling is Ruling.TABLE_PREVAILS), None)


def _correction_rule(sheet: Sheet) -> str | None:
    prevails = _table_prevails(sheet)
    return prevails.rule if prevails else sheet.authority.otherwise_rule


def ways_to_correct_round(state: State, by: Actor) -> tuple[Way, ...] | Refusal:
    """The inputs to correct a settled round, or why someone cannot correct one."""
    prevails, authority = _table_prevails(state.sheet), state.sheet.authority
    role = Role.PIT_SUPERVISOR if prevails else authority.decides_otherwise
    if not by.may_act_as(role):
        return NotPermitted(role, rule=authority.otherwise_rule)
    if not (latest := _last_ended(state)):
        return FactsContradict(Contradiction.NO_ROUND, rule=_correction_rule(state.sheet))
    most = INITIAL_CARDS + 2
    cards = Input("cards", InputType.CARDS, missing="card-missing", minimum=INITIAL_CARDS, maximum=most)
    return (Way(inputs=(round_input(latest), cards, REASON)),)


def correct_round(state: State, command: CorrectRound) -> EventsOrRefusal:
    """Settle a round again by its cards as they actually were."""
    by, cards = command.by, command.cards
    ways, rule = ways_to_correct_round(state, by), _correction_rule(state.sheet)
    if isinstance(ways, Refusal):
        return ways
    record = settled_record(command.record, command.round, rule)
    if isinstance(record, Refusal):
        return record
    if not command.reason.strip():
        return ReasonMissing(rule=rule)
    if refusal := _refuse_cards(state.sheet, record, cards, rule):
        return refusal
    lines = settled_again(state, record, cards, rule)
    facts = Facts(cards=cards, round=record.number, note=command.reason)
    draft = Draft(state)
    draft.add(e.IncidentReported(by, state.cases + 1, record.number, MISREAD_CARD, facts))

    def put_right(draft: Draft) -> None:
        draft.add(
            e.RoundAdjusted(
                by,
                record.number,
                lines,
                False,
                rule,
                command.reason,
                reverses=True,
                shoe=record.shoe,
                cards_before=record.cards,
                cards=cards,
            )
        )
        close_case(draft, by)

    propose(draft, by, put_right)
    return tuple(draft.events)


def _refuse_cards(sheet: Sheet, record: RoundRecord, cards: tuple[Card, ...], rule: str | None) -> Refusal | None:
    """Why these cannot be the cards of a settled round as they actually were."""
    if record.order_known:
        return FactsContradict(Contradiction.CARDS_KNOWN, rule=rule)
    round_ = deal(cards, record.decks, sheet.deal_rules)
    if isinstance(round_, Refusal):
        return round_
    if cards == record.cards:
        return FactsContradict(Contradiction.SAME_CARDS, cards, rule=rule)
    for card, copies in Counter([*record.other_cards, *cards]).items():
        if copies > record.decks:
            return CardCopies(card.text, copies, record.decks, rule=sheet.decks.rule)
    if len(cards) - len(record.cards) > record.cards_left:
        return FactsContradict(Contradiction.FEW_CARDS_LEFT, rule=sheet.deal_rules.table_of_play)
    return None


def settled_again(
    state: State, record: RoundRecord, cards: tuple[Card, ...], rule: str | None
) -> tuple[e.Adjustment, ...]:
    """The bets of a round whose settlement changes with these cards.

    Insurance is returned if these cards do not make the offer on which it was taken. What was decided for a bet stays.
    """
    sheet = state.sheet
    bets = [each.bet for each in record.bets]
    outdated = {spot_of(bet) for bet in outdated_insurance(sheet, bets, record.cards_at_settlement, cards)}
    standing = [bet for bet in bets if spot_of(bet) not in outdated]
    settlement = settled_by(sheet, record, cards, standing)
    by_spot = {spot_of(line.bet): line for line in settlement.lines}
    neglected = _neglected(state, record, cards)
    lines = []
    for each in record.bets:
        spot, before = spot_of(each.bet), each.returned_cents
        if each.decided:
            continue
        if spot in neglected or spot in outdated:
            new = adjustment(each.bet, before, each.bet.stake_cents, neglected.get(spot, rule))
        else:
            line = by_spot[spot]
            new = adjustment(each.bet, before, line.returned_cents, line.rule, line)
        if new.correction_cents:
            lines.append(new)
    return tuple(lines)


def settled_by(
    sheet: Sheet, record: RoundRecord, cards: tuple[Card, ...], bets: list[Bet], *, pro_rata: bool = False
) -> Settlement:
    """The settlement of bets of a settled round by these cards; with `pro_rata`, bets over the limits are scaled."""
    limits = None if record.limits_lifted and not pro_rata else record.limits
    scaled = record.pro_rata or pro_rata
    settlement = settle_bets(sheet, cards, bets, record.taken_back, record.decks, limits, by_decision=scaled)
    assert isinstance(settlement, Settlement), settlement  # noqa: S101 — the table settled these bets before
    return settlement


def _neglected(state: State, record: RoundRecord, cards: tuple[Card, ...]) -> dict[Spot, str | None]:
    """The original bets of claims whose insurance would have won with these cards, and the paragraph."""
    rulings = state.sheet.irregularities.values()
    rule = next((each.rule for each in rulings if each.ruling is Ruling.RETURN_ORIGINAL), None)
    return {spot: rule for window, claim in record.claims for spot in neglected_spots(state, cards, window, [claim])}


# ------------------------------------------------------------------------------------------- insurance not offered


def refuse_past(state: State, irregularity: Irregularity | None, command: Report) -> Refusal | None:
    """Why an earlier round cannot be reported so."""
    if irregularity is not None:
        return _refuse_claims(state, irregularity, command)
    record, number = command.record, command.facts.round or 0
    if record is None or record.number != number:
        return RoundNotSettled(number, rule=state.sheet.authority.otherwise_rule)
    return None


def _refuse_claims(state: State, irregularity: Irregularity, command: Report) -> Refusal | None:
    """Why insurance that was not offered in an earlier round cannot be claimed so."""
    sheet, facts, rule = state.sheet, command.facts, irregularity.rule
    record = settled_record(command.record, facts.round, rule)
    if isinstance(record, Refusal):
        return record
    missing = tuple([name for name in ("window", "claims") if not getattr(facts, name)])
    if missing or facts.window is None:
        return FactsMissing(command.situation, missing, rule=rule)
    insurance = sheet.insurance
    if insurance is None or record.without_insurance:
        return FactsContradict(Contradiction.NO_INSURANCE, rule=insurance.private_table_rule if insurance else rule)
    if record.waived and facts.window is Window.PLAYER_THIRD:
        return FactsContradict(Contradiction.WAIVED, rule=insurance.waiver_rule)
    if refusal := refuse_forgone(sheet, facts.claims, record, facts.window):
        return refusal
    offers = insurance.offers(record.cards[: facts.window.cards])
    open_to = uninsured(sheet, [each.bet for each in record.bets], facts.window)
    for claim in facts.claims:
        if claim not in open_to or claim.hand not in offers:
            return FactsContradict(Contradiction.NOT_NEGLECTED, hand=claim.hand, rule=rule)
    return None


def lost_originals(
    state: State, irregularity: Irregularity, facts: Facts, record: RoundRecord
) -> tuple[e.Adjustment, ...]:
    """The corrections that return what was lost of the original bets of an earlier round, where insurance had won."""
    assert facts.window is not None  # noqa: S101 — the facts were checked
    spots = neglected_spots(state, record.cards, facts.window, facts.claims)
    return tuple(
        [
            adjustment(each.bet, each.returned_cents, each.bet.stake_cents, irregularity.rule)
            for each in record.bets
            if spot_of(each.bet) in spots and each.returned_cents < each.bet.stake_cents
        ]
    )


def return_originals(
    draft: Draft, by: Actor, irregularity: Irregularity, facts: Facts, record: RoundRecord | None
) -> None:
    """Return what was lost of the original bets of an earlier round whose insurance would have won."""
    window, rule = facts.window, irregularity.rule
    assert record is not None and window is not None  # noqa: S101 — the facts were checked
    lines = lost_originals(draft.state, irregularity, facts, record)
    draft.add(e.IncidentRuled(by, draft.case.number, irregularity.ruling, rule))
    claimed = e.InsuranceClaimed(by, draft.case.number, record.number, window, facts.claims, rule)
    return_claimed(draft, irregularity, claimed, lines, record.cards)


def return_claimed(
    draft: Draft,
    irregularity: Irregularity,
    claimed: e.InsuranceClaimed,
    lines: tuple[e.Adjustment, ...],
    cards: tuple[Card, ...],
) -> None:
    """Record claims of a settled round and correct their original bets. Only what moves money needs a second person."""
    by, rule = claimed.by, claimed.rule

    def put_right(draft: Draft) -> None:
        draft.add(claimed)
        if lines:
            reason = irregularity.situation
            adjusted = e.RoundAdjusted(by, claimed.round, lines, False, rule, reason, reverses=True, cards_before=cards)
            draft.add(adjusted)
        close_case(draft, by)

    if lines:
        propose(draft, by, put_right)
    else:
        put_right(draft)
