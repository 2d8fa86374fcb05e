"""Two dozen kills always; any number by hand: `python -m tests.torture --kills 1000 --seed 7`."""

from __future__ import annotations

from pathlib import Path

from tests.torture import torture

SEED = 20_251_115


def test_a_house_killed_at_random_points_keeps_every_cent(tmp_path: Path) -> None:
    counts = torture(24, SEED, tmp_path)
    # The campaign must have done something: bets were taken, rounds were played, some of them were interrupted.
    assert counts["acknowledged"] > 100
    assert counts["rounds"] > 10
    assert counts["void"] > 0
