"""Opening a table within what its sheet allows, changing its settings between rounds, suspending play, closing."""

from __future__ import annotations

from dataclasses import replace

from punto.rules.differential import Limits
from punto.rules.money import MAX_CENTS, Cents
from punto.rules.reasons import Problem, ProblemError
from punto.rules.refusals import Refusal
from punto.rules.sheet import Device, Layout, Role, Sheet
from punto.table import refusals as r
from punto.table.act import Command, Event, Named, PatronCommand, StaffOnly, act, event
from punto.table.actor import Actor
from punto.table.draft import Draft
from punto.table.phases import OPEN, Phase
from punto.table.state import Settings, State, without_patrons
from punto.table.values import BetLimits, Burn, Consent, printable
from punto.table.ways import ANYONE, REASON, Asking, Input, InputType, Way, Ways, way_record

LOWEST_SECOND_ROLE = Role.PIT_SUPERVISOR
"""The lowest role that may confirm what somebody else proposed. A house may ask for a higher one."""


LONGEST_TABLE_NAME = 40


def _limit(name: str, minimum: int) -> Input:
    return Input(name, InputType.NUMBER, refused=r.LimitsInvalid, minimum=minimum, maximum=MAX_CENTS - 1)


_LIMITS = (_limit("minimum_cents", 1), _limit("differential_cents", 1))


@event(money=False, significant="parameters")
class TableOpened(Event):
    """A table was opened with these settings. `effective` is the edition of the sheet, `fingerprint` its SHA-256.

    `asked_by` is the patron at whose request it runs without insurance.
    """

    game: str
    effective: str
    fingerprint: str
    settings: Settings
    asked_by: StaffOnly[str | None] = None

    def apply(self, state: State) -> State:
        # Seats that still exist are kept, and a shoe of as many decks from which cards come in the same way: only an
        # automatic table knows the order of its shoe, a shuffler has no cut card, a shoe in use cannot be burned.
        before, now, shoe = state.settings, self.settings, state.shoe
        if before is None or (before.decks, before.live, before.device) != (now.decks, now.live, now.device):
            shoe = None
        if shoe is not None and now.burn is not Burn.NONE and shoe.drawn and not shoe.burned:
            shoe = None
        gone = frozenset([patron for patron, boxes in state.places.items() if max(boxes) > now.boxes])
        return without_patrons(state, gone)._replace(settings=now, phase=Phase.BETWEEN_ROUNDS, shoe=shoe)


@act(by=Role.PIT_SUPERVISOR, during={Phase.NOT_OPEN})
class OpenTable(Command):
    """Open a table of a game with these settings; without insurance at the request of a patron (`asked_by`)."""

    game: str
    settings: Settings
    asked_by: str | None = None

    @classmethod
    def refuse(cls, state: State, by: Actor) -> Refusal | None:
        return r.SheetIncomplete(state.sheet.id, state.sheet.missing) if state.sheet.missing else None

    @classmethod
    def inputs(cls, state: State) -> tuple[Input, ...]:
        """The limits must also be consistent with each other."""
        return _inputs_to_open(state.sheet)

    def decide(self, state: State) -> Draft | Refusal:
        sheet, given = state.sheet, self.settings
        if self.game != sheet.id:
            return r.GameMismatch(self.game, sheet.id)
        if refusal := _refuse_settings(sheet, given):
            return refusal
        insurance, asked_by = sheet.insurance, (self.asked_by or "").strip() or None
        before = state.settings is not None and state.settings.without_insurance
        if given.without_insurance and not before and not (asked_by and printable(asked_by)):
            return r.RequestMissing(rule=insurance.private_table_rule if insurance else None)
        layout = _layout(sheet, given)
        settings = replace(
            given,
            boxes=layout.boxes if layout else given.boxes,
            second_person=given.live or given.second_person,
            private=given.private or given.without_insurance,
            seated_only=given.seated_only and sheet.boxes.standing_rule is None,
            waiver_consent=given.waiver_consent or (Consent.ASK if given.live else Consent.NEVER),
            name=given.name.strip(),
        )
        asked_by = asked_by if given.without_insurance else None
        return Draft(state, TableOpened(self.by, sheet.id, sheet.effective, sheet.fingerprint, settings, asked_by))


