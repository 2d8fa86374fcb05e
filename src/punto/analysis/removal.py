"""The effect of one card less on a bet, and the best card count from these effects."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from punto.analysis.counting import distribution
from punto.analysis.insurance import cells
from punto.analysis.pricing import price_sheet
from punto.rules.cards import Rank
from punto.rules.composition import Composition
from punto.rules.sheet import Sheet

LARGEST_TAG = 3
"""Whole tags go from -3 to 3, because people cannot add larger ones in play."""

ROUNDED = 14
"""Correlations that agree to this many digits are equal; then the smaller tags win."""

ShoeRows = NDArray[np.uint16]
"""Cards left: a row of thirteen counts for each shoe."""

Effects = tuple[Fraction, ...]
"""The effect of one card less, for each rank from ace to king."""


def removal_effects(sheet: Sheet, left: Composition) -> dict[str, Effects]:
    """By bet: how much the patron's expected net rises when one card of a rank (ace to king) leaves the shoe.

    A rank without cards has the effect 0. Raises Refused if the shoe is too small.
    """
    before = price_sheet(sheet, distribution(left))
    found: dict[str, list[Fraction]] = {bet: [] for bet in before}
    for rank in Rank:
        after = price_sheet(sheet, distribution(left.without([rank]))) if left.counts[rank - 1] else before
        for bet, price in after.items():
            found[bet].append(price.value - before[bet].value)
    return {bet: tuple(effects) for bet, effects in found.items()}


def insurance_effects(sheet: Sheet, left: Composition) -> list[tuple[Fraction | None, ...]]:
    """For each insurance cell, in the order of `cells`: how a unit's value changes when one card leaves the shoe.

    None if the cell cannot be reached with or without the card.
    """
    if sheet.insurance is None:
        return []
    before = [cell.value for cell in cells(sheet.insurance, distribution(left))]
    columns = []
    for rank in Rank:
        without = left.without([rank]) if left.counts[rank - 1] else left
        after = [cell.value for cell in cells(sheet.insurance, distribution(without))]
        pairs = zip(after, before, strict=True)
        columns.append([None if a is None or b is None else a - b for a, b in pairs])
    return list(zip(*columns, strict=True))


@dataclass(frozen=True, slots=True)
class LinearCount:
    """Tags for the thirteen ranks, added up as cards leave a shoe that began with equal numbers of each.

    `fit` is the correlation between the tags and the effects of removal: 1 for the best possible linear count, nan if
    no card has an effect.
    """

    tags: tuple[float, ...]
    fit: float


def fit(tags: Sequence[float], effects: Sequence[Fraction]) -> float:
    """The correlation between tags and effects over the ranks; nan if either is the same for all."""
    x, y = np.array(tags, float), np.array([float(effect) for effect in _centred(effects)])
    x = x - x.mean()
    spread = math.sqrt((x @ x) * (y @ y))
    return float(x @ y) / spread if spread else math.nan


def best_tags(effects: Sequence[Fraction]) -> LinearCount:
    """The best possible tags: the effects themselves, less their mean, scaled so that the largest is 3."""
    centred = _centred(effects)
    largest = max(abs(each) for each in centred)
    tags = tuple([float(each / largest * LARGEST_TAG) if largest else 0.0 for each in centred])
    return LinearCount(tags, fit(tags, effects))


def best_whole_tags(effects: Sequence[Fraction]) -> LinearCount:
    """The best tags among whole numbers from -3 to 3, the smallest such tags; ranks with equal effects have equal tags.

    The search is exact: for every sum and sum of squares that tags can have, it finds the tags with the highest product
    with the effects, rank by rank, and takes the best correlation. Tags need not add up to zero, because a true count
    subtracts the average of the cards seen.
    """
    groups: dict[Fraction, list[int]] = {}
    for place, effect in enumerate(_centred(effects)):
        groups.setdefault(effect, []).append(place)
    best: dict[tuple[int, int], tuple[float, tuple[int, ...]]] = {(0, 0): (0.0, ())}
    for effect, places in groups.items():
        ranks, worth = len(places), float(effect)
        step: dict[tuple[int, int], tuple[float, tuple[int, ...]]] = {}
        for (total, squares), (product, tags) in best.items():
            for tag in range(-LARGEST_TAG, LARGEST_TAG + 1):
                key = total + ranks * tag, squares + ranks * tag * tag
                candidate = product + ranks * tag * worth
                if key not in step or candidate > step[key][0]:
                    step[key] = candidate, (*tags, tag)
        best = step
    scored = [
        (round(product / math.sqrt(spread / len(effects)), ROUNDED), -squares, tags)
        for (total, squares), (product, tags) in best.items()
        if (spread := len(effects) * squares - total * total)
    ]
    chosen = max(scored, default=(0.0, 0, (0,) * len(groups)))[2]
    by_place = [0.0] * len(effects)
    for tag, places in zip(chosen, groups.values(), strict=True):
        for place in places:
            by_place[place] = float(tag)
    return LinearCount(tuple(by_place), fit(by_place, effects))


def true_counts(shoes: ShoeRows, decks: int, tags: Sequence[float]) -> NDArray[np.float64]:
    """The true count for each shoe (a row of 13 counts left): tags of cards seen less their mean, by deck left."""
    centred = np.array(tags, float) - np.mean(tags)
    gone = sum((4 * decks - shoes[:, rank].astype(float)) * tag for rank, tag in enumerate(centred))
    found: NDArray[np.float64] = gone * 52 / shoes.sum(axis=1)
    return found


def _centred(effects: Sequence[Fraction]) -> list[Fraction]:
    mean = sum(effects, Fraction(0)) / len(effects)
    return [effect - mean for effect in effects]
