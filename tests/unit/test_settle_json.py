"""`punto settle --json`: the fast way and many processes give the answers of the straightforward way, to the byte."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import msgspec
import pytest

from benchmarks.bench_settle import records
from punto.cli import parallel
from punto.cli.json_lines import BetFields, LimitsFields, RecordFields, settle_line, settle_lines
from punto.cli.output import write_refusal
from punto.cli.parallel import in_order, whole_lines
from punto.cli.settle import settle_record
from punto.rules.loader import load
from punto.rules.notation import BET_FIELDS, LIMITS_FIELDS, RECORD_FIELDS, write_settlement
from punto.rules.refusals import Refusal

RECORDS = 1_500


def answer(line: bytes) -> Any:
    """The straightforward way: read, settle, make plain data."""
    record, settled = settle_record(line)
    if isinstance(settled, Refusal):
        return write_refusal(settled, load(record.game) if record else None)
    return write_settlement(settled)


def written(lines: list[bytes]) -> list[Any]:
    text, _ = settle_lines(b"".join(lines))
    return list(map(json.loads, text.splitlines()))


def test_settled_records_are_answered_as_the_straightforward_way_answers() -> None:
    lines = [f"{line}\n".encode() for line in records(RECORDS, seed=3)]
    assert written(lines) == list(map(answer, lines))
    assert all(settle_line(line) is not None for line in lines), "a record that settles took the long way"


@pytest.mark.parametrize(
    "rest",
    [
        '"cards": "9h 2d Ks 2c", "bets": []',
        '"bets": [{"box": 1, "patron": "a", "on": "tie", "stake": 1, "stake": 5}]',
        '"bets": [], "decks": 8, "decks": null',
        '"bets": [{"box": 1, "box": 1, "patron": "a\\u003a", "on": "tie", "stake": 1}]',
        '"bets": [{"box": 1, "patron": "a:", "patron": "b", "on": "tie", "stake": 1}]',
        '"bets": [], "bets": [{"box": 1, "patron": "::::", "on": "tie", "stake": 1}]',
    ],
)
def test_a_repeated_field_is_refused(rest: str) -> None:
    line = b'{"game": "commission", "cards": "9h 2d Ks 2c", %s}' % rest.encode()
    assert settle_line(line) is None
    assert written([line])[0]["refused"]["code"] == "unreadable"


def test_what_may_be_left_out_or_null_takes_the_fast_way() -> None:
    line = b'{"game": "commission", "cards": "9h 2d Ks 2c", "decks": null, "limits": null, "bets": [%s]}' % (
        b'{"box": 1, "patron": "\\u9673: %s", "on": "tie", "stake": 1, "window": null, "seated": null}'
    )
    assert settle_line(line) is not None
    assert written([line]) == [answer(line)]


def test_the_fast_reader_has_the_fields_of_the_notation() -> None:
    expected = ((RecordFields, RECORD_FIELDS), (LimitsFields, LIMITS_FIELDS), (BetFields, BET_FIELDS))
    for fields, names in expected:
        assert {field.encode_name for field in msgspec.structs.fields(fields)} == names


def test_processes_keep_the_order_of_the_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "PART_BYTES", 2 * parallel.SMALL_PART_BYTES)
    monkeypatch.setattr(parallel, "_cores", lambda: 2)
    lines = [f"{line}\n".encode() for line in records(400)]
    lines[150:150] = [b"\n", b"{broken\n"]
    parts = [*whole_lines(BytesIO(b"".join(lines))), lines[0], b"".join(lines[:200])]
    assert len(parts) > 6
    answers = list(in_order(settle_lines, parts, alone_bytes=1))
    assert answers == list(map(settle_lines, parts))
    assert any(refused for _, refused in answers)


def test_parts_are_whole_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "PART_BYTES", 10)
    text = b"one\ntwo\n" + b"a long line " * 5 + b"\n\nlast"
    parts = list(whole_lines(BytesIO(text)))
    assert b"".join(parts) == text
    assert all(part.endswith(b"\n") for part in parts[:-1])
    assert list(whole_lines(BytesIO(b""))) == []
