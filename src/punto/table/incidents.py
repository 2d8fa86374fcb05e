"""Incidents: reporting one, carrying out the sheet's ruling, and deciding an open case.

A sheet answers a situation with a ruling; each ruling is one function here. Where the sheet is silent, the case is
referred to the role that decides otherwise. The decision is recorded with its reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from punto.rules.cards import Card
from punto.rules.established import is_established
from punto.rules.refusals import Refusal
from punto.rules.sheet import Irregularity, OptionsUnless, Role, Ruling
from punto.table import events as e
from punto.table.bounds import REASON, Input, InputType, Way
from punto.table.card_order import extra_cards, refuse_cards, reorder_cards
from punto.table.commands import Actor, CorrectCards, Decide, Decision, Facts, Recover, Report
from punto.table.corrections import lost_originals, refuse_past, return_claimed, return_originals, settled_record
from punto.table.decisions import (
    MONEY_DECISIONS,
    decide_money,
    past_case,
    refuse_afterwards,
    way_to_decide_money,
)
from punto.table.events import Finding
from punto.table.facts import (
    EXCESS_BETS,
    INTERRUPTION,
    MISREAD_CARD,
    OVER_MAXIMUM,
    cards_input,
    refuse_closed,
    refuse_facts,
    refuse_recovery,
    refuse_situation,
    ruling_on,
)
from punto.table.limits import bets_in, displaced_bets, minimum_for
from punto.table.phases import Phase, Waits
from punto.table.play import (
    Draft,
    EventsOrRefusal,
    adjustment,
    close_case,
    is_second,
    neglected_spots,
    open_round,
    open_settings,
    propose,
    propose_cards,
    refuse_held,
    shoe_in_play,
    void_round,
)
from punto.table.recovery import interruption
from punto.table.refusals import (
    Contradiction,
    DecisionNotOpen,
    FactsContradict,
    NotPermitted,
    ReasonMissing,
    SamePerson,
    ShoeMissing,
)
from punto.table.round_record import past_round
from punto.table.seats import sitter
from punto.table.state import DECISIONS_FOR, Case, Spot, State, known_cards, spot_of

# ------------------------------------------------------------------------------------------- reporting


def refuse_report(state: State, situation: str, irregularity: Irregularity | None) -> Refusal | None:
    """Why a situation cannot be reported at all.

    While a case is open, only a situation that may end the round can be reported, one at a time.
    """
    if state.case is not None:
        ends = irregularity is not None and irregularity.ruling in {Ruling.VOID, Ruling.CONCLUDE_OR_VOID}
        if not ends or state.case.waits is Waits.CONFIRMATION:
            return refuse_held(state.case)
    return refuse_situation(state.sheet, situation)


def report(state: State, command: Report) -> EventsOrRefusal:
    """Record the incident and carry out the sheet's ruling, or ask for what the ruling waits for."""
    sheet, situation, facts = state.sheet, command.situation, command.facts
    irregularity = ruling_on(sheet, situation, facts)
    past = past_round(state, situation, facts)
    refuse = refuse_facts(state, situation, facts) if past is None else refuse_past(state, irregularity, command)
    if refusal := refuse_report(state, situation, irregularity) or refuse:
        return refusal
    draft = Draft(state)
    open_case(draft, command.by, situation, facts, past)
    if irregularity is None:
        refer(draft, command.by)
    elif not command.by.may_act_as(irregularity.decides) and irregularity.ruling is not Ruling.ORDER_CARDS:
        _ask_approval(draft, command, irregularity)
    elif past is not None:
        return_originals(draft, command.by, irregularity, facts, command.record)
    else:
        _RULE[irregularity.ruling](draft, command.by, irregularity, facts)
    return tuple(draft.events)


def _ask_approval(draft: Draft, command: Report, irregularity: Irregularity) -> None:
    """Ask the role that decides; about an earlier round, with what its approval would correct."""
    corrections: tuple[e.Adjustment, ...] = ()
    cards: tuple[Card, ...] = ()
    if command.record is not None:
        cards = command.record.cards
        corrections = lost_originals(draft.state, irregularity, command.facts, command.record)
    by, case = command.by, draft.case.number
    draft.add(e.ApprovalAsked(by, case, irregularity.decides, irregularity.rule, corrections, cards))


