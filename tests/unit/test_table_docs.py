"""docs/table.md: its tables are those of the code, and its examples run."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from punto.rules.loader import load_all
from punto.table.answers import situation_table
from punto.table.phases import diagram, legal_table
from punto.table.refusals import code_table
from punto.table.roles import authority_table

PAGE = (Path(__file__).parents[2] / "docs" / "table.md").read_text(encoding="utf-8")

MADE = {
    "diagram": diagram(),
    "phases": legal_table(),
    "authority": authority_table(),
    "situations": situation_table(load_all()),
    "refusals": code_table(),
}


@pytest.mark.parametrize("name", MADE)
def test_the_page_shows_what_the_code_says(name: str) -> None:
    assert f"\n{MADE[name]}\n" in PAGE, f"docs/table.md should hold:\n{MADE[name]}"


def test_the_python_example_runs() -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    example = doctest.DocTestParser().get_doctest(block, {}, "docs/table.md", "docs/table.md", 0)
    assert len(example.examples) > 10
    assert doctest.DocTestRunner().run(example).failed == 0


def test_the_diagram_can_be_drawn() -> None:
    """Mermaid's names hold no dash, and what it writes on an arrow no second colon."""
    for line in diagram().splitlines()[1:]:
        arrow = re.fullmatch(r"    (\w+|\[\*\]) --> (\w+)(: [^:;]+)?", line)
        assert arrow or re.fullmatch(r'    state "[a-z-]+" as \w+', line), line
