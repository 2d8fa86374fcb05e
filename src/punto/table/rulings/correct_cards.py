"""Correcting cards of the round in progress that were read or entered wrongly."""

from __future__ import annotations

from punto.rules.cards import Card
from punto.rules.refusals import Refusal
from punto.rules.sheet import Role
from punto.table.act import Command, act
from punto.table.actor import Actor
from punto.table.draft import Draft
from punto.table.phases import OPEN, Phase
from punto.table.refusals import Contradiction, FactsContradict, NotPermitted, ReasonMissing
from punto.table.rulings.cases import close_case, propose, refuse_held, reported
from punto.table.rulings.facts import refuse_closed
from punto.table.rulings.interruption import rule_opened
from punto.table.rulings.reorder import in_order, record_cards, refuse_cards
from punto.table.rulings.situations import MISREAD_CARD
from punto.table.state import State
from punto.table.values import Facts, Waits
from punto.table.ways import REASON, Input, InputType


@act(by=Role.DEALER, during=OPEN - {Phase.BETWEEN_ROUNDS, Phase.BETTING})
class CorrectCards(Command):
    """Correct cards that were read or entered wrongly. `cards` are those on the table, in the order they came."""

    cards: tuple[Card, ...]
    reason: str

    @classmethod
    def refuse(cls, state: State, by: Actor) -> Refusal | None:
        """A Dealer takes back the card keyed last, and proposes anything else to a second person."""
        if not state.open_settings.second_person and not by.may_act_as(Role.PIT_SUPERVISOR):
            return NotPermitted(Role.PIT_SUPERVISOR)
        if state.case is not None and state.case.waits is not Waits.CORRECTION:
            return refuse_held(state.case)
        return FactsContradict(Contradiction.CARDS_KNOWN) if state.shoe_in_play.order else None

    @classmethod
    def inputs(cls, state: State) -> tuple[Input, ...]:
        shoe, dealt = state.shoe_in_play, _cards_out(state)
        minimum = dealt if refuse_closed(state) else len(shoe.carried)
        maximum = dealt + shoe.size - shoe.drawn
        cards = Input("cards", InputType.CARDS, minimum=minimum, maximum=maximum, includes=shoe.carried)
        return cards, REASON

    def decide(self, state: State) -> Draft | Refusal:
        """Correct cards that were read or entered wrongly. The event holds the cards before and after.

        While cards are closed, a correction opens them: it names every card, so that none is lost.
        """
        if not self.reason.strip():
            return ReasonMissing()
        if len(self.cards) < _cards_out(state) and (refusal := refuse_closed(state)):
            return refusal
        if refusal := refuse_cards(state, self.cards, recorded=False):
            return refusal
        facts = Facts(cards=self.cards, note=self.reason)
        draft = Draft(state) if state.case else reported(state, self.by, MISREAD_CARD, facts)
        change_cards(draft, self.by, self.cards, None, self.reason, keyed=True)
        return draft

    def names_cards(self, state: State) -> bool:
        return state.knows_order and bool(self.cards)


def change_cards(
    draft: Draft, by: Actor, cards: tuple[Card, ...], rule: str | None, reason: str, *, keyed: bool = False
) -> None:
    """Change the recorded cards and close the case, or propose it. An interruption is ruled by the cards."""

    def change(draft: Draft) -> None:
        record_cards(draft, by, in_order(draft.state, cards), rule, reason, keyed=keyed)
        if not rule_opened(draft, by):
            close_case(draft, by)

    # Cards of a shoe of known order need no second person.
    certain = draft.state.shoe_in_play.order or cards == draft.state.known_cards
    if _undoes_last_card(draft, cards) if keyed else certain:
        change(draft)
    else:
        propose(draft, by, change)


def _undoes_last_card(draft: Draft, cards: tuple[Card, ...]) -> bool:
    """True if these cards differ from the recorded ones only in the one keyed last, and nothing followed that."""
    round_ = draft.round
    if not round_.undoable or draft.case.waits is not None:
        return False
    return len(cards) <= len(round_.cards) and cards[: len(round_.cards) - 1] == round_.cards[:-1]


def _cards_out(state: State) -> int:
    """The number of cards, of the round and carried ones, that have left the shoe, closed ones included."""
    return len(state.known_cards) + len(state.open_round.closed_places)
