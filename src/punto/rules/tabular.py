"""Values that are rows: for programs as dicts, for data tools as a frame."""

from __future__ import annotations

from typing import Any

Row = dict[str, Any]


class Tabular:
    """A value with rows. An exact fraction in a row is text; the same number as a float stands beside it."""

    __slots__ = ()

    def to_dicts(self) -> list[Row]:
        """The rows, each with the same keys."""
        raise NotImplementedError

    def to_frame(self) -> Any:
        """The rows as a DataFrame of polars, or of pandas. ImportError if neither is installed."""
        return make_frame(self.to_dicts())


def make_frame(rows: list[Row]) -> Any:
    """A DataFrame of polars, or of pandas where there is no polars. ImportError if neither is installed."""
    try:
        import polars
    except ImportError:
        pass
    else:
        return polars.DataFrame(rows, infer_schema_length=None)
    try:
        import pandas
    except ImportError:
        raise ImportError("a frame needs polars or pandas, and neither is installed: pip install polars") from None
    return pandas.DataFrame(rows)
