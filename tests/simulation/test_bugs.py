"""Planted bugs fit the code, and the simulation finds them. `python -m tests.simulation.bugs` plants all of them."""

from __future__ import annotations

import secrets

import pytest

from tests.simulation.bugs import BUGS, MOST_SEEDS, Bug, find


@pytest.mark.parametrize("bug", BUGS.values(), ids=BUGS)
def test_a_bug_fits_the_code_and_is_taken_out_again(bug: Bug) -> None:
    before = [change.function().__code__ for change in bug.changes]
    with bug.planted():
        assert all(each.function().__code__ is not code for each, code in zip(bug.changes, before, strict=True))
    assert [change.function().__code__ for change in bug.changes] == before


def test_the_simulation_finds_a_planted_bug() -> None:
    """Another one in each run of the tests."""
    bug = secrets.choice([*BUGS.values()])
    print(f"python -m tests.simulation.bugs --bug {bug.name}")
    assert find(bug, [bug.seed, *range(1, MOST_SEEDS + 1)]), bug.says
