"""Planted bugs fit the code, and the simulation finds them."""

from __future__ import annotations

import pytest

from tests.simulation.bugs import BUGS, Bug


@pytest.mark.parametrize("bug", BUGS.values(), ids=BUGS)
def test_a_bug_fits_the_code_and_is_taken_out_again(bug: Bug) -> None:
    before = [change.function().__code__ for change in bug.changes]
    with bug.planted():
        assert all(each.function().__code__ is not code for each, code in zip(bug.changes, before, strict=True))
    assert [change.function().__code__ for change in bug.changes] == before
