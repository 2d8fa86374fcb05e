"""A program for the number of deals in each class of outcomes, made from the Table of Play.

Both hands are first dealt as if from two shoes that are alike. The number of such deals is a product of sums over one
hand, so it needs few operations. Deals in which one card lies in both hands are then taken away, card by card. What
remains to correct, two or three cards in both hands, is a polynomial of degree four at most in the counts of the shoe.

It need not be derived. In falling factorials of the counts, the deals of six cards have terms of degree six alone. So
the correction is the lower part of the rest with its sign changed, and the values for all shoes of up to four cards
determine it (`newton`).

Double precision is exact here. Whatever the program computes for points is a whole number, except that the terms of the
correction are multiples of 1/8, and those that are not whole are far below 2^40. In units of four deals (the order of a
hand's first two cards) nothing exceeds 520^6 / 4 < 2^53, so this holds for every shoe of up to 520 cards. Classes of
pairs are computed in whole deals. They stay below 2^53 as long as no rank has more cards than ten decks hold.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache

import numpy as np

from punto.analysis.counting import BANKER_DRAWS, PLAYER_DRAWS, POINTS, STOOD, Counts
from punto.analysis.straight_line import Powers, Program, Value, newton
from punto.rules.composition import ROUND_CARDS
from punto.rules.tableau import INITIAL_CARDS

CORRECTION_DEGREE = 4
"""The highest degree of a correction: the two hands have six cards, and share two."""

Thirds = tuple[bool, bool]
"""True for Player, and for Banker, if the hand draws a third card."""

Hands = frozenset[tuple[int, int]]
"""Hands of one side: the points of the first two cards, and of the third (STOOD: none)."""


def add_play_classes(program: Program, class_of: Counts, omitted: int) -> dict[int, Value]:
    """The deals of every class of plays but one, from the counts of the thirteen ranks.

    `class_of` has the class for each play. The class left out is the rest of all deals.
    """
    points = [program.sum([program.inputs[rank] for rank in np.flatnonzero(worth == POINTS)]) for worth in range(10)]
    shoe = _Shoe(program, points)
    sums = _class_sums(shoe, class_of, omitted)
    corrected = _corrected(shoe, sums)
    size = program.sum(program.inputs)
    found: dict[int, Value] = {}
    for (target, cards), value in corrected.items():
        unused = _unused(program, size, cards)
        found[target] = program.multiply_add(value, unused, found.get(target, program.zero))
    four = program.constant(4)
    return {target: program.multiply(value, four) for target, value in found.items()}


def add_pair_classes(program: Program, terms: Mapping[int, Mapping[Powers, float]]) -> dict[int, Value]:
    """The deals of classes of pairs, from the counts of the thirteen ranks and each class's polynomial in them."""
    size = program.sum(program.inputs)
    found = {}
    for target, polynomial in terms.items():
        by_degree: dict[int, dict[Powers, float]] = defaultdict(dict)
        for powers, coefficient in polynomial.items():
            by_degree[sum(powers)][powers] = coefficient
        total = program.zero
        for degree, part in by_degree.items():
            value = program.polynomial(program.inputs, part)
            total = program.multiply_add(value, _unused(program, size, degree), total)
        found[target] = total
    return found


def add_total(program: Program) -> Value:
    """The number of all deals, from the counts of the thirteen ranks."""
    return _unused(program, program.sum(program.inputs), 0)


def _unused(program: Program, size: Value, cards: int) -> Value:
    """The number of orders of the cards that a deal of six has after so many."""
    found = program.one
    for gone in range(ROUND_CARDS - 1, cards - 1, -1):
        found = program.multiply(found, program.less(size, gone))
    return found


# ------------------------------------------------------------------------------------------- sums over one hand


class _Shoe:
    """The counts of the ten points, and what both hands' sums are made of."""

    def __init__(self, program: Program, counts: list[Value]) -> None:
        self.program, self.counts = program, counts
        self.one_less = [program.less(count, 1) for count in counts]
        half = program.constant(0.5)
        same = [program.multiply(self.two_cards(worth, worth), half) for worth in range(10)]
        self.first_two = [
            program.sum(
                [
                    same[one] if one == other else self.two_cards(one, other)
                    for one in range(10)
                    if one <= (other := (total - one) % 10)
                ]
            )
            for total in range(10)
        ]
        """The sets of two cards with each total."""

    def two_cards(self, one: int, other: int) -> Value:
        """A card of these points, then one of those."""
        return self.program.multiply(self.counts[one], self.left(other, one))

    def left(self, worth: int, gone: int) -> Value:
        """The cards of these points when one of the points `gone` has left the shoe."""
        return self.one_less[worth] if worth == gone else self.counts[worth]

    def first_two_with(self, total: int, given: int | None) -> Value:
        """First two cards with this total; `given` is the points of a card that is known to be one of them."""
        return self.first_two[total] if given is None else self.left((total - given) % 10, given)

    def three_with(self, total: int, third: int, given: int | None) -> Value:
        """First two cards with this total and a third card of these points; `given` is known to be one of the three."""
        program = self.program
        without_third = program.subtract(self.first_two[total], self.first_two_with(total, third))
        if given is None:
            return program.multiply(self.counts[third], without_third)
        partner = (total - given) % 10
        if partner == third == given:
            found = program.multiply(self.one_less[given], program.less(self.counts[given], 2))
        elif given in (partner, third):
            found = program.multiply(self.one_less[given], self.counts[partner + third - given])
        else:
            found = self.two_cards(partner, third)
        return program.add(found, without_third) if third == given else found

    def hand_with(self, total: int, third: int, given: int | None) -> Value:
        """A hand of two or three cards."""
        return self.first_two_with(total, given) if third == STOOD else self.three_with(total, third, given)


