"""Irregularities: what was seen, what the sheet says to it, and whom it waits for.

A sheet answers a situation with a ruling; each ruling is one function here. What a sheet is silent about is referred
to whoever decides otherwise, and the decision is recorded with its reason.
"""

from __future__ import annotations

from collections.abc import Callable

from punto.rules.cards import Card
from punto.rules.established import is_established
from punto.rules.refusals import Refusal
from punto.rules.sheet import Irregularity, OptionsUnless, Ruling
from punto.table import events as e
from punto.table.commands import Actor, CorrectCards, Decide, Decision, Facts, Recover, Report
from punto.table.facts import (
    EXCESS_BETS,
    FOUND_BY_THE_TABLE,
    INTERRUPTION,
    MISREAD_CARD,
    SITUATIONS,
    beyond_reconstruction,
    refuse_facts,
    refuse_recovery,
    refuse_situation,
)
from punto.table.limits import give_way, least
from punto.table.phases import Phase
from punto.table.play import (
    Draft,
    adjustment,
    burn,
    close_case,
    insurance_would_win,
    original_spot,
    propose,
    refuse_cards,
    relay,
    void_round,
)
from punto.table.recovery import interruption
from punto.table.refusals import TableCode
from punto.table.state import Case, Spot, State, Waits, known_cards, spot_of

SAYS: dict[Ruling, str] = {
    Ruling.VOID: "The round is void: every bet of it goes back whole, earlier rounds stand.",
    Ruling.REFUSE: "It is refused: the bets stay as they lay when bets closed.",
    Ruling.STANDS: "The bet stays in play and wins or loses all the same.",
    Ruling.SETTLE: "The patron's bets stay and are settled with the round.",
    Ruling.PRO_RATA: "Before the close the excess is refused; after it, bets of the box win or lose pro rata.",
    Ruling.RAISE_OR_WITHDRAW: "Before the close the patron raises or withdraws it; unseen, it stands as it lies.",
    Ruling.CONCLUDE_OR_VOID: "An established outcome is played to its end; otherwise the round is void.",
    Ruling.RECONSTRUCT: "The cards go back into the order they left the shoe; what the round does not need is the "
    "first of the next. The House says whether they can.",
    Ruling.CONTINUE: "The round goes on and its result stands.",
    Ruling.ORDER_CARDS: "Someone with authority says which card was first.",
    Ruling.OPTIONS: "Each patron goes on or takes the bets back.",
    Ruling.NO_EFFECT: "It changes nothing in later rounds.",
    Ruling.RETURN_ORIGINAL: "Who had meant to insure, with insurance that would have won, gets the original bet back.",
    Ruling.CHIPS_PREVAIL: "Bets settle by where the chips lay when bets closed.",
    Ruling.TABLE_PREVAILS: "What happened at the table counts, whatever a display shows.",
}
"""Each ruling in a sentence."""

CONCLUDED = "A bet is already decided: play goes on and the round is concluded."
UNDECIDED = "No bet is decided yet: the round is void."
NOTHING_TO_VOID = "No round is under way: there is nothing to void, and settled rounds stand."


# ------------------------------------------------------------------------------------------- reporting


def report(state: State, command: Report) -> Draft | Refusal:
    """Record what was seen and carry out the sheet's ruling, or whatever it waits for."""
    sheet, situation = state.sheet, command.situation
    irregularity = beyond_reconstruction(sheet, situation, command.facts)
    if state.case is not None and not _may_lie_over(state.case, irregularity):
        return Refusal(TableCode.ROUND_HELD, state.case.holds)
    if refusal := refuse_situation(sheet, situation):
        return refusal
    if refusal := refuse_facts(state, irregularity, command.facts):
        return refusal
    draft = Draft(state)
    open_case(draft, command.by, situation, command.facts)
    if irregularity is None:
        refer(draft, command.by)
    elif not command.by.may_act_as(irregularity.decides) and irregularity.ruling is not Ruling.ORDER_CARDS:
        draft.add(e.ApprovalAsked(command.by, draft.case.number, irregularity.decides, irregularity.rule))
    else:
        _RULE[irregularity.ruling](draft, command.by, irregularity, command.facts)
    return draft


