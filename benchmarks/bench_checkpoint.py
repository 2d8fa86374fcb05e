"""Starting a house of several tables from its newest checkpoint, against reading its log from the first record.

`python -m benchmarks.bench_checkpoint 2000000` measures another number of records.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.harness import Comparison, show
from benchmarks.logs import fill_played
from punto.service.house import open_house
from punto.service.settings import HouseSettings
from punto.service.shoes.encryption import ShoeCipher
from punto.service.shoes.house_key import HouseKey
from punto.store.opening import open_store

RECORDS = 320_000
TABLES = 4


def run(records: int = RECORDS) -> list[Comparison]:
    """Measure both over one log."""
    with tempfile.TemporaryDirectory() as folder:
        return [asyncio.run(_measure(Path(folder), records))]


async def _measure(folder: Path, records: int) -> Comparison:
    settings = HouseSettings(f"sqlite:///{folder / 'punto.db'}", stop_ms=0)
    key = HouseKey(folder / "punto.db.key")
    key.make()
    store = await open_store(settings.database, signer=key.signer)
    await fill_played(store, records, TABLES, ShoeCipher(key))
    await store.close()
    whole, stop = await _start(settings, resumed=False)
    seconds = min([(await _start(settings, resumed=True))[0] for _ in range(3)])
    size = (folder / "punto.db.checkpoint").stat().st_size
    note = f"{records:,} records: {seconds:.2f} s in place of {whole:.1f} s; {size / 2**20:.1f} MiB, stop {stop:.2f} s"
    return Comparison("start of a house", "from the first record", seconds, whole, 0.1, "cost", note)


async def _start(settings: HouseSettings, *, resumed: bool) -> tuple[float, float]:
    """How long a start takes, and the stop after it."""
    began = time.perf_counter()
    house = await open_house(settings)
    started = time.perf_counter()
    assert house.store.resumed is resumed  # noqa: S101 — else something else is measured
    await house.close()
    return started - began, time.perf_counter() - started


if __name__ == "__main__":
    show(run(*map(int, sys.argv[1:])))
