"""Patrons who are gone from an automatic table, so that their places can be given to others.

At a live table the Dealer sees who is there, and lets whoever is gone leave.
"""

from __future__ import annotations

from collections.abc import Callable, Container

from punto.service.tables.followed_table import FollowedTable


class Absentees:
    """Counts for each patron the rounds without a bet and without a connection. A new owner counts anew."""

    def __init__(self, table: FollowedTable, most_rounds: int, present: Callable[[], Container[str]]) -> None:
        self._table, self._most_rounds, self._present = table, most_rounds, present
        self._last_seen: dict[str, int] = {}

    def as_bets_close(self) -> list[str]:
        """The patrons whose places to free as betting ends: those who have been gone for so many rounds."""
        state, present = self._table.state, self._present()
        if state.round is None or not self._most_rounds:
            return []
        number, bettors = state.rounds, {spot.patron for spot in state.round.bets}
        self._last_seen = {
            patron: number if patron in bettors or patron in present else self._last_seen.get(patron, number - 1)
            for patron in state.places
        }
        return [patron for patron, seen in self._last_seen.items() if number - seen >= self._most_rounds]
