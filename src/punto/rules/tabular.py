"""Values that are rows: for programs as dicts, for data tools as a frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from punto.extras import naming_extras
from punto.rules.shown import Shown

if TYPE_CHECKING:
    import polars

Row = dict[str, Any]


class Tabular(Shown):
    """A value with rows. An exact fraction in a row is text; the same number as a float stands beside it."""

    __slots__ = ()

    def to_dicts(self) -> list[Row]:
        """The rows, each with the same keys."""
        raise NotImplementedError

    def to_frame(self) -> polars.DataFrame:
        """The rows as a DataFrame. Needs the extra `frames`; `pandas.DataFrame` takes `to_dicts()`."""
        return make_frame(self.to_dicts())


def make_frame(rows: list[Row]) -> polars.DataFrame:
    """The rows as a DataFrame."""
    with naming_extras("frames"):
        import polars
    return polars.DataFrame(rows, infer_schema_length=None)
