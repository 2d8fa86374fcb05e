"""A process that bets and settles at three tables until it is killed, and says what it was told is done."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from punto.ledger.moves import Reason, buy, final, stake
from punto.store.interface import Store
from punto.store.opening import open_store
from punto.store.records import Batch
from tests.contract.places import unit

TABLES = ("t1", "t2", "t3")


async def play(store: Store, table: str, run: str) -> None:
    """Rounds of three bets, each bet its own unit; then all are settled in one."""
    seq = (await store.tail(table)).seq
    for number in range(1_000_000):
        bets = [f"{run}.{table}.{number}.{place}" for place in range(3)]
        units = [unit(stake("ann", table, 10, bet), key=bet) for bet in bets]
        seq = (await store.append(Batch(table, seq, number, tuple(units)))).tail.seq
        say(*bets)
        ends = [final("ann", table, bet, Reason.LOSE, 10, 0) for bet in bets[:2]]
        ends.append(final("ann", table, bets[2], Reason.PAY, 10, 20))
        settled = f"{run}.{table}.{number}.settled"
        seq = (await store.append(Batch(table, seq, number, (unit(*ends, key=settled),)))).tail.seq
        say(settled)


def say(*keys: str) -> None:
    """One write for each line, so that a kill never leaves half of one."""
    for key in keys:
        sys.stdout.write(f"{key}\n")
        sys.stdout.flush()


async def main(address: str, head: str, run: str) -> None:
    """Open the store, buy credits, and play."""
    store = await open_store(address, head=Path(head))
    await store.append(Batch("desk", None, 0, (unit(buy("ann", 1_000_000, run), key=f"{run}.bought"),)))
    say(f"{run}.bought")
    await asyncio.gather(*[play(store, table, run) for table in TABLES])


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
