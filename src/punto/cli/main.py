"""The `punto` command. Each command imports what it needs when it runs, so that help comes at once."""

from __future__ import annotations

import os
import sys
from typing import Annotated

from cyclopts import App, Parameter

import punto
from punto.cli.output import Failure, fail
from punto.rules.refusals import RefusedError

app = App(
    name="punto",
    help="A baccarat table that plays exactly as its rule sheet says, and proves it.",
    version=punto.__version__,
)

Json = Annotated[bool, Parameter(name="--json", negative="", help="Write JSON for programs.")]
Game = Annotated[str, Parameter(help="A game's id (see `punto games`), or the path of a sheet of your own.")]


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


@app.command
def settle(
    file: Annotated[str, Parameter(help="A file of records, or - for standard input.")],
    /,
    *,
    json: Json = False,
) -> int:
    """Settle rounds: one JSON record, or many as JSON Lines. Exit status 1 if any was refused."""
    from punto.cli.settle import settle_file

    return settle_file(file, as_json=json)


@app.command
def simulate(
    *games: Game,
    rounds: Annotated[
        str, Parameter(help="Deal at least so many rounds, in whole blocks of shoes; 1e9 will do.")
    ] = "1e8",
    decks: Annotated[int, Parameter(help="Decks in the shoe.")] = 8,
    cut: Annotated[int, Parameter(help="Cards behind the cut card; the round in which it comes is finished.")] = 14,
    burn: Annotated[
        str, Parameter(help="Cards burnt unseen before the first round, or `card`: the first card and its points.")
    ] = "0",
    seed: Annotated[int, Parameter(help="The same seed gives the same counts, whatever the threads.")] = 0,
    first: Annotated[str, Parameter(help="Count the first rounds of each shoe apart: 1,10,64.")] = "",
    backend: Annotated[str, Parameter(help="numba, cuda or dask.")] = "numba",
    threads: Annotated[int | None, Parameter(help="Threads or local workers; all cores if not given.")] = None,
    cluster: Annotated[str | None, Parameter(help="Address of a Dask scheduler, for --backend dask.")] = None,
    json: Json = False,
) -> int:
    """Deal full shoes, count every outcome, and hold each bet's estimate against its exact figure."""
    from punto.cli.simulate import simulate_games

    return simulate_games(
        games,
        rounds=rounds,
        decks=decks,
        cut=cut,
        burn=burn,
        seed=seed,
        first=first,
        backend=backend,
        threads=threads,
        cluster=cluster,
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
    unit: Annotated[str, Parameter(help="The unit of the plan, and the least a patron needs to go on.")] = "10",
    most: Annotated[str | None, Parameter(help="The most that may be staked on a round.")] = None,
    rounds: Annotated[str, Parameter(help="Rounds each patron plays.")] = "500",
    patrons: Annotated[str, Parameter(help="How many patrons; each has shoes of their own.")] = "10000",
    decks: Annotated[int, Parameter(help="Decks in the shoe.")] = 8,
    cut: Annotated[int, Parameter(help="Cards behind the cut card.")] = 14,
    burn: Annotated[str, Parameter(help="Cards burnt unseen, or `card`.")] = "0",
    seed: Annotated[int, Parameter(help="The same seed gives the same study.")] = 0,
    out: Annotated[str | None, Parameter(help="Write a page with charts to this file.")] = None,
    json: Json = False,
) -> int:
    """Study patrons who play a staking plan: results, ruin and runs, in numbers and as a chart."""
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
        seed=seed,
        out=out,
        as_json=json,
    )


def main() -> None:
    """Run the command line; whatever a user can cause ends in a sentence and an exit status, never in a traceback."""
    as_json = "--json" in sys.argv
    try:
        sys.exit(app() or 0)
    except RefusedError as error:
        fail(Failure(error.refusal.code, error.refusal.message), as_json=as_json)
    except Failure as failure:
        fail(failure, as_json=as_json)
    except BrokenPipeError:
        # The reader has gone (as with `| head`): say nothing, and let nothing be flushed into the closed pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
