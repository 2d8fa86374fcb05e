"""What a client gets back."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


def new_key() -> str:
    """An idempotency key nobody has used."""
    return secrets.token_urlsafe(18)


@dataclass(frozen=True, slots=True)
class Person:
    """Someone known to the house."""

    id: str
    name: str
    role: str

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Person:
        """From an answer."""
        return cls(data["id"], data["name"], data["role"])


@dataclass(frozen=True, slots=True)
class Done:
    """A command that was carried out: up to which record it took the log, its events, and how one stands now.

    Over the WebSocket events and standing come by themselves, and are empty here.
    """

    seq: int
    events: tuple[Mapping[str, Any], ...] = ()
    me: Mapping[str, Any] | None = None
