"""The house's replies to commands."""

from __future__ import annotations

import hashlib
import re
from typing import NamedTuple

import msgspec

from punto.protocol.refusals import KeyInvalid
from punto.protocol.views import RecordedEvent, Ticket
from punto.rules.refusals import Refusal

KEY_LENGTH = 128
_KEY = re.compile(rf"[!-~]{{1,{KEY_LENGTH}}}")


class Reply(NamedTuple):
    """The answer to a command: up to which record it took the log and its events, or why it was refused.

    `ticket` is the ticket that was issued or used.
    """

    seq: int = 0
    events: tuple[RecordedEvent, ...] = ()
    refused: Refusal | None = None
    ticket: Ticket | None = None


def canonical(data: object) -> str:
    """Plain data as one line of JSON that is the same wherever it is written."""
    return msgspec.json.encode(data, order="sorted").decode()


def hash_body(data: object) -> str:
    """The hash by which a repeated request is known from another one with the same key."""
    return hashlib.sha256(canonical(data).encode()).hexdigest()


def reference(kind: str, person: str, key: str) -> str:
    """The reference of a purchase in the ledger: another for each key of a person, however long."""
    return f"{kind}/{person}/{hashlib.sha256(key.encode()).hexdigest()[:32]}"


def refuse_key(key: object) -> Refusal | None:
    """The refusal of what cannot be an idempotency key."""
    if isinstance(key, str) and _KEY.fullmatch(key):
        return None
    return KeyInvalid(KEY_LENGTH)
