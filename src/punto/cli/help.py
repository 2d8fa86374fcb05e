"""The help of `punto`: commands by purpose, with an example each, in the language of this run."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from cyclopts import App, Group
from cyclopts.help import DefaultFormatter

from punto.cli.declare import PURPOSES
from punto.cli.output import LANGUAGE
from punto.texts import LANGUAGES

if TYPE_CHECKING:
    from cyclopts.help import HelpPanel


@cache
def _translated(language: str) -> Mapping[str, str]:
    """The help in a language, by what it says in English."""
    if language == LANGUAGES[0]:
        return {}
    import tomllib
    from importlib.resources import files

    return tomllib.loads((files("punto.cli") / f"help.{language}.toml").read_text("utf-8"))


def in_language(words: str) -> str:
    """Words of the help in the language of this run."""
    return _translated(LANGUAGE.get()).get(words, words)


class HelpFormatter(DefaultFormatter):
    """Panels as cyclopts draws them, in the language of this run."""

    def __call__(self, console: Any, options: Any, panel: HelpPanel) -> None:
        """Draw a panel."""
        from rich.text import Text

        panel.title = in_language(str(panel.title))
        for entry in panel.entries:
            if entry.description is not None:
                described = entry.description
                described.primary_renderable = Text(in_language(described.primary_renderable.plain))
                for label, said in (("choices", ", ".join(entry.choices or ())), ("default", entry.default)):
                    if said not in {None, "", '""', "()", "False"}:
                        described.append(Text(f"[{in_language(label)}: {said}]", f"cyclopts.{label}"))
                if entry.required:
                    described.append(Text(f"[{in_language('required')}]", "cyclopts.required"))
        panel.entries = [entry.copy(choices=None, default=None, required=False) for entry in panel.entries]
        super().__call__(console, options, panel)

    def render_usage(self, console: Any, _options: Any, usage: Any) -> None:
        """Write the line of usage."""
        if usage:
            console.print(f"{in_language('Usage')}: {usage}", style="bold", markup=False, highlight=False)


def arrange(app: App) -> None:
    """Sort the commands by purpose, in the language of this run, and give each its example."""
    app.help_formatter = app.meta.help_formatter = HelpFormatter()
    app.help = in_language(app.help)
    app.group_commands = app.meta.group_commands = Group("Commands", sort_key=len(PURPOSES))
    app.meta.group_parameters = Group("Parameters", sort_key=len(PURPOSES) + 1)
    for place, (purpose, examples) in enumerate(PURPOSES.items()):
        group = Group(purpose, sort_key=place)
        for name, example in examples.items():
            command = app[name]
            command.group = group
            command.help = in_language(command.help)
            command.help_epilogue = f"{in_language('Example')}: {example}"