def _refuse_settings(sheet: Sheet, given: Settings) -> Refusal | None:
    """The refusal of settings that a table of this sheet cannot have."""
    if not printable(given.table):
        return r.NameInvalid()
    if given.name and (not printable(given.name) or len(given.name) > LONGEST_TABLE_NAME):
        return r.TableNameInvalid(LONGEST_TABLE_NAME)
    layout = _layout(sheet, given)
    boxes = layout.boxes if layout else given.boxes
    named = layout is not None if sheet.boxes.layouts else given.layout is None
    if not named or given.boxes not in {0, boxes} or boxes < 1:
        known = tuple([each.id for each in sheet.boxes.layouts])
        return r.LayoutNotAllowed(given.layout, given.boxes or None, known, rule=sheet.boxes.layouts_rule)
    if given.decks not in sheet.decks:
        decks = sheet.decks
        return r.DecksNotAllowed(sheet.title, given.decks, decks.minimum, decks.maximum, rule=decks.rule)
    if refusal := _refuse_limits(sheet, given):
        return refusal
    if given.without_insurance and not (sheet.insurance and sheet.insurance.private_table_rule):
        return r.PrivateNotAllowed()
    if given.second_role.level < LOWEST_SECOND_ROLE.level:
        return r.SecondRoleTooLow(LOWEST_SECOND_ROLE)
    if given.device not in sheet.play.devices:
        return r.DeviceNotAllowed(given.device, sheet.play.devices, rule=sheet.play.initial_cards_rule)
    if given.burn is not Burn.NONE and given.device is Device.SHUFFLER:
        return r.BurnNotAllowed(rule=sheet.play.shuffler_rule)
    return None


def _layout(sheet: Sheet, given: Settings) -> Layout | None:
    return next((each for each in sheet.boxes.layouts if each.id == given.layout), None)


def _inputs_to_open(sheet: Sheet) -> tuple[Input, ...]:
    layouts, decks, refused = sheet.boxes.layouts, sheet.decks, r.LayoutNotAllowed
    layout = Input("layout", InputType.ONE_OF, refused=refused, allowed=tuple([each.id for each in layouts]))
    where = layout if layouts else Input("boxes", InputType.NUMBER, refused=refused, minimum=1)
    table, kind = Input("table", InputType.TEXT, refused=r.NameInvalid), InputType.NUMBER
    number = Input("decks", kind, refused=r.DecksNotAllowed, minimum=decks.minimum, maximum=decks.maximum)
    return (table, number, where, *_LIMITS, _limit("unit_cents", 1))


def set_up_inputs(sheet: Sheet, *, live: bool) -> tuple[Input, ...]:
    """All that may be said of a new table of a sheet: what opens it, and what else may be chosen, the usual first.

    At an automatic table nobody is there to be asked for consent. At a live one a second person always confirms.
    """
    insurance, play = sheet.insurance, sheet.play
    found = [*_inputs_to_open(sheet)]
    found.append(Input("name", InputType.TEXT, False, refused=r.TableNameInvalid, maximum=LONGEST_TABLE_NAME))
    found.append(_option("live", InputType.FLAG))
    found.append(_option("device", refused=r.DeviceNotAllowed, allowed=play.devices))
    found.append(_option("burn", refused=r.BurnNotAllowed, allowed=tuple(Burn)))
    found.append(_option("face_down", InputType.FLAG))
    if live and sheet.boxes.layouts:
        found.append(replace(_limit("late_cents", 0), required=False))
    if sheet.boxes.layouts and sheet.boxes.standing_rule is None:
        found.append(_option("seated_only", InputType.FLAG))
    if insurance is not None:
        found.append(_option("waiver_consent", allowed=tuple(Consent) if live else tuple(reversed(Consent))))
    if insurance is not None and insurance.private_table_rule is not None:
        found += [_option(name, InputType.FLAG, r.PrivateNotAllowed) for name in ("private", "without_insurance")]
        found.append(Input("asked_by", InputType.TEXT, False, refused=r.RequestMissing))
    if not live:
        found.append(_option("second_person", InputType.FLAG, r.NotPermitted))
    roles = tuple([role for role in Role if role.level >= LOWEST_SECOND_ROLE.level])
    found.append(_option("second_role", refused=r.SecondRoleTooLow, allowed=roles))
    return tuple(found)


