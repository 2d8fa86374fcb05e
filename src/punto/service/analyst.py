"""Exact analysis as the service asks for it. It is handed in: it needs libraries that most of the service does not."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

from punto.rules.cards import Card
from punto.rules.insurance import Window
from punto.rules.sheet import Sheet


class Analyst(Protocol):
    """Works out exact figures of games. The first of a game take a while, so it is asked in a thread."""

    def edge(self, sheet: Sheet, decks: int, on: str) -> Fraction:
        """The House's share of each unit staked on an original or side bet in a full shoe."""

    def insurance_edge(
        self, sheet: Sheet, decks: int, on: str, window: Window, player_points: int, banker_points: int
    ) -> Fraction:
        """The House's share of each unit of insurance in a window at these points."""

    def favourable(self, sheet: Sheet, decks: int, gone: Sequence[Card]) -> tuple[str, ...]:
        """The bets that favour patrons in a round that begins after these cards have left the shoe."""
