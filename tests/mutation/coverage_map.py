"""Which tests run which lines of the core, measured once and kept in `build/mutation` until a file changes."""

from __future__ import annotations

import functools
import gc
import hashlib
import importlib
import json
import os
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

import coverage
import pytest
from hypothesis import Phase, settings

from tests.mutation.code import ROOT, SOURCE

TREE = ROOT / "tests"
BUILD = ROOT / "build" / "mutation"
TESTS = (
    *(
        "rulebook/test_*.py",
        "unit/test_table*.py",
        "unit/test_limits.py",
        "unit/test_odds.py",
        "properties/test_settlement.py",
    ),
    *("properties/test_ledger.py", "properties/test_place_bets.py"),
    *[f"unit/test_{name}.py" for name in ("sheets", "own_sheets", "gallery", "notation", "draw_reason", "established")],
    *[f"unit/test_{name}.py" for name in ("exposure", "place_bets", "chips", "second_person", "shoe_life", "shoe")],
    *[f"unit/test_{name}.py" for name in ("ledger", "bet_ledger", "refusals", "settle_json", "shoe_counts")],
    *[
        f"unit/test_{name}.py"
        for name in ("tableau", "settlement", "bets", "insurance", "loading", "plain", "toml_table", "sheet_reader")
    ],
    "docs/test_corpus.py",
    *[f"service/test_{name}.py" for name in ("shoe_proof", "past_rounds", "looking_back", "unseen_cards", "squeeze")],
    *[f"service/test_{name}.py" for name in ("choice_views", "money_told", "standing_order", "absentees", "floor")],
    *[f"service/test_{name}.py" for name in ("debts", "closing", "second_person", "significant")],
)
"""The tests that may notice a mutant: those about the core, quick, and in this process."""


@dataclass
class CoverageMap:
    """The seconds of each test, and for each line of a module the tests that run it."""

    made_from: dict[str, str] = field(default_factory=dict)
    """The hash of the code, under "code", and of each file of tests."""
    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    """By module and line: the tests that run it."""
    imported: dict[str, list[int]] = field(default_factory=dict)
    """The lines of each module that run when it is imported."""
    collected: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    """By file of tests and module: the lines that run when the file is read."""

    def tests_of(self, module: str, lines: tuple[int, ...]) -> list[str]:
        """The tests that run one of these lines, except those that ran it when they were read."""
        found = {test: None for line in lines for test in self.lines.get(module, {}).get(str(line), ())}
        return [test for test in found if not self._read_with(test, module, lines)]

    def _read_with(self, test: str, module: str, lines: tuple[int, ...]) -> bool:
        ran = self.collected.get(test.partition("::")[0], {}).get(module, ())
        return any(line in ran for line in lines)

    def tests_of_module(self, module: str) -> list[str]:
        """The tests that run any line of a module."""
        return list({test: None for tests in self.lines.get(module, {}).values() for test in tests})

    def forget(self, files: set[str]) -> None:
        """Leave out what was measured of some files of tests."""
        self.seconds = {test: cost for test, cost in self.seconds.items() if test.partition("::")[0] not in files}
        for lines in self.lines.values():
            for line, tests in lines.items():
                lines[line] = [test for test in tests if test in self.seconds]
        for file in files:
            self.collected.pop(file, None)


PLAIN = ("-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning")
"""What pytest is always called with."""


def test_files() -> list[str]:
    """The files of the tests that may notice a mutant."""
    found = [file for name in TESTS for file in sorted(TREE.glob(name))]
    return [file.relative_to(ROOT).as_posix() for file in found]


def digests() -> dict[str, str]:
    """The hashes of all that the map depends on. A module that tests share counts as code."""
    tests = {name: hashlib.sha256((ROOT / name).read_bytes()).hexdigest() for name in test_files()}
    code = hashlib.sha256()
    shared = [file for file in TREE.rglob("*.py") if not file.name.startswith("test_") and "mutation" not in file.parts]
    for file in sorted([*SOURCE.rglob("*.py"), *SOURCE.rglob("*.toml"), *shared]):
        code.update(file.read_bytes())
    return {"code": code.hexdigest(), **tests}


