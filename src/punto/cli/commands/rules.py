"""The commands about games, rounds, rulings and training."""

from __future__ import annotations

from dataclasses import KW_ONLY
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from punto.cli.declare import Decks, Game, Output, Table, command
from punto.rules.defaults import DEFAULT_DECKS

SHEETS, ROUNDS = "Games and sheets", "Rounds and rulings"


@command(SHEETS, "punto games")
class Games(Output):
    """List the games: what each is, its decks and its bets."""


@command(SHEETS, "punto rules easy-six", runs="games:show_rules")
class Rules(Output):
    """Read a rule sheet: play, pay tables, insurance and irregularities, each with its paragraph."""

    game: Game


@command(SHEETS, "punto check-sheet examples/moon.toml")
class CheckSheet(Output):
    """Check a rule sheet of your own: every problem with its line, or what it says. Exit status 1 for a problem."""

    file: Annotated[str, Parameter(help="The path of a sheet of your own, or a game's id.")]


@command(SHEETS, "punto compare commission easy-six")
class Compare(Table):
    """Show what differs between two games: decks, pay lines, returns, edges, insurance rows and rulings."""

    game: Game
    other: Annotated[str, Parameter(help="Another game, or the path of another sheet.")]
    _: KW_ONLY
    decks: Decks = DEFAULT_DECKS


@command(ROUNDS, "punto settle examples/insured-banker.json")
class Settle(Output):
    """Settle rounds: one JSON record, or many as JSON Lines. Exit status 1 if any was refused."""

    file: Annotated[str, Parameter(help="A file of records, or - for standard input.", allow_leading_hyphen=True)]


@command(ROUNDS, "punto roads examples/shoe.txt")
class Roads(Output):
    """Draw the roads of a shoe: bead plate, big road, the three derived roads and the next-hand rows."""

    file: Annotated[
        str,
        Parameter(allow_leading_hyphen=True, help="A file of a shoe's rounds, one a line, or - for standard input."),
    ]
    _: KW_ONLY
    svg: Annotated[
        str | None,
        Parameter(allow_leading_hyphen=True, help="Write the drawing to this SVG file instead (- for output)."),
    ] = None


@command(ROUNDS, 'punto rule commission excess-card --cards "5h Kd 6s 6c 9h"')
class Rule(Output):
    """Ask what happens now: the ruling, who decides and what each patron is offered, with paragraphs."""

    game: Game
    situation: Annotated[str | None, Parameter(help="A situation; leave it out to list them.")] = None
    _: KW_ONLY
    cards: Annotated[str | None, Parameter(help='The cards on the table in dealing order, as "5h Kd 6s".')] = None
    phase: Annotated[str | None, Parameter(help="Where the round stands, such as betting or result.")] = None


@command(ROUNDS, "punto replay examples/table.jsonl")
class Replay(Output):
    """Play a file of commands through a table and print the events. Exit status 1 if any command was refused."""

    file: Annotated[
        str, Parameter(help="A file of commands as JSON Lines, or - for standard input.", allow_leading_hyphen=True)
    ]


@command(ROUNDS, "punto verify-shoe examples/opened-shoe.json")
class VerifyShoe(Output):
    """Check a shoe from its published record: commitment, order, every card dealt. Status 1 if anything is wrong."""

    file: Annotated[
        str, Parameter(help="A published shoe as JSON, or - for standard input.", allow_leading_hyphen=True)
    ]
    _: KW_ONLY
    commitment: Annotated[
        str | None,
        Parameter(
            help="The commitment you noted before the first bet; without it the record is checked against itself."
        ),
    ] = None


@command("Training", "punto academy commission --drills 5")
class Academy:
    """Learn to deal a game: drills from its sheet, marked by the engine, and examinations."""

    game: Game
    _: KW_ONLY
    kind: Annotated[
        Literal["cards", "paying", "insurance", "limits", "irregularities", "shoe"] | None,
        Parameter(help="Only drills of this kind; without it, what is due, and of all kinds but a whole shoe."),
    ] = None
    drills: Annotated[int, Parameter(help="How many drills, or questions of an examination.")] = 10
    seed: Annotated[int | None, Parameter(help="The same seed asks the same; without it, what is due is asked.")] = None
    progress: Annotated[
        Path | None, Parameter(help="The file that keeps your progress; .punto-academy.json in your home by default.")
    ] = None
    exam: Annotated[bool, Parameter(help="An examination: with a time limit, and marked at the end.")] = False
    report: Annotated[str | None, Parameter(help="Write the report of the examination to this file, to print.")] = None