def open_case(draft: Draft, by: Actor, situation: str, facts: Facts, past: int | None = None) -> None:
    """Record an incident under the next case number. It may be about an earlier round."""
    state = draft.state
    number = past or (state.round.number if state.round else state.rounds)
    draft.add(e.IncidentReported(by, state.cases + 1, number, situation, facts))


def refer(draft: Draft, by: Actor) -> None:
    """Hold the table for the role that decides otherwise, because no paragraph answers."""
    authority = draft.state.sheet.authority
    draft.add(e.IncidentReferred(by, draft.case.number, authority.decides_otherwise, authority.otherwise_rule))


# ------------------------------------------------------------------------------------------- rulings


def _ruled(draft: Draft, by: Actor, irregularity: Irregularity, finding: Finding | None = None) -> None:
    draft.add(e.IncidentRuled(by, draft.case.number, irregularity.ruling, irregularity.rule, finding))


def _rule_recorded(draft: Draft, by: Actor, irregularity: Irregularity, facts: Facts) -> None:
    """Record the ruling. Nothing at the table changes."""
    _ruled(draft, by, irregularity)
    close_case(draft, by)


def _rule_void(draft: Draft, by: Actor, irregularity: Irregularity, facts: Facts) -> None:
    state, new_shoe = draft.state, None
    if irregularity.new_shoe is not None and irregularity.new_shoe.by is None:
        new_shoe = (irregularity.new_shoe.rule, irregularity.situation)
    settled = state.round is None and not irregularity.until_next_round
    _ruled(draft, by, irregularity, Finding.NOTHING_TO_VOID if settled else None)
    if not settled:
        propose(draft, by, lambda d: void_round(d, by, irregularity.rule, irregularity.situation, new_shoe))
    elif new_shoe and state.shoe and not state.shoe.removed:
        removed = e.ShoeRemoved(by, state.shoe.number, *new_shoe)
        propose(draft, by, lambda d: _add_and_close(d, removed))
    else:
        close_case(draft, by)


def _add_and_close(draft: Draft, event: e.Event) -> None:
    draft.add(event)
    close_case(draft, event.by)


def _rule_excess(draft: Draft, by: Actor, irregularity: Irregularity, facts: Facts) -> None:
    """Return the excess at once while bets are open; later the settlement scales it."""
    _ruled(draft, by, irregularity)
    state = draft.state
    if draft.case.resume is Phase.BETTING and state.sheet.limits:
        for box in sorted({spot.box for spot in draft.round.bets}):
            bets = bets_in(draft.round, box)
            for bet, back in list(displaced_bets(state.sheet, bets, draft.settings, sitter(state, box))):
                rule = state.sheet.limits.excess_rule
                draft.add(e.BetDisplaced(by, draft.round.number, bet, back, rule))
    close_case(draft, by)


def _rule_below_minimum(draft: Draft, by: Actor, irregularity: Irregularity, facts: Facts) -> None:
    limits = draft.state.sheet.limits
    if draft.case.resume is not Phase.BETTING:
        rule = limits.minimum_unnoticed_rule if limits else irregularity.rule
        draft.add(e.IncidentRuled(by, draft.case.number, irregularity.ruling, rule, Finding.SEEN_TOO_LATE))
    else:
        _ruled(draft, by, irregularity)
        bet = draft.round.bets[Spot(facts.box or 0, facts.patron or "", facts.on or "")]
        minimum = minimum_for(draft.state.sheet, draft.settings, bet.on)
        draft.add(e.RaiseAsked(by, draft.round.number, bet, minimum, irregularity.rule))
    close_case(draft, by)


def _rule_walk_away(draft: Draft, by: Actor, irregularity: Irregularity, facts: Facts) -> None:
    _ruled(draft, by, irregularity)
    draft.add(e.PatronLeft(by, facts.patron or "", irregularity.rule, bets_stay=True))
    close_case(draft, by)


