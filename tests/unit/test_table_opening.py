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
from punto.table import commands as c
from punto.table import events as e
from punto.table.bounds import Input, InputType, Way
from punto.table.decide import decide
from punto.table.opening import (
    bets_with_limits,
    printable,
    refuse_insurance_change,
    refuse_resumption,
    refuse_suspension,
    set_up_inputs,
    ways_to_change_limits,
    ways_to_open,
)
from punto.table.refusals import (
    BurnNotAllowed,
    DeviceNotAllowed,
    GameMismatch,
    LayoutNotAllowed,
    NameInvalid,
    NotAtBox,
    NothingToChange,
    NotPrivate,
    PrivateNotAllowed,
    ReasonMissing,
    SecondRoleTooLow,
    SheetIncomplete,
    TableNameInvalid,
)
from punto.table.state import new_table
from tests.table_kit import SUPERVISOR, Play

COMMISSION, TERMINALS, DA_HU = "commission", "non-commission", "da-hu-ying-xiong"
OPENING = c.OpenTable(SUPERVISOR, "t1", COMMISSION, 8, Cents(2_500), Cents(100_000), Cents(100), "bean-9")
ON_TERMINALS = replace(OPENING, game=TERMINALS, layout=None, boxes=40)
IN_DA_HU = replace(OPENING, game=DA_HU)
LAYOUTS = ("bean-9", "bean-7", "mini-7", "big-12")


def answer(opening: c.OpenTable, **given: Any) -> tuple[e.Event, ...] | Refusal:
    """What a table of the game of an opening answers to it."""
    return decide(new_table(load(opening.game)), replace(opening, **given))


def opened(opening: c.OpenTable, **given: Any) -> e.TableOpened:
    events = answer(opening, **given)
    assert not isinstance(events, Refusal), events
    (event,) = events
    assert isinstance(event, e.TableOpened)
    return event


# ------------------------------------------------------------------------------------------- what may be said

TABLE = Input("table", InputType.TEXT, refused="name-invalid")
DECKS = Input("decks", InputType.NUMBER, refused="decks-not-allowed", minimum=4, maximum=8)
LAYOUT = Input("layout", InputType.ONE_OF, refused="layout-not-allowed", allowed=LAYOUTS)
BOXES = Input("boxes", InputType.NUMBER, refused="layout-not-allowed", minimum=1)
MOST = 9_999_999_999_999
MINIMUM = Input("minimum_cents", InputType.NUMBER, refused="limits-invalid", minimum=0, maximum=MOST)
DIFFERENTIAL = Input("differential_cents", InputType.NUMBER, refused="limits-invalid", minimum=1, maximum=MOST)
UNIT = Input("unit_cents", InputType.NUMBER, refused="limits-invalid", minimum=1, maximum=MOST)


def test_a_table_needs_a_name_decks_boxes_and_limits() -> None:
    to_open = (TABLE, DECKS, LAYOUT, MINIMUM, DIFFERENTIAL, UNIT)
    assert ways_to_open(new_table(load(COMMISSION))) == (Way(inputs=to_open),)
    on_terminals = (TABLE, DECKS, BOXES, MINIMUM, DIFFERENTIAL, UNIT)
    assert ways_to_open(new_table(load(TERMINALS))) == (Way(inputs=on_terminals),)
    assert ways_to_change_limits(Play(COMMISSION).state) == (Way(inputs=(MINIMUM, DIFFERENTIAL)),)


def test_a_sheet_of_mathematics_opens_no_table() -> None:
    incomplete = new_table(replace(load(COMMISSION), missing=("boxes",)))
    assert ways_to_open(incomplete) == decide(incomplete, OPENING) == SheetIncomplete(COMMISSION, ("boxes",))


def choice(name: str, refused: str, *allowed: str) -> Input:
    return Input(name, InputType.ONE_OF, False, refused=refused, allowed=allowed)


def flag(name: str, refused: str = "facts-contradict") -> Input:
    return Input(name, InputType.FLAG, False, refused=refused)


NAME = Input("name", InputType.TEXT, False, refused="table-name-invalid", maximum=40)
BURN = choice("burn", "burn-not-allowed", "none", "first-card")
CARD_SHOE = choice("device", "device-not-allowed", "card-shoe")
DEVICES = choice("device", "device-not-allowed", "card-shoe", "shuffler")
SECOND_ROLE = choice("second_role", "second-role-too-low", "pit-supervisor", "pit-manager", "shift-manager")
SECOND_PERSON = flag("second_person", "not-permitted")
PRIVATE = (flag("private", "private-not-allowed"), flag("without_insurance", "private-not-allowed"))


