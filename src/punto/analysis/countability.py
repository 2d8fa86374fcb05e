"""How well a bet can be counted: shoes are dealt, and every round's bets are priced exactly for the cards left.

Only the shuffle is random. The value of a bet at the start of a round is computed, not sampled, so a few thousand
shoes replace billions of rounds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from punto.analysis.compiled import compiled
from punto.analysis.counting import BANKER_DRAWS, PLAYER_DRAWS, POINTS, STOOD, Counts
from punto.analysis.polynomial import Pricer
from punto.analysis.removal import ShoeRows, true_counts
from punto.analysis.straight_line import Floats
from punto.rules.composition import DEFAULT_CUT, ROUND_CARDS, Composition
from punto.rules.reasons import shorten
from punto.rules.refusals import RefusedError
from punto.rules.sheet import Sheet
from punto.rules.shoe_refusals import ShoesInvalid

BATCH_SHOES = 64
"""Shoes dealt together: few, so that all their rounds stay in the cache."""
MAX_SHOES = 10**8
"""More shoes than anyone waits for."""
LOWEST, HIGHEST = -99, 99
"""Whole true counts up to this are separate; larger ones count as this."""

NOTHING = 1e-12
"""A value above zero by less than this is rounding."""


@dataclass(frozen=True, slots=True)
class Shoes:
    """Shoes to deal: their number and decks. No round begins with `cut` cards left or fewer."""

    decks: int = 8
    cut: int = DEFAULT_CUT
    number: int = 2_000
    seed: int = 1

    def __post_init__(self) -> None:
        size = Composition.full(self.decks).size
        if not ROUND_CARDS - 1 <= self.cut < size:
            raise RefusedError(ShoesInvalid("cut-out-of-range", str(self.cut), ROUND_CARDS - 1, size - 1))
        if self.seed < 0:
            raise RefusedError(ShoesInvalid("seed-negative", str(self.seed)))
        if self.number < 1:
            raise RefusedError(ShoesInvalid("no-shoes", str(self.number)))
        if self.number > MAX_SHOES:
            raise RefusedError(ShoesInvalid("too-many-shoes", shorten(self.number), 1, MAX_SHOES))


@dataclass(frozen=True, slots=True)
class CountingResult:
    """The result of betting one unit in some of the rounds: how often, the average gain, and the win for each shoe."""

    rounds: int
    bets: int
    won: float
    shoe_error: float
    shoes: int

    @property
    def share(self) -> float:
        """The share of rounds in which the bet is made; nan if there were none."""
        return self.bets / self.rounds if self.rounds else math.nan

    @property
    def average(self) -> float:
        """The average advantage when it is made; nan if it never is."""
        return self.won / self.bets if self.bets else math.nan

    @property
    def per_shoe(self) -> float:
        """The expected win from one shoe, in units; `shoe_error` is its standard error."""
        return self.won / self.shoes


@dataclass(frozen=True, slots=True)
class Counted:
    """Play by a count: one unit whenever the true count is at the threshold or above.

    `correlation` is between the true count and the bet's exact value, over all rounds.
    """

    tags: tuple[float, ...]
    threshold: float
    play: CountingResult
    correlation: float


@dataclass(frozen=True, slots=True)
class Countability:
    """The results of counting one bet. `perfect` bets whenever that is favourable; `highest` is the best value seen."""

    bet: str
    perfect: CountingResult
    highest: float
    counted: Counted | None


def countability(
    sheet: Sheet,
    shoes: Shoes,
    tags: Mapping[str, Sequence[float]],
    *,
    threshold: float | None = None,
    progress: Callable[[int], None] | None = None,
) -> dict[str, Countability]:
    """Deal shoes and compute for each bet what perfect play wins and what counting with these tags wins.

    A bet without tags is not counted. Without a threshold each count uses the whole threshold that wins most.
    `progress` gets the number of shoes done.
    """
    pricer = Pricer(sheet)
    sums = [_Sums(bet.id, tags.get(bet.id), threshold) for bet in pricer.bets]
    generator = generator_of(shoes.seed)
    for done in range(0, shoes.number, BATCH_SHOES):
        number = min(BATCH_SHOES, shoes.number - done)
        starts, shoe = deal_shoes(shuffle(generator, shoes.decks, number), shoes)
        values = pricer.values(starts)
        for each, row in zip(sums, values.T, strict=True):
            counts = None if each.tags is None else true_counts(starts, shoes.decks, each.tags)
            each.add(row, shoe, counts)
        if progress:
            progress(done + number)
    return {each.bet: each.result(shoes.number) for each in sums}


class _Sums:
    """The sums over the rounds for one bet. `counted` has a column for each threshold of the true count."""

    def __init__(self, bet: str, tags: Sequence[float] | None, threshold: float | None) -> None:
        self.bet, self.tags = bet, tags
        self.levels = np.arange(LOWEST, HIGHEST + 1.0) if threshold is None else np.array([threshold])
        self.rounds, self.highest = 0, -math.inf
        self.perfect = np.zeros(3)
        self.counted = np.zeros((3, len(self.levels)))
        self.moments = np.zeros(5)

    def add(self, values: Floats, shoe: Counts, counts: Floats | None) -> None:
        """Add rounds: the value of the bet in each, the number of its shoe, and the true count."""
        self.rounds += len(values)
        self.highest = max(self.highest, add_favourable(values, shoe, self.perfect))
        if counts is None:
            return
        pairs = (counts, counts), (values, values), (counts, values)
        self.moments += [counts.sum(), values.sum(), *[(one * other).sum() for one, other in pairs]]
        # The level each round reaches; at a level, all rounds that reach it or a higher one are played.
        reached = np.searchsorted(self.levels, counts + NOTHING, side="right")
        width = len(self.levels) + 1
        cells = shoe * width + reached
        size = (int(shoe[-1]) + 1) * width
        bets, won = (np.bincount(cells, each, size).reshape(-1, width) for each in (None, values))
        bets, won = (np.cumsum(each[:, :0:-1], axis=1)[:, ::-1] for each in (bets, won))
        self.counted += [bets.sum(axis=0), won.sum(axis=0), (won * won).sum(axis=0)]

    def result(self, shoes: int) -> Countability:
        """The figures, once all shoes are dealt."""
        perfect = result_of(self.rounds, self.perfect, shoes)
        if self.tags is None:
            return Countability(self.bet, perfect, self.highest, None)
        best = int(self.counted[1].argmax())
        x, y, xx, yy, xy = self.moments / self.rounds
        spread = (xx - x * x) * (yy - y * y)
        correlation = float(xy - x * y) / math.sqrt(spread) if spread > NOTHING**2 else math.nan
        counted = Counted(
            tuple(self.tags),
            float(self.levels[best]),
            result_of(self.rounds, self.counted[:, best], shoes),
            correlation,
        )
        return Countability(self.bet, perfect, self.highest, counted)


def result_of(rounds: int, sums: Floats, shoes: int) -> CountingResult:
    """The result of these rounds, from the number of bets, what they win, and the sum of its square by shoe."""
    bets, won, squares = (float(each) for each in sums)
    error = math.sqrt(max(squares / shoes - (won / shoes) ** 2, 0.0) / shoes)
    return CountingResult(rounds, int(bets), won, error, shoes)


# ------------------------------------------------------------------------------------------- dealing


def generator_of(seed: int) -> NDArray[np.uint64]:
    """The state of a random generator (xoshiro256++), for `shuffle`."""
    return np.random.SeedSequence(seed).generate_state(4, np.uint64).astype(np.uint64, copy=False)


def shuffle(generator: NDArray[np.uint64], decks: int, number: int) -> NDArray[np.uint8]:
    """Shuffled shoes, a row of ranks (0 to 12) for each; changes the generator's state."""
    shoes = np.tile(np.repeat(np.arange(13, dtype=np.uint8), 4 * decks), (number, 1))
    _shuffle(shoes, generator)
    return shoes