@cache
def _rounds() -> dict[Thirds, dict[Hands, tuple[int, ...]]]:
    """By the third cards: Player's hands, and the points of Banker's first two cards with which they come to that.

    Hands with the same points of Banker are together.
    """
    bankers: dict[Thirds, dict[tuple[int, int], list[int]]] = defaultdict(lambda: defaultdict(list))
    for player, banker in np.ndindex(10, 10):
        player_third = bool(PLAYER_DRAWS[player, banker])
        for third in range(STOOD) if player_third else (STOOD,):
            bankers[player_third, bool(BANKER_DRAWS[player, banker, third])][player, third].append(banker)
    found: dict[Thirds, dict[Hands, tuple[int, ...]]] = {}
    for thirds, by_hand in bankers.items():
        together: dict[tuple[int, ...], set[tuple[int, int]]] = defaultdict(set)
        for hand, points in by_hand.items():
            together[tuple(points)].add(hand)
        found[thirds] = {frozenset(hands): points for points, hands in together.items()}
    return found


class _Products:
    """Deals of both hands as if from two shoes. `given` is the points of a card that both hands have, or None."""

    def __init__(self, shoe: _Shoe, class_of: Counts, given: int | None) -> None:
        self._shoe, self._given = shoe, given
        self._classes = class_of.reshape(10, 10, 2, 2)
        self._ending: dict[tuple[tuple[int, ...], Hands], Value] = {}

    def by_class(self, omitted: int) -> dict[tuple[int, int], Value]:
        """Deals by class and number of cards."""
        program = self._shoe.program
        found: dict[tuple[int, int], Value] = defaultdict(lambda: program.zero)
        for thirds, rounds in _rounds().items():
            for banker, player in self._factors(thirds, rounds, omitted):
                key = player[0], INITIAL_CARDS + sum(thirds)
                found[key] = program.multiply_add(banker, player[1], found[key])
        return dict(found)

    def _factors(
        self, thirds: Thirds, rounds: dict[Hands, tuple[int, ...]], omitted: int
    ) -> Iterator[tuple[Value, tuple[int, Value]]]:
        """Sums over Banker's hands with one end, and over Player's hands that make a class with it."""
        program, shoe = self._shoe.program, self._shoe
        for end in range(10):
            column = self._classes[:, end, int(thirds[0]), int(thirds[1])]
            for target in sorted(set(column.tolist()) - {omitted}):
                totals = tuple(np.flatnonzero(column == target).tolist())
                if thirds[1]:
                    for hands, points in rounds.items():
                        thirds_cards = [shoe.three_with(banker, (end - banker) % 10, self._given) for banker in points]
                        yield program.sum(thirds_cards), (target, self._sum(totals, hands))
                else:
                    sums = [self._sum(totals, hands) for hands, points in rounds.items() if end in points]
                    yield shoe.first_two_with(end, self._given), (target, program.sum(sums))

    def _sum(self, totals: tuple[int, ...], hands: Hands) -> Value:
        """The sum over those of Player's hands that end with one of these totals, in ascending order."""
        key = totals, hands
        if key not in self._ending:
            program = self._shoe.program
            if len(totals) > 1:
                # Most sets of totals are "all below" or "all above", so each continues one that is there.
                one, rest = (totals[0], totals[1:]) if totals[-1] == 9 else (totals[-1], totals[:-1])
                self._ending[key] = program.add(self._sum(rest, hands), self._sum((one,), hands))
            else:
                ending = sorted(hand for hand in hands if (sum(hand) % 10,) == totals)
                self._ending[key] = program.sum([self._shoe.hand_with(*hand, self._given) for hand in ending])
        return self._ending[key]


def _class_sums(shoe: _Shoe, class_of: Counts, omitted: int) -> dict[tuple[int, int], Value]:
    """Deals by class and number of cards, in units of four, right as long as the hands share one card at most."""
    found = _Products(shoe, class_of, None).by_class(omitted)
    for worth in range(10):
        for key, value in _Products(shoe, class_of, worth).by_class(omitted).items():
            found[key] = shoe.program.multiply_subtract(shoe.counts[worth], value, found[key])
    return found


# ------------------------------------------------------------------------------------------- the correction


@cache
def _small_shoes() -> tuple[Powers, ...]:
    """All counts of ten points with four cards or fewer, in lexical order."""

    def counts(cards: int, length: int) -> Iterator[Powers]:
        if length == 0:
            yield ()
            return
        for first in range(cards + 1):
            for rest in counts(cards - first, length - 1):
                yield (first, *rest)

    return tuple(counts(CORRECTION_DEGREE, 10))


def _corrected(shoe: _Shoe, sums: dict[tuple[int, int], Value]) -> dict[tuple[int, int], Value]:
    """The sums with two or three cards in both hands corrected."""
    program, points = shoe.program, _small_shoes()
    counts = np.array(points, float).T
    # The ten points are sums of ranks; a shoe of one rank for each of the points has the same deals.
    ranks = [counts[POINTS[rank]] if rank == np.argmax(POINTS[rank] == POINTS) else counts[0] * 0 for rank in range(13)]
    values = program.run(ranks)
    found = {}
    for (target, cards), value in sums.items():
        lower = newton(points, values[value])
        terms = {powers: -coefficient for powers, coefficient in lower.items() if sum(powers) < cards}
        found[target, cards] = program.add(value, program.polynomial(shoe.counts, terms))
    return found
