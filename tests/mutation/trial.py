"""Mutants tried one by one, each in a forked child that reads everything anew and runs the tests that may notice."""

from __future__ import annotations

import ast
import copy
import functools
import gc
import importlib
import json
import os
import signal
import time
from collections import Counter
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any, TypedDict

import coverage
import pytest
from hypothesis import Phase, settings

from tests.mutation.mutants import CORE, ROOT, SOURCE, Mutant

MAP = ROOT / "build" / "mutation" / "map.json"
SERVICE = (
    *("shoe_proof", "past_rounds", "looking_back", "unseen_cards", "squeeze", "choice_views", "money_told"),
    *("standing_order", "absentees", "floor", "debts", "closing", "second_person", "significant"),
)
TESTS = (
    *("rulebook/test_*.py", "properties/test_settlement.py", "properties/test_ledger.py"),
    *("properties/test_place_bets.py", "properties/test_choices.py", "docs/test_corpus.py", "parts/test_odds.py"),
    "unit/test_*.py",
    *[f"service/test_{name}.py" for name in SERVICE],
)
"""The tests that may notice a mutant: those about the core, quick, and in this process."""
PLAIN = ("-q", "-p", "no:cacheprovider", "-p", "no:randomly", "-W", "ignore::pytest.PytestAssertRewriteWarning")
READING_SECONDS = 40
"""Processor time in which a child reads what it needs."""
ANSWERED = (0, 1)
"""The exit status of pytest where it could read the tests: all passed, or some failed."""


class Measured(TypedDict):
    """The seconds of each test that passes, and by module and line the tests that run it."""

    seconds: dict[str, float]
    lines: dict[str, dict[str, list[str]]]


def measured(*, anew: bool) -> Measured:
    """What is known of the tests, measured in a process of its own if it was not before."""
    if anew or not MAP.exists():
        print("measuring which tests run which lines …", flush=True)
        MAP.parent.mkdir(parents=True, exist_ok=True)
        files = sorted({str(file) for name in TESTS for file in (ROOT / "tests").glob(name)})
        in_child(lambda: measure(files))
    found: Measured = json.loads(MAP.read_text(encoding="utf-8"))
    return found


def measure(files: list[str]) -> str:
    """Run all tests under coverage, and write what was measured."""
    plugin = _Measuring()
    pytest.main([*PLAIN, *files], plugins=[plugin])
    MAP.write_text(json.dumps(plugin.result()), encoding="utf-8")
    return ""


class _Hurried:
    """Examples of Hypothesis are not made smaller: that a test fails is enough."""

    def pytest_sessionstart(self) -> None:  # once the profile of all tests is loaded
        phases = (Phase.explicit, Phase.generate)
        settings.register_profile("mutation", settings.get_profile("fixed"), phases=phases)
        settings.load_profile("mutation")


class _Measuring(_Hurried):
    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}
        self._coverage = coverage.Coverage(None, config_file=False, source=[str(SOURCE / part) for part in CORE])
        self._coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        for each in gc.get_objects():  # what a test before it worked out and kept, this one runs again
            if isinstance(each, functools._lru_cache_wrapper) and each.__module__.startswith("punto."):
                each.cache_clear()
        self._coverage.switch_context(item.nodeid)
        start = time.process_time()
        answer = yield
        self._seconds.setdefault(item.nodeid, round(time.process_time() - start, 4))
        return answer

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self._seconds[report.nodeid] = -1

    def result(self) -> Measured:
        """The tests that passed, and the lines that they ran."""
        self._coverage.stop()
        data = self._coverage.get_data()
        seconds = {test: cost for test, cost in self._seconds.items() if cost >= 0}
        lines: dict[str, dict[str, list[str]]] = {}
        for file in data.measured_files():
            found = data.contexts_by_lineno(file).items()
            own = {str(line): [test for test in tests if test in seconds] for line, tests in found}
            lines[Path(file).relative_to(SOURCE).as_posix()] = {line: tests for line, tests in own.items() if tests}
        return {"seconds": seconds, "lines": lines}


