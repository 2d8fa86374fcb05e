"""The commands about a house and its records."""

from __future__ import annotations

from dataclasses import KW_ONLY
from datetime import date
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from punto.cli.declare import Config, Database, DayStarts, Output, Table, command

HOUSE, RECORDS = "A house", "Its records"
Set = Annotated[
    tuple[str, ...],
    Parameter(name="--set", help="Any other setting, as edge.burst=60; may be repeated. `punto settings` has all."),
]


@command(HOUSE, "punto serve --demo --open-door", extra="server")
class Serve(Output):
    """Run tables: take bets, deal, settle and record. Ctrl-C or SIGTERM ends it, with rounds finished or held."""

    # What is a setting too has its name; None is one that was not given.
    _: KW_ONLY
    config: Config = None
    database: Annotated[str | None, Parameter(help="sqlite:///FILE, postgresql://… or memory:")] = None
    head: Annotated[str | None, Parameter(help="The file that keeps the heads; PostgreSQL needs one.")] = None
    key: Annotated[str | None, Parameter(help="The file with the key of the shoes; by default beside the head.")] = None
    adopt_head: Annotated[bool | None, Parameter(help="Trust a database whose head file is missing, and log it.")] = (
        None
    )
    bus: Annotated[str | None, Parameter(help="nats://…, where several processes share one database.")] = None
    host: Annotated[str | None, Parameter(help="The address to listen on; 127.0.0.1 by default.")] = None
    port: Annotated[str | None, Parameter(help="The port to listen on; 8080 by default.")] = None
    base_path: Annotated[
        str | None,
        Parameter(help="What all addresses begin with behind a proxy, as /punto.", allow_leading_hyphen=True),
    ] = None
    trusted_proxies: Annotated[
        tuple[str, ...] | None,
        Parameter(name="--trusted-proxy", help="The address of a proxy to believe; may be repeated."),
    ] = None
    demo: Annotated[bool, Parameter(help="Set up every game at a table, and staff, once.")] = False
    house_players: Annotated[
        bool,
        Parameter(
            negative="--no-house-players",
            help="Let players of the house bet at the tables of a demonstration, to show play.",
        ),
    ] = True
    open_door: Annotated[bool | None, Parameter(negative="--no-open-door", help="Let anyone join as a patron.")] = None
    free_credit: Annotated[
        bool | None,
        Parameter(negative="--no-free-credit", help="Let patrons help themselves to credits; a demonstration does."),
    ] = None
    always_on: Annotated[
        bool | None, Parameter(negative="--no-always-on", help="Play automatic tables when nobody watches too.")
    ] = None
    standing_order: Annotated[
        Literal["conclude-or-void", "void", "hold"] | None,
        Parameter(help="What becomes of interrupted rounds of automatic tables where their sheet is silent."),
    ] = None
    sheets: Annotated[
        tuple[str, ...] | None,
        Parameter(name="--sheet", help="The path of a rule sheet of your own; may be repeated."),
    ] = None
    owner: Annotated[str | None, Parameter(help="This process's name among several.")] = None
    new_admin_token: Annotated[bool, Parameter(help="Give the admin a new token; the old one ends.")] = False
    origins: Annotated[
        tuple[str, ...] | None,
        Parameter(name="--origin", help="Another origin whose pages may connect, as https://…; may be repeated."),
    ] = None
    gaming_day: Annotated[DayStarts, Parameter(name="--day-starts")] = None
    others: Set = ()


@command(HOUSE, "punto settings --config punto.toml", extra="server")
class Settings(Output):
    """List every setting of a house: its value, and the file, variable or option that it comes from."""

    _: KW_ONLY
    config: Config = None
    others: Set = ()


@command(HOUSE, "punto bots http://127.0.0.1:8080 --patrons 20", extra="client")
class Bots(Output):
    """Fill a server's tables with automatic patrons: they bet, insure, choose, leave and cash out."""

    address: Annotated[str, Parameter(help="The server's address.")] = "http://127.0.0.1:8080"
    _: KW_ONLY
    patrons: Annotated[int, Parameter(validator=Number(gte=1, lte=10_000), help="How many patrons play.")] = 20
    tables: Annotated[tuple[str, ...], Parameter(name="--table", help="Only at this table; may be repeated.")] = ()
    seconds: Annotated[
        int | None,
        Parameter(validator=Number(gte=1, lte=366 * 86_400), help="Stop after so long; without it, at Ctrl-C."),
    ] = None
    token: Annotated[
        str | None,
        Parameter(env_var="PUNTO_TOKEN", help="The token of someone who lets the patrons in and sells them credits."),
    ] = None
    seed: Annotated[int, Parameter(help="What they bet: the same seed bets alike.")] = 1


@command(RECORDS, "punto audit --database sqlite:///punto.db", extra="server")
class Audit(Database):
    """Check a database: chain, gaps, replay, ledger, keys and heads. Exit status 1 if anything is wrong."""

    _: KW_ONLY
    accept: Annotated[bool, Parameter(help="If all is well, recreate the head file; the next start logs it.")] = False
    anchor: Annotated[tuple[Path, ...], Parameter(help="A file that `punto anchor` wrote; may be repeated.")] = ()


@command(RECORDS, "punto backup --database sqlite:///punto.db --out copies", extra="server")
class Backup(Database):
    """Copy a database while it is in use, and prove the copy by an audit. The key is not in it: keep it apart."""

    _: KW_ONLY
    out: Annotated[Path, Parameter(help="The folder to write the copy to.")]


@command(RECORDS, "punto restore copies/punto.db --database sqlite:///new.db", extra="server", runs="backup:restore")
class Restore(Database):
    """Put a copy in the place of a database that is not there yet, and prove it. The next start goes on from it."""

    file: Annotated[Path, Parameter(help="A copy that `punto backup` made.")]


@command(RECORDS, "punto anchor --database sqlite:///punto.db --out anchor.json", extra="server")
class Anchor(Database):
    """Write where the log of a database ends now, signed, to print or to keep on another machine."""

    _: KW_ONLY
    out: Annotated[Path | None, Parameter(help="The file to write; by default standard output.")] = None


@command(RECORDS, "punto rotate-key --config punto.toml", extra="server", runs="rebuild:rotate_key")
class RotateKey(Database):
    """Add a new key for the shoes to come, while no server runs. The older keys stay in the file, for older shoes."""


@command(RECORDS, "punto rebuild --database sqlite:///punto.db --by kim --by lee", extra="server")
class Rebuild(Database):
    """Make balances, leases and indexes anew from the verified log. The log itself is never changed."""

    _: KW_ONLY
    by: Annotated[tuple[str, ...], Parameter(help="The ids of two members of staff, one each time.")]


@command(RECORDS, "punto day-report --database sqlite:///punto.db", extra="server")
class DayReport(Database, Table):
    """Report a gaming day: rounds, handle, win, hold and theoretical win of every table, and what patrons owe."""

    _: KW_ONLY
    day: Annotated[date | None, Parameter(help="The gaming day, as 2026-11-16; by default the present one.")] = None
    day_starts: DayStarts = None
    sheets: Annotated[
        tuple[str, ...],
        Parameter(name="--sheet", help="The path of a rule sheet of your own; may be repeated."),
    ] = ()
