"""The optional parts of the package. The core needs nothing but Python; the rest names the extra that is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from punto.cli.refusals import ExtraMissing

_SIMULATION = ("altair", "llvmlite", "numba", "numpy")
_ANALYSIS = (*_SIMULATION, "vl_convert")
_CLI = ("cyclopts", "msgspec", "rich")
EXTRAS: dict[str, tuple[str, ...]] = {
    "cli": _CLI,
    "analysis": _ANALYSIS,
    "simulation": _SIMULATION,
    "gpu": ("cupy",),
    "cluster": ("dask", "distributed"),
    "server": (
        *(
            "alembic",
            "asyncpg",
            "cryptography",
            "httptools",
            "httpx",
            "litestar",
            "nats",
            "prometheus_client",
            "sqlalchemy",
            "uvicorn",
            "uvloop",
        ),
        *("websockets", *_CLI, *_ANALYSIS),
    ),
}
"""The modules that each extra brings."""


class ExtraMissingError(ImportError):
    """An optional part of Punto is not installed. The message says how to install it."""

    def __init__(self, refusal: ExtraMissing) -> None:
        from punto.texts import say

        super().__init__(f"{say(refusal)} [{refusal.code}]", name=refusal.package)
        self.refusal = refusal

    @property
    def extra(self) -> str:
        """The extra to install."""
        return self.refusal.extra


@contextmanager
def naming_extras(wanted: str | None = None) -> Iterator[None]:
    """Turn the error of a missing package into one that names its extra: `wanted` if it has it, or else the first."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        extras = [name for name, packages in EXTRAS.items() if package in packages]
        if not extras:
            raise
        from punto.cli.refusals import ExtraMissing

        extra = wanted if wanted in extras else extras[0]
        raise ExtraMissingError(ExtraMissing(extra, package, f"punto[{extra}]")) from None
