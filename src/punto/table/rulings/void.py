"""A round without a result: void by a paragraph, by decision, or after a technical interruption."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from punto.rules.cards import Card
from punto.rules.sheet import Irregularity, Ruling
from punto.table.act import StaffOnly, event
from punto.table.actor import Actor
from punto.table.acts.bets import EndsBets
from punto.table.acts.rounds import RoundClosed
from punto.table.acts.shoe import ShoeRemoved, remove_carried
from punto.table.corrections.adjusted import RoundAdjusted
from punto.table.draft import Draft
from punto.table.rulings.cases import CaseClosed, RulingEffect, close_case, propose, ruled
from punto.table.rulings.procedures import procedure
from punto.table.state import EndedRound, State, ended_round
from punto.table.values import Adjustment, Paid, RecordedBet, Returned, ReturnReason, adjustment


@event(money=True, significant="void")
class RoundVoided(EndsBets):
    """The round has no result. Every bet still in it is returned."""

    news = "round-voided"

    round: int
    cards: tuple[Card, ...]
    lines: tuple[Returned, ...]
    rule: str | None
    reason: StaffOnly[str]

    def ended_record(self, record: EndedRound | None, before: State) -> EndedRound:
        return replace(ended_round(before, self.cards, ()), void=True)


def void_round(draft: Draft, by: Actor, rule: str | None, reason: str, new_shoe: tuple[str | None, str] | None) -> None:
    """Return every bet of the round in progress, or correct those of the last settled round.

    Bets that were paid by decision are corrected, too. Amounts that were decided for a patron stand.
    """
    state = draft.state
    void_rule = state.sheet.authority.void_rule or rule
    if state.round is not None:
        lines = tuple([Returned(bet, ReturnReason.VOID, void_rule) for bet in state.round.bets.values()])
        draft.add(RoundVoided(by, state.round.number, state.round.cards, lines, rule, reason))
        if state.round.paid:
            paid = _whole_again(state.round.paid, void_rule)
            draft.add(RoundAdjusted(by, state.round.number, paid, False, rule, reason))
    elif state.last is not None:
        ended = () if state.last.void else (*state.last.bets, *state.last.paid)
        corrections = _whole_again(ended, void_rule)
        draft.add(RoundAdjusted(by, state.last.number, corrections, True, rule, reason))
    draft.add(CaseClosed(by, draft.case.number))
    while state.round is not None and draft.state.case is not None and draft.case.round == state.round.number:
        draft.add(CaseClosed(by, draft.case.number))  # a case about another round does not concern these bets
    if new_shoe is not None and state.shoe is not None and not state.shoe.removed:
        draft.add(ShoeRemoved(by, state.shoe.number, *new_shoe))
    if state.round is not None:
        draft.add(RoundClosed(by, state.round.number))
    remove_carried(draft, by)


def _whole_again(ended: Iterable[RecordedBet | Paid], rule: str | None) -> tuple[Adjustment, ...]:
    """The corrections after which each of these bets has returned its stake and no more."""
    return tuple([adjustment(each, each.bet.stake_cents, rule) for each in ended])


@procedure(Ruling.VOID)
def _rule_void(draft: Draft, by: Actor, irregularity: Irregularity) -> None:
    state, new_shoe = draft.state, None
    if irregularity.new_shoe is not None and irregularity.new_shoe.by is None:
        new_shoe = (irregularity.new_shoe.rule, irregularity.situation)
    settled = state.round is None and not irregularity.until_next_round
    ruled(draft, by, irregularity, RulingEffect.NOTHING_TO_VOID if settled else None)
    if not settled:
        propose(draft, by, lambda d: void_round(d, by, irregularity.rule, irregularity.situation, new_shoe))
    elif new_shoe and state.shoe and not state.shoe.removed:
        removed = ShoeRemoved(by, state.shoe.number, *new_shoe)

        def end_shoe(draft: Draft) -> None:
            draft.add(removed)
            remove_carried(draft, by)
            close_case(draft, by)

        propose(draft, by, end_shoe)
    else:
        close_case(draft, by)
