"""Opening a table: what its sheet allows, and nothing else."""

from __future__ import annotations

from punto.rules.differential import Limits
from punto.rules.money import MAX_CENTS
from punto.rules.refusals import Refusal
from punto.rules.sheet import Layout
from punto.table import commands as c
from punto.table import events as e
from punto.table.refusals import TableCode
from punto.table.state import State


def open_table(state: State, command: c.OpenTable) -> tuple[e.Event, ...] | Refusal:
    """A table as its sheet allows it."""
    sheet = state.sheet
    if command.game != sheet.id:
        return Refusal(TableCode.GAME_MISMATCH, f"this table's sheet is {sheet.id}, not {command.game}")
    if not printable(command.table):
        return Refusal(TableCode.NAME_INVALID, "a table has a name that can be printed")
    layout = next((each for each in sheet.boxes.layouts if each.id == command.layout), None)
    boxes = layout.boxes if layout else command.boxes
    if refusal := _refuse_layout(state, command, layout):
        return refusal
    if command.decks not in sheet.decks:
        message = (
            f"{sheet.title} is played with {sheet.decks.minimum} to {sheet.decks.maximum} decks, not {command.decks}"
        )
        return Refusal(TableCode.DECKS_NOT_ALLOWED, message, sheet.decks.rule)
    if refusal := _refuse_limits(state, command):
        return refusal
    notice = None
    if command.without_insurance:
        rule = sheet.insurance.private_table_rule if sheet.insurance else None
        if rule is None:
            message = f"{sheet.title} has no paragraph by which a table may run without insurance"
            return Refusal(TableCode.PRIVATE_NOT_ALLOWED, message)
        notice = f"No insurance is offered at this table ({rule})."
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
            notice,
        ),
    )


def printable(name: str) -> bool:
    """Whether a name can be shown to people."""
    return bool(name.strip()) and name.isprintable()


def _refuse_layout(state: State, command: c.OpenTable, layout: Layout | None) -> Refusal | None:
    boxes = state.sheet.boxes
    if boxes.layouts and layout is None:
        names = ", ".join(each.id for each in boxes.layouts)
        message = f"{command.layout!r} is not a layout of {state.sheet.title}; there are {names}"
    elif layout is not None and command.boxes not in {None, layout.boxes}:
        message = f"{layout.id} has {layout.boxes} boxes, not {command.boxes}"
    elif not boxes.layouts and (command.layout is not None or (command.boxes or 0) < 1):
        message = f"{state.sheet.title} has no printed layout: say in boxes how many terminals there are"
    else:
        return None
    return Refusal(TableCode.LAYOUT_NOT_ALLOWED, message, boxes.rule)


def _refuse_limits(state: State, command: c.OpenTable) -> Refusal | None:
    rule = state.sheet.limits.shown_rule if state.sheet.limits else None
    if max(command.minimum_cents, command.differential_cents, command.unit_cents) >= MAX_CENTS:
        return Refusal(TableCode.LIMITS_INVALID, f"limits must stay below {MAX_CENTS} cents", rule)
    try:
        Limits(command.minimum_cents, command.differential_cents, command.unit_cents)
    except ValueError as error:
        return Refusal(TableCode.LIMITS_INVALID, str(error), rule)
    may_limit = [on for on in state.sheet.bet_ids if on not in state.sheet.bets or state.sheet.bets[on].hand is None]
    for side in command.sides:
        if side.on not in may_limit or [each.on for each in command.sides].count(side.on) > 1:
            message = (
                f"{side.on!r} is not a side bet of this game, or is limited twice; there are {', '.join(may_limit)}"
            )
            return Refusal(TableCode.LIMITS_INVALID, message, rule)
        unit = command.unit_cents
        if not 0 <= side.minimum_cents <= side.maximum_cents or side.minimum_cents % unit or side.maximum_cents % unit:
            message = f"the limits of {side.on} are not in order, or not multiples of the chip unit"
            return Refusal(TableCode.LIMITS_INVALID, message, rule)
    return None
