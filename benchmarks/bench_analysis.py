"""Exact analysis against a plain Python enumeration of the same shoes."""

from __future__ import annotations

import time

from benchmarks.harness import Comparison, best_seconds
from benchmarks.plain_enumeration import enumerate_plays
from punto.analysis.composition import Composition
from punto.analysis.countability import Shoes, countability
from punto.analysis.counting import distribution
from punto.analysis.polynomial import Pricer
from punto.rules.loader import GAMES, load

SHOES = 1_500
ONE = 200


def run() -> list[Comparison]:
    """One shoe priced exactly, and the countability loop over many, for the sheet with the most bets."""
    sheet = max(map(load, GAMES), key=lambda each: len(each.bets))
    shoe = Composition.full(8)
    if enumerate_plays(shoe.counts) != distribution(shoe).plays.tolist():
        raise AssertionError("the baseline counts something else")
    plain = best_seconds(lambda: enumerate_plays(shoe.counts), 3)
    pricer = Pricer(sheet)

    def one() -> None:
        for _ in range(ONE):
            for price in pricer.prices(shoe).values():
                price.edge  # noqa: B018 — a property that costs something

    one()
    single = best_seconds(one) / ONE
    shoes = Shoes(decks=8, cut=14, number=SHOES)
    rounds = countability(sheet, shoes, {})[next(iter(sheet.bets))].perfect.rounds
    many = best_seconds(lambda: countability(sheet, shoes, {}), 5) / rounds
    exact = f"{single * 1e3:.3f} ms for all {len(sheet.bets)} bets of {sheet.id}"
    start = time.process_time()
    countability(sheet, shoes, {})
    rate = rounds / (time.process_time() - start)
    note = f"{1 / many:,.0f} compositions a second, {rate:,.0f} for each second of one core"
    return [
        Comparison("one shoe, exact edges", "plain Python", single, plain, 50, note=exact),
        Comparison("countability, a composition", "plain Python", many, plain, 10_000, note=note),
    ]
