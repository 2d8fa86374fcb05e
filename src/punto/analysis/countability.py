"""Countability of a bet: shoes are dealt, and every round's bets are priced exactly for the cards left.

Only the shuffle is random. The value of a bet at the start of a round is computed, not sampled, so a few thousand
shoes replace billions of rounds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from punto.analysis.compiled import compiled
from punto.analysis.counting import BANKER_DRAWS, PLAYER_DRAWS, POINTS, STOOD, Counts
from punto.analysis.pricer import Pricer
from punto.analysis.removal import ShoeRows, true_counts
from punto.analysis.straight_line import Floats
from punto.rules.composition import DEFAULT_CUT, Burn, Composition, check_shoe
from punto.rules.reasons import shorten
from punto.rules.refusals import Refused
from punto.rules.sheet import Sheet
from punto.rules.shoe_refusals import SeedInvalid, ShoesInvalid

BATCH_SHOES = 64
"""Shoes dealt together: few, so that all their rounds stay in the cache."""
MAX_SHOES = 10**8
"""More shoes than anyone waits for."""
LOWEST, HIGHEST = -99, 99
"""Whole true counts up to this are separate; larger ones count as this."""

CHOOSING, GROUPS = 1, 32
"""The stream of the shoes on which thresholds are chosen, and the groups of shoes for the error of a correlation."""
BY_CARD = -1
"""Cards are burnt by the first card."""

NOTHING = 1e-12
"""A value above zero by less than this is rounding."""


@dataclass(frozen=True, slots=True)
class Shoes:
    """Shoes to deal: their number and decks, and the cards burnt first (`Burn.CARD`: by the first card, which is seen).

    A round begins while more than `cut` cards are left; with `one_more`, one more follows the round in which the cut
    card comes out.
    """

    decks: int = 8
    cut: int = DEFAULT_CUT
    number: int = 2_000
    seed: int = 1
    burn: int | Burn = 0
    one_more: bool = False

    def __post_init__(self) -> None:
        check_shoe(Composition.full(self.decks).size, self.cut, self.burn, 1 + self.one_more)
        if self.seed < 0:
            raise Refused(SeedInvalid(self.seed))
        if self.number < 1:
            raise Refused(ShoesInvalid("no-shoes", str(self.number)))
        if self.number > MAX_SHOES:
            raise Refused(ShoesInvalid("too-many-shoes", shorten(self.number), 1, MAX_SHOES))

    @property
    def choosing(self) -> int:
        """The number of other shoes on which thresholds are chosen."""
        return -(-self.number // 2)


@dataclass(frozen=True, slots=True, repr=False)
class CountingResult:
    """The result of betting one unit in some of the rounds of `shoes` shoes, each figure with its standard error.

    Rounds of a shoe depend on each other, so errors are those of whole shoes. A figure of nothing is nan.
    """

    rounds: int
    bets: int
    won: float
    shoes: int
    share: float
    """The share of rounds in which the bet is made."""
    share_error: float
    average: float
    """The average advantage when it is made."""
    average_error: float
    per_shoe: float
    """The expected win from one shoe, in units."""
    per_shoe_error: float
    per_100: float
    """The expected win from a hundred rounds, in units."""
    per_100_error: float

    def __repr__(self) -> str:
        units = f"{self.per_shoe:.4f} ± {self.per_shoe_error:.4f} units a shoe"
        return f"<CountingResult {units}, {self.bets:,} bets in {self.rounds:,} rounds>"


class ShoeSums:
    """Sums over shoes of their rounds, bets and units won, and of the products of these."""

    def __init__(self) -> None:
        self._shoes, self._sums, self._products = 0, np.zeros(3), np.zeros((3, 3))

    def add(self, by_shoe: Floats) -> None:
        """Add shoes, a row for each."""
        self._shoes += len(by_shoe)
        self._sums += by_shoe.sum(axis=0)
        self._products += by_shoe.T @ by_shoe

    def result(self) -> CountingResult:
        """The figures of the shoes so far."""
        (rounds, bets, won), products, shoes = self._sums.tolist(), self._products, self._shoes
        per_shoe = won / shoes
        spread = max(float(products[2, 2]) / shoes - per_shoe**2, 0.0)
        share, average, per_round = self._ratio(1, 0), self._ratio(2, 1), self._ratio(2, 0)
        figures = (*share, *average, per_shoe, math.sqrt(spread / shoes), *[100 * each for each in per_round])
        return CountingResult(int(rounds), int(bets), won, shoes, *figures)

    def _ratio(self, above: int, below: int) -> tuple[float, float]:
        """A ratio of two sums, and its standard error."""
        sums, products = self._sums.tolist(), self._products
        if not sums[below]:
            return math.nan, math.nan
        ratio = sums[above] / sums[below]
        spread = products[above, above] - 2 * ratio * products[above, below] + ratio**2 * products[below, below]
        return ratio, math.sqrt(max(float(spread), 0.0)) / sums[below]


@dataclass(frozen=True, slots=True)
class Count:
    """Tags to count with, and the true count from which to bet; None for the whole one that wins most."""

    tags: tuple[float, ...]
    threshold: float | None = None


@dataclass(frozen=True, slots=True)
class Counted:
    """Play by a count: one unit whenever the true count is at the threshold or above.

    `correlation` is between the true count and the bet's exact value, over all rounds.
    """

    tags: tuple[float, ...]
    threshold: float
    play: CountingResult
    correlation: float
    correlation_error: float


@dataclass(frozen=True, slots=True)
class Countability:
    """The results of counting one bet. `perfect` bets whenever that is favourable; `highest` is the best value seen."""

    bet: str
    perfect: CountingResult
    highest: float
    counted: tuple[Counted, ...]


def countability(
    sheet: Sheet,
    shoes: Shoes,
    counts: Mapping[str, Sequence[Count]],
    *,
    progress: Callable[[int], None] | None = None,
) -> dict[str, Countability]:
    """Deal shoes and compute for each bet what perfect play wins and what each of its counts wins.

    A threshold that is not given is chosen on other shoes than those that it is tried on. `progress` gets the number of
    shoes done.
    """
    pricer = Pricer(sheet)
    report = progress or (lambda _: None)
    chosen = _choose(pricer, shoes, counts, report)
    sums = [_Sums(bet.id, chosen.get(bet.id, ())) for bet in pricer.bets]
    first = shoes.choosing if chosen != counts else 0
    for done, rounds, values in dealt(pricer, shoes, generator_of(shoes.seed)):
        for each, row in zip(sums, values.T, strict=True):
            each.add(row, rounds.starts, rounds.shoe, shoes.decks)
        report(first + done)
    return {each.bet: each.result() for each in sums}


def dealt(pricer: Pricer, shoes: Shoes, generator: NDArray[np.uint64]) -> Iterator[tuple[int, Rounds, Floats]]:
    """Shoes in batches: how many are done, their rounds, and the values of the bets in each round."""
    for done in range(0, shoes.number, BATCH_SHOES):
        number = min(BATCH_SHOES, shoes.number - done)
        rounds = deal_shoes(shuffle(generator, shoes.decks, number), shoes)
        yield done + number, rounds, pricer.values(rounds.starts)


def _choose(
    pricer: Pricer, shoes: Shoes, counts: Mapping[str, Sequence[Count]], report: Callable[[int], None]
) -> Mapping[str, Sequence[Count]]:
    """The counts with the whole threshold that wins most, where none is given."""
    open_ = [
        (place, at, count.tags)
        for place, bet in enumerate(pricer.bets)
        for at, count in enumerate(counts.get(bet.id, ()))
        if count.threshold is None
    ]
    if not open_:
        return counts
    levels = np.arange(LOWEST, HIGHEST + 1.0)
    won = np.zeros((len(open_), len(levels)))
    others = replace(shoes, number=shoes.choosing)
    for done, rounds, values in dealt(pricer, others, generator_of(shoes.seed, CHOOSING)):
        for row, (place, _, tags) in zip(won, open_, strict=True):
            # The level each round reaches; at a level, all rounds that reach it or a higher one are played.
            reached = np.searchsorted(levels, true_counts(rounds.starts, shoes.decks, tags) + NOTHING, side="right")
            by_level = np.bincount(reached, values[:, place], len(levels) + 1)
            row += np.cumsum(by_level[:0:-1])[::-1]
        report(done)
    chosen = {bet: list(some) for bet, some in counts.items()}
    for row, (place, at, tags) in zip(won, open_, strict=True):
        chosen[pricer.bets[place].id][at] = Count(tags, float(levels[row.argmax()]))
    return chosen


class _Sums:
    """The sums over the shoes for one bet and its counts."""

    def __init__(self, bet: str, counts: Sequence[Count]) -> None:
        self.bet, self._highest, self._perfect = bet, -math.inf, ShoeSums()
        self._counts = [(count, ShoeSums(), np.zeros((GROUPS, 6))) for count in counts]
        self._batches = 0

    def add(self, values: Floats, starts: ShoeRows, shoe: Counts, decks: int) -> None:
        """Add rounds: the value of the bet in each, the cards left before it, and the number of its shoe."""
        shoes = int(shoe[-1]) + 1
        by_shoe = np.zeros((shoes, 3))
        self._highest = max(self._highest, add_favourable(values, shoe, by_shoe))
        self._perfect.add(by_shoe)
        rounds = np.ones(len(values))
        for count, sums, moments in self._counts:
            true = true_counts(starts, decks, count.tags)
            played = (true + NOTHING >= (count.threshold or 0)).astype(float)
            sums.add(np.array([np.bincount(shoe, each, shoes) for each in (rounds, played, played * values)]).T)
            moments[self._batches % GROUPS] += [
                each.sum() for each in (rounds, true, values, true * true, values * values, true * values)
            ]
        self._batches += 1

    def result(self) -> Countability:
        """The figures, once all shoes are dealt."""
        counted = tuple(
            [
                Counted(count.tags, count.threshold or 0, sums.result(), *_correlation(moments))
                for count, sums, moments in self._counts
            ]
        )
        return Countability(self.bet, self._perfect.result(), self._highest, counted)


def _correlation(groups: Floats) -> tuple[float, float]:
    """The correlation from the moments of groups of shoes, and its standard error: each group is left out in turn."""

    def of(moments: Floats) -> float:
        n, x, y, xx, yy, xy = moments.tolist()
        spread = (xx / n - (x / n) ** 2) * (yy / n - (y / n) ** 2)
        return (xy / n - x * y / n**2) / math.sqrt(spread) if spread > NOTHING**2 else math.nan

    groups = groups[groups[:, 0] > 0]
    whole = groups.sum(axis=0)
    if len(groups) < 2:
        return of(whole), math.nan
    without = np.array([of(whole - each) for each in groups])
    return of(whole), math.sqrt((len(groups) - 1) * float(without.var()))


# ------------------------------------------------------------------------------------------- dealing


def generator_of(seed: int, *stream: int) -> NDArray[np.uint64]:
    """The state of a random generator (xoshiro256++), for `shuffle`."""
    return (
        np.random.SeedSequence([seed, *stream] if stream else seed)
        .generate_state(4, np.uint64)
        .astype(np.uint64, copy=False)
    )


def shuffle(generator: NDArray[np.uint64], decks: int, number: int) -> NDArray[np.uint8]:
    """Shuffled shoes, a row of ranks (0 to 12) for each; changes the generator's state."""
    shoes = np.tile(np.repeat(np.arange(13, dtype=np.uint8), 4 * decks), (number, 1))
    _shuffle(shoes, generator)
    return shoes


