"""The optional parts of the package. The core needs nothing but Python; the rest names the extra that is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from punto.cli.refusals import ExtraMissing
from punto.texts import say

EXTRAS: dict[str, tuple[str, ...]] = {
    "cli": ("cyclopts", "rich"),
    "analysis": ("numpy", "numba", "llvmlite", "altair", "vl_convert"),
    "gpu": ("cupy",),
    "cluster": ("distributed", "dask"),
    "server": (
        *("alembic", "asyncpg", "cryptography", "granian", "httpx", "litestar", "msgspec", "nats", "sqlalchemy"),
        *("uvloop", "websockets"),
    ),
}
"""The modules that each extra installs. `simulation` installs the same as `analysis`."""


class ExtraMissingError(ImportError):
    """An optional part of Punto is not installed. The message says how to install it."""

    def __init__(self, refusal: ExtraMissing) -> None:
        super().__init__(f"{say(refusal)} [{refusal.code}]", name=refusal.package)
        self.refusal = refusal

    @property
    def extra(self) -> str:
        """The extra to install."""
        return self.refusal.extra


@contextmanager
def naming_extras(wanted: str | None = None) -> Iterator[None]:
    """Turn the error of a missing package into one that names its extra: `wanted`, or else the one that has it."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        extra = next((name for name, packages in EXTRAS.items() if package in packages), None)
        if extra is None:
            raise
        found = wanted or extra
        raise ExtraMissingError(ExtraMissing(found, package, f"punto[{found}]")) from None
