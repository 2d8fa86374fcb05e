"""The strict codec: every command and event survives a trip through JSON, and nothing unknown gets in."""

from __future__ import annotations

import json
import string
import typing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from punto.protocol.codec import (
    AnyCommand,
    Reader,
    command_by,
    new_command,
    parse_command,
    parse_event,
    read_command,
    read_command_by,
    read_event,
    to_data,
    to_json,
)
from punto.rules.cards import DECK, Card
from punto.rules.money import EXACT_CENTS, Odds
from punto.rules.refusals import Refused
from punto.rules.sheet import Role
from punto.table.act import COMMANDS, EVENTS, Command, Event, kind_of
from punto.table.actor import Actor
from punto.table.acts.places import Sit
from punto.table.rulings.cases import CaseClosed, ConfirmationAsked
from punto.texts import LANGUAGES, say

EXAMPLES = Path(__file__).parents[2] / "examples"
ANN, DAN = Actor("ann"), Actor("dan", Role.DEALER)
ALL: dict[str, Any] = {**COMMANDS, **EVENTS}


def read(reader: Any, given_: Any) -> Any:
    """What a reader makes of something: a value, or the code of its refusal."""
    try:
        return reader(given_)
    except Refused as error:
        return str(error.refusal.code)


texts = st.text(string.ascii_letters + "äé 虎-", min_size=1, max_size=8).filter(str.isprintable)
cards = st.sampled_from(DECK)
actors = st.builds(Actor, texts, st.none() | st.sampled_from(Role))
wholes = st.integers(-(EXACT_CENTS - 1), EXACT_CENTS - 1)
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
    """Any record of a kind. Its strategy is built once."""
    if kind not in INSTANCES:
        INSTANCES[kind] = _instances(kind)
    return INSTANCES[kind]


INSTANCES: dict[type[Any], st.SearchStrategy[Any]] = {}


def _instances(kind: type[Any]) -> st.SearchStrategy[Any]:
    hints = typing.get_type_hints(kind)
    # What is not compared is supplied where a command is decided, and does not travel.
    supplied = {name for name, each in getattr(kind, "__dataclass_fields__", {}).items() if not each.compare}
    named = {name: hint for name, hint in hints.items() if typing.get_origin(hint) is not typing.ClassVar}
    fields = {name: _of(hint) for name, hint in named.items() if name not in supplied}
    return st.builds(kind, **fields)


def _of(hint: Any) -> st.SearchStrategy[Any]:
    if typing.get_origin(hint) is tuple:
        return st.lists(_of(typing.get_args(hint)[0]), max_size=3).map(tuple)
    if type(None) in typing.get_args(hint):
        return st.none() | _of(next(each for each in typing.get_args(hint) if each is not type(None)))
    hint = getattr(hint, "__supertype__", hint)
    if hint in OF:
        return OF[hint]
    is_record = hasattr(hint, "__dataclass_fields__") or hasattr(hint, "_fields")
    return instances(hint) if is_record else st.sampled_from(hint)


# ------------------------------------------------------------------------------------------- there and back


@pytest.mark.parametrize("kind", ALL.values(), ids=kind_of)
@settings(max_examples=10, derandomize=True, deadline=None)
@given(data=st.data())
def test_every_command_and_event_survives_a_trip_through_json(kind: Any, data: st.DataObject) -> None:
    one = data.draw(instances(kind))
    parse, read_ = (parse_event, read_event) if issubclass(kind, Event) else (parse_command, read_command)
    assert parse(to_json(one)) == one
    assert parse(to_json(one).encode()) == one
    assert parse(json.dumps(to_data(one), indent=1)) == one
    assert read_(json.loads(json.dumps(to_data(one)))) == one


GOLDEN = [
    '{"kind":"bet-placed","by":"patron:ann","round":7,"bet":{"box":1,"patron":"ann","on":"tie","stake_cents":500}}',
    '{"kind":"card-dealt","by":"dealer:dan","round":7,"shoe":1,"place":1,"card":"9h","hand":"player","rule":"5.1"}',
    (
        '{"kind":"bets-returned","by":"dealer:d","round":7,"lines":[{"bet":'
        '{"box":1,"patron":"é","on":"tie","stake_cents":500,"seated":true},"reason":"void","rule":null}]}'
    ),
    (
        '{"kind":"confirmation-asked","by":"dealer:d","case":1,'
        '"events":[{"kind":"case-closed","by":"dealer:d","case":1}],"to":"pit-supervisor"}'
    ),
]


@pytest.mark.parametrize("line", GOLDEN)
def test_existing_log_lines_survive_a_round_trip(line: str) -> None:
    assert to_json(parse_event(line)) == line


