"""A head file that was missing, or made anew: the log tells who took what on trust."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from punto.service.house import House, open_house
from punto.service.settings import HouseSettings
from punto.store.errors import RefusedStoreError
from tests.service.rig import rig
from tests.unit.command import punto


async def accepted(house: House) -> list[str]:
    return [str(line.parameters["detail"]) for line in await house.significant.newest() if line.heading == "accepted"]


async def rolled_back(settings: HouseSettings, folder: Path) -> tuple[int, int]:
    """A house put back to a backup from before Ann cashed out; where its desk ended, and where it ends now."""
    async with rig(settings) as r:
        ann = await r.person("Ann", cents=1_000)
        backup = sqlite3.connect(folder / "punto.db")
        backup.execute(f"VACUUM INTO '{folder / 'old.db'}'")
        backup.close()
        then = (await r.house.store.tail("desk")).seq
        assert (await r.house.cashier.cash_out(ann, 1_000, "out")).refused is None
        now = (await r.house.store.tail("desk")).seq
    for name in ("punto.db-wal", "punto.db-shm"):
        (folder / name).unlink(missing_ok=True)
    (folder / "old.db").replace(folder / "punto.db")
    return now, then


async def test_adopting_serves_a_missing_head_alone_and_is_noted_once(settings: HouseSettings, tmp_path: Path) -> None:
    await rolled_back(settings, tmp_path)
    for adopt_head in (False, True):
        with pytest.raises(RefusedStoreError) as refused:
            await open_house(replace(settings, adopt_head=adopt_head))
        assert refused.value.code == "record-missing"
    (tmp_path / "punto.db.head").unlink()
    with pytest.raises(RefusedStoreError) as refused:
        await open_house(settings)
    assert refused.value.code == "head-missing"
    house = await open_house(replace(settings, adopt_head=True))
    (said,) = await accepted(house)
    assert said.startswith("punto.db.head was missing, and the database was taken as it was, with ")
    await house.close()
    house = await open_house(replace(settings, adopt_head=True))
    assert await accepted(house) == [said], "with a head that is there nothing more is adopted"
    await house.close()


async def test_accepting_is_noted_at_the_next_start(settings: HouseSettings, tmp_path: Path) -> None:
    now, then = await rolled_back(settings, tmp_path)
    told = json.loads(punto("audit", "--database", settings.database, "--json").stdout)
    assert told["first"]["message"] == f"desk {then + 1} is missing: the head kept outside the database is at {now}"
    shown = punto("audit", "--database", settings.database, "--accept")
    assert (shown.returncode, "the next start notes it" in shown.stdout) == (0, True), shown.stdout
    async with rig(settings) as r:
        (said,) = await accepted(r.house)
        assert said.startswith("punto.db.head was made anew by an audit that accepted the database: desk from ")
        assert f"from {now} (" in said
        assert f" to {then} (" in said
    async with rig(settings) as r:
        assert await accepted(r.house) == [said]


async def test_a_house_that_never_needed_it_says_nothing(settings: HouseSettings) -> None:
    async with rig(settings) as r:
        await r.person("Ann", cents=1_000)
    assert punto("audit", "--database", settings.database, "--accept").returncode == 0
    async with rig(settings) as r:
        assert await accepted(r.house) == []
