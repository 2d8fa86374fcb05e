"""The optional parts of the package. The core needs nothing but Python; the rest names the extra that is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from punto.rules.refusals import Refusal, Refused

_CLI = ("cyclopts", "msgspec", "rich")
_CLIENT = ("httpx", "msgspec", "websockets")
EXTRAS: dict[str, tuple[str, ...]] = {
    "cli": _CLI,
    "odds": ("numpy",),
    "charts": ("altair", "vl_convert"),
    "frames": ("polars",),
    "simulation": ("llvmlite", "numba", "numpy"),
    "gpu": ("cupy",),
    "cluster": ("dask", "distributed"),
    "client": _CLIENT,
    "server": (
        *("alembic", "asyncpg", "cryptography", "httptools", "litestar", "nats", "numpy", "prometheus_client"),
        *("sqlalchemy", "uvicorn", "uvloop", *_CLI, *_CLIENT),
    ),
}
"""The modules that each extra brings."""


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


@contextmanager
def naming_extras(wanted: str | None = None) -> Iterator[None]:
    """Turn the error of a missing package into one that names its extra: `wanted` if it has it, or else the first."""
    try:
        yield
    except ExtraMissingError:
        raise
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        extras = [name for name, packages in EXTRAS.items() if package in packages]
        if not extras:
            raise
        extra = wanted if wanted in extras else extras[0]
        raise ExtraMissingError(ExtraMissing(extra, package, f"punto[{extra}]")) from None


def need(extra: str) -> None:
    """Raise ExtraMissingError if a package of this extra is not installed. Nothing is imported."""
    for package in EXTRAS[extra]:
        if find_spec(package) is None:
            raise ExtraMissingError(ExtraMissing(extra, package, f"punto[{extra}]"))
