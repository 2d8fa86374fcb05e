"""Looking back: rounds and shoes of a table, for whoever asks."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from punto.protocol.refusals import RoundUnknown, ShoeUnknown
from punto.protocol.views import PublishedShoe, RoundRecord
from punto.rules.refusals import Refusal
from punto.service.people.person import Person
from punto.service.shoes.encryption import ShoeCipher
from punto.service.tables.followed_table import FollowedTable
from punto.service.viewing.published_shoe import played_shoe, published
from punto.service.viewing.round_history import one_round, rounds
from punto.service.viewing.table_views import Names
from punto.store.interface import Store


class History:
    """What the log says of the past of each table.

    Patrons and the public look back one at a time: many who ask at once wait for each other, not the tables.
    """

    def __init__(self, store: Store, cipher: ShoeCipher, names: Names) -> None:
        self._store, self._cipher, self._names = store, cipher, names
        self._one_at_a_time = asyncio.Lock()

    async def rounds(
        self, table: FollowedTable, person: Person | None, before: int | None, limit: int
    ) -> list[RoundRecord]:
        """The record of play, newest first."""
        async with self._turn(person):
            return await rounds(self._store, table, person, self._names, before, limit)

    async def round(self, table: FollowedTable, person: Person | None, number: int) -> RoundRecord | Refusal:
        """One round whole, marked as a replay."""
        async with self._turn(person):
            found = await one_round(self._store, table, person, self._names, number)
        return found or RoundUnknown(number)

    async def shoe(self, table: FollowedTable, person: Person | None, number: int) -> PublishedShoe | Refusal:
        """A shoe as it is published; its order and salt only once it is over, and so what came out, but to staff."""
        async with self._turn(person):
            played = await played_shoe(self._store, self._cipher, table, number)
        if played is None:
            return ShoeUnknown(number)
        return published(table, played, staff=person is not None and person.is_staff)

    def _turn(self, person: Person | None) -> contextlib.AbstractAsyncContextManager[Any]:
        return contextlib.nullcontext() if person is not None and person.is_staff else self._one_at_a_time
