"""The best way to play insurance: when to insure and for how much, over both windows.

For one unit on a hand, insurance may pay up to one unit over both windows together, so a stake s at odds o uses s·o of
that room. Expected value is linear in the room that each window gets, so the best play is never to split it: in the
second window all that is left, if the offer is worth more than nothing; in the first all or nothing, whichever is worth
more: insuring now, or keeping the room for what the second window may bring.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import chain, combinations

import numpy as np

from punto.analysis.compiled import compiled
from punto.analysis.composition import Composition
from punto.analysis.counting import (
    BANKER_DRAWS,
    BANKER_WON,
    PLAYER_DRAWS,
    PLAYER_WON,
    POINTS,
    STOOD,
    TIED,
    Counts,
    distribution,
)
from punto.analysis.insurance import Cell, State, cell_of, cells, open_states
from punto.analysis.pricing import price_sheet
from punto.rules.cards import Card
from punto.rules.hands import Hand
from punto.rules.insurance import Offer, Window
from punto.rules.sheet import Sheet
from punto.rules.tableau import INITIAL_CARDS

Key = tuple[Window, int, int]
Offers = dict[Key, Offer]


class Advice(StrEnum):
    """What to do with an offer: insure for as much as the cap allows, keep the room for later, or leave it."""

    INSURE = "insure"
    WAIT = "wait"
    LEAVE = "leave"


@dataclass(frozen=True, slots=True)
class Choice:
    """The chart's advice at an offer, and what it is worth there for each unit of the original bet.

    `now` is what insuring for all that the cap allows would bring, `later` what waiting for the second window would.
    """

    cell: Cell
    advice: Advice
    now: Fraction
    later: Fraction


@dataclass(frozen=True, slots=True)
class BestPlay:
    """The best use of insurance for one unit on a hand.

    `chart` has one advice for each cell of the sheet's table, the best that goes by the points in the window alone; in
    the second window it holds for whatever room the first has left. `chart_gain` is what that adds to the original bet;
    `card_gain` what a patron gains who looks at every card on the table.
    """

    hand: Hand
    chart: dict[Key, Choice]
    edge: Fraction
    chart_gain: Fraction
    card_gain: Fraction

    @property
    def chart_edge(self) -> Fraction:
        """The House's edge on the original bet against a patron who keeps to the chart."""
        return self.edge - self.chart_gain

    @property
    def best_edge(self) -> Fraction:
        """The House's edge on the original bet against the best play there is."""
        return self.edge - self.card_gain


def best_play(sheet: Sheet, hand: Hand, left: Composition, table: tuple[Card, ...] = ()) -> BestPlay | None:
    """The best play of insurance on this hand; None where the sheet offers none.

    With four cards or more on the table (which are not in the shoe any more) it is the best play from there; in the
    middle of the first four, when nothing can be insured yet, it is None too.
    """
    if sheet.insurance is None or not any(row.hand is hand for row in sheet.insurance.rows):
        return None
    if 0 < len(table) < INITIAL_CARDS:
        return None
    of = distribution(left, table)
    offers = {key: cell[hand] for key, cell in sheet.insurance.cells.items() if hand in cell}
    by_banker: dict[int, list[State]] = {}
    for state in open_states(of):
        by_banker.setdefault(state.banker, []).append(state)
    insured: set[Key] = set()
    gain = Fraction(0)
    for states in by_banker.values():
        worth, chosen = _best_for(states, offers)
        gain += worth
        insured |= chosen
    original = next(bet.id for bet in sheet.bets.values() if bet.hand is hand)
    found = [each for each in cells(sheet.insurance, of) if each.offer.hand is hand and each.value is not None]
    later = {
        (Window.FOUR_CARDS, state.player, state.banker): _later(state, offers, insured) for state in open_states(of)
    }
    chart = {each.key: _choice(each, insured, later.get(each.key, Fraction(0))) for each in found}
    edge = price_sheet(sheet, of)[original].edge
    # From four cards on, the cards in the window are seen, and the chart was made for them alone.
    card_gain = gain if table else _card_gain(left, offers)
    return BestPlay(hand, chart, edge, gain / of.total, card_gain / of.total)


def _choice(cell: Cell, insured: set[Key], later: Fraction) -> Choice:
    advice = Advice.INSURE if cell.key in insured else Advice.WAIT if later > 0 else Advice.LEAVE
    return Choice(cell, advice, cell.net / cell.offer.odds.exact / cell.deals, later / cell.deals)


# ------------------------------------------------------------------------------------------- the chart


