"""Opening a table within what its sheet allows, and changing its settings between rounds."""

from __future__ import annotations

from punto.rules.differential import Limits
from punto.rules.money import MAX_CENTS, Cents
from punto.rules.reasons import Problem, ProblemError
from punto.rules.refusals import DecksNotAllowed, LimitsInvalid, Refusal
from punto.rules.sheet import Device, Role, Sheet
from punto.table import commands as c
from punto.table import events as e
from punto.table.bounds import Input, InputType, Way
from punto.table.play import EventsOrRefusal, open_settings
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
from punto.table.state import State

LOWEST_SECOND_ROLE = Role.PIT_SUPERVISOR
"""The lowest role that may confirm what somebody else proposed. A house may ask for a higher one."""
LONGEST_TABLE_NAME = 40


def ways_to_open(state: State) -> tuple[Way, ...] | Refusal:
    """The inputs to open a table of the sheet. The limits must also be consistent with each other."""
    sheet = state.sheet
    return SheetIncomplete(sheet.id, sheet.missing) if sheet.missing else (Way(inputs=_inputs_to_open(sheet)),)


def _inputs_to_open(sheet: Sheet) -> tuple[Input, ...]:
    layouts = sheet.boxes.layouts
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
    where = layout if layouts else boxes
    table = Input("table", InputType.TEXT, refused="name-invalid")
    return (table, decks, where, *_LIMITS, _limit("unit_cents", 1))


def set_up_inputs(sheet: Sheet, *, live: bool) -> tuple[Input, ...]:
    """All that may be said of a new table of a sheet: what opens it, and what else may be chosen, the usual first.

    At an automatic table nobody is there to be asked for consent. At a live one a second person always confirms.
    """
    insurance, play = sheet.insurance, sheet.play
    found = [*_inputs_to_open(sheet)]
    found.append(Input("name", InputType.TEXT, False, refused="table-name-invalid", maximum=LONGEST_TABLE_NAME))
    found.append(_option("live", InputType.FLAG))
    found.append(_option("device", refused="device-not-allowed", allowed=play.devices))
    found.append(_option("burn", refused="burn-not-allowed", allowed=tuple(c.Burn)))
    found.append(_option("face_down", InputType.FLAG))
    if insurance is not None:
        found.append(_option("waiver_consent", allowed=tuple(c.Consent) if live else tuple(reversed(c.Consent))))
    if insurance is not None and insurance.private_table_rule is not None:
        found += [_option(name, InputType.FLAG, "private-not-allowed") for name in ("private", "without_insurance")]
    if not live:
        found.append(_option("second_person", InputType.FLAG, "not-permitted"))
    roles = tuple([role for role in Role if role.level >= LOWEST_SECOND_ROLE.level])
    found.append(_option("second_role", refused="second-role-too-low", allowed=roles))
    return tuple(found)


def _option(
    name: str, kind: InputType = InputType.ONE_OF, refused: str = "facts-contradict", allowed: tuple[str, ...] = ()
) -> Input:
    return Input(name, kind, False, refused=refused, allowed=allowed)


def bets_with_limits(sheet: Sheet) -> list[str]:
    """The bets that may have limits of their own: side bets and insurance."""
    return [on for on in sheet.bet_ids if on not in sheet.bets or sheet.bets[on].hand is None]


def _limit(name: str, minimum: int) -> Input:
    return Input(name, InputType.NUMBER, refused="limits-invalid", minimum=minimum, maximum=MAX_CENTS - 1)


_LIMITS = (_limit("minimum_cents", 0), _limit("differential_cents", 1))


def open_table(state: State, command: c.OpenTable) -> EventsOrRefusal:
    """Open a table that its sheet allows."""
    sheet = state.sheet
    if command.game != sheet.id:
        return GameMismatch(command.game, sheet.id)
    if isinstance(ways := ways_to_open(state), Refusal):
        return ways
    if not printable(command.table):
        return NameInvalid()
    if command.name and (not printable(command.name) or len(command.name) > LONGEST_TABLE_NAME):
        return TableNameInvalid(LONGEST_TABLE_NAME)
    layout = next((each for each in sheet.boxes.layouts if each.id == command.layout), None)
    boxes = layout.boxes if layout else command.boxes or 0
    needs_layout = bool(sheet.boxes.layouts)
    if (layout is None) is needs_layout or command.boxes not in {None, boxes} or boxes < 1:
        known = tuple([each.id for each in sheet.boxes.layouts])
        return LayoutNotAllowed(command.layout, command.boxes, known, rule=sheet.boxes.layouts_rule)
    if command.layout is not None and not needs_layout:
        return LayoutNotAllowed(command.layout, command.boxes, (), rule=sheet.boxes.layouts_rule)
    if command.decks not in sheet.decks:
        decks = sheet.decks
        return DecksNotAllowed(sheet.title, command.decks, decks.minimum, decks.maximum, rule=decks.rule)
    unit = command.unit_cents
    if refusal := _refuse_limits(sheet, command.minimum_cents, command.differential_cents, unit, command.sides):
        return refusal
    if command.without_insurance and not (sheet.insurance and sheet.insurance.private_table_rule):
        return PrivateNotAllowed()
    if command.second_role.level < LOWEST_SECOND_ROLE.level:
        return SecondRoleTooLow(LOWEST_SECOND_ROLE)
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
            boxes,
            command.minimum_cents,
            command.differential_cents,
            command.unit_cents,
            command.layout,
            command.sides,
            command.face_down,
            command.live,
            command.without_insurance,
            command.live or command.second_person,
            command.second_role,
            command.private or command.without_insurance,
            command.waiver_consent or (c.Consent.ASK if command.live else c.Consent.NEVER),
            command.device,
            command.burn,
            command.name.strip(),
            sheet.fingerprint,
        ),
    )


