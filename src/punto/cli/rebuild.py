"""`punto rebuild` and `punto rotate-key`: what is done to the database of a house that no server has open.

The derived tables are made anew from the verified log, in the names of two people; or a key is added for shoes to come.
The log notes either.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

from punto.cli.commands.house import Rebuild, RotateKey
from punto.cli.output import console, phrase, write
from punto.cli.refusals import TwoPeopleNeeded
from punto.cli.settings import read_database, require_key
from punto.rules.refusals import Refused
from punto.service.replies import canonical
from punto.service.settings import HouseSettings
from punto.service.shoes.house_key import SHOE_KEY_ADDED, HouseKey
from punto.service.streams import HOUSE_STREAM
from punto.store.interface import Store
from punto.store.opening import open_store, public
from punto.store.rebuild import rebuild
from punto.store.records import Batch, NewRecord, StoredPerson, Unit
from punto.table.actor import PATRON_ROLE


def run(ask: Rebuild) -> None:
    """Rebuild a database, and note in its log who asked for it."""
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
        await _note(store, "rebuilt", {"by": " ".join(sorted(by)), "count": len(found), "detail": "; ".join(found[:3])})
    finally:
        await store.close()
    return found


def rotate_key(ask: RotateKey) -> None:
    """Add a key to the file of a house's key."""
    house = read_database(ask)
    key = HouseKey(require_key(house))
    mark = asyncio.run(_rotate(house, key))
    says = phrase("rotated", file=str(key.path))
    data = {"file": str(key.path), "fingerprint": mark}
    write(ask, data=lambda: data, text=lambda: console().print(says, soft_wrap=True, markup=False))


async def _rotate(house: HouseSettings, key: HouseKey) -> str:
    store = await open_store(house.database, head=house.head_file, signer=key.signer, check=key.check)
    try:
        mark = key.rotate()
        if house.checkpoint_file is not None:
            house.checkpoint_file.unlink(missing_ok=True)  # it is written under the old key
        await _note(store, SHOE_KEY_ADDED, {"mark": mark})
    finally:
        await store.close()
    return mark


async def _note(store: Store, kind: str, told: dict[str, object]) -> None:
    """Note in the log of a house what was done to it while it was closed."""
    unit = Unit((NewRecord(kind, canonical(told)),))
    await store.append(Batch(HOUSE_STREAM, None, time.time_ns() // 1_000_000, (unit,)))
