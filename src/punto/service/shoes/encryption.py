"""Sealing: the order and salt of a shoe lie in the log under a key that is kept outside the database.

Whoever reads the database, a backup or a dump of it learns what was dealt and what was promised, never what comes
next. The seal is AES-256-GCM, bound to the stream and the shoe, so that none can be moved to another place; the hash
chain covers the sealed text. A shoe that is over is opened by publishing it; the record stays as it was written.

The same key, by way of another derived from it, signs where each stream ends: whoever writes to the database without it
can add nothing that passes for the house's own.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import json
import os
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from punto.rules.cards import parse_cards, write_cards
from punto.service.audit.fast_codec import parse_event, read_data
from punto.service.tables.followed_table import RecordedEvent
from punto.store.errors import RefusedStoreError
from punto.store.heads import sync_folder
from punto.store.interface import Snapshot
from punto.store.opening import default_head
from punto.store.records import Record, Sign, Tail
from punto.table import events as e
from punto.table.codec import read_event, write_event
from punto.table.commands import kind_of
from punto.table.views import public

KEY_BYTES = 32
NONCE_BYTES = 12
SEALED = "sealed"
SHOE_LOADED = kind_of(e.ShoeLoaded)
SHOE_KEY = "shoe-key"
"""The first record of a house, and the idempotency key, under which its processes agree on the key of their shoes."""
_FOR_MEMORY = os.urandom(KEY_BYTES)
"""The key of stores that end with this process."""


def default_key(database: str, head: Path | None) -> Path | None:
    """Where a house keeps its key if nobody says otherwise: beside the head file; nowhere for a store in memory."""
    head = head or default_head(database)
    return head.with_name(head.name.removesuffix(".head") + ".key") if head else None


def read_record(record: Record) -> RecordedEvent:
    """A record of a table's stream as an event, without what is sealed in it: enough for all that is shown."""
    return RecordedEvent(record.seq, record.time_ms, event_of(record))


def event_of(record: Record) -> e.Event:
    """The event of a record, without what is sealed in it."""
    return public(_unsealed(record)[0]) if record.kind == SHOE_LOADED else parse_event(record.payload)


def is_sealed(record: Record) -> bool:
    """Whether something in a record can be read with the key alone."""
    return record.kind == SHOE_LOADED and f'"{SEALED}":' in record.payload


