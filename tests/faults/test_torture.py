"""Some kills always; any number by hand: `python -m tests.torture --kills 1000 --seed 7`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tests.postgres import PostgresServer
from tests.torture import torture

SEED = 20_251_115


def did_something(counts: Counter[str]) -> None:
    """The campaign must have done something: bets were taken, and rounds were played."""
    assert counts["acknowledged"] > 10
    assert counts["sent"] > counts["acknowledged"] + counts["refused"], "some were sent and never answered"
    assert counts["rounds"] > 0


async def test_a_server_killed_at_random_points_keeps_every_cent(tmp_path: Path) -> None:
    did_something(await torture(5, SEED, f"sqlite:///{tmp_path / 'torture.db'}", tmp_path))


async def test_a_server_on_postgresql_killed_at_random_points_keeps_every_cent(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    postgres.sql("postgres", "CREATE DATABASE torture")
    did_something(await torture(3, SEED, postgres.address("torture"), tmp_path))
