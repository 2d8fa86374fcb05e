"""The names that accounts can have: those of patrons and of tables."""

from __future__ import annotations

import re

_ACCOUNT_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?")


def is_account_name(name: str) -> bool:
    """True if an account can have this name: up to 64 letters, digits, dots, dashes or underscores."""
    return _ACCOUNT_NAME.fullmatch(name) is not None
