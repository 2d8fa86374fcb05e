"""Exact analysis against a plain Python enumeration of the same shoes, and the first use of compiled code."""

from __future__ import annotations

import tempfile
import time

from benchmarks.harness import Comparison, best_seconds, python_seconds
from benchmarks.plain_enumeration import enumerate_plays
from punto.analysis.countability import Shoes, countability
from punto.analysis.counting import distribution
from punto.analysis.pricing import price_sheet
from punto.rules.composition import Composition
from punto.rules.loader import GAMES, load
from punto.rules.sheet import Sheet

SHOES = 1_500
ONE = 200
COMPILE_A_LINE = "import numba; numba.njit(lambda number: number + 1)(1)"
COMMANDS = ("count da-hu-ying-xiong --shoes 64", "simulate commission --rounds 1e6 --threads 1")


def run() -> list[Comparison]:
    """One shoe priced exactly, the countability loop over many, for the sheet with the most bets, and first uses."""
    sheet = max(map(load, GAMES), key=lambda each: len(each.bets))
    shoe = Composition.full(8)
    if enumerate_plays(shoe.counts) != distribution(shoe).joint.sum(axis=1).tolist():
        raise AssertionError("the baseline counts something else")
    plain = best_seconds(lambda: enumerate_plays(shoe.counts), 3, clock=time.process_time)

    def one() -> None:
        for _ in range(ONE):
            distribution.cache_clear()
            for price in price_sheet(sheet, distribution(shoe)).values():
                price.edge  # noqa: B018 — a property that costs something

    one()
    single = best_seconds(one, clock=time.process_time) / ONE
    many = _composition_seconds(sheet)
    exact = f"{single * 1e3:.3f} ms for all {len(sheet.bets)} bets of {sheet.id}"
    rate = f"{1 / many:,.0f} compositions for each second of one core"
    return [
        Comparison("one shoe, exact edges", "plain Python", single, plain, 25, note=exact),
        Comparison("countability, a composition", "plain Python", many, plain, 80_000, note=rate),
        *[_first_use(command) for command in COMMANDS],
    ]


def _composition_seconds(sheet: Sheet) -> float:
    """Processor time of one composition, dealing included: the best of several runs, in one thread."""
    shoes = Shoes(decks=8, cut=14, number=SHOES)
    rounds = countability(sheet, shoes, {})[next(iter(sheet.bets))].perfect.rounds
    return best_seconds(lambda: countability(sheet, shoes, {}), 8, clock=time.process_time) / rounds


def _first_use(command: str) -> Comparison:
    """Processor time of a command that finds no compiled code, and then that of the same command again."""
    with tempfile.TemporaryDirectory() as folder:
        first, second = (python_seconds("-m", "punto", *command.split(), NUMBA_CACHE_DIR=folder) for _ in range(2))
    plain = min([python_seconds("-c", COMPILE_A_LINE) for _ in range(3)])
    note = f"{first:.1f} s, and {second:.1f} s with compiled code"
    return Comparison(f"first punto {command.split()[0]}", "numba compiles a line", first, plain, 8, "cost", note)
