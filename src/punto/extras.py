"""The optional parts of the package. The core needs nothing but Python; the rest names the extra that is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import NoReturn

_CLI = ("cyclopts", "msgspec", "rich")
EXTRAS: dict[str, tuple[str, ...]] = {
    "cli": _CLI,
    "odds": ("numpy",),
    "charts": ("altair", "vl_convert"),
    "frames": ("polars",),
    "simulation": ("llvmlite", "numba", "numpy"),
    "gpu": ("cupy",),
    "cluster": ("dask", "distributed"),
    "client": ("httpx", "msgspec", "websockets"),
    "server": (
        *("asyncpg", "cryptography", "httptools", "nats", "numpy", "prometheus_client"),
        *("segno", "uvloop", "websockets", *_CLI),
    ),
}
"""The modules that each extra brings."""


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
        extra = wanted if wanted in extras else extras[0]
        _raise_missing(extra, package)


def need(extra: str) -> None:
    """Raise ExtraMissingError if a package of this extra is not installed. Nothing is imported."""
    for package in EXTRAS[extra]:
        if find_spec(package) is None:
            _raise_missing(extra, package)


def _raise_missing(extra: str, package: str) -> NoReturn:
    from punto.rules.missing import ExtraMissing, ExtraMissingError  # here, because help needs no rules

    raise ExtraMissingError(ExtraMissing(extra, package, f".[{extra}]")) from None
