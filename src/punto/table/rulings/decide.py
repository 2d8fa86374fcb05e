"""Decisions on an open case. Each has a reason, and a second person confirms what changes cards, bets or money."""

from __future__ import annotations

from dataclasses import replace

from punto.rules.cards import Card
from punto.rules.money import Cents, Odds
from punto.rules.refusals import Refusal
from punto.rules.sheet import Role, Ruling
from punto.table import refusals as r
from punto.table.act import Event, StaffOnly, act, event
from punto.table.actor import Actor
from punto.table.corrections.record import PastCommand, settled_record
from punto.table.draft import Draft
from punto.table.phases import Phase
from punto.table.rulings.cases import add_and_close, close_case, is_second, propose, refer
from punto.table.rulings.correct_cards import change_cards
from punto.table.rulings.decided_money import (
    MONEY_DECISIONS,
    DecisionWay,
    LimitsLifted,
    decide_money,
    past_case,
    way_to_decide_money,
)
from punto.table.rulings.facts import cards_input, refuse_closed
from punto.table.rulings.neglected import return_originals
from punto.table.rulings.options import asks_late, offer_options
from punto.table.rulings.order import decide_order
from punto.table.rulings.procedures import PROCEDURES
from punto.table.rulings.reconstruct import changes_settled_round
from punto.table.rulings.reorder import leaves_cards, put_aside, refuse_cards
from punto.table.rulings.situations import OVER_MAXIMUM, ruling_on
from punto.table.rulings.void import void_round
from punto.table.state import DECISIONS_FOR, Case, State
from punto.table.values import Decision, Spot, Waits
from punto.table.ways import REASON, Asking, Input, InputType, Ways


@event(money=False, significant="decision")
class DecisionMade(Event):
    """The case was decided, with the reason."""

    case: int
    decision: Decision
    reason: StaffOnly[str]

    def apply(self, state: State) -> State:
        """After a declined proposal, its case waits again for what it waited for before, if anything."""
        case = state.open_case
        declined = self.decision in {Decision.DECLINE, Decision.DISPUTE}
        if declined and case.previous is not None and case.previous.number == case.number:
            return state._replace(case=case.previous)
        return state._replace(case=case._replace(reason=self.reason)) if self.reason else state


@act(by=Role.DEALER, during={Phase.HELD})
class Decide(PastCommand):
    """Decide the open case. `cards` is the order of the cards, where the case waits for one.

    `bets` are the bets that are returned, or paid at `odds`. `account` is the patron to whom `amount_cents` are paid,
    or from whom they are taken.
    """

    decision: Decision
    reason: str = ""
    cards: tuple[Card, ...] = ()
    bets: tuple[Spot, ...] = ()
    odds: Odds | None = None
    account: str | None = None
    amount_cents: Cents | None = None

    @classmethod
    def ways(cls, state: State, asking: Asking) -> Ways[DecisionWay]:
        """The decisions on the open case, each with the reason why this person cannot make it."""
        ways = [(way, refuse_decision(state, asking.actor, way.decision)) for way in ways_to_decide(state)]
        if len({type(refusal) for _, refusal in ways}) < 2 and all(refusal for _, refusal in ways):
            none = refuse_decision(state, asking.actor, None) or _not_open(state)
            return [*[refusal for _, refusal in ways if refusal], none]
        return [replace(way, refusal=refusal or way.refusal) for way, refusal in ways]

    def decide(self, state: State) -> Draft | Refusal:
        case, by, decision, authority = state.open_case, self.by, self.decision, state.sheet.authority
        if refusal := refuse_decision(state, by, decision):
            return refusal
        way = next((way for way in ways_to_decide(state) if way.decision is decision), None)
        if way is None:
            return _not_open(state)
        if REASON in way.inputs and not self.reason.strip():
            return r.ReasonMissing()
        if way.refusal:
            return way.refusal
        draft = Draft(state, DecisionMade(by, case.number, decision, self.reason))
        past = past_case(state, case)

        def aside(draft: Draft) -> Draft:
            return put_aside(draft, by, self.reason)

        if decision in MONEY_DECISIONS or (decision is Decision.VOID and past is not None):
            return decide_money(draft, self)
        match decision:
            case Decision.APPROVE if case.waits is Waits.CONFIRMATION:
                draft.add(*case.pending)
                if draft.state.case and draft.case.waits is Waits.CHOICES and not draft.case.patrons:
                    close_case(draft, by)  # everyone who had to choose has left
            case Decision.APPROVE:
                irregularity = ruling_on(state.sheet, case.situation, case.facts)
                assert irregularity is not None  # noqa: S101 — what no paragraph answers waits for a decision
                if past is not None:
                    record = settled_record(self.record, past, irregularity.rule)
                    if isinstance(record, Refusal):
                        return record
                    return_originals(draft, by, irregularity, self.record)
                else:
                    PROCEDURES[irregularity.ruling].carry_out(draft, by, irregularity)
            case Decision.ORDER:
                if refusal := decide_order(draft, by, self.cards):
                    return refusal
            case Decision.VOID:
                propose(draft, by, lambda d: void_round(aside(d), by, authority.otherwise_rule, self.reason, None))
            case Decision.OPTIONS:
                propose(draft, by, lambda d: offer_options(aside(d), by, authority.otherwise_rule, reconstructed=False))
            case Decision.RECONSTRUCT:
                if refusal := refuse_cards(state, self.cards):
                    return refusal
                if changes_settled_round(state, self.cards):
                    return r.FactsContradict(r.Contradiction.SETTLED)
                change_cards(draft, by, self.cards, authority.otherwise_rule, self.reason)
            case Decision.CONTINUE | Decision.DECLINE | Decision.DISPUTE:
                if decision is Decision.CONTINUE and case.situation == OVER_MAXIMUM and state.round is not None:
                    lifted = LimitsLifted(by, case.number, state.round.number)
                    propose(draft, by, lambda d: add_and_close(d, lifted))
                elif decision is Decision.CONTINUE and leaves_cards(state):
                    propose(draft, by, lambda d: close_case(aside(d), by))
                elif draft.case.waits is case.waits:
                    if decision is Decision.DECLINE and by.person != case.by.person and asks_late(state, case.pending):
                        refer(draft, by)  # nobody confirmed that patrons may choose
                    else:
                        close_case(draft, by)
                # Otherwise the case waits again for what it waited for before the proposal.
        return draft

    def round_needed(self, state: State) -> int | None:
        return None if refuse_decision(state, self.by, self.decision) else past_case(state, state.open_case)

    def names_cards(self, state: State) -> bool:
        return state.knows_order and bool(self.cards)