def _rule_interruption(draft: Draft, by: Actor, irregularity: Irregularity, facts: Facts) -> None:
    authority = draft.state.sheet.authority
    if is_established(draft.state.sheet, draft.round.visible):
        rule = authority.conclude_rule or irregularity.rule
        draft.add(e.IncidentRuled(by, draft.case.number, irregularity.ruling, rule, Finding.CONCLUDED))
        close_case(draft, by)
        return
    rule = authority.void_interrupted_rule or irregularity.rule
    draft.add(e.IncidentRuled(by, draft.case.number, irregularity.ruling, rule, Finding.UNDECIDED))
    propose(draft, by, lambda d: void_round(d, by, rule, irregularity.situation, None))


def _rule_reconstruct(draft: Draft, by: Actor, irregularity: Irregularity, facts: Facts) -> None:
    state, possible = draft.state, facts.reconstructible is True
    listed = () if refuse_closed(state) else facts.cards
    lost = () if possible else extra_cards(listed, known_cards(state))
    if lost or (possible and _changes_settled_round(state, facts.cards)):
        # No paragraph says what becomes of a card that has no place in the order, or of a round settled on other cards.
        refer(draft, by)
        return
    _ruled(draft, by, irregularity, None if possible else Finding.NOT_RECONSTRUCTIBLE)
    _reorder_or_go_on(draft, by, irregularity, facts)


def _reorder_or_go_on(draft: Draft, by: Actor, irregularity: Irregularity, facts: Facts) -> None:
    """Put the cards in order if they can be, then give the options that are due."""
    if facts.reconstructible is not True:
        _options_or_go_on(draft, by, irregularity, reconstructed=False)
        return

    def put_right(draft: Draft) -> None:
        reorder_cards(draft, by, facts.cards, irregularity.rule, irregularity.situation)
        _options_or_go_on(draft, by, irregularity, reconstructed=True)

    propose_cards(draft, by, facts.cards, put_right)


def _changes_settled_round(state: State, cards: tuple[Card, ...]) -> bool:
    settled = state.last.cards if state.last else ()
    return cards[: len(settled)] != settled


def _rule_continue(draft: Draft, by: Actor, irregularity: Irregularity, facts: Facts) -> None:
    _ruled(draft, by, irregularity)
    _options_or_go_on(draft, by, irregularity, reconstructed=False)


def _rule_order(draft: Draft, by: Actor, irregularity: Irregularity, facts: Facts) -> None:
    if draft.state.round is None:
        refer(draft, by)
        return
    _ruled(draft, by, irregularity)
    draft.add(e.OrderAsked(by, draft.case.number, irregularity.decides, facts.cards, irregularity.rule))


def _rule_options(draft: Draft, by: Actor, irregularity: Irregularity, facts: Facts) -> None:
    if draft.state.round is None:
        refer(draft, by)
        return
    _ruled(draft, by, irregularity)
    _reorder_or_go_on(draft, by, irregularity, facts)


def _rule_return_original(draft: Draft, by: Actor, irregularity: Irregularity, facts: Facts) -> None:
    state, window = draft.state, facts.window
    assert window is not None  # noqa: S101 — the facts were checked
    _ruled(draft, by, irregularity)
    number = state.round.number if state.round else state.rounds
    claimed = e.InsuranceClaimed(by, draft.case.number, number, window, facts.claims, irregularity.rule)
    if state.round is not None:
        propose(draft, by, lambda d: _add_and_close(d, claimed))
        return
    spots = neglected_spots(state, state.last.cards, window, facts.claims) if state.last else []
    lines = tuple(
        [
            adjustment(line.bet, line.returned_cents, line.bet.stake_cents, irregularity.rule)
            for line in (state.last.lines if state.last else ())
            if spot_of(line.bet) in spots
        ]
    )
    return_claimed(draft, irregularity, claimed, lines, state.last.cards if state.last else ())


_RULE: dict[Ruling, Callable[[Draft, Actor, Irregularity, Facts], None]] = {
    Ruling.VOID: _rule_void,
    Ruling.REFUSE: _rule_recorded,
    Ruling.STANDS: _rule_recorded,
    Ruling.SETTLE: _rule_walk_away,
    Ruling.PRO_RATA: _rule_excess,
    Ruling.RAISE_OR_WITHDRAW: _rule_below_minimum,
    Ruling.CONCLUDE_OR_VOID: _rule_interruption,
    Ruling.RECONSTRUCT: _rule_reconstruct,
    Ruling.CONTINUE: _rule_continue,
    Ruling.ORDER_CARDS: _rule_order,
    Ruling.OPTIONS: _rule_options,
    Ruling.NO_EFFECT: _rule_recorded,
    Ruling.RETURN_ORIGINAL: _rule_return_original,
    Ruling.CHIPS_PREVAIL: _rule_recorded,
    Ruling.TABLE_PREVAILS: _rule_recorded,
}