class Seals:
    """Writes and reads a house's records, with the key in a file (or, for a store in memory, in the process)."""

    def __init__(self, path: Path | None) -> None:
        """Take the key from its file; None is there to be made. A RefusedStoreError says why the file is no key."""
        self.path = path
        self._key = _read(path) if path else _FOR_MEMORY

    def make(self) -> str:
        """The mark of the key, which is made with its file where there is none yet."""
        if self.path is not None and self._key is None:
            _make(self.path)
            self._key = _read(self.path)
        if self.mark is None:
            raise self.refuse()
        return self.mark

    @property
    def mark(self) -> str | None:
        """What tells one key from another and gives nothing of it away; None without a key."""
        return None if self._key is None else hashlib.sha256(b"punto key of shoes\n" + self._key).hexdigest()

    def signer(self, store: str) -> Sign:
        """What seals the tails of a store, under a key derived from that of the shoes, which must be there by then."""
        derived: list[bytes] = []

        def sign(tail: Tail) -> str:
            if not derived:
                if self._key is None:
                    raise self.refuse()
                derived.append(hmac.digest(self._key, b"punto tails of streams", "sha256"))
            text = f"{store}\n{tail.stream}\n{tail.seq}\n{tail.hash}"
            return hmac.digest(derived[0], text.encode(), "sha256").hex()

        return sign

    async def check(self, snapshot: Snapshot) -> None:
        """Make sure that a database was begun with this key, before every seal in it would look wrong."""
        if self._key is None and self.path is not None:
            self._key = _read(self.path)  # another process may have made it meanwhile
        for first in [Record._make(row) for row in await snapshot.page(0, 1)]:
            if first.kind == SHOE_KEY and first.body_hash != self.mark:
                raise self.refuse()

    def refuse(self) -> RefusedStoreError:
        """Why this house cannot be opened with the key it was given."""
        if self._key is None:
            message = f"there is no key of shoes at {self.path}; name the one this database was begun with (--key)"
            return RefusedStoreError("key-missing", message)
        message = f"{self.path} is not the key that the shoes of this database are sealed with; name that one (--key)"
        return RefusedStoreError("key-wrong", message)

    def write(self, stream: str, event: e.Event, data: dict[str, Any] | None = None) -> str:
        """An event as the payload of a record; `data` is the event as plain data, where that is at hand."""
        if not isinstance(event, e.ShoeLoaded) or not (event.cards or event.salt):
            return _text(write_event(event) if data is None else data)
        if self._key is None:
            raise self.refuse()
        secret = json.dumps([write_cards(event.cards), event.salt]).encode()
        nonce = os.urandom(NONCE_BYTES)
        sealed = nonce + AESGCM(self._key).encrypt(nonce, secret, _bound_to(stream, event.shoe))
        return _text(write_event(public(event)) | {SEALED: base64.b64encode(sealed).decode()})

    def read(self, record: Record) -> RecordedEvent:
        """A record as an event, whole. A RefusedStoreError says that its seal does not open under this key."""
        return RecordedEvent(record.seq, record.time_ms, self.event_of(record))

    def event_of(self, record: Record) -> e.Event:
        """The event of a record, whole; refused like `read`."""
        if record.kind != SHOE_LOADED:
            return parse_event(record.payload)
        loaded, sealed = _unsealed(record)
        if sealed is not None:
            cards, salt = self._open(sealed, _bound_to(record.stream, loaded.shoe))
            loaded = replace(loaded, cards=parse_cards(cards), salt=salt)
        return loaded

    def _open(self, sealed: str, bound_to: bytes) -> tuple[str, str | None]:
        if self._key is None:
            raise self.refuse()
        try:
            whole = base64.b64decode(sealed, validate=True)
            cards, salt = json.loads(AESGCM(self._key).decrypt(whole[:NONCE_BYTES], whole[NONCE_BYTES:], bound_to))
        except (InvalidTag, ValueError):
            raise self.refuse() from None
        return cards, salt


def _text(data: dict[str, Any]) -> str:
    return msgspec.json.encode(data).decode()


def _bound_to(stream: str, shoe: int) -> bytes:
    return f"{stream}\n{shoe}".encode()


def _unsealed(record: Record) -> tuple[e.ShoeLoaded, str | None]:
    """A shoe's record without its seal, and the seal. Shoes from before there were seals have none."""
    data = read_data(record.payload)
    sealed = data.pop(SEALED, None) if type(data) is dict else None
    event = read_event(data)
    if not isinstance(event, e.ShoeLoaded) or not isinstance(sealed, str | None):
        raise ValueError(f"{record.stream} {record.seq} is not the loading of a shoe")  # noqa: TRY004 — bad data
    return event, sealed


# ------------------------------------------------------------------------------------------- the file


def _read(path: Path) -> bytes | None:
    try:
        key = bytes.fromhex(path.read_text(encoding="ascii"))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise RefusedStoreError("key-unreadable", f"cannot read {path}: {error.strerror}") from None
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise RefusedStoreError("key-unreadable", f"{path} is not a key of shoes: {2 * KEY_BYTES} hexadecimal digits")
    return key


def _make(path: Path) -> None:
    """Make the file whole and durable before it has its name; where another process was quicker, its key is the one."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # mode 0600
        try:
            with os.fdopen(handle, "w", encoding="ascii") as file:
                file.write(os.urandom(KEY_BYTES).hex() + "\n")
                file.flush()
                os.fsync(file.fileno())
            with contextlib.suppress(FileExistsError):
                os.link(name, path)
        finally:
            Path(name).unlink()
        sync_folder(path.parent)
    except OSError as error:
        raise RefusedStoreError("key-unreadable", f"cannot make {path}: {error.strerror}") from None
