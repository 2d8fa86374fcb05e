"""Records as files: JSON Lines for programs, CSV for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Mapping, Sequence

import msgspec
from litestar.response import Stream
from msgspec import UNSET, Struct
from msgspec.structs import asdict

from punto.protocol.views import Movement, RoundRecord

ROUND_COLUMNS = (
    *("table", "round", "shoe", "opened_at_ms", "closed_at_ms", "settled_at_ms", "cards", "winner", "player_points"),
    *("banker_points", "void", "patron", "name", "box", "on", "window", "stake_cents", "in_play_cents"),
    *("result", "returned_cents", "net_cents", "commission_cents", "rule"),
)
STATEMENT_COLUMNS = tuple(name for name in Movement.__struct_fields__ if name != "place")
CSV = "text/csv"
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")

Row = Mapping[str, object]


def cell(value: object) -> object:
    """A value for a spreadsheet. Text that a spreadsheet would run as a formula is marked as text with a quote."""
    if value is None or value is UNSET:
        return ""
    if isinstance(value, int):
        return str(value).lower() if isinstance(value, bool) else value
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def to_csv(columns: Sequence[str], rows: Iterable[Row], *, heading: bool = True) -> str:
    """Rows, with a heading unless they go on from others, as RFC 4180 has it."""
    out = io.StringIO()
    writer = csv.writer(out)
    if heading:
        writer.writerow(columns)
    writer.writerows([[cell(row.get(column)) for column in columns] for row in rows])
    return out.getvalue()


async def csv_lines(columns: Sequence[str], pages: AsyncIterable[Iterable[Row]]) -> AsyncIterator[str]:
    """Pages of rows as one file: the heading, then each page as it comes."""
    yield to_csv(columns, ())
    async for page in pages:
        yield to_csv(columns, page, heading=False)


def as_file(content: AsyncIterator[str] | AsyncIterator[bytes], name: str, media_type: str) -> Stream:
    """Something to save under a name."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Stream(content, media_type=media_type, headers=headers)


def to_json_lines(rows: Iterable[Struct]) -> bytes:
    """One line of JSON a row."""
    return b"".join([msgspec.json.encode(row) + b"\n" for row in rows])


def round_rows(rounds: Iterable[RoundRecord]) -> Iterator[Row]:
    """A row for each bet of each round; a round without bets has one row all the same."""
    for each in rounds:
        about = asdict(each)
        for line in each.lines:
            yield about | asdict(line.bet) | asdict(line)
        if not each.lines:
            yield about
