"""Prices for many shoes: the counts of a round are polynomials in the counts of the shoe.

The number of deals of six cards with given ranks is a product of falling factorials, one factor for each rank: n,
n(n-1), n(n-1)(n-2) and so on. So the number of deals of one class of outcomes is a polynomial with whole coefficients
that are the same for every shoe. A sheet's polynomials are computed once and evaluated for any shoe: exactly for one,
or in floating point for many at a time. For many shoes, bets that look at points or pairs alone have a faster program
(`punto.analysis.class_deals`).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from punto.analysis.class_deals import add_pair_classes, add_play_classes, add_total
from punto.analysis.compiled import compiled
from punto.analysis.counting import BANKER_DRAWS, PLAYER_DRAWS, POINTS, STOOD, Counts
from punto.analysis.lanes import kernel_of
from punto.analysis.pricing import Classes, Price, by_code, classes_of
from punto.analysis.straight_line import Floats, Powers, Program, Value
from punto.rules.bets import OfferedBet, reachable
from punto.rules.composition import ROUND_CARDS, Composition
from punto.rules.outcome import PAIRS, PLAYS
from punto.rules.sheet import Sheet

LANES = 128
"""The number of shoes evaluated together, so that their products stay in the cache."""

UNROLL = 4
"""The number of terms added in one step."""


POWERS = ROUND_CARDS + 1
SYMBOLS = len(POINTS)
"""A polynomial has at most a variable for each rank; one that looks at points alone needs ten."""

SPLIT = 4
"""The number of lower symbols."""


class Pricer:
    """Prices all original and side bets of one sheet for any shoe. The constructor is slow; pricing is fast."""

    def __init__(self, sheet: Sheet) -> None:
        self.bets = tuple(sheet.bets.values())
        self._parts = [_part(kind, tuple(bets)) for kind, bets in _by_kind(self.bets).items() if bets]

    def prices(self, left: Composition) -> dict[str, Price]:
        """Every bet's exact price for the cards left. Raises Refused if they are too few."""
        total = left.deals()
        found = {}
        for part in self._parts:
            deals = part.exact(left, total)
            for bet, codes in zip(part.bets, part.classes.codes, strict=True):
                found[bet.id] = Price(bet, total, by_code(bet, codes, deals))
        return {bet.id: found[bet.id] for bet in self.bets}

    def values(self, shoes: NDArray[np.integer]) -> Floats:
        """The patron's expected net on each bet (a column, in the sheet's order) for each shoe (a row of 13 counts).

        Correct to about fifteen digits. Every shoe must hold six cards or more.
        """
        found = np.empty((len(self.bets), len(shoes)))
        if any(part.kind != BOTH for part in self._parts):
            _value_kernel(self.bets)(np.ascontiguousarray(shoes, np.uint16), found)
        for part in self._parts:
            if part.kind == BOTH:
                found[[self.bets.index(bet) for bet in part.bets]] = part.values(shoes)
        return found.T


@lru_cache(maxsize=64)
def _value_kernel(bets: tuple[OfferedBet, ...]) -> Any:
    """A compiled function of shoes that writes the value of each bet as a row; of mixed bets it writes zeros."""
    program = Program(SYMBOLS)
    total = add_total(program)
    values = dict.fromkeys(bets, program.zero)
    for kind, some in _by_kind(bets).items():
        if kind != BOTH and some:
            part = _part(kind, tuple(some))
            values |= zip(part.bets, part.add_values(program, total), strict=True)
    program.finish(values.values())
    return kernel_of(program)


# ------------------------------------------------------------------------------------------- parts of a sheet

PLAY, PAIR, BOTH = range(3)
"""The parts of a round that a bet can depend on."""


def _by_kind(bets: Iterable[OfferedBet]) -> dict[int, list[OfferedBet]]:
    can = _reachable()
    kinds: dict[int, list[OfferedBet]] = {PLAY: [], PAIR: [], BOTH: []}
    for bet in bets:
        payoffs = np.frombuffer(bet.payoffs, np.uint8).reshape(PLAYS, PAIRS)
        if (payoffs == _one_per_play(payoffs)[:, None])[can].all():
            kinds[PLAY].append(bet)
        elif (payoffs == _one_per_pairs(payoffs)[None, :])[can].all():
            kinds[PAIR].append(bet)
        else:
            kinds[BOTH].append(bet)
    return kinds