def refuse_decision(state: State, by: Actor, decision: Decision | None) -> Refusal | None:
    """The reason why someone cannot make a decision on the open case, whatever it rests on.

    Whoever proposed something may take it back. Another person declines it only with at least the proposer's rank.
    """
    case, accepted = state.open_case, decisions_for(state)
    proposed, declines = case.waits is Waits.CONFIRMATION, decision is Decision.DECLINE and decision in accepted
    if proposed and declines and by.person == case.by.person:
        return None
    role = case.role
    if decision is Decision.DISPUTE and decision in accepted:
        role = _higher(role, Role.PIT_MANAGER)
    elif proposed and declines:
        role = _higher(role, case.by.rank)
    if role is not None and not by.may_act_as(role):
        return r.NotPermitted(role, rule=state.sheet.authority.otherwise_rule if case.waits is Waits.DECISION else None)
    if not accepted:
        return _not_open(state)
    if decision is Decision.DISPUTE or not proposed or role is None:
        return None
    return None if is_second(state, by, case.by.person, role) else r.SamePerson()


def _higher(one: Role | None, other: Role | None) -> Role | None:
    return max([each for each in (one, other) if each], key=lambda role: role.level, default=None)


def _not_open(state: State) -> Refusal:
    case = state.open_case
    return r.DecisionNotOpen(case.number, case.waits or Waits.DECISION, decisions_for(state))


_COMMANDED = frozenset({Ruling.VOID, Ruling.CONCLUDE_OR_VOID})
_ONLY_IN_ROUND = frozenset({Decision.OPTIONS, Decision.RECONSTRUCT})


def decisions_for(state: State) -> tuple[Decision, ...]:
    """The decisions that the open case accepts.

    A void that the sheet commands cannot be declined. Its facts may be disputed, also while cards are to be opened.
    """
    case = state.open_case
    ruling = ruling_on(state.sheet, case.situation, case.facts)
    dispute = ruling is not None and ruling.ruling in _COMMANDED
    if dispute and case.waits is Waits.CORRECTION:
        return (Decision.DISPUTE,)
    return tuple(
        [
            Decision.DISPUTE if dispute and each is Decision.DECLINE else each
            for each in DECISIONS_FOR[case.waits or Waits.CHOICES]
        ]
    )


def ways_to_decide(state: State) -> tuple[DecisionWay, ...]:
    """The decisions that the open case accepts, with their inputs."""
    case = state.open_case
    return tuple([_way_to_decide(state, case, decision) for decision in decisions_for(state)])


def _way_to_decide(state: State, case: Case, decision: Decision) -> DecisionWay:
    if decision in MONEY_DECISIONS:
        return way_to_decide_money(state, case, decision)
    if case.waits is Waits.DECISION and past_case(state, case) is not None:
        late = r.FactsContradict(r.Contradiction.SETTLED) if decision in _ONLY_IN_ROUND else None
        return DecisionWay(decision, inputs=(REASON,), refusal=late)
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
                refusal = r.FactsContradict(r.Contradiction.NO_ROUND, rule=state.sheet.authority.void_rule)
        case Decision.OPTIONS if state.round is None:
            refusal = r.FactsContradict(r.Contradiction.SETTLED)
        case Decision.RECONSTRUCT:
            cards = cards_input(state)
            settled = state.last.cards if state.last else ()
            inputs = (replace(cards, minimum=len(state.known_cards), starts_with=cards.starts_with or settled), REASON)
            refusal = r.ShoeMissing() if state.shoe is None else refuse_closed(state)
    return DecisionWay(decision, inputs=inputs, refusal=refusal)
