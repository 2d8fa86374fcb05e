"""docs/countability.md: how often a perfect player is ahead, for every bet and insurance offer of the five sheets.

`python -m tests.docs.countability` deals the shoes and writes the page; it takes some minutes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

from punto.analysis.countability import CountingResult, Shoes
from punto.analysis.depths import Depths, perfect_play
from punto.rules.loader import GAMES, load
from punto.rules.sheet import Sheet

PAGE = Path(__file__).parents[2] / "docs" / "countability.md"
CUTS = (14, 26, 52, 104)
SHOES = Shoes(decks=8, number=100_000, seed=1)

HEAD = f"""# How often a perfect player is ahead

A perfect player knows every card that has left the shoe and bets one unit whenever that is favourable. The tables say
how often that is, and what the bet is worth then, with {CUTS[0]}, {CUTS[1]}, {CUTS[2]} or {CUTS[3]} cards behind the
cut card: the less of the shoe is dealt, the less there is to know. Only the shuffle is random, because every value is
exact ([how it is measured](analysis.md)).

- *Bets on*: the share of rounds; for insurance, of the times that it is on offer.
- *Average gain*: the value of the bet in those rounds, in % of the stake.
- *Units a shoe*: both together, with its standard error. The shoes are the same for all cuts, so the rows go together.

{SHOES.number:,} shoes of eight decks are dealt for each sheet, seed {SHOES.seed}.
`python -m tests.docs.countability` makes this page.
"""


def command(game: str) -> str:
    """The command that shows the figures of one sheet."""
    return f"punto count {game} --cuts {' '.join(map(str, CUTS))} --shoes {SHOES.number}"


def section(game: str, depths: Depths) -> Iterator[str]:
    """The lines of one sheet."""
    sheet = load(game)
    yield from (f"## {sheet.title}", "", "```sh", command(game), "```", "")
    yield from bet_table(sheet, depths)
    if depths.insurance:
        yield ""
        yield from insurance_table(depths)


def bet_table(sheet: Sheet, depths: Depths) -> Iterator[str]:
    """A row for each bet and cut."""
    yield "| bet | cards behind the cut card | bets on | average gain | units a shoe |"
    yield "|---|---|---|---|---|"
    for bet, results in depths.bets.items():
        for cut, each in zip(depths.cuts, results, strict=True):
            name = sheet.bets[bet].name if cut == depths.cuts[0] else ""
            yield f"| {name} | {cut} | {ahead(each, 4)} | {units(each)} |"


def insurance_table(depths: Depths) -> Iterator[str]:
    """A row for each offer, with a pair of columns for each cut."""
    yield (
        "| window | hand | Player | Banker |"
        + "".join([f" {cut}: bets on | gain |" for cut in depths.cuts])
        + " units a shoe |"
    )
    yield "|---|---|---|---|" + "---|---|" * len(depths.cuts) + "---|"
    for each in depths.insurance:
        where = f"| {each.offer.window.value} | {each.offer.hand.title()} | {each.player} | {each.banker} |"
        yield where + "".join([f" {ahead(result, 2)} |" for result in each.at]) + f" {units(each.at[0])} |"


def ahead(result: CountingResult, digits: int) -> str:
    """How often and by how much: two columns."""
    return f"{result.share * 100:.{digits}f} % | {result.average * 100:+.2f} %" if result.bets else "never |"


def units(result: CountingResult) -> str:
    """What it wins in a shoe, with the standard error to two digits."""
    if not result.bets:
        return ""
    digits = 1 - math.floor(math.log10(result.per_shoe_error))
    return f"{result.per_shoe:.{digits}f} ± {result.per_shoe_error:.{digits}f}"


def page() -> str:
    """The whole page."""
    sections = ["\n".join(section(game, perfect_play(load(game), SHOES, CUTS))) for game in GAMES]
    return "\n".join([HEAD, *[f"{each}\n" for each in sections]])


if __name__ == "__main__":
    PAGE.write_text(page())
