"""Announcements after the cards changed: the insurance window that is due, or the result."""

from __future__ import annotations

from punto.rules.cards import Card
from punto.rules.insurance import Window
from punto.rules.outcome import Outcome, Winner
from punto.rules.refusals import Refusal
from punto.rules.tableau import INITIAL_CARDS, deal
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
        outcome, rule = outcome_of(round_.cards), state.sheet.play.winner_rule
        assert outcome is not None  # noqa: S101 — by its phase the round is complete
        points = outcome.player_points, outcome.banker_points
        draft.add(ResultDeclared(by, round_.number, outcome.winner, *points, rule))
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


def outcome_of(cards: tuple[Card, ...]) -> Outcome | None:
    """The outcome of these cards, if they make a whole round."""
    dealt = deal(cards, decks=len(cards))  # how many copies there can be was checked when the cards were recorded
    return None if isinstance(dealt, Refusal) else dealt.outcome
