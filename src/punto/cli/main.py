"""The `punto` command. Each command imports its modules when it runs, so that help is fast."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Literal, NoReturn

from cyclopts import App, CycloptsError, Parameter

import punto
from punto.cli.output import LANGUAGE, fail, language_of, sentence
from punto.extras import naming_extras
from punto.rules.defaults import DEFAULT_CUT, DEFAULT_DECKS

app = App(
    name="punto",
    help="A baccarat table that plays exactly as its rule sheet says, and proves it.",
    help_format="plaintext",  # markdown would show little more than that, and takes a fifth of the time of help
    version=punto.__version__,
    suppress_keyboard_interrupt=False,  # `punto.__main__` says that the command was stopped
)

Json = Annotated[bool, Parameter(name="--json", negative="", help="Write JSON for programs.")]
Csv = Annotated[
    str | None,
    Parameter(allow_leading_hyphen=True, help="Write the figures as CSV to this file (- for standard output)."),
]
DayStarts = Annotated[
    str | None, Parameter(help="When a gaming day begins: a time of day with its offset from UTC, as 06:00+08:00.")
]
Config = Annotated[Path | None, Parameter(help="The file with settings; punto.toml by default, if there is one.")]
Game = Annotated[str, Parameter(help="A game's id (see `punto games`), or the path of a sheet of your own.")]


@Parameter(name="*")
@dataclass(frozen=True)
class DatabaseOptions:
    """Where a house keeps what a command reads; by default where its settings say so, as for `punto serve`."""

    config: Config = None
    database: Annotated[str | None, Parameter(help="sqlite:///FILE or postgresql://…")] = None
    head: Annotated[Path | None, Parameter(help="The file that keeps the heads.")] = None
    key: Annotated[Path | None, Parameter(help="The file with the key of the shoes; by default beside the head.")] = (
        None
    )


OF_SETTINGS = DatabaseOptions()


@app.command
def games(*, json: Json = False) -> None:
    """List the games: what each is, its decks and its bets."""
    from punto.cli.games import show_games

    show_games(as_json=json)


@app.command
def rules(game: Game, /, *, json: Json = False) -> None:
    """Read a rule sheet: play, pay tables, insurance and irregularities, each with its paragraph."""
    from punto.cli.games import show_rules

    show_rules(game, as_json=json)


@app.command(name="check-sheet")
def check_sheet(
    file: Annotated[str, Parameter(help="The path of a sheet of your own, or a game's id.")], /, *, json: Json = False
) -> int:
    """Check a rule sheet of your own: every problem with its line, or what it says. Exit status 1 for a problem."""
    from punto.cli.check_sheet import check_sheet

    return check_sheet(file, as_json=json)


@app.command
def settle(
    file: Annotated[str, Parameter(help="A file of records, or - for standard input.", allow_leading_hyphen=True)],
    /,
    *,
    json: Json = False,
) -> int:
    """Settle rounds: one JSON record, or many as JSON Lines. Exit status 1 if any was refused."""
    from punto.cli.settle import settle_file

    return settle_file(file, as_json=json)


@app.command
def audit(
    *,
    place: DatabaseOptions = OF_SETTINGS,
    accept: Annotated[
        bool, Parameter(negative="", help="If all is well, recreate the head file; the next start logs it.")
    ] = False,
    anchor: Annotated[tuple[Path, ...], Parameter(help="A file that `punto anchor` wrote; may be repeated.")] = (),
    json: Json = False,
) -> int:
    """Check a database: chain, gaps, replay, ledger, keys and heads. Exit status 1 if anything is wrong."""
    with naming_extras("server"):
        from punto.cli.audit import audit_database
        from punto.cli.settings import read_database

    return audit_database(read_database(place), anchor, accept=accept, as_json=json)


@app.command
def backup(
    *,
    place: DatabaseOptions = OF_SETTINGS,
    out: Annotated[Path, Parameter(help="The folder to write the copy to.")],
    json: Json = False,
) -> None:
    """Copy a database while it is in use, and prove the copy by an audit. The key is not in it: keep it apart."""
    with naming_extras("server"):
        from punto.cli.backup import back_up
        from punto.cli.settings import read_database

    back_up(read_database(place), out, as_json=json)


@app.command
def restore(
    file: Annotated[Path, Parameter(help="A copy that `punto backup` made.")],
    /,
    *,
    place: DatabaseOptions = OF_SETTINGS,
    json: Json = False,
) -> None:
    """Put a copy in the place of a database that is not there yet, and prove it. The next start goes on from it."""
    with naming_extras("server"):
        from punto.cli.backup import restore as restore_copy
        from punto.cli.settings import read_database

    restore_copy(file, read_database(place), as_json=json)


@app.command
def anchor(
    *,
    place: DatabaseOptions = OF_SETTINGS,
    out: Annotated[Path | None, Parameter(help="The file to write; by default standard output.")] = None,
    json: Json = False,
) -> None:
    """Write where the log of a database ends now, signed, to print or to keep on another machine."""
    with naming_extras("server"):
        from punto.cli.anchor import anchor_database
        from punto.cli.settings import read_database

    anchor_database(read_database(place), out, as_json=json)


@app.command
def rebuild(
    *,
    place: DatabaseOptions = OF_SETTINGS,
    by: Annotated[tuple[str, ...], Parameter(help="The ids of two members of staff, one each time.")],
    json: Json = False,
) -> None:
    """Make balances, leases and indexes anew from the verified log. The log itself is never changed."""
    with naming_extras("server"):
        from punto.cli.rebuild import rebuild_database
        from punto.cli.settings import read_database

    rebuild_database(read_database(place), by, as_json=json)


@app.command(name="rotate-key")
def rotate_key(*, place: DatabaseOptions = OF_SETTINGS, json: Json = False) -> None:
    """Add a new key for the shoes to come, while no server runs. The older keys stay in the file, for older shoes."""
    with naming_extras("server"):
        from punto.cli.rotate_key import rotate_key as rotate
        from punto.cli.settings import read_database

    rotate(read_database(place), as_json=json)


@app.command(name="day-report")
def day_report(
    *,
    place: DatabaseOptions = OF_SETTINGS,
    day: Annotated[str | None, Parameter(help="The gaming day, as 2026-11-16; by default the present one.")] = None,
    day_starts: DayStarts = None,
    csv: Csv = None,
    sheet: Annotated[tuple[str, ...], Parameter(help="The path of a rule sheet of your own; may be repeated.")] = (),
    json: Json = False,
) -> None:
    """Report a gaming day: rounds, handle, win, hold and theoretical win of every table, and what patrons owe."""
    with naming_extras("server"):
        from punto.cli.day_report import report_day
        from punto.cli.settings import read_database

    report_day(read_database(place), day, day_starts, sheet, csv=csv, as_json=json)


@app.command
def rule(
    game: Game,
    situation: Annotated[str | None, Parameter(help="A situation; leave it out to list them.")] = None,
    /,
    *,
    cards: Annotated[str | None, Parameter(help='The cards on the table in dealing order, as "5h Kd 6s".')] = None,
    phase: Annotated[str | None, Parameter(help="Where the round stands, such as betting or result.")] = None,
    json: Json = False,
) -> None:
    """Ask what happens now: the ruling, who decides and what each patron is offered, with paragraphs."""
    from punto.cli.rule import show_rule

    show_rule(game, situation, cards=cards, phase=phase, as_json=json)


@app.command
def replay(
    file: Annotated[
        str, Parameter(help="A file of commands as JSON Lines, or - for standard input.", allow_leading_hyphen=True)
    ],
    /,
    *,
    json: Json = False,
) -> int:
    """Play a file of commands through a table and print the events. Exit status 1 if any command was refused."""
    from punto.cli.replay import replay_file

    return replay_file(file, as_json=json)


Set = Annotated[
    tuple[str, ...],
    Parameter(
        name="--set",
        negative="",
        help="Any other setting, as edge.burst=60; may be repeated. `punto settings` has all.",
    ),
]


@app.command
def serve(
    *,
    config: Config = None,
    database: Annotated[str | None, Parameter(help="sqlite:///FILE, postgresql://… or memory:")] = None,
    head: Annotated[str | None, Parameter(help="The file that keeps the heads; PostgreSQL needs one.")] = None,
    key: Annotated[
        str | None, Parameter(help="The file with the key of the shoes; by default beside the head.")
    ] = None,
    adopt_head: Annotated[
        bool | None, Parameter(negative="", help="Trust a database whose head file is missing, and log it.")
    ] = None,
    bus: Annotated[str | None, Parameter(help="nats://…, where several processes share one database.")] = None,
    host: Annotated[str | None, Parameter(help="The address to listen on; 127.0.0.1 by default.")] = None,
    port: Annotated[str | None, Parameter(help="The port to listen on; 8080 by default.")] = None,
    base_path: Annotated[
        str | None,
        Parameter(help="What all addresses begin with behind a proxy, as /punto.", allow_leading_hyphen=True),
    ] = None,
    trusted_proxy: Annotated[
        tuple[str, ...], Parameter(negative="", help="The address of a proxy to believe; may be repeated.")
    ] = (),
    demo: Annotated[bool, Parameter(negative="", help="Set up every game at a table, and staff, once.")] = False,
    house_players: Annotated[
        bool, Parameter(help="Let players of the house bet at the tables of a demonstration, to show play.")
    ] = True,
    open_door: Annotated[bool | None, Parameter(help="Let anyone join as a patron.")] = None,
    free_credit: Annotated[
        bool | None, Parameter(help="Let patrons help themselves to credits; a demonstration does.")
    ] = None,
    always_on: Annotated[bool | None, Parameter(help="Play automatic tables when nobody watches too.")] = None,
    standing_order: Annotated[
        Literal["conclude-or-void", "void", "hold"] | None,
        Parameter(help="What becomes of interrupted rounds of automatic tables where their sheet is silent."),
    ] = None,
    sheet: Annotated[
        tuple[str, ...], Parameter(negative="", help="The path of a rule sheet of your own; may be repeated.")
    ] = (),
    owner: Annotated[str | None, Parameter(help="This process's name among several.")] = None,
    new_admin_token: Annotated[
        bool, Parameter(negative="", help="Give the admin a new token; the old one ends.")
    ] = False,
    origin: Annotated[
        tuple[str, ...],
        Parameter(negative="", help="Another origin whose pages may connect, as https://…; may be repeated."),
    ] = (),
    day_starts: DayStarts = None,
    set_: Set = (),
    json: Json = False,
) -> int:
    """Run tables: take bets, deal, settle and record. Ctrl-C or SIGTERM ends it, with rounds finished or held."""
    with naming_extras("server"):
        from punto.cli.serve import Start, run_server

    options = {
        "database": database,
        "head": head,
        "key": key,
        "adopt_head": adopt_head,
        "bus": bus,
        "server.host": host,
        "server.port": port,
        "server.base_path": base_path,
        "server.trusted_proxies": trusted_proxy or None,
        "open_door": open_door,
        "free_credit": demo or free_credit,
        "always_on": always_on,
        "standing_order": standing_order,
        "sheets": sheet or None,
        "owner": owner,
        "origins": origin or None,
        "gaming_day": day_starts,
    }
    return run_server(config, options, set_, Start(demo, house_players, new_admin_token), as_json=json)


@app.command
def settings(*, config: Config = None, set_: Set = (), json: Json = False) -> None:
    """List every setting of a house: its value, and the file, variable or option that it comes from."""
    with naming_extras("server"):
        from punto.cli.settings import read_settings, show_settings

    show_settings(read_settings(config, os.environ, {}, set_), as_json=json)


@app.command(name="verify-shoe")
def verify_shoe(
    file: Annotated[
        str, Parameter(help="A published shoe as JSON, or - for standard input.", allow_leading_hyphen=True)
    ],
    /,
    *,
    commitment: Annotated[
        str | None,
        Parameter(
            help="The commitment you noted before the first bet; without it the record is checked against itself."
        ),
    ] = None,
    json: Json = False,
) -> int:
    """Check a shoe from its published record: commitment, order, every card dealt. Status 1 if anything is wrong."""
    from punto.cli.verify_shoe import verify_file

    return verify_file(file, commitment, as_json=json)


@app.command
def roads(
    file: Annotated[
        str,
        Parameter(allow_leading_hyphen=True, help="A file of a shoe's rounds, one a line, or - for standard input."),
    ],
    /,
    *,
    svg: Annotated[
        str | None,
        Parameter(allow_leading_hyphen=True, help="Write the drawing to this SVG file instead (- for output)."),
    ] = None,
    json: Json = False,
) -> None:
    """Draw the roads of a shoe: bead plate, big road, the three derived roads and the next-hand rows."""
    from punto.cli.roads import show_roads

    show_roads(file, svg=svg, as_json=json)


Decks = Annotated[int, Parameter(help="How many decks the shoe began with, 1 to 10.")]
DealingDevice = Annotated[
    str, Parameter(help="card-shoe, or shuffler: every round is dealt from the full set of decks.")
]
Counts = Annotated[
    list[str] | None,
    Parameter(consume_multiple=True, negative="", help="Cards left of each rank: 13 numbers, A to K."),
]


@app.command
def odds(
    game: Game,
    /,
    *,
    decks: Decks = DEFAULT_DECKS,
    counts: Counts = None,
    removed: Annotated[str | None, Parameter(help='Cards that have left the shoe, as "6h 6d 7s".')] = None,
    device: DealingDevice = "card-shoe",
    csv: Csv = None,
    json: Json = False,
) -> None:
    """Price every bet and insurance offer exactly: house edge, probabilities, standard deviation."""
    from punto.cli.odds import show_odds

    show_odds(game, decks=decks, counts=counts, removed=removed, device=device, as_json=json, csv=csv)


@app.command
def compare(
    game: Game,
    other: Annotated[str, Parameter(help="Another game, or the path of another sheet.")],
    /,
    *,
    decks: Decks = DEFAULT_DECKS,
    csv: Csv = None,
    json: Json = False,
) -> None:
    """Show what differs between two games: decks, pay lines, returns, edges, insurance rows and rulings."""
    from punto.cli.compare import show_differences

    show_differences(game, other, decks=decks, as_json=json, csv=csv)


@app.command
def shoe(
    game: Game,
    /,
    *,
    dealt: Annotated[str, Parameter(help='Cards seen in earlier rounds, in any order, as "6h 6d 7s".')] = "",
    table: Annotated[str, Parameter(help="Cards of the round in play, in dealing order: P1 B1 P2 B2 P3 B3.")] = "",
    decks: Decks = DEFAULT_DECKS,
    json: Json = False,
) -> None:
    """Show the value of every bet after the cards seen, and of insurance at this moment."""
    from punto.cli.shoe import show_shoe

    show_shoe(game, dealt=dealt, table=table, decks=decks, as_json=json)


@app.command
def count(
    game: Game,
    /,
    *,
    bet: Annotated[str | None, Parameter(help="One bet by its id; without it, every bet.")] = None,
    tags: Annotated[
        list[str] | None,
        Parameter(consume_multiple=True, negative="", help="Your own count: 13 tags, A to K, or 10, A to ten."),
    ] = None,
    threshold: Annotated[
        float | None, Parameter(help="Bet from this true count; without it, the best one of other shoes.")
    ] = None,
    decks: Decks = DEFAULT_DECKS,
    cut: Annotated[int, Parameter(help="The number of cards behind the cut card.")] = DEFAULT_CUT,
    burn: Annotated[
        str, Parameter(help="Cards burnt unseen before the first round, or `card`: the first card and its points.")
    ] = "0",
    one_more: Annotated[
        bool, Parameter(negative="", help="Deal one more round after the one in which the cut card comes out.")
    ] = False,
    cuts: Annotated[
        list[int] | None,
        Parameter(consume_multiple=True, negative="", help="Only perfect play, with each of these numbers behind it."),
    ] = None,
    shoes: Annotated[str, Parameter(help="How many shoes to deal; 1e4 will do.")] = "2000",
    seed: Annotated[int, Parameter(help="Which shoes to deal: the same seed deals the same ones.")] = 1,
    csv: Csv = None,
    json: Json = False,
) -> None:
    """Show how well a bet can be counted: effects of removal, best tags, and their gain in dealt shoes."""
    from functools import partial

    from punto.analysis.countability import Shoes
    from punto.cli.count import show_count, show_depths
    from punto.cli.numbers import read_whole
    from punto.rules.composition import read_burn
    from punto.rules.shoe_refusals import ShoesInvalid

    number = read_whole(shoes, partial(ShoesInvalid, "shoes-not-whole"))
    dealt = Shoes(decks, cut, number, seed, read_burn(burn), one_more)
    if cuts:
        show_depths(game, bet=bet, cuts=cuts, shoes=dealt, as_json=json)
        return
    show_count(game, bet=bet, tags=tags, threshold=threshold, shoes=dealt, as_json=json, csv=csv)


@app.command
def report(
    game: Game,
    /,
    *,
    out: Annotated[str, Parameter(help="The HTML file to write.")],
    decks: Decks = DEFAULT_DECKS,
    json: Json = False,
) -> None:
    """Write one self-contained page with every exact figure of a game, as a test laboratory would print it."""
    from punto.cli.report import write_report

    write_report(game, decks=decks, out=out, as_json=json)


@app.command
def simulate(
    *games: Game,
    rounds: Annotated[
        str, Parameter(help="Deal at least so many rounds, in whole blocks of shoes; 1e9 will do.")
    ] = "1e8",
    decks: Annotated[int, Parameter(help="Decks in the shoe.")] = DEFAULT_DECKS,
    cut: Annotated[
        int, Parameter(help="Cards behind the cut card; the round in which it comes is finished.")
    ] = DEFAULT_CUT,
    burn: Annotated[
        str, Parameter(help="Cards burnt unseen before the first round, or `card`: the first card and its points.")
    ] = "0",
    device: DealingDevice = "card-shoe",
    seed: Annotated[int, Parameter(help="The same seed gives the same counts, whatever the threads.")] = 0,
    first: Annotated[str, Parameter(help="Count the first rounds of each shoe apart: 1,10,64.")] = "",
    backend: Annotated[str, Parameter(help="numba, cuda or dask.")] = "numba",
    threads: Annotated[int | None, Parameter(help="Threads or local workers; all cores if not given.")] = None,
    cluster: Annotated[str | None, Parameter(help="Address of a Dask scheduler, for --backend dask.")] = None,
    csv: Csv = None,
    json: Json = False,
) -> int:
    """Deal full shoes, count every outcome, and compare each bet's estimate with its exact figure."""
    with naming_extras("simulation"):
        from punto.cli.simulate import simulate_games

    return simulate_games(
        games,
        rounds=rounds,
        decks=decks,
        cut=cut,
        burn=burn,
        device=device,
        seed=seed,
        first=first,
        backend=backend,
        threads=threads,
        cluster=cluster,
        csv=csv,
        as_json=json,
    )


