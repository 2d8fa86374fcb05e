"""The desk: what happens in the house but at no table. Its stream has many writers, so nothing in it rests on order.

Credits are bought and cashed out here, people are admitted, and the house notes what must be shown later.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from punto.ledger.transfers import Transfer
from punto.service.audit.significant import desk_line
from punto.service.clock import Clock
from punto.service.replies import canonical
from punto.service.shoes.encryption import SHOE_KEY, Seals
from punto.service.tables.runner import RETRY_MS
from punto.store import errors
from punto.store.batches import accounts_of
from punto.store.interface import Store
from punto.store.records import Batch, NewRecord, NewReply, StoredPerson, Unit

DESK = "desk"
OPEN_DOOR = "open-door"
"""Who admits the patrons that come in by themselves."""
PAGE = 1_000
SIGNIFICANT = {
    "person-admitted": "people",
    "token-replaced": "people",
    "clock-jumped": "clock",
    "table-suspended": "suspended",
    "table-stuck": "stuck",
    "table-taken-over": "taken-over",
    "head-accepted": "accepted",
}
"""The kinds of record that a house must be able to show, and under which heading."""


class HouseLog:
    """The writer and reader of the desk's stream."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock
        self._read, self._reading = 0, asyncio.Lock()
        self.closing = False

    async def write(
        self,
        kind: str,
        data: dict[str, Any],
        *,
        transfers: Sequence[Transfer] = (),
        reply: NewReply | None = None,
        people: Sequence[StoredPerson] = (),
        ceiling: tuple[str, int] | None = None,
    ) -> dict[str, int]:
        """Write one record; the balances of the accounts it moved. Errors are the store's."""
        unit = Unit((NewRecord(kind, canonical(data), tuple(transfers)),), reply, ceiling)
        batch = Batch(DESK, None, self._clock.now_ms(), (unit,), people=tuple(people))
        while True:
            try:
                return (await self._store.append(batch)).balances
            except errors.OutcomeUnknownError as error:
                if (balances := await self._resolve(error, batch)) is not None:
                    return balances

    async def _resolve(self, error: errors.OutcomeUnknownError, batch: Batch) -> dict[str, int] | None:
        while True:
            try:
                return await self._store.balances(accounts_of(batch)) if await self._store.resolve(error) else None
            except errors.UnavailableError:
                if self.closing:
                    raise  # the next start reads the log, and a repeated key tells
                await self._clock.sleep_until(self._clock.steady_ms() + RETRY_MS)

    async def agree_on(self, seals: Seals) -> None:
        """Begin with a key, or make sure that it is the one this database was begun with; RefusedStoreError if not."""
        if (stored := (await self._store.replies([SHOE_KEY])).get(SHOE_KEY)) is not None:
            if stored.body_hash != seals.mark:
                raise seals.refuse()
            return
        mark = seals.make()
        try:
            await self.write(SHOE_KEY, {"mark": mark}, reply=NewReply(SHOE_KEY, mark, "{}"))
        except errors.KeyTakenError:
            pass  # another process with the same key was quicker
        except errors.KeyReusedError:
            raise seals.refuse() from None

    async def note_accepted(self) -> None:
        """Tell of what was taken on trust when the store was opened, or before; cut short, it may be told twice."""
        for says in self._store.accepted:
            await self.write("head-accepted", {"says": says})
        if self._store.accepted:
            await self._store.noted()

    async def news(self) -> list[dict[str, Any]]:
        """The significant events written since this was last asked, by whichever process; each is given once."""
        async with self._reading:
            return await self._news()

    async def _news(self) -> list[dict[str, Any]]:
        lines = []
        while records := await self._store.read(DESK, self._read, PAGE):
            for record in records:
                data = json.loads(record.payload) if record.kind in SIGNIFICANT else {}
                # Whoever comes in by the open door is no news: anyone could fill the list with such lines.
                if data and data.get("by") != OPEN_DOOR:
                    by = data.get("by", "house")
                    lines.append(desk_line(record.seq, record.time_ms, SIGNIFICANT[record.kind], data["says"], by))
            self._read = records[-1].seq
            if len(records) < PAGE:
                break
        return lines
