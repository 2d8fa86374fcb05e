"""The house's own log: what happens in the house but at no table. It has many writers, so nothing in it rests on order.

Credits bought and cashed out stand here, people who were admitted, and what the house must show later.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from punto.ledger.house_moves import house_moves
from punto.rules.sheet import Sheet
from punto.service.cluster.cluster_link import HouseNews
from punto.service.part import Part
from punto.service.replies import canonical
from punto.service.shoes.house_key import SHOE_KEY, SHOE_KEY_ADDED, HouseKey
from punto.service.streams import HOUSE_STREAM, PAGE, balances_after
from punto.store import errors
from punto.store.records import Batch, NewRecord, NewReply, Record, StoredPerson, Unit

OPEN_DOOR = "open-door"
"""The name that admits the patrons who come in by themselves."""
SHEET_STORED = "/sheet:"
"""The beginning of the keys of stored sheets, before the fingerprint; no id of a person begins so."""
STORED_SHEET = "sheet-stored"
"""The kind of record of a stored sheet."""
PERSON_ADMITTED, PERSON_DISMISSED = "person-admitted", "person-dismissed"
TOKEN_ASKED, TOKEN_REPLACED, TOKEN_ENDED = "token-asked", "token-replaced", "token-ended"
"""The kinds of record about people: each has `by`, `person` and `name`. TOKEN_REPLACED has `asked_by`, the other of the
two; it and TOKEN_ASKED have a `reason` if one was given."""
SALE_ASKED, LARGE_SALE = "sale-asked", "large-sale"
"""The kinds of record about a sale that takes two: each has `by`, `patron` and `amount_cents`; the second has
`asked_by`, the other of the two."""
KEY_KEPT = "key-kept"
"""The kind of record that somebody put a copy of the key away: `by` and its `mark`."""
_HEADINGS = {
    "people": (PERSON_ADMITTED, TOKEN_ASKED, TOKEN_REPLACED, TOKEN_ENDED, PERSON_DISMISSED),
    "override": (SALE_ASKED, LARGE_SALE),
    "clock": ("clock-jumped",),
    "suspended": ("table-suspended",),
    "stuck": ("table-stuck",),
    "taken-over": ("table-taken-over",),
    "accepted": ("head-accepted", "rebuilt", SHOE_KEY_ADDED, KEY_KEPT),
    "tampering": (
        *("account-stopped", "person-stopped", "table-stopped", "lease-healed", "schema-changed"),
        *("checkpoint-refused", "key-missing", "record-changed", "signature-changed"),
    ),
}
SIGNIFICANT = {kind: heading for heading, kinds in _HEADINGS.items() for kind in kinds}
"""The kinds of record that a house must be able to show, and under which heading."""


@dataclass(eq=False, repr=False)
class HouseLog(Part):
    """The writer and reader of the house's own stream."""

    read: int = 0
    """The last record that the observers were handed."""
    _noting: asyncio.Lock = field(default_factory=asyncio.Lock)
    _reading: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def write(
        self,
        kind: str,
        data: object,
        *,
        reply: NewReply | None = None,
        people: Sequence[StoredPerson] = (),
        ceiling: tuple[str, int] | None = None,
        empty: str | None = None,
        before: Sequence[Unit] = (),
    ) -> dict[str, int]:
        """Write one record, with what follows from it; the balances of the accounts it moved. Errors are the store's.

        `before` are units that stand or fall with it. An error that means that nothing may be trusted to be durable
        stops the house.
        """
        payload = canonical(data)
        unit = Unit((NewRecord(kind, payload, house_moves(kind, payload)),), reply, ceiling, empty)
        batch = Batch(HOUSE_STREAM, None, self._clock.now_ms(), (*before, unit), people=tuple(people))
        while True:
            try:
                balances: dict[str, int] | None = (await self._store.append(batch)).balances
            except errors.OutcomeUnknownError as error:
                balances = await balances_after(
                    error, batch, self._store, self._clock, lambda: self._supervisor.closing
                )
            except errors.BrokenStoreError as error:
                self._supervisor.fail(error)
                raise
            if balances is not None:
                if balances:
                    self._balances.update(balances)
                    self._link.publish("house", HouseNews(balances))
                for observer in self._observers:
                    observer.house_moved(balances)
                return balances

    async def write_once(self, kind: str, data: object, key: str, body_hash: str) -> None:
        """Write one record under a key, unless somebody has. Errors are the store's."""
        with contextlib.suppress(errors.KeyTakenError):
            await self.write(kind, data, reply=NewReply(key, body_hash, "{}"))

    def note(self, kind: str, **data: str | int | None) -> None:
        """Write one record beside everything else."""
        self._supervisor.spawn(self.write(kind, data))

    async def agree_on(self, key: HouseKey) -> None:
        """Begin with a key, or make sure that it is the one this database was begun with; RefusedStoreError if not."""
        if (stored := (await self._store.replies([SHOE_KEY])).get(SHOE_KEY)) is not None:
            if stored.body_hash != key.fingerprint:
                raise key.refuse()
            return
        fingerprint = key.make()
        try:  # another process with the same key may be quicker
            await self.write_once(SHOE_KEY, {"mark": fingerprint, "public_key": key.public}, SHOE_KEY, fingerprint)
        except errors.KeyReusedError:
            raise key.refuse() from None

    async def store_sheet(self, sheet: Sheet) -> None:
        """Store what a sheet says, once, so that old rounds can be settled again by it. Errors are the store's."""
        key = f"{SHEET_STORED}{sheet.fingerprint}"
        if key not in await self._store.replies([key]):
            stored = {"id": sheet.id, "fingerprint": sheet.fingerprint, "canonical": sheet.canonical}
            await self.write_once(STORED_SHEET, stored, key, sheet.fingerprint)

    async def note_findings(self) -> None:
        """Note what the store found, such as a change by somebody else. Cut short, it may be noted twice.

        Errors are the store's.
        """
        async with self._noting:  # two who note at once would write each twice
            for finding in self._store.findings():
                await self.write(finding.code, {"subject": finding.subject, "detail": finding.detail})
                self._store.finding_noted(finding)

    async def refresh(self) -> None:
        """Hand the observers what was written since this was last asked, by whichever process."""
        async with self._reading:
            await self.note_findings()
            end = -1
            while self.read > end:
                end = self.read
                records, self.read = await self._read_on(end)
                for record in records:
                    if not _is_founded(record):
                        error = errors.UnfoundedPostingsError(f"{record.stream} {record.seq}", record.kind)
                        self._supervisor.fail(error)
                        raise error
                    for observer in self._observers:
                        observer.observe_record(record)

    async def _read_on(self, after: int) -> tuple[list[Record], int]:
        """The next records, and where they end. One that somebody has changed is noted and passed over."""
        try:
            records = await self._store.read(HOUSE_STREAM, after, PAGE)
        except errors.RecordChangedError:
            await self.note_findings()
            records = []
            for seq in range(after, after + PAGE):
                with contextlib.suppress(errors.RecordChangedError):
                    found = await self._store.read(HOUSE_STREAM, seq, 1)
                    if not found:
                        return records, seq
                    records += found
            return records, after + PAGE
        return records, after + len(records)


def _is_founded(record: Record) -> bool:
    """True if the postings of a record follow from its payload."""
    try:
        return record.moved_by(house_moves(record.kind, record.payload))
    except ValueError:
        return False
