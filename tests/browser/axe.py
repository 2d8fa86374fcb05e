"""axe-core on a page: what stands in the way of people who use it without sight, or without a mouse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]


def found_by_axe(page: Page) -> list[str]:
    """What axe-core finds wrong, a line for each place."""
    page.evaluate(AXE.read_text("utf-8"))
    page.evaluate("Promise.allSettled(document.getAnimations().map(each => each.finished))")
    results: dict[str, Any] = page.evaluate("tags => axe.run(document, {runOnly: {type: 'tag', values: tags}})", TAGS)
    return [
        f"{each['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for each in results["violations"]
        for node in each["nodes"]
    ]
