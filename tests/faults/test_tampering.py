"""The campaign of tests/tampering.py: a few hundred random changes, thousands in the slow form, none unnoticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.postgres import PostgresServer
from tests.tampering import PostgresCampaign, SqliteCampaign, Tampered


def check(cases: dict[int, Tampered]) -> None:
    missed = {seed: case.what for seed, case in cases.items() if not case.passed}
    assert missed == {}
    assert any(case.noticed for case in cases.values())


LONG = pytest.param(2_000, marks=pytest.mark.slow)


@pytest.mark.parametrize("cases", [150, LONG])
async def test_an_sqlite_file_at_rest(tmp_path: Path, cases: int) -> None:
    campaign = SqliteCampaign(tmp_path)
    await campaign.start()
    check({seed: await campaign.at_rest(seed) for seed in range(cases)})


async def test_an_sqlite_file_while_it_is_served(tmp_path: Path) -> None:
    campaign = SqliteCampaign(tmp_path)
    await campaign.start()
    assert (await campaign.while_serving(0, tamper=False)).noticed, "an honest house pays"
    check({seed: await campaign.while_serving(seed) for seed in range(80)})


async def test_a_start_from_a_checkpoint(tmp_path: Path) -> None:
    campaign = SqliteCampaign(tmp_path)
    await campaign.start()
    check({seed: await campaign.from_checkpoint(seed) for seed in range(40)})


@pytest.mark.parametrize("cases", [80, LONG])
async def test_a_postgres_at_rest(postgres: PostgresServer, tmp_path: Path, cases: int) -> None:
    campaign = PostgresCampaign(postgres, tmp_path, f"tampering_at_rest_{cases}")
    await campaign.start()
    check({seed: await campaign.at_rest(seed) for seed in range(cases)})


async def test_a_postgres_while_it_is_served(postgres: PostgresServer, tmp_path: Path) -> None:
    campaign = PostgresCampaign(postgres, tmp_path, "tampering_served")
    await campaign.start()
    check({seed: await campaign.while_serving(seed) for seed in range(10)})
