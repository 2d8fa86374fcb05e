"""Errors of a client."""

from __future__ import annotations

from punto.rules.refusals import Refusal
from punto.texts import say


class RefusedByServerError(Exception):
    """The server said no. `refusal` is why: its code, the facts and the paragraph it rests on if there is one."""

    def __init__(self, refusal: Refusal, status: int | None = None) -> None:
        self.refusal, self.status = refusal, status
        self.code, self.rule, self.message = refusal.code, refusal.rule, say(refusal)
        super().__init__(f"{self.message} [{self.code}{f', {self.rule}' if self.rule else ''}]")


class ConnectionLostError(Exception):
    """The server cannot be reached or understood, or the connection was lost and did not come back."""