@app.command
def patron(
    game: Game,
    /,
    *,
    bet: Annotated[str, Parameter(help="What the patrons bet on: a bet that the game offers.")] = "banker",
    plan: Annotated[
        str, Parameter(help="flat, martingale, dalembert, 1-3-2-6, or a function of your own as file.py:function.")
    ] = "flat",
    insurance: Annotated[
        str, Parameter(help="never, always, favourable, or a function of your own as file.py:function.")
    ] = "never",
    bankroll: Annotated[str, Parameter(help="What each patron starts with: 1000 or 1000.00.")] = "1000",
    unit: Annotated[str, Parameter(help="The unit of the plan, and the minimum a patron needs to continue.")] = "10",
    most: Annotated[str | None, Parameter(help="The maximum stake of a round.")] = None,
    rounds: Annotated[str, Parameter(help="Rounds each patron plays.")] = "500",
    patrons: Annotated[str, Parameter(help="The number of patrons; each has their own shoes.")] = "10000",
    decks: Annotated[int, Parameter(help="Decks in the shoe.")] = DEFAULT_DECKS,
    cut: Annotated[int, Parameter(help="Cards behind the cut card.")] = DEFAULT_CUT,
    burn: Annotated[str, Parameter(help="Cards burnt unseen, or `card`.")] = "0",
    device: DealingDevice = "card-shoe",
    seed: Annotated[int, Parameter(help="The same seed gives the same study.")] = 0,
    out: Annotated[str | None, Parameter(help="Write a page with charts to this file.")] = None,
    csv: Csv = None,
    json: Json = False,
) -> int:
    """Study patrons who play a staking plan: results, ruin and runs, in numbers and as a chart."""
    with naming_extras("simulation"):
        from punto.cli.patron import study_patrons

    return study_patrons(
        game,
        bet=bet,
        plan=plan,
        insurance=insurance,
        bankroll=bankroll,
        unit=unit,
        most=most,
        rounds=rounds,
        patrons=patrons,
        decks=decks,
        cut=cut,
        burn=burn,
        device=device,
        seed=seed,
        out=out,
        csv=csv,
        as_json=json,
    )


