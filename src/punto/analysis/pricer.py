"""Values of bets for many shoes side by side, by a program of additions and multiplications for the sheet.

A bet that looks at points alone, or at pairs alone, is priced by the program (`punto.analysis.class_deals`). A bet that
looks at both is counted for each shoe by itself, which takes a thousand times as long.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from punto.analysis.class_deals import add_pair_classes, add_play_classes, add_total
from punto.analysis.counting import distribution
from punto.analysis.lanes import kernel_of
from punto.analysis.pricing import Classes, classes_of, price_sheet
from punto.analysis.straight_line import Floats, Powers, Program, Value
from punto.rules.bets import OfferedBet, reachable
from punto.rules.cards import Rank
from punto.rules.composition import Composition
from punto.rules.outcome import PAIRS, PLAYS
from punto.rules.sheet import Sheet


class Pricer:
    """Values of all original and side bets of one sheet. The constructor is slow; pricing is fast."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet, self.bets = sheet, tuple(sheet.bets.values())
        self.parts = parts_of(self.bets)
        priced = {bet for part in self.parts for bet in part.bets}
        self._mixed = [place for place, bet in enumerate(self.bets) if bet not in priced]

    def values(self, shoes: NDArray[np.integer]) -> Floats:
        """The patron's expected net on each bet (a column, in the sheet's order) for each shoe (a row of 13 counts).

        Correct to about fifteen digits. Every shoe must hold six cards or more.
        """
        found = np.empty((len(self.bets), len(shoes)))
        _value_kernel(self.bets)(np.ascontiguousarray(shoes, np.uint16), found)
        for column, counts in enumerate(shoes.tolist() if self._mixed else ()):
            prices = list(price_sheet(self._sheet, distribution(Composition(tuple(counts)))).values())
            found[self._mixed, column] = [float(prices[place].value) for place in self._mixed]
        return found.T


@lru_cache(maxsize=64)
def _value_kernel(bets: tuple[OfferedBet, ...]) -> Any:
    """A compiled function of shoes that writes the value of each bet as a row; of mixed bets it writes zeros."""
    program = Program(len(Rank))
    total = add_total(program)
    values = dict.fromkeys(bets, program.zero)
    for part in parts_of(bets):
        values |= zip(part.bets, part.add_values(program, total), strict=True)
    program.finish(values.values())
    return kernel_of(program)


# ------------------------------------------------------------------------------------------- parts of a sheet


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """The bets of a sheet that look at plays alone, or at pairs alone, and the classes that they distinguish."""

    bets: tuple[OfferedBet, ...]
    classes: Classes
    of_pairs: bool

    def add_deals(self, program: Program) -> tuple[int, dict[int, Value]]:
        """Add the deals of each class to a program, but for one class, the rest of all deals; returns that, too."""
        class_of = self.classes.class_of
        if self.of_pairs:
            omitted = int(class_of[0])  # no pairs
            return omitted, add_pair_classes(program, _pair_polynomials(class_of, omitted))
        omitted = int(np.bincount(class_of[_reachable().any(axis=1)]).argmax())  # the one with most plays
        return omitted, add_play_classes(program, class_of, omitted)

    def add_values(self, program: Program, total: Value) -> list[Value]:
        """Add the value of each bet to a program, from the counts of the ranks and the number of all deals."""
        omitted, deals = self.add_deals(program)
        found = []
        for bet, codes in zip(self.bets, self.classes.codes.tolist(), strict=True):
            nets = [float(bet.nets[code]) for code in codes]
            gain = program.zero
            for target, value in deals.items():
                gain = program.multiply_add(value, program.constant(nets[target] - nets[omitted]), gain)
            found.append(program.add(program.divide(gain, total), program.constant(nets[omitted])))
        return found


def parts_of(bets: Iterable[OfferedBet]) -> list[Part]:
    """The bets that look at plays alone, and those that look at pairs alone. Those that look at both are left out."""
    can = _reachable()
    found: dict[bool, dict[OfferedBet, bytes]] = {False: {}, True: {}}
    for bet in bets:
        payoffs = np.frombuffer(bet.payoffs, np.uint8).reshape(PLAYS, PAIRS)
        of_play = payoffs[np.arange(PLAYS), can.argmax(axis=1)]
        of_pairs = payoffs[can.argmax(axis=0), np.arange(PAIRS)]
        if (payoffs == of_play[:, None])[can].all():
            plays = can.any(axis=1)
            found[False][bet] = np.where(plays, of_play, of_play[plays.argmax()]).tobytes()
        elif (payoffs == of_pairs[None, :])[can].all():
            found[True][bet] = of_pairs.tobytes()
    return [
        Part(tuple(tables), classes_of(tuple(tables.values()), PAIRS if of_pairs else PLAYS), of_pairs)
        for of_pairs, tables in found.items()
        if tables
    ]


@lru_cache(maxsize=1)
def _reachable() -> NDArray[np.bool_]:
    """True for each play and pairs that a round can have together."""
    rows = b"".join([row.to_bytes(PAIRS // 8 + 1, "little") for row in reachable()])
    bits = np.unpackbits(np.frombuffer(rows, np.uint8).reshape(PLAYS, -1), axis=1, bitorder="little")
    return bits[:, :PAIRS].astype(bool)


def _pair_polynomials(class_of: NDArray[np.int64], omitted: int) -> dict[int, dict[Powers, float]]:
    """The deals of each class of pairs but one, by inclusion and exclusion, in falling factorials of the counts.

    One hand's pair has an effect, and both hands' pairs together. So a bet on one hand's pair depends on two cards
    only, and no term has more than two ranks.
    """
    found: dict[int, dict[Powers, float]] = {}
    by_pairs = class_of.reshape(len(Rank) + 1, len(Rank) + 1)
    for target in {*class_of.tolist()} - {omitted}:
        is_in = (by_pairs == target).astype(int)
        alone = is_in[:, 0] + is_in[0, :] - 2 * is_in[0, 0]
        both = is_in - is_in[:, :1] - is_in[:1, :] + is_in[0, 0]
        terms: dict[Powers, float] = defaultdict(float)
        terms[_pairs_of()] = float(is_in[0, 0])
        for a in Rank:
            terms[_pairs_of(a)] += float(alone[a])
            for b in Rank:
                terms[_pairs_of(a, b)] += float(both[a, b])
        found[target] = {powers: coefficient for powers, coefficient in terms.items() if coefficient}
    return found


def _pairs_of(*ranks: Rank) -> Powers:
    """Two cards of each of these ranks."""
    return tuple([2 * ranks.count(rank) for rank in Rank])