@pytest.mark.parametrize(
    ("game", "live", "options"),
    [
        (COMMISSION, True, (NAME, flag("live"), DEVICES, BURN, flag("face_down"), SECOND_ROLE)),
        (TERMINALS, False, (NAME, flag("live"), CARD_SHOE, BURN, flag("face_down"), SECOND_PERSON, SECOND_ROLE)),
        (
            "commission-insurance",
            True,
            (
                *(NAME, flag("live"), CARD_SHOE, BURN, flag("face_down")),
                *(choice("waiver_consent", "facts-contradict", "ask", "always", "never"), SECOND_ROLE),
            ),
        ),
        (
            DA_HU,
            False,
            (
                *(NAME, flag("live"), DEVICES, BURN, flag("face_down")),
                choice("waiver_consent", "facts-contradict", "never", "always", "ask"),
                *(*PRIVATE, SECOND_PERSON, SECOND_ROLE),
            ),
        ),
    ],
)
def test_what_else_may_be_said_of_a_table(game: str, live: bool, options: tuple[Input, ...]) -> None:
    """At an automatic table nobody gives consent first; at a live one a second person is never in question."""
    sheet = load(game)
    ways = ways_to_open(new_table(sheet))
    assert not isinstance(ways, Refusal)
    assert set_up_inputs(sheet, live=live) == (*ways[0].inputs, *options)


def test_side_bets_and_insurance_have_limits_of_their_own() -> None:
    assert bets_with_limits(load(COMMISSION)) == ["tie", "player-pair", "banker-pair"]
    assert bets_with_limits(load("commission-insurance"))[-2:] == ["player-insurance", "banker-insurance"]


@pytest.mark.parametrize(
    ("name", "shown"), [("Dragon", True), (" a ", True), ("", False), ("  ", False), ("a\nb", False), ("\u200b", False)]
)
def test_a_name_can_be_shown(name: str, shown: bool) -> None:
    assert printable(name) is shown


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
        (ON_TERMINALS, {"boxes": None}, LayoutNotAllowed(None, None, (), rule="2.1.1")),
        (ON_TERMINALS, {"boxes": 0}, LayoutNotAllowed(None, 0, (), rule="2.1.1")),
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
        (OPENING, {"device": Device.SHUFFLER, "burn": c.Burn.FIRST_CARD}, BurnNotAllowed(rule="1.6")),
    ],
)
def test_what_a_table_cannot_be(opening: c.OpenTable, given: dict[str, Any], refusal: Refusal) -> None:
    assert answer(opening, **given) == refusal


def test_a_table_is_of_the_game_of_its_sheet() -> None:
    assert decide(new_table(load(COMMISSION)), ON_TERMINALS) == GameMismatch(TERMINALS, COMMISSION)


def invalid(problem: Problem, on: str | None = None) -> LimitsInvalid:
    return LimitsInvalid(problem, on, rule="3.4")


def side(on: str, minimum: int, maximum: int) -> c.BetLimits:
    return c.BetLimits(on, Cents(minimum), Cents(maximum))


LIMITS: list[tuple[int, int, tuple[c.BetLimits, ...], LimitsInvalid | None]] = [
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
    minimum: int, differential: int, sides: tuple[c.BetLimits, ...], refusal: LimitsInvalid | None
) -> None:
    """They are checked in the same way when a table is opened and when they change; the chip unit is 1.00."""
    given = answer(OPENING, minimum_cents=Cents(minimum), differential_cents=Cents(differential), sides=sides)
    assert (given if isinstance(given, Refusal) else None) == refusal
    changing = c.ChangeLimits(SUPERVISOR, Cents(minimum), Cents(differential), sides)
    changed = e.LimitsChanged(SUPERVISOR, 1, Cents(minimum), Cents(differential), sides, "3.4")
    assert Play(COMMISSION).decide(changing) == (refusal or (changed,))


def test_no_side_bet_has_a_minimum_below_nothing() -> None:
    given = answer(OPENING, unit_cents=Cents(1), sides=(side("tie", -1, 100),))
    assert given == invalid(Problem.SIDE_BET_LIMITS, "tie")


def test_limits_of_a_sheet_without_a_paragraph_for_them_cite_none() -> None:
    assert answer(ON_TERMINALS, unit_cents=Cents(MAX_CENTS)) == LimitsInvalid(Problem.LIMITS_TOO_LARGE)
    changing = c.ChangeLimits(SUPERVISOR, Cents(100), Cents(200))
    assert Play(TERMINALS).do(changing) == (e.LimitsChanged(SUPERVISOR, 1, Cents(100), Cents(200), (), None),)


