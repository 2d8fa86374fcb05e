"""Checkpoints of a house: what its log had come to, signed and encrypted in a file beside the head.

A start reads the records after the newest checkpoint alone. A checkpoint proves nothing by itself: its signature, the
records that it rests on and the version of the program must fit, else the log is read from its first record.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from msgspec import Struct

from punto import __version__
from punto.protocol.views import Notice, PastIncident, SignificantEvent
from punto.service.audit.house_log import HouseLog
from punto.service.audit.incident_log import IncidentLog
from punto.service.audit.observer import Observer
from punto.service.audit.significant import SignificantEvents
from punto.service.money.notices import Notices
from punto.service.part import Part
from punto.service.shoes.encryption import NONCE_BYTES
from punto.service.shoes.house_key import HouseKey
from punto.service.streams import HOUSE_STREAM, table_of, table_stream
from punto.service.tables.followed_table import FollowedTable, RecordedEvent
from punto.service.tables.registry import TableRegistry
from punto.service.tables.saved_table import layout, save_table
from punto.service.world import Entropy
from punto.store.errors import StoreError
from punto.store.fold import Checkpoint, SavedFold
from punto.store.heads import write_file
from punto.table.state import State

log = logging.getLogger("punto.checkpoints")
_FORMAT = b"punto-checkpoint-1"
_WAIT_MS = 10
_MOST_WAITS = 1_000


@cache
def program() -> str:
    """The facts that must be the same where a checkpoint is written and read."""
    return f"{__version__}-{layout()[:16]}-{sys.byteorder}"


class CheckpointFile:
    """The file of the newest checkpoint: a line with the version and the signature, then what is encrypted."""

    def __init__(self, path: Path, key: HouseKey, entropy: Entropy = os.urandom) -> None:
        self.path, self._key, self._entropy = path, key, entropy

    def read(self) -> Checkpoint | None:
        """The checkpoint, if there is one of this version. ValueError for one that this house has not written so."""
        try:
            line, _, encrypted = self.path.read_bytes().partition(b"\n")
        except FileNotFoundError:
            return None
        except OSError as error:
            raise ValueError(f"{self.path.name} cannot be read: {error.strerror}") from None
        head, _, signature = line.rpartition(b" ")
        if signature.decode(errors="replace") != self._key.sign(_signed(head, encrypted)):
            raise ValueError(f"{self.path.name} does not bear the signature of this house")
        if head != _head():
            log.info("the checkpoint is of another version of the program, so the log is read from its first record")
            return None
        try:
            plain = AESGCM(self._key.shoe_secrets[0]).decrypt(encrypted[:NONCE_BYTES], encrypted[NONCE_BYTES:], head)
            return msgspec.msgpack.decode(plain, type=Checkpoint)
        except (InvalidTag, ValueError) as error:
            raise ValueError(f"{self.path.name} cannot be read: {type(error).__name__}") from None

    def write(self, checkpoint: Checkpoint) -> None:
        """Put a checkpoint in place of the last one, whole or not at all; OSError where that fails."""
        nonce, head = self._entropy(NONCE_BYTES), _head()
        encrypted = nonce + AESGCM(self._key.shoe_secrets[0]).encrypt(nonce, msgspec.msgpack.encode(checkpoint), head)
        signature = self._key.sign(_signed(head, encrypted)).encode()
        write_file(self.path, b"%s %s\n%s" % (head, signature, encrypted))


def _head() -> bytes:
    return b"%s %s" % (_FORMAT, program().encode())


def _signed(head: bytes, encrypted: bytes) -> bytes:
    return b"%s\n%s" % (head, hashlib.sha256(encrypted).hexdigest().encode())


class SavedHouse(Struct, frozen=True, forbid_unknown_fields=True):
    """The data at hand beside a house's tables, and the settings that it depends on."""

    large_win_cents: int
    shift_ms: int
    read: int
    significant: list[SignificantEvent]
    open_incidents: list[PastIncident]
    closed_incidents: list[PastIncident]
    unread_notices: dict[str, list[Notice]]
    notices_read: dict[str, set[str]]


