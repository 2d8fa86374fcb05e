"""The mutants themselves, and in the slow form a sample of them tried."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.mutation.__main__ import baseline
from tests.mutation.mutants import ROOT, every_mutant, mutants_of

SAMPLE, SEED = 200, 20_261_116


@pytest.mark.parametrize(
    ("source", "mutants"),
    [
        ("def f(a, b): return a < b", ["a < b → a <= b"]),
        ("def f(a, b): return a and not b", ["a and (not b) → not b", "a and (not b) → a", "not b → b"]),
        ("def f(a): return a + 3", ["a + 3 → a - 3", "3 → 4", "3 → 2"]),
        ("def f(a, b): return max(a, b)", ["max(a, b) → min(a, b)"]),
        (
            "def f(a):\n    if a:\n        return 1\n    return 'text'",
            ["if a → not a", "return 1 → pass", "1 → 2", "1 → 0"],
        ),
        ("T = {x: (y, z)}", ["without x: (y, z)", "without y", "without z"]),
        ("def f(a, b): return [a, *b]", ["without a", "without *b"]),
        ("def f(a, b): return {a, b}", ["without a", "without b"]),
        ("def f(a: int = 1) -> str:\n    '''Doc.'''\n    return f'{a + 1}'", ["1 → 2", "1 → 0"]),
        ("class A:\n    def __repr__(self):\n        return g(self.a + 1)", []),
    ],
)
def test_a_mutant_is_one_small_mistake(source: str, mutants: list[str]) -> None:
    assert [mutant.change for mutant in mutants_of("some.py", source)] == mutants
    for place in range(len(mutants)):
        mutant = mutants_of("some.py", source)[place]
        mutant.put()
        compile(mutant.tree, "some.py", "exec")  # else it would count as noticed


def test_every_mutant_has_a_key_of_its_own_and_the_baseline_names_mutants() -> None:
    keys = [mutant.key for mutant in every_mutant()]
    assert len(keys) == len(set(keys)) > 7_000
    assert {
        "sheets/da-hu-ying-xiong.toml decks.minimum: 4 → 5",
        "sheets/da-hu-ying-xiong.toml bets.big-tiger.pays[0].odds: 50:1 → 51:1",
        "sheets/da-hu-ying-xiong.toml insurance.rows[0].player: 0-4 → 0-5",
    } <= set(keys)
    assert [key for key in baseline() if key not in keys] == []
    assert all(len(reason) > 10 for reason in baseline().values())


@pytest.mark.slow
def test_no_mutant_of_a_sample_survives() -> None:
    """In a process of its own, which has not read the code yet."""
    drawn = ["--sample", str(SAMPLE), "--seed", str(SEED)]
    command = [sys.executable, "-m", "tests.mutation", *drawn]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
