"""Straight-line programs: sums and products without branches, so that many shoes can be computed side by side.

A program is a list of operations on values. It is built once, in Python, and then run in numpy or compiled to vector
instructions (`punto.analysis.lanes`).
"""

from __future__ import annotations

import hashlib
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

Value = int
"""The place of the operation that computes a value."""

Powers = tuple[int, ...]
"""A product of falling factorials: how many factors each of some values has. 2 for n stands for n (n - 1)."""


class Kind(StrEnum):
    """The kinds of operations. Plain arithmetic has the name of its instruction."""

    INPUT = "input"
    CONSTANT = "constant"
    ADD = "fadd"
    SUBTRACT = "fsub"
    MULTIPLY = "fmul"
    DIVIDE = "fdiv"
    MULTIPLY_ADD = "multiply-add"
    MULTIPLY_SUBTRACT = "multiply-subtract"


_IN_NUMPY: dict[Kind, Callable[..., Any]] = {
    Kind.ADD: np.add,
    Kind.SUBTRACT: np.subtract,
    Kind.MULTIPLY: np.multiply,
    Kind.DIVIDE: np.divide,
    Kind.MULTIPLY_ADD: lambda one, other, start: start + one * other,
    Kind.MULTIPLY_SUBTRACT: lambda one, other, start: start - one * other,
}


class Operation(NamedTuple):
    """An operation on earlier values. An input has its number and a constant its number, instead of `values`."""

    kind: Kind
    values: tuple[Value, ...] = ()
    number: float = 0.0


