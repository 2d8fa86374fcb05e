"""The words of a table: every command, event and refusal has its name, and what is left out has a meaning."""

from __future__ import annotations

from dataclasses import MISSING, fields
from types import ModuleType
from typing import Any

import pytest

from punto.rules.cards import parse_cards
from punto.rules.refusals import Refusal
from punto.rules.sheet import Device, Role
from punto.table import commands as c
from punto.table import events as e
from punto.table import refusals as r
from tests.table_kit import DEALER, MANAGER, SHIFT, SUPERVISOR, patron


def kinds(module: ModuleType, base: type) -> set[type]:
    """The classes of a kind that a module knows, without those that others are made of."""
    found = {each for each in vars(module).values() if isinstance(each, type) and issubclass(each, base)}
    return {each for each in found if not any(other is not each and issubclass(other, each) for other in found)}


def test_every_command_has_its_name() -> None:
    assert set(c.COMMANDS.values()) == kinds(c, c.Command)
    assert c.COMMANDS["place-bet"] is c.PlaceBet


def test_every_event_has_its_name() -> None:
    assert set(e.EVENTS.values()) == kinds(e, e.Event)
    assert e.EVENTS["bet-placed"] is e.BetPlaced


def test_every_refusal_has_its_rank() -> None:
    assert set(r.TABLE_REFUSALS) == kinds(r, Refusal)
    assert len(r.TABLE_REFUSALS) == len(set(r.TABLE_REFUSALS))


LEFT_OUT: dict[type, dict[str, Any]] = {
    c.OpenTable: {
        **dict.fromkeys(("face_down", "live", "without_insurance", "second_person", "private"), False),
        "unit_cents": 1,
        "layout": None,
        "boxes": None,
        "sides": (),
        "name": "",
        "second_role": Role.PIT_SUPERVISOR,
        "waiver_consent": None,
        "device": Device.CARD_SHOE,
        "burn": c.Burn.NONE,
    },
    c.Leave: {"absent": False},
    c.RecordedBet: {"decided": False},
    c.RoundRecord: {
        **dict.fromkeys(("taken_back", "other_cards", "claims", "cards_at_settlement", "paid"), ()),
        **dict.fromkeys(("order_known", "without_insurance", "waived", "limits_lifted", "pro_rata", "void"), False),
        "cards_left": 0,
        "forgone": frozenset(),
    },
    e.Adjustment: {"line": None, "decided": False},
    e.TableOpened: {
        "second_role": Role.PIT_SUPERVISOR,
        "private": False,
        "waiver_consent": c.Consent.ASK,
        "device": Device.CARD_SHOE,
        "burn": c.Burn.NONE,
        "name": "",
        "fingerprint": "",
    },
    e.TableClosed: {"keeps": False},
    e.ShoeLoaded: {"cards": (), "salt": None, "checked": False, "shuffled": False},
    e.PatronLeft: {"bets_stay": False, "absent": False},
    e.BetPlaced: {"as_it_lies": False, "rule": None},
    e.BetRaised: {"as_it_lies": False, "rule": None},
    e.CardDealt: {"face_down": False, "carried": False, "reading": None, "closed": False},
    e.RoundAdjusted: {"reverses": False, "shoe": None, "cards_before": (), "cards": ()},
    e.LimitsLifted: {"sides": False},
}


@pytest.mark.parametrize("kind", LEFT_OUT)
def test_what_is_left_out_means_what_it_always_meant(kind: Any) -> None:
    """A log of an earlier version does not say what came later, and is read as the table was then."""
    assert {each.name: each.default for each in fields(kind) if each.default is not MISSING} == LEFT_OUT[kind]


@pytest.mark.parametrize(
    ("text", "actor"),
    [
        ("patron:ann", patron("ann")),
        ("patron:ann@dealer", patron("ann@dealer")),
        ("dealer:dan", DEALER),
        ("dealer:dan@home", c.Actor("dan@home", Role.DEALER)),
        ("pit-supervisor:dan@dealer", c.Actor("dan", Role.PIT_SUPERVISOR, Role.DEALER)),
        ("pit-supervisor:d@n@dealer", c.Actor("d@n", Role.PIT_SUPERVISOR, Role.DEALER)),
        ("dealer:a:b", c.Actor("a:b", Role.DEALER)),
        ("dealer:pit-manager", c.Actor("pit-manager", Role.DEALER)),
    ],
)
def test_who_acts_is_written_with_a_role(text: str, actor: c.Actor) -> None:
    assert c.Actor.parse(text) == actor
    assert actor.text == text


@pytest.mark.parametrize(
    "text", ["", "dan", "dealer", "patron", "dealer:", "patron:", "cook:dan", ":dan", "dealer dan"]
)
def test_who_acts_without_a_role_or_a_name_is_nobody(text: str) -> None:
    with pytest.raises(ValueError, match="is not role:person with a role of patron, "):
        c.Actor.parse(text)


@pytest.mark.parametrize(
    ("actor", "roles"),
    [
        (patron("ann"), 0),
        (DEALER, 1),
        (SUPERVISOR, 2),
        (MANAGER, 3),
        (SHIFT, 4),
        (c.Actor("dan", Role.PIT_MANAGER, Role.DEALER), 3),
        (c.Actor("sue", Role.DEALER, Role.PIT_SUPERVISOR), 2),
    ],
)
def test_staff_may_act_up_to_their_position_or_their_own_role(actor: c.Actor, roles: int) -> None:
    by_level = sorted(Role, key=lambda role: role.level)
    assert [role for role in by_level if actor.may_act_as(role)] == by_level[:roles]


def test_da_hu_ying_xiong_3_14_only_to_see_bankers_third_card_first_waives_the_second_window() -> None:
    assert [what for what in c.SqueezeOf if what.waives] == [
        c.SqueezeOf.BANKER_THIRD_FIRST,
        c.SqueezeOf.SHOW_BANKER_THIRD,
    ]


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        ("9h 2c", "2c 9h", e.CardChange.ORDER),
        ("9h 2c", "9h 2c", e.CardChange.ORDER),
        ("9h 2c", "2c 9h Kd", e.CardChange.ORDER),
        ("9h 2c", "9h Kd 2c", e.CardChange.ORDER),
        ("9h 2c", "9h 2c Kd", e.CardChange.ADDITION),
        ("", "9h", e.CardChange.ADDITION),
        ("9h 9h", "9h", e.CardChange.REMOVAL),
        ("9h 2c", "2c", e.CardChange.REMOVAL),
        ("9h 2c", "9h 3c", e.CardChange.SUBSTITUTION),
        ("9h 2c", "9h 9h", e.CardChange.SUBSTITUTION),
        ("9h 2c", "3c", e.CardChange.SUBSTITUTION),
    ],
)
def test_what_a_change_of_recorded_cards_is_called(before: str, after: str, change: e.CardChange) -> None:
    assert e.CardChange.between(parse_cards(before), parse_cards(after)) is change