# ------------------------------------------------------------------------------------------- suspending play


def refuse_suspension(state: State) -> Refusal | None:
    """Why play cannot be suspended."""
    return NothingToChange() if state.suspended is not None else None


def suspend_play(state: State, command: c.SuspendPlay) -> EventsOrRefusal:
    """Let no further round begin."""
    if refusal := refuse_suspension(state):
        return refusal
    return (e.PlaySuspended(command.by, command.reason),) if command.reason.strip() else ReasonMissing()


def refuse_resumption(state: State) -> Refusal | None:
    """Why play cannot be resumed."""
    return NothingToChange() if state.suspended is None else None


def resume_play(state: State, command: c.ResumePlay) -> EventsOrRefusal:
    """Let rounds begin again."""
    return refuse_resumption(state) or (e.PlayResumed(command.by),)


# ------------------------------------------------------------------------------------------- between rounds


def ways_to_change_limits(state: State) -> tuple[Way, ...]:
    """The inputs to change the limits. They must also be consistent with each other and with the chip unit."""
    return (Way(inputs=_LIMITS),)


def change_limits(state: State, command: c.ChangeLimits) -> EventsOrRefusal:
    """Change the limits from the next round on. They are checked as when a table is opened; the chip unit stays."""
    sheet, minimum, differential = state.sheet, command.minimum_cents, command.differential_cents
    unit = open_settings(state).limits.unit_cents
    if refusal := _refuse_limits(sheet, minimum, differential, unit, command.sides):
        return refusal
    rule = sheet.limits.shown_rule if sheet.limits else None
    return (e.LimitsChanged(command.by, state.rounds + 1, minimum, differential, command.sides, rule),)


def refuse_insurance_change(state: State, patron: str, *, offered: bool) -> Refusal | None:
    """Why a patron cannot have insurance offered, or offered no more, from the next round on."""
    settings, insurance = open_settings(state), state.sheet.insurance
    rule = insurance.private_table_rule if insurance else None
    if rule is None:
        return PrivateNotAllowed()
    if not settings.private:
        return NotPrivate(rule=rule)
    if patron not in state.places:
        return NotAtBox(None)
    return NothingToChange(rule=rule) if offered is not settings.without_insurance else None


def change_insurance(state: State, command: c.ChangeInsurance) -> EventsOrRefusal:
    """Offer insurance from the next round on, or offer it no more."""
    if refusal := refuse_insurance_change(state, command.patron, offered=command.offered):
        return refusal
    rule = state.sheet.insurance.private_table_rule if state.sheet.insurance else None
    return (e.InsuranceChanged(command.by, state.rounds + 1, command.patron, command.offered, rule or ""),)


# ------------------------------------------------------------------------------------------- what both check


def printable(name: str) -> bool:
    """Whether a name can be shown to people."""
    return bool(name.strip()) and name.isprintable()


def _refuse_limits(
    sheet: Sheet, minimum_cents: int, differential_cents: int, unit_cents: int, sides: tuple[c.BetLimits, ...]
) -> Refusal | None:
    """Why a table of this sheet cannot have these limits."""
    rule = sheet.limits.shown_rule if sheet.limits else None
    if max(minimum_cents, differential_cents, unit_cents) >= MAX_CENTS:
        return LimitsInvalid(Problem.LIMITS_TOO_LARGE, rule=rule)
    try:
        Limits(Cents(minimum_cents), Cents(differential_cents), Cents(unit_cents))
    except ProblemError as error:
        return LimitsInvalid(error.problem, rule=rule)
    may_limit = bets_with_limits(sheet)
    for side in sides:
        if side.on not in may_limit or [each.on for each in sides].count(side.on) > 1:
            return LimitsInvalid(Problem.SIDE_BET_UNKNOWN, side.on, rule=rule)
        in_order = 0 <= side.minimum_cents <= side.maximum_cents
        if not in_order or side.minimum_cents % unit_cents or side.maximum_cents % unit_cents:
            return LimitsInvalid(Problem.SIDE_BET_LIMITS, side.on, rule=rule)
    return None