# ------------------------------------------------------------------------------------------- what is recorded


def test_a_table_is_opened_as_it_was_said() -> None:
    sheet, sides = load(DA_HU), (side("tie", 100, 500),)
    given = replace(IN_DA_HU, sides=sides, face_down=True, burn=c.Burn.FIRST_CARD, name=" The Dragon ", boxes=9)
    assert opened(given, waiver_consent=c.Consent.ALWAYS, second_role=Role.PIT_MANAGER) == e.TableOpened(
        *(SUPERVISOR, "t1", DA_HU, sheet.effective, 8, 9, Cents(2_500), Cents(100_000), Cents(100), "bean-9", sides),
        face_down=True,
        live=False,
        without_insurance=False,
        second_person=False,
        second_role=Role.PIT_MANAGER,
        waiver_consent=c.Consent.ALWAYS,
        burn=c.Burn.FIRST_CARD,
        name="The Dragon",
        fingerprint=sheet.fingerprint,
    )
    assert opened(OPENING, device=Device.SHUFFLER).device is Device.SHUFFLER
    assert opened(OPENING, name="n" * 40).name == "n" * 40
    assert opened(ON_TERMINALS).boxes == 40
    assert opened(ON_TERMINALS, boxes=1).boxes == 1


@pytest.mark.parametrize(
    ("live", "second", "confirmed"), [(False, False, False), (False, True, True), (True, False, True)]
)
def test_a_second_person_confirms_at_every_live_table(live: bool, second: bool, confirmed: bool) -> None:
    assert opened(OPENING, live=live, second_person=second).second_person is confirmed


@pytest.mark.parametrize(
    ("private", "without", "is_private"), [(False, False, False), (True, False, True), (False, True, True)]
)
def test_a_table_without_insurance_is_private(private: bool, without: bool, is_private: bool) -> None:
    event = opened(IN_DA_HU, private=private, without_insurance=without)
    assert (event.private, event.without_insurance) == (is_private, without)


def test_the_house_is_asked_for_consent_only_where_somebody_is_there() -> None:
    assert opened(IN_DA_HU, live=True).waiver_consent is c.Consent.ASK
    assert opened(IN_DA_HU).waiver_consent is c.Consent.NEVER
    assert opened(IN_DA_HU, live=True, waiver_consent=c.Consent.NEVER).waiver_consent is c.Consent.NEVER


# ------------------------------------------------------------------------------------------- between rounds


def test_play_is_suspended_with_a_reason_and_resumed() -> None:
    play = Play(COMMISSION)
    assert (refuse_suspension(play.state), refuse_resumption(play.state)) == (None, NothingToChange())
    assert play.decide(c.ResumePlay(SUPERVISOR)) == NothingToChange()
    assert play.decide(c.SuspendPlay(SUPERVISOR, "  ")) == ReasonMissing()
    assert play.do(c.SuspendPlay(SUPERVISOR, "fire")) == (e.PlaySuspended(SUPERVISOR, "fire"),)
    assert (refuse_suspension(play.state), refuse_resumption(play.state)) == (NothingToChange(), None)
    assert play.decide(c.SuspendPlay(SUPERVISOR, "fire")) == NothingToChange()
    assert play.do(c.ResumePlay(SUPERVISOR)) == (e.PlayResumed(SUPERVISOR),)


def test_a_patron_of_a_private_table_has_insurance_offered_or_not() -> None:
    play = Play(DA_HU, private=True).sit("ann")
    assert refuse_insurance_change(play.state, "ann", offered=False) is None
    assert refuse_insurance_change(play.state, "ann", offered=True) == NothingToChange(rule="4.2.2")
    assert refuse_insurance_change(play.state, "bo", offered=False) == NotAtBox(None)
    asking = c.ChangeInsurance(SUPERVISOR, "ann", offered=False)
    assert play.decide(replace(asking, patron="bo")) == NotAtBox(None)
    assert play.do(asking) == (e.InsuranceChanged(SUPERVISOR, 1, "ann", False, "4.2.2"),)
    without = Play(DA_HU, without_insurance=True).sit("ann")
    assert refuse_insurance_change(without.state, "ann", offered=True) is None
    assert refuse_insurance_change(without.state, "ann", offered=False) == NothingToChange(rule="4.2.2")
    public = Play(DA_HU).sit("ann")
    assert refuse_insurance_change(public.state, "ann", offered=False) == NotPrivate(rule="4.2.2")
    for game in (COMMISSION, "commission-insurance"):
        assert refuse_insurance_change(Play(game).sit("ann").state, "ann", offered=False) == PrivateNotAllowed()
