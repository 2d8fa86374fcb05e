"""The five sheets, paragraph by paragraph: every cell of the table in `paragraphs` is a test.

`pytest tests/rulebook -k commission-5.5.1` runs what the sheet `commission` says in 5.5.1.
"""

from __future__ import annotations

import inspect
import re

import pytest

from punto.rules.loader import GAMES, load
from tests.rulebook import playing, settling, test_one_sheet_at_a_table
from tests.rulebook.paragraphs import CASES, Case, functions
from tests.rulebook.test_examined_again import EXAMINED

SCENARIOS = functions(playing, settling)
PLAYED = functions(playing).keys() | {
    name for name, each in functions(settling).items() if re.search(r"settles\(|totals\(", inspect.getsource(each))
}

# All numbers of each sheet, as printed; 5.5.1-5 are five of them.
PRINTED = {
    "commission": """
        1.1-20 2.1 2.1.1 2.2 2.2.1 3.1-2 3.2.1-3 3.3-14 4.1 4.1.1-2 5.1 5.1.1-2 5.2 5.2.1 5.3-4 5.4.1-2 5.5
        5.5.1-5 5.6-7 5.7.1 5.8 5.8.1-2 5.9-10 5.10.1-2 5.11-12 5.12.1-3 5.13-17
    """,
    "commission-insurance": "1 2.1 2.1.1-3 2.2 2.2.1 3.1-5 3.5.1-2 3.6-9 4.1 4.1.1-5 5.1 5.1.1-3 5.2-3",
    "non-commission": "1 2.1 2.1.1 2.2 2.2.1 3.1-8 4.1 4.1.1 5.1 5.1.1-3",
    "easy-six": "1 2.1 2.1.1-3 2.2 2.2.1 3.1-8 4.1 4.1.1 5.1 5.1.1-3 5.2",
    "da-hu-ying-xiong": """
        1.1-26 2.1 2.1.1 2.2 2.2.1 3.1-2 3.2.1-3 3.3-12 3.12.1-2 3.13-17 4.1 4.1.1-2 4.2 4.2.1-2 5.1 5.1.1-2
        5.2 5.2.1 5.3 5.3.1 5.4 5.4.1-2 5.5 5.5.1-5 5.6-7 5.7.1 5.8 5.8.1-2 5.9-10 5.10.1-2 5.11-12 5.12.1-3
        5.13-18
    """,
}


def printed(game: str) -> list[str]:
    found = []
    for first, last in re.findall(r"(\S+?)(?:-(\d+))?(?=\s|$)", PRINTED[game]):
        above, _, number = first.rpartition(".")
        found += [f"{above}.{each}".strip(".") for each in range(int(number), int(last or number) + 1)]
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_sheet(case: Case) -> None:
    case.play(SCENARIOS)


@pytest.mark.parametrize("game", GAMES)
def test_the_numbers_are_those_printed(game: str) -> None:
    assert list(load(game).paragraphs) == printed(game)


@pytest.mark.parametrize("game", GAMES)
def test_every_paragraph_of_sections_3_and_5_is_played_at_a_table(game: str) -> None:
    tested = {case.rules[0] for case in CASES if case.game == game and case.function in PLAYED}
    tested |= {case.rules[0] for case in EXAMINED if case.game == game}
    sheet = game.replace("-", "_")
    named = re.findall(rf"^test_{sheet}_(\d(?:_\d+)*)_[a-z]", "\n".join(dir(test_one_sheet_at_a_table)), re.MULTILINE)
    tested |= {number.replace("_", ".") for number in named}
    assert [number for number in printed(game) if number.startswith(("3.", "5.")) and number not in tested] == []


def test_every_row_is_a_scenario_of_its_own() -> None:
    assert {case.function for case in CASES} <= SCENARIOS.keys()
    assert len(SCENARIOS) == len(functions(playing)) + len(functions(settling))
    assert len({case.id for case in CASES}) == len(CASES)
