"""The roads against the benchmark's baseline, which rebuilds everything from scratch and shares no code with them."""

from __future__ import annotations

from itertools import product

from hypothesis import example, given

from benchmarks.bench_roads import read, rebuild
from punto.roads.roads import Roads
from tests.roads_support import SETTINGS, shoe, shoes


def laid(text: str) -> dict[str, list[tuple[int, int, str]]]:
    roads = read(Roads.of(shoe(text)))
    return {name: [(cell.column, cell.row, cell.colour.value) for cell in cells] for name, cells in roads.items()}


@SETTINGS
@given(shoes)
@example("B" * 40 + "P" * 39 + "B" * 38 + "P" * 37 + "B" * 36 + "P" * 35 + "B" * 34 + "P" * 33)
def test_appended_roads_are_those_rebuilt_from_scratch(text: str) -> None:
    assert laid(text) == rebuild(text)


def test_every_shoe_of_eight_results_is_the_same_both_ways() -> None:
    for letters in product("BPT", repeat=8):
        assert laid("".join(letters)) == rebuild(letters)