def _option(
    name: str,
    kind: InputType = InputType.ONE_OF,
    refused: type[Refusal] = r.FactsContradict,
    allowed: tuple[str, ...] = (),
) -> Input:
    return Input(name, kind, False, refused=refused, allowed=allowed)


def bets_with_limits(sheet: Sheet) -> list[str]:
    """The bets that may have limits of their own: side bets and insurance."""
    return [on for on in sheet.bet_ids if on not in sheet.bets or sheet.bets[on].hand is None]


def _refuse_limits(sheet: Sheet, given: Settings) -> Refusal | None:
    """The refusal of limits that a table of this sheet cannot have."""
    rule = sheet.limits.shown_rule if sheet.limits else None
    if max(given.minimum_cents, given.differential_cents, given.unit_cents) >= MAX_CENTS:
        return r.LimitsInvalid(Problem.LIMITS_TOO_LARGE, rule=rule)
    try:
        Limits(given.minimum_cents, given.differential_cents, given.unit_cents)
    except ProblemError as error:
        return r.LimitsInvalid(error.problem, rule=rule)
    may_limit = bets_with_limits(sheet)
    for side in given.sides:
        if side.on not in may_limit or [each.on for each in given.sides].count(side.on) > 1:
            return r.LimitsInvalid(Problem.SIDE_BET_UNKNOWN, side.on, rule=rule)
        in_order = 0 <= side.minimum_cents <= side.maximum_cents
        if not in_order or side.minimum_cents % given.unit_cents or side.maximum_cents % given.unit_cents:
            return r.LimitsInvalid(Problem.SIDE_BET_LIMITS, side.on, rule=rule)
    return None


@event(money=False, significant="parameters")
class LimitsChanged(Event):
    """The limits were changed between rounds. They take effect with the call that opens `from_round`."""

    from_round: int
    minimum_cents: Cents
    differential_cents: Cents
    sides: tuple[BetLimits, ...]
    rule: str | None

    def apply(self, state: State) -> State:
        settings = replace(state.open_settings, minimum_cents=self.minimum_cents, sides=self.sides)
        return state._replace(settings=replace(settings, differential_cents=self.differential_cents))


@act(by=Role.PIT_SUPERVISOR, during={Phase.BETWEEN_ROUNDS})
class ChangeLimits(Command):
    """Between rounds, change the limits of the table. `sides` replaces all limits of side bets and insurance."""

    minimum_cents: Cents
    differential_cents: Cents
    sides: tuple[BetLimits, ...] = ()

    @classmethod
    def inputs(cls, state: State) -> tuple[Input, ...]:
        """The limits must also be consistent with each other and with the chip unit."""
        return _LIMITS

    def decide(self, state: State) -> Draft | Refusal:
        """Change the limits from the next round on. They are checked as when a table is opened; the chip unit stays."""
        sheet, minimum, differential = state.sheet, self.minimum_cents, self.differential_cents
        given = replace(state.open_settings, minimum_cents=minimum, differential_cents=differential, sides=self.sides)
        if refusal := _refuse_limits(sheet, given):
            return refusal
        rule = sheet.limits.shown_rule if sheet.limits else None
        return Draft(state, LimitsChanged(self.by, state.rounds + 1, minimum, differential, self.sides, rule))


@event(money=False, significant="parameters")
class InsuranceChanged(Event):
    """At a patron's request a private table offers insurance from `from_round` on, or offers it no more.

    `agreed` are the other patrons who were present and agreed.
    """

    from_round: int
    patron: Named[str]
    offered: bool
    rule: str
    agreed: StaffOnly[tuple[str, ...]] = ()

    def apply(self, state: State) -> State:
        return state._replace(settings=replace(state.open_settings, without_insurance=not self.offered))


@way_record
class OfferWay(Way):
    """A way to offer insurance from the next round on, or to offer it no more."""

    offered: bool


