"""Rules of style as tests: import directions, a pure core, no float for money, no game named in code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from punto.rules.bets import PAIR_KEYS
from punto.rules.loader import GAMES, load_all

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "punto"
MODULES = sorted(PACKAGE.rglob("*.py"))

# What each package may import of the others. `rules` stands alone; every arrow points towards it.
ARROWS = {
    "rules": set(),
    "sheets": set(),
    "table": {"rules"},
    "roads": {"rules", "texts"},
    "texts": {"rules"},
    "analysis": {"rules"},
    "simulation": {"rules", "analysis"},
    "ledger": {"rules", "table"},
    "academy": {"rules", "table"},
    "store": {"rules", "table", "ledger"},
    "protocol": {"rules", "table"},
    "service": {"rules", "table", "roads", "ledger", "store", "protocol", "texts"},
    "web": {"rules", "table", "roads", "store", "service", "analysis", "protocol", "academy", "texts"},
    "client": {"rules", "table", "protocol", "texts"},
}
# What is missing is named wherever a package is imported. A refusal and a wait say their sentence, by `texts`.
ANYWHERE = {"extras"}
SPEAKS = {"rules/refusals.py": {"texts"}, "analysis/compiled.py": {"texts"}}
EDGE = {"__init__", "__main__", "cli", "extras", "library"}
PURE = {"rules", "table", "roads", "ledger", "academy"}
# An exemption carries its reason. The one loader of sheets reads files.
MAY_READ_FILES = {"rules/loader.py"}
# The package of the roads makes itself callable, because `punto.roads` is also a function.
MAY_NAME_ITS_MODULE = {"roads/__init__.py"}
# A drill is drawn from its seed, by a generator of its own, so that the same seed is the same drill everywhere.
MAY_DRAW = {"academy"}
# Rows become a frame of whichever library is installed; without one, everything else works.
MAY_MAKE_FRAMES = {"rules/tabular.py"}
FRAMES = {"polars"}
IMPURE = {"time", "datetime", "random", "secrets", "os", "sys", "pathlib", "io", "socket", "subprocess", "threading"}
IMPURE |= {"asyncio", "importlib", "tempfile", "shutil", "logging", "uuid", "tomllib", "urllib", "http"}


def package_of(module: Path) -> str:
    return module.relative_to(PACKAGE).parts[0].removesuffix(".py")


def name_of(module: Path) -> str:
    return module.relative_to(PACKAGE).as_posix()


def imports(module: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports relatively"
            yield node.module or ""


# The house makes every part; whatever uses a house stands outside of `service`.
KNOWS_ALL_PARTS = {"service/house.py"}


@pytest.mark.parametrize("module", [m for m in MODULES if package_of(m) == "service"], ids=name_of)
def test_parts_of_the_service_receive_their_dependencies(module: Path) -> None:
    text = module.read_text()
    assert "TYPE_CHECKING" not in text, f"{name_of(module)} hides a cycle of imports"
    if name_of(module) not in KNOWS_ALL_PARTS:
        known = {"punto.service.house"} & set(imports(module))
        assert not known, f"{name_of(module)} imports {known}"


# The machine's own randomness and tasks are handed in by the world; a default is named, never called.
TAKES_FROM_THE_MACHINE = {"service/world.py", "service/cluster/bus.py"}


@pytest.mark.parametrize("module", [m for m in MODULES if package_of(m) == "service"], ids=name_of)
def test_the_service_takes_randomness_and_tasks_from_its_world(module: Path) -> None:
    if name_of(module) in TAKES_FROM_THE_MACHINE:
        return
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            assert node.func.attr not in {"urandom", "token_bytes", "token_urlsafe", "create_task", "ensure_future"}, (
                f"{name_of(module)}:{node.lineno} calls {node.func.attr}"
            )


def test_every_package_has_its_arrows_declared() -> None:
    packages = {package_of(module) for module in MODULES} - EDGE
    assert packages <= ARROWS.keys()


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_imports_follow_the_arrows(module: Path) -> None:
    package = package_of(module)
    if package in EDGE:
        return
    for name in imports(module):
        if name.startswith("punto."):
            other = name.split(".")[1]
            known = {package} | ARROWS[package] | ANYWHERE | SPEAKS.get(name_of(module), set())
            assert other in known, f"{name_of(module)} may not import {name}"


def test_no_private_module_of_a_dependency_is_imported() -> None:
    for module in MODULES:
        private = [name for name in imports(module) if re.search(r"(^|\.)_(?!_)", name)]
        assert not private, f"{name_of(module)} imports {private}"


@pytest.mark.parametrize("module", [m for m in MODULES if package_of(m) in PURE], ids=name_of)
def test_the_core_is_pure(module: Path) -> None:
    import sys

    for name in imports(module):
        root = name.split(".")[0]
        known = root == "punto" or root in sys.stdlib_module_names
        assert known or (root in FRAMES and name_of(module) in MAY_MAKE_FRAMES), f"{name_of(module)} imports {name}"
        if name_of(module) not in MAY_READ_FILES | MAY_NAME_ITS_MODULE:
            assert root not in IMPURE or (root == "random" and package_of(module) in MAY_DRAW), (
                f"{name_of(module)} imports {name}"
            )
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            assert node.id not in {"open", "print", "input", "exec", "eval", "breakpoint"}, f"{node.id} in {module}"


# Fractions, where odds are parsed, and paths.
MAY_DIVIDE = {"rules/money.py", "rules/loader.py"}
# asyncio counts in seconds; nothing else there does.
MAY_SPEAK_OF_SECONDS = {"service/clock.py", "service/metrics.py", "service/viewing/subscriptions.py"}
MONEY = [m for m in MODULES if package_of(m) in {"rules", "table", "ledger", "store", "service"}]


@pytest.mark.parametrize("module", MONEY, ids=name_of)
def test_no_float_comes_near_money(module: Path) -> None:
    for node in ast.walk(ast.parse(module.read_text())):
        of_seconds = name_of(module) in MAY_SPEAK_OF_SECONDS
        if isinstance(node, ast.Constant):
            assert of_seconds or not isinstance(node.value, float), f"{name_of(module)}:{node.lineno} has {node.value}"
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            assert (of_seconds and node.id == "float") or node.id not in {"float", "round"}, (
                f"{name_of(module)}:{node.lineno} uses {node.id}"
            )
        if isinstance(node, ast.BinOp | ast.AugAssign):
            divides = isinstance(node.op, ast.Div)
            assert not divides or name_of(module) in MAY_DIVIDE, f"{name_of(module)}:{node.lineno} divides"


def test_no_code_names_a_game_or_a_side_bet() -> None:
    bets = {bet.id for sheet in load_all() for bet in sheet.bets.values() if bet.hand is None}
    # A tie is also a result, and a condition may ask for a pair: those words belong to the outcome, not to a bet.
    names = (set(GAMES) | bets) - {"tie", *PAIR_KEYS}
    for module in MODULES:
        if name_of(module) != "rules/loader.py":
            nodes = ast.walk(ast.parse(module.read_text()))  # examples in docstrings may name a game
            named = [node.value for node in nodes if isinstance(node, ast.Constant) and node.value in names]
            assert named == [], f"{name_of(module)}: a sheet should say it"