@app.command
def academy(
    game: Game,
    /,
    *,
    kind: Annotated[
        Literal["cards", "paying", "insurance", "limits", "irregularities", "shoe"] | None,
        Parameter(help="Only drills of this kind; without it, what is due, and of all kinds but a whole shoe."),
    ] = None,
    drills: Annotated[int, Parameter(help="How many drills, or questions of an examination.")] = 10,
    seed: Annotated[
        int | None, Parameter(help="The same seed asks the same; without it, what is due is asked.")
    ] = None,
    progress: Annotated[
        Path | None, Parameter(help="The file that keeps your progress; .punto-academy.json in your home by default.")
    ] = None,
    exam: Annotated[
        bool, Parameter(negative="", help="An examination: with a time limit, and marked at the end.")
    ] = False,
    report: Annotated[str | None, Parameter(help="Write the report of the examination to this file, to print.")] = None,
) -> int:
    """Learn to deal a game: drills from its sheet, marked by the engine, and examinations."""
    from punto.academy import Kind
    from punto.cli.academy import examine, train

    if exam:
        return examine(game, seed or 0, drills, report)
    train(game, kind and Kind(kind), drills, progress or Path.home() / ".punto-academy.json", seed)
    return 0


@app.command
def bots(
    address: Annotated[str, Parameter(help="The server's address.")] = "http://127.0.0.1:8080",
    /,
    *,
    patrons: Annotated[int, Parameter(help="How many patrons play.")] = 20,
    table: Annotated[tuple[str, ...], Parameter(help="Only at this table; may be repeated.")] = (),
    seconds: Annotated[int | None, Parameter(help="Stop after so long; without it, at Ctrl-C.")] = None,
    token: Annotated[
        str | None,
        Parameter(
            env_var="PUNTO_TOKEN",
            help="The token of someone who lets the patrons in and sells them credits.",
        ),
    ] = None,
    seed: Annotated[int, Parameter(help="What they bet: the same seed bets alike.")] = 1,
    json: Json = False,
) -> None:
    """Fill a server's tables with automatic patrons: they bet, insure, choose, leave and cash out."""
    with naming_extras("client"):
        from punto.cli.bots import run_bots

    run_bots(address, patrons=patrons, tables=table, seconds=seconds, token=token, seed=seed, as_json=json)


