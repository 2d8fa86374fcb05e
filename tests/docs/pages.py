"""The pages under test, and what is in them."""

from __future__ import annotations

import re

from tests.e2e.command import ROOT

PAGES = {page.name: page.read_text(encoding="utf-8") for page in (ROOT / "README.md", *sorted(ROOT.glob("docs/*.md")))}


def blocks(page: str, language: str) -> list[str]:
    """The code blocks of a page in one language, in their order."""
    return re.findall(rf"^```{language}\n(.*?)^```", PAGES[page], flags=re.DOTALL | re.MULTILINE)


def every_block(language: str) -> dict[str, str]:
    """All code blocks in one language, by page and first line."""
    return {f"{page}: {block.splitlines()[0]}": block for page in PAGES for block in blocks(page, language)}
