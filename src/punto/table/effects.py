"""The proposed changes of a case: the cards, the outcome, and the money of each patron, before and after.

Whoever approves sees this, and so does whoever looks back: it is worked out from the state before and the events.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from punto.rules.cards import Card
from punto.rules.money import Cents
from punto.rules.outcome import Outcome
from punto.rules.refusals import Refusal
from punto.rules.settlement import Bet
from punto.rules.tableau import next_hand
from punto.table.act import Event
from punto.table.actor import Actor
from punto.table.acts.announcements import outcome_of
from punto.table.acts.bets import BetsReturned
from punto.table.acts.rounds import settle_round
from punto.table.acts.shoe import ShoeRemoved
from punto.table.corrections.adjusted import RoundAdjusted
from punto.table.draft import Draft
from punto.table.rulings.cases import ConfirmationAsked
from punto.table.rulings.decide import Decide
from punto.table.rulings.decided_money import AmountDecided, BetsPaid, past_case
from punto.table.rulings.reorder import CardsReordered, outdated_insurance
from punto.table.rulings.void import RoundVoided
from punto.table.state import Case, State
from punto.table.values import Adjustment, CardChange, Decision, Returned, ReturnReason, Waits


class RoundCards(NamedTuple):
    """The cards of a round, and those carried to the next."""

    cards: tuple[Card, ...]
    carried: tuple[Card, ...] = ()
    void: bool = False

    @property
    def outcome(self) -> Outcome | None:
        """The outcome; None while cards are to come, and in a void round."""
        return None if self.void else outcome_of(self.cards)


class PatronMoney(NamedTuple):
    """A patron's returns in the round; None while they depend on cards to come or on a decision.

    An amount that is paid or charged by decision counts, too. It stands alone while what the bets return is not known.
    """

    patron: str
    before_cents: Cents | None
    after_cents: Cents | None


@dataclass(frozen=True, slots=True)
class IncidentEffect:
    """The changes that a proposal makes, and the `reason` that was given for it.

    `change` says how the recorded cards change, and is None if they stay. The money is that of everyone with a bet in
    the round, if all who may choose play on.
    """

    reason: str | None
    change: CardChange | None
    before: RoundCards
    after: RoundCards
    money: tuple[PatronMoney, ...]


def effect_of(state: State, case: Case) -> IncidentEffect | None:
    """The changes that the case makes if it is approved; None if it waits for something else than a yes or no."""
    if case.waits is Waits.APPROVAL and (number := past_case(state, case)) is not None:
        if not case.cards:
            return None
        corrected = RoundAdjusted(case.by, number, case.corrections, False, None, case.situation, None, case.cards)
        return _effect_on_earlier_round(corrected)
    events = _proposed(state, case)
    return None if events is None else effect_of_events(state, case, events)


def effect_of_command(state: State, events: Sequence[Event]) -> IncidentEffect | None:
    """The changes of a command with these events, at once or as soon as someone approves."""
    draft = Draft(state)
    for place, event in enumerate(events):
        if isinstance(event, CHANGES):
            return effect_of_events(draft.state, draft.case, events[place:])
        draft.add(event)
    case = draft.state.case
    return None if case is None or case is state.case else effect_of(draft.state, case)


def effect_of_event(state: State, event: Event) -> IncidentEffect | None:
    """The changes of a recorded event; None if it changed nothing by an open case. `state` is the one before it."""
    if state.case is None or not isinstance(event, CHANGES):
        return None
    if not isinstance(event, CardsReordered) or state.round is None:
        return effect_of_events(state, state.case, [event])
    round_ = state.round
    outdated = outdated_insurance(state.sheet, round_.bets.values(), round_.cards, event.after)
    lines = [Returned(bet, ReturnReason.RECONSTRUCTED, event.rule) for bet in outdated]
    # The next event returns insurance on an offer that was never valid.
    returned = BetsReturned(event.by, round_.number, tuple(lines))
    return effect_of_events(state, state.case, [event, returned])


def _proposed(state: State, case: Case) -> tuple[Event, ...] | None:
    """The events that follow approval; None if the case waits for something else."""
    if case.waits is Waits.CONFIRMATION:
        return case.pending
    decided = Decide(Actor("", case.role), Decision.APPROVE).decide(state)
    if isinstance(decided, Refusal):
        return None
    asked = next((event.events for event in decided if isinstance(event, ConfirmationAsked)), None)
    return tuple(decided) if asked is None else asked


def effect_of_events(state: State, case: Case, events: Iterable[Event]) -> IncidentEffect:
    """The changes that these events of a case make in this state."""
    draft = Draft(state, *events)
    adjusted = next((event for event in draft.events if isinstance(event, RoundAdjusted)), None)
    if adjusted is not None and not _is_last(state, adjusted.round):
        return _effect_on_earlier_round(adjusted)
    relaid = next((event for event in draft.events if isinstance(event, CardsReordered)), None)
    reason = next((event.reason for event in draft.events if isinstance(event, _WITH_REASON)), case.reason)
    round_ = (state.round or state.last) if _is_last(state, case.round) else None
    carried = (*state.shoe.carried, *state.shoe.kept) if state.shoe else ()
    before = RoundCards(round_.cards if round_ else (), carried)
    after, change = before, None
    if relaid is not None:
        after, change = RoundCards(relaid.after, (*relaid.carried, *relaid.kept)), relaid.change
    if adjusted is not None and adjusted.cards:
        after = before._replace(cards=adjusted.cards)
        change = CardChange.between(adjusted.cards_before, adjusted.cards)
    if any(isinstance(event, RoundVoided) or getattr(event, "void", False) for event in draft.events):
        after = after._replace(void=True)
    return IncidentEffect(reason, change, before, after, _money(state, draft, void=after.void))


_WITH_REASON = (CardsReordered, RoundVoided, RoundAdjusted, ShoeRemoved, AmountDecided)
CHANGES = (CardsReordered, RoundVoided, RoundAdjusted, BetsReturned, BetsPaid, AmountDecided)
"""The events of a case that change cards, an outcome or money."""


def _is_last(state: State, number: int) -> bool:
    """True if a round is the one in progress, or the last one before the next begins."""
    round_ = state.round or state.last
    return round_ is not None and round_.number == number


def _effect_on_earlier_round(adjusted: RoundAdjusted) -> IncidentEffect:
    """The changes by the correction of an earlier round, as the correction itself lists them."""
    before = RoundCards(adjusted.cards_before)
    after = RoundCards(adjusted.cards or adjusted.cards_before, void=adjusted.void)
    returned, corrected = Counter[str](), Counter[str]()
    for line in adjusted.lines:
        returned[line.bet.patron] += line.before_cents
        corrected[line.bet.patron] += line.after_cents
    change = CardChange.between(before.cards, after.cards) if adjusted.cards else None
    money = tuple([PatronMoney(each, Cents(returned[each]), Cents(corrected[each])) for each in returned])
    return IncidentEffect(adjusted.reason, change, before, after, money)


def _money(state: State, draft: Draft, *, void: bool) -> tuple[PatronMoney, ...]:
    """The returns of everyone's bets in the present state and after the events of the draft."""
    before, moved = _returns(state), Counter[str]()
    amount = next((event for event in draft.events if isinstance(event, AmountDecided)), None)
    if amount is not None and (before is None or not _is_last(state, amount.round)):
        return (PatronMoney(amount.patron, Cents(0), amount.amount_cents),)
    for event in draft.events:
        # What is paid by decision is counted below with what was paid before.
        for line in () if isinstance(event, BetsPaid) else getattr(event, "lines", ()):
            moved[line.bet.patron] += line.correction_cents if isinstance(line, Adjustment) else line.returned_cents
        if isinstance(event, AmountDecided):
            moved[event.patron] += event.amount_cents
    after: Counter[str] | None = _paid(state)
    if state.round is None:
        after = before
    elif not void:
        after = _returns(draft.state)
    patrons = dict.fromkeys([*[bet.patron for bet in _bets(state)], *moved])
    return tuple(
        [
            PatronMoney(
                patron,
                None if before is None else Cents(before[patron]),
                None if after is None else Cents(after[patron] + moved[patron]),
            )
            for patron in patrons
        ]
    )


def _returns(state: State) -> Counter[str] | None:
    """The returns of each patron's bets by the cards; None while cards are to come or the rules do not say."""
    record = state.last
    if state.round is not None:
        if next_hand(state.round.cards) is not None:
            return None
        settling = Draft(state)
        settle_round(settling, Actor(""))
        record = settling.state.last
    returned = Counter[str]()
    for each in (*record.bets, *record.paid) if record else ():
        returned[each.bet.patron] += each.returned_cents
    return returned


def _paid(state: State) -> Counter[str]:
    """The amounts paid to each patron by decision in the round."""
    round_, paid = state.round or state.last, Counter[str]()
    for line in round_.paid if round_ else ():
        paid[line.bet.patron] += line.returned_cents
    return paid


def _bets(state: State) -> list[Bet]:
    round_ = state.round or state.last
    placed = state.round.bets.values() if state.round else [each.bet for each in state.last.bets] if state.last else ()
    return [*placed, *[line.bet for line in (round_.paid if round_ else ())]]
