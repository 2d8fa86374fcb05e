"""Notebooks run, and the output that is stored in them is what their cells show."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.docs.notebook import NOTEBOOKS, PICTURE, Output, code_cells, run


def without_drawing(outputs: list[Output]) -> list[Output]:
    """The outputs without what depends on the version of the drawing program: pictures are only there or not."""
    return [
        output | {"data": {form: [] if form == PICTURE else data for form, data in output["data"].items()}}
        if "data" in output
        else output
        for output in outputs
    ]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_shows_what_is_stored_in_it(path: Path) -> None:
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    for cell, outputs in zip(code_cells(notebook), run(notebook), strict=True):
        stored = without_drawing(cell["outputs"])
        assert without_drawing(outputs) == stored, "run python -m tests.docs.notebook"


def test_there_are_notebooks_with_pictures() -> None:
    assert NOTEBOOKS
    for path in NOTEBOOKS:
        assert PICTURE in path.read_text(encoding="utf-8")
