"""The wire format: every command and event survives a trip through JSON, and nothing unknown gets in."""

from __future__ import annotations

import json
import string
import typing
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from punto.rules.cards import DECK, Card
from punto.rules.money import Odds
from punto.rules.refusals import RecordCode, RefusedError
from punto.rules.sheet import Role
from punto.table.codec import (
    EXACT,
    parse_command,
    parse_event,
    read_command,
    read_event,
    to_json,
    write_command,
    write_event,
)
from punto.table.commands import COMMANDS, Actor, Command, PlaceBet, kind_of
from punto.table.events import EVENTS, CaseClosed, ConfirmationAsked, Event
from punto.table.refusals import TableCode

texts = st.text(string.ascii_letters + "äé 虎-", min_size=1, max_size=8).filter(str.isprintable)
cards = st.sampled_from(DECK)
actors = st.builds(Actor, texts, st.none() | st.sampled_from(Role))
wholes = st.integers(-(EXACT - 1), EXACT - 1)
odds = st.sampled_from(["1:1", "0.95:1", "1:2", "1.5:1", "20:1"]).map(Odds.parse)
OF: dict[Any, st.SearchStrategy[Any]] = {
    Card: cards,
    Actor: actors,
    int: wholes,
    str: texts,
    Odds: odds,
    bool: st.booleans(),
    Event: st.builds(CaseClosed, actors, wholes),
}


def instances(kind: type[Any]) -> st.SearchStrategy[Any]:
    hints = typing.get_type_hints(kind)
    fields = {name: _of(hint) for name, hint in hints.items()}
    return st.builds(kind, **fields)


def _of(hint: Any) -> st.SearchStrategy[Any]:
    if typing.get_origin(hint) is tuple:
        return st.lists(_of(typing.get_args(hint)[0]), max_size=3).map(tuple)
    if type(None) in typing.get_args(hint):
        return st.none() | _of(next(each for each in typing.get_args(hint) if each is not type(None)))
    hint = getattr(hint, "__supertype__", hint)
    if hint in OF:
        return OF[hint]
    return instances(hint) if hasattr(hint, "__dataclass_fields__") else st.sampled_from(hint)


@pytest.mark.parametrize("kind", COMMANDS.values(), ids=kind_of)
@settings(max_examples=10, derandomize=True, deadline=None)
@given(data=st.data())
def test_every_command_survives_a_trip_through_json(kind: type[Command], data: st.DataObject) -> None:
    command = data.draw(instances(kind))
    assert parse_command(to_json(command)) == command
    assert read_command(json.loads(json.dumps(write_command(command)))) == command


@pytest.mark.parametrize("kind", EVENTS.values(), ids=kind_of)
@settings(max_examples=10, derandomize=True, deadline=None)
@given(data=st.data())
def test_every_event_survives_a_trip_through_json(kind: type[Event], data: st.DataObject) -> None:
    event = data.draw(instances(kind))
    assert parse_event(to_json(event)) == event
    assert read_event(json.loads(json.dumps(write_event(event)))) == event


BET = {"kind": "place-bet", "by": "patron:ann", "patron": "ann", "box": 1, "on": "banker", "stake_cents": 2_500}

