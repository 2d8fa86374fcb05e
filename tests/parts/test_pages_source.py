"""The pages' source, kept true: no game named in code, nothing fetched from elsewhere, no registry in the lock file."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from punto.rules.bets import PAIR_KEYS
from punto.rules.loader import GAMES, load_all

WEB = Path(__file__).parents[2] / "web"
MADE = {*WEB.glob("src/catalogues/*.ts"), WEB / "src" / "wire.ts"}
WRITTEN = {*WEB.glob("src/**/*.ts"), *WEB.glob("src/**/*.tsx"), *WEB.glob("src/**/*.css"), WEB / "index.html"}
SOURCES = sorted(WRITTEN - MADE)


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.relative_to(WEB).as_posix())
def test_no_page_names_a_game_or_a_side_bet(source: Path) -> None:
    bets = {bet.id for sheet in load_all() for bet in sheet.bets.values() if bet.hand is None}
    # A tie is also a result, and the roads mark pairs: those words belong to the outcome, not to a bet.
    names = (set(GAMES) | bets) - {"tie", *PAIR_KEYS}
    pattern = re.compile("|".join(rf"[\"'`]{re.escape(name)}[\"'`]" for name in sorted(names)))
    assert pattern.findall(source.read_text()) == [], "a sheet should say it"


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.relative_to(WEB).as_posix())
def test_no_page_asks_for_anything_outside(source: Path) -> None:
    assert re.findall(r"https?://[^\s\"']+|url\(\s*[\"']?//", source.read_text()) == []


def test_the_lock_file_holds_hashes_and_no_address_of_a_registry() -> None:
    packages = json.loads((WEB / "package-lock.json").read_text())["packages"]
    fetched = {name: package for name, package in packages.items() if name}
    assert fetched
    assert all("integrity" in package and "resolved" not in package for package in fetched.values())
