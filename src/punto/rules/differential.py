"""Limits of a table, and the pro rata scaling of a box that is over the Differential when bets close."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from punto.rules.money import Cents
from punto.rules.reasons import Problem, ProblemError

ONE_CENT = Cents(1)


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits that a table displays: minimum bet, maximum Differential of a box, and chip unit.

    In a sheet that knows no Differential, `differential_cents` is the maximum of an original bet.

    The constructor raises ProblemError if they contradict each other.
    """

    minimum_cents: Cents
    differential_cents: Cents
    unit_cents: Cents = ONE_CENT

    def __post_init__(self) -> None:
        if min(self.minimum_cents, self.differential_cents, self.unit_cents) <= 0:
            raise ProblemError(Problem.LIMITS_NOT_POSITIVE)
        if self.minimum_cents > self.differential_cents:
            raise ProblemError(Problem.MINIMUM_ABOVE_DIFFERENTIAL)
        if self.minimum_cents % self.unit_cents or self.differential_cents % self.unit_cents:
            raise ProblemError(Problem.LIMITS_OFF_UNIT)


def pro_rata(stakes: Sequence[int], light: int, limits: Limits) -> list[int]:
    """The part in play of each stake on the heavier side of a box that is over the Differential.

    Stakes are in seat order, which decides who gets a leftover unit when remainders are equal. `light` is the sum on
    the other side. Stakes below the minimum stay whole. One factor scales the others to meet the limit. A stake that
    would fall below the minimum is set to it, and the factor is computed again for the rest. If all stakes are at the
    minimum, the Differential stays above the limit.
    """
    minimum, unit = limits.minimum_cents, limits.unit_cents
    in_play = list(stakes)
    scaled = [place for place, stake in enumerate(stakes) if stake >= minimum]
    target = light + limits.differential_cents - sum([stake for stake in stakes if stake < minimum])
    while scaled:
        whole = sum([stakes[place] for place in scaled])
        held = [place for place in scaled if stakes[place] * target < minimum * whole]
        if not held:
            break
        for place in held:
            in_play[place] = minimum
        target -= minimum * len(held)
        scaled = [place for place in scaled if place not in held]
    for place, part in zip(scaled, share(target, [stakes[place] for place in scaled], unit), strict=True):
        in_play[place] = part
    return in_play


def share(total: int, stakes: Sequence[int], unit: int) -> list[int]:
    """Divide a total in proportion to stakes, in whole units. Leftover units go by largest remainder, then by order."""
    whole = sum(stakes)
    shares = [divmod(stake * (total // unit), whole) for stake in stakes]
    leftover = total // unit - sum([share for share, _ in shares])
    favoured = sorted(range(len(stakes)), key=lambda place: -shares[place][1])[:leftover] if leftover else []
    return [(share + (place in favoured)) * unit for place, (share, _) in enumerate(shares)]
