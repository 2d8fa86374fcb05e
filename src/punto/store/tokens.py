"""Tokens: 256 random bits, shown once and kept only as a hash."""

from __future__ import annotations

import hashlib
import secrets


def new_token() -> str:
    """A token to give to a person."""
    return secrets.token_urlsafe(32)


def token_hash(token: str) -> str:
    """What is kept of a token. A plain hash will do: 256 random bits cannot be guessed, however fast one tries."""
    return hashlib.sha256(token.encode()).hexdigest()
