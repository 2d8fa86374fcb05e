"""Run the notebooks of the documentation, without a Jupyter server.

`python -m tests.docs.notebook` runs every notebook in `docs/notebooks` and stores what its cells show.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

from tests.e2e.command import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
PICTURE = "image/svg+xml"

Output = dict[str, Any]


def run(notebook: dict[str, Any]) -> list[list[Output]]:
    """What each code cell shows, in their order. The cells share their names, as in Jupyter."""
    names: dict[str, Any] = {"__name__": "__main__"}
    return [_outputs("".join(cell["source"]), names) for cell in code_cells(notebook)]


def code_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    """The cells with code."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def _outputs(source: str, names: dict[str, Any]) -> list[Output]:
    """Run a cell: what it prints, and the value of its last line."""
    body = ast.parse(source).body
    last = body[-1] if body and isinstance(body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body[:-1] if last else body, []), "cell", "exec"), names)  # noqa: S102 — our own notebook
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None  # noqa: S307
    text = [{"output_type": "stream", "name": "stdout", "text": _lines(printed.getvalue())}]
    return (text if printed.getvalue() else []) + ([_shown(value)] if value is not None else [])


def _shown(value: object) -> Output:
    """A value in every form that it can show itself in."""
    forms: dict[str, Any] = {"text/plain": repr(value)}
    for form, method in (("text/html", "_repr_html_"), (PICTURE, "_repr_svg_")):
        if show := getattr(value, method, None):
            forms[form] = show()
    if bundle := getattr(value, "_repr_mimebundle_", None):
        made = bundle()
        forms = {"text/plain": f"<{type(value).__name__}>"} | (made[0] if isinstance(made, tuple) else made)
    data = {form: _lines(shown) for form, shown in forms.items()}
    return {"output_type": "display_data", "metadata": {}, "data": data}


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def store(path: Path) -> None:
    """Run a notebook and write it with its outputs."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for number, (cell, outputs) in enumerate(zip(code_cells(notebook), run(notebook), strict=True), 1):
        cell["execution_count"], cell["outputs"] = number, outputs
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    for notebook_path in NOTEBOOKS:
        store(notebook_path)
