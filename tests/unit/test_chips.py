"""The chips of a table: few, and enough for every accepted amount."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.rules.differential import Limits
from punto.rules.money import Cents
from punto.table.chips import MOST_CHIPS, chip_set


@pytest.mark.parametrize(
    ("minimum", "differential", "unit", "chips"),
    [
        (2_000, 200_000, 2_000, (2_000, 10_000, 50_000, 100_000)),
        (1_000, 1_000_000, 100, (100, 500, 2_500, 10_000, 50_000, 100_000, 500_000, 1_000_000)),
        (300, 30_000, 300, (300, 1_500, 7_500, 30_000)),
        (20, 1_000, 20, (20, 100, 500)),
        (
            *(1_000_000, 50_000_000, 100_000),
            (100_000, 500_000, 1_000_000, 5_000_000, 10_000_000, 50_000_000),
        ),
        (100, 10_000, 4, (4, 100, 500, 2_500, 10_000)),  # the second chip is worth 25 units, which is near enough
        (160, 160_000, 16, (16, 80, 400, 1_600, 8_000, 40_000, 160_000)),  # 10,000 would be 625 units
        (1_050, 10_500, 25, (25, 500, 2_500, 10_000)),  # 100 is less than a tenth of the minimum
        (1_000_000_000, 1_000_000_000, 100, (100, 50_000_000)),  # the largest there is
    ],
)
def test_the_chips_follow_from_the_limits(minimum: int, differential: int, unit: int, chips: tuple[int, ...]) -> None:
    assert chip_set(Limits(Cents(minimum), Cents(differential), Cents(unit))) == chips


@given(st.integers(1, 10_000), st.integers(1, 10_000), st.integers(0, 1_000_000))
def test_every_amount_can_be_put_together(unit: int, minimum_units: int, more_units: int) -> None:
    minimum, differential = unit * minimum_units, unit * (minimum_units + more_units)
    chips = chip_set(Limits(Cents(minimum), Cents(differential), Cents(unit)))
    assert chips[0] == unit, "one more unit is always one more chip"
    assert list(chips) == sorted(set(chips))
    assert all(chip % unit == 0 for chip in chips)
    assert all(chip <= differential for chip in chips)
    assert len(chips) <= MOST_CHIPS
