"""The outcome: all that a bet may depend on. Settlement, exact analysis and simulation share it.

An outcome has a *play* part (both totals and both card counts, 400 values) and a *pairs* part (the rank of each hand's
pair, or none, 196 values). Its index covers both, so that a table over outcomes is one flat array.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from punto.rules.cards import Card, Rank
from punto.rules.hands import pair_rank, point_total

PLAYS = 10 * 10 * 2 * 2
PAIRS = 14 * 14
SIZE = PLAYS * PAIRS
"""The number of outcome indices. Not all of them can happen."""


class Winner(StrEnum):
    """The result of a round."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"


@dataclass(frozen=True, slots=True)
class Outcome:
    """Both totals, both card counts, and the rank of each hand's pair in its first two cards, if any."""

    player_points: int
    banker_points: int
    player_cards: int
    banker_cards: int
    player_pair: Rank | None = None
    banker_pair: Rank | None = None

    @classmethod
    def of(cls, player: Sequence[Card], banker: Sequence[Card]) -> Outcome:
        """The outcome of two finished hands."""
        return cls(
            point_total(player), point_total(banker), len(player), len(banker), pair_rank(player), pair_rank(banker)
        )

    @classmethod
    def at(cls, index: int) -> Outcome:
        """The outcome with this index."""
        play, pairs = divmod(index, PAIRS)
        totals, counts = divmod(play, 4)
        player_pair, banker_pair = divmod(pairs, 14)
        return cls(
            totals // 10,
            totals % 10,
            2 + counts // 2,
            2 + counts % 2,
            Rank(player_pair) if player_pair else None,
            Rank(banker_pair) if banker_pair else None,
        )

    def __str__(self) -> str:
        """The outcome, written like a condition of a sheet."""
        keys: dict[str, object] = {}
        for hand in ("player", "banker"):
            keys |= {f"{hand}-{name}": getattr(self, f"{hand}_{name}") for name in ("points", "cards")}
            if pair := getattr(self, f"{hand}_pair"):
                keys[f"{hand}-pair"] = f'"{pair.symbol}"'
        return ", ".join(f"{key} = {value}" for key, value in keys.items())

    @property
    def winner(self) -> Winner:
        """The hand with the higher total, or a tie."""
        if self.player_points == self.banker_points:
            return Winner.TIE
        return Winner.PLAYER if self.player_points > self.banker_points else Winner.BANKER

    @property
    def play(self) -> int:
        """The index of the play part: totals and card counts."""
        return ((self.player_points * 10 + self.banker_points) * 2 + self.player_cards - 2) * 2 + self.banker_cards - 2

    @property
    def pairs(self) -> int:
        """The index of the pairs part."""
        return (self.player_pair or 0) * 14 + (self.banker_pair or 0)

    @property
    def index(self) -> int:
        """The index of this outcome in a table over all outcomes."""
        return self.play * PAIRS + self.pairs


@cache
def every_play() -> tuple[Outcome, ...]:
    """One outcome for each index of the play part, without pairs, in order."""
    return tuple([Outcome.at(play * PAIRS) for play in range(PLAYS)])


@cache
def every_pairs() -> tuple[Outcome, ...]:
    """One outcome for each index of the pairs part, in order; ignore its play part."""
    return tuple([Outcome.at(pairs) for pairs in range(PAIRS)])
