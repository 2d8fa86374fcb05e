"""Prices and insurance offers as plain data for JSON, for the command and the web server."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from punto.analysis.insurance import Cell
from punto.analysis.pricing import Price


def write_price(price: Price) -> dict[str, Any]:
    """A price as plain data; edge_exact is the same number as edge, as a fraction."""
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


def write_cell(cell: Cell) -> dict[str, Any]:
    """An insurance offer as plain data; win, push and ev are null if these cards cannot reach it."""
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


def _float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)
