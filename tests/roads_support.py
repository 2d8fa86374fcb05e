"""Shoes written as letters, for the tests of the roads."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st

from punto.roads.path import Colour
from punto.roads.roads import Cell
from punto.rules.cards import Rank
from punto.rules.outcome import Outcome

POINTS = {"B": (3, 7), "P": (8, 2), "T": (6, 6)}
SETTINGS = settings(derandomize=True, deadline=None, max_examples=300)

results = st.text("BPT", max_size=120)
# Long runs make tails, which a fair coin hardly ever does.
streaks = st.lists(st.tuples(st.sampled_from("BPT"), st.integers(1, 14)), max_size=14).map(
    lambda runs: "".join(letter * count for letter, count in runs)
)
shoes = results | streaks


def shoe(text: str) -> list[Outcome]:
    """The outcomes of letters such as "B P' T": a ' after a letter is a Banker pair, a , a Player pair."""
    outcomes: list[Outcome] = []
    for sign in text.replace(" ", ""):
        if sign in POINTS:
            outcomes.append(Outcome(*POINTS[sign], 2, 2, None, None))
        else:
            last = outcomes.pop()
            pairs = (last.player_pair, Rank.SIX) if sign == "'" else (Rank.KING, last.banker_pair)
            outcomes.append(Outcome(last.player_points, last.banker_points, 2, 2, *pairs))
    return outcomes


def places(cells: tuple[Cell, ...]) -> list[tuple[int, int]]:
    return [(cell.column, cell.row) for cell in cells]


def colours(cells: tuple[Cell, ...]) -> str:
    """Colours as letters: r red, b blue, g green."""
    return "".join({Colour.RED: "r", Colour.BLUE: "b", Colour.GREEN: "g"}[cell.colour] for cell in cells)
