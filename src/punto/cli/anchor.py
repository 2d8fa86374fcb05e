"""`punto anchor`: write where the log ends now, signed, for print or for another machine."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from punto.cli.output import console, phrase, write_json
from punto.cli.refusals import Reported
from punto.cli.settings import require_key
from punto.rules.refusals import Refused
from punto.service.settings import HouseSettings
from punto.service.shoes.anchors import write_anchor
from punto.service.shoes.house_key import HouseKey
from punto.store.errors import ForgedError, StoreError
from punto.store.opening import open_snapshot


def anchor_database(house: HouseSettings, out: Path | None, *, as_json: bool) -> None:
    """Write an anchor to a file, or to standard output."""
    key = require_key(house)
    try:
        text = asyncio.run(_anchor(house.database, HouseKey(key)))
    except StoreError as error:
        raise Refused(Reported(error.code, error.message)) from None
    if out is None:
        print(text)
        return
    try:
        out.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise Refused(Reported("anchor-unwritable", f"cannot write {out}: {error.strerror}")) from None
    if as_json:
        write_json({"written": str(out)})
    else:
        console().print(phrase("anchor-written", file=str(out)), soft_wrap=True)


async def _anchor(address: str, key: HouseKey) -> str:
    async with open_snapshot(address) as (snapshot, store):
        await key.check(snapshot)
        tails, sign = await snapshot.tails(), key.signer(store)
        for tail in tails:
            if tail.seq and tail.signature != sign.tail(tail):
                raise ForgedError(tail)
        return write_anchor(key, store, tails, time.time_ns() // 1_000_000)
