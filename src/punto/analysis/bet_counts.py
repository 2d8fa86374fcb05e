"""Counting of a game's bets: effects of removal, the best counts, and what they win in dealt shoes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from punto.analysis.countability import Count, Counted, CountingResult, Shoes, countability
from punto.analysis.removal import Effects, LinearCount, best_tags, best_whole_tags, fit, removal_effects
from punto.rules.cards import Rank
from punto.rules.composition import Composition
from punto.rules.sheet import Sheet

PLAIN_RANKS = 10
"""Ranks with tags of their own where ten to king share one."""


@dataclass(frozen=True, slots=True, repr=False)
class BetCounts:
    """The counts of one bet: of `tags` (whole ones, or those that were given) and of the best tags of any size.

    `counted` and `best_counted` are what they win; None where no card has an effect. `highest` is the best value of the
    bet that was seen, and `perfect` the play that bets whenever that is favourable.
    """

    bet: str
    effects: Effects
    tags: LinearCount
    best: LinearCount
    perfect: CountingResult
    highest: float
    counted: Counted | None
    best_counted: Counted | None

    def __repr__(self) -> str:
        return f"<BetCounts {self.bet}: {self.perfect.per_shoe:.4f} ± {self.perfect.per_shoe_error:.4f} units a shoe>"


def count_bets(
    sheet: Sheet,
    bets: Sequence[str],
    shoes: Shoes,
    *,
    tags: Sequence[float] | None = None,
    threshold: float | None = None,
    progress: Callable[[int], None] | None = None,
) -> dict[str, BetCounts]:
    """Count these bets in dealt shoes, with these thirteen tags or the best whole ones, and with the best of any size.

    `progress` gets the number of shoes done, of `shoes_in` all.
    """
    effects = removal_effects(sheet, Composition.full(shoes.decks))
    counts, used = {}, {}
    for bet in bets:
        own = best_whole_tags(effects[bet]) if tags is None else LinearCount(tuple(tags), fit(tags, effects[bet]))
        best = best_tags(effects[bet])
        counts[bet] = own, best
        if any(best.tags):
            used[bet] = [Count(best.tags), *([Count(own.tags, threshold)] if any(own.tags) else [])]
    found = countability(sheet, shoes, used, progress=progress)
    return {
        bet: BetCounts(
            bet,
            effects[bet],
            *counts[bet],
            found[bet].perfect,
            found[bet].highest,
            found[bet].counted[1] if len(found[bet].counted) > 1 else None,
            found[bet].counted[0] if found[bet].counted else None,
        )
        for bet in bets
    }


def shoes_in(shoes: Shoes) -> int:
    """The number of shoes dealt to count: those on which thresholds are chosen, and those on which they are tried."""
    return shoes.number + shoes.choosing


def every_rank(tags: Sequence[float]) -> Sequence[float]:
    """Thirteen tags from ten, of which the last is for ten to king."""
    return (*tags, *[tags[-1]] * (len(Rank) - PLAIN_RANKS)) if len(tags) == PLAIN_RANKS else tags
