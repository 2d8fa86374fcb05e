"""The figures of a sheet: of a full shoe, and of one that runs."""

from __future__ import annotations

import math
import threading
from dataclasses import fields
from functools import cache

import numpy as np

from punto.analysis.best_play import BestPlay, best_play
from punto.analysis.counting import distribution
from punto.analysis.figures import (
    BetCount,
    BetFigures,
    ChartEntry,
    Figures,
    InsuranceFigures,
    LiveFigures,
    PayShare,
    PlayFigures,
    ShoeValue,
)
from punto.analysis.insurance import InsuranceCell, cells
from punto.analysis.pricing import Price, price_sheet
from punto.analysis.removal import Effects, LinearCount, best_whole_tags, removal_effects, true_counts
from punto.rules.cards import Card
from punto.rules.composition import ROUND_CARDS, Composition, shoe_without
from punto.rules.hands import Hand
from punto.rules.sheet import Sheet

_ONE_AT_A_TIME = threading.Lock()
"""Anyone may ask for the odds of a full shoe: each is worked out once, and bets do not wait for many at once."""


def full_shoe_figures(sheet: Sheet, decks: int) -> Figures:
    """The figures of `punto odds --json` for a full shoe, and the best play of insurance where there is any."""
    with _ONE_AT_A_TIME:
        return _figures_of_full(sheet, decks)


@cache
def _figures_of_full(sheet: Sheet, decks: int) -> Figures:
    return _figures(sheet, decks, (), ())


@cache
def _effects(sheet: Sheet, decks: int) -> dict[str, Effects]:
    return removal_effects(sheet, Composition.full(decks))


def live_figures(sheet: Sheet, decks: int, gone: tuple[Card, ...], on_table: tuple[Card, ...]) -> LiveFigures:
    """The same for a shoe that these cards have left, with the round's cards on the table.

    `shoe` says for each bet how it would stand if a round began with the cards left and what counting makes of it; None
    when too few are left for a round.
    """
    left = shoe_without(decks, (*gone, *on_table))
    shoe = _shoe(sheet, decks, left) if left.size >= ROUND_CARDS else None
    figures = _figures(sheet, decks, gone, on_table)
    shared = {each.name: getattr(figures, each.name) for each in fields(figures)}
    return LiveFigures(**shared, left=left.size, on_table=len(on_table), shoe=shoe)


def bet_figures(price: Price) -> BetFigures:
    """The figures of a bet."""
    shares = zip(price.bet.pays, price.lines, strict=True)
    return BetFigures(
        float(price.edge),
        str(price.edge),
        float(price.hit),
        float(price.returned),
        str(price.returned),
        price.sd,
        tuple([PayShare(line.says, line.odds.text, float(share), str(share)) for line, share in shares]),
    )


def insurance_figures(cell: InsuranceCell) -> InsuranceFigures:
    """The figures of insurance at a pair of points."""
    win, push, value = [None if each is None else float(each) for each in (cell.win, cell.push, cell.value)]
    exact = None if cell.value is None else str(cell.value)
    offer = cell.offer
    return InsuranceFigures(
        offer.window, offer.hand, cell.player, cell.banker, offer.odds.text, win, push, value, exact
    )


def _shoe(sheet: Sheet, decks: int, left: Composition) -> dict[str, ShoeValue]:
    return {
        bet: ShoeValue(float(price.edge), str(price.edge), _count(sheet, decks, left, bet))
        for bet, price in price_sheet(sheet, distribution(left)).items()
    }


def _count(sheet: Sheet, decks: int, left: Composition, bet: str) -> BetCount | None:
    """The best count of a bet as it stands now, and from where on it favours the patron; None where none helps.

    `even_at` follows the straight line that the effects of single cards make, so it is about right, not exact: the edge
    beside it is exact.
    """
    effects = _effects(sheet, decks)[bet]
    count = best_whole_tags(effects)
    if math.isnan(count.fit):
        return None
    full = full_shoe_figures(sheet, decks).bets[bet].edge
    return BetCount(
        tuple([int(tag) for tag in count.tags]),
        count.fit,
        true_count=float(true_counts(np.array([left.counts]), decks, count.tags)[0]),
        even_at=full / _slope(count, effects, Composition.full(decks).size),
    )


def _slope(count: LinearCount, effects: Effects, cards: int) -> float:
    """The rise of a bet's value by one point of true count in a shoe that began with so many cards."""
    tags, gains = np.array(count.tags), np.array([float(effect) for effect in effects])
    tags, gains = tags - tags.mean(), gains - gains.mean()
    return float(tags @ gains / (tags @ tags)) * (cards - 1) / 52


def _figures(sheet: Sheet, decks: int, gone: tuple[Card, ...], on_table: tuple[Card, ...]) -> Figures:
    left = shoe_without(decks, (*gone, *on_table))
    of = distribution(left, on_table)
    offers = cells(sheet.insurance, of) if sheet.insurance else ()
    return Figures(
        sheet.id,
        decks,
        {bet: bet_figures(price) for bet, price in price_sheet(sheet, of).items()},
        tuple([insurance_figures(cell) for cell in offers]),
        tuple([_play(play) for hand in Hand if (play := best_play(sheet, hand, left, on_table))]),
    )


def _play(play: BestPlay) -> PlayFigures:
    names = ("edge", "chart_edge", "best_edge", "chart_edge_without_token", "best_edge_without_token")
    edges: dict[str, float] = {name: float(getattr(play, name)) for name in names}
    chart = tuple([ChartEntry(*where, choice.advice) for where, choice in play.chart.items()])
    return PlayFigures(play.hand, **edges, forgone_rule=play.forgone_rule, chart=chart)
