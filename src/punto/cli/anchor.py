"""`punto anchor`: write where the log ends now, signed, for print or for another machine."""

from __future__ import annotations

import asyncio
import time

from punto.cli.commands.house import Anchor
from punto.cli.files import write_file
from punto.cli.output import console, phrase, write
from punto.cli.settings import read_database, require_key
from punto.service.shoes.anchors import write_anchor
from punto.service.shoes.house_key import HouseKey
from punto.store.errors import ForgedError
from punto.store.opening import open_snapshot


def run(ask: Anchor) -> None:
    """Write an anchor to a file, or to standard output."""
    house = read_database(ask)
    text = asyncio.run(_anchor(house.database, HouseKey(require_key(house))))
    file = "-" if ask.out is None else str(ask.out)
    write_file(file, text + "\n")
    if ask.out is not None:
        says = phrase("anchor-written", file=file)
        write(ask, data=lambda: {"written": file}, text=lambda: console().print(says, soft_wrap=True))


async def _anchor(address: str, key: HouseKey) -> str:
    async with open_snapshot(address) as (snapshot, store):
        await key.check(snapshot)
        tails, sign = await snapshot.tails(), key.signer(store)
        for tail in tails:
            if tail.seq and tail.signature != sign.tail(tail):
                raise ForgedError(tail)
        return write_anchor(key, store, tails, time.time_ns() // 1_000_000)