@dataclass(eq=False, repr=False)
class Checkpoints(Part, Observer):
    """Writes the checkpoints of a running house, and begins with one."""

    _file: CheckpointFile | None
    _log: HouseLog
    _tables: TableRegistry
    _significant: SignificantEvents
    _incidents: IncidentLog
    _notices: Notices
    running: bool = False
    """True once the house has started: before that, records are of the past."""
    _records: int = 0
    _saving: bool = False

    def observe(self, table: FollowedTable, recorded: RecordedEvent, before: State) -> None:
        """Count one more record of a table, and write a checkpoint when it is time."""
        del table, recorded, before
        self._records += 1
        due = self._records >= self._settings.checkpoint_records
        if due and self.running and self._file is not None and not self._saving:
            self._supervisor.spawn(self.save())

    async def restore(self, checkpoint: Checkpoint) -> bool:
        """Begin with all that a checkpoint has of the house.

        False where it does not fit the house as it is now. Its log must then be read from the first record.
        """
        try:
            saved = msgspec.msgpack.decode(checkpoint.parts.get(HOUSE_STREAM, b""), type=SavedHouse)
            if (saved.large_win_cents, saved.shift_ms) != self._depends_on():
                log.info("the settings of the house have changed, so the log is read from its first record")
                return False
            await self._tables.restore(checkpoint.parts, checkpoint.fold.tails)
        except ValueError as error:
            log.info("the checkpoint does not fit, so the log is read from its first record: %s", error)
            return False
        self._log.read = saved.read
        self._significant.restore(saved.significant)
        self._incidents.restore(saved.open_incidents, saved.closed_incidents)
        self._notices.restore(saved.unread_notices, saved.notices_read)
        return True

    def _depends_on(self) -> tuple[int, int]:
        return self._settings.large_win_cents, self._settings.gaming_day.shift_ms

    async def save(self) -> None:
        """Write a checkpoint. It only saves time, so no error stops the house: the log of the process says it."""
        if self._file is None or self._saving:
            return
        self._saving, self._records = True, 0
        try:
            fold = await self._store.save_fold()
            if await self._catch_up_with(fold):
                # Between two awaits, so all of it is of one moment.
                parts, ends = self._parts()
                checkpoint = Checkpoint(fold, await self._places(fold, ends), parts)
                await asyncio.to_thread(self._file.write, checkpoint)
        except (StoreError, OSError) as error:
            log.warning("no checkpoint was written: %s", error)
        except Exception:
            log.exception("no checkpoint was written")
        finally:
            self._saving = False

    async def _catch_up_with(self, fold: SavedFold) -> bool:
        """Wait until the parts have taken in at least what the fold has: records after it are proved at the start."""
        await self._log.refresh()
        for stream, (seq, _, _) in fold.tails.items():
            host = self._tables.hosts.get(table_of(stream) or "")
            for _ in range(_MOST_WAITS):
                if host is None or host.followed.seq >= seq:
                    break
                if host.schedule is None:
                    await host.catch_up()
                else:  # it was committed here a moment ago
                    await self._clock.sleep_until(self._clock.steady_ms() + _WAIT_MS)
            else:
                return False
        return True

    def _parts(self) -> tuple[dict[str, bytes], dict[str, int]]:
        """Every part of the house as bytes, and the last record that each has taken in, by stream."""
        saved = SavedHouse(
            *self._depends_on(),
            self._log.read,
            self._significant.save(),
            *self._incidents.save(),
            *self._notices.save(),
        )
        parts, ends = {HOUSE_STREAM: msgspec.msgpack.encode(saved)}, {HOUSE_STREAM: saved.read}
        for table, host in self._tables.hosts.items():
            parts[table_stream(table)], ends[table_stream(table)] = save_table(host.followed), host.followed.seq
        return parts, ends

    async def _places(self, fold: SavedFold, ends: Mapping[str, int]) -> dict[str, tuple[int, str]]:
        places = {}
        for stream, seq in ends.items():
            last, hash_, _ = fold.tails.get(stream, (0, "", 0))
            if seq and seq != last:
                hash_ = (await self._store.read(stream, seq - 1, 1))[0].hash
            places[stream] = seq, hash_
        return places
