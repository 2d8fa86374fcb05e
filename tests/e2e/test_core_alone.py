"""The core needs nothing but Python, and what is not installed is named."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions

import pytest

import punto
from punto.extras import EXTRAS
from tests.e2e.command import ROOT

BEGIN = f"import sys; sys.path.append({str(ROOT / 'src')!r})\n"


def alone(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a program without third-party packages: isolated, and without `site`, which would add their folder."""
    command = [sys.executable, "-I", "-S", "-c", BEGIN + code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


CORE = """
import punto
from punto import *

game = punto.game("easy-six")
settled = game.settle("6h 2d Ks 3c 4c", [punto.Bet("banker", 10_00)])
assert settled.house_cents == -10_00
table = punto.Table(game, shoe=punto.Shoe(seed=1))
table.play("sit", by="ann", box=1)
table.advance()
table.play("place-bet", by="ann", box=1, on="banker", stake_cents=10_00)
while table.state.round:
    table.advance()
roads = punto.roads(punto.Shoe(seed=1))
assert roads._repr_svg_() and settled._repr_html_() and game._repr_html_() and settled.to_dicts()

from punto.ledger.bet_ledger import BetLedger

ledger, postings = BetLedger("table"), []
for number, event in enumerate(table.events):
    transfers, ledger = ledger.moves(number, event)
    postings += [amount for move in transfers for amount in move.amounts]
assert postings and sum(cents for _, cents in postings) == 0
for module in list(sys.modules.values()):
    assert "-packages" not in (getattr(module, "__file__", None) or ""), module
print(settled)
"""


def test_the_core_settles_plays_and_draws_without_third_party_packages() -> None:
    done = alone(CORE)
    assert done.stderr == ""
    assert done.stdout == "6h 2d Ks 3c 4c = B 6-9; 1 bet, House -10.00\n"


MISSING = """
import punto

from importlib import import_module

for ask in (
    punto.game("easy-six").odds,
    lambda: punto.simulate("easy-six"),
    lambda: import_module("punto.analysis.pricing"),
    lambda: punto.Shoe(seed=1).deal(3).to_frame(),
    lambda: import_module("punto.client"),
):
    try:
        ask()
    except punto.ExtraMissingError as missing:
        print(missing)
"""


def test_python_names_the_extra_that_is_missing() -> None:
    done = alone(MISSING)
    assert done.stderr == ""
    assert [line.partition("install it with: ")[2] for line in done.stdout.splitlines()] == [
        "pip install '.[odds]' [extra-missing]",
        "pip install '.[simulation]' [extra-missing]",
        "pip install '.[odds]' [extra-missing]",
        "pip install '.[frames]' [extra-missing]",
        "pip install '.[client]' [extra-missing]",
    ]


def test_the_version_needs_no_extra() -> None:
    done = alone("from punto.__main__ import main; main()", "--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{punto.__version__}\n", "")


def test_the_command_names_the_extra_that_is_missing() -> None:
    run = "from punto.__main__ import main; main()"
    done = alone(run, "games")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "punto: This needs the extra 'cli' (cyclopts is not installed); "
        "in a checkout of Punto, install it with: pip install '.[cli]' [extra-missing]\n"
    )
    done = alone(run, "games", "--json")
    assert (done.returncode, done.stderr) == (2, "")
    assert json.loads(done.stdout)["refused"]["code"] == "extra-missing"


WITHOUT = """
import importlib.abc, sys

class Nothing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in MISSING:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

MISSING = {missing!r}
sys.meta_path.insert(0, Nothing())
import io, json
from contextlib import redirect_stderr, redirect_stdout
from punto.__main__ import main

for line in sys.stdin:
    sys.argv = ["punto", *line.split()]
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        try:
            status = main()
        except SystemExit as ended:
            status = ended.code
    print(json.dumps([status or 0, out.getvalue(), err.getvalue()]))
"""


def without(extra: str, *commands: str) -> list[tuple[int, str, str]]:
    """Run commands in one process with only the modules of an extra: the status, output and errors of each."""
    missing = {module for modules in EXTRAS.values() for module in modules} - set(EXTRAS[extra])
    command, lines = [sys.executable, "-c", WITHOUT.format(missing=missing)], "\n".join(commands)
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.stderr == ""
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


CORE_COMMANDS = (
    "games",
    "rules commission",
    "settle examples/insured-banker.json",
    "roads examples/shoe.txt",
    "rule commission excess-card",
    "replay examples/table.jsonl",
    "verify-shoe examples/opened-shoe.json",
    "--help",
)


def test_commands_of_the_core_need_only_the_extra_for_commands() -> None:
    done = without("cli", *CORE_COMMANDS)
    for command, (status, out, err) in zip(CORE_COMMANDS, done, strict=True):
        assert (status in {0, 1}, bool(out), err) == (True, True, ""), command


EXTRA_OF = {
    "odds commission": "odds",
    "shoe commission": "odds",
    "count commission": "odds",
    "report commission --out report.html": "odds",
    "simulate commission": "simulation",
    "patron commission": "simulation",
    "serve --database memory:": "server",
    "audit --database sqlite:///nowhere.db": "server",
    "bots": "client",
}


def test_every_other_command_names_its_extra() -> None:
    for (command, extra), (status, out, err) in zip(EXTRA_OF.items(), without("cli", *EXTRA_OF), strict=True):
        assert (status, out) == (2, ""), command
        assert err.endswith(f"install it with: pip install '.[{extra}]' [extra-missing]\n")
        assert err.count("\n") == 1


# ------------------------------------------------------------------------------------------- one list

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
OWN = {"cupy-cuda13x": {"cupy"}}
"""The modules of what need not be installed here."""
BROUGHT = {"dask", "llvmlite"}
"""Modules that come with another package of their extra."""


def name_of(requirement: str) -> str:
    return requirement.partition(";")[0].partition(">")[0].partition("[")[0].strip()


def requirements_of(extra: str) -> set[str]:
    found: set[str] = set()
    for requirement in PROJECT["optional-dependencies"][extra]:
        if name_of(requirement) == "punto":
            for other in requirement.partition("[")[2].rstrip("]").split(","):
                found |= requirements_of(other)
        else:
            found.add(requirement.replace("'", '"'))
    return found


@pytest.mark.parametrize("extra", EXTRAS)
def test_the_modules_of_an_extra_are_those_of_its_packages(extra: str) -> None:
    modules: dict[str, set[str]] = dict(OWN)
    for module, packages in packages_distributions().items():
        for package in packages:
            modules.setdefault(package.lower().replace("_", "-"), set()).add(module)
    named = set(EXTRAS[extra]) - BROUGHT
    others = requirements_of("simulation") if extra in {"gpu", "cluster"} else set()
    for package in map(name_of, requirements_of(extra) - others):
        assert modules[package] & named, f"{extra} brings {package}"
        named -= modules[package]
    assert not named


def test_what_make_run_installs_is_what_the_extras_need() -> None:
    listed = {line for line in (ROOT / "requirements" / "run.in").read_text().splitlines() if line[:1] != "#"}
    building = {"editables>=0.5", "hatchling>=1.27"}
    assert listed - {""} - building == requirements_of("server")
    assert PROJECT["dependencies"] == []
    assert requirements_of("all") == set().union(*[requirements_of(each) for each in EXTRAS if each != "gpu"])
