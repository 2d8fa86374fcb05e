"""The history of a run: what clients asked and saw, what failed, and what the store held in the end.

One JSON object a line, in the order in which things happened. The auditor knows nothing of a run but this.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

from tests.simulation.loop import SeededLoop

_encode = msgspec.json.Encoder().encode


class History:
    """Writes a history down. What clients see is kept as the text in which it was sent."""

    def __init__(self, loop: SeededLoop) -> None:
        self._loop = loop
        self.lines: list[bytes] = []
        self.counts: Counter[str] = Counter()
        self.asks = 0
        self.subscriptions = 0

    def add(self, does: str, **fields: Any) -> None:
        """Write down that something happened."""
        self.counts[does] += 1
        self.lines.append(_encode({"at": self._loop.now_ms, "does": does, **fields}))

    def ask(self, **fields: Any) -> int:
        """Write down what a client asks; its number."""
        self.asks += 1
        self.add("ask", n=self.asks, **fields)
        return self.asks

    @property
    def hash(self) -> str:
        """A hash of the whole history."""
        return hashlib.sha256(b"\n".join(self.lines)).hexdigest()

    def write(self, path: Path) -> None:
        """Write the history to a file."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"\n".join(self.lines) + b"\n")
