"""A process on a disk that fills up (a small tmpfs in its own namespace) and has room again later."""

from __future__ import annotations

import asyncio
import sys
from itertools import count
from pathlib import Path

from punto.store.audit import audit
from punto.store.errors import DiskFullError
from punto.store.opening import open_snapshot, open_store
from tests.contract.places import bet, bought


async def main(folder: str) -> None:
    """Bet until it is refused, make room, bet on."""
    disk = Path(folder)
    address = f"sqlite:///{disk / 'punto.db'}"
    ballast = disk / "ballast"
    store = await open_store(address)
    await store.append(bought("ann", 1_000_000))
    ballast.write_bytes(bytes(1_000_000))
    done = 0
    try:
        for number in count(1):
            await store.append(bet(number, after=number - 1))
            done = number
    except DiskFullError as error:
        sys.stdout.write(f"{error.code} after {done}\n")
    for _ in range(3):
        try:
            await store.append(bet(done + 1, after=done))
        except DiskFullError:
            sys.stdout.write("still full\n")
    ballast.unlink()
    tail = (await store.append(bet(done + 1, after=done))).tail
    await store.close()
    async with open_snapshot(address) as (snapshot, _):
        report = await audit(snapshot)
    sys.stdout.write(f"resumed at {tail.seq - done} more, {len(report.problems)} problems\n")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
