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

# All numbers of each sheet, as printed.
PRINTED = {
    "commission": """
        1.1 1.2 1.3 1.4 1.5 1.6 1.7 1.8 1.9 1.10 1.11 1.12 1.13 1.14 1.15 1.16 1.17 1.18 1.19 1.20
        2.1 2.1.1 2.2 2.2.1
        3.1 3.2 3.2.1 3.2.2 3.2.3 3.3 3.4 3.5 3.6 3.7 3.8 3.9 3.10 3.11 3.12 3.13 3.14
        4.1 4.1.1 4.1.2
        5.1 5.1.1 5.1.2 5.2 5.2.1 5.3 5.4 5.4.1 5.4.2 5.5 5.5.1 5.5.2 5.5.3 5.5.4 5.5.5 5.6 5.7 5.7.1
        5.8 5.8.1 5.8.2 5.9 5.10 5.10.1 5.10.2 5.11 5.12 5.12.1 5.12.2 5.12.3 5.13 5.14 5.15 5.16 5.17
    """,
    "commission-insurance": """
        1
        2.1 2.1.1 2.1.2 2.1.3 2.2 2.2.1
        3.1 3.2 3.3 3.4 3.5 3.5.1 3.5.2 3.6 3.7 3.8 3.9
        4.1 4.1.1 4.1.2 4.1.3 4.1.4 4.1.5
        5.1 5.1.1 5.1.2 5.1.3 5.2 5.3
    """,
    "non-commission": "1 2.1 2.1.1 2.2 2.2.1 3.1 3.2 3.3 3.4 3.5 3.6 3.7 3.8 4.1 4.1.1 5.1 5.1.1 5.1.2 5.1.3",
    "easy-six": """
        1
        2.1 2.1.1 2.1.2 2.1.3 2.2 2.2.1
        3.1 3.2 3.3 3.4 3.5 3.6 3.7 3.8
        4.1 4.1.1
        5.1 5.1.1 5.1.2 5.1.3 5.2
    """,
    "da-hu-ying-xiong": """
        1.1 1.2 1.3 1.4 1.5 1.6 1.7 1.8 1.9 1.10 1.11 1.12 1.13 1.14 1.15 1.16 1.17 1.18 1.19 1.20 1.21 1.22 1.23 1.24
        1.25 1.26
        2.1 2.1.1 2.2 2.2.1
        3.1 3.2 3.2.1 3.2.2 3.2.3 3.3 3.4 3.5 3.6 3.7 3.8 3.9 3.10 3.11 3.12 3.12.1 3.12.2 3.13 3.14 3.15 3.16 3.17
        4.1 4.1.1 4.1.2 4.2 4.2.1 4.2.2
        5.1 5.1.1 5.1.2 5.2 5.2.1 5.3 5.3.1 5.4 5.4.1 5.4.2 5.5 5.5.1 5.5.2 5.5.3 5.5.4 5.5.5 5.6 5.7 5.7.1
        5.8 5.8.1 5.8.2 5.9 5.10 5.10.1 5.10.2 5.11 5.12 5.12.1 5.12.2 5.12.3 5.13 5.14 5.15 5.16 5.17 5.18
    """,
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_sheet(case: Case) -> None:
    case.play(SCENARIOS)


@pytest.mark.parametrize("game", GAMES)
def test_the_numbers_are_those_printed(game: str) -> None:
    assert list(load(game).paragraphs) == PRINTED[game].split()


@pytest.mark.parametrize("game", GAMES)
def test_every_paragraph_of_sections_3_and_5_is_played_at_a_table(game: str) -> None:
    tested = {case.rules[0] for case in CASES if case.game == game and case.function in PLAYED}
    tested |= {case.rules[0] for case in EXAMINED if case.game == game}
    sheet = game.replace("-", "_")
    named = re.findall(rf"^test_{sheet}_(\d(?:_\d+)*)_[a-z]", "\n".join(dir(test_one_sheet_at_a_table)), re.MULTILINE)
    tested |= {number.replace("_", ".") for number in named}
    assert [
        number for number in PRINTED[game].split() if number.startswith(("3.", "5.")) and number not in tested
    ] == []


def test_every_row_is_a_scenario_of_its_own() -> None:
    assert {case.function for case in CASES} <= SCENARIOS.keys()
    assert len(SCENARIOS) == len(functions(playing)) + len(functions(settling))
    assert len({case.id for case in CASES}) == len(CASES)
