"""The chips of a table: a few, in which every accepted amount can be put together."""

from __future__ import annotations

from punto.rules.differential import Limits
from punto.rules.money import Cents

MOST_CHIPS = 8
"""More do not fit in a tray."""
_STEPS = (5, 25, 100, 500, 2_500, 10_000, 50_000, 100_000, 500_000, 1_000_000, 5_000_000, 10_000_000, 50_000_000)
_NEAR = 25
"""The most units that the second chip is worth, so that nobody must put down hundreds of the first."""


def chip_set(limits: Limits) -> tuple[Cents, ...]:
    """The chips for these limits, the smallest first.

    The smallest is worth the unit, so that every accepted amount can be put together. The others begin near a tenth of
    the minimum and end at the Differential. They are the usual ones, if these are whole units, and else the unit's own.
    """
    unit, largest = limits.unit_cents, max(limits.differential_cents, limits.minimum_cents)
    larger = [chip for chip in _STEPS if chip > unit and chip % unit == 0]
    if not larger or larger[0] > _NEAR * unit:
        larger = [unit * step for step in _STEPS]
    fitting = [chip for chip in larger if chip <= largest]
    handy = [chip for chip in fitting if chip * 10 >= limits.minimum_cents]
    return tuple([Cents(chip) for chip in (unit, *(handy or fitting[-1:])[: MOST_CHIPS - 1])])