class Program:
    """Operations in order; the methods add one, or find an equal one that is there already."""

    def __init__(self, inputs: int) -> None:
        self.operations: list[Operation] = []
        self.outputs: list[Value] = []
        self._places: dict[Operation, Value] = {}
        self.inputs = [self._add(Operation(Kind.INPUT, number=number)) for number in range(inputs)]
        self.zero, self.one = self.constant(0), self.constant(1)

    def constant(self, number: float) -> Value:
        """This number."""
        return self._add(Operation(Kind.CONSTANT, number=float(number)))

    def add(self, one: Value, other: Value) -> Value:
        """One + other."""
        if self.zero in (one, other):
            return one + other - self.zero
        return self._add(Operation(Kind.ADD, (min(one, other), max(one, other))))

    def subtract(self, one: Value, other: Value) -> Value:
        """One - other."""
        return one if other == self.zero else self._add(Operation(Kind.SUBTRACT, (one, other)))

    def multiply(self, one: Value, other: Value) -> Value:
        """One × other."""
        if self.zero in (one, other):
            return self.zero
        if self.one in (one, other):
            return one + other - self.one
        return self._add(Operation(Kind.MULTIPLY, (min(one, other), max(one, other))))

    def divide(self, one: Value, other: Value) -> Value:
        """One / other."""
        return self._add(Operation(Kind.DIVIDE, (one, other)))

    def multiply_add(self, one: Value, other: Value, start: Value) -> Value:
        """To + one × other."""
        if start == self.zero or {one, other} & {self.zero, self.one}:
            return self.add(start, self.multiply(one, other))
        return self._add(Operation(Kind.MULTIPLY_ADD, (min(one, other), max(one, other), start)))

    def multiply_subtract(self, one: Value, other: Value, start: Value) -> Value:
        """Start - one × other."""
        if {one, other} & {self.zero, self.one}:
            return self.subtract(start, self.multiply(one, other))
        return self._add(Operation(Kind.MULTIPLY_SUBTRACT, (min(one, other), max(one, other), start)))

    def sum(self, values: Iterable[Value]) -> Value:
        """The sum of these, from first to last; sums that begin alike share their beginning."""
        return reduce(self.add, values, self.zero)

    def less(self, value: Value, number: int) -> Value:
        """Value - number."""
        return self.subtract(value, self.constant(number))

    def falling(self, value: Value, power: int) -> Value:
        """Value × (value - 1) × …, so many factors."""
        if power == 0:
            return self.one
        return self.multiply(self.falling(value, power - 1), self.less(value, power - 1))

    def polynomial(self, symbols: Sequence[Value], terms: Mapping[Powers, float]) -> Value:
        """A sum of products of falling factorials, each with a coefficient.

        Every product is split in two. Terms with the same first part are one sum over the second part, multiplied once,
        and in it terms with equal coefficients are added first.
        """
        groups: dict[Powers, dict[float, list[Powers]]] = defaultdict(lambda: defaultdict(list))
        for powers, coefficient in terms.items():
            first, second = _split(powers)
            groups[first][coefficient].append(second)
        total = self.zero
        for first, by_coefficient in groups.items():
            inner = self.zero
            for coefficient, products in by_coefficient.items():
                added = self.sum([self._product(symbols, second) for second in products])
                if coefficient < 0:
                    inner = self.multiply_subtract(added, self.constant(-coefficient), inner)
                else:
                    inner = self.multiply_add(added, self.constant(coefficient), inner)
            total = self.multiply_add(self._product(symbols, first), inner, total)
        return total

    def _product(self, symbols: Sequence[Value], powers: Powers) -> Value:
        factors = [self.falling(symbol, power) for symbol, power in zip(symbols, powers, strict=True) if power]
        return reduce(self.multiply, factors, self.one)

    def _add(self, operation: Operation) -> Value:
        place = self._places.setdefault(operation, len(self.operations))
        if place == len(self.operations):
            self.operations.append(operation)
        return place

    def finish(self, outputs: Iterable[Value]) -> None:
        """Keep only what these outputs need, in order."""
        wanted = list(outputs)
        needed = {*self.inputs, *wanted}
        for place in range(len(self.operations) - 1, -1, -1):
            if place in needed:
                needed |= set(self.operations[place].values)
        kept = sorted(needed)
        moved = {place: at for at, place in enumerate(kept)}
        operations = [self.operations[place] for place in kept]
        self.operations = [each._replace(values=tuple([moved[value] for value in each.values])) for each in operations]
        self.outputs = [moved[value] for value in wanted]

    @property
    def digest(self) -> str:
        """A name for exactly this program."""
        return hashlib.sha256(repr((self.operations, self.outputs)).encode()).hexdigest()

    def run(self, inputs: Sequence[Floats]) -> list[Floats]:
        """Every operation's value, for many inputs at once."""
        found: list[Floats] = []
        for kind, places, number in self.operations:
            if kind is Kind.INPUT:
                found.append(inputs[int(number)])
            elif kind is Kind.CONSTANT:
                found.append(np.full_like(inputs[0], number))
            else:
                found.append(_IN_NUMPY[kind](*[found[place] for place in places]))
        return found


def newton(points: Sequence[Powers], values: Floats) -> dict[Powers, float]:
    """The polynomial with these values at these points, by the powers of its falling factorials.

    The points are whole numbers in lexical order, with every point that is not above one of them. The polynomial's
    degree is not higher than theirs.
    """
    place = {point: at for at, point in enumerate(points)}
    found = values.copy()
    for axis in range(len(points[0])):
        at = np.array([point[axis] for point in points])
        below = [place.get((*point[:axis], point[axis] - 1, *point[axis + 1 :]), 0) for point in points]
        for order in range(1, int(at.max()) + 1):
            found = np.where(at >= order, found - found[below], found)
    scales = [math.prod(map(math.factorial, point)) for point in points]
    return {point: float(value) / scale for point, value, scale in zip(points, found, scales, strict=True) if value}


def _split(powers: Powers) -> tuple[Powers, Powers]:
    """Two factors of a product: the symbol of the highest power, or the first two symbols, and the rest."""
    highest = max(powers)
    present = [place for place, power in enumerate(powers) if power]
    chosen = [powers.index(highest)] if highest > 1 else present[:2]
    first = tuple([power if place in chosen else 0 for place, power in enumerate(powers)])
    return first, tuple([power - taken for power, taken in zip(powers, first, strict=True)])
