"""The straight-line programs that price many shoes, against the integer method, which shares no code: equal to the bit.

`test_counting` holds the integer method against a plain enumeration.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import punto.sheets.gallery
from punto.analysis.counting import distribution
from punto.analysis.lanes import kernel_of
from punto.analysis.pricer import Part, parts_of
from punto.analysis.pricing import by_code, price_sheet
from punto.analysis.straight_line import Floats, Program, newton
from punto.rules.composition import MAX_CARDS, Composition
from punto.rules.loader import GAMES, load
from tests.differential.test_counting import FULL, TINY, depleted

GALLERY = [f"gallery/{path.stem}" for path in sorted(Path(punto.sheets.gallery.__path__[0]).glob("*.toml"))]
SHEETS = [*GAMES, *GALLERY]
FULLEST = [
    (MAX_CARDS, *[0] * 12),
    (0,) * 9 + (MAX_CARDS // 4,) * 4,
    (*[0] * 8, MAX_CARDS // 2, MAX_CARDS // 2, 0, 0, 0),
]
"""The largest shoes that there are, of few ranks, so that falling factorials are as large as they can be."""

Deals = dict[str, list[tuple[int, ...]]]


def program_of(game: str) -> tuple[list[Part], Program]:
    """A program for the deals of every class, in the order of the parts of the sheet."""
    bets, program = load(game).bets.values(), Program(13)
    parts = parts_of(bets)
    assert sum(len(part.bets) for part in parts) == len(bets)
    program.finish([value for part in parts for value in part.add_deals(program)[1].values()])
    return parts, program


def by_bet(parts: list[Part], found: Sequence[Floats], shoes: Sequence[tuple[int, ...]]) -> Deals:
    """Deals by payoff byte for each bet and shoe, from the program's outputs."""
    rows = iter(found)
    total = np.array([math.perm(sum(shoe), 6) for shoe in shoes])
    deals: Deals = {}
    for part in parts:
        omitted, values = part.add_deals(Program(13))
        classes = np.zeros((part.classes.codes.shape[1], len(shoes)), np.int64)
        for target in values:
            row = next(rows)
            assert (row == np.round(row)).all()
            classes[target] = row.astype(np.int64)
        classes[omitted] = total - classes.sum(axis=0)
        for bet, codes in zip(part.bets, part.classes.codes, strict=True):
            deals[bet.id] = [by_code(bet, codes, column) for column in classes.T]
    return deals


def in_numpy(game: str, shoes: Sequence[tuple[int, ...]]) -> Deals:
    parts, program = program_of(game)
    values = program.run(list(np.array(shoes, float).T))
    return by_bet(parts, [values[output] for output in program.outputs], shoes)


@pytest.mark.parametrize("game", SHEETS)
def test_every_class_has_the_deals_of_the_integer_method(game: str) -> None:
    shoes = [*FULL, *TINY, *FULLEST, *depleted(40)]
    found = in_numpy(game, shoes)
    for place, shoe in enumerate(shoes):
        for bet, price in price_sheet(load(game), distribution(Composition(shoe))).items():
            assert found[bet][place] == price.deals, (bet, shoe)


@pytest.fixture(scope="module")
def compiled() -> tuple[list[Part], Any, int]:
    parts, program = program_of("da-hu-ying-xiong")
    return parts, kernel_of(program), len(program.outputs)


counts = st.lists(st.integers(0, 40), min_size=13, max_size=13).filter(lambda shoe: sum(shoe) >= 6)


@settings(max_examples=10, deadline=None)
@given(st.lists(counts, min_size=1, max_size=20))
def test_compiled_shoes_side_by_side_have_the_same_deals(
    compiled: tuple[list[Part], Any, int], some: list[list[int]]
) -> None:
    parts, kernel, outputs = compiled
    shoes = [tuple(shoe) for shoe in some]
    found = np.empty((outputs, len(shoes)))
    kernel(np.array(shoes, np.uint16), found)
    deals = by_bet(parts, list(found), shoes)
    for place, shoe in enumerate(shoes):
        for bet, price in price_sheet(load("da-hu-ying-xiong"), distribution(Composition(shoe))).items():
            assert deals[bet][place] == price.deals


@given(st.dictionaries(st.tuples(st.integers(0, 2), st.integers(0, 2)), st.integers(-9, 9)))
def test_newton_finds_a_polynomial_by_its_values(terms: dict[tuple[int, int], int]) -> None:
    points = [(x, y) for x in range(5) for y in range(5 - x)]
    values = [sum(c * math.perm(x, a) * math.perm(y, b) for (a, b), c in terms.items()) for x, y in points]
    assert newton(points, np.array(values, float)) == {powers: c for powers, c in terms.items() if c}
