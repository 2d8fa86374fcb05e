"""Exact analysis against a plain Python enumeration of the same shoes, and the first use of compiled code."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

from benchmarks.harness import Comparison
from benchmarks.plain_enumeration import enumerate_plays
from punto.analysis.countability import Shoes, countability
from punto.analysis.counting import distribution
from punto.analysis.polynomial import Pricer
from punto.rules.composition import Composition
from punto.rules.loader import GAMES, load
from punto.rules.sheet import Sheet

SHOES = 1_500
ONE = 200
COMPOSITION_SECONDS = 0.25e-6
"""What a composition may cost in the countability loop: four million a second."""
FIRST_USE_SECONDS = 6.0
COMMANDS = ("odds commission", "count da-hu-ying-xiong --shoes 64", "simulate commission --rounds 1e6 --threads 1")


def run() -> list[Comparison]:
    """One shoe priced exactly, the countability loop over many, for the sheet with the most bets, and first uses."""
    sheet = max(map(load, GAMES), key=lambda each: len(each.bets))
    shoe = Composition.full(8)
    if enumerate_plays(shoe.counts) != distribution(shoe).plays.tolist():
        raise AssertionError("the baseline counts something else")
    plain = _best_processor_seconds(lambda: enumerate_plays(shoe.counts), 3)
    pricer = Pricer(sheet)

    def one() -> None:
        for _ in range(ONE):
            for price in pricer.prices(shoe).values():
                price.edge  # noqa: B018 — a property that costs something

    one()
    single = _best_processor_seconds(one, 5) / ONE
    many = _composition_seconds(sheet)
    exact = f"{single * 1e3:.3f} ms for all {len(sheet.bets)} bets of {sheet.id}"
    rate = f"{1 / many:,.0f} compositions for each second of one core"
    return [
        Comparison("one shoe, exact edges", "plain Python", single, plain, 50, note=exact),
        Comparison("countability, a composition", "plain Python", many, plain, 100_000, note=rate),
        Comparison("countability, a composition", "a budget of 0.25 µs", many, COMPOSITION_SECONDS, 1, "cost", rate),
        *[_first_use(command) for command in COMMANDS],
    ]


def _composition_seconds(sheet: Sheet) -> float:
    """Processor time of one composition, dealing included: the best of several runs, in one thread."""
    shoes = Shoes(decks=8, cut=14, number=SHOES)
    rounds = countability(sheet, shoes, {})[next(iter(sheet.bets))].perfect.rounds
    return _best_processor_seconds(lambda: countability(sheet, shoes, {}), 8) / rounds


def _best_processor_seconds(work: Callable[[], object], repeats: int) -> float:
    """The shortest of several timings, all in one thread; what else the machine does counts little."""
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def _first_use(command: str) -> Comparison:
    """Processor time of a command that finds no compiled code, and then that of the same command again."""
    with tempfile.TemporaryDirectory() as folder:
        first, second = (_command_seconds(command, folder) for _ in range(2))
    note = f"{first:.1f} s, and {second:.1f} s with compiled code"
    return Comparison(f"first punto {command.split()[0]}", "a budget of 6 s", first, FIRST_USE_SECONDS, 1, "cost", note)


def _command_seconds(command: str, cache: str) -> float:
    def used() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = used()
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    subprocess.run([sys.executable, "-m", "punto", *command.split()], env=environment, capture_output=True, check=True)
    return used() - before
