"""The documentation site builds without a warning and asks nothing of the network."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sphinx.cmd.build import build_main

from tests.docs.pages import PAGES
from tests.e2e.command import ROOT

LOADED = re.compile(r"<(?:script|img|iframe|source)\b[^>]*\bsrc=\"([^\"]+)|<link\b[^>]*\bhref=\"([^\"]+)")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site."""
    folder = tmp_path_factory.mktemp("site")
    warnings = folder / "warnings.txt"
    status = build_main(["-q", "-W", "--keep-going", "-w", str(warnings), str(ROOT / "docs"), str(folder / "html")])
    assert status == 0, warnings.read_text(encoding="utf-8")
    return folder / "html"


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
