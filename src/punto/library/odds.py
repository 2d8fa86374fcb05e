"""The exact odds of a game. Working them out needs the extra `analysis`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from punto.extras import naming_extras
from punto.library.by_name import ByName
from punto.library.inputs import read
from punto.rules.composition import Composition, shoe_of, shoe_without
from punto.rules.hands import Cards
from punto.rules.refusals import Refused
from punto.rules.sheet import Sheet
from punto.rules.shoe_refusals import CountsInvalid
from punto.rules.tabular import Row

if TYPE_CHECKING:
    from punto.analysis.insurance import InsuranceCell
    from punto.analysis.pricing import Price


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class GameOdds(ByName["Price"]):
    """The price of each original and side bet by its id, and of every insurance offer, for the cards `left`.

    All figures are exact fractions but the standard deviation.
    """

    _values = "prices"
    sheet: Sheet
    decks: int
    left: Composition
    prices: dict[str, Price]
    insurance: tuple[InsuranceCell, ...]

    def to_dicts(self) -> list[Row]:
        """A row for each bet."""
        rows = []
        for bet, price in self.prices.items():
            shares = _shares(edge=price.edge, win=price.hit, returned=price.returned, lose=price.loses)
            rows.append({"bet": bet, **shares, "sd": price.sd})
        return rows

    def insurance_dicts(self) -> list[Row]:
        """A row for each insurance offer at each pair of points; None where these cards cannot lead there."""
        rows = []
        for cell in self.insurance:
            window, hand, odds = cell.offer.window.value, cell.offer.hand.value, cell.offer.odds.text
            row = {"window": window, "hand": hand, "player": cell.player, "banker": cell.banker, "odds": odds}
            shares = {name: getattr(cell, name) for name in ("reached", "win", "push", "lose", "value")}
            rows.append(row | _shares(**shares))
        return rows

    def __str__(self) -> str:
        edges = ", ".join([f"{bet} {float(price.edge):.4%}" for bet, price in self.prices.items()])
        return f"{self._about}: {edges}"

    def _repr_html_(self) -> str:
        from punto.analysis.pricing import prices_html

        return prices_html(self.values(), f"{self.sheet.title} · {self._about.partition(', ')[2]}")

    @property
    def _about(self) -> str:
        return f"{self.sheet.id}, {self.decks} decks, {self.left.size} cards left"


def _shares(**shares: Fraction | None) -> Row:
    """Each share as an exact fraction and as a float, None where there is none."""
    row: Row = {}
    for name, share in shares.items():
        row |= {f"{name}_exact": None if share is None else str(share), name: None if share is None else float(share)}
    return row


def cards_left(decks: int, removed: Cards, counts: Sequence[int] | None) -> Composition:
    """A shoe without the removed cards, or with these counts left. Raises Refused."""
    if counts is not None and removed:
        raise Refused(CountsInvalid("counts-and-removed"))
    decks = read(decks, int, "decks")
    return shoe_without(decks, removed) if counts is None else shoe_of(decks, read(counts, tuple[int, ...], "counts"))


def game_odds(sheet: Sheet, decks: int, left: Composition) -> GameOdds:
    """The odds of a sheet for the cards left. Raises Refused."""
    with naming_extras("odds"):
        from punto.analysis.counting import distribution
        from punto.analysis.insurance import cells
        from punto.analysis.pricing import price_sheet
    of = distribution(left)
    offers = cells(sheet.insurance, of) if sheet.insurance else []
    return GameOdds(sheet, decks, left, price_sheet(sheet, of), tuple(offers))