@lru_cache(maxsize=1)
def _reachable() -> NDArray[np.bool_]:
    rows = b"".join([row.to_bytes(PAIRS // 8 + 1, "little") for row in reachable()])
    bits = np.unpackbits(np.frombuffer(rows, np.uint8).reshape(PLAYS, -1), axis=1, bitorder="little")
    return bits[:, :PAIRS].astype(bool)


def _one_per_play(payoffs: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The byte of each play with the first pairs it can have."""
    found: NDArray[np.uint8] = payoffs[np.arange(PLAYS), _reachable().argmax(axis=1)]
    return found


def _one_per_pairs(payoffs: NDArray[np.uint8]) -> NDArray[np.uint8]:
    found: NDArray[np.uint8] = payoffs[_reachable().argmax(axis=0), np.arange(PAIRS)]
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """The bets of a sheet that depend on the same things, and the polynomials of the classes they distinguish.

    `classes` are of plays, pairs or outcomes, by `kind`. The two `largest` classes share one polynomial, the difference
    of the second and the first, which has fewer terms than either; their sum is the total less the others. `symbols`
    has the variable of the polynomials for each rank.
    """

    kind: int
    bets: tuple[OfferedBet, ...]
    classes: Classes
    largest: tuple[int, int] | None
    symbols: NDArray[np.int64]
    program: _Program

    def exact(self, left: Composition, total: int) -> Counts:
        counts = np.bincount(self.symbols, left.counts).astype(np.int64)
        degrees = [math.perm(left.size - degree, ROUND_CARDS - degree) for degree in range(POWERS)]
        found = self.program.exact(counts, np.array(degrees))
        if self.largest is None:
            return np.array([total])
        first, second = self.largest
        both, difference = total - found.sum() + found[second], found[second]
        found[first], found[second] = (both - difference) // 2, (both + difference) // 2
        return found

    def values(self, shoes: NDArray[np.integer]) -> Floats:
        """The value of each bet (a row) for each shoe."""
        # No matrix products here: a BLAS would start its own threads, which costs more than it saves.
        counts = np.zeros((self.symbols.max() + 1, len(shoes)))
        for rank, symbol in enumerate(self.symbols):
            counts[symbol] += shoes[:, rank]
        shares = self.program.shares(counts)
        if self.largest is None:
            shares[:] = 1.0
        else:
            first, second = self.largest
            both, difference = 1 - shares.sum(axis=0) + shares[second], shares[second].copy()
            shares[first], shares[second] = (both - difference) / 2, (both + difference) / 2
        return np.array([sum(share * net for share, net in zip(shares, nets, strict=True)) for nets in self._nets()])

    def _nets(self) -> list[list[float]]:
        """For each bet: the net in each class."""
        rows = zip(self.bets, self.classes.codes.tolist(), strict=True)
        return [[float(bet.nets[code]) for code in codes] for bet, codes in rows]

    def add_deals(self, program: Program) -> tuple[int, dict[int, Value]]:
        """Add the deals of each class to a program, from the counts of the ranks, but for one class; returns that."""
        if self.kind == PAIR:
            omitted = int(self.classes.class_of[0])  # no pairs
            return omitted, add_pair_classes(program, _pair_terms(self.classes.class_of).polynomials(but=omitted))
        omitted = self.largest[0] if self.largest else 0
        return omitted, add_play_classes(program, self.classes.class_of, omitted)

    def add_values(self, program: Program, total: Value) -> list[Value]:
        """Add the value of each bet to a program, from the counts of the ranks and the number of all deals."""
        omitted, deals = self.add_deals(program)
        found = []
        for nets in self._nets():
            gain = program.zero
            for target, value in deals.items():
                gain = program.multiply_add(value, program.constant(nets[target] - nets[omitted]), gain)
            found.append(program.add(program.divide(gain, total), program.constant(nets[omitted])))
        return found


@lru_cache(maxsize=64)
def _part(kind: int, bets: tuple[OfferedBet, ...]) -> _Part:
    tables = [np.frombuffer(bet.payoffs, np.uint8).reshape(PLAYS, PAIRS) for bet in bets]
    if kind == PLAY:
        values = [_one_per_play(table) for table in tables]
        can = _reachable().any(axis=1)
        tables = [np.where(can, value, value[can.argmax()]) for value in values]
    elif kind == PAIR:
        tables = [_one_per_pairs(table) for table in tables]
    classes = classes_of(tuple([table.tobytes() for table in tables]), tables[0].size)
    terms = _pair_terms(classes.class_of) if kind == PAIR else _play_terms(classes.class_of, ranks=kind == BOTH)
    symbols = POINTS if kind == PLAY else np.arange(len(POINTS))
    number = classes.codes.shape[1]
    by_size = np.argsort(-np.bincount(terms.target, minlength=number), kind="stable").tolist()
    largest = (by_size[0], by_size[1]) if number > 1 else None
    return _Part(kind, bets, classes, largest, symbols, _compile(terms.taken_from(largest), number))


# ------------------------------------------------------------------------------------------- terms


@dataclass(frozen=True, slots=True, eq=False)
class _Terms:
    """Terms of polynomials: the exponents of each (a number in base 7), its target class and its coefficient."""

    powers: Counts
    target: Counts
    coefficient: Counts

    def taken_from(self, pair: tuple[int, int] | None) -> _Terms:
        """The same terms, but for a pair of targets: those of the first are taken from the second."""
        if pair is None:
            return self
        moved = self.target == pair[0]
        coefficient = np.where(moved, -self.coefficient, self.coefficient)
        return _Terms(self.powers, np.where(moved, pair[1], self.target), coefficient)

    def polynomials(self, *, but: int) -> dict[int, dict[Powers, float]]:
        """The polynomial of each target but one, as coefficients by powers of the thirteen symbols."""
        found: dict[int, dict[Powers, float]] = defaultdict(lambda: defaultdict(float))
        rows = (self.powers[:, None] // _unit(SYMBOLS) % POWERS).tolist()
        for powers, target, coefficient in zip(rows, self.target.tolist(), self.coefficient.tolist(), strict=True):
            if target != but and coefficient:
                found[target][tuple(powers)] += coefficient
        return found


def _unit(symbols: int) -> Counts:
    """One card of each symbol, as exponents: the first symbol is the highest digit."""
    return POWERS ** (SYMBOLS - 1 - np.arange(symbols, dtype=np.int64))


def _play_terms(class_of: Counts, *, ranks: bool) -> _Terms:
    """Every round by the points of its cards (or by their ranks, if pairs count too), with its class."""
    points = POINTS if ranks else np.arange(10)
    unit = _unit(len(points))
    first, second = np.triu_indices(len(points))
    orders = np.where(first == second, 1, 2)
    totals = (points[first] + points[second]) % 10
    cards = unit[first] + unit[second]
    paired = np.where(first == second, first + 1, 0)
    p, b = (side.reshape(-1) for side in np.indices((len(first), len(first))))
    found = []
    for x_drawn in (False, True):
        for y_drawn in (False, True):
            shape = (len(p), len(points) if x_drawn else 1, len(points) if y_drawn else 1)
            hands, x, y = (side.reshape(-1) for side in np.indices(shape))
            player, banker = p[hands], b[hands]
            x_worth = points[x] if x_drawn else np.full(len(x), STOOD)
            y_worth = points[y] if y_drawn else np.full(len(y), STOOD)
            happens = PLAYER_DRAWS[totals[player], totals[banker]] == x_drawn
            happens &= BANKER_DRAWS[totals[player], totals[banker], x_worth] == y_drawn
            player, banker, x, y = player[happens], banker[happens], x[happens], y[happens]
            player_end = (totals[player] + x_worth[happens]) % 10
            banker_end = (totals[banker] + y_worth[happens]) % 10
            index = ((player_end * 10 + banker_end) * 2 + x_drawn) * 2 + y_drawn
            if ranks:
                index = index * PAIRS + paired[player] * 14 + paired[banker]
            powers = cards[player] + cards[banker] + x_drawn * unit[x] + y_drawn * unit[y]
            found.append((powers, class_of[index], orders[player] * orders[banker]))
    powers, target, coefficient = (np.concatenate(column) for column in zip(*found, strict=True))
    return _Terms(powers, target, coefficient)


def _pair_terms(class_of: Counts) -> _Terms:
    """Pairs by inclusion and exclusion: the effect of one hand's pair, and of both hands' pairs together.

    So a bet on one hand's pair depends on two cards only, and no term has more than two ranks.
    """
    unit = _unit(len(POINTS))
    found = []
    by_pairs = class_of.reshape(14, 14)
    for target in range(class_of.max() + 1):
        is_in = (by_pairs == target).astype(np.int64)
        alone = is_in[:, 0] + is_in[0, :] - 2 * is_in[0, 0]
        both = is_in - is_in[:, :1] - is_in[:1, :] + is_in[0, 0]
        found.append((0, target, is_in[0, 0]))
        for a in range(1, 14):
            found.append((2 * unit[a - 1], target, alone[a]))
            found += [(2 * unit[a - 1] + 2 * unit[b - 1], target, both[a, b]) for b in range(1, 14)]
    powers, targets, coefficients = (np.array(column, np.int64) for column in zip(*found, strict=True))
    return _Terms(powers, targets, coefficients)


# ------------------------------------------------------------------------------------------- programs


@dataclass(frozen=True, slots=True, eq=False)
class _Products:
    """Products of falling factorials, each one factor more than an earlier one; the first is 1.

    Row i is row `parent[i]` times the falling factorial of `symbol[i]` to `power[i]`.
    """

    parent: Counts
    symbol: Counts
    power: Counts


@dataclass(frozen=True, slots=True, eq=False)
class _Program:
    """Polynomials arranged for evaluation.

    Each term is a product over the lower symbols times a product over the upper ones. Terms with the same lower
    product, target and degree form a group, which is one sum over upper products, multiplied once. Groups are filled up
    with terms of coefficient 0 to a multiple of UNROLL.
    """

    targets: int
    lower: _Products
    upper: _Products
    group_lower: Counts
    group_place: Counts
    starts: Counts
    term_upper: Counts
    coefficient: Counts

    def exact(self, counts: Counts, degrees: Counts) -> Counts:
        """The value for each target, in whole numbers, from the count of each symbol."""
        sums = np.zeros((self.targets, POWERS), np.int64)
        lower, upper = self.lower, self.upper
        _evaluate(
            counts, lower.parent, lower.symbol, lower.power, upper.parent, upper.symbol, upper.power,
            self.group_lower, self.group_place, self.starts, self.term_upper, self.coefficient, sums.reshape(-1),
        )  # fmt: skip
        return sums @ degrees

    def shares(self, counts: Floats) -> Floats:
        """The value for each target over the total, for many shoes: symbols in rows, shoes in columns."""
        found = np.zeros((self.targets, counts.shape[1]))
        lower, upper, size = self.lower, self.upper, counts.sum(axis=0)
        _evaluate_lanes(
            counts, size, lower.parent, lower.symbol, lower.power, upper.parent, upper.symbol, upper.power,
            self.group_lower, self.group_place, self.starts, self.term_upper, self.coefficient.astype(float), found,
        )  # fmt: skip
        return found


def _compile(terms: _Terms, targets: int) -> _Program:
    """Combine equal terms and arrange them in groups."""
    key, where = np.unique(terms.powers * targets + terms.target, return_inverse=True)
    summed = np.zeros(len(key), np.int64)
    np.add.at(summed, where, terms.coefficient)
    key, summed = key[summed != 0], summed[summed != 0]
    powers, target = key // targets, key % targets
    middle = POWERS ** (SYMBOLS - SPLIT)
    lower_key, upper_key = powers // middle * middle, powers % middle
    place = target * POWERS + (powers[:, None] // _unit(SYMBOLS) % POWERS).sum(axis=1)
    lower_keys, upper_keys = _with_beginnings(lower_key), _with_beginnings(upper_key)
    groups, group_of = np.unique(np.stack([np.searchsorted(lower_keys, lower_key), place]), axis=1, return_inverse=True)
    sizes = -(-np.bincount(group_of) // UNROLL) * UNROLL
    starts = np.concatenate([[0], np.cumsum(sizes)])
    order = np.argsort(group_of, kind="stable")
    within = np.arange(len(order)) - np.searchsorted(group_of[order], group_of[order])
    term_upper, coefficient = np.zeros((2, starts[-1]), np.int64)
    term_upper[starts[group_of[order]] + within] = np.searchsorted(upper_keys, upper_key)[order]
    coefficient[starts[group_of[order]] + within] = summed[order]
    lower, upper = _products(lower_keys), _products(upper_keys)
    return _Program(targets, lower, upper, groups[0].copy(), groups[1].copy(), starts, term_upper, coefficient)


def _with_beginnings(keys: Counts) -> Counts:
    """Products and all their prefixes, in order; a prefix comes before its products."""
    found = {0}
    for key in np.unique(keys).tolist():
        while key not in found:
            found.add(key)
            key = _beginning(key)[0]
    return np.array(sorted(found))


def _beginning(key: int) -> tuple[int, int, int]:
    """A product without its last factor, and that factor's symbol and power."""
    for symbol, unit in reversed(list(enumerate(_unit(SYMBOLS).tolist()))):
        if power := key // unit % POWERS:
            return key - power * unit, symbol, power
    return 0, 0, 0


def _products(keys: Counts) -> _Products:
    beginnings, symbols, powers = np.array([_beginning(key) for key in keys.tolist()], np.int64).T
    return _Products(np.searchsorted(keys, beginnings), symbols.copy(), powers.copy())


# The loops below are compiled. They have no types, because numba infers them.


@compiled()
def _evaluate(  # type: ignore[no-untyped-def]
    counts, lower_parent, lower_symbol, lower_power, upper_parent, upper_symbol, upper_power,
    group_lower, group_place, starts, term_upper, coefficient, sums,
):  # fmt: skip
    """For one shoe, in whole numbers."""
    falling = np.ones((len(counts), POWERS), np.int64)
    for each in range(len(counts)):
        for k in range(1, POWERS):
            falling[each, k] = falling[each, k - 1] * max(counts[each] - k + 1, 0)
    lower = np.ones(len(lower_parent), np.int64)
    for row in range(1, len(lower)):
        lower[row] = lower[lower_parent[row]] * falling[lower_symbol[row], lower_power[row]]
    upper = np.ones(len(upper_parent), np.int64)
    for row in range(1, len(upper)):
        upper[row] = upper[upper_parent[row]] * falling[upper_symbol[row], upper_power[row]]
    for group in range(len(group_lower)):
        inner = 0
        for term in range(starts[group], starts[group + 1]):
            inner += coefficient[term] * upper[term_upper[term]]
        sums[group_place[group]] += lower[group_lower[group]] * inner


@compiled(fastmath={"contract"})
def _evaluate_lanes(  # type: ignore[no-untyped-def]
    counts, size, lower_parent, lower_symbol, lower_power, upper_parent, upper_symbol, upper_power,
    group_lower, group_place, starts, term_upper, coefficient, found,
):  # fmt: skip
    """For many shoes, LANES at a time."""
    symbols, shoes = counts.shape
    targets = len(found)
    falling = np.ones((symbols, POWERS, LANES))
    lower = np.ones((len(lower_parent), LANES))
    upper = np.ones((len(upper_parent), LANES))
    sums = np.empty((targets * POWERS, LANES))
    inner = np.empty(LANES)
    unused = np.ones(POWERS)
    for first in range(0, shoes, LANES):
        lanes = min(LANES, shoes - first)
        for each in range(symbols):
            for k in range(1, POWERS):
                for lane in range(lanes):
                    falling[each, k, lane] = falling[each, k - 1, lane] * max(counts[each, first + lane] - k + 1, 0.0)
        _multiply(lower, lower_parent, lower_symbol, lower_power, falling)
        _multiply(upper, upper_parent, upper_symbol, upper_power, falling)
        sums[:] = 0.0
        for group in range(len(group_lower)):
            inner[:] = 0.0
            for term in range(starts[group], starts[group + 1], UNROLL):
                c0, c1, c2, c3 = coefficient[term], coefficient[term + 1], coefficient[term + 2], coefficient[term + 3]
                u0, u1 = upper[term_upper[term]], upper[term_upper[term + 1]]
                u2, u3 = upper[term_upper[term + 2]], upper[term_upper[term + 3]]
                for lane in range(LANES):
                    inner[lane] = c3 * u3[lane] + (c2 * u2[lane] + (c1 * u1[lane] + (c0 * u0[lane] + inner[lane])))
            begin = lower[group_lower[group]]
            aim = sums[group_place[group]]
            for lane in range(LANES):
                aim[lane] += begin[lane] * inner[lane]
        for lane in range(lanes):
            for degree in range(POWERS - 2, -1, -1):
                unused[degree] = unused[degree + 1] * (size[first + lane] - degree)
            for target in range(targets):
                value = 0.0
                for degree in range(POWERS):
                    value += sums[target * POWERS + degree, lane] * unused[degree]
                found[target, first + lane] = value / unused[0]


@compiled()
def _multiply(products, parent, symbol, power, falling):  # type: ignore[no-untyped-def]
    for row in range(1, len(parent)):
        before, factor, product = products[parent[row]], falling[symbol[row], power[row]], products[row]
        for lane in range(LANES):
            product[lane] = before[lane] * factor[lane]
