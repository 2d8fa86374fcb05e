"""docs/conformance.md: every paragraph of the five sheets, what carries it, and the tests that show it.

`python -m tests.docs.conformance` writes the page. Keys of a sheet that cite a paragraph carry it; where none does,
`CODE` names the code. The tests are those of the tables in `tests.rulebook.paragraphs` and
`tests.rulebook.test_examined_again`, and all tests named after a sheet and a paragraph.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from punto.rules.loader import GAMES, load
from tests.rulebook import paragraphs
from tests.rulebook.test_examined_again import EXAMINED

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "conformance.md"
CASES = sorted([*paragraphs.CASES, *EXAMINED], key=lambda case: case.place)

CODE = {
    "table-of-play-is-mandatory": "punto.rules.tableau.next_hand",
    "shoe-of-whole-decks": "punto.table.acts.shoe.LoadShoe",
    "dealer-is-lowest-authority": "punto.table.act.Command",
    "differential-either-way": "punto.rules.differential",
    "hand-is-the-cards-dealt-to-it": "punto.rules.outcome",
    "house-is-the-other-side": "punto.ledger.accounts.house_account",
    "insurance-before-a-third-card": "punto.rules.insurance",
    "natural-in-two-cards": "punto.rules.tableau.next_hand",
    "banker-pays-half-on-6": "punto.rules.bets",
    "original-bets": "punto.rules.bets",
    "pit-employees-by-rank": "punto.rules.sheet.Role",
    "whoever-bets-is-settled": "punto.rules.settlement",
    "point-total-is-the-last-digit": "punto.rules.hands",
    "reconstruction": "punto.table.rulings.reorder.record_cards",
    "round-begins-with-the-call": "punto.table.phases.Phase",
    "seated-patron-first": "punto.table.limits",
    "standing-patron-shares-the-box": "punto.table.acts.places.Stand",
    "void-has-no-result": "punto.table.rulings.void.void_round",
    "betting-areas": "punto.rules.bets",
    "nearest-to-9-wins": "punto.rules.outcome",
    "card-values": "punto.rules.cards",
    "hands-insured-at-a-table": "punto.rules.insurance",
    "commission-of-five-per-cent": "punto.rules.settlement",
    "earlier-rounds-stand": "punto.table.rulings.void.void_round",
    "wrong-area-options": "punto.table.rulings.options",
    "wrong-area-beyond-repair": "punto.table.rulings.options",
}
"""The code that carries a paragraph which no key of the sheet cites, by the scenario that shows the paragraph."""

INTRODUCTION = """\
# The five sheets, paragraph by paragraph

Each table has all numbered paragraphs of one sheet, in our own words: what carries the paragraph, and the tests that
show it. A plain name is a key of the sheet's file in `src/punto/sheets`; a name with `punto.` is code. A *definition*
says what a word means, and a *heading* names what follows it: neither rules anything by itself.

Every table that a test in `tests/rulebook` plays is played again by `punto replay`, which must show the same events and
refusals. Tests of the same paragraphs over HTTP are in `tests/web`.

A test with a number runs by `pytest -k NAME`. This page is made by `python -m tests.docs.conformance`, and a test
fails if it is not current.
"""
HEADING = """\
| paragraph | what it says | carried by | shown by |
|---|---|---|---|
"""


@cache
def keys_of(game: str) -> dict[str, list[str]]:
    """The keys of a sheet's file that cite each paragraph."""
    file = ROOT / "src" / "punto" / "sheets" / f"{game}.toml"
    sheet = tomllib.loads(file.read_text(encoding="utf-8"))
    known = sheet.pop("paragraphs")
    found: dict[str, list[str]] = defaultdict(list)
    for key, value in _leaves(sheet):
        if value in known and key not in found[value]:
            found[value].append(key)
    return found


def _leaves(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """Texts of a sheet with the key that holds them. An item of a list goes by its id; `rule` is not said."""
    match value:
        case dict():
            for key, each in value.items():
                yield from _leaves(each, path if key == "rule" else (*path, key))
        case list():
            for each in value:
                name = next((each[key] for key in ("id", "situation") if key in each), None)
                yield from _leaves(each, (*path, name) if name else path)
        case str():
            yield ".".join(path), value


@cache
def shown_by(game: str) -> dict[str, list[str]]:
    """The tests of each paragraph of a sheet."""
    found: dict[str, list[str]] = defaultdict(list)
    for case in CASES:
        if case.game == game and case.rules[0] is not None:
            found[case.rules[0]].append(case.id)
    for name, number in named_tests(game):
        found[number].append(name)
    return found


def named_tests(game: str) -> Iterator[tuple[str, str]]:
    """All tests named after the sheet and a paragraph, with that paragraph."""
    name = re.compile(rf"^ *(?:async )?def (test_{game.replace('-', '_')}_(\d+(?:_\d+)*)_[a-z]\w*)\(", re.MULTILINE)
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        for found, number in name.findall(file.read_text(encoding="utf-8")):
            yield found, number.replace("_", ".")


def resolves(name: str) -> bool:
    """Whether a dotted name is a module or something in one."""
    module, _, attribute = name.rpartition(".")
    try:
        return hasattr(import_module(module), attribute) or bool(import_module(name))
    except ImportError:
        return False


def carriers(game: str, number: str) -> list[str]:
    """What carries a paragraph: keys of the sheet, or code."""
    keys = [key.replace("|", r"\|") for key in keys_of(game).get(number, [])]
    scenarios = [case.scenario for case in CASES if case.game == game and case.rules[0] == number]
    return keys or list(dict.fromkeys([CODE[each] for each in scenarios if each in CODE]))


def kind_of(game: str, number: str) -> str:
    """What a paragraph is that nothing carries."""
    return "definition" if number.startswith("1") and shown_by(game).get(number) else "heading"


def page() -> str:
    """The whole page."""
    parts = [INTRODUCTION]
    for game in GAMES:
        sheet, tests = load(game), shown_by(game)
        parts.append(f"\n## {sheet.title} (`{game}`)\n\n{HEADING}")
        for number, says in sheet.paragraphs.items():
            carried = ", ".join([f"`{each}`" for each in carriers(game, number)]) or f"*{kind_of(game, number)}*"
            shown = ", ".join([f"`{each}`" for each in tests.get(number, [])]) or "—"
            parts.append(f"| {number} | {says} | {carried} | {shown} |\n")
    return "".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