def deal_shoes(shuffled: NDArray[np.uint8], shoes: Shoes) -> tuple[ShoeRows, Counts]:
    """Deal shuffled shoes: the cards left at the start of every round, and the number of the shoe."""
    number, cards = shuffled.shape
    starts = np.empty((number * (cards // 4 + 1), 13), np.uint16)
    shoe = np.empty(len(starts), np.int64)
    rounds = _deal(shuffled, 4 * shoes.decks, shoes.cut, POINTS, PLAYER_DRAWS, BANKER_DRAWS, starts, shoe)
    return starts[:rounds], shoe[:rounds]


# The loops below are compiled. They have no types, because numba infers them.


@compiled()
def _shuffle(shoes, state):  # type: ignore[no-untyped-def]
    """Every order is equally likely: a random word that would make some place more likely than others is rejected."""
    half = np.uint64(32)
    lower = np.uint64(0xFFFFFFFF)
    a, b, c, d = state
    for shoe in range(len(shoes)):
        cards = shoes[shoe]
        for place in range(len(cards) - 1, 0, -1):
            places = np.uint64(place + 1)
            while True:
                word = a + d
                word = ((word << np.uint64(23)) | (word >> np.uint64(41))) + a
                shifted = b << np.uint64(17)
                c ^= a
                d ^= b
                b ^= c
                a ^= d
                c ^= shifted
                d = (d << np.uint64(45)) | (d >> np.uint64(19))
                product = (word >> half) * places
                rest = product & lower
                if rest >= places or rest >= (lower + np.uint64(1)) % places:
                    break
            other = product >> half
            cards[place], cards[other] = cards[other], cards[place]
    state[0], state[1], state[2], state[3] = a, b, c, d


@compiled()
def _deal(shoes, copies, cut, points, player_draws, banker_draws, starts, shoe_of):  # type: ignore[no-untyped-def]
    """Six cards are looked at in each round, so that no step depends on how many it uses."""
    rounds = 0
    left = np.zeros(13, np.uint16)
    for shoe in range(len(shoes)):
        cards = shoes[shoe]
        for rank in range(13):
            left[rank] = copies
        at = 0
        while len(cards) - at > cut:
            for rank in range(13):  # numba takes seconds to compile the copying of a row
                starts[rounds, rank] = left[rank]
            shoe_of[rounds] = shoe
            rounds += 1
            player = (points[cards[at]] + points[cards[at + 2]]) % 10
            banker = (points[cards[at + 1]] + points[cards[at + 3]]) % 10
            player_third = player_draws[player, banker]
            third = points[cards[at + 4]] if player_third else STOOD
            used = 4 + player_third + banker_draws[player, banker, third]
            for place in range(6):
                left[cards[at + place]] -= place < used
            at += used
    return rounds


@compiled()
def add_favourable(values, shoe, sums):  # type: ignore[no-untyped-def]
    """Add the favourable rounds to their number, their value and its square by shoe; returns the highest value."""
    highest = -np.inf
    before = -1
    in_shoe = 0.0
    for place in range(len(values)):
        if shoe[place] != before:
            sums[2] += in_shoe * in_shoe
            before, in_shoe = shoe[place], 0.0
        value = values[place]
        highest = max(highest, value)
        if value > NOTHING:
            sums[0] += 1
            sums[1] += value
            in_shoe += value
    sums[2] += in_shoe * in_shoe
    return highest
