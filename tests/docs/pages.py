"""The pages under test, and what is in them."""

from __future__ import annotations

import re

from tests.e2e.command import ROOT

DOCS = ROOT / "docs"
PAGES = {"README.md": (ROOT / "README.md").read_text(encoding="utf-8")} | {
    page.relative_to(DOCS).as_posix(): page.read_text(encoding="utf-8") for page in sorted(DOCS.rglob("*.md"))
}
"""The text of each page by its path in `docs`."""


def blocks(page: str, language: str) -> list[str]:
    """The code blocks of a page in one language, in their order."""
    return re.findall(rf"^```{language}\n(.*?)^```", PAGES[page], flags=re.DOTALL | re.MULTILINE)


def every_block(language: str) -> dict[str, str]:
    """All code blocks in one language, by page and first line."""
    return {f"{page}: {block.splitlines()[0]}": block for page in PAGES for block in blocks(page, language)}
