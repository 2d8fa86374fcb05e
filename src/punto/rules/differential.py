"""Limits, and what happens to a box that is over the Differential when bets have closed: pro rata, to the cent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from punto.rules.money import Cents

ONE_CENT = Cents(1)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a table displays: the minimum bet and the maximum Differential of a box, and its chip unit.

    A ValueError at construction says which of them contradict each other.
    """

    minimum_cents: Cents
    differential_cents: Cents
    unit_cents: Cents = ONE_CENT

    def __post_init__(self) -> None:
        if self.minimum_cents < 0 or self.differential_cents <= 0 or self.unit_cents <= 0:
            raise ValueError("the Differential and the chip unit must be above zero and the minimum not below it")
        if self.minimum_cents > self.differential_cents:
            raise ValueError(
                f"the minimum, {self.minimum_cents}, is above the maximum Differential, {self.differential_cents}"
            )
        if self.minimum_cents % self.unit_cents or self.differential_cents % self.unit_cents:
            raise ValueError(f"the minimum and the Differential must be multiples of the chip unit, {self.unit_cents}")


def pro_rata(stakes: Sequence[int], light: int, limits: Limits) -> list[int]:
    """The part in play of each stake on the heavier side of a box that is over the Differential.

    Stakes come in seat order, which decides who gets a leftover unit when remainders are equal; `light` is the sum
    on the other side. Stakes below the minimum stay whole. The others are scaled by one factor to meet the limit;
    one that would fall below the minimum is held there, and the factor worked out again over the rest. When nothing
    is left to scale, the stakes stand at the minimum and the Differential stays above the limit.
    """
    minimum, unit = limits.minimum_cents, limits.unit_cents
    in_play = list(stakes)
    scaled = [place for place, stake in enumerate(stakes) if stake >= minimum]
    target = light + limits.differential_cents - sum(stake for stake in stakes if stake < minimum)
    while scaled:
        whole = sum(stakes[place] for place in scaled)
        held = [place for place in scaled if stakes[place] * target < minimum * whole]
        if not held:
            break
        for place in held:
            in_play[place] = minimum
        target -= minimum * len(held)
        scaled = [place for place in scaled if place not in held]
    else:
        return in_play
    for place, part in zip(scaled, share(target, [stakes[place] for place in scaled], unit), strict=True):
        in_play[place] = part
    return in_play


def share(total: int, stakes: Sequence[int], unit: int) -> list[int]:
    """A total in proportion to stakes, in whole units: rounded down, leftovers by largest remainder, then in order."""
    whole = sum(stakes)
    shares = [divmod(stake * (total // unit), whole) for stake in stakes]
    leftover = total // unit - sum(share for share, _ in shares)
    order = sorted(range(len(stakes)), key=lambda place: -shares[place][1])
    return [(share + (place in order[:leftover])) * unit for place, (share, _) in enumerate(shares)]
