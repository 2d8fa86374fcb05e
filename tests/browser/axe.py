"""axe-core on a page, or the dialog over it: what stands in the way of those who cannot see, or use no mouse."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
# Only violations are worked out in full and brought here: what passes is thousands of elements.
RUN = """async runOnly => {
  const options = {runOnly, resultTypes: ['violations']};
  return (await axe.run(document.querySelector('dialog[open]') ?? document, options)).violations;
}"""
THEMES: dict[Literal["light", "dark"], dict[str, Any]] = {
    "light": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]},
    "dark": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]},
}
"""What is looked for: themes differ in colours alone. The dark one is the last, as it is elsewhere in these tests."""


def found_by_axe(page: Page) -> list[str]:
    """What axe-core finds wrong in both themes, a line for each place."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    found = []
    for theme, rules in THEMES.items():
        page.emulate_media(color_scheme=theme)
        page.evaluate("Promise.allSettled(document.getAnimations().map(each => each.finished))")
        violations: list[dict[str, Any]] = page.evaluate(RUN, rules)
        found += [
            f"{theme} {each['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
            for each in violations
            for node in each["nodes"]
        ]
    return found