class Trial:
    """Tries mutants in order, and remembers which tests notice much."""

    def __init__(self, found: Measured, budget_seconds: float) -> None:
        self._found, self._budget = found, budget_seconds
        self._noticed: dict[str, Counter[str]] = {}
        self._sound: set[str] = set()
        for name in ("msgspec", "cyclopts", "rich", "numpy", "cryptography.hazmat.primitives.ciphers", "httpx"):
            importlib.import_module(name)  # not ours, and slow to read: once for all children

    def attempt(self, mutant: Mutant) -> str | None:
        """The test that noticed a mutant, or None. What ends its process is noticed, too."""
        tests = self.candidates(mutant)
        while tests:
            noticed = in_child(functools.partial(run, tests, mutant, self._budget))
            if noticed not in tests:
                return noticed
            if noticed in self._sound or in_child(functools.partial(run, [noticed], None, self._budget)) is None:
                self._sound.add(noticed)
                self._noticed.setdefault(mutant.file, Counter())[noticed] += 1
                return noticed
            tests.remove(noticed)  # it fails alone, and tells nothing
        return None

    def candidates(self, mutant: Mutant) -> list[str]:
        """The tests to ask, within the budget of seconds: those that noticed much, those named alike, the quickest."""
        seconds, kills = self._found["seconds"], self._noticed.get(mutant.file, Counter())
        part, _, name = mutant.file.rpartition(".")[0].partition("/")
        own = {"test_rulebook"} if part == "sheets" else {f"test_{name}", f"test_{part}_{Path(name).name}"}

        def cost(test: str) -> tuple[int, float]:
            return -kills[test], seconds[test] / (20 if Path(test.partition("::")[0]).stem in own else 1)

        chosen: list[str] = []
        for test in sorted(self._asked(mutant), key=cost):
            if chosen and sum(seconds[each] for each in chosen) + seconds[test] > self._budget:
                break
            chosen.append(test)
        return chosen

    def _asked(self, mutant: Mutant) -> set[str]:
        part, _, name = mutant.file.removesuffix(".toml").partition("/")
        if part == "sheets":
            tests = [
                test for test in self._found["seconds"] if test.startswith(("tests/rulebook", "tests/unit/test_s"))
            ]
            return {test for test in tests if name in test.replace("_", "-")}
        lines = self._found["lines"].get(mutant.file, {})
        ran = {test for line in mutant.lines for test in lines.get(str(line), ())}
        return ran or {test for tests in lines.values() for test in tests}  # an import runs it, before any test


def run(tests: list[str], mutant: Mutant | None, budget: float) -> str | None:
    """The first of the tests that fails, in this process, with the mistake in it."""
    signal.setitimer(signal.ITIMER_PROF, READING_SECONDS + budget)
    if mutant is not None:
        mutant.put()
        if isinstance(mutant.tree, ast.Module):
            put_code(mutant)
        else:
            put_sheet(mutant)
    plugin = _First()
    status = pytest.main([*PLAIN, "-x", *tests], plugins=[plugin])
    return plugin.failed if status in ANSWERED else "(reading the tests)"


def put_code(mutant: Mutant) -> None:
    """Let the module be imported with the mistake."""
    path, read = str(SOURCE / mutant.file), SourceFileLoader.get_code
    code = compile(mutant.tree, path, "exec", dont_inherit=True)

    def get_code(loader: SourceFileLoader, name: str) -> CodeType | None:
        return code if loader.path == path else read(loader, name)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]


def put_sheet(mutant: Mutant) -> None:
    """Let the sheet be read with the mistake."""
    loader: Any = importlib.import_module("punto.rules.loader")
    parse = loader._parse

    def parse_wrongly(file: Any) -> Any:
        return copy.deepcopy(mutant.tree) if f"sheets/{file.name}" == mutant.file else parse(file)

    loader._parse = parse_wrongly


class _First(_Hurried):
    """A plugin of pytest that knows the first test that fails."""

    failed: str | None = None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and self.failed is None:
            self.failed = report.nodeid


def in_child(work: Any) -> str | None:
    """What a child process answers. One that ends without an answer has been stopped."""
    read, write = os.pipe()
    if (child := os.fork()) == 0:
        quiet = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(quiet, stream)
        try:
            os.write(write, json.dumps([work()]).encode())
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read) as answers:
        answer = answers.read()
    os.waitpid(child, 0)
    return str(json.loads(answer)[0]) if answer and json.loads(answer)[0] else None if answer else "(stopped)"
