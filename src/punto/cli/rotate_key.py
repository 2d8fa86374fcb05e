"""`punto rotate-key`: a new key for the shoes to come, while no server runs."""

from __future__ import annotations

import asyncio
import time

from punto.cli.output import console, phrase, write_json
from punto.cli.refusals import Reported
from punto.cli.settings import require_key
from punto.rules.refusals import Refused
from punto.service.replies import canonical
from punto.service.settings import HouseSettings
from punto.service.shoes.house_key import SHOE_KEY_ADDED, HouseKey
from punto.service.streams import HOUSE_STREAM
from punto.store.errors import StoreError
from punto.store.opening import open_store
from punto.store.records import Batch, NewRecord, Unit


def rotate_key(house: HouseSettings, *, as_json: bool) -> None:
    """Add a key to the file of a house's key, and note that in its log."""
    key = HouseKey(require_key(house))
    try:
        mark = asyncio.run(_rotate(house, key))
    except StoreError as error:
        raise Refused(Reported(error.code, error.message)) from None
    if as_json:
        write_json({"file": str(key.path), "fingerprint": mark})
    else:
        console().print(phrase("rotated", file=str(key.path)), soft_wrap=True, markup=False)


async def _rotate(house: HouseSettings, key: HouseKey) -> str:
    store = await open_store(house.database, head=house.head_file, signer=key.signer, check=key.check)
    try:
        mark = key.rotate()
        if house.checkpoint_file is not None:
            house.checkpoint_file.unlink(missing_ok=True)  # it is written under the old key
        unit = Unit((NewRecord(SHOE_KEY_ADDED, canonical({"mark": mark})),))
        await store.append(Batch(HOUSE_STREAM, None, time.time_ns() // 1_000_000, (unit,)))
    finally:
        await store.close()
    return mark
