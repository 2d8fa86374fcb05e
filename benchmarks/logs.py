"""Logs to measure with: rounds of bets, cards and settlements as a busy table writes them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from punto.ledger.transfers import Reason, buy, final, stake
from punto.store.interface import Store
from punto.store.records import Batch, Draft, Reply, Unit

PATRONS = 8
ROUND = PATRONS + 6
"""Records of one round: a bet of every patron, five cards, and the settlement of all."""

_BODY = "0" * 64


def bet(table: str, number: int, patron: str, cents: int = 2_500) -> Unit:
    """A bet with its key and reply."""
    payload = f'{{"bet":"{table}.{number}","box":{number % 9 + 1},"on":"banker","patron":"{patron}","stake":{cents}}}'
    reply = Reply(f"{patron}.{table}.{number}", _BODY, f'{{"accepted":"{table}.{number}","stake":{cents}}}')
    return Unit((Draft("bet-placed", payload, (stake(patron, table, cents, f"{table}.{number}"),)),), reply)


def bought(cents: int = 2**49) -> Batch:
    """Credits enough for every patron."""
    transfers = [buy(f"p{place}", cents, f"r{place}") for place in range(PATRONS)]
    return Batch("desk", None, 1, tuple(Unit((Draft("bought", "{}", (transfer,)),)) for transfer in transfers))


def rounds(table: str) -> Iterator[list[Unit]]:
    """Round after round: three patrons of four lose, the others are paid even money less commission."""
    numbers = count(1)
    while True:
        taken = [(next(numbers), f"p{place}") for place in range(PATRONS)]
        units = [bet(table, number, patron) for number, patron in taken]
        units += [Unit((Draft("card-dealt", f'{{"card":"9h","place":{place}}}'),)) for place in range(5)]
        ends = tuple(
            final(patron, table, f"{table}.{number}", Reason.LOSE if number % 4 else Reason.PAY, 2_500, back)
            for number, patron in taken
            for back in [0 if number % 4 else 4_875]
        )
        payload = ",".join(f'{{"bet":"{table}.{number}","rule":"4.1.1"}}' for number, _ in taken)
        yield [*units, Unit((Draft("settled", f'{{"lines":[{payload}]}}', ends),))]


async def fill(store: Store, records: int, table: str = "t1", at_once: int = 200) -> None:
    """Write about so many records, many rounds in a commit."""
    await store.append(bought())
    source = rounds(table)
    written = 0
    while written < records:
        units = [unit for _, each in zip(range(at_once), source, strict=False) for unit in each]
        written = (await store.append(Batch(table, written, 1_700_000_000_000 + written, tuple(units)))).tail.seq
