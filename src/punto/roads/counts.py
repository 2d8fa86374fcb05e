"""Counts of what players look at in a shoe: results, pairs, naturals and the side bets of its sheet.

These are figures of the past. Like the roads, they say nothing about the next round.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, reduce
from operator import or_

from punto.rules.bets import Condition
from punto.rules.outcome import Outcome
from punto.rules.sheet import Sheet

THOUSAND = 1000


@dataclass(frozen=True, slots=True)
class ShoeCount:
    """The number of times that one thing came, and its share of the rounds in thousandths.

    `of` is a result, `banker-pair`, `player-pair`, `natural`, or a side bet of the sheet.
    """

    of: str
    count: int
    share_permille: int


@cache
def _conditions(sheet: Sheet) -> dict[str, Condition]:
    """The counts of every game first, then the side bets that win on something else."""
    keys: dict[str, dict[str, object]] = {
        "banker": {"winner": "banker"},
        "player": {"winner": "player"},
        "tie": {"winner": "tie"},
        "banker-pair": {"banker-pair": True},
        "player-pair": {"player-pair": True},
        "natural": {"natural": True},
    }
    found = {of: Condition.parse(key) for of, key in keys.items()}
    for bet in sheet.bets.values():
        wins = reduce(or_, [line.when for line in bet.pays])
        if bet.hand is None and wins not in found.values():
            found[bet.id] = wins
    return found


def shoe_counts(outcomes: Iterable[Outcome], sheet: Sheet) -> tuple[ShoeCount, ...]:
    """The counts of a shoe: those of every game first, then the side bets that win on something else."""
    rounds = tuple(outcomes)
    counts = {of: sum([outcome in wins for outcome in rounds]) for of, wins in _conditions(sheet).items()}
    return tuple([ShoeCount(of, count, _permille(count, len(rounds))) for of, count in counts.items()])


def _permille(count: int, rounds: int) -> int:
    """A share in thousandths, rounded to the nearest."""
    return (count * THOUSAND * 2 + rounds) // (rounds * 2) if rounds else 0
