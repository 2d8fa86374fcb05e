"""Announcements after the cards changed: the insurance window that is due, or the result."""

from __future__ import annotations

from punto.rules.cards import Card
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.outcome import Outcome, Winner
from punto.rules.tableau import INITIAL_CARDS, next_hand
from punto.table.act import Event, event
from punto.table.actor import Actor
from punto.table.acts.insurance import InsuranceOffered, Offered, offers_now
from punto.table.draft import Draft
from punto.table.phases import Phase
from punto.table.state import State


@event(money=False)
class ResultDeclared(Event):
    """All cards are dealt."""

    round: int
    winner: Winner
    player_points: int
    banker_points: int
    rule: str

    def apply(self, state: State) -> State:
        return state


def announce(draft: Draft, by: Actor) -> None:
    """After the cards changed, open the insurance window that is due, or declare the result."""
    state, round_ = draft.state, draft.round
    if state.phase is Phase.RESULT:
        outcome = outcome_of_cards(round_.cards)
        draft.add(
            ResultDeclared(
                by,
                round_.number,
                outcome.winner,
                outcome.player_points,
                outcome.banker_points,
                state.sheet.play.winner_rule,
            )
        )
        return
    insurance, offers = state.sheet.insurance, offers_now(state)
    if insurance and offers:
        window = Window.FOUR_CARDS if len(round_.cards) == INITIAL_CARDS else Window.PLAYER_THIRD
        shown = tuple(
            [
                Offered(bet.id, bet.hand, offers[bet.hand].odds, offers[bet.hand].rule)
                for bet in insurance.bets
                if bet.hand in offers
            ]
        )
        draft.add(InsuranceOffered(by, round_.number, window, shown, insurance.window_rule))


def _hands(cards: tuple[Card, ...]) -> tuple[list[Card], list[Card]]:
    hands: dict[Hand, list[Card]] = {Hand.PLAYER: [], Hand.BANKER: []}
    for place, card in enumerate(cards):
        hand = next_hand(cards[:place])
        assert hand is not None  # noqa: S101 — cards of a round follow the Table of Play
        hands[hand].append(card)
    return hands[Hand.PLAYER], hands[Hand.BANKER]


def outcome_of_cards(cards: tuple[Card, ...]) -> Outcome:
    """The outcome of a round that follows the Table of Play."""
    return Outcome.of(*_hands(cards))