WRONG: list[tuple[str, Any, Any]] = [
    ("not JSON", "{", RecordCode.UNREADABLE),
    ("not an object", "[]", RecordCode.UNREADABLE),
    ("a number that JSON lacks", json.dumps(BET).replace("2500", "NaN"), RecordCode.UNREADABLE),
    ("a field twice", json.dumps(BET)[:-1] + ', "box": 2}', RecordCode.UNREADABLE),
    ("no kind", {key: value for key, value in BET.items() if key != "kind"}, TableCode.COMMAND_UNKNOWN),
    ("an unknown kind", BET | {"kind": "place-bets"}, TableCode.COMMAND_UNKNOWN),
    ("a kind that is no text", BET | {"kind": ["place-bet"]}, TableCode.COMMAND_UNKNOWN),
    ("an event", {"kind": "case-closed", "by": "dealer:dan", "case": 1}, TableCode.COMMAND_UNKNOWN),
    ("an unknown field", BET | {"tip": 100}, RecordCode.FIELD_UNKNOWN),
    ("a missing field", {key: value for key, value in BET.items() if key != "on"}, RecordCode.FIELD_MISSING),
    ("a fraction of a cent", BET | {"stake_cents": 0.1}, RecordCode.FIELD_TYPE),
    ("a whole number written as a fraction", BET | {"stake_cents": 1e3}, RecordCode.FIELD_TYPE),
    ("true as an amount", BET | {"stake_cents": True}, RecordCode.FIELD_TYPE),
    ("an amount as text", BET | {"stake_cents": "2500"}, RecordCode.FIELD_TYPE),
    ("an amount beyond doubles", BET | {"stake_cents": 2**63}, RecordCode.FIELD_TYPE),
    ("a line break in a name", BET | {"patron": "ann\n{}"}, RecordCode.FIELD_TYPE),
    ("a name without end", BET | {"patron": "a" * 2_000}, RecordCode.FIELD_TYPE),
    ("an actor without role", BET | {"by": "ann"}, RecordCode.FIELD_TYPE),
    ("an actor of no role we know", BET | {"by": "king:ann"}, RecordCode.FIELD_TYPE),
    ("a card that is none", {"kind": "deal", "by": "dealer:dan", "card": "1x"}, RecordCode.CARD_UNREADABLE),
    ("two cards for one", {"kind": "deal", "by": "dealer:dan", "card": "9h 9d"}, RecordCode.FIELD_TYPE),
    ("cards in a list", {"kind": "load-shoe", "by": "dealer:dan", "cards": ["9h"]}, RecordCode.FIELD_TYPE),
    (
        "facts unknown",
        {"kind": "report", "by": "dealer:dan", "situation": "x", "facts": {"a": 1}},
        RecordCode.FIELD_UNKNOWN,
    ),
    ("facts as text", {"kind": "report", "by": "dealer:dan", "situation": "x", "facts": "a"}, RecordCode.FIELD_TYPE),
    ("a choice of none", {"kind": "choose", "by": "patron:a", "patron": "a", "option": "sulk"}, RecordCode.FIELD_TYPE),
    ("yes for true", {"kind": "answer-squeeze", "by": "dealer:d", "consent": "yes"}, RecordCode.FIELD_TYPE),
]


@pytest.mark.parametrize(("what", "given_", "code"), WRONG, ids=[row[0] for row in WRONG])
def test_what_is_wrong_is_refused_with_its_code(what: str, given_: Any, code: Any) -> None:
    line = given_ if isinstance(given_, str) else json.dumps(given_)
    with pytest.raises(RefusedError) as refused:
        parse_command(line)
    assert refused.value.refusal.code is code
    assert refused.value.refusal.message


def test_a_negative_amount_can_be_read_and_is_refused_by_the_table() -> None:
    command = parse_command(json.dumps(BET | {"stake_cents": -1}))
    assert isinstance(command, PlaceBet)
    assert command.stake_cents == -1


def test_what_waits_for_a_second_person_is_never_another_such_wait() -> None:
    inner = ConfirmationAsked(Actor("dan", Role.DEALER), 1, ())
    with pytest.raises(RefusedError) as refused:
        parse_event(to_json(ConfirmationAsked(Actor("dan", Role.DEALER), 1, (inner,))))
    assert refused.value.refusal.code is TableCode.COMMAND_UNKNOWN


def test_the_names_are_stable() -> None:
    assert len(COMMANDS) == 24
    assert {"open-table", "place-bet", "deal", "report", "decide", "recover"} <= COMMANDS.keys()
    assert {"bet-placed", "card-dealt", "round-settled", "round-voided"} <= EVENTS.keys()