class Rounds(NamedTuple):
    """The rounds of shuffled shoes: the cards left at the start of each, the number of its shoe, and its place there.

    Cards burnt unseen count among those left.
    """

    shuffled: NDArray[np.uint8]
    starts: ShoeRows
    shoe: Counts
    at: Counts


def deal_shoes(shuffled: NDArray[np.uint8], shoes: Shoes) -> Rounds:
    """Deal shuffled shoes."""
    number, cards = shuffled.shape
    starts = np.empty((number * (cards // 4 + 1), 13), np.uint16)
    places = np.empty((2, len(starts)), np.int64)
    burn = BY_CARD if shoes.burn == Burn.CARD else int(shoes.burn)
    rules = POINTS, PLAYER_DRAWS, BANKER_DRAWS
    rounds = _deal(shuffled, 4 * shoes.decks, shoes.cut, burn, shoes.one_more, *rules, starts, *places)
    return Rounds(shuffled, starts[:rounds], *places[:, :rounds])


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
def _deal(shoes, copies, cut, burn, one_more, points, player_draws, banker_draws, starts, shoe_of, place_of):  # type: ignore[no-untyped-def]
    """Six cards are looked at in each round, so that no step depends on how many it uses."""
    rounds = 0
    left = np.zeros(13, np.uint16)
    for shoe in range(len(shoes)):
        cards = shoes[shoe]
        for rank in range(13):
            left[rank] = copies
        at = burn
        if burn == BY_CARD:
            left[cards[0]] -= 1
            at = 1 + (points[cards[0]] or 10)
        to_come = 1 + one_more  # the rounds that find the cut card out, with the one that is not dealt
        while True:
            to_come -= len(cards) - at <= cut
            if to_come == 0:
                break
            for rank in range(13):  # numba takes seconds to compile the copying of a row
                starts[rounds, rank] = left[rank]
            shoe_of[rounds], place_of[rounds] = shoe, at
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
def add_favourable(values, shoe, by_shoe):  # type: ignore[no-untyped-def]
    """Add rounds, favourable ones and their value to the row of each shoe; returns the highest value."""
    highest = -np.inf
    for place in range(len(values)):
        value = values[place]
        row = by_shoe[shoe[place]]
        highest = max(highest, value)
        row[0] += 1
        if value > NOTHING:
            row[1] += 1
            row[2] += value
    return highest
