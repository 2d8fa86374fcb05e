"""Mutants tried one by one, each in a forked child that runs the tests that might notice it, the quickest first."""

from __future__ import annotations

import ast
import functools
import gc
import importlib
import json
import os
import re
import resource
import signal
import sys
import types
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from tests.mutation.code import ROOT, SOURCE, Mutant
from tests.mutation.coverage_map import PLAIN, CoverageMap, caches_of_punto, clear_caches, hurry, test_files
from tests.mutation.sheets import SheetMutant

AnyMutant = Mutant | SheetMutant

CORE = ("punto.rules.", "punto.table.", "punto.ledger.")
PREFERRED = 6
"""How many tests that noticed mutants of the same module are asked first."""
OWN_FIRST = 20
"""How many times longer a test that is named after a module may take than others that are asked with it."""
READING_SECONDS = 15
"""Processor time in which a process reads all tests, and more."""
MEMORY_BYTES = 2 * 1024**3
"""What a child may take on top: a mutant may count for ever."""


@dataclass(frozen=True)
class Tried:
    """What became of a mutant: the test that noticed it, or None, and how many were asked."""

    mutant: AnyMutant
    noticed: str | None
    asked: int


class Trial:
    """Tries mutants in order, and remembers which tests notice much."""

    def __init__(self, found: CoverageMap, budget_seconds: float) -> None:
        self._map, self._budget = found, budget_seconds
        self._noticed: dict[str, dict[str, int]] = {}

    def candidates(self, mutant: AnyMutant, known: set[str]) -> list[str]:
        """The tests that might notice a mutant, in the order in which to ask them, within the budget of seconds."""
        kills = self._noticed.get(mutant.file, {})
        tests = [test for test in self._all(mutant) if test in known]
        first = sorted([test for test in tests if test in kills], key=lambda test: -kills[test])[:PREFERRED]
        rest = sorted([test for test in tests if test not in first], key=lambda test: self._cost(mutant, test))
        chosen: list[str] = []
        seconds = 0.0
        for test in (*first, *rest):
            seconds += self._map.seconds[test]
            if chosen and seconds > self._budget:
                break
            chosen.append(test)
        return chosen

    def _cost(self, mutant: AnyMutant, test: str) -> float:
        """The order of tests: the quickest first, and those of a sheet's lines or named after the module before."""
        part, _, name = mutant.file.removesuffix(".py").partition("/")
        own = {"test_sheet_lines"} if part == "sheets" else {f"test_{name}", f"test_{part}_{name}"}
        return self._map.seconds[test] / (OWN_FIRST if Path(test.partition("::")[0]).stem in own else 1)

    def _all(self, mutant: AnyMutant) -> list[str]:
        if isinstance(mutant, SheetMutant):
            return self._of_game(mutant.file.removeprefix("sheets/").removesuffix(".toml"))
        if (constant := _constant(mutant)) is not None:
            named = self._of_constants(_made_of(mutant.tree, constant))
            return named or self._map.tests_of_module(mutant.file)
        if is_imported(mutant, self._map):
            # A default is no line that a test runs, so whoever names its class or function is asked, too.
            named = self._naming({mutant.within.partition(".")[0]}) if mutant.within else []
            return list(dict.fromkeys([*self._map.tests_of_module(mutant.file), *named]))
        tests = self._map.tests_of(mutant.file, mutant.lines)
        if self._runs_at_loading(mutant):  # every test that needs a sheet runs it, but caches hide that
            tests += [test for test in self._of_game("") if test not in tests]
        return tests

    def _of_constants(self, names: set[str]) -> list[str]:
        """The tests that run a line that names one of these."""
        word, tests = _word(names), dict[str, None]()
        for module in self._map.lines:
            for number, line in enumerate((SOURCE / module).read_text(encoding="utf-8").splitlines(), 1):
                if word.search(line):
                    tests |= dict.fromkeys(self._map.tests_of(module, (number,)))
        return list(tests | dict.fromkeys(self._naming(names)))

    def _naming(self, names: set[str]) -> list[str]:
        """The tests of files that name one of these."""
        word = _word(names)
        naming = {file for file in test_files() if word.search((ROOT / file).read_text(encoding="utf-8"))}
        return [test for test in self._map.seconds if test.partition("::")[0] in naming]

    def _runs_at_loading(self, mutant: Mutant) -> bool:
        return any(
            line in modules.get(mutant.file, ()) for modules in self._map.collected.values() for line in mutant.lines
        )

    def _of_game(self, game: str) -> list[str]:
        """Tests of a game at a table and of its sheet, except those that hold a sheet from when they were read."""
        name = game.replace("-", "_")
        loaded = {file for file, modules in self._map.collected.items() if "rules/sheet_reader.py" in modules}
        return [
            test
            for test in self._map.seconds
            if test.partition("::")[0] not in loaded
            and (
                test.startswith(("tests/unit/test_sheets", "tests/unit/test_gallery"))
                or (test.startswith("tests/rulebook/") and name in test.replace("-", "_"))
            )
        ]

    def note(self, mutant: AnyMutant, test: str) -> None:
        """Remember that a test noticed a mutant."""
        kills = self._noticed.setdefault(mutant.file, {})
        kills[test] = kills.get(test, 0) + 1

    def limit(self, *, reading: float = 0) -> None:
        """Bound this process, by processor time, by time and by memory; tests to be read first take their time."""
        signal.setitimer(signal.ITIMER_PROF, 3 + reading + self._budget)
        signal.alarm(int(60 + 20 * self._budget))
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        most = pages * resource.getpagesize() + MEMORY_BYTES
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _word(names: set[str]) -> re.Pattern[str]:
    return re.compile(rf"\b({'|'.join(map(re.escape, names))})\b")


