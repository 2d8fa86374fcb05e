"""The dealer academy: drills from a sheet and a seed, asked of a table and marked by the table's own engine.

Nothing here knows a rule or an answer: what is right is what `decide`, `choices` and the settlement say. So a sheet of
one's own has its drills at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from punto.academy.drill import Drill as Drill
from punto.academy.drill import Kind as Kind
from punto.academy.drill import mark as mark
from punto.academy.irregularities import irregularity
from punto.academy.limits import limit
from punto.academy.rounds import draw_cards, insure, pay
from punto.academy.whole_shoe import whole_shoe
from punto.rules.sheet import Sheet

MAKERS: dict[Kind, Callable[[Sheet, Random], Drill]] = {
    Kind.CARDS: draw_cards,
    Kind.PAYING: pay,
    Kind.INSURANCE: insure,
    Kind.LIMITS: limit,
    Kind.IRREGULARITIES: irregularity,
}


def kinds(sheet: Sheet) -> tuple[Kind, ...]:
    """The kinds of drills that a sheet has."""
    return tuple([kind for kind in Kind if kind is not Kind.INSURANCE or sheet.insurance is not None])


def make_drill(sheet: Sheet, kind: Kind, seed: int, part: int = 0) -> Drill:
    """The drill of a kind that this seed gives. A whole shoe has many parts, and begins anew after the last."""
    if kind is Kind.SHOE:
        parts = whole_shoe(sheet, seed)
        return parts[part % len(parts)]
    drill = MAKERS[kind](sheet, Random(f"{kind}/{seed}"))  # noqa: S311 — drawn from the seed, and from nothing else
    return replace(drill, kind=kind, seed=seed)
