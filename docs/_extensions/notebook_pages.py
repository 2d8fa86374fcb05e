"""Pages from notebooks: their text, their code, and the output that is stored in them.

Nothing runs while the pages are built. `python -m tests.docs.notebook` runs a notebook and stores its output, and a
test fails where the stored output is not what the cells give.
"""

from __future__ import annotations

import json
from typing import Any

from docutils import nodes
from myst_parser.parsers.sphinx_ import MystParser
from sphinx.application import Sphinx


class NotebookParser(MystParser):
    """A notebook, read as the Markdown page that it would be."""

    supported = ("notebook",)

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Parse the page."""
        cells = json.loads(inputstring)["cells"]
        super().parse("\n\n".join([_markdown(cell) for cell in cells]), document)


def _markdown(cell: dict[str, Any]) -> str:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return source
    return "\n\n".join([f"```python\n{source}\n```", *[_shown(output) for output in cell["outputs"]]])


def _shown(output: dict[str, Any]) -> str:
    """An output in the best form that a page can show."""
    if output["output_type"] == "stream":
        return _text("".join(output["text"]))
    data = output["data"]
    picture = "".join(data.get("image/svg+xml") or data.get("text/html") or [])
    if picture:
        return f"````{{raw}} html\n<div class='output'>{picture}</div>\n````"
    return _text("".join(data["text/plain"]))


def _text(text: str) -> str:
    return f":::{{container}} output\n```\n{text.rstrip()}\n```\n:::"


def setup(app: Sphinx) -> dict[str, bool]:
    """Read `.ipynb` files as pages."""
    app.add_source_suffix(".ipynb", "notebook")
    app.add_source_parser(NotebookParser)
    return {"parallel_read_safe": True}
