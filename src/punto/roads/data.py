"""The roads as plain data, so that a page or another program can draw them."""

from __future__ import annotations

from typing import Any

from punto.roads.path import ROWS
from punto.roads.roads import ROADS, Cell, Roads
from punto.roads.words import ENGLISH, HANDS
from punto.rules.outcome import Winner


def to_data(roads: Roads) -> dict[str, Any]:
    """All five roads and the next-hand rows as dicts, lists, strings and numbers for JSON, as docs/roads.md specifies.

    Columns and rows count from 0, the top left.
    """
    outcomes = roads.outcomes
    return {
        "rounds": roads.rounds,
        "results": {winner.value: sum(outcome.winner is winner for outcome in outcomes) for winner in Winner},
        "rows": ROWS,
        "roads": {name: [_cell(cell) for cell in getattr(roads, name)] for name in ROADS},
        "ties_waiting": roads.ties_waiting,
        "next_hand": {
            winner.value: {name: colour and colour.value for name, colour in roads.next_hand(winner)._asdict().items()}
            for winner in HANDS
        },
        "note": ENGLISH.says("tradition"),
    }


def _cell(cell: Cell) -> dict[str, Any]:
    pairs = {"banker-pair": cell.banker_pair, "player-pair": cell.player_pair}
    return {
        "round": cell.round,
        "column": cell.column,
        "row": cell.row,
        "colour": cell.colour.value,
        "ties": cell.ties,
        "marks": [name for name, there in pairs.items() if there],
    }
