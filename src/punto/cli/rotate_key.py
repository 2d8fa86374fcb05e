"""`punto rotate-key`: a new key for the shoes to come, while no server runs."""

from __future__ import annotations

import asyncio

from punto.cli.commands.house import RotateKey
from punto.cli.output import console, phrase, write
from punto.cli.rebuild import note
from punto.cli.settings import read_database, require_key
from punto.service.settings import HouseSettings
from punto.service.shoes.house_key import SHOE_KEY_ADDED, HouseKey
from punto.store.opening import open_store


def run(ask: RotateKey) -> None:
    """Add a key to the file of a house's key, and note that in its log."""
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
        await note(store, SHOE_KEY_ADDED, {"mark": mark})
    finally:
        await store.close()
    return mark
