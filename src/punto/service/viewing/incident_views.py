"""Open cases as staff see them: who reported what, and what would change if it were approved."""

from __future__ import annotations

from punto.protocol import views as v
from punto.rules.cards import write_cards
from punto.rules.outcome import Outcome
from punto.service.people.person import Names
from punto.table.actor import Actor
from punto.table.effects import IncidentEffect, effect_of
from punto.table.state import Case, State


def show_effect(effect: IncidentEffect | None, names: Names) -> v.IncidentEffect | None:
    """The changes of a proposal, if it has any. They rest on open cards alone, so they tell nothing of closed ones."""
    if effect is None:
        return None
    before, after = effect.before, effect.after
    return v.IncidentEffect(
        change=effect.change,
        void=after.void,
        cards_before=write_cards(before.cards),
        cards_after=write_cards(after.cards),
        carried_after=write_cards(after.carried),
        outcome_before=_outcome(before.outcome),
        outcome_after=_outcome(after.outcome),
        money=tuple(
            [
                v.PatronMoney(each.patron, names(each.patron), each.before_cents, each.after_cents)
                for each in effect.money
            ]
        ),
    )


def _outcome(outcome: Outcome | None) -> v.Outcome | None:
    return v.Outcome(outcome.winner, outcome.player_points, outcome.banker_points) if outcome else None


def proposal(state: State, names: Names) -> tuple[v.IncidentEffect | None, str | None]:
    """The changes that the open case would make if it were approved, and the reason that was given for it."""
    effect = effect_of(state, state.case) if state.case else None
    return show_effect(effect, names), effect.reason if effect else None


def reporter(case: Case) -> Actor:
    """The reporter of a case: not who proposed what it waits for now, if that was another."""
    previous = case.previous
    return case.by if previous is None or previous.number != case.number else reporter(previous)
