"""What docs/analysis.md says holds."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

from punto.analysis.composition import Composition
from punto.analysis.counting import distribution
from punto.analysis.pricing import price_sheet
from punto.rules.loader import load

PAGE = (Path(__file__).parents[2] / "docs" / "analysis.md").read_text()


def test_the_example_in_python_runs_and_gives_what_it_says() -> None:
    code = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert code is not None
    exec(code[1], {})  # noqa: S102 — the page's own example
    stated = re.search(r"Fraction\((\d+), (\d+)\)", code[1])
    assert stated is not None
    tiger = price_sheet(load("da-hu-ying-xiong"), distribution(Composition.full(8)))["tiger"]
    assert Fraction(int(stated[1]), int(stated[2])) == tiger.edge


def test_every_command_of_the_analysis_is_on_the_page() -> None:
    for command in ("odds", "shoe", "count", "report"):
        assert f"`punto {command} GAME" in PAGE
