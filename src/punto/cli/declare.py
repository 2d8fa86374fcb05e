"""How a command is declared: a record of what it is given, which the module of the same name takes when it runs.

Help needs the records alone, so modules with records import nothing of the rules, and are quick to load.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Annotated, Literal, TypeVar, dataclass_transform, get_type_hints

from cyclopts import App, Parameter

import punto
from punto.extras import naming_extras
from punto.rules.defaults import DEFAULT_CUT, DEFAULT_DECKS

Record = TypeVar("Record")

app = App(
    name="punto",
    help="A baccarat table that plays exactly as its rule sheet says, and proves it.",
    help_format="plaintext",  # markdown would show little more than that, and takes a fifth of the time of help
    version=punto.__version__,
    default_parameter=Parameter(negative=""),
    suppress_keyboard_interrupt=False,  # `punto.__main__` says that the command was stopped
)
PURPOSES: dict[str, dict[str, str]] = {
    "Games and sheets": {},
    "Rounds and rulings": {},
    "Training": {},
    "Exact figures": {},
    "Dealt shoes": {},
    "A house": {},
    "Its records": {},
    "The command": {},
}
"""The commands by what they are for, each with an example."""


@dataclass_transform(frozen_default=True)
def command(
    purpose: str, example: str, *, extra: str | None = None, runs: str = "run"
) -> Callable[[type[Record]], type[Record]]:
    """Make a command of a record of options; fields before `KW_ONLY` are given by their place.

    The function `runs` of the module of its name, or `module:function`, takes the record. `extra` brings what that
    module imports.
    """

    def declare(kind: type[Record]) -> type[Record]:
        record = dataclass(frozen=True)(kind)
        name = app.name_transform(kind.__name__)
        module, _, function = runs.rpartition(":")

        def run(*places: object, **options: object) -> int | None:
            with naming_extras(extra):
                imported = import_module(f"punto.cli.{module or name.replace('-', '_')}")
            status: int | None = getattr(imported, function)(record(*places, **options))
            return status

        hints = get_type_hints(record, include_extras=True)
        by_place, by_name = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.KEYWORD_ONLY
        given = [
            each.replace(kind=by_name if each.kind is by_name else by_place, annotation=hints[each.name])
            for each in inspect.signature(record).parameters.values()
        ]
        given.sort(key=lambda each: (each.kind, each.name in FORMS))
        run.__signature__ = inspect.Signature(given)  # type: ignore[attr-defined]
        run.__annotations__, run.__doc__ = {each.name: each.annotation for each in given}, kind.__doc__
        app.command(run, name=name)
        PURPOSES[purpose][name] = example
        return record

    return declare


# ------------------------------------------------------------------------------------------- what several are given

Config = Annotated[Path | None, Parameter(help="The file with settings; punto.toml by default, if there is one.")]
DayStarts = Annotated[
    str | None, Parameter(help="When a gaming day begins: a time of day with its offset from UTC, as 06:00+08:00.")
]
Decks = Annotated[int, Parameter(help="How many decks the shoe began with, 1 to 10.")]
Device = Annotated[
    Literal["card-shoe", "shuffler"],
    Parameter(help="card-shoe, or shuffler: every round is dealt from the full set of decks."),
]
GAME = Parameter(help="A game's id (see `punto games`), or the path of a sheet of your own.")
Game = Annotated[str, GAME]
FORMS = ("csv", "as_json")
"""The options that help shows last."""


@dataclass(frozen=True, kw_only=True)
class Output:
    """The form of what a command writes."""

    as_json: Annotated[bool, Parameter(name="--json", help="Write JSON for programs.")] = False


@dataclass(frozen=True, kw_only=True)
class Table(Output):
    """The form of a table of figures."""

    csv: Annotated[
        str | None,
        Parameter(allow_leading_hyphen=True, help="Write the figures as CSV to this file (- for standard output)."),
    ] = None


@dataclass(frozen=True, kw_only=True)
class DealtShoes(Table):
    """Shoes that are dealt."""

    decks: Decks = DEFAULT_DECKS
    cut: Annotated[int, Parameter(help="Cards behind the cut card; the round in which it comes is finished.")] = (
        DEFAULT_CUT
    )
    burn: Annotated[
        str, Parameter(help="Cards burnt unseen before the first round, or `card`: the first card and its points.")
    ] = "0"


@dataclass(frozen=True, kw_only=True)
class Database(Output):
    """Where a house keeps what a command reads; by default where its settings say so, as for `punto serve`."""

    config: Config = None
    database: Annotated[str | None, Parameter(help="sqlite:///FILE or postgresql://…")] = None
    head: Annotated[Path | None, Parameter(help="The file that keeps the heads.")] = None
    key: Annotated[Path | None, Parameter(help="The file with the key of the shoes; by default beside the head.")] = (
        None
    )
