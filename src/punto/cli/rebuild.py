"""`punto rebuild`: make the derived tables of a database anew from its verified log, in the names of two people."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

from punto.cli.output import console, phrase, write_json
from punto.cli.refusals import Reported, TwoPeopleNeeded
from punto.cli.settings import require_key
from punto.rules.refusals import Refused
from punto.service.replies import canonical
from punto.service.settings import HouseSettings
from punto.service.shoes.house_key import HouseKey
from punto.service.streams import HOUSE_STREAM
from punto.store.errors import StoreError
from punto.store.opening import open_store, public
from punto.store.rebuild import rebuild
from punto.store.records import Batch, NewRecord, StoredPerson, Unit
from punto.table.actor import PATRON_ROLE


def rebuild_database(house: HouseSettings, by: Sequence[str], *, as_json: bool) -> None:
    """Rebuild a database that no server has open, and note in its log who asked for it."""
    if len(set(by)) != 2:
        raise Refused(TwoPeopleNeeded())
    key, head = require_key(house), Path(house.head) if house.head else None
    try:
        found = asyncio.run(_rebuild(house.database, head, HouseKey(key), by))
    except StoreError as error:
        raise Refused(Reported(error.code, error.message)) from None
    if as_json:
        write_json({"rebuilt": list(found)})
        return
    for says in found:
        console().print(f"  {says}", soft_wrap=True, markup=False)
    console().print(phrase("rebuilt", database=public(house.database), count=len(found)), soft_wrap=True)


async def _rebuild(address: str, head: Path | None, key: HouseKey, by: Sequence[str]) -> tuple[str, ...]:
    def allow(people: list[StoredPerson]) -> None:
        if {person.id for person in people if person.role != PATRON_ROLE and person.id in by} != set(by):
            raise Refused(TwoPeopleNeeded())

    found = await rebuild(address, head, key.signer, allow)
    store = await open_store(address, head=head, signer=key.signer, check=key.check)
    try:
        told = canonical({"by": " ".join(sorted(by)), "count": len(found), "detail": "; ".join(found[:3])})
        unit = Unit((NewRecord("rebuilt", told),))
        await store.append(Batch(HOUSE_STREAM, None, time.time_ns() // 1_000_000, (unit,)))
    finally:
        await store.close()
    return found
