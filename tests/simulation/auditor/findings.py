"""What the auditor found: sentences that begin with the invariant."""

from __future__ import annotations

MOST = 200
"""Findings that are kept: one mistake of the house may show in every record."""

LONGEST = 600


class Findings:
    """Violations in the order in which they were found, each once."""

    def __init__(self) -> None:
        self.lines: dict[str, None] = {}

    def add(self, invariant: str, where: str, what: str) -> None:
        """Note a violation of an invariant (`I1` to `I10`), with the place it was found at."""
        if len(self.lines) < MOST:
            text = f"{invariant} {where}: {what}"
            self.lines[text if len(text) <= LONGEST else f"{text[:LONGEST]} …"] = None
