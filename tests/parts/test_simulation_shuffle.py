"""The shuffle itself: every order of tiny shoes counted, and of full shoes what would show a bias."""

from __future__ import annotations

from itertools import permutations
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from punto.analysis.compiled import compiled
from punto.simulation import kernel, streams
from punto.simulation.shoe import SimulatedShoe

MIN_P = 1e-4
"""Seeds are fixed, so a test passes always or never; a right shuffle would fail so rarely."""


@compiled(nogil=True)
def order_blocks(
    keys: Any, blocks: Any, shoe: Any, orders: Any, words: Any, bits16: Any, bytes8: Any, spare: Any
) -> None:
    """Deal whole shoes card by card, to look at the shuffle itself: `orders[i, place, lane]` is a rank from 0."""
    w = np.zeros(kernel._SIZE, np.uint8)
    waiting, stop = np.empty(kernel.LANES, np.uint16), np.empty(kernel.LANES, np.uint16)
    for i in range(blocks):
        kernel._seed_block(words, spare, keys, i)
        labels = kernel._open_shoes(w, words, bits16, bytes8, spare, waiting, stop, shoe)
        poured = 1
        for place in range(orders.shape[1]):
            poured = kernel._pour(w, waiting, poured, labels, 1)
            kernel._refill(words)
            kernel._draw(w, bits16, 0, kernel._ACTIVE, kernel._C1, spare)
            for lane in range(kernel.LANES):
                orders[i, place, lane] = w[kernel._C1 + lane]


def orders(counts: tuple[int, ...], labels: int, blocks: int, seed: int = 7) -> npt.NDArray[np.uint8]:
    """Whole shoes in the order they are dealt: a row for each place, a column for each shoe; ranks from 0."""
    cards = sum(counts)
    out = np.empty((blocks, cards, kernel.LANES), np.uint8)
    shoe = np.array([*counts, 0, 0, 0, labels], np.int64)
    order_blocks(streams.keys(seed, kernel.SEED_WORDS), blocks, shoe, out, *kernel._workspace())
    return out.transpose(1, 0, 2).reshape(cards, -1)


def ranks(*held: int) -> tuple[int, ...]:
    return tuple(held.count(rank) for rank in range(1, 14))


@pytest.mark.parametrize("labels", [1, 4, 8])
@pytest.mark.parametrize(
    "held",
    [(1, 2, 3), (1, 1, 2), (1, 2, 3, 4, 5), (13, 13, 1, 1, 5), (1, 4, 7, 10, 12, 13), (9, 9, 9, 10, 11, 11)],
    ids=str,
)
def test_every_order_of_a_tiny_shoe_is_equally_likely(held: tuple[int, ...], labels: int) -> None:
    possible = sorted(set(permutations([rank - 1 for rank in held])))
    dealt = orders(ranks(*held), labels, 4_000)
    weights = 13 ** np.arange(len(held))
    place_of = {int(np.dot(order, weights)): place for place, order in enumerate(possible)}
    keys, counts = np.unique(weights @ dealt.astype(np.int64), return_counts=True)
    seen = np.zeros(len(possible))
    for key, count in zip(keys, counts, strict=True):
        seen[place_of[int(key)]] = count
    assert stats.chisquare(seen).pvalue > MIN_P


@pytest.mark.parametrize("decks", [1, 4, 5, 6, 7, 8, 9, 10])
def test_every_shoe_holds_its_cards_exactly(decks: int) -> None:
    shoe = SimulatedShoe.of_decks(decks)
    dealt = orders(shoe.counts, int(shoe.as_array()[-1]), 20)
    for rank in range(13):
        assert ((dealt == rank).sum(axis=0) == 4 * decks).all()


@pytest.mark.parametrize("decks", [4, 8, 10])
def test_every_place_holds_every_rank_equally_often(decks: int) -> None:
    shoe = SimulatedShoe.of_decks(decks)
    dealt = orders(shoe.counts, int(shoe.as_array()[-1]), 1_000)
    shoes = dealt.shape[1]
    table = np.stack([(dealt == rank).sum(axis=1) for rank in range(13)])
    expected = shoes / 13
    # Each row and each column has a fixed total, and a shoe's cards are drawn without replacement: the statistic, so
    # scaled, has the mean of a chi-square on (places - 1) * 12 degrees of freedom.
    statistic = float(((table - expected) ** 2 / expected).sum()) * (1 - 1 / shoe.cards)
    freedom = (shoe.cards - 1) * 12
    assert abs(statistic - freedom) / sqrt(2 * freedom) < 4


@pytest.mark.parametrize("decks", [8, 10])
@pytest.mark.parametrize("lag", [1, 2, 6, 52, 104, 208, 300])
def test_two_places_are_alike_as_often_as_a_shuffle_makes_them(decks: int, lag: int) -> None:
    shoe = SimulatedShoe.of_decks(decks)
    dealt = orders(shoe.counts, int(shoe.as_array()[-1]), 1_000, seed=11)
    alike = (dealt[:-lag] == dealt[lag:]).mean(axis=0)
    chance = (4 * decks - 1) / (shoe.cards - 1)
    assert abs(alike.mean() - chance) / (alike.std() / sqrt(len(alike))) < 4


@pytest.mark.parametrize("decks", [8, 10])
def test_pairs_of_neighbours_have_every_pair_of_ranks_in_proportion(decks: int) -> None:
    shoe = SimulatedShoe.of_decks(decks)
    dealt = orders(shoe.counts, int(shoe.as_array()[-1]), 1_000, seed=12).astype(np.int64)
    # Every sixth place, so that the pairs of a shoe hardly depend on each other.
    seen = np.bincount((dealt[:-1:6] * 13 + dealt[1::6][: len(dealt[:-1:6])]).reshape(-1), minlength=169)
    one = 4 * decks
    chances = np.full((13, 13), one * one) - np.diag([one] * 13)
    assert stats.chisquare(seen, chances.reshape(-1) * (seen.sum() / chances.sum())).pvalue > MIN_P


def test_labels_that_would_not_fit_are_drawn_again_and_none_overflows() -> None:
    """Nine decks with four labels are too many: most labellings are refused, yet each shoe dealt is whole."""
    shoe = SimulatedShoe.of_decks(9)
    dealt = orders(shoe.counts, 4, 20)
    assert all(((dealt == rank).sum(axis=0) == 36).all() for rank in range(13))


def test_blocks_have_streams_of_their_own() -> None:
    dealt = orders(SimulatedShoe.of_decks(8).counts, 4, 50)
    assert len(np.unique(dealt, axis=1).T) == 50 * kernel.LANES
    assert not (dealt == orders(SimulatedShoe.of_decks(8).counts, 4, 50, seed=8)).all(axis=0).any()
