"""What the stores that keep a database have in common: the head file outside it, and the fold of its log."""

from __future__ import annotations

import asyncio

from punto.store.fold import Finding, LogFold
from punto.store.heads import HeadFile


class FoldedStore:
    """The part of `Store` that does not depend on the database."""

    def __init__(self, head: HeadFile | None, fold: LogFold | None) -> None:
        self._head, self._fold = head, fold

    @property
    def accepted(self) -> tuple[str, ...]:
        """See `Store`."""
        return self._head.accepted if self._head else ()

    async def noted(self) -> None:
        """See `Store`."""
        if self._head:
            await asyncio.wrap_future(self._head.noted())

    def findings(self) -> list[Finding]:
        """See `Store`."""
        return list(self._fold.findings) if self._fold else []

    def finding_noted(self, finding: Finding) -> None:
        """See `Store`."""
        if self._fold:
            self._fold.finding_noted(finding)

    @property
    def resumed(self) -> bool:
        """See `Store`."""
        return self._fold is not None and self._fold.resumed
