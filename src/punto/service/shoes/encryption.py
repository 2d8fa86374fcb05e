"""Encryption of shoes: the order and salt of a shoe stand in the log under a key that is stored outside the database.

Whoever reads the database, a backup or a dump of it learns what was dealt and what was committed to, never what comes
next. The cipher is AES-256-GCM, bound to the stream and the shoe, so that no text of it can be moved to another place;
the hash chain covers it. A shoe that is over is published; the record stays as it was written.
"""

from __future__ import annotations

import base64
import json
import os
from dataclasses import replace

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from punto.protocol.codec import parse_event, read_event, to_data, to_json
from punto.rules.cards import parse_cards, write_cards
from punto.rules.notation import read_json
from punto.service.shoes.house_key import HouseKey
from punto.service.tables.followed_table import RecordedEvent
from punto.service.world import Entropy
from punto.store.records import Record
from punto.table import acts
from punto.table.act import kind_of

NONCE_BYTES = 12
ENCRYPTED = "sealed"
"""The field of a record's payload with what is encrypted. The name is in every database, so it stays."""
SHOE_LOADED = kind_of(acts.ShoeLoaded)


def read_record(record: Record) -> RecordedEvent:
    """A record of a table's stream as an event, without what is encrypted in it: enough for all that is shown."""
    return RecordedEvent(record.seq, record.time_ms, event_of(record), record=record)


def event_of(record: Record) -> acts.Event:
    """The event of a record, without what is encrypted in it."""
    return _split(record)[0].public() if record.kind == SHOE_LOADED else parse_event(record.payload)


def is_encrypted(record: Record) -> bool:
    """True if something in a record can be read with the key alone."""
    return record.kind == SHOE_LOADED and f'"{ENCRYPTED}":' in record.payload


class ShoeCipher:
    """Writes and reads the records of a house's tables, with the secrets of shoes encrypted under its key."""

    def __init__(self, key: HouseKey, entropy: Entropy = os.urandom) -> None:
        self.key, self._entropy = key, entropy

    def write(self, stream: str, event: acts.Event) -> str:
        """An event as the payload of a record."""
        if not isinstance(event, acts.ShoeLoaded) or not (event.cards or event.salt):
            return to_json(event)
        secret = json.dumps([write_cards(event.cards), event.salt]).encode()
        nonce, cipher = self._entropy(NONCE_BYTES), AESGCM(self.key.shoe_secrets[0])
        encrypted = nonce + cipher.encrypt(nonce, secret, _bound_to(stream, event.shoe))
        data = to_data(event.public()) | {ENCRYPTED: base64.b64encode(encrypted).decode()}
        return msgspec.json.encode(data).decode()

    def read(self, record: Record) -> RecordedEvent:
        """A record as an event, whole. A RefusedStoreError says that it does not decrypt under this key."""
        return RecordedEvent(record.seq, record.time_ms, self.event_of(record), record=record)

    def event_of(self, record: Record) -> acts.Event:
        """The event of a record, whole; refused like `read`."""
        if record.kind != SHOE_LOADED:
            return parse_event(record.payload)
        loaded, encrypted = _split(record)
        if encrypted is not None:
            cards, salt = self._decrypt(encrypted, _bound_to(record.stream, loaded.shoe))
            loaded = replace(loaded, cards=parse_cards(cards), salt=salt)
        return loaded

    def _decrypt(self, encrypted: str, bound_to: bytes) -> tuple[str, str | None]:
        for secret in self.key.shoe_secrets:
            try:
                whole = base64.b64decode(encrypted, validate=True)
                cards, salt = json.loads(AESGCM(secret).decrypt(whole[:NONCE_BYTES], whole[NONCE_BYTES:], bound_to))
            except (InvalidTag, ValueError):
                continue
            return cards, salt
        raise self.key.refuse()


def _bound_to(stream: str, shoe: int) -> bytes:
    return f"{stream}\n{shoe}".encode()


def _split(record: Record) -> tuple[acts.ShoeLoaded, str | None]:
    """A shoe's record without what is encrypted, and that. A shoe read card by card has none."""
    data = read_json(record.payload)
    encrypted = data.pop(ENCRYPTED, None) if type(data) is dict else None
    event = read_event(data)
    if not isinstance(event, acts.ShoeLoaded) or not isinstance(encrypted, str | None):
        raise ValueError(f"{record.stream} {record.seq} is not the loading of a shoe")  # noqa: TRY004 — bad data
    return event, encrypted
