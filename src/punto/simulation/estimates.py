"""Any sheet priced from one histogram, next to the exact figure."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from punto.analysis.counting import distribution
from punto.analysis.pricing import Price
from punto.rules.bets import OfferedBet
from punto.rules.composition import Composition
from punto.rules.outcome import PAIRS, PLAYS, Winner, every_play
from punto.simulation.counts import Histogram
from punto.simulation.simulate import Simulation


@dataclass(frozen=True, slots=True)
class Estimate:
    """A bet's counted house edge with its standard error, next to the exact edge of a full shoe.

    `edge`, `stderr` and `sigma` are over the rounds that every shoe has: each of those has exactly the distribution of
    the first round. `edge_all` is over all rounds. The number of rounds of a shoe depends on its cards, so the rounds
    near the cut card are not a fair sample: `cut_card_effect` is their effect on the edge over whole shoes, measured by
    the late rounds alone, with its own standard error.
    """

    edge: float
    stderr: float
    exact: float
    sigma: float
    edge_all: float
    edge_all_stderr: float
    cut_card_effect: float
    cut_card_stderr: float


def estimate(bet: OfferedBet, simulation: Simulation) -> Estimate:
    """The estimate of a bet from a simulation."""
    counts, sure = simulation.counts, simulation.counts.first(simulation.shoe.sure_rounds)
    everything = counts.histogram
    of = distribution(Composition(simulation.shoe.counts))
    exact = float(_price(bet, of.joint.reshape(-1)).edge)
    edge, stderr = _with_error(bet, sure)
    edge_all, stderr_all = _with_error(bet, everything)
    late_edge, late_error = _with_error(bet, everything - sure)
    share = 1 - int(sure.sum()) / max(counts.rounds, 1)
    return Estimate(
        edge,
        stderr,
        exact,
        (edge - exact) / stderr if stderr else 0.0,
        edge_all,
        stderr_all,
        share * (late_edge - exact) if share else 0.0,
        share * late_error,
    )


def first_rounds(bet: OfferedBet, simulation: Simulation, rounds: int) -> tuple[float, float]:
    """A bet's edge and its standard error over the first rounds of each shoe, up to a number that must be a split."""
    return _with_error(bet, simulation.counts.first(rounds))


def results(histogram: Histogram) -> dict[str, int]:
    """The numbers of rounds that Player won, Banker won and the hands tied."""
    rounds = list(zip(every_play(), histogram.reshape(PLAYS, PAIRS).sum(axis=1).tolist(), strict=True))
    return {winner.value: sum([count for play, count in rounds if play.winner is winner]) for winner in Winner}


def _price(bet: OfferedBet, histogram: Histogram) -> Price:
    payoffs = np.frombuffer(bet.payoffs, np.uint8)
    tally = [int(histogram[payoffs == code].sum()) for code in range(len(bet.nets))]
    return Price(bet, sum(tally), tuple(tally))


def _with_error(bet: OfferedBet, histogram: Histogram) -> tuple[float, float]:
    """The edge and its standard error. Rounds count as independent; within a shoe they nearly are."""
    price = _price(bet, histogram)
    return (float(price.edge), price.sd / math.sqrt(price.total)) if price.total else (0.0, 0.0)