def _may_lie_over(case: Case, irregularity: Irregularity | None) -> bool:
    """What may end the round is heard while a case is open, one such proposal at a time."""
    ends = irregularity is not None and irregularity.ruling in {Ruling.VOID, Ruling.CONCLUDE_OR_VOID}
    return ends and case.waits is not Waits.CONFIRMATION


def open_case(draft: Draft, by: Actor, situation: str, facts: Facts) -> None:
    """Number what was seen."""
    state = draft.state
    irregularity = state.sheet.irregularities.get(situation)
    says = irregularity.situation if irregularity else (SITUATIONS | FOUND_BY_THE_TABLE)[situation]
    number = state.round.number if state.round else state.rounds
    draft.add(e.IncidentReported(by, state.cases + 1, number, situation, says, facts))


def refer(draft: Draft, by: Actor) -> None:
    """No paragraph answers: hold the table for whoever decides otherwise."""
    authority = draft.state.sheet.authority
    draft.add(e.IncidentReferred(by, draft.case.number, authority.decides_otherwise, authority.otherwise_rule))


# ------------------------------------------------------------------------------------------- rulings


def _ruled(draft: Draft, by: Actor, irregularity: Irregularity, says: str | None = None) -> None:
    ruling = irregularity.ruling
    draft.add(e.IncidentRuled(by, draft.case.number, ruling, irregularity.rule, says or SAYS[ruling]))


def _rule_recorded(draft: Draft, by: Actor, irregularity: Irregularity, facts: Facts) -> None:
    """Nothing at the table changes: the ruling is what people must be told."""
    _ruled(draft, by, irregularity)
    close_case(draft, by)


def _rule_void(draft: Draft, by: Actor, irregularity: Irregularity, facts: Facts) -> None:
    state, new_shoe = draft.state, None
    if irregularity.new_shoe is not None and irregularity.new_shoe.by is None:
        new_shoe = (irregularity.new_shoe.rule, irregularity.situation)
    settled = state.round is None and not irregularity.until_next_round
    _ruled(draft, by, irregularity, NOTHING_TO_VOID if settled else None)
    if settled:
        if new_shoe and state.shoe and not state.shoe.removed:
            draft.add(e.ShoeRemoved(by, state.shoe.number, *new_shoe))
        close_case(draft, by)
    else:
        propose(draft, by, lambda d: void_round(d, by, irregularity.rule, irregularity.situation, new_shoe))


def _rule_excess(draft: Draft, by: Actor, irregularity: Irregularity, facts: Facts) -> None:
    """While bets are open the excess goes back at once; later the settlement scales it."""
    _ruled(draft, by, irregularity)
    state = draft.state
    if state.case and state.case.resume is Phase.BETTING and state.sheet.limits:
        for box in sorted({spot.box for spot in draft.round.bets}):
            for bet, back in give_way(state.sheet, draft.round.bets, box, draft.settings):
                rule = state.sheet.limits.excess_rule
                draft.add(e.BetDisplaced(by, draft.round.number, bet, back, rule))
    close_case(draft, by)


def _rule_below_minimum(draft: Draft, by: Actor, irregularity: Irregularity, facts: Facts) -> None:
    limits = draft.state.sheet.limits
    if draft.case.resume is not Phase.BETTING:
        rule = limits.minimum_unnoticed_rule if limits else irregularity.rule
        says = "It was seen too late: the bet wins or loses as it lies."
        draft.add(e.IncidentRuled(by, draft.case.number, irregularity.ruling, rule, says))
    else:
        _ruled(draft, by, irregularity)
        bet = draft.round.bets[Spot(facts.box or 0, facts.patron or "", facts.on or "")]
        minimum = least(draft.state.sheet, draft.settings, bet.on)
        draft.add(e.RaiseAsked(by, draft.round.number, bet, minimum, irregularity.rule))
    close_case(draft, by)


def _rule_walk_away(draft: Draft, by: Actor, irregularity: Irregularity, facts: Facts) -> None:
    _ruled(draft, by, irregularity)
    draft.add(e.PatronLeft(by, facts.patron or "", irregularity.rule, bets_stay=True))
    close_case(draft, by)


