"""What a house counts about itself."""

from __future__ import annotations

from collections import Counter

from punto.table import events as e

_COUNTED: dict[type[e.Event], str] = {
    e.BetPlaced: "bets",
    e.BetRaised: "bets",
    e.RoundSettled: "rounds_settled",
    e.RoundVoided: "rounds_void",
}


class Metrics(Counter[str]):
    """Counters by name, from the start of the process."""

    def count(self, event: e.Event) -> None:
        """Count an event of a table."""
        self["events"] += 1
        if (name := _COUNTED.get(type(event))) is not None:
            self[name] += 1
