"""Records as files: JSON Lines for programs, CSV for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Mapping, Sequence

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import asdict

from punto.protocol.views import Floor, Movement, RoundRecord
from punto.web.requests import Request

ROUND_COLUMNS = (
    *("table", "round", "shoe", "opened_at_ms", "closed_at_ms", "settled_at_ms", "cards", "winner", "player_points"),
    *("banker_points", "void", "patron", "name", "box", "on", "window", "stake_cents", "in_play_cents"),
    *("result", "returned_cents", "net_cents", "commission_cents", "rule"),
)
FLOOR_COLUMNS = (
    *("day", "table", "name", "game", "mode", "phase", "round", "shoe", "dealt", "on_duty", "seats_taken", "seats"),
    *("standing", "rounds", "void_rounds", "rounds_per_hour", "handle_cents", "win_cents", "hold_basis_points"),
    *("theoretical_cents", "in_play_cents", "exposure_cents", "receivables_cents", "incidents"),
)
SIGNIFICANT_COLUMNS = ("at_ms", "table", "seq", "heading", "code", "by", "rule", "parameters")
INCIDENT_COLUMNS = (
    *("table", "name", "game", "case", "round", "situation", "day", "at_ms", "reported_by", "note", "ruling"),
    *("finding", "rule", "decisions", "choices", "closed_at_ms"),
)
STATEMENT_COLUMNS = tuple(name for name in Movement.__struct_fields__ if name != "place")
CSV = "text/csv"
JSON_LINES = "application/jsonl"
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
"""The beginnings of a formula, full-width signs too: some spreadsheets read them as their narrow twins."""

Row = Mapping[str, object]


def cell(value: object) -> object:
    """A value for a spreadsheet. Text that a spreadsheet would run as a formula is marked as text with a quote."""
    if value is None or value is UNSET:
        return ""
    if isinstance(value, int):
        return str(value).lower() if isinstance(value, bool) else value
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def to_csv(columns: Sequence[str], rows: Iterable[Row]) -> str:
    """Rows as RFC 4180 has it, without a heading."""
    out = io.StringIO()
    csv.writer(out).writerows([[cell(row.get(column)) for column in columns] for row in rows])
    return out.getvalue()


def to_csv_file(columns: Sequence[str], rows: Iterable[Row]) -> str:
    """Rows as one CSV, under their heading."""
    return to_csv(columns, [dict(zip(columns, columns, strict=True)), *rows])


async def csv_file(columns: Sequence[str], pages: AsyncIterable[Iterable[Row]]) -> AsyncIterator[bytes]:
    """Pages of rows as one CSV: the heading, then each page as it comes."""
    yield to_csv(columns, [dict(zip(columns, columns, strict=True))]).encode()
    async for page in pages:
        yield to_csv(columns, page).encode()


def save_as(request: Request, name: str) -> None:
    """Let a browser save the answer under a name."""
    request.more_headers.append((b"content-disposition", f'attachment; filename="{name}"'.encode()))


def to_json_lines(rows: Iterable[Struct]) -> bytes:
    """One line of JSON a row."""
    return b"".join([msgspec.json.encode(row) + b"\n" for row in rows])


def floor_csv(floor: Floor) -> str:
    """The figures of a gaming day: the heading, a row for each table, and a last row for all of them."""
    rows: list[Row] = []
    for each in floor.tables:
        on_duty = ", ".join([f"{person.name} ({person.position})" for person in each.duty])
        rows.append({"day": floor.day, "on_duty": on_duty} | asdict(each))
    rows.append({"day": floor.day, "receivables_cents": floor.receivables_cents} | asdict(floor.total))
    return to_csv_file(FLOOR_COLUMNS, rows)


def round_rows(rounds: Iterable[RoundRecord]) -> Iterator[Row]:
    """A row for each bet of each round; a round without bets has one row all the same."""
    for each in rounds:
        about = asdict(each)
        for line in each.lines:
            yield about | asdict(line.bet) | asdict(line)
        if not each.lines:
            yield about