def is_imported(mutant: Mutant, found: CoverageMap) -> bool:
    """Whether what was mutated runs when the code is imported, before any test."""
    return mutant.function is None or any(line in found.imported.get(mutant.file, ()) for line in mutant.lines[:1])


def try_all(mutants: Iterable[AnyMutant], found: CoverageMap, budget: float, told: Callable[[Tried], None]) -> None:
    """Try mutants: in a process that has read all tests where that is possible, else in one that reads them anew."""
    trial = Trial(found, budget)
    warm: list[AnyMutant] = []
    cold: list[Mutant] = []
    for mutant in mutants:
        if isinstance(mutant, SheetMutant) or not is_imported(mutant, found) or _constant(mutant) is not None:
            warm.append(mutant)
        else:
            cold.append(mutant)
    for index, noticed, asked in _in_child(lambda tell: _try_warm(warm, trial, tell)) if warm else ():
        mutant = warm[index]
        if noticed:
            trial.note(mutant, noticed)
        elif isinstance(mutant, Mutant) and is_imported(mutant, found):
            cold.append(mutant)  # a class or a default may have been made of it by the import
            continue
        told(Tried(mutant, noticed, asked))
    for mutant in cold:
        tests = trial.candidates(mutant, set(found.seconds))
        [(_, noticed, asked)] = _in_child(functools.partial(_try_cold, mutant, tests, trial))
        if noticed:
            trial.note(mutant, noticed)
        told(Tried(mutant, noticed, asked))


Tell = Callable[[int, str | None, int], None]


def _in_child(work: Callable[[Tell], None]) -> Iterator[tuple[int, str | None, int]]:
    """What a child process tells. One that ends otherwise has been stopped, which is noticed too."""
    read, write = os.pipe()
    if (child := os.fork()) == 0:
        os.close(read)
        quiet = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(quiet, stream)
        try:
            work(lambda *told: _write(write, told))
        finally:
            os._exit(0)
    os.close(write)
    heard = False
    with os.fdopen(read) as lines:
        for line in lines:
            heard = True
            yield tuple(json.loads(line))
    os.waitpid(child, 0)
    if not heard:
        yield 0, "(stopped)", 0


def _write(pipe: int, told: tuple[int, str | None, int]) -> None:
    os.write(pipe, (json.dumps(told) + "\n").encode())


# ------------------------------------------------------------------------------------------- all tests are read


def _try_warm(mutants: list[AnyMutant], trial: Trial, tell: Tell) -> None:
    pytest.main([*PLAIN, *test_files()], plugins=[_Forking(mutants, trial, tell)])