def _best_for(states: list[State], offers: Offers) -> tuple[Fraction, set[Key]]:
    """The best chart for one total of Banker's, and what it gains in sum: windows meet only where that is the same.

    Tries every set of first-window cells to insure. The second window's cells are then each judged over the rounds that
    still have room there.
    """
    now = {state.player: worth for state in states if (worth := _now(state, offers)) > 0}
    best, chosen = Fraction(-1), set[Key]()
    for first in chain.from_iterable(combinations(now, size) for size in range(len(now) + 1)):
        second: dict[Key, Fraction] = {}
        for state in states:
            if state.player not in first:
                for key, worth in _thirds(state, offers):
                    second[key] = second.get(key, Fraction(0)) + worth
        taken = {key: worth for key, worth in second.items() if worth > 0}
        gain = sum((now[player] for player in first), Fraction(0)) + sum(taken.values(), Fraction(0))
        if gain > best:
            best, chosen = gain, {*taken, *[(Window.FOUR_CARDS, player, states[0].banker) for player in first]}
    return best, chosen


def _now(state: State, offers: Offers) -> Fraction:
    offer = offers.get((Window.FOUR_CARDS, state.player, state.banker))
    return _worth(offer, state.ended) if offer else Fraction(0)


def _thirds(state: State, offers: Offers) -> Iterable[tuple[Key, Fraction]]:
    for third, ended in state.thirds:
        key = Window.PLAYER_THIRD, (state.player + third) % 10, state.banker
        if offer := offers.get(key):
            yield key, _worth(offer, ended)


def _later(state: State, offers: Offers, insured: set[Key]) -> Fraction:
    return sum((worth for key, worth in _thirds(state, offers) if key in insured), Fraction(0))


def _worth(offer: Offer, ended: Counts) -> Fraction:
    """What an offer wins in sum over the deals when all the room is given to it."""
    return cell_of(offer, 0, 0, ended, 1).net / offer.odds.exact


# ------------------------------------------------------------------------------------------- every card seen


def _card_gain(left: Composition, offers: Offers) -> Fraction:
    """What the best play gains in sum when it goes by every card on the table, worth by worth."""
    by_points = np.bincount(POINTS, left.counts).astype(np.int64)
    hands = [(a, b) for a in range(10) for b in range(a, 10)]
    ended = np.zeros((len(hands), len(hands), STOOD + 1, 3), np.int64)
    _count_by_cards(by_points, np.array(hands), PLAYER_DRAWS, BANKER_DRAWS, ended)
    gain = Fraction(0)
    for player, banker in np.argwhere(ended.any(axis=(2, 3))).tolist():
        by_third: Counts = ended[player, banker]
        state = State(sum(hands[player]) % 10, sum(hands[banker]) % 10, by_third.sum(axis=0), by_third)
        waiting = sum((worth for _, worth in _thirds(state, offers) if worth > 0), Fraction(0))
        gain += max(_now(state, offers), waiting)
    return gain


@compiled()
def _count_by_cards(by_points, hands, player_draws, banker_draws, ended):  # type: ignore[no-untyped-def]
    """Count ordered deals with a card to come, by each hand's two cards, Player's third card and the winner."""
    left = by_points.copy()
    size = left.sum()
    for p in range(len(hands)):
        for b in range(len(hands)):
            player, banker = hands[p].sum() % 10, hands[b].sum() % 10
            if not (player_draws[player, banker] or banker_draws[player, banker, STOOD]):
                continue
            ways = (1 + (hands[p, 0] != hands[p, 1])) * (1 + (hands[b, 0] != hands[b, 1]))
            for card in (hands[p, 0], hands[p, 1], hands[b, 0], hands[b, 1]):
                ways *= max(left[card], 0)
                left[card] -= 1
            for x in range(10) if player_draws[player, banker] else range(STOOD, STOOD + 1):
                player_end = (player + x) % 10
                ways_x = ways
                if x < STOOD:
                    ways_x *= max(left[x], 0)
                    left[x] -= 1
                for y in range(10) if banker_draws[player, banker, x] else range(STOOD, STOOD + 1):
                    banker_end = (banker + y) % 10
                    ways_y = ways_x * (max(left[y], 0) if y < STOOD else 1)
                    if x == STOOD or y == STOOD:
                        ways_y *= size - 5
                    winner = TIED if player_end == banker_end else PLAYER_WON if player_end > banker_end else BANKER_WON
                    ended[p, b, x, winner] += ways_y
                if x < STOOD:
                    left[x] += 1
            for card in (hands[p, 0], hands[p, 1], hands[b, 0], hands[b, 1]):
                left[card] += 1
