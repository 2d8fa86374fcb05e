"""The mutants themselves, and in the slow form a sample of them tried."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.mutation.__main__ import baseline, every_mutant
from tests.mutation.code import ROOT, Mutant, mutants_of
from tests.mutation.sheets import sheet_mutants

SAMPLE, SEED = 200, 20_261_116


def changes(source: str) -> list[str]:
    return [mutant.change for mutant in mutants_of("some.py", source)]


@pytest.mark.parametrize(
    ("source", "mutants"),
    [
        ("def f(a, b): return a < b", ["a < b → a <= b"]),
        ("def f(a, b): return a and not b", ["a and (not b) → not b", "a and (not b) → a", "not b → b"]),
        ("def f(a): return a + 3", ["a + 3 → a - 3", "3 → 4", "3 → 2"]),
        ("def f(a): return a[::-1]", ["::-1 → :"]),
        ("def f(a, b): return max(a, b)", ["max(a, b) → min(a, b)"]),
        ("def f(a, b): return g(a, b)", ["g(a, b) → g(b, a)"]),
        (
            "def f(a):\n    if a:\n        return 1\n    return 'text'",
            ["if a → not a", "return 1 → pass", "1 → 2", "1 → 0"],
        ),
        ("T = {x: (y, z)}", ["without x: (y, z)", "without y", "without z"]),
        ("def f(a, b): return [a, *b]", ["without a", "without *b"]),
        ("def f(a):\n    [b, c] = a\n    return {b, c}", ["without b", "without c"]),
        ("def f(a: int = 1) -> str:\n    '''Doc.'''\n    return f'{a + 1}'", ["1 → 2", "1 → 0"]),
        ("class A:\n    def __repr__(self):\n        return g(self.a + 1)", []),
    ],
)
def test_a_mutant_is_one_small_mistake(source: str, mutants: list[str]) -> None:
    assert changes(source) == mutants
    for place in range(len(mutants)):
        mutant = list(mutants_of("some.py", source))[place]
        mutant.put()
        compile(mutant.tree, "some.py", "exec")  # else it would end its process, which counts as noticed


@pytest.mark.parametrize("source", ["def f(a, b): return [*a, b]", "def f(a, b): return {a, b}"])
@pytest.mark.parametrize("index", [0, 1])
def test_a_shorter_list_or_set_compiles(source: str, index: int) -> None:
    """What does not compile counts as noticed, though no test has noticed it."""
    mutant = mutants_of("some.py", source)[index]
    mutant.put()
    compile(mutant.tree, "some.py", "exec")


def test_a_mutant_of_a_sheet_changes_one_value() -> None:
    keys = {mutant.key.removeprefix("sheets/da-hu-ying-xiong.toml ") for mutant in sheet_mutants("da-hu-ying-xiong")}
    assert {"decks.minimum: 4 → 5", "decks.minimum: 4 → 3", "decks.rule: 2.2.1 → 3.1"} <= keys
    assert {"bets.big-tiger.pays[0].odds: 50:1 → 51:1", "bets.big-tiger.pays[0].odds: 50:1 → 50:2"} <= keys
    assert {"insurance.rows[0].player: 0-4 → 0-5", "insurance.rows[0].window: four-cards → player-third"} <= keys


def test_every_mutant_has_a_key_of_its_own_and_the_baseline_names_mutants() -> None:
    keys = [mutant.key for mutant in every_mutant()]
    assert len(keys) == len(set(keys)) > 8_000
    assert [key for key in baseline() if key not in keys] == []
    assert all(len(reason) > 10 for reason in baseline().values())


def test_a_mutant_is_put_into_the_tree_of_its_module() -> None:
    [mutant] = mutants_of("some.py", "def f(a, b): return a < b")
    assert isinstance(mutant, Mutant)
    mutant.put()
    space: dict[str, object] = {}
    exec(compile(mutant.tree, "some.py", "exec"), space)  # noqa: S102
    assert space["f"](1, 1)  # type: ignore[operator]


@pytest.mark.slow
def test_no_mutant_of_a_sample_survives() -> None:
    """In a process of its own, which has not read the code yet."""
    drawn = ["--sample", str(SAMPLE), "--seed", str(SEED)]
    command = [sys.executable, "-m", "tests.mutation", *drawn]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
