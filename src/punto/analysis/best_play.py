"""The best way to play insurance: when to insure and for how much, over both windows.

For one unit on a hand, insurance may pay up to one unit in both windows together: the cap. A stake s at odds o uses s·o
of it. Expected value is linear in the part of the cap that each window gets, so the best play never splits it. In the
second window it uses all that is left, if the offer has a positive value. In the first it uses all or nothing: insuring
now, or leaving the cap for the second window, whichever is worth more.

Where the sheet says that an offer let pass in the first window forgoes the second, waiting needs a token stake. It is
as small as a chip can be and costs nothing in the limit. Without it, waiting is worth nothing at such an offer.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain, combinations
from operator import mul

import numpy as np

from punto.analysis.counting import Counts, deals_by_hands, distribution
from punto.analysis.figures import Advice
from punto.analysis.insurance import InsuranceCell, PointsState, cell_of, cells, open_states
from punto.analysis.pricing import price_sheet
from punto.rules.cards import Card
from punto.rules.composition import Composition
from punto.rules.hands import Hand
from punto.rules.insurance import Offer, Window, may_be_offered
from punto.rules.outcome import Winner
from punto.rules.sheet import Sheet
from punto.rules.shown import Shown
from punto.rules.tableau import INITIAL_CARDS

Key = tuple[Window, int, int]
Offers = dict[Key, Offer]


@dataclass(frozen=True, slots=True)
class ChartAdvice:
    """The chart's advice at an offer, and its value for each unit of the original bet.

    `now` is the value of insuring up to the cap, `later` the value of waiting for the second window.
    """

    cell: InsuranceCell
    advice: Advice
    now: Fraction
    later: Fraction


@dataclass(frozen=True, slots=True, repr=False)
class BestPlay(Shown):
    """The best use of insurance for one unit on a hand.

    `chart` has the best advice for each cell of the sheet's table, given only the points in the window; in the second
    window it applies to whatever the first has left of the cap. `edge` is the House's on the original bet without
    insurance, `chart_edge` that against a patron who follows the chart, `best_edge` that against the best play with
    every card on the table.

    With a `forgone_rule`, both assume a token stake wherever waiting is best. The edges `without_token` are those
    against a patron who then stakes nothing and so forgoes the second window; without such a rule they are the same.
    """

    hand: Hand
    chart: dict[Key, ChartAdvice]
    edge: Fraction
    chart_edge: Fraction
    best_edge: Fraction
    chart_edge_without_token: Fraction
    best_edge_without_token: Fraction
    forgone_rule: str | None = None

    def __str__(self) -> str:
        edges = f"{float(self.edge):.4%} without, {float(self.chart_edge):.4%} by the chart"
        return f"{self.hand} with insurance: edge {edges}, {float(self.best_edge):.4%} by every card seen"


def best_play(sheet: Sheet, hand: Hand, left: Composition, table: tuple[Card, ...] = ()) -> BestPlay | None:
    """The best play of insurance on this hand; None if the sheet offers none.

    With four cards or more on the table (which are not in the shoe any more) it is the best play from there. With one
    to three cards, when nothing can be insured yet, it is None too.
    """
    if sheet.insurance is None or not any(row.hand is hand for row in sheet.insurance.rows):
        return None
    if 0 < len(table) < INITIAL_CARDS:
        return None
    of = distribution(left, table)
    offers = {key: cell[hand] for key, cell in sheet.insurance.cells.items() if hand in cell}
    # After Player's third card the first window is over, and what it forwent is not known here.
    forgone_rule = sheet.insurance.forgone_rule if len(table) <= INITIAL_CARDS else None
    states = list(open_states(of))
    gain, insured = _best_chart(states, offers, forgoes=False)
    strict_gain = gain if forgone_rule is None else _best_chart(states, offers, forgoes=True)[0]
    original = next(bet.id for bet in sheet.bets.values() if bet.hand is hand)
    found = [each for each in cells(sheet.insurance, of) if each.offer.hand is hand and each.value is not None]
    later = {(Window.FOUR_CARDS, state.player, state.banker): _later(state, offers, insured) for state in states}
    wait = Advice.WAIT if forgone_rule is None else Advice.KEEP
    choices = {each.key: _choice(each, insured, later.get(each.key, Fraction(0)), wait) for each in found}
    edge = price_sheet(sheet, of)[original].edge
    # From four cards on, the cards in the window are known, and the chart is for exactly these.
    card_gain, strict_card_gain = (gain, strict_gain) if table else _card_gains(left, offers)
    if forgone_rule is None:
        strict_card_gain = card_gain
    chart, card, strict_chart, strict_card = [
        edge - each / of.total for each in (gain, card_gain, strict_gain, strict_card_gain)
    ]
    return BestPlay(hand, choices, edge, chart, card, strict_chart, strict_card, forgone_rule)


def _choice(cell: InsuranceCell, insured: set[Key], later: Fraction, wait: Advice) -> ChartAdvice:
    advice = Advice.INSURE if cell.key in insured else wait if later > 0 else Advice.LEAVE
    return ChartAdvice(cell, advice, cell.net / cell.offer.odds.exact / cell.deals, later / cell.deals)


# ------------------------------------------------------------------------------------------- the chart


def _best_chart(states: Iterable[PointsState], offers: Offers, *, forgoes: bool) -> tuple[Fraction, set[Key]]:
    """The gain in sum of the best chart, and the cells that it insures.

    With `forgoes`, an offer that is let pass in the first window forgoes the second.
    """
    by_banker: dict[int, list[PointsState]] = {}
    for state in states:
        by_banker.setdefault(state.banker, []).append(state)
    insured: set[Key] = set()
    gain = Fraction(0)
    for of_banker in by_banker.values():
        worth, chosen = _best_for(of_banker, offers, forgoes=forgoes)
        gain += worth
        insured |= chosen
    return gain, insured


def _best_for(states: list[PointsState], offers: Offers, *, forgoes: bool) -> tuple[Fraction, set[Key]]:
    """The best chart for one total of Banker, and its gain in sum. Both windows of a round have the same such total.

    It tries every set of first-window cells to insure. It then evaluates each second-window cell over the rounds that
    have some of the cap left, and the right to insure.
    """
    now = {state.player: worth for state in states if (worth := _now(state, offers)) > 0}
    best, chosen = Fraction(-1), set[Key]()
    for first in chain.from_iterable(combinations(now, size) for size in range(len(now) + 1)):
        second: dict[Key, Fraction] = {}
        for state in states:
            if state.player not in first and not (forgoes and _first_offer(state, offers)):
                for key, worth in _thirds(state, offers):
                    second[key] = second.get(key, Fraction(0)) + worth
        taken = {key: worth for key, worth in second.items() if worth > 0}
        gain = sum((now[player] for player in first), Fraction(0)) + sum(taken.values(), Fraction(0))
        if gain > best:
            best, chosen = gain, {*taken, *[(Window.FOUR_CARDS, player, states[0].banker) for player in first]}
    return best, chosen


def _first_offer(state: PointsState, offers: Offers) -> Offer | None:
    return offers.get((Window.FOUR_CARDS, state.player, state.banker))


def _now(state: PointsState, offers: Offers) -> Fraction:
    offer = _first_offer(state, offers)
    return _worth(offer, state.ended) if offer else Fraction(0)


def _thirds(state: PointsState, offers: Offers) -> Iterable[tuple[Key, Fraction]]:
    for third, ended in state.thirds:
        key = Window.PLAYER_THIRD, (state.player + third) % 10, state.banker
        if offer := offers.get(key):
            yield key, _worth(offer, ended)


def _later(state: PointsState, offers: Offers, insured: set[Key]) -> Fraction:
    return sum((worth for key, worth in _thirds(state, offers) if key in insured), Fraction(0))


def _worth(offer: Offer, ended: Counts) -> Fraction:
    """The net of an offer in sum over the deals if it gets the whole cap."""
    nets, denominator = _worths(offer)
    return Fraction(sum(map(mul, nets, ended.tolist())), denominator)


@lru_cache(maxsize=256)
def _worths(offer: Offer) -> tuple[tuple[int, ...], int]:
    """The worth of one deal for each winner: whole numbers over one denominator, since one is found for every hand."""
    worths = [cell_of(offer, 0, 0, deal, 1).net / offer.odds.exact for deal in np.identity(len(Winner), np.int64)]
    denominator = math.lcm(*[worth.denominator for worth in worths])
    return tuple([int(worth * denominator) for worth in worths]), denominator


# ------------------------------------------------------------------------------------------- every card seen


def _card_gains(left: Composition, offers: Offers) -> tuple[Fraction, Fraction]:
    """The gain in sum of the best play that knows the points of every card on the table.

    The second gain is without token stakes: an offer that is let pass in the first window forgoes the second.
    """
    deals = deals_by_hands(left)
    gain, strict_gain = Fraction(0), Fraction(0)
    for a, b, c, d in np.argwhere(deals.any(axis=(4, 5))).tolist():
        player, banker = (a + b) % 10, (c + d) % 10
        if not may_be_offered(Window.FOUR_CARDS, player, banker):
            continue
        by_third: Counts = deals[a, b, c, d]
        state = PointsState(player, banker, by_third.sum(axis=0), by_third)
        waiting = sum((worth for _, worth in _thirds(state, offers) if worth > 0), Fraction(0))
        now = _now(state, offers)
        gain += max(now, waiting)
        strict_gain += max(now, Fraction(0)) if _first_offer(state, offers) else waiting
    return gain, strict_gain
