"""Decisions on money where no paragraph answers: bets returned or paid, limits lifted, and free amounts.

A case is about the round in progress, or about the earlier round that its report names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from punto.rules.cash import cash_patron, is_cash
from punto.rules.money import MAX_CENTS, Cents, Odds
from punto.rules.names import is_account_name
from punto.rules.refusals import Refusal
from punto.rules.settlement import Bet
from punto.table.act import Event, Own, StaffOnly, event
from punto.table.acts.bets import BetsReturned, EndsBets, without_ended
from punto.table.corrections.adjusted import RoundAdjusted
from punto.table.corrections.record import settled_record
from punto.table.draft import Draft
from punto.table.money import Corrected, Money
from punto.table.phases import Phase
from punto.table.refusals import AmountOutOfRange, Contradiction, FactsContradict, InputsMissing, NameInvalid
from punto.table.rulings.cases import add_and_close, propose
from punto.table.rulings.reorder import put_aside
from punto.table.rulings.situations import past_round
from punto.table.seats import takes_cash
from punto.table.state import Case, State
from punto.table.values import Decision, Paid, Returned, ReturnReason, Told, ToldCode, adjustment, spot_of
from punto.table.ways import REASON, Input, InputType, Way, way_record

if TYPE_CHECKING:
    from punto.table.rulings.decide import Decide


@event(money=False, significant="override")
class LimitsLifted(Event):
    """By decision, bets over their maximum are settled as they are."""

    case: int
    round: int

    def apply(self, state: State) -> State:
        return state._replace(round=state.open_round._replace(limits_lifted=True))


@event(money=True, significant="override")
class BetsPaid(EndsBets):
    """By decision, bets left the round and were paid."""

    news = "bets-paid"

    case: int
    round: int
    lines: tuple[Paid, ...]

    def apply(self, state: State) -> State:
        state = without_ended(state, self.lines)
        round_ = state.open_round
        return state._replace(round=round_._replace(paid=(*round_.paid, *self.lines)))


@event(money=True, significant="override")
class AmountDecided(Event):
    """By decision, the House paid a patron an amount; a negative amount is taken from the patron."""

    case: int
    round: int
    patron: Own[str]
    amount_cents: Own[Cents]
    rule: str | None
    reason: StaffOnly[str]

    def apply(self, state: State) -> State:
        return state

    def money(self) -> tuple[Money, ...]:
        return (Corrected(self.patron, max(-self.amount_cents, 0), max(self.amount_cents, 0)),)

    def told(self) -> tuple[Told, ...]:
        code: ToldCode = "amount-owed" if self.amount_cents < 0 else "amount-decided"
        return (Told(self.patron, code, abs(self.amount_cents)),)


MONEY_DECISIONS = frozenset({Decision.RETURN_BETS, Decision.PAY_BETS, Decision.PAY_AMOUNT, Decision.CHARGE_AMOUNT})
"""The decisions of this module."""


_AMOUNTS = frozenset({Decision.PAY_AMOUNT, Decision.CHARGE_AMOUNT})


def past_case(state: State, case: Case) -> int | None:
    """The number of the earlier round that a case is about; None if it is about the present."""
    return past_round(state, case.situation, case.facts)


@way_record
class DecisionWay(Way):
    """A way to decide the open case."""

    decision: Decision


def way_to_decide_money(state: State, case: Case, decision: Decision) -> DecisionWay:
    """One of these decisions with its inputs, or why it cannot be made."""
    inputs: tuple[Input, ...] = (REASON,)
    refusal: Refusal | None = None
    past = past_case(state, case) is not None
    bets = () if past or state.round is None else tuple(state.round.bets)
    match decision:
        case Decision.RETURN_BETS | Decision.PAY_BETS:
            odds = (Input("odds", InputType.ODDS, missing=InputsMissing),) if decision is Decision.PAY_BETS else ()
            inputs = (Input("bets", InputType.BETS, missing=InputsMissing, bets=bets), *odds, REASON)
            if not past and case.resume is Phase.BETTING:
                refusal = FactsContradict(Contradiction.BETTING)
            elif not past and not bets:
                refusal = FactsContradict(Contradiction.NO_BET)
        case Decision.PAY_AMOUNT | Decision.CHARGE_AMOUNT:
            refused, most = AmountOutOfRange, MAX_CENTS - 1
            amount = Input("amount_cents", InputType.NUMBER, True, InputsMissing, refused, minimum=1, maximum=most)
            inputs = (Input("account", InputType.TEXT, missing=InputsMissing), amount, REASON)
    return DecisionWay(decision, inputs=inputs, refusal=refusal)


def decide_money(draft: Draft, command: Decide) -> Draft | Refusal:
    """Carry out a decision of this module, or the void of an earlier round, on the open case."""
    state, case = draft.state, draft.case
    if refusal := _refuse_inputs(state, command):
        return refusal
    number = past_case(state, case)
    decided: Event | Refusal
    if command.decision in _AMOUNTS:
        decided = _amount(state, case, command, state.rounds if number is None else number)
    elif number is None:
        decided = _in_round(state, case, command)
    else:
        decided = _on_past_round(state, command, number)
    if isinstance(decided, Refusal):
        return decided

    propose(draft, command.by, lambda d: add_and_close(put_aside(d, command.by, command.reason), decided))
    return draft


def _refuse_inputs(state: State, command: Decide) -> Refusal | None:
    """The refusal of a decision that lacks an input or names an impossible amount."""
    inputs = way_to_decide_money(state, state.open_case, command.decision).inputs
    needs = [each.name for each in inputs if each.missing is InputsMissing]
    missing = [name for name in needs if getattr(command, name) in (None, "", ())]
    if missing:
        return InputsMissing(command.decision, tuple(missing))
    if command.decision not in _AMOUNTS:
        return None
    if not _can_be_paid(state, command.account or ""):
        return NameInvalid()
    amount = command.amount_cents
    return None if amount is not None and 0 < amount < MAX_CENTS else AmountOutOfRange(amount or Cents(0))


def _can_be_paid(state: State, account: str) -> bool:
    """True if money can move to or from a name: an account can have it, or it stands for cash bets in a box here."""
    if not is_cash(account):
        return is_account_name(account)
    boxes = range(1, state.open_settings.boxes + 1) if takes_cash(state) else ()
    return account in map(cash_patron, boxes)


def _amount(state: State, case: Case, command: Decide, number: int) -> Event:
    account, cents, rule = command.account, command.amount_cents, state.sheet.authority.otherwise_rule
    assert account is not None  # noqa: S101 — the inputs were checked
    assert cents is not None  # noqa: S101 — the inputs were checked
    signed = Cents(cents if command.decision is Decision.PAY_AMOUNT else -cents)
    return AmountDecided(command.by, case.number, number, account, signed, rule, command.reason)


def _in_round(state: State, case: Case, command: Decide) -> Event | Refusal:
    """A decision on bets of the round in progress."""
    round_, by, rule = state.open_round, command.by, state.sheet.authority.otherwise_rule
    if any(spot not in round_.bets for spot in command.bets):
        return FactsContradict(Contradiction.NO_BET)
    bets = [round_.bets[spot] for spot in dict.fromkeys(command.bets)]
    if command.decision is Decision.RETURN_BETS:
        returned = tuple([Returned(bet, ReturnReason.DECIDED, rule) for bet in bets])
        return BetsReturned(by, round_.number, returned)
    odds = _odds(command)
    paid = tuple([Paid(bet, odds, _paid(bet, odds), rule) for bet in bets])
    return BetsPaid(by, case.number, round_.number, paid)


def _on_past_round(state: State, command: Decide, number: int) -> Event | Refusal:
    """A decision on bets of an earlier round."""
    authority = state.sheet.authority
    rule = authority.otherwise_rule
    record = settled_record(command.record, number, rule)
    if isinstance(record, Refusal):
        return record
    void = command.decision is Decision.VOID
    bets = {spot_of(each.bet): each for each in record.bets}
    if any(spot not in bets for spot in command.bets):
        return FactsContradict(Contradiction.NO_BET)
    named = (*record.bets, *record.paid) if void else [bets[spot] for spot in dict.fromkeys(command.bets)]
    odds = _odds(command) if command.decision is Decision.PAY_BETS else None
    due = [each.bet.stake_cents if odds is None else _paid(each.bet, odds) for each in named]
    cited = (authority.void_rule or rule) if void else rule
    lines = tuple([adjustment(*each, cited, decided=not void) for each in zip(named, due, strict=True)])
    return RoundAdjusted(command.by, number, lines, void, rule, command.reason, cards_before=record.cards)


def _odds(command: Decide) -> Odds:
    assert command.odds is not None  # noqa: S101 — the inputs were checked
    return command.odds


def _paid(bet: Bet, odds: Odds) -> Cents:
    """The whole return of a bet that is paid at these odds."""
    return Cents(bet.stake_cents + odds.pays(bet.stake_cents))
