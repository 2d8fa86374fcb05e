"""Following a shoe by appending, against working all five roads out anew after every round.

The baseline shares no code with the package: it groups the results, walks a set of taken cells, and reads the derived
roads off whole columns. tests/differential/test_roads.py holds the two against each other.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import groupby

from benchmarks.harness import Comparison, best_seconds
from punto.roads.roads import Cell, Roads
from punto.rules.outcome import Outcome

ROUNDS = 70
LONG = 7_000

Placed = tuple[int, int, str]
"""Column, row and colour."""


def rebuild(letters: Sequence[str]) -> dict[str, list[Placed]]:
    """All five roads from the results (B, P, T), each from scratch."""
    beads = {"B": "red", "P": "blue", "T": "green"}
    groups = [list(group) for _, group in groupby(letter for letter in letters if letter != "T")]
    heights = [len(group) for group in groups]
    roads = {"bead_plate": [(i // 6, i % 6, beads[letter]) for i, letter in enumerate(letters)]}
    roads["big_road"] = walk([beads[letter] for group in groups for letter in group])
    for k, name in ((1, "big_eye_boy"), (2, "small_road"), (3, "cockroach_pig")):
        marks = []
        for n in range(1, len(heights) + 1):
            for m in range(1, heights[n - 1] + 1):
                if n >= k + 1 and m >= 2:
                    marks.append("blue" if m - heights[n - k - 1] == 1 else "red")
                elif n >= k + 2:
                    marks.append("red" if heights[n - 2] == heights[n - 2 - k] else "blue")
        roads[name] = walk(marks)
    return roads


def walk(marks: Sequence[str]) -> list[Placed]:
    """Lay marks on a board, looking at every cell before stepping on it."""
    taken: set[tuple[int, int]] = set()
    laid: list[Placed] = []
    start = 0
    for colour, run in groupby(marks):
        while (start, 0) in taken:
            start += 1
        column, row, turned = start, 0, False
        for step, _ in enumerate(run):
            if step:
                turned = turned or row == 5 or (column, row + 1) in taken
                column, row = (column + 1, row) if turned else (column, row + 1)
            taken.add((column, row))
            laid.append((column, row, colour))
    return laid


def read(roads: Roads) -> dict[str, tuple[Cell, ...]]:
    """Every cell of all five roads."""
    return {
        "bead_plate": roads.bead_plate,
        "big_road": roads.big_road,
        "big_eye_boy": roads.big_eye_boy,
        "small_road": roads.small_road,
        "cockroach_pig": roads.cockroach_pig,
    }


def run() -> list[Comparison]:
    """Measure a shoe followed round by round, a shoe rebuilt once, and whether appending slows down as it grows."""
    letters = random.Random(7).choices("BPT", (458, 446, 96), k=LONG)
    points = {"B": (3, 7), "P": (8, 2), "T": (6, 6)}
    outcomes = [Outcome(*points[letter], 2, 2, None, None) for letter in letters]
    shoe, results = outcomes[:ROUNDS], letters[:ROUNDS]

    def anew() -> None:
        for rounds in range(1, ROUNDS + 1):
            rebuild(results[:rounds])

    def append_to(roads: Roads) -> float:
        def work() -> None:
            for outcome in shoe:
                roads.append(outcome)

        return best_seconds(work, 50)

    follow = best_seconds(lambda: Roads.of(shoe), 50)
    whole = best_seconds(lambda: read(Roads.of(shoe)), 50)
    once = best_seconds(lambda: rebuild(results), 50)
    every_round = best_seconds(anew)
    return [
        Comparison(
            f"roads: follow {ROUNDS} rounds",
            "rebuild all five after each round",
            follow,
            every_round,
            8,
            note=f"{follow / ROUNDS * 1e6:.1f} µs a round",
        ),
        Comparison(
            f"roads: rebuild {ROUNDS} rounds, read all five",
            "rebuild all five after each round",
            whole,
            every_round,
            5,
            note=f"{whole * 1e3:.2f} ms; one plain rebuild {once * 1e3:.2f} ms",
        ),
        Comparison(
            f"roads: append at round {LONG:,}",
            f"append at round {ROUNDS}",
            append_to(Roads.of(outcomes)),
            append_to(Roads.of(shoe)),
            1.5,
            "cost",
            "the same work however long the shoe",
        ),
    ]
