"""Tokens: 256 random bits, shown once and kept only as a hash."""

from __future__ import annotations

import base64
import hashlib
import secrets
from collections.abc import Callable

TOKEN_BYTES = 32


def new_token(entropy: Callable[[int], bytes] = secrets.token_bytes) -> str:
    """A token to give to a person. `entropy` gives so many random bytes."""
    return base64.urlsafe_b64encode(entropy(TOKEN_BYTES)).rstrip(b"=").decode()


def token_hash(token: str) -> str:
    """What is kept of a token. A plain hash will do: 256 random bits cannot be guessed, however fast one tries."""
    return hashlib.sha256(token.encode()).hexdigest()
