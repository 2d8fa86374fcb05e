"""Rounds as text: what is read, what is written, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from punto.rules.notation import (
    BET_FIELDS,
    RECORD_FIELDS,
    is_patron_name,
    parse_record,
    read_json,
    read_line,
    read_record,
    write_line,
)
from punto.rules.reasons import Problem, Wanted
from punto.rules.refusals import FieldMissing, FieldType, FieldUnknown, Refusal, Refused, ResultMismatch, Unreadable


def refused(read: Any, given: Any) -> Refusal:
    with pytest.raises(Refused) as caught:
        read(given)
    return caught.value.refusal


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        (b'{"a": "\xff"}', Unreadable(Problem.NOT_UTF_8, "8")),
        ('{"a": 1, "b": 2, "c": {"b": 1, "d": 1, "d": 1}}', Unreadable(Problem.FIELD_REPEATED, "'d'")),
        ('{"a": 1, "b": 2, "c": 1, "b": 2, "a": 1}', Unreadable(Problem.FIELD_REPEATED, "'a'")),
        ('{"a": NaN}', Unreadable(Problem.NUMBER_NOT_JSON, "NaN")),
        ('{"a": -Infinity}', Unreadable(Problem.NUMBER_NOT_JSON, "-Infinity")),
        ("[" * 100_000, Unreadable(Problem.NESTED_TOO_DEEPLY)),
        (
            "{",
            Unreadable(Problem.NOT_JSON, "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ),
    ],
)
def test_text_that_is_not_strict_json_is_refused(text: str | bytes, refusal: Refusal) -> None:
    assert refused(read_json, text) == refusal


def test_bytes_may_begin_with_a_mark_of_their_order() -> None:
    assert read_json(b'\xef\xbb\xbf{"a": [1, "\xc3\xa9"]}') == {"a": [1, "é"]}
    assert parse_record('{"game": "easy-six", "cards": "", "bets": []}').game == "easy-six"


BET = {"box": 1, "patron": "ann", "on": "tie", "stake": 5}
RECORD = {"game": "commission", "cards": "9h 2d Ks 2c", "bets": [BET]}


def without(fields: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if key != name}


@pytest.mark.parametrize(
    ("record", "refusal"),
    [
        ([], Unreadable(Problem.RECORD_NOT_OBJECT, "[…]")),
        (5, Unreadable(Problem.RECORD_NOT_OBJECT, "5")),
        (RECORD | {"tip": 1, "top": 2}, FieldUnknown("record", "'tip'", tuple(sorted(RECORD_FIELDS)))),
        (without(RECORD, "game"), FieldMissing("game", Wanted.TEXT)),
        (RECORD | {"game": 5}, FieldType("game", Wanted.TEXT, "5")),
        (RECORD | {"decks": "8"}, FieldType("decks", Wanted.WHOLE_NUMBER, '"8"')),
        (RECORD | {"decks": True}, FieldType("decks", Wanted.WHOLE_NUMBER, "true")),
        (without(RECORD, "cards"), FieldMissing("cards", Wanted.CARDS)),
        (RECORD | {"bets": {}}, FieldType("bets", Wanted.BET_LIST, "{…}")),
        (RECORD | {"limits": []}, FieldType("limits", Wanted.OBJECT, "[…]")),
        (RECORD | {"limits": {"minimum": 1}}, FieldMissing("limits.differential", Wanted.WHOLE_NUMBER)),
        (
            RECORD | {"limits": {"minimum": 1, "differential": 2, "unit": "1"}},
            FieldType("limits.unit", Wanted.WHOLE_NUMBER, '"1"'),
        ),
        (RECORD | {"bets": [BET, 5]}, FieldType("bets[1]", Wanted.OBJECT, "5")),
        (RECORD | {"bets": [BET | {"tip": 1}]}, FieldUnknown("bets[0]", "'tip'", tuple(sorted(BET_FIELDS)))),
        (RECORD | {"bets": [BET, without(BET, "box")]}, FieldMissing("bets[1].box", Wanted.WHOLE_NUMBER)),
        (RECORD | {"bets": [BET | {"patron": ""}]}, FieldType("bets[0].patron", Wanted.NAME, '""')),
        (RECORD | {"bets": [BET | {"patron": 5}]}, FieldType("bets[0].patron", Wanted.NAME, "5")),
        (RECORD | {"bets": [BET | {"on": None}]}, FieldType("bets[0].on", Wanted.BET_ID, "null")),
        (RECORD | {"bets": [BET | {"stake": 5.0}]}, FieldType("bets[0].stake", Wanted.CENTS, "5.0")),
        (RECORD | {"bets": [BET | {"seated": 1}]}, FieldType("bets[0].seated", Wanted.FLAG, "1")),
        (RECORD | {"bets": [BET | {"window": "soon"}]}, FieldType("bets[0].window", Wanted.WINDOW, '"soon"')),
        (RECORD | {"bets": [BET | {"window": [1]}]}, FieldType("bets[0].window", Wanted.WINDOW, "[…]")),
    ],
)
def test_what_is_no_record_is_refused_with_its_field(record: object, refusal: Refusal) -> None:
    assert refused(read_record, record) == refusal


@pytest.mark.parametrize(
    ("name", "may"), [("ann", True), ("陳 %s", True), ("", False), ("a\nb", False), ("\x7f", False)]
)
def test_the_name_of_a_patron_can_be_printed(name: str, may: bool) -> None:
    assert is_patron_name(name) == may


def test_a_result_that_is_wrong_is_told_beside_the_right_one() -> None:
    assert refused(read_line, "9h 2d Ks 2c =  T 9-4 ") == ResultMismatch("'T 9-4'", "'P 9-4'")
    assert write_line(read_line("9h 2d Ks 2c = P  9-4")) == "9h 2d Ks 2c = P 9-4"
    assert write_line(read_line("9h 9d Ks Kc")) == "9h 9d Ks Kc = T 9-9"
