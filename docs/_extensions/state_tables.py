"""Show a Mermaid state diagram as a table: it needs no program from the network and fits a phone."""

from __future__ import annotations

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

_NAME = re.compile(r' *state "(.+)" as (\w+)')
_MOVE = re.compile(r" *(\w+) --> (\w+): (.+)")


class StateTable(SphinxDirective):
    """The moves of a state diagram, one a row."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Make the table."""
        names = {
            short: name for line in self.content if (found := _NAME.fullmatch(line)) for name, short in [found.groups()]
        }
        moves = [found.groups() for line in self.content if (found := _MOVE.fullmatch(line))]
        table, group = nodes.table(), nodes.tgroup(cols=3)
        head, body = nodes.thead(), nodes.tbody()
        group += [*[nodes.colspec(colwidth=1) for _ in range(3)], head, body]
        head += _row(*[nodes.Text(heading) for heading in ("from", "to", "when")])
        for start, end, says in moves:
            body += _row(nodes.literal(text=names[start]), nodes.literal(text=names[end]), nodes.Text(says))
        table += group
        return [table]


def _row(*cells: nodes.Node) -> nodes.row:
    return nodes.row("", *[nodes.entry("", nodes.paragraph("", "", cell)) for cell in cells])


def setup(app: Sphinx) -> dict[str, bool]:
    """Let ```` ```mermaid ```` be such a table."""
    app.add_directive("mermaid", StateTable)
    return {"parallel_read_safe": True}
