"""Which bets are already decided for the cards on the table, found by completing every card that may still come.

An outcome is established when at least one bet of the sheet, placed or not, has conclusively won or lost. A bet that
can only be returned counts as neither. Insurance is no part of this: it exists only where somebody placed it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cache, lru_cache

from punto.rules.bets import LOSES, RETURNED, OfferedBet, plays_from
from punto.rules.cards import Card, Rank
from punto.rules.outcome import PAIRS, Outcome
from punto.rules.sheet import Sheet
from punto.rules.tableau import INITIAL_CARDS, needed


class Decided(StrEnum):
    """What the cards that may still come can make of a bet."""

    WON = "won"
    LOST = "lost"
    RETURNED = "returned"
    OPEN = "open"

    @property
    def conclusive(self) -> bool:
        """Whether the bet has won or lost, whatever may come: that establishes an outcome."""
        return self in {Decided.WON, Decided.LOST}


def established(sheet: Sheet, cards: Sequence[Card]) -> dict[str, Decided]:
    """For each original and side bet: won or lost whatever cards may still come, only ever returned, or open.

    The cards are those on the table in dealing order, none to six, as the Table of Play allows so far; a ValueError
    says that they are not. A bet that wins on every completion is won, though its pay line may still be open.
    """
    if (dealt := needed(cards)) < len(cards):
        raise ValueError(f"the round was complete after {dealt} cards; {len(cards)} are given")
    ranks = tuple([card.rank for card in cards])
    return {bet.id: _decided(bet, ranks) for bet in sheet.bets.values()}


def is_established(sheet: Sheet, cards: Sequence[Card]) -> bool:
    """Whether at least one bet the sheet offers has conclusively won or lost."""
    return any(each.conclusive for each in established(sheet, cards).values())


def _decided(bet: OfferedBet, ranks: tuple[Rank, ...]) -> Decided:
    found: Decided | None = None
    for index in _completions(ranks):
        code = bet.payoffs[index]
        become = Decided.LOST if code == LOSES else Decided.RETURNED if code == RETURNED else Decided.WON
        if found is not None and become is not found:
            return Decided.OPEN
        found = become
    return found or Decided.OPEN


@lru_cache(maxsize=4096)
def _completions(ranks: tuple[Rank, ...]) -> tuple[int, ...]:
    """The index of every outcome that these ranks, in dealing order, may still become."""
    found: set[int] = set()
    for player_points, player_pair in _hands(ranks[0:INITIAL_CARDS:2]):
        for banker_points, banker_pair in _hands(ranks[1:INITIAL_CARDS:2]):
            pairs = Outcome(0, 0, 2, 2, player_pair, banker_pair).pairs
            thirds = tuple([rank.points for rank in ranks[INITIAL_CARDS:]])
            found.update([play * PAIRS + pairs for play in plays_from(player_points, banker_points, thirds)])
    return tuple(sorted(found))


@cache
def _hands(ranks: tuple[Rank, ...]) -> frozenset[tuple[int, Rank | None]]:
    """The totals, each with its pair or none, that two cards starting with these ranks can have."""

    def complete(start: tuple[Rank, ...]) -> Iterator[tuple[Rank, Rank]]:
        if len(start) == 2:
            yield start[0], start[1]
            return
        for rank in Rank:
            yield from complete((*start, rank))

    return frozenset(
        ((first.points + second.points) % 10, first if first is second else None) for first, second in complete(ranks)
    )
