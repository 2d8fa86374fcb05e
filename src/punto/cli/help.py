"""The help of `punto`: commands by purpose, with an example each, in the language of this run."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from cyclopts import App, Group
from cyclopts.help import DefaultFormatter

from punto.cli.output import LANGUAGE
from punto.texts import LANGUAGES

if TYPE_CHECKING:
    from cyclopts.help import HelpPanel

PURPOSES: dict[str, dict[str, str]] = {
    "Games and sheets": {
        "games": "punto games",
        "rules": "punto rules easy-six",
        "check-sheet": "punto check-sheet examples/moon.toml",
        "compare": "punto compare commission easy-six",
    },
    "Rounds and rulings": {
        "settle": "punto settle examples/insured-banker.json",
        "roads": "punto roads examples/shoe.txt",
        "rule": 'punto rule commission excess-card --cards "5h Kd 6s 6c 9h"',
        "replay": "punto replay examples/table.jsonl",
        "verify-shoe": "punto verify-shoe examples/opened-shoe.json",
    },
    "Training": {"academy": "punto academy commission --drills 5"},
    "Exact figures": {
        "odds": "punto odds da-hu-ying-xiong --decks 8",
        "shoe": 'punto shoe easy-six --dealt "6h 6d 7s"',
        "report": "punto report commission --out commission.html",
    },
    "Dealt shoes": {
        "count": "punto count easy-six --bet easy-six --shoes 1e4",
        "simulate": "punto simulate commission --rounds 1e8",
        "patron": "punto patron commission --plan martingale --rounds 500",
    },
    "A house": {
        "serve": "punto serve --demo --open-door",
        "settings": "punto settings --config punto.toml",
        "bots": "punto bots http://127.0.0.1:8080 --patrons 20",
    },
    "Its records": {
        "audit": "punto audit --database sqlite:///punto.db",
        "backup": "punto backup --database sqlite:///punto.db --out copies",
        "restore": "punto restore copies/punto.db --database sqlite:///new.db",
        "anchor": "punto anchor --database sqlite:///punto.db --out anchor.json",
        "rotate-key": "punto rotate-key --config punto.toml",
        "rebuild": "punto rebuild --database sqlite:///punto.db --by kim --by lee",
        "day-report": "punto day-report --database sqlite:///punto.db",
    },
    "The command": {"completion": "punto completion bash"},
}
"""The commands by what they are for, each with an example."""


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
        super().__call__(console, options, panel)


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