class _Forking:
    """A plugin of pytest that collects all tests, and then tries each mutant in a fork of that state."""

    def __init__(self, mutants: list[AnyMutant], trial: Trial, tell: Tell) -> None:
        self._mutants, self._trial, self._tell = mutants, trial, tell

    def pytest_collection(self) -> None:
        hurry()

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        gc.unfreeze()
        items = {item.nodeid: item for item in session.items}
        functions = _functions()
        caches = caches_of_punto()
        importlib.import_module("punto.rules.loader").load_all()
        gc.freeze()

        def ask(tests: list[str], mutant: AnyMutant | None) -> tuple[str | None, int]:
            [(_, noticed, asked)] = _in_child(functools.partial(attempt, tests, mutant)) if tests else [(0, None, 0)]
            return noticed, asked

        def attempt(tests: list[str], mutant: AnyMutant | None, tell: Tell) -> None:
            self._trial.limit()
            if mutant is not None:
                _put(mutant, functions)
            if mutant is None or not mutant.file.startswith("table/"):  # no cache holds what a table made
                clear_caches(caches)
            if isinstance(mutant, SheetMutant) and not _still_loads(mutant):
                tell(0, "(the sheet is refused)", 0)
                return
            for test, following in pairwise([*tests, None]):
                then = items[following] if following else None
                reports = runtestprotocol(items[str(test)], nextitem=then, log=False)
                if any(report.failed for report in reports):
                    tell(0, test, len(tests))
                    return
            tell(0, None, len(tests))

        sound: set[str] = set()
        for index, mutant in enumerate(self._mutants):
            tests = self._trial.candidates(mutant, set(items))
            noticed, asked = ask(tests, mutant)
            while noticed in items and noticed not in sound:
                if ask(tests[: tests.index(noticed) + 1], None)[0] is None:
                    sound.add(noticed)
                else:  # it fails by itself, and tells nothing
                    del items[noticed]
                    tests.remove(noticed)
                    noticed, asked = ask(tests, mutant)
            if noticed:
                self._trial.note(mutant, noticed)
            self._tell(index, noticed, asked)
        return True


Functions = dict[tuple[str, str, int], list[types.FunctionType]]


def _functions() -> Functions:
    """All functions of the core, by file, name and line."""
    found: Functions = {}
    for each in gc.get_objects():
        if isinstance(each, types.FunctionType) and each.__code__.co_filename.startswith(str(SOURCE)):
            code = each.__code__
            found.setdefault((code.co_filename, code.co_qualname, code.co_firstlineno), []).append(each)
    return found


def _put(mutant: AnyMutant, functions: Functions) -> None:
    """Make the mistake in the code or the data that this process has read."""
    if isinstance(mutant, SheetMutant):
        _put_in_sheet(mutant)
    elif (constant := _constant(mutant)) is not None:
        _put_in_constants(mutant, constant)
    else:
        for code in _codes(_compiled(mutant)):
            for function in functions.get((code.co_filename, code.co_qualname, code.co_firstlineno), ()):
                outside = function.__code__.co_freevars
                if not code.co_freevars:  # the mistake may have taken away `super()`, which names its class
                    function.__code__ = code.replace(co_freevars=outside)
                elif len(outside) == len(code.co_freevars):  # else it is made anew by another
                    function.__code__ = code


def _compiled(mutant: Mutant) -> types.CodeType:
    mutant.put()
    return compile(mutant.tree, str(SOURCE / mutant.file), "exec", dont_inherit=True)


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield each
            yield from _codes(each)


def _put_in_sheet(mutant: SheetMutant) -> None:
    from punto.rules import loader

    parse = loader._parse.__wrapped__

    def parse_wrongly(file: Any) -> dict[str, Any]:
        data = parse(file)
        if f"sheets/{file.name}" == mutant.file:
            mutant.edit(data)
        return data

    loader._parse = functools.lru_cache(parse_wrongly)


def _still_loads(mutant: SheetMutant) -> bool:
    """Whether a sheet with the mistake passes its own checks."""
    from punto.rules.loader import load
    from punto.rules.toml_table import SheetError

    try:
        load(mutant.file.removeprefix("sheets/").removesuffix(".toml"))
    except SheetError:
        return False
    return True


