"""What can go wrong for a client."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class RefusedByServerError(Exception):
    """The server said no: a stable code, the paragraph it rests on if there is one, and a sentence."""

    def __init__(self, code: str, message: str, rule: str | None = None, status: int | None = None) -> None:
        super().__init__(f"{message} [{code}{f', {rule}' if rule else ''}]")
        self.code, self.message, self.rule, self.status = code, message, rule, status

    @classmethod
    def of_problem(cls, status: int, data: Any) -> RefusedByServerError:
        """From an HTTP answer, whatever it holds."""
        if isinstance(data, Mapping) and isinstance(data.get("code"), str):
            return cls(data["code"], str(data.get("detail", "")), data.get("rule"), status)
        return cls(f"http-{status}", "the server answered without a problem description", None, status)


class LostError(Exception):
    """The server cannot be reached, or the connection was lost and did not come back."""
