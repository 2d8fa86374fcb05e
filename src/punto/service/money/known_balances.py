"""Balances as this process last heard of them: for showing and for a first look. The store has the last word."""

from __future__ import annotations

from collections.abc import Mapping


class KnownBalances:
    """What each account held after the last commit that this process heard of."""

    def __init__(self) -> None:
        self._cents: dict[str, int] = {}

    def of(self, account: str) -> int:
        """An account's balance; 0 for one not heard of."""
        return self._cents.get(account, 0)

    def learn(self, balances: Mapping[str, int]) -> None:
        """Balances as a commit left them."""
        self._cents.update(balances)
