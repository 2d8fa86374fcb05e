"""Exact analysis for the service. NumPy is imported when the first figure is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from punto.rules.cards import Card
from punto.rules.insurance import Window
from punto.rules.sheet import Sheet


class ExactAnalyst:
    """A `punto.service.analyst.Analyst`."""

    def edge(self, sheet: Sheet, decks: int, on: str) -> Fraction:
        """The edge of an original or side bet in a full shoe."""
        from punto.analysis.edges import bet_edge

        return bet_edge(sheet, decks, on)

    def insurance_edge(
        self, sheet: Sheet, decks: int, on: str, window: Window, player_points: int, banker_points: int
    ) -> Fraction:
        """The edge of insurance in a window at these points."""
        from punto.analysis.edges import insurance_edge

        offered = window, sheet.insurance_bets[on].hand, player_points, banker_points
        return insurance_edge(sheet, decks, offered)

    def favourable(self, sheet: Sheet, decks: int, gone: Sequence[Card]) -> tuple[str, ...]:
        """The bets that favour patrons after these cards have left the shoe."""
        from punto.analysis.edges import favourable_bets

        return favourable_bets(sheet, decks, gone)