# ------------------------------------------------------------------------------------------- options


def _options_due(irregularity: Irregularity, *, established: bool, reconstructed: bool) -> bool:
    """Whether patrons get the options after this irregularity."""
    if irregularity.options is None:
        return False
    match irregularity.options.unless:
        case OptionsUnless.NEVER:
            return True
        case OptionsUnless.OUTCOME_ESTABLISHED:
            return not established
        case OptionsUnless.ESTABLISHED_AND_RECONSTRUCTIBLE:
            return not (established and reconstructed)


def _options_or_go_on(draft: Draft, by: Actor, irregularity: Irregularity, *, reconstructed: bool) -> None:
    round_ = draft.state.round
    if round_ is None:
        close_case(draft, by)
        return
    established = is_established(draft.state.sheet, round_.visible)
    if _options_due(irregularity, established=established, reconstructed=reconstructed):
        rule = irregularity.options.rule if irregularity.options else None
        _offer_options(draft, by, rule, reconstructed=reconstructed)
    else:
        close_case(draft, by)


def _offer_options(draft: Draft, by: Actor, rule: str | None, *, reconstructed: bool) -> None:
    """Ask every present patron with a bet in the round to choose. Bets of patrons who walked away are settled.

    While bets are open nobody is asked, because everyone may withdraw.
    """
    round_, authority = draft.round, draft.state.sheet.authority
    patrons = tuple(dict.fromkeys([spot.patron for spot in round_.bets if spot.patron not in round_.away]))
    if not patrons or draft.case.resume is Phase.BETTING:
        close_case(draft, by)
        return
    go_on = authority.continue_reconstructed_rule if reconstructed else authority.continue_as_is_rule
    draft.add(
        e.OptionsOffered(
            by, draft.case.number, round_.number, patrons, reconstructed, rule, go_on, authority.take_back_rule
        )
    )


# ------------------------------------------------------------------------------------------- decisions


def refuse_decision(state: State, by: Actor) -> Refusal | None:
    """Why someone cannot decide the open case."""
    case, role = _open_case(state), role_needed(state)
    if role is not None and not by.may_act_as(role):
        rule = state.sheet.authority.otherwise_rule if case.waits is Waits.DECISION else None
        return NotPermitted(role, rule=rule)
    if not DECISIONS_FOR[case.waits or Waits.CHOICES]:
        return _not_open(case)
    if case.waits is Waits.CONFIRMATION and role is not None and not is_second(state, by, case.by.person, role):
        return SamePerson()
    return None


def role_needed(state: State) -> Role | None:
    """The lowest role that may decide the open case; None if there is none, or if it waits for patrons alone."""
    case = state.case
    if case is None or case.role is not None:
        return case.role if case else None
    return open_settings(state).second_role if case.waits is Waits.CONFIRMATION else None


def _open_case(state: State) -> Case:
    assert state.case is not None and state.case.waits is not None  # noqa: S101 — the phase is held
    return state.case


def _not_open(case: Case) -> Refusal:
    waits = case.waits or Waits.DECISION
    return DecisionNotOpen(case.number, waits, DECISIONS_FOR[waits])


def ways_to_decide(state: State) -> tuple[Way, ...]:
    """The decisions that the open case accepts, with their inputs."""
    case = _open_case(state)
    return tuple([_way_to_decide(state, case, decision) for decision in DECISIONS_FOR[case.waits or Waits.CHOICES]])


