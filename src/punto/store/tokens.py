"""Tokens: 256 random bits, shown once and stored only as a hash."""

from __future__ import annotations

import base64
import hashlib
import secrets
from collections.abc import Callable

TOKEN_BYTES = 32


def new_token(entropy: Callable[[int], bytes] = secrets.token_bytes) -> str:
    """A token for a person. `entropy` returns random bytes. None begins like an option of a command."""
    while (token := base64.urlsafe_b64encode(entropy(TOKEN_BYTES)).rstrip(b"=").decode()).startswith("-"):
        pass
    return token


def token_hash(token: str) -> str:
    """The stored hash of a token. A plain hash is enough, because 256 random bits cannot be guessed."""
    return hashlib.sha256(token.encode()).hexdigest()
