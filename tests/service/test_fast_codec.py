"""The quick reader of the log takes nothing that the codec would not, and makes the same of it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from punto.rules.refusals import RefusedError
from punto.service.audit import fast_codec
from punto.table import codec
from punto.table.codec import to_json, write_event
from punto.table.commands import kind_of
from punto.table.events import EVENTS, BetPlaced, ConfirmationAsked, Event, RoundClosed
from tests.unit.test_table_codec import instances

WRONG: list[Any] = [
    None,
    True,
    0,
    -1,
    2**53,
    1.0,
    "",
    "x",
    "patron:ann",
    "9h",
    "9h Kd",
    "1:1",
    "a\nb",
    "\u200b",
    "é",
    [],
    {},
]
WRONG += ["win", "player", "x" * 1_001, {"kind": "round-closed"}]


def read(reader: Any, payload: str) -> Any:
    """What a reader makes of a payload: an event, or why not."""
    try:
        return reader(payload)
    except RefusedError as error:
        return str(error.refusal.code), error.refusal.message


@pytest.mark.parametrize("kind", EVENTS.values(), ids=kind_of)
@settings(max_examples=10, derandomize=True, deadline=None)
@given(data=st.data())
def test_every_event_is_read_as_the_codec_reads_it(kind: type[Event], data: st.DataObject) -> None:
    event = data.draw(instances(kind))
    assert fast_codec.parse_event(to_json(event)) == event


@pytest.mark.parametrize("kind", EVENTS.values(), ids=kind_of)
@settings(max_examples=30, derandomize=True, deadline=None)
@given(data=st.data())
def test_whatever_is_wrong_with_a_payload_is_said_as_the_codec_says_it(kind: type[Event], data: st.DataObject) -> None:
    plain = write_event(data.draw(instances(kind)))
    spoilt: Any = plain
    where = data.draw(st.integers(0, 2))
    for _ in range(where):  # into a bet, a line, a list of them
        inner = [
            each for each in (spoilt.values() if isinstance(spoilt, dict) else spoilt) if isinstance(each, dict | list)
        ]
        spoilt = data.draw(st.sampled_from(inner)) if inner else spoilt
    if isinstance(spoilt, dict):
        name = data.draw(st.sampled_from([*spoilt, "unknown"]))
        if data.draw(st.booleans()):
            spoilt[name] = data.draw(st.sampled_from(WRONG))
        else:
            spoilt.pop(name, None)
    else:
        spoilt.append(data.draw(st.sampled_from(WRONG)))
    payload = json.dumps(plain, ensure_ascii=data.draw(st.booleans()))
    assert read(fast_codec.parse_event, payload) == read(codec.parse_event, payload)


def test_it_is_the_quick_reader_that_reads_what_we_write(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fast_codec, "read_event", None)
    by, bet = '"by":"patron:ann"', '{"box":1,"patron":"ann","on":"tie","stake_cents":500,"seated":true}'
    for payload in (f'{{"kind":"bet-placed",{by},"round":1,"bet":{bet}}}', f'{{"kind":"round-closed",{by},"round":1}}'):
        assert type(fast_codec.parse_event(payload)) in {BetPlaced, RoundClosed}
    assert {kind_of(ConfirmationAsked)} == EVENTS.keys() - fast_codec._STRUCTS.keys()


@pytest.mark.parametrize("payload", ["", "{", "[]", "5", '{"kind":5}', '{"kind":"no"}', '{"kind":"round-closed"} x'])
def test_what_is_no_event_is_refused(payload: str) -> None:
    assert read(fast_codec.parse_event, payload) == read(codec.parse_event, payload)
    assert isinstance(read(fast_codec.parse_event, payload), tuple)
