"""The documentation site builds without a warning and asks nothing of the network."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import PAGES
from tests.e2e.command import ROOT

pytestmark = pytest.mark.slow

LOADED = re.compile(r"<(?:script|img|iframe|source)\b[^>]*\bsrc=\"([^\"]+)|<link\b[^>]*\bhref=\"([^\"]+)")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", str(ROOT / "docs"), str(folder)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return folder


def test_every_page_is_in_the_site(site: Path) -> None:
    for page in PAGES:
        if page != "README.md":
            assert (site / page).with_suffix(".html").is_file(), f"{page} is not built"


def test_pages_load_nothing_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        loaded = [one or two for one, two in LOADED.findall(page.read_text(encoding="utf-8"))]
        assert [address for address in loaded if re.match(r"(\w+:)?//", address)] == [], page.name
    for sheet in site.rglob("*.css"):
        addresses = re.findall(r"url\(['\"]?([^)'\"]+)", sheet.read_text(encoding="utf-8"))
        assert [address for address in addresses if re.match(r"(https?:)?//", address)] == [], sheet.name


def test_the_reference_of_commands_has_types_and_the_search_its_order(site: Path) -> None:
    page = (site / "reference" / "commands.html").read_text(encoding="utf-8")
    for kind in ("whole number", "flag", "file", "text, several"):
        assert f"<td><p>{kind}</p></td>" in page
    assert "EXPLAINS" in (site / "_static" / "language_data.js").read_text(encoding="utf-8")


def test_the_changelog_and_the_promise_are_in_the_site(site: Path) -> None:
    text = (site / "changelog.html").read_text(encoding="utf-8")
    assert 'href="reliability.html"' in text
    assert "semantic versioning" in (site / "stability.html").read_text(encoding="utf-8")
