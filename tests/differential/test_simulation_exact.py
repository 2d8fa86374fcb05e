"""Simulation against the exact first round."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from benchmarks import plain_simulator
from benchmarks.gpu import chi_square
from punto.analysis.counting import distribution
from punto.rules.cards import DECK, Rank
from punto.rules.composition import Burn, Composition
from punto.rules.loader import load, load_all
from punto.rules.outcome import SIZE, Outcome, Winner
from punto.simulation.backends import Resources
from punto.simulation.estimates import estimate, results
from punto.simulation.shoe import SimulatedShoe
from punto.simulation.simulate import Simulation, simulate


def check(simulation: Simulation) -> None:
    """The rounds every shoe has follow the exact distribution, and every bet of every sheet is within 4 sigma."""
    observed = simulation.counts.first(simulation.shoe.sure_rounds)
    assert observed[distribution(Composition(simulation.shoe.counts)).joint.reshape(-1) == 0].sum() == 0
    _, _, sigmas = chi_square(observed, simulation.shoe)
    assert abs(sigmas) < 4
    for sheet in load_all():
        for bet in sheet.bets.values():
            assert abs(estimate(bet, simulation).sigma) < 4, (sheet.id, bet.id)


@pytest.mark.parametrize(
    "shoe",
    [
        SimulatedShoe.of_decks(4),
        SimulatedShoe.of_decks(5),
        SimulatedShoe.of_decks(6, cut=100),
        SimulatedShoe.of_decks(7, burn=20),
        SimulatedShoe.of_decks(8),
        SimulatedShoe.of_decks(8, burn=Burn.CARD),
        SimulatedShoe.of_decks(9),
        SimulatedShoe.of_decks(10),
        SimulatedShoe((2, 40, 3, 17, 0, 8, 9, 25, 31, 1, 7, 40, 12)),
    ],
    ids=str,
)
def test_rounds_that_every_shoe_has_follow_the_exact_distribution(shoe: SimulatedShoe) -> None:
    check(simulate(shoe, 20_000_000, 2024, resources=Resources(2)))


def test_first_rounds_alone_follow_the_exact_distribution() -> None:
    simulation = simulate(SimulatedShoe.of_decks(8, cut=415), 5_000_000, 5, resources=Resources(2))
    assert simulation.counts.rounds == simulation.counts.shoes
    check(simulation)


@pytest.mark.slow
def test_a_billion_first_rounds_follow_the_exact_distribution() -> None:
    simulation = simulate(SimulatedShoe.of_decks(8, cut=415), 10**9, 5)
    assert simulation.counts.shoes >= 10**9
    check(simulation)


@pytest.mark.slow
@pytest.mark.parametrize("decks", [4, 6, 8, 10])
def test_billions_of_rounds_follow_the_exact_distribution(decks: int) -> None:
    check(simulate(SimulatedShoe.of_decks(decks), 2 * 10**9, 5))


def test_every_round_number_that_all_shoes_reach_has_the_first_rounds_distribution() -> None:
    shoe = SimulatedShoe.of_decks(8)
    numbers = (1, 2, 20, 45, 66, 67)
    splits = tuple(sorted({*numbers, *[number - 1 for number in numbers if number > 1]}))
    counts = simulate(shoe, 250_000_000, 9, splits=splits, resources=Resources(2)).counts
    for number in numbers:
        rounds = counts.first(number) - (counts.first(number - 1) if number > 1 else 0)
        assert rounds.sum() == counts.shoes
        _, _, sigmas = chi_square(rounds, shoe)
        assert abs(sigmas) < 4, number


def test_rounds_near_the_cut_card_do_not() -> None:
    """How many rounds a shoe has depends on its cards: rounds that few shoes reach come after many small rounds."""
    counts = simulate(SimulatedShoe.of_decks(8), 300_000_000, 9, splits=(82,), resources=Resources(2)).counts
    _, _, sigmas = chi_square(counts.histogram - counts.first(82), SimulatedShoe.of_decks(8))
    assert sigmas > 6


def test_plain_python_and_the_kernel_deal_alike() -> None:
    plain = plain_simulator.simulate(200_000, seed=3)
    mine = simulate(SimulatedShoe.of_decks(8), 20_000_000, 3, resources=Resources(2)).counts
    histogram = np.zeros(SIZE, np.int64)
    for (player, banker, player_cards, banker_cards, player_pair, banker_pair), n in plain.items():
        pairs = (Rank(player_pair) if player_pair else None, Rank(banker_pair) if banker_pair else None)
        histogram[Outcome(player, banker, player_cards, banker_cards, *pairs).index] += n
    common = mine.histogram > 10_000
    table = np.stack([histogram[common], mine.histogram[common]])
    assert stats.chi2_contingency(table).pvalue > 1e-4


def test_the_winner_is_counted_as_the_rules_see_it() -> None:
    histogram = np.zeros(SIZE, np.int64)
    deck = {rank: next(card for card in DECK if card.rank is rank) for rank in Rank}
    nine, king, two = deck[Rank.NINE], deck[Rank.KING], deck[Rank.TWO]
    histogram[Outcome.of([nine, king], [two, king]).index] = 5
    histogram[Outcome.of([two, king], [nine, king]).index] = 3
    assert results(histogram) == {Winner.PLAYER: 5, Winner.BANKER: 3, Winner.TIE: 0}


def test_the_cut_card_effect_is_small_and_measured() -> None:
    simulation = simulate(SimulatedShoe.of_decks(8), 200_000_000, 21, resources=Resources(2))
    for bet in load("commission").bets.values():
        found = estimate(bet, simulation)
        assert abs(found.cut_card_effect) < 0.001
        assert 0 < found.cut_card_stderr < found.stderr
        whole = found.exact + found.cut_card_effect
        assert abs(found.edge_all - whole) < 5 * found.stderr