def _rule_interruption(draft: Draft, by: Actor, irregularity: Irregularity, facts: Facts) -> None:
    authority = draft.state.sheet.authority
    if is_established(draft.state.sheet, draft.round.cards):
        rule = authority.conclude_rule or irregularity.rule
        draft.add(e.IncidentRuled(by, draft.case.number, irregularity.ruling, rule, CONCLUDED))
        close_case(draft, by)
        return
    rule = authority.void_interrupted_rule or irregularity.rule
    draft.add(e.IncidentRuled(by, draft.case.number, irregularity.ruling, rule, UNDECIDED))
    propose(draft, by, lambda d: void_round(d, by, rule, irregularity.situation, None))


def _rule_reconstruct(draft: Draft, by: Actor, irregularity: Irregularity, facts: Facts) -> None:
    state, possible = draft.state, facts.reconstructible is True
    if possible and _changes_settled_round(state, facts.cards):
        refer(draft, by)  # the round is settled on other cards: no paragraph says what then
        return
    says = None if possible else f"The House finds that the cards cannot be reconstructed: {facts.note}"
    _ruled(draft, by, irregularity, says)
    if possible:
        relay(draft, by, facts.cards, irregularity.rule, irregularity.situation)
    else:
        burn(draft, by, facts.cards, irregularity.rule, irregularity.situation)
    _options_or_go_on(draft, by, irregularity, reconstructed=possible)


def _changes_settled_round(state: State, cards: tuple[Card, ...]) -> bool:
    settled = state.last.cards if state.round is None and state.last else ()
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
    possible = facts.reconstructible is True
    if possible:
        relay(draft, by, facts.cards, irregularity.rule, irregularity.situation)
    _options_or_go_on(draft, by, irregularity, reconstructed=possible)


def _rule_return_original(draft: Draft, by: Actor, irregularity: Irregularity, facts: Facts) -> None:
    state, window = draft.state, facts.window
    assert window is not None  # noqa: S101 — the facts were checked
    _ruled(draft, by, irregularity)
    if state.round is not None:
        claimed = e.InsuranceClaimed(by, draft.case.number, state.round.number, window, facts.claims, irregularity.rule)
        draft.add(claimed)
        close_case(draft, by)
        return
    spots = {
        original_spot(state, claim.patron, claim.box, claim.hand)
        for claim in facts.claims
        if state.last and insurance_would_win(state, state.last.cards, window, claim.hand)
    }
    lines = tuple(
        [
            adjustment(line.bet, line.returned_cents, line.bet.stake_cents, irregularity.rule)
            for line in (state.last.lines if state.last else ())
            if spot_of(line.bet) in spots
        ]
    )

    def adjust(draft: Draft) -> None:
        if lines:
            draft.add(e.RoundAdjusted(by, state.rounds, lines, False, irregularity.rule, irregularity.situation))
        close_case(draft, by)

    if lines:
        propose(draft, by, adjust)
    else:
        adjust(draft)


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


def options_due(irregularity: Irregularity, *, established: bool, reconstructed: bool) -> bool:
    """Whether patrons get to choose after this irregularity."""
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
    established = is_established(draft.state.sheet, round_.cards)
    if options_due(irregularity, established=established, reconstructed=reconstructed):
        rule = irregularity.options.rule if irregularity.options else None
        _offer_options(draft, by, rule, reconstructed=reconstructed)
    else:
        close_case(draft, by)


