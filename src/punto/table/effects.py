"""What a case proposes to change: the cards, the outcome, and the money of each patron, before and after.

Whoever approves sees this, and so does whoever looks back: it is worked out from the state before and the events.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from punto.rules.cards import Card
from punto.rules.money import Cents
from punto.rules.outcome import Outcome
from punto.rules.refusals import Refusal
from punto.rules.settlement import Bet, Line
from punto.rules.tableau import deal, next_hand
from punto.table import events as e
from punto.table.commands import Actor, Decide, Decision
from punto.table.incidents import decide_case
from punto.table.phases import Waits
from punto.table.play import Draft, open_settings, settle_round
from punto.table.state import Case, State


class Standing(NamedTuple):
    """The cards of a round, those carried to the next, and the outcome: None while cards are to come, or if void."""

    cards: tuple[Card, ...]
    carried: tuple[Card, ...]
    outcome: Outcome | None
    void: bool = False


class PatronMoney(NamedTuple):
    """What a patron's bets return in the round; None while that depends on cards to come or on a decision."""

    patron: str
    before_cents: Cents | None
    after_cents: Cents | None


@dataclass(frozen=True, slots=True)
class Effect:
    """What a proposal changes. `by` proposed it, for `reason`; `note` is that of the report.

    `change` says how the recorded cards change, and is None if they stay. The money is that of everyone with a bet in
    the round, if all who may choose play on.
    """

    case: int
    situation: str
    by: Actor
    note: str | None
    reason: str | None
    change: e.CardChange | None
    before: Standing
    after: Standing
    money: tuple[PatronMoney, ...]


def effect_of(state: State, case: Case) -> Effect | None:
    """What the case changes if it is approved; None if it waits for something else than a yes or no."""
    events = _proposed(state, case)
    return None if events is None else effect_of_events(state, case, events)


def _proposed(state: State, case: Case) -> tuple[e.Event, ...] | None:
    """The events that follow approval."""
    if case.waits is Waits.CONFIRMATION:
        return case.pending
    if case.waits is not Waits.APPROVAL:
        return None
    decided = decide_case(state, Decide(Actor("", case.role), Decision.APPROVE))
    if isinstance(decided, Refusal):
        return None
    asked = next((event.events for event in decided if isinstance(event, e.ConfirmationAsked)), None)
    return decided if asked is None else asked


def effect_of_events(state: State, case: Case, events: Iterable[e.Event]) -> Effect:
    """What these events of a case change in this state."""
    draft = Draft(state)
    draft.add(*events)
    relaid = next((event for event in draft.events if isinstance(event, e.CardsRelaid)), None)
    reasons = [event.reason for event in draft.events if isinstance(event, _WITH_REASON)]
    before = _standing(state, _cards(state), state.shoe.carried if state.shoe else ())
    after = before if relaid is None else _standing(state, relaid.after, relaid.carried)
    if any(isinstance(event, e.RoundVoided) or getattr(event, "void", False) for event in draft.events):
        after = after._replace(outcome=None, void=True)
    return Effect(
        case.number,
        case.situation,
        case.by,
        case.facts.note,
        next(iter(reasons), None),
        relaid.change if relaid else None,
        before,
        after,
        _money(state, draft, void=after.void),
    )


_WITH_REASON = (e.CardsRelaid, e.RoundVoided, e.RoundAdjusted, e.ShoeRemoved)


def _cards(state: State) -> tuple[Card, ...]:
    round_ = state.round or state.last
    return round_.cards if round_ else ()


def _standing(state: State, cards: tuple[Card, ...], carried: tuple[Card, ...]) -> Standing:
    dealt = deal(cards, open_settings(state).decks)
    return Standing(cards, carried, None if isinstance(dealt, Refusal) else dealt.outcome)


def _money(state: State, draft: Draft, *, void: bool) -> tuple[PatronMoney, ...]:
    """What everyone's bets return, as the state is and after the events of the draft."""
    before, moved = _returns(state), Counter[str]()
    for event in draft.events:
        for line in getattr(event, "lines", ()):
            moved[line.bet.patron] += line.correction_cents if isinstance(line, e.Adjustment) else line.returned_cents
    after: Counter[str] | None = Counter()
    if state.round is None:
        after = before
    elif not void:
        after = _returns(draft.state)
    patrons = dict.fromkeys([bet.patron for bet in _bets(state)])
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
    """What the bets of each patron return as the cards are; None while cards are to come or the rules do not say."""
    returned: Counter[str] = Counter()
    if state.round is None:
        lines = state.last.lines if state.last else ()
        for line in lines:
            returned[line.bet.patron] += line.returned_cents
        return returned
    settling = Draft(state)
    if next_hand(state.round.cards) is not None or not settle_round(settling, Actor("")):
        return None
    for event in settling.events:
        if isinstance(event, e.RoundSettled):
            ended: tuple[Line | e.Returned, ...] = (*event.lines, *event.returned)
            for each in ended:
                returned[each.bet.patron] += each.returned_cents
    return returned


def _bets(state: State) -> list[Bet]:
    if state.round is not None:
        return list(state.round.bets.values())
    return [line.bet for line in state.last.lines] if state.last else []
