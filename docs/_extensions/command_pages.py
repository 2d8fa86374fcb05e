"""The reference of the commands, made from the commands themselves."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, Literal

from cyclopts import App
from cyclopts.argument import Argument
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from punto.cli.main import app as punto


def command_names(app: App) -> list[str]:
    """The names of all commands."""
    return sorted(name for name in app if not name.startswith("-"))


def reference(app: App) -> Iterator[str]:
    """The page as Markdown: for each command its use, what it does, and its options."""
    for name in command_names(app):
        command = app[name]
        arguments = [each for each in command.assemble_argument_collection() if each.show]
        places = [each for each in arguments if each.field_info.is_positional]
        options = [each for each in arguments if not each.field_info.is_positional]
        use = [_place(each.field_info.name.upper(), each.required) for each in places] + ["[OPTIONS]"] * bool(options)
        yield f"## punto {name}\n\n```text\npunto {' '.join([name, *use])}\n```\n\n{command.help}\n"
        rows = [(each.field_info.name.upper(), each) for each in places] + [(each.name, each) for each in options]
        if rows:
            yield "\n".join(["| | | |", "|---|---|---|", *[_row(*row) for row in rows]]) + "\n"


def _place(name: str, required: bool) -> str:
    return name if required else f"[{name}]"


def _row(name: str, argument: Argument) -> str:
    default = argument.field_info.default
    shown = "" if default in (inspect.Parameter.empty, None, False, (), "") else f" Default: `{default}`."
    return f"| `{name}` | {_type(argument.hint)} | {argument.parameter.help}{shown} |"


TYPES = {bool: "flag", int: "whole number", float: "number", str: "text", Path: "file", date: "date"}


def _type(hint: Any) -> str:
    """What an argument holds, in a word or two."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is Literal:
        return " or ".join([f"`{choice}`" for choice in inner])
    if origin in (list, tuple):
        return f"{_type(inner[0])}, several"
    if inner:  # it may be left out
        return _type(next(each for each in inner if each is not type(None)))
    return TYPES[hint]


class CommandReference(SphinxDirective):
    """All commands."""

    def run(self) -> list[nodes.Node]:
        """Make the sections. They depend on the code, so the page is read anew in every build."""
        self.env.note_reread()
        return self.parse_text_to_nodes("\n".join(reference(punto)), allow_section_headings=True)


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive `{commands}`."""
    app.add_directive("commands", CommandReference)
    return {"parallel_read_safe": True}
