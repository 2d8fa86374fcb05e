"""Effects of removal, counts of dealt shoes, and the best play of insurance."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Any

from punto.extras import naming_extras
from punto.library.by_name import ByName
from punto.library.inputs import read
from punto.library.progress import Progress
from punto.rules.cards import Rank
from punto.rules.composition import Composition
from punto.rules.html import table_html
from punto.rules.reasons import Wanted, quoted
from punto.rules.refusals import BetNotOffered, FieldType, Refused
from punto.rules.sheet import Sheet
from punto.rules.shoe_refusals import CountsInvalid
from punto.rules.tabular import Row

if TYPE_CHECKING:
    from punto.analysis.bet_counts import BetCounts
    from punto.analysis.countability import CountingResult, Shoes


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class GameEffects(ByName[Mapping[Rank, Fraction]]):
    """For each bet: how much one card less of a rank adds to the patron's expected net, for each unit staked."""

    _values = "effects"
    sheet: Sheet
    left: Composition
    effects: dict[str, dict[Rank, Fraction]]

    def to_dicts(self) -> list[Row]:
        """A row for each bet and rank."""
        return [
            {"bet": bet, "rank": rank.symbol, "effect_exact": str(effect), "effect": float(effect)}
            for bet, by_rank in self.effects.items()
            for rank, effect in by_rank.items()
        ]

    def __repr__(self) -> str:
        return f"<GameEffects of {self.sheet.id}, {self.left.size} cards left: {', '.join(self.effects)}>"

    def _repr_html_(self) -> str:
        rows = [
            (f"<b>{escape(self.sheet.bets[bet].name)}</b>", *[f"{float(each) * 100:+.3f}" for each in by_rank.values()])
            for bet, by_rank in self.effects.items()
        ]
        title = f"{self.sheet.title}: one card less, in % of the stake"
        return table_html(("Bet", *[rank.symbol for rank in Rank]), rows, title=title)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class GameCount(ByName["BetCounts"]):
    """The countability of each bet, from dealt shoes. Every figure that depends on the shuffle has its error."""

    _values = "counts"
    sheet: Sheet
    shoes: Shoes
    counts: dict[str, BetCounts]

    def to_dicts(self) -> list[Row]:
        """A row for each way to play a bet: perfectly, by the whole tags, and by the best tags of any size."""
        return count_rows(self.counts)

    def __repr__(self) -> str:
        units = ", ".join([f"{bet} {each.perfect.per_shoe:.4f}" for bet, each in self.counts.items()])
        return f"<GameCount of {self.sheet.id}, {self.shoes.number:,} shoes, units a shoe by perfect play: {units}>"

    def _repr_html_(self) -> str:
        rows = []
        for row in self.to_dicts():
            figures = [f"{row[name]:.4f} ± {row[f'{name}_error']:.4f}" for name in _FIGURES]
            rows.append((f"<b>{escape(row['bet'])}</b>", row["play"], *figures))
        return table_html(("Bet", "Play", "Bets on", "Average", "A shoe", "100 rounds"), rows, left=2)


_FIGURES = ("share", "average", "per_shoe", "per_100")


def count_rows(counts: Mapping[str, BetCounts]) -> list[Row]:
    """A row for each way to play each bet."""
    rows = []
    for bet, each in counts.items():
        plays = (("perfect", None, each.perfect), ("tags", each.counted, None), ("best-tags", each.best_counted, None))
        for play, counted, perfect in plays:
            result = perfect or (counted.play if counted else None)
            if result is None:
                continue
            tags = " ".join([f"{tag:g}" for tag in counted.tags]) if counted else ""
            row: Row = {"bet": bet, "play": play, "tags": tags}
            row |= {"threshold": counted.threshold if counted else None, **play_row(result)}
            row["correlation"] = counted.correlation if counted else None
            row["correlation_error"] = counted.correlation_error if counted else None
            rows.append(row)
    return rows


def play_row(result: CountingResult) -> Row:
    """The figures of one way to play a bet."""
    return {name: value for name, value in asdict(result).items() if name not in {"won", "shoes"}}


def game_effects(sheet: Sheet, left: Composition) -> GameEffects:
    """The effects of removal on every bet."""
    with naming_extras("odds"):
        from punto.analysis.removal import removal_effects
    found = removal_effects(sheet, left)
    return GameEffects(sheet, left, {bet: dict(zip(Rank, effects, strict=True)) for bet, effects in found.items()})


def _numbers(given: Any, where: str) -> tuple[float, ...]:
    """Finite numbers. Raises Refused."""
    try:
        numbers = tuple([float(each) for each in given if not isinstance(each, str)])
        whole = len(numbers) == len(given) and all(map(math.isfinite, numbers))
    except (TypeError, ValueError, OverflowError):
        whole = False
    if not whole:
        raise Refused(FieldType(where, Wanted.LIST, quoted(given)))
    return numbers


def game_count(
    sheet: Sheet,
    bet: str | None,
    tags: Sequence[float] | None,
    threshold: float | None,
    shoes: Shoes,
    progress: bool | None,
) -> GameCount:
    """Deal shoes and count the bets of a game. Raises Refused."""
    from punto.analysis.bet_counts import count_bets, every_rank, shoes_in

    if read(bet, str | None, "bet") is not None and bet not in sheet.bets:
        raise Refused(BetNotOffered(str(bet), tuple(sheet.bets)), sheet)
    own = None if tags is None else every_rank(_numbers(tags, "tags"))
    if own is not None and len(own) != len(Rank):
        raise Refused(CountsInvalid("counts-not-thirteen", str(len(own))))
    level = None if threshold is None else _numbers([threshold], "threshold")[0]
    bets = [bet] if bet else list(sheet.bets)
    with Progress(shoes_in(shoes), "shoes-noun", shown=progress) as line:
        counts = count_bets(sheet, bets, shoes, tags=own, threshold=level, progress=line.update)
    return GameCount(sheet, shoes, counts)
