"""Every numbered paragraph on how to play and on irregularities has a test of its name at a table."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from punto.rules.loader import GAMES, load

HERE = Path(__file__).parent


@pytest.mark.parametrize("game", GAMES)
def test_every_paragraph_of_sections_3_and_5_is_tested_by_name(game: str) -> None:
    sheet, name = load(game), game.replace("-", "_")
    tests = (HERE / f"test_{name}_table.py").read_text()
    for paragraph in sheet.paragraphs:
        if paragraph.startswith(("3.", "5.")):
            pattern = rf"^def test_{name}_{paragraph.replace('.', '_')}_[a-z]"
            assert re.search(pattern, tests, re.MULTILINE), f"{game} {paragraph} has no test at a table"
