"""docs/drills.md: every paragraph of the five sheets with the drills that ask it, or the reason why none does.

`python -m tests.docs.academy` writes the page. The drills are made here, and what their steps cite is counted. What no
step cites is a heading, a definition or a part of a paragraph that is asked, or has its reason by what carries it.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from pathlib import Path

from punto.academy import Kind, kinds, make_drill
from punto.rules.loader import GAMES, load
from tests.docs.conformance import carriers

PAGE = Path(__file__).parents[2] / "docs" / "drills.md"
MADE = {Kind.IRREGULARITIES: 260, Kind.SHOE: 1}
"""How many drills of a kind are looked through; of the others as many as `OTHERS`."""
OTHERS = 60

REASONS = {
    "boxes": "settled when a table is opened: the layout shows it",
    "boxes.layouts-rule": "settled when a table is opened: the layout shows it",
    "decks": "settled when a table is opened and a shoe is loaded",
    "limits.shown": "a sign at the table; what it limits is asked with the minimum and the Differential",
    "limits.responsibility": "says whose duty it is; what follows is asked with the minimum and the Differential",
    "bets": "the layout shows the bets on offer, and no other can be placed",
    "punto.rules.bets": "the layout shows the bets on offer, and no other can be placed",
    "punto.rules.settlement": "in the odds of the pay table, which are asked to the cent",
    "punto.rules.outcome": "in who wins, which is asked",
}
"""The reasons why a paragraph has no drill, by the key of the sheet or the code that carries it."""

INTRODUCTION = """\
# What the academy asks

Each table has all numbered paragraphs of one sheet: the kinds of [drills](academy.md) that ask it, or the reason why
none does. It is made by looking through drills: `python -m tests.docs.academy` writes this page, and a test fails if it
is not current.
"""


@cache
def asked(game: str) -> dict[str, set[Kind]]:
    """The kinds of drills whose steps cite each paragraph."""
    sheet, found = load(game), defaultdict[str, set[Kind]](set)
    for kind in kinds(sheet):
        for seed in range(MADE.get(kind, OTHERS)):
            drill = make_drill(sheet, kind, seed)
            for each in (drill, *[make_drill(sheet, kind, seed, part) for part in range(1, drill.parts)]):
                for rule in each.rules:
                    found[rule].add(kind)
    return found


def reason(game: str, number: str) -> str | None:
    """Why no drill asks a paragraph; None where nothing says so."""
    found = asked(game)
    if parts := [each for each in load(game).paragraphs if each.startswith(f"{number}.") and each in found]:
        return f"a heading: ¶ {', ¶ '.join(parts)}"
    parent = number.rpartition(".")[0]
    if parent in found:
        return f"a part of ¶ {parent}"
    if number.split(".")[0] == "1":
        return "a definition"
    if not (carried := carriers(game, number)):
        return "a heading"
    if any(each.startswith("punto.table.rulings") for each in carried):
        return "a heading of what is asked"
    reasons = [REASONS.get(each) or REASONS.get(each.split(".")[0]) for each in carried]
    return reasons[0] if all(reasons) else None


def page() -> str:
    """The whole page."""
    parts = [INTRODUCTION]
    for game in GAMES:
        sheet, found = load(game), asked(game)
        parts.append(f"\n## {sheet.title} (`{game}`)\n\n| paragraph | what it says | drills |\n|---|---|---|\n")
        for number, says in sheet.paragraphs.items():
            drills = ", ".join([f"`{kind}`" for kind in Kind if kind in found.get(number, ())])
            parts.append(f"| {number} | {says} | {drills or f'*{reason(game, number)}*'} |\n")
    return "".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
