"""Opening a table: what may be said of it, what is refused, what is recorded, and what changes between rounds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from punto.rules.loader import load
from punto.rules.money import MAX_CENTS, Cents
from punto.rules.reasons import Problem
from punto.rules.refusals import DecksNotAllowed, LimitsInvalid, Refusal
from punto.rules.sheet import Device, Role
from punto.table import acts
from punto.table.draft import Draft
from punto.table.engine import decide
from punto.table.refusals import (
    BurnNotAllowed,
    DeviceNotAllowed,
    GameMismatch,
    LayoutNotAllowed,
    NameInvalid,
    NothingToChange,
    PrivateNotAllowed,
    ReasonMissing,
    SecondRoleTooLow,
    TableNameInvalid,
)
from punto.table.state import Settings, new_table
from punto.table.values import BetLimits, Burn, Consent
from tests.table_kit import SUPERVISOR, Play

COMMISSION, TERMINALS, DA_HU = "commission", "non-commission", "da-hu-ying-xiong"
SETTINGS = Settings("t1", 8, Cents(2_500), Cents(100_000), Cents(100), "bean-9")
OPENING = acts.OpenTable(SUPERVISOR, COMMISSION, SETTINGS)
ON_TERMINALS = acts.OpenTable(SUPERVISOR, TERMINALS, replace(SETTINGS, layout=None, boxes=40))
IN_DA_HU = replace(OPENING, game=DA_HU)
LAYOUTS = ("bean-9", "bean-7", "mini-7", "big-12")


def answer(opening: acts.OpenTable, **given: Any) -> Draft | Refusal:
    """What a table of the game of an opening answers to it, with these settings."""
    return decide(new_table(load(opening.game)), replace(opening, settings=replace(opening.settings, **given)))


def opened(opening: acts.OpenTable, **given: Any) -> Settings:
    """The settings of a table that was opened with these."""
    events = answer(opening, **given)
    assert not isinstance(events, Refusal), events
    (event,) = events
    assert isinstance(event, acts.TableOpened)
    assert event == acts.TableOpened(
        SUPERVISOR,
        opening.game,
        event.effective,
        event.fingerprint,
        event.settings,
        opening.asked_by if event.settings.without_insurance else None,
    )
    assert events.state.settings is event.settings
    return event.settings


# ------------------------------------------------------------------------------------------- what is refused


def no_layout(layout: str | None, boxes: int | None) -> LayoutNotAllowed:
    return LayoutNotAllowed(layout, boxes, LAYOUTS, rule="2.1.1")


@pytest.mark.parametrize(
    ("opening", "given", "refusal"),
    [
        (OPENING, {"table": " "}, NameInvalid()),
        (OPENING, {"name": " "}, TableNameInvalid(40)),
        (OPENING, {"name": "a\n"}, TableNameInvalid(40)),
        (OPENING, {"name": "n" * 41}, TableNameInvalid(40)),
        (OPENING, {"layout": None}, no_layout(None, None)),
        (OPENING, {"layout": None, "boxes": 9}, no_layout(None, 9)),
        (OPENING, {"layout": "moon"}, no_layout("moon", None)),
        (OPENING, {"boxes": 8}, no_layout("bean-9", 8)),
        (ON_TERMINALS, {"boxes": 0}, LayoutNotAllowed(None, None, (), rule="2.1.1")),
        (ON_TERMINALS, {"layout": "bean-9"}, LayoutNotAllowed("bean-9", 40, (), rule="2.1.1")),
        (OPENING, {"decks": 3}, DecksNotAllowed(load(COMMISSION).title, 3, 4, 8, rule="2.2.1")),
        (OPENING, {"decks": 9}, DecksNotAllowed(load(COMMISSION).title, 9, 4, 8, rule="2.2.1")),
        (OPENING, {"without_insurance": True}, PrivateNotAllowed()),
        (replace(OPENING, game="commission-insurance"), {"without_insurance": True}, PrivateNotAllowed()),
        (OPENING, {"second_role": Role.DEALER}, SecondRoleTooLow(Role.PIT_SUPERVISOR)),
        (
            ON_TERMINALS,
            {"device": Device.SHUFFLER},
            DeviceNotAllowed(Device.SHUFFLER, (Device.CARD_SHOE,), rule="3.4"),
        ),
        (OPENING, {"device": Device.SHUFFLER, "burn": Burn.FIRST_CARD}, BurnNotAllowed(rule="1.6")),
    ],
)
def test_what_a_table_cannot_be(opening: acts.OpenTable, given: dict[str, Any], refusal: Refusal) -> None:
    assert answer(opening, **given) == refusal


def test_a_table_is_of_the_game_of_its_sheet() -> None:
    assert decide(new_table(load(COMMISSION)), ON_TERMINALS) == GameMismatch(TERMINALS, COMMISSION)


def invalid(problem: Problem, on: str | None = None) -> LimitsInvalid:
    return LimitsInvalid(problem, on, rule="3.4")


def side(on: str, minimum: int, maximum: int) -> BetLimits:
    return BetLimits(on, Cents(minimum), Cents(maximum))


LIMITS: list[tuple[int, int, tuple[BetLimits, ...], LimitsInvalid | None]] = [
    (0, 100, (), invalid(Problem.LIMITS_NOT_POSITIVE)),
    (100, 100, (), None),
    (100, MAX_CENTS - 100, (), None),
    (100, MAX_CENTS, (), invalid(Problem.LIMITS_TOO_LARGE)),
    (MAX_CENTS, 100, (), invalid(Problem.LIMITS_TOO_LARGE)),
    (0, 0, (), invalid(Problem.LIMITS_NOT_POSITIVE)),
    (200, 100, (), invalid(Problem.MINIMUM_ABOVE_DIFFERENTIAL)),
    (50, 100, (), invalid(Problem.LIMITS_OFF_UNIT)),
    (100, 100, (side("tie", 0, 100), side("player-pair", 100, 100)), None),
    (100, 100, (side("banker", 0, 100),), invalid(Problem.SIDE_BET_UNKNOWN, "banker")),
    (100, 100, (side("tie", 0, 100), side("tie", 0, 200)), invalid(Problem.SIDE_BET_UNKNOWN, "tie")),
    (100, 100, (side("tie", 0, 100), side("moon", 0, 200)), invalid(Problem.SIDE_BET_UNKNOWN, "moon")),
    (100, 100, (side("tie", -100, 100),), invalid(Problem.SIDE_BET_LIMITS, "tie")),
    (100, 100, (side("tie", 200, 100),), invalid(Problem.SIDE_BET_LIMITS, "tie")),
    (100, 100, (side("tie", 50, 100),), invalid(Problem.SIDE_BET_LIMITS, "tie")),
    (100, 100, (side("tie", 0, 150),), invalid(Problem.SIDE_BET_LIMITS, "tie")),
]


@pytest.mark.parametrize(("minimum", "differential", "sides", "refusal"), LIMITS)
def test_the_limits_of_a_table(
    minimum: int, differential: int, sides: tuple[BetLimits, ...], refusal: LimitsInvalid | None
) -> None:
    """They are checked in the same way when a table is opened and when they change; the chip unit is 1.00."""
    given = answer(OPENING, minimum_cents=Cents(minimum), differential_cents=Cents(differential), sides=sides)
    assert (given if isinstance(given, Refusal) else None) == refusal
    changing = acts.ChangeLimits(SUPERVISOR, Cents(minimum), Cents(differential), sides)
    changed = acts.LimitsChanged(SUPERVISOR, 1, Cents(minimum), Cents(differential), sides, "3.4")
    told = Play(COMMISSION).decide(changing)
    assert told == refusal if isinstance(told, Refusal) else [*told] == [changed]


def test_limits_of_a_sheet_without_a_paragraph_for_them_cite_none() -> None:
    assert answer(ON_TERMINALS, unit_cents=Cents(MAX_CENTS)) == LimitsInvalid(Problem.LIMITS_TOO_LARGE)
    changing = acts.ChangeLimits(SUPERVISOR, Cents(100), Cents(200))
    assert Play(TERMINALS).do(changing) == (acts.LimitsChanged(SUPERVISOR, 1, Cents(100), Cents(200), (), None),)


# ------------------------------------------------------------------------------------------- what is recorded


def test_a_table_is_opened_as_it_was_said() -> None:
    """The settings go from the command to the event to the state; what was left open is filled in."""
    given: dict[str, Any] = {"sides": (side("tie", 100, 500),), "face_down": True, "burn": Burn.FIRST_CARD, "boxes": 9}
    given |= {"waiver_consent": Consent.ALWAYS, "second_role": Role.PIT_MANAGER}
    shown = opened(IN_DA_HU, name=" The Dragon ", **given)
    assert shown == replace(SETTINGS, name="The Dragon", **given)
    assert shown.shown_name == "The Dragon"
    assert opened(OPENING).shown_name == "t1"
    assert opened(OPENING) == replace(SETTINGS, boxes=9, waiver_consent=Consent.NEVER)
    assert opened(OPENING, device=Device.SHUFFLER).device is Device.SHUFFLER
    assert opened(OPENING, name="n" * 40).name == "n" * 40
    assert (opened(ON_TERMINALS).boxes, opened(ON_TERMINALS, boxes=1).boxes) == (40, 1)


# ------------------------------------------------------------------------------------------- between rounds


def test_play_is_suspended_with_a_reason_and_resumed() -> None:
    play = Play(COMMISSION)
    assert play.decide(acts.ResumePlay(SUPERVISOR)) == NothingToChange()
    assert play.decide(acts.SuspendPlay(SUPERVISOR, "  ")) == ReasonMissing()
    assert play.do(acts.SuspendPlay(SUPERVISOR, "fire")) == (acts.PlaySuspended(SUPERVISOR, "fire"),)
    assert play.decide(acts.SuspendPlay(SUPERVISOR, "fire")) == NothingToChange()
    assert play.do(acts.ResumePlay(SUPERVISOR)) == (acts.PlayResumed(SUPERVISOR),)
