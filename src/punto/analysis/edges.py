"""The exact edge of every bet that can be placed at a table, and the bets that favour patrons in a running shoe.

The edges of a full shoe are the same for every table of a game, so each is worked out once.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from punto.analysis.counting import distribution
from punto.analysis.insurance import cells
from punto.analysis.pricing import price_sheet
from punto.rules.cards import Card
from punto.rules.composition import ROUND_CARDS, Composition, shoe_without
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.sheet import Sheet

Offered = tuple[Window, Hand, int, int]
"""Insurance on offer: its window, the insured hand, and the points of Player and Banker."""


def bet_edge(sheet: Sheet, decks: int, on: str) -> Fraction:
    """The House's share of each unit staked on an original or side bet in a full shoe."""
    return _edges(sheet, decks)[on]


def insurance_edge(sheet: Sheet, decks: int, offered: Offered) -> Fraction:
    """The House's share of each unit of insurance at these points, over all deals of a full shoe that reach them."""
    return _edges(sheet, decks)[offered]


@cache
def _edges(sheet: Sheet, decks: int) -> dict[str | Offered, Fraction]:
    of = distribution(Composition.full(decks))
    found: dict[str | Offered, Fraction] = {bet: price.edge for bet, price in price_sheet(sheet, of).items()}
    for cell in cells(sheet.insurance, of) if sheet.insurance else ():
        if cell.value is not None:
            found[cell.offer.window, cell.offer.hand, cell.player, cell.banker] = -cell.value
    return found


def favourable_bets(sheet: Sheet, decks: int, gone: Sequence[Card]) -> tuple[str, ...]:
    """The bets that favour patrons in a round that begins after these cards have left the shoe."""
    left = shoe_without(decks, tuple(gone))
    if left.size < ROUND_CARDS:
        return ()
    return tuple([bet for bet, price in price_sheet(sheet, distribution(left)).items() if price.edge < 0])