def _constant(mutant: Mutant) -> int | None:
    """The place in the module of the constant that a mutant is in, if it is in one."""
    for place, statement in enumerate(mutant.tree.body):
        if isinstance(statement, ast.Assign | ast.AnnAssign) and _covers(statement, mutant.line):
            return place
    return None


def _made_of(tree: ast.Module, place: int) -> set[str]:
    """The names that a module gives to a constant, and to those that it makes of it."""
    names: set[str] = set()
    for statement in tree.body[place:]:
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            used = {each.id for each in ast.walk(statement) if isinstance(each, ast.Name)}
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            if statement is tree.body[place] or used & names:
                names |= {each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)}
    return names


def _covers(statement: ast.stmt, line: int) -> bool:
    return statement.lineno <= line <= (statement.end_lineno or line)


def _put_in_constants(mutant: Mutant, place: int) -> None:
    """Work a constant out anew, and all constants of the core that are made of it, and let everyone have them."""
    mutant.put()
    first = mutant.tree.body[place]
    own = _name(mutant.file)
    changed = _work_out(own, [first], set())
    # Modules are listed in the order in which they were imported, so that each follows those that it needs.
    for name in [name for name in sys.modules if name.startswith(CORE) and set(vars(sys.modules[name])) & changed]:
        tree = mutant.tree if name == own else ast.parse(Path(str(sys.modules[name].__file__)).read_text("utf-8"))
        changed |= _work_out(name, [each for each in tree.body if each is not first], changed)


def _work_out(module: str, statements: list[ast.stmt], changed: set[str]) -> set[str]:
    """Run the constants of a module that use what has changed, or all if nothing has; the names that changed."""
    own, found = vars(sys.modules[module]), set(changed)
    for statement in statements:
        if not isinstance(statement, ast.Assign | ast.AnnAssign) or statement.value is None:
            continue
        used = {each.id for each in ast.walk(statement.value) if isinstance(each, ast.Name)}
        if changed and not used & found:
            continue
        before = dict(own)
        exec(compile(ast.Module([statement], []), module, "exec", dont_inherit=True), own)  # noqa: S102
        for key in [key for key, value in own.items() if key in before and before[key] is not value]:
            found.add(key)
            _let_everyone_have(before[key], own, key)
    return found


def _name(file: str) -> str:
    return f"punto.{file.removesuffix('.py').replace('/', '.')}"


def _let_everyone_have(old: object, own: dict[str, Any], key: str) -> None:
    new = own[key]
    if isinstance(old, dict):
        old.clear()
        old.update(new)
        own[key] = old
        return
    for module in list(sys.modules.values()):
        if module.__name__.startswith(("punto", "tests")):
            for name, value in list(vars(module).items()):
                if value is old and name == key:
                    setattr(module, name, new)


# ------------------------------------------------------------------------------------------- everything is read anew


def _try_cold(mutant: Mutant, tests: list[str], trial: Trial, tell: Tell) -> None:
    trial.limit(reading=READING_SECONDS)
    code, path = _compiled(mutant), str(SOURCE / mutant.file)
    read = SourceFileLoader.get_code

    def get_code(loader: SourceFileLoader, name: str) -> types.CodeType | None:
        return code if loader.path == path else read(loader, name)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]
    plugin = _First()
    status = pytest.main([*PLAIN, "-x", *tests], plugins=[plugin])
    noticed = plugin.failed if status in (0, 1) else "(reading the tests)"
    tell(0, noticed, len(tests))


class _First:
    """A plugin of pytest that knows the first test that fails."""

    failed: str | None = None

    def pytest_collection(self) -> None:
        hurry()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and self.failed is None:
            self.failed = report.nodeid


def preload() -> None:
    """Import what is not ours and takes long, once for all processes that read the tests anew."""
    for name in (
        "msgspec",
        "cyclopts",
        "rich",
        "hypothesis",
        "numpy",
        "cryptography.hazmat.primitives.ciphers",
        "httpx",
    ):
        importlib.import_module(name)
