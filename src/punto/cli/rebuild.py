"""`punto rebuild`: make the derived tables of a database anew from its verified log, in the names of two people."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

from punto.cli.commands.house import Rebuild
from punto.cli.output import console, phrase, write
from punto.cli.refusals import TwoPeopleNeeded
from punto.cli.settings import read_database, require_key
from punto.rules.refusals import Refused
from punto.service.replies import canonical
from punto.service.shoes.house_key import HouseKey
from punto.service.streams import HOUSE_STREAM
from punto.store.interface import Store
from punto.store.opening import open_store, public
from punto.store.rebuild import rebuild
from punto.store.records import Batch, NewRecord, StoredPerson, Unit
from punto.table.actor import PATRON_ROLE


def run(ask: Rebuild) -> None:
    """Rebuild a database that no server has open, and note in its log who asked for it."""
    if len(set(ask.by)) != 2:
        raise Refused(TwoPeopleNeeded())
    house = read_database(ask)
    head = Path(house.head) if house.head else None
    found = asyncio.run(_rebuild(house.database, head, HouseKey(require_key(house)), ask.by))

    def show() -> None:
        for says in found:
            console().print(f"  {says}", soft_wrap=True, markup=False)
        console().print(phrase("rebuilt", database=public(house.database), count=len(found)), soft_wrap=True)

    write(ask, data=lambda: {"rebuilt": list(found)}, text=show)


async def _rebuild(address: str, head: Path | None, key: HouseKey, by: Sequence[str]) -> tuple[str, ...]:
    def allow(people: list[StoredPerson]) -> None:
        if {person.id for person in people if person.role != PATRON_ROLE and person.id in by} != set(by):
            raise Refused(TwoPeopleNeeded())

    found = await rebuild(address, head, key.signer, allow)
    store = await open_store(address, head=head, signer=key.signer, check=key.check)
    try:
        await note(store, "rebuilt", {"by": " ".join(sorted(by)), "count": len(found), "detail": "; ".join(found[:3])})
    finally:
        await store.close()
    return found


async def note(store: Store, kind: str, told: dict[str, object]) -> None:
    """Note in the log of a house what was done to it while it was closed."""
    unit = Unit((NewRecord(kind, canonical(told)),))
    await store.append(Batch(HOUSE_STREAM, None, time.time_ns() // 1_000_000, (unit,)))
