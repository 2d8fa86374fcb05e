"""What goes out: derived from the core where the core has it, named by its unit, and without what nobody may see."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from punto.protocol import shown, views
from punto.protocol.codec import Reader, parse_event, read_command_by
from punto.rules.bets import Result
from punto.rules.loader import load_all
from punto.rules.plain import plain
from punto.rules.refusals import Refused
from punto.rules.settlement import Line
from punto.rules.sheet import Role
from punto.table.act import EVENTS, Event, Sees, kind_of
from punto.table.actor import Actor
from punto.table.acts.places import Sit
from punto.table.acts.shoe import ShoeLoaded
from punto.table.rulings.cases import ConfirmationAsked
from punto.table.values import Adjustment, Paid, Returned
from punto.web.openapi import components
from tests.unit.test_protocol_codec import instances

SCHEMAS = components()
DAN = Actor("dan", Role.DEALER)


# ------------------------------------------------------------------------------------------- events and sheets


@pytest.mark.parametrize("kind", EVENTS.values(), ids=kind_of)
@settings(max_examples=5, derandomize=True, deadline=None)
@given(data=st.data())
def test_staff_see_every_event_as_in_the_log(kind: type[Event], data: st.DataObject) -> None:
    event = data.draw(instances(kind))
    seen = shown.show_event(event)
    told = event.public() if isinstance(event, ShoeLoaded) else event
    assert parse_event(msgspec.json.encode(seen)) == told
    assert msgspec.json.decode(msgspec.json.encode(seen), type=shown.Event) == seen


@pytest.mark.parametrize(
    ("kind", "net"),
    [
        (Line, lambda line: line.net_cents),
        (Returned, lambda _: 0),
        (Paid, lambda line: line.returned_cents - line.bet.stake_cents),
        (Adjustment, lambda line: line.correction_cents),
    ],
)
@settings(max_examples=5, derandomize=True, deadline=None)
@given(data=st.data())
def test_every_line_says_what_it_brought_and_what_became_of_the_bet(
    kind: type, net: Callable[[Any], int], data: st.DataObject
) -> None:
    line = data.draw(instances(kind))
    seen = shown.show_line(line)
    assert seen.net_cents == net(line)
    assert seen.result in set(Result)
    assert (seen.bet.on, seen.bet.stake_cents) == (line.bet.on, line.bet.stake_cents)
    assert msgspec.json.decode(msgspec.json.encode(seen), type=shown.BetLine) == seen


@pytest.mark.parametrize("kind", EVENTS.values(), ids=kind_of)
@settings(max_examples=5, derandomize=True, deadline=None)
@given(data=st.data())
def test_what_is_for_staff_or_for_one_patron_can_be_unset(kind: type[Event], data: st.DataObject) -> None:
    seen = shown.show_event(data.draw(instances(kind)))
    hidden = {name for name, sees in kind.hidden_fields().items() if sees is not Sees.NOBODY}
    restricted = msgspec.structs.replace(seen, **dict.fromkeys(hidden, msgspec.UNSET))
    plain_ = msgspec.json.decode(msgspec.json.encode(restricted))
    assert not hidden & plain_.keys()
    assert msgspec.json.decode(msgspec.json.encode(restricted), type=shown.Event) == restricted


def test_no_form_of_an_event_can_hold_the_order_of_a_shoe() -> None:
    assert not {"cards", "salt"} & SCHEMAS["ShoeLoaded"]["properties"].keys()
    loaded = ShoeLoaded(DAN, 1, 416, 400, "c", (), "salt")
    assert b"salt" not in msgspec.json.encode(
        shown.show_event(ConfirmationAsked(DAN, 1, (loaded,), Role.PIT_SUPERVISOR))
    )


@pytest.mark.parametrize("sheet", load_all(), ids=lambda sheet: sheet.id)
def test_a_sheet_goes_out_whole(sheet: Any) -> None:
    text = msgspec.json.encode(shown.show_sheet(sheet))
    assert msgspec.json.decode(text) == {
        **plain(sheet),
        "paragraphs": sheet.paragraphs,
        "fingerprint": sheet.fingerprint,
    }
    assert msgspec.json.decode(text, type=shown.RuleSheet) == shown.show_sheet(sheet)


# ------------------------------------------------------------------------------------------- what comes in


def read(kind: Any, text: str) -> Any:
    try:
        return Reader[Any](kind).parse(text)
    except Refused as error:
        return str(error.refusal.code)


def test_bodies_and_messages_are_read_strictly() -> None:
    assert read(views.BuyCredits, '{"amount_cents":5}') == views.BuyCredits(5)
    for body, code in (
        ('{"amount_cents":5,"tip":1}', "field-unknown"),
        ('{"amount_cents":5,"amount_cents":5}', "unreadable"),
        ('{"amount_cents":0}', "field-type"),
        ('{"amount_cents":5.0}', "field-type"),
        ('{"amount_cents":"5"}', "field-type"),
        ("{}", "field-missing"),
        ("[]", "unreadable"),
        ("{", "unreadable"),
    ):
        assert read(views.BuyCredits, body) == code
    assert read(views.CashOut, "{}") == views.CashOut()
    assert read(views.Join, '{"name":"a\\u0000"}') == "field-type"
    assert read(views.TableTiming, '{"card_ms":3600001}') == "field-type"
    table = '{"table":"t","game":"g","decks":8,"minimum_cents":1,"differential_cents":2,"mode":"live"}'
    assert read(views.NewTable, table).mode == "live"
    assert read(views.NewTable, table[:-1] + ',"live":true}') == "field-unknown"
    assert read(views.NewTable, table.replace('"live"', '"lively"')) == "field-type"


def test_a_command_in_a_message_is_read_after_its_key() -> None:
    for command in ('{"kind":"sit","box":1}', '{"box":1,"kind":"sit"}', '{"kind":"sit",\n"box":1}'):
        message = read(views.ClientMessage, '{"type":"command","key":"k","command":' + command + "}")
        assert message.key == "k"
        assert read_command_by(message.command, Actor("ann")) == Sit(Actor("ann"), "ann", 1)
    told = '{"type":"command","key":"k","command":{"kind":"\\ud800"}}'
    assert read(views.ClientMessage, told) == "unreadable", "though anything may stand there"
    assert read(views.ClientMessage, '{"type":"ping"}') == views.Ping()
    assert read(views.ClientMessage, '{"type":"hello","after":"1"}') == "field-type"


# ------------------------------------------------------------------------------------------- components


def test_amounts_and_times_say_their_unit() -> None:
    amounts = {"cents", "balance", "stake", "amount", "before", "in_play", "differential", "unit", "returned"}
    times = {"at", "now", "ends_at", "opened_at", "closed_at", "settled_at", "ms"}
    counts = {"minimum", "maximum"}  # of decks, or of whatever an input asks for
    lists = {
        ("CardsReordered", "before"),
        ("RoundSettled", "returned"),
        ("OfferedBet", "returned"),
        ("BetFigures", "returned"),
        ("BetWay", "amount"),
        ("InsuranceWay", "amount"),
        ("StatementEntry", "in_play"),
    }
    for name, schema in SCHEMAS.items():
        for field in schema.get("properties", {}):
            assert field not in amounts | times or (name, field) in lists, f"{name}.{field}"
            assert field not in counts or name in {"Decks", "Input"}, f"{name}.{field}"
