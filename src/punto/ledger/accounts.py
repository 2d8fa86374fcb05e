"""Accounts: a patron's credit and debt; tickets; the bets, the House and the chips of a table; and the cash desk.

Money moves only between accounts. Balances of patrons, tickets and bets in play cannot be negative. Those of the House,
the cash desk and the chips of a table can, because they are what came in less what was paid out. What a patron owes to
the House is a negative balance of the patron's debt, which is never positive.

Names are made here and checked by `parse_account`, where a move is written and where a posting is read.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NewType

from punto.rules.names import is_account_name

Account = NewType("Account", str)
"""An account's name, such as `patron:ann` or `house:t1`."""

CASH_DESK = Account("cash-desk")
"""Where credits and tickets are sold, and tickets paid. Its cash for patrons and the House is minus its balance."""

_PATRON = "patron:"
_OWED = "owed:"
_TICKET = "ticket:"
_MAY_OWE = ("house:", _OWED, "chips:")
_OF_PATRONS = frozenset({"patron", "owed"})
_KINDS = frozenset({"patron", "owed", "ticket", "bets", "house", "chips"})
_KNOWN = 65_536
"""Names that were checked: a busy table posts to the same few accounts all the time."""


def patron_account(patron: str) -> Account:
    """A patron's credit."""
    return Account(f"{_PATRON}{patron}")


def owed_account(patron: str) -> Account:
    """A patron's debt to the House: zero, or negative by what the patron owes."""
    return Account(f"{_OWED}{patron}")


def ticket_account(number: str) -> Account:
    """A ticket: what it is worth until it is used, then nothing."""
    return Account(f"{_TICKET}{number}")


def chips_account(table: str) -> Account:
    """The chips of a table with which patrons without an account bet, and in which they are paid."""
    return Account(f"chips:{table}")


def bets_account(table: str) -> Account:
    """The bets in play at a table."""
    return Account(f"bets:{table}")


def house_account(table: str) -> Account:
    """The House's result at a table."""
    return Account(f"house:{table}")


@lru_cache(maxsize=_KNOWN)
def parse_account(name: str) -> Account:
    """Check the name of an account. Raises ValueError."""
    kind, _, owner = name.partition(":")
    if name != CASH_DESK and (kind not in _KINDS or not is_account_name(owner)):
        raise ValueError(
            f"{name!r} is not an account such as patron:ann, owed:ann, ticket:1, bets:t1, house:t1, chips:t1 or "
            f"{CASH_DESK}"
        )
    return Account(name)


def is_patron(account: str) -> bool:
    """True if an account is a patron's credit."""
    return account.startswith(_PATRON)


def is_ticket(account: str) -> bool:
    """True if an account is a ticket."""
    return account.startswith(_TICKET)


def owner_of(account: str) -> str | None:
    """The patron whose credit or debt an account is; None for an account of the House."""
    kind, _, owner = account.partition(":")
    return owner if kind in _OF_PATRONS else None


@lru_cache(maxsize=_KNOWN)
def may_be_negative(account: str) -> bool:
    """True if an account may be negative. The CHECK constraint of the stores must agree."""
    return account == CASH_DESK or account.startswith(_MAY_OWE)


@lru_cache(maxsize=_KNOWN)
def may_be_positive(account: str) -> bool:
    """True if an account may be positive: all but debts. The CHECK constraint of the stores must agree."""
    return not account.startswith(_OWED)