def coverage_map(*, stale: bool = False) -> CoverageMap:
    """The map of the present files. With `stale`, only files of tests that changed are measured again."""
    file, now = BUILD / "map.json", digests()
    found = CoverageMap(**json.loads(file.read_text(encoding="utf-8"))) if file.exists() else CoverageMap()
    if found.made_from.get("code") != now["code"] and not stale:
        found = CoverageMap()
    changed = [name for name in test_files() if found.made_from.get(name) != now[name]]
    if changed:
        print(f"measuring which lines the tests of {len(changed)} files run …", flush=True)
        BUILD.mkdir(parents=True, exist_ok=True)
        if (child := os.fork()) == 0:  # in a process of its own: this one must not have read the code
            found.forget(set(changed))
            found.made_from = now
            pytest.main([*PLAIN, *changed], plugins=[Measure(found)])
            file.write_text(json.dumps(asdict(found)), encoding="utf-8")
            os._exit(0)
        os.waitpid(child, 0)
        found = CoverageMap(**json.loads(file.read_text(encoding="utf-8")))
    return found


def clear_caches(caches: list[functools._lru_cache_wrapper[object]]) -> None:
    """Forget whatever was worked out."""
    for cache in caches:
        cache.cache_clear()


def caches_of_punto() -> list[functools._lru_cache_wrapper[object]]:
    """All caches of functions of the code."""
    found = [each for each in gc.get_objects() if isinstance(each, functools._lru_cache_wrapper)]
    return [each for each in found if each.__module__.startswith(("punto.rules", "punto.table", "punto.ledger"))]


def hurry() -> None:
    """Examples of Hypothesis are not made smaller: that a test fails is enough."""
    phases = (Phase.explicit, Phase.generate)
    settings.register_profile("mutation", settings.get_profile("fixed"), phases=phases)
    settings.load_profile("mutation")


class Measure:
    """A plugin of pytest that runs every test once and notes its lines and its time."""

    def __init__(self, found: CoverageMap) -> None:
        self.found = found
        self._data = str(BUILD / "coverage")
        Path(self._data).unlink(missing_ok=True)
        self._coverage = coverage.Coverage(
            self._data, config_file=False, source=[str(SOURCE / part) for part in ("rules", "table", "ledger")]
        )
        self._failed: set[str] = set()
        self._file: Path | None = None
        self._coverage.start()
        self._coverage.switch_context("import")
        for part in ("rules", "table", "ledger", "protocol"):
            for file in sorted((SOURCE / part).rglob("*.py")):
                importlib.import_module(f"punto.{part}.{file.stem}")
        self._caches = caches_of_punto()

    def pytest_collection(self) -> None:
        hurry()

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Iterator[None]:
        if isinstance(collector, pytest.Module):
            clear_caches(self._caches)
            self._coverage.switch_context(f"read {collector.nodeid}")
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._coverage.switch_context(item.nodeid)
        if item.path != self._file:
            self._file = item.path
            clear_caches(self._caches)
        start = time.process_time()
        answer = yield
        self.found.seconds[item.nodeid] = round(time.process_time() - start, 4)
        return answer

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed or report.skipped:
            self._failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        self._coverage.stop()
        self._coverage.save()
        found, data = self.found, self._coverage.get_data()
        for test in self._failed:
            found.seconds.pop(test, None)
        for file in data.measured_files():
            module = Path(file).relative_to(SOURCE).as_posix()
            found.imported[module] = []
            for line, contexts in data.contexts_by_lineno(file).items():
                for context in contexts:
                    if context in found.seconds:
                        found.lines.setdefault(module, {}).setdefault(str(line), []).append(context)
                    elif context == "import":
                        found.imported[module].append(line)
                    elif context.startswith("read "):
                        found.collected.setdefault(context[5:], {}).setdefault(module, []).append(line)