def _offer_options(draft: Draft, by: Actor, rule: str | None, *, reconstructed: bool) -> None:
    """Ask every patron who has a bet in the round and is there to choose; whoever walked away is settled.

    While bets are open there is nothing to ask: everyone may withdraw.
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


def answer(state: State, command: Decide) -> Draft | Refusal:
    """Carry out the word of the one whom the open case waits for; who may give it was checked."""
    case, by, decision = state.case, command.by, command.decision
    assert case is not None  # noqa: S101 — the phase is held
    draft = Draft(state)
    draft.add(e.DecisionMade(by, case.number, decision, command.reason))
    match decision:
        case Decision.APPROVE if case.waits is Waits.CONFIRMATION:
            draft.add(*case.pending)
        case Decision.APPROVE:
            irregularity = beyond_reconstruction(state.sheet, case.situation, case.facts)
            assert irregularity is not None  # noqa: S101 — what no paragraph answers waits for a decision
            _RULE[irregularity.ruling](draft, by, irregularity, case.facts)
        case Decision.ORDER:
            return _ordered(draft, command)
        case Decision.VOID:
            reaches_back = state.sheet.irregularities.get(case.situation)
            if state.round is None and not (reaches_back and reaches_back.until_next_round):
                return Refusal(TableCode.FACTS_CONTRADICT, NOTHING_TO_VOID, state.sheet.authority.void_rule)
            rule = state.sheet.authority.otherwise_rule
            propose(draft, by, lambda d: void_round(d, by, rule, command.reason, None))
        case Decision.OPTIONS:
            if state.round is None:
                return Refusal(TableCode.FACTS_CONTRADICT, "the round is settled: nobody has a bet to take back")
            _offer_options(draft, by, state.sheet.authority.otherwise_rule, reconstructed=False)
        case Decision.RECONSTRUCT:
            if refusal := refuse_cards(state, command.cards):
                return refusal
            if _changes_settled_round(state, command.cards):
                return Refusal(TableCode.FACTS_CONTRADICT, "the round is settled: its cards cannot be put in order")
            relay(draft, by, command.cards, state.sheet.authority.otherwise_rule, command.reason)
            close_case(draft, by)
        case Decision.CONTINUE | Decision.DECLINE:
            if decision is Decision.CONTINUE and case.situation == EXCESS_BETS and state.round is not None:
                draft.add(e.LimitsLifted(by, case.number, state.round.number))
            if draft.state.case is case:  # otherwise it waits again for what it waited for before the proposal
                close_case(draft, by)
    return draft


def _ordered(draft: Draft, command: Decide) -> Draft | Refusal:
    """Cards that came at once, in the order someone gave them: dealt by it, and every patron chooses."""
    state, case = draft.state, draft.case
    irregularity = state.sheet.irregularities[case.situation]
    if sorted(command.cards, key=str) != sorted(case.facts.cards, key=str):
        message = f"the order must be of the cards that came out: {' '.join(map(str, case.facts.cards))}"
        return Refusal(TableCode.FACTS_CONTRADICT, message, irregularity.rule)
    cards = (*known_cards(state), *command.cards)
    relay(draft, command.by, cards, irregularity.rule, irregularity.situation)
    _options_or_go_on(draft, command.by, irregularity, reconstructed=True)
    return draft


def correct(state: State, command: CorrectCards) -> Draft | Refusal:
    """Put right what was read or keyed: the cards before and after are both kept."""
    if state.case is not None and state.case.waits is not Waits.CORRECTION:
        return Refusal(TableCode.ROUND_HELD, state.case.holds)
    if not command.reason.strip():
        return Refusal(TableCode.REASON_MISSING, "a correction is recorded with its reason")
    shoe = state.shoe
    if shoe is not None and shoe.order:
        message = "a virtual shoe's cards are what its order says; nothing was keyed"
        return Refusal(TableCode.FACTS_CONTRADICT, message)
    if refusal := refuse_cards(state, command.cards, recorded=False):
        return refusal
    draft = Draft(state)
    if state.case is None:
        open_case(draft, command.by, MISREAD_CARD, Facts(cards=command.cards, note=command.reason))

    def put_right(draft: Draft) -> None:
        relay(draft, command.by, command.cards, None, command.reason, keyed=True)
        close_case(draft, command.by)

    propose(draft, command.by, put_right)
    return draft


# ------------------------------------------------------------------------------------------- interruptions


def resume(state: State, command: Recover) -> Draft | Refusal:
    """After an interruption: conclude, void or refer."""
    if refusal := refuse_recovery(state):
        return refusal
    irregularity = interruption(state.sheet)
    draft = Draft(state)
    open_case(draft, command.by, irregularity.id if irregularity else INTERRUPTION, Facts())
    if irregularity is None:
        refer(draft, command.by)
    else:
        _rule_interruption(draft, command.by, irregularity, Facts())
    return draft
