"""The exact distribution against a plain enumeration that shares no code with it: equal to the last integer."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from punto.analysis.counting import distribution
from punto.analysis.pricer import Pricer
from punto.analysis.pricing import price_sheet
from punto.rules.composition import Composition
from punto.rules.loader import GAMES, load
from tests.differential.plain import enumerate_deals

Counts = NDArray[np.int64]

FULL = [(4 * decks,) * 13 for decks in range(4, 11)]
# So small that ranks run out: one deck of few ranks, six cards, one rank only, gaps between ranks.
TINY = [
    (6, *[0] * 12),
    (0,) * 12 + (6,),
    (1, 1, 1, 1, 1, 1) + (0,) * 7,
    (2, 0, 0, 2, 0, 1, 0, 0, 1, 0, 0, 0, 1),
    (0, 0, 1, 0, 0, 3, 1, 0, 0, 1, 0, 1, 0),
    (0, 0, 0, 0, 0, 4, 4, 4, 0, 0, 0, 0, 0),
    (1,) * 13,
    (4,) * 13,
]


def depleted(number: int) -> list[tuple[int, ...]]:
    """Random shoes of one to ten decks with anything from six cards to all but one left."""
    random = np.random.default_rng(2026)
    found = []
    for _ in range(number):
        full = [4 * int(random.integers(1, 11))] * 13
        left = int(random.integers(6, sum(full)))
        if random.random() < 0.3:
            left = int(random.integers(6, 40))
        found.append(tuple(map(int, random.multivariate_hypergeometric(full, left))))
    return found


def plainly(counts: tuple[int, ...], *, python: bool = False) -> tuple[Counts, Counts]:
    joint = np.zeros((10, 10, 2, 2, 14, 14), np.int64)
    third = np.zeros((10, 10, 11, 3), np.int64)
    method: Any = enumerate_deals
    (method.py_func if python else method)(np.array(counts), joint, third)
    return joint, third


def agree(counts: tuple[int, ...], *, python: bool = False) -> None:
    joint, third = plainly(counts, python=python)
    left = Composition(counts)
    found = distribution(left)
    assert found.total == math.perm(sum(counts), 6) == joint.sum() == third.sum()
    assert (found.joint.reshape(joint.shape) == joint).all()
    assert (found.states == third).all()
    for game in GAMES:
        sheet = load(game)
        for price in price_sheet(sheet, found).values():
            table = np.frombuffer(price.bet.payoffs, np.uint8)
            by_code = [int(joint.reshape(-1)[table == code].sum()) for code in range(len(price.deals))]
            assert list(price.deals) == by_code, (game, price.bet.id)


@pytest.mark.parametrize("counts", FULL, ids=lambda counts: f"{counts[0] // 4} decks")
def test_full_shoes_agree_to_the_last_integer(counts: tuple[int, ...]) -> None:
    agree(counts)


@pytest.mark.parametrize("block", range(8))
def test_two_hundred_depleted_shoes_agree_to_the_last_integer(block: int) -> None:
    for counts in depleted(200)[block::8]:
        agree(counts)


@pytest.mark.parametrize("counts", TINY, ids=str)
def test_shoes_so_small_that_ranks_run_out_agree(counts: tuple[int, ...]) -> None:
    agree(counts)


@pytest.mark.parametrize("counts", TINY[:6], ids=str)
def test_the_same_enumeration_in_python_alone_agrees(counts: tuple[int, ...]) -> None:
    agree(counts, python=True)


def test_many_shoes_side_by_side_agree_with_one_at_a_time() -> None:
    shoes = [*FULL, *TINY, *depleted(20)]
    for game in GAMES:
        sheet = load(game)
        values = Pricer(sheet).values(np.array(shoes))
        prices = [price_sheet(sheet, distribution(Composition(shoe))).values() for shoe in shoes]
        exact = [[float(price.value) for price in each] for each in prices]
        np.testing.assert_allclose(values, exact, rtol=1e-12, atol=1e-12)