@app.command
def completion(
    shell: Annotated[Literal["bash", "zsh", "fish"], Parameter(help="The shell to complete for.")],
    /,
) -> None:
    """Write a script for your shell that completes commands, options and their values."""
    sys.stdout.write(app.generate_completion(prog_name="punto", shell=shell))


app.meta.suppress_keyboard_interrupt = False


@app.meta.default
def start(
    *tokens: Annotated[str, Parameter(show=False, allow_leading_hyphen=True)],
    lang: Annotated[
        Literal["en", "zh-Hans"] | None, Parameter(help="The language to speak; by default that of the environment.")
    ] = None,
) -> int | None:
    """Choose the language, then run the command."""
    if lang is not None:
        LANGUAGE.set(lang)
    status: int | None = app(tokens, exit_on_error=False, print_error="--json" not in tokens)
    return status


def main() -> None:
    """Run the command line. A user's error gives a sentence and an exit status, never a traceback."""
    as_json = "--json" in sys.argv
    LANGUAGE.set(language_of(os.environ, sys.argv))
    if len(sys.argv) == 1 or not {"--help", "-h"}.isdisjoint(sys.argv):
        from punto.cli.help import arrange

        arrange(app)
    if sys.stdout is None:  # there is no standard output
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    if isinstance(sys.stdout, TextIOWrapper):
        # A terminal that cannot show a suit gets a question mark, not a traceback.
        sys.stdout.reconfigure(errors="replace")
    try:
        status = app.meta(sys.argv[1:], exit_on_error=False, print_error=not as_json) or 0
        sys.stdout.flush()
    except CycloptsError as error:
        if as_json:
            _fail_usage(str(error))
        sys.exit(2)
    except OSError as error:
        # The reader has gone (as with `| head`), or the disk is full: flush nothing more into that output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if not isinstance(error, BrokenPipeError):
            from punto.cli.refusals import InputOutput

            broken = InputOutput(error.strerror or str(error))
            sys.stderr.write(f"punto: {sentence(broken)} [{broken.code}]\n")
        sys.exit(1 if isinstance(error, BrokenPipeError) else 2)
    except ValueError as error:
        from punto.rules.refusals import Refused

        if isinstance(error, Refused):
            fail(error, as_json=as_json)
        raise
    sys.exit(status)


def _fail_usage(message: str) -> NoReturn:
    from punto.cli.refusals import Usage
    from punto.rules.refusals import Refused

    fail(Refused(Usage(message)), as_json=True)


if __name__ == "__main__":
    main()