@act(by=Role.PIT_SUPERVISOR, during={Phase.BETWEEN_ROUNDS})
class ChangeInsurance(PatronCommand):
    """Between rounds, offer insurance at a private table or offer it no more, as a patron asks.

    It is offered no more if the other patrons who are present have `agreed`.
    """

    offered: bool
    agreed: bool = False

    @classmethod
    def ways(cls, state: State, asking: Asking) -> Ways[OfferWay]:
        """For each patron who may ask, the only change: to offer insurance again, or to offer it no more."""
        offered = state.open_settings.without_insurance
        for patron in (*asking.boxes, ANYONE):
            inputs = () if offered or not _others(state, patron) else (_AGREED,)
            refusal = refuse_insurance_change(state, patron, offered=offered)
            yield refusal or OfferWay(offered, patron=asking.name(patron), inputs=inputs)

    def decide(self, state: State) -> Draft | Refusal:
        if refusal := refuse_insurance_change(state, self.patron, offered=self.offered):
            return refusal
        rule = state.sheet.insurance.private_table_rule if state.sheet.insurance else None
        others = () if self.offered else _others(state, self.patron)
        if others and not self.agreed:
            return r.AgreementMissing(rule=rule)
        return Draft(state, InsuranceChanged(self.by, state.rounds + 1, self.patron, self.offered, rule or "", others))


_AGREED = Input("agreed", InputType.FLAG, True, r.AgreementMissing, r.AgreementMissing, allowed=("true",))
"""The input for whether the others agree, if anyone else is present."""


def _others(state: State, patron: str) -> tuple[str, ...]:
    """The other patrons who have a place at the table."""
    return tuple([each for each in state.places if each != patron])


def refuse_insurance_change(state: State, patron: str, *, offered: bool) -> Refusal | None:
    """The reason why insurance cannot be offered to a patron, or offered no more, from the next round on."""
    settings, insurance = state.open_settings, state.sheet.insurance
    rule = insurance.private_table_rule if insurance else None
    if rule is None:
        return r.PrivateNotAllowed()
    if not settings.private:
        return r.NotPrivate(rule=rule)
    if patron not in state.places:
        return r.NotAtBox(None)
    return r.NothingToChange(rule=rule) if offered is not settings.without_insurance else None


@event(money=False, significant="parameters")
class PlaySuspended(Event):
    """No round begins until play is resumed. A round in progress is finished."""

    reason: StaffOnly[str]

    def apply(self, state: State) -> State:
        return state._replace(suspended=self.reason)


@act(by=Role.PIT_SUPERVISOR, during=OPEN)
class SuspendPlay(Command):
    """Let no round begin until play is resumed. A round in progress is finished, and everyone keeps their place."""

    reason: str

    @classmethod
    def refuse(cls, state: State, by: Actor) -> Refusal | None:
        return None if state.suspended is None else r.NothingToChange()

    @classmethod
    def inputs(cls, state: State) -> tuple[Input, ...]:
        return (REASON,)

    def decide(self, state: State) -> Draft | Refusal:
        return Draft(state, PlaySuspended(self.by, self.reason)) if self.reason.strip() else r.ReasonMissing()


@event(money=False, significant="parameters")
class PlayResumed(Event):
    """Rounds may begin again."""

    def apply(self, state: State) -> State:
        return state._replace(suspended=None)


@act(by=Role.PIT_SUPERVISOR, during=OPEN)
class ResumePlay(Command):
    """Let rounds begin again."""

    @classmethod
    def refuse(cls, state: State, by: Actor) -> Refusal | None:
        return r.NothingToChange() if state.suspended is None else None

    def decide(self, state: State) -> Draft | Refusal:
        return Draft(state, PlayResumed(self.by))


@event(money=False, significant="parameters")
class TableClosed(Event):
    """The table was closed. Shoe and seats stay for its next opening."""

    def apply(self, state: State) -> State:
        return state._replace(phase=Phase.NOT_OPEN, duty={}, suspended=None)


@act(by=Role.PIT_SUPERVISOR, during={Phase.BETWEEN_ROUNDS})
class CloseTable(Command):
    """Close the table between rounds."""

    def decide(self, state: State) -> Draft | Refusal:
        return Draft(state, TableClosed(self.by))
