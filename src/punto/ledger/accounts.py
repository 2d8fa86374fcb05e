"""Accounts: a patron's credit, the bets in play and the House of a table, and the cash desk.

Money moves only between accounts. Balances of patrons and of bets in play cannot be negative. Those of the House and
the cash desk can, because they are what came in less what was paid out.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NewType

Account = NewType("Account", str)
"""An account's name, such as `patron:ann` or `house:t1`."""

CASH_DESK = Account("cash-desk")
"""Where credits are bought and cashed out. Its cash for patrons and the House is minus its balance."""

_ID = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?")
_PATRON = "patron:"
_MAY_OWE = "house:"
_KNOWN = 65_536
"""Names that were checked: a busy table posts to the same few accounts all the time."""


@lru_cache(maxsize=_KNOWN)
def patron_account(patron: str) -> Account:
    """A patron's credit."""
    return Account(f"{_PATRON}{_checked(patron)}")


@lru_cache(maxsize=_KNOWN)
def bets_account(table: str) -> Account:
    """The bets in play at a table."""
    return Account(f"bets:{_checked(table)}")


@lru_cache(maxsize=_KNOWN)
def house_account(table: str) -> Account:
    """The House's result at a table."""
    return Account(f"house:{_checked(table)}")


@lru_cache(maxsize=_KNOWN)
def parse_account(name: str) -> Account:
    """Check the name of an account. Raises ValueError."""
    kind, _, owner = name.partition(":")
    if name != CASH_DESK and (kind not in {"patron", "bets", "house"} or not _ID.fullmatch(owner)):
        raise ValueError(f"{name!r} is not an account such as patron:ann, bets:t1, house:t1 or {CASH_DESK}")
    return Account(name)


def is_patron(account: str) -> bool:
    """Whether an account is a patron's credit."""
    return account.startswith(_PATRON)


def may_be_negative(account: str) -> bool:
    """Whether an account may be negative. The CHECK constraint of the stores must agree."""
    return account == CASH_DESK or account.startswith(_MAY_OWE)


def _checked(identity: str) -> str:
    if not _ID.fullmatch(identity):
        raise ValueError(f"{identity!r} is not an id: up to 64 letters, digits, dots, dashes or underscores")
    return identity
