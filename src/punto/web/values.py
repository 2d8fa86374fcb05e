"""Exact figures for the edge: a game's odds for anyone, the value of every bet of a running shoe for staff alone."""

from __future__ import annotations

from typing import Any

from punto.analysis.best_play import BestPlay, best_play
from punto.analysis.composition import shoe_without
from punto.analysis.counting import distribution
from punto.analysis.insurance import cells
from punto.analysis.plain import write_cell, write_price
from punto.analysis.pricing import price_sheet
from punto.rules.cards import Card
from punto.rules.hands import Hand
from punto.rules.sheet import Sheet

_ODDS: dict[tuple[str, str, int], dict[str, Any]] = {}
"""Anyone may ask for the odds of a full shoe, so each is worked out once."""


def odds(sheet: Sheet, decks: int) -> dict[str, Any]:
    """What `punto odds --json` says of a full shoe, and how insurance is best played where there is any."""
    key = sheet.id, sheet.effective, decks
    if key not in _ODDS:
        _ODDS[key] = _figures(sheet, decks, (), ())
    return _ODDS[key]


def values(sheet: Sheet, decks: int, gone: tuple[Card, ...], on_table: tuple[Card, ...]) -> dict[str, Any]:
    """The same for a shoe that these cards have left, with the round's cards on the table."""
    return _figures(sheet, decks, gone, on_table) | {"left": 52 * decks - len(gone) - len(on_table)}


def _figures(sheet: Sheet, decks: int, gone: tuple[Card, ...], on_table: tuple[Card, ...]) -> dict[str, Any]:
    left = shoe_without(decks, (*gone, *on_table))
    of = distribution(left, on_table)
    plays = [play for hand in Hand if (play := best_play(sheet, hand, left, on_table))]
    return {
        "game": sheet.id,
        "decks": decks,
        "bets": {bet: write_price(price) for bet, price in price_sheet(sheet, of).items()},
        "insurance": [write_cell(cell) for cell in cells(sheet.insurance, of)] if sheet.insurance else [],
        "play": [_play(play) for play in plays],
    }


def _play(play: BestPlay) -> dict[str, Any]:
    """For one unit on a hand: where the best play insures to the cap, and what that leaves of the edge."""
    return {
        "hand": play.hand.value,
        "edge": float(play.edge),
        "chart_edge": float(play.chart_edge),
        "best_edge": float(play.best_edge),
        "chart": [
            {"window": window.value, "player": player, "banker": banker, "advice": choice.advice.value}
            for (window, player, banker), choice in play.chart.items()
        ],
    }
