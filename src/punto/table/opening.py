"""Opening a table within what its sheet allows."""

from __future__ import annotations

from punto.rules.differential import Limits
from punto.rules.money import MAX_CENTS
from punto.rules.reasons import Problem, ProblemError
from punto.rules.refusals import DecksNotAllowed, LimitsInvalid, Refusal
from punto.rules.sheet import Device
from punto.table import commands as c
from punto.table import events as e
from punto.table.bounds import Input, InputType, Way
from punto.table.refusals import (
    BurnNotAllowed,
    DeviceNotAllowed,
    GameMismatch,
    LayoutNotAllowed,
    NameInvalid,
    PrivateNotAllowed,
)
from punto.table.state import State


def ways_to_open(state: State) -> tuple[Way, ...]:
    """The inputs to open a table of the sheet. The limits must also be consistent with each other."""
    sheet, layouts = state.sheet, state.sheet.boxes.layouts
    decks = Input(
        "decks",
        InputType.NUMBER,
        refused="decks-not-allowed",
        minimum=sheet.decks.minimum,
        maximum=sheet.decks.maximum,
    )
    refused = "layout-not-allowed"
    layout = Input("layout", InputType.ONE_OF, refused=refused, allowed=tuple([each.id for each in layouts]))
    boxes = Input("boxes", InputType.NUMBER, refused=refused, minimum=1)
    limits = [
        Input(name, InputType.NUMBER, refused="limits-invalid", minimum=minimum, maximum=MAX_CENTS - 1)
        for name, minimum in (("minimum_cents", 0), ("differential_cents", 1), ("unit_cents", 1))
    ]
    return (Way(inputs=(Input("table", InputType.TEXT), decks, layout if layouts else boxes, *limits)),)


def open_table(state: State, command: c.OpenTable) -> tuple[e.Event, ...] | Refusal:
    """Open a table that its sheet allows."""
    sheet = state.sheet
    if command.game != sheet.id:
        return GameMismatch(command.game, sheet.id)
    if not printable(command.table):
        return NameInvalid()
    layout = next((each for each in sheet.boxes.layouts if each.id == command.layout), None)
    boxes = layout.boxes if layout else command.boxes
    needs_layout = bool(sheet.boxes.layouts)
    if (layout is None) is needs_layout or command.boxes not in {None, boxes} or (boxes or 0) < 1:
        known = tuple([each.id for each in sheet.boxes.layouts])
        return LayoutNotAllowed(command.layout, command.boxes, known, rule=sheet.boxes.layouts_rule)
    if command.layout is not None and not needs_layout:
        return LayoutNotAllowed(command.layout, command.boxes, (), rule=sheet.boxes.layouts_rule)
    if command.decks not in sheet.decks:
        decks = sheet.decks
        return DecksNotAllowed(sheet.title, command.decks, decks.minimum, decks.maximum, rule=decks.rule)
    if refusal := _refuse_limits(state, command):
        return refusal
    if command.without_insurance and not (sheet.insurance and sheet.insurance.private_table_rule):
        return PrivateNotAllowed()
    if command.device not in sheet.play.devices:
        return DeviceNotAllowed(command.device, sheet.play.devices, rule=sheet.play.initial_cards_rule)
    if command.burn is not c.Burn.NONE and command.device is Device.SHUFFLER:
        return BurnNotAllowed(rule=sheet.play.shuffler_rule)
    return (
        e.TableOpened(
            command.by,
            command.table,
            sheet.id,
            sheet.effective,
            command.decks,
            boxes or 0,
            command.minimum_cents,
            command.differential_cents,
            command.unit_cents,
            command.layout,
            command.sides,
            command.face_down,
            command.live,
            command.without_insurance,
            command.second_person,
            command.waiver_consent or (c.Consent.ASK if command.live else c.Consent.NEVER),
            command.device,
            command.burn,
        ),
    )


def printable(name: str) -> bool:
    """Whether a name can be shown to people."""
    return bool(name.strip()) and name.isprintable()


def _refuse_limits(state: State, command: c.OpenTable) -> Refusal | None:
    rule = state.sheet.limits.shown_rule if state.sheet.limits else None
    if max(command.minimum_cents, command.differential_cents, command.unit_cents) >= MAX_CENTS:
        return LimitsInvalid(Problem.LIMITS_TOO_LARGE, rule=rule)
    try:
        Limits(command.minimum_cents, command.differential_cents, command.unit_cents)
    except ProblemError as error:
        return LimitsInvalid(error.problem, rule=rule)
    may_limit = [on for on in state.sheet.bet_ids if on not in state.sheet.bets or state.sheet.bets[on].hand is None]
    for side in command.sides:
        if side.on not in may_limit or [each.on for each in command.sides].count(side.on) > 1:
            return LimitsInvalid(Problem.SIDE_BET_UNKNOWN, side.on, rule=rule)
        unit = command.unit_cents
        if not 0 <= side.minimum_cents <= side.maximum_cents or side.minimum_cents % unit or side.maximum_cents % unit:
            return LimitsInvalid(Problem.SIDE_BET_LIMITS, side.on, rule=rule)
    return None
