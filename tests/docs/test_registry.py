"""Whatever people meet by name is documented: commands, options, refusals, addresses, settings and public names."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import fields
from itertools import pairwise
from typing import Any

import pytest

import punto
from punto.cli.main import app
from punto.cli.refusals import Reported
from punto.protocol.refusals import REFUSALS
from punto.rules.refusals import Refusal, kebab
from punto.service.settings import EdgeLimits, HouseSettings, ServerSettings
from punto.store import errors
from punto.table.automatic import Timing
from punto.table.refusals import NotNow
from tests.docs.pages import PAGES
from tests.e2e.command import ROOT

ALL = "\n".join(PAGES.values())
COMMANDS = [name for name in app if not name.startswith("-")]
SETTINGS: dict[str, Any] = {kind.__name__: kind for kind in (HouseSettings, EdgeLimits, ServerSettings, Timing)}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_says_what_it_does_and_so_do_its_options(name: str) -> None:
    """The reference of commands is made from these sentences; another page shows the command at work."""
    assert app[name].help
    for argument in app[name].assemble_argument_collection():
        assert not argument.show or argument.parameter.help, f"punto {name} {argument.name} has no sentence"
    assert re.search(rf"(`|\$ |^)punto {name}\b", ALL, flags=re.MULTILINE), f"no page shows punto {name}"


def test_every_option_of_the_server_is_explained() -> None:
    page = PAGES["service.md"]
    for argument in app["serve"].assemble_argument_collection():
        assert f"`{argument.name}" in page or argument.name == "--demo", f"{argument.name} is not in service.md"


def kinds(of: type[Refusal]) -> Iterator[type[Refusal]]:
    """All refusals of Punto, wherever they are declared."""
    for kind in of.__subclasses__():
        if kind.__module__.startswith("punto."):
            yield kind
            yield from kinds(kind)


def test_every_refusal_is_listed() -> None:
    codes = {kebab(kind.__name__) for kind in kinds(Refusal) if kind not in (NotNow, Reported)}
    assert len(codes) > 150
    assert codes >= REFUSALS.keys()
    assert [code for code in sorted(codes) if f"`{code}`" not in ALL] == []


def test_every_reason_not_to_open_a_store_is_listed() -> None:
    sources = "\n".join(file.read_text(encoding="utf-8") for file in (ROOT / "src" / "punto" / "store").glob("*.py"))
    codes = set(re.findall(rf'{errors.RefusedStoreError.__name__}\(\s*"([a-z-]+)"', sources))
    assert len(codes) > 5
    assert [code for code in sorted(codes) if f"`{code}`" not in ALL] == []


@pytest.mark.parametrize("name", SETTINGS)
def test_every_setting_is_described(name: str) -> None:
    """The page of settings is made from these sentences."""
    assert f"autoclass:: {SETTINGS[name].__module__}.{name}" in PAGES["reference/settings.md"]
    (declared,) = ast.parse(inspect.getsource(SETTINGS[name])).body
    assert isinstance(declared, ast.ClassDef)
    said = {
        before.target.id
        for before, after in pairwise(declared.body)
        if isinstance(before, ast.AnnAssign) and isinstance(before.target, ast.Name)
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
    }
    in_class = set(re.findall(r"`(\w+)`", inspect.getdoc(SETTINGS[name]) or ""))
    assert [field.name for field in fields(SETTINGS[name]) if field.name not in said | in_class] == []


@pytest.mark.parametrize("name", punto.__all__)
def test_a_public_name_is_documented(name: str) -> None:
    assert inspect.getdoc(getattr(punto, name))
    made_from = "punto.roads.results.roads_of" if name == "roads" else name
    assert re.search(rf"^\.\. auto\w+:: {re.escape(made_from)}$", PAGES["reference/python.md"], flags=re.MULTILINE)
    assert re.search(rf"`{name}\b", PAGES["library.md"]), f"{name} is not in library.md"
