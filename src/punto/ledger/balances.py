"""Balances as a fold of transfers: applied in order, each whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from punto.ledger.accounts import may_be_negative
from punto.ledger.moves import Reason
from punto.ledger.transfers import Transfer
from punto.rules.money import EXACT_CENTS, money


@dataclass(frozen=True, slots=True)
class Overdrawn:
    """Why a transfer cannot be made: an account lacks `short_cents` (or would pass what can be counted exactly)."""

    account: str
    short_cents: int
    message: str


class Balances:
    """Balances of some accounts, changed by transfers; an account not yet heard of holds nothing."""

    def __init__(self, cents: Mapping[str, int] | None = None) -> None:
        self._cents = dict(cents or {})

    def __getitem__(self, account: str) -> int:
        return self._cents.get(account, 0)

    def apply(self, transfers: Iterable[Transfer]) -> Overdrawn | None:
        """Make the transfers in order; if one cannot be made, make none and say why."""
        changed: dict[str, int] = {}
        for transfer in transfers:
            for posting in transfer.postings:
                held = changed.get(posting.account, self[posting.account])
                changed[posting.account] = held + posting.cents
            # Looked at once a transfer is whole: within it the order of postings means nothing.
            bounded = transfer.reason is Reason.BUY
            for posting in transfer.postings:
                if overdrawn := _overdrawn(posting.account, changed[posting.account], bounded=bounded):
                    return overdrawn
        self._cents |= changed
        return None

    def snapshot(self) -> dict[str, int]:
        """All balances by account."""
        return dict(self._cents)


def _overdrawn(account: str, cents: int, *, bounded: bool) -> Overdrawn | None:
    """Why an account cannot hold this. Only what a patron buys is bounded: a bet in play can always be settled."""
    if may_be_negative(account):
        return None
    if cents < 0:
        return Overdrawn(account, -cents, f"{account} lacks {money(-cents)}")
    if bounded and cents >= EXACT_CENTS:
        over = cents - EXACT_CENTS + 1
        return Overdrawn(account, over, f"{account} would pass the most that can be counted exactly, by {money(over)}")
    return None
