"""Exact figures for the edge: a game's odds for anyone, the value of every bet of a running shoe for staff alone."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from punto.analysis.best_play import BestPlay, best_play
from punto.analysis.composition import shoe_without
from punto.analysis.counting import distribution
from punto.analysis.insurance import Cell, cells
from punto.analysis.pricing import Price, price_sheet
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
        "bets": {bet: _price(price) for bet, price in price_sheet(sheet, of).items()},
        "insurance": [_cell(cell) for cell in cells(sheet.insurance, of)] if sheet.insurance else [],
        "play": [_play(play) for play in plays],
    }


def _price(price: Price) -> dict[str, Any]:
    return {
        "edge": float(price.edge),
        "edge_exact": str(price.edge),
        "hit": float(price.hit),
        "sd": price.sd,
        "pays": [
            {"when": line.says, "odds": line.odds.text, "probability": float(share)}
            for line, share in zip(price.bet.pays, price.lines, strict=True)
        ],
    }


def _cell(cell: Cell) -> dict[str, Any]:
    return {
        "window": cell.offer.window.value,
        "hand": cell.offer.hand.value,
        "player": cell.player,
        "banker": cell.banker,
        "odds": cell.offer.odds.text,
        "win": _float(cell.win),
        "push": _float(cell.push),
        "ev": _float(cell.value),
        "ev_exact": None if cell.value is None else str(cell.value),
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


def _float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)
