"""The commands about exact figures and dealt shoes."""

from __future__ import annotations

from dataclasses import KW_ONLY
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from punto.cli.declare import GAME, DealtShoes, Decks, Device, Game, Output, Table, command
from punto.rules.defaults import DEFAULT_DECKS

EXACT, DEALT = "Exact figures", "Dealt shoes"


@command(EXACT, "punto odds da-hu-ying-xiong --decks 8")
class Odds(Table):
    """Price every bet and insurance offer exactly: house edge, probabilities, standard deviation."""

    game: Game
    _: KW_ONLY
    decks: Decks = DEFAULT_DECKS
    counts: Annotated[
        list[str] | None,
        Parameter(consume_multiple=True, help="Cards left of each rank: 13 numbers, A to K."),
    ] = None
    removed: Annotated[str | None, Parameter(help='Cards that have left the shoe, as "6h 6d 7s".')] = None
    device: Device = "card-shoe"


@command(EXACT, 'punto shoe easy-six --dealt "6h 6d 7s"')
class Shoe(Output):
    """Show the value of every bet after the cards seen, and of insurance at this moment."""

    game: Game
    _: KW_ONLY
    dealt: Annotated[str, Parameter(help='Cards seen in earlier rounds, in any order, as "6h 6d 7s".')] = ""
    table: Annotated[str, Parameter(help="Cards of the round in play, in dealing order: P1 B1 P2 B2 P3 B3.")] = ""
    decks: Decks = DEFAULT_DECKS


@command(EXACT, "punto report commission --out commission.html")
class Report(Output):
    """Write one self-contained page with every exact figure of a game, as a test laboratory would print it."""

    game: Game
    _: KW_ONLY
    out: Annotated[str, Parameter(help="The HTML file to write.")]
    decks: Decks = DEFAULT_DECKS


@command(DEALT, "punto count easy-six --bet easy-six --shoes 1e4")
class Count(DealtShoes):
    """Show how well a bet can be counted: effects of removal, best tags, and their gain in dealt shoes."""

    game: Game
    _: KW_ONLY
    bet: Annotated[str | None, Parameter(help="One bet by its id; without it, every bet.")] = None
    tags: Annotated[
        list[str] | None,
        Parameter(consume_multiple=True, help="Your own count: 13 tags, A to K, or 10, A to ten."),
    ] = None
    threshold: Annotated[
        float | None, Parameter(help="Bet from this true count; without it, the best one of other shoes.")
    ] = None
    one_more: Annotated[bool, Parameter(help="Deal one more round after the one in which the cut card comes out.")] = (
        False
    )
    cuts: Annotated[
        list[int] | None,
        Parameter(consume_multiple=True, help="Only perfect play, with each of these numbers behind it."),
    ] = None
    shoes: Annotated[str, Parameter(help="How many shoes to deal; 1e4 will do.")] = "2000"
    seed: Annotated[int, Parameter(help="Which shoes to deal: the same seed deals the same ones.")] = 1


@command(DEALT, "punto simulate commission --rounds 1e8", extra="simulation")
class Simulate(DealtShoes):
    """Deal full shoes, count every outcome, and compare each bet's estimate with its exact figure."""

    games: Annotated[tuple[str, ...], GAME]
    _: KW_ONLY
    rounds: Annotated[str, Parameter(help="Deal at least so many rounds, in whole blocks of shoes; 1e9 will do.")] = (
        "1e8"
    )
    device: Device = "card-shoe"
    seed: Annotated[int, Parameter(help="The same seed gives the same counts, whatever the threads.")] = 0
    first: Annotated[str, Parameter(help="Count the first rounds of each shoe apart: 1,10,64.")] = ""
    backend: Annotated[str, Parameter(help="numba, cuda or dask.")] = "numba"
    threads: Annotated[
        int | None,
        Parameter(validator=Number(gte=1, lte=256), help="Threads or local workers; all cores if not given."),
    ] = None
    cluster: Annotated[str | None, Parameter(help="Address of a Dask scheduler, for --backend dask.")] = None


@command(DEALT, "punto patron commission --plan martingale --rounds 500", extra="simulation")
class Patron(DealtShoes):
    """Study patrons who play a staking plan: results, ruin and runs, in numbers and as a chart."""

    game: Game
    _: KW_ONLY
    bet: Annotated[str, Parameter(help="What the patrons bet on: a bet that the game offers.")] = "banker"
    plan: Annotated[
        str, Parameter(help="flat, martingale, dalembert, 1-3-2-6, or a function of your own as file.py:function.")
    ] = "flat"
    insurance: Annotated[
        str, Parameter(help="never, always, favourable, or a function of your own as file.py:function.")
    ] = "never"
    bankroll: Annotated[str, Parameter(help="What each patron starts with: 1000 or 1000.00.")] = "1000"
    unit: Annotated[str, Parameter(help="The unit of the plan, and the minimum a patron needs to continue.")] = "10"
    most: Annotated[str | None, Parameter(help="The maximum stake of a round.")] = None
    rounds: Annotated[str, Parameter(help="Rounds each patron plays.")] = "500"
    patrons: Annotated[str, Parameter(help="The number of patrons; each has their own shoes.")] = "10000"
    device: Device = "card-shoe"
    seed: Annotated[int, Parameter(help="The same seed gives the same study.")] = 0
    out: Annotated[str | None, Parameter(help="Write a page with charts to this file.")] = None
