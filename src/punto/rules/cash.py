"""Chips on a live layout that belong to no account: the bets of a box in cash.

Such bets settle like any other, in chips. Their bettor has one name for each box, which no person can have, because it
holds a colon.
"""

from __future__ import annotations

_CASH = "cash:"


def cash_patron(box: int) -> str:
    """The name of whoever bets cash in a box."""
    return f"{_CASH}{box}"


def is_cash(patron: str) -> bool:
    """True if a name stands for bets in cash. No person can take such a name."""
    return patron.startswith(_CASH)
