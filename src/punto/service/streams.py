"""The streams of a house's log: one of its own, and one of each table."""

from __future__ import annotations

HOUSE_STREAM = "desk"
"""Records about no table. The name is in every database, so it stays."""
PAGE = 1_000
"""Records that are read at once."""
_TABLE = "table:"


def table_stream(table: str) -> str:
    """The stream of a table."""
    return f"{_TABLE}{table}"


def table_of(stream: str) -> str | None:
    """The table whose stream this is; None for a stream of the house's own."""
    return stream.removeprefix(_TABLE) if stream.startswith(_TABLE) else None
