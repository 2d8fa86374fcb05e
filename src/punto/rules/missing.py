"""The refusal of what needs a package that is not installed."""

from __future__ import annotations

from punto.rules.refusals import Refusal, Refused


class ExtraMissing(Refusal):
    """A part of Punto is not installed."""

    extra: str
    package: str
    requirement: str


class ExtraMissingError(Refused, ImportError):
    """An optional part of Punto is not installed. The sentence says how to install it."""

    def __init__(self, refusal: ExtraMissing) -> None:
        super().__init__(refusal)
        self.extra, self.name = refusal.extra, refusal.package
