"""The published corpus is right and complete, and the JSON Schema takes and refuses what the reader does."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from punto.rules.bets import LOSES, Result
from punto.rules.loader import load
from punto.rules.notation import read_line, read_record
from punto.rules.refusals import RECORD_REFUSALS, LimitsInvalid, Refused, kebab
from tests.docs.corpus import FILE, SHEETS, expected, expected_of_line, reached
from tests.e2e.command import ROOT

CASES = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
RECORDS = [case["record"] for case in CASES if "record" in case]
SCHEMA = json.loads((ROOT / "docs" / "notation.schema.json").read_text(encoding="utf-8"))


@cache
def part(name: str) -> Draft202012Validator:
    """The schema of one definition."""
    Draft202012Validator.check_schema(SCHEMA)
    return Draft202012Validator(SCHEMA | {"$ref": f"#/$defs/{name}"})


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["says"])
def test_each_case_gives_what_the_corpus_says(case: dict[str, Any]) -> None:
    if "line" in case:
        found = expected_of_line(case["line"])
    else:
        found = expected(case.get("text") or json.dumps(case["record"]))
    assert found == {key: case[key] for key in ("result", "refused") if key in case}


@pytest.mark.parametrize("game", SHEETS)
def test_the_corpus_reaches_every_pay_line(game: str) -> None:
    sheet = load(game)
    found = {
        key
        for case in CASES
        if case.get("record", {}).get("game") == game and "result" in case
        for key, bet in reached(sheet, read_line(case["record"]["cards"], decks=10)).items()
        if any(line["on"] == bet.on and line.get("window") == bet.window for line in case["result"]["bets"])
    }
    for bet in sheet.bets.values():
        assert {(bet.id, code) for code in set(bet.payoffs)} <= found
        assert (bet.id, LOSES) in found
    for row, _ in enumerate(sheet.insurance.rows if sheet.insurance else ()):
        assert {("insurance", row, Result.WIN), ("insurance", row, Result.LOSE)} <= found


def test_the_corpus_has_every_refusal_of_reading_and_settling() -> None:
    codes = {case["refused"]["code"] for case in CASES if "refused" in case}
    assert codes == {kebab(kind.__name__) for kind in RECORD_REFUSALS}
    for case in CASES:
        if case["says"].startswith("refused: "):
            assert case["says"] == f"refused: {case['refused']['code']}"


def test_results_fit_the_schema() -> None:
    for case in CASES:
        if isinstance(case.get("result"), dict):
            part("result").validate(case["result"])


WRONG: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    7,
    0.5,
    10**13,
    "",
    "x",
    "9h 2d",
    "four-cards",
    "a\nb",
    [],
    [1],
    {},
    {"a": 1},
)


def changed(record: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The record with every value in turn left out or replaced, and with a field too many."""
    places: list[tuple[Any, ...]] = [(), *[("bets", place) for place in range(len(record.get("bets", [])))]]
    places += [("limits",)] if record.get("limits") else []
    for path in places:
        fields = record
        for step in path:
            fields = fields[step]
        for name in [*fields, "decks", "limits", "unit", "seated", "window", "colour"]:
            for value in (..., *WRONG):
                other = copy.deepcopy(record)
                target: Any = other
                for step in path:
                    target = target[step]
                target.pop(name, None)
                if value is not ...:
                    target[name] = value
                yield other


def reads(record: object) -> bool | None:
    """Whether the reader takes a record; None where it refuses limits for how they stand to each other."""
    try:
        read_record(record)
    except Refused as error:
        return None if isinstance(error.refusal, LimitsInvalid) else False
    return True


@pytest.mark.parametrize("record", RECORDS[:: len(RECORDS) // 3] + RECORDS[-29:-27], ids=str)
def test_the_schema_agrees_with_the_reader(record: dict[str, Any]) -> None:
    for other in [record, *changed(record)]:
        answer = reads(other)
        if answer is not None:
            assert part("record").is_valid(other) == answer, other


def test_every_record_of_the_corpus_fits_as_far_as_it_reads() -> None:
    for record in RECORDS:
        assert part("record").is_valid(record) == (reads(record) is not False)
