"""Exact analysis as the service asks for it. It is handed in: it needs libraries that most of the service does not."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

from punto.rules.cards import Card
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.sheet import Sheet


class Analyst(Protocol):
    """The functions of `punto.analysis.edges`. The first figures of a game take a while, so a thread asks for them."""

    def bet_edge(self, sheet: Sheet, decks: int, on: str) -> Fraction:
        """The House's share of each unit staked on an original or side bet in a full shoe."""

    def insurance_edge(self, sheet: Sheet, decks: int, offered: tuple[Window, Hand, int, int]) -> Fraction:
        """The House's share of each unit of insurance in a window on a hand, at these points of Player and Banker."""

    def favourable_bets(self, sheet: Sheet, decks: int, gone: Sequence[Card]) -> tuple[str, ...]:
        """The bets that favour patrons in a round that begins after these cards have left the shoe."""