def _way_to_decide(state: State, case: Case, decision: Decision) -> Way:
    if decision in MONEY_DECISIONS:
        return way_to_decide_money(state, case, decision)
    if case.waits is Waits.DECISION and past_case(state, case) is not None:
        return Way(decision=decision, inputs=(REASON,), refusal=refuse_afterwards(decision))
    refusal: Refusal | None = None
    inputs: tuple[Input, ...] = (REASON,)
    match decision:
        case Decision.APPROVE:
            inputs = ()
        case Decision.ORDER:
            if came := case.facts.cards:
                inputs = (Input("cards", InputType.CARDS, includes=came, minimum=len(came), maximum=len(came)),)
        case Decision.VOID:
            reaches_back = state.sheet.irregularities.get(case.situation)
            if state.round is None and not (reaches_back and reaches_back.until_next_round):
                refusal = FactsContradict(Contradiction.NO_ROUND, rule=state.sheet.authority.void_rule)
        case Decision.OPTIONS if state.round is None:
            refusal = FactsContradict(Contradiction.SETTLED)
        case Decision.RECONSTRUCT:
            cards = cards_input(state)
            settled = state.last.cards if state.last else ()
            inputs = (replace(cards, minimum=len(known_cards(state)), starts_with=cards.starts_with or settled), REASON)
            refusal = ShoeMissing() if state.shoe is None else refuse_closed(state)
    return Way(decision=decision, inputs=inputs, refusal=refusal)


def decide_case(state: State, command: Decide) -> EventsOrRefusal:
    """Carry out the decision on the open case."""
    case, by, decision, authority = _open_case(state), command.by, command.decision, state.sheet.authority
    if refusal := refuse_decision(state, by):
        return refusal
    way = next((way for way in ways_to_decide(state) if way.decision is decision), None)
    if way is None:
        return _not_open(case)
    if REASON in way.inputs and not command.reason.strip():
        return ReasonMissing()
    if way.refusal:
        return way.refusal
    draft = Draft(state)
    draft.add(e.DecisionMade(by, case.number, decision, command.reason))
    past = past_case(state, case)
    if decision in MONEY_DECISIONS or (decision is Decision.VOID and past is not None):
        return decide_money(draft, command)
    match decision:
        case Decision.APPROVE if case.waits is Waits.CONFIRMATION:
            draft.add(*case.pending)
            if draft.state.case and draft.case.waits is Waits.CHOICES and not draft.case.patrons:
                close_case(draft, by)  # everyone who had to choose has left
        case Decision.APPROVE:
            irregularity = ruling_on(state.sheet, case.situation, case.facts)
            assert irregularity is not None  # noqa: S101 — what no paragraph answers waits for a decision
            if past is not None:
                record = settled_record(command.record, past, irregularity.rule)
                if isinstance(record, Refusal):
                    return record
                return_originals(draft, by, irregularity, case.facts, command.record)
            else:
                _RULE[irregularity.ruling](draft, by, irregularity, case.facts)
        case Decision.ORDER:
            return _ordered(draft, command)
        case Decision.VOID:
            propose(draft, by, lambda d: void_round(d, by, authority.otherwise_rule, command.reason, None))
        case Decision.OPTIONS:
            propose(draft, by, lambda d: _offer_options(d, by, authority.otherwise_rule, reconstructed=False))
        case Decision.RECONSTRUCT:
            if refusal := refuse_cards(state, command.cards):
                return refusal
            if _changes_settled_round(state, command.cards):
                return FactsContradict(Contradiction.SETTLED)
            _change_cards(draft, by, command.cards, authority.otherwise_rule, command.reason)
        case Decision.CONTINUE | Decision.DECLINE:
            over_limits = decision is Decision.CONTINUE and case.situation in {EXCESS_BETS, OVER_MAXIMUM}
            if over_limits and state.round is not None and past is None:
                sides = case.situation == OVER_MAXIMUM
                lifted = e.LimitsLifted(by, case.number, state.round.number, sides)
                propose(draft, by, lambda d: _add_and_close(d, lifted))
            elif (
                draft.case.waits is case.waits
            ):  # otherwise the case waits again for what it waited for before the proposal
                close_case(draft, by)
    return tuple(draft.events)