def test_the_commands_of_the_example_are_read() -> None:
    lines = (EXAMPLES / "table.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == [to_data(parse_command(line)) for line in lines]


def test_a_field_that_holds_its_default_may_be_given() -> None:
    line = '{"kind":"report","by":"dealer:dan","situation":"x","facts":{"cards":"","note":null}}'
    assert to_json(parse_command(line)) == '{"kind":"report","by":"dealer:dan","situation":"x"}'


# ------------------------------------------------------------------------------------------- what is wrong


PLAIN_BET = {"kind": "place-bet", "by": "patron:ann", "patron": "ann", "box": 1, "on": "banker", "stake_cents": 2_500}

WRONG_COMMANDS: list[tuple[str, Any, str]] = [
    ("not an object", "[]", "unreadable"),
    ("no kind", {key: value for key, value in PLAIN_BET.items() if key != "kind"}, "command-unknown"),
    ("an unknown kind", PLAIN_BET | {"kind": "bet"}, "command-unknown"),
    ("a kind that is no text", PLAIN_BET | {"kind": ["place-bet"]}, "command-unknown"),
    ("an event", {"kind": "case-closed", "by": "dealer:dan", "case": 1}, "command-unknown"),
    ("an unknown field", PLAIN_BET | {"tip": 100}, "field-unknown"),
    ("a missing field", {key: value for key, value in PLAIN_BET.items() if key != "on"}, "field-missing"),
    ("a fraction of a cent", PLAIN_BET | {"stake_cents": 0.1}, "field-type"),
    ("a whole number written as a fraction", PLAIN_BET | {"stake_cents": 1e3}, "field-type"),
    ("true as an amount", PLAIN_BET | {"stake_cents": True}, "field-type"),
    ("an amount as text", PLAIN_BET | {"stake_cents": "2500"}, "field-type"),
    ("a line break in a name", PLAIN_BET | {"patron": "ann\n{}"}, "field-type"),
    ("a name without end", PLAIN_BET | {"patron": "a" * 2_000}, "field-type"),
    ("an actor without role", PLAIN_BET | {"by": "ann"}, "field-type"),
    ("an actor of no role we know", PLAIN_BET | {"by": "king:ann"}, "field-type"),
    ("a card that is none", {"kind": "deal", "by": "dealer:dan", "card": "1x"}, "card-unreadable"),
    ("two cards for one", {"kind": "deal", "by": "dealer:dan", "card": "9h 9d"}, "field-type"),
    ("cards in a list", {"kind": "load-shoe", "by": "dealer:dan", "cards": ["9h"]}, "field-type"),
    (
        "facts unknown",
        {"kind": "report", "by": "dealer:dan", "situation": "x", "facts": {"a": 1}},
        "field-unknown",
    ),
    ("facts as text", {"kind": "report", "by": "dealer:dan", "situation": "x", "facts": "a"}, "field-type"),
    ("a choice of none", {"kind": "choose", "by": "patron:a", "patron": "a", "option": "sulk"}, "field-type"),
    ("yes for true", {"kind": "answer-squeeze", "by": "dealer:d", "consent": "yes"}, "field-type"),
]


@pytest.mark.parametrize(("what", "given_", "code"), WRONG_COMMANDS, ids=[row[0] for row in WRONG_COMMANDS])
def test_invalid_input_is_refused_with_its_code(what: str, given_: Any, code: Any) -> None:
    line = given_ if isinstance(given_, str) else json.dumps(given_)
    for text in (line, line.encode(), line.replace(", ", ",").replace(": ", ":")):
        with pytest.raises(Refused) as refused:
            parse_command(text)
        assert refused.value.refusal.code == code
        sentences = [say(refused.value.refusal, language) for language in LANGUAGES]
        assert all(sentences)
        assert len(set(sentences)) == len(LANGUAGES)


BET = '{"kind":"place-bet","by":"patron:ann","patron":"ann","box":1,"on":"tie","stake_cents":500}'
UNREADABLE: list[tuple[str, str | bytes]] = [
    ("a field twice", BET[:-1] + ',"box":2}'),
    ("the kind twice", '{"kind":"deal",' + BET[1:]),
    ("a field of an inner object twice", '{"kind":"report","by":"dealer:d","situation":"x","facts":{"box":1,"box":1}}'),
    ("a number that JSON lacks", BET.replace("500", "Infinity")),
    ("a number without end", BET.replace("500", "9" * 5_000)),
    ("nested without end", "[" * 100_000),
    ("something after the object", BET + " x"),
    ("no UTF-8", BET.encode().replace(b"ann", b"\xff")),
    ("a control character", BET.replace("ann", "a\nn")),
    ("nothing", ""),
]


@pytest.mark.parametrize(("what", "text"), UNREADABLE, ids=[row[0] for row in UNREADABLE])
def test_what_is_not_strict_json_is_unreadable(what: str, text: str | bytes) -> None:
    assert read(parse_command, text) == "unreadable"


@pytest.mark.parametrize("name", ["a\x7fn", "a\u200bn", "\ud800", "a\\u0000n", "a\\ud800n"])
def test_text_that_cannot_be_printed_is_refused(name: str) -> None:
    assert read(parse_command, BET.replace("tie", name)) == "field-type"


def test_places_are_named() -> None:
    for text, says in (
        (
            BET.replace("500", '"5"'),
            'place-bet.stake_cents must be a whole number that JSON readers keep exact, not "5"',
        ),
        (BET.replace('"box":1,', ""), "place-bet.box is missing"),
        (BET[:-1] + ',"tip":1}', "place-bet has no field 'tip'; there are by, patron, box, on, stake_cents, round"),
        (BET.replace("patron:ann", "king:ann"), "place-bet.by must be role:person with a role of patron, dealer"),
        (
            '{"kind":"report","by":"dealer:d","situation":"x","facts":{"claims":[{"patron":"a","box":1,"hand":"left"}]}}',
            'report.facts.claims[0].hand must be one of player, banker, not "left"',
        ),
        (
            '{"kind":"correct-cards","by":"dealer:d","cards":"9h 1x","reason":""}',
            "correct-cards.cards: Card 2, '1x', is not",
        ),
    ):
        with pytest.raises(Refused) as refused:
            parse_command(text)
        assert says in say(refused.value.refusal)


def test_a_confirmation_does_not_contain_another_confirmation() -> None:
    inner = ConfirmationAsked(DAN, 1, (), Role.PIT_SUPERVISOR)
    waits = {
        "kind": "confirmation-asked",
        "by": "dealer:dan",
        "case": 1,
        "events": [to_data(inner)],
        "to": "pit-supervisor",
    }
    assert read(read_event, waits) == "command-unknown"


WRONG: list[Any] = [None, True, 0, -1, 2**53, 1.0, "", "x", "patron:ann", "9h", "9h Kd", "1:1", "a\nb", "\u200b", "é"]
WRONG += [[], {}, "win", "player", "x" * 1_001, {"kind": "round-closed"}]


@pytest.mark.parametrize("kind", EVENTS.values(), ids=kind_of)
@settings(max_examples=30, derandomize=True, deadline=None)
@given(data=st.data())
def test_however_a_payload_comes_it_is_judged_alike(kind: type[Event], data: st.DataObject) -> None:
    plain = to_data(data.draw(instances(kind)))
    spoilt: Any = plain
    for _ in range(data.draw(st.integers(0, 2))):  # into a bet, a line, a list of them
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
    judged = read(read_event, plain)
    assert judged == read(parse_event, json.dumps(plain, ensure_ascii=data.draw(st.booleans())))
    assert judged == read(parse_event, msgspec.json.encode(plain))


# ------------------------------------------------------------------------------------------- at the edge


def parse_asked(text: str, by: Actor) -> Command:
    return command_by(Reader[Struct](AnyCommand).parse(text), by)


def test_a_patron_need_not_say_who_they_are() -> None:
    asked = '{"kind":"place-bet","box":1,"on":"tie","stake_cents":500}'
    assert parse_asked(asked, ANN) == parse_command(BET)
    assert read_command_by(json.loads(asked), ANN) == parse_command(BET)
    assert command_by(new_command("place-bet", box=1, on="tie", stake_cents=500), ANN) == parse_command(BET)
    assert parse_asked('{"kind":"sit","box":1,"patron":"bo"}', ANN) == Sit(ANN, "bo", 1)


def test_staff_name_the_patron() -> None:
    assert read(lambda text: parse_asked(text, DAN), '{"kind":"sit","box":1}') == "field-missing"
    assert parse_asked('{"kind":"sit","box":1,"patron":"bo"}', DAN) == Sit(DAN, "bo", 1)


@pytest.mark.parametrize("kind", COMMANDS.values(), ids=kind_of)
@settings(max_examples=5, derandomize=True, deadline=None)
@given(data=st.data())
def test_every_command_can_be_given_at_the_edge(kind: type[Command], data: st.DataObject) -> None:
    command = data.draw(instances(kind))
    plain = to_data(command)
    del plain["by"]
    assert parse_asked(json.dumps(plain), command.by) == command
    assert read_command_by(plain, command.by) == command
