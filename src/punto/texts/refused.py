"""The exception of the front door. Below it, refusals are values."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from typing import Any

from punto.rules.refusals import Refusal, RefusedError
from punto.rules.sheet import Sheet
from punto.texts import say


class Refused(RefusedError):  # noqa: N818 — it is no error of the program, and reads as a sentence: except punto.Refused
    """Something was refused: a stable `code`, its `parameters`, the `paragraph` of the sheet, and a sentence.

    >>> import punto
    >>> try:
    ...     punto.game("easy-six").settle("6h 2d Ks 3c 4c", [punto.Bet("dragon", 10_00)])
    ... except punto.Refused as refused:
    ...     refused.code, refused.parameters["on"], refused.paragraph
    ('bet-not-offered', 'dragon', '3.3')
    """

    def __init__(self, refusal: Refusal, sheet: Sheet | None = None) -> None:
        super().__init__(refusal)
        self._sheet = sheet

    @property
    def code(self) -> str:
        """The stable name of the refusal, as docs/refusals.md lists it."""
        return self.refusal.code

    @property
    def parameters(self) -> dict[str, Any]:
        """The facts of the refusal, by name."""
        return {each.name: getattr(self.refusal, each.name) for each in fields(self.refusal) if each.name != "rule"}

    @property
    def paragraph(self) -> str | None:
        """The paragraph of the rule sheet on which the refusal rests, if there is one."""
        return self.refusal.rule

    def __str__(self) -> str:
        paragraph = f" (¶ {self.paragraph})" if self.paragraph else ""
        return f"{say(self.refusal, sheet=self._sheet)}{paragraph} [{self.code}]"


@contextmanager
def raising_refused(sheet: Sheet | None = None) -> Iterator[None]:
    """Let refusals of the parsers leave as `Refused`."""
    try:
        yield
    except Refused:
        raise
    except RefusedError as error:
        raise Refused(error.refusal, sheet) from None