def _ordered(draft: Draft, command: Decide) -> EventsOrRefusal:
    """Deal the cards that came out at the same time in the decided order, and let every patron choose.

    While cards are closed the reason says which card comes first, and the Dealer deals them after the choices.
    """
    state, case, by = draft.state, draft.case, command.by
    irregularity = state.sheet.irregularities[case.situation]
    if Counter(command.cards) != Counter(case.facts.cards):
        return FactsContradict(Contradiction.NOT_THESE_CARDS, case.facts.cards, rule=irregularity.rule)
    if not command.cards:
        _options_or_go_on(draft, by, irregularity, reconstructed=True)
        return tuple(draft.events)
    cards = (*known_cards(state), *command.cards)

    def put_in_order(draft: Draft) -> None:
        reorder_cards(draft, by, cards, irregularity.rule, irregularity.situation)
        _options_or_go_on(draft, by, irregularity, reconstructed=True)

    propose_cards(draft, by, cards, put_in_order)
    return tuple(draft.events)


def _change_cards(
    draft: Draft, by: Actor, cards: tuple[Card, ...], rule: str | None, reason: str, *, keyed: bool = False
) -> None:
    """Change the recorded cards and close the case, or propose it."""

    def change(draft: Draft) -> None:
        reorder_cards(draft, by, cards, rule, reason, keyed=keyed)
        close_case(draft, by)

    if not keyed:
        propose_cards(draft, by, cards, change)
    elif _undoes_last_card(draft, cards):
        change(draft)
    else:
        propose(draft, by, change)


def _undoes_last_card(draft: Draft, cards: tuple[Card, ...]) -> bool:
    """Whether these cards differ from the recorded ones only in the one keyed last, and nothing followed that."""
    round_ = draft.round
    if not round_.undoable or draft.case.waits is not None:
        return False
    return len(cards) <= len(round_.cards) and cards[: len(round_.cards) - 1] == round_.cards[:-1]


def ways_to_correct(state: State, by: Actor) -> tuple[Way, ...] | Refusal:
    """The inputs to correct cards that were read or entered wrongly, or why someone cannot correct them.

    A Dealer takes back the card keyed last, and proposes anything else to a second person.
    """
    if not open_settings(state).second_person and not by.may_act_as(Role.PIT_SUPERVISOR):
        return NotPermitted(Role.PIT_SUPERVISOR)
    if state.case is not None and state.case.waits is not Waits.CORRECTION:
        return refuse_held(state.case)
    shoe = shoe_in_play(state)
    if shoe.order:
        return FactsContradict(Contradiction.CARDS_KNOWN)
    dealt = _cards_out(state)
    minimum = dealt if refuse_closed(state) else len(shoe.carried)
    maximum = dealt + shoe.size - shoe.drawn
    cards = Input("cards", InputType.CARDS, minimum=minimum, maximum=maximum, includes=shoe.carried)
    return (Way(inputs=(cards, REASON)),)


def _cards_out(state: State) -> int:
    """How many cards of the round and carried ones have left the shoe, closed ones included."""
    return len(known_cards(state)) + len(open_round(state).closed_places)


def correct_cards(state: State, command: CorrectCards) -> EventsOrRefusal:
    """Correct cards that were read or entered wrongly. The event holds the cards before and after.

    While cards are closed, a correction opens them: it names every card, so that none is lost.
    """
    ways = ways_to_correct(state, command.by)
    if isinstance(ways, Refusal):
        return ways
    if not command.reason.strip():
        return ReasonMissing()
    if len(command.cards) < _cards_out(state) and (refusal := refuse_closed(state)):
        return refusal
    if refusal := refuse_cards(state, command.cards, recorded=False):
        return refusal
    draft = Draft(state)
    if state.case is None:
        open_case(draft, command.by, MISREAD_CARD, Facts(cards=command.cards, note=command.reason))
    _change_cards(draft, command.by, command.cards, None, command.reason, keyed=True)
    return tuple(draft.events)


# ------------------------------------------------------------------------------------------- interruptions


def recover_round(state: State, command: Recover) -> EventsOrRefusal:
    """Conclude, void or refer the round after an interruption."""
    if refusal := refuse_recovery(state):
        return refusal
    irregularity = interruption(state.sheet)
    draft = Draft(state)
    open_case(draft, command.by, irregularity.id if irregularity else INTERRUPTION, Facts())
    if irregularity is None:
        refer(draft, command.by)
    else:
        _rule_interruption(draft, command.by, irregularity, Facts())
    return tuple(draft.events)
