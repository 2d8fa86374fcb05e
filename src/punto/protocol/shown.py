"""What people see of the core's records: events, bets and their lines, rule sheets. All derived.

An event has a form for each audience. Staff see all of it. Patrons see what is public and what is their own; the public
sees what is public. The fields that some do not see can be unset here, and whoever writes a form unsets them. What
nobody may see is in no struct: a shoe's order and salt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from punto.protocol.codec import strict
from punto.protocol.derive import CARD, CARDS, SHOWN, Deriver, Wire, union
from punto.protocol.refused import AnyRefusal, build_refusal, refusals, show_refusal
from punto.rules import reasons, settlement
from punto.rules.refusals import Refusal
from punto.rules.sheet import Sheet
from punto.table import bounds, commands, events

FOR_STAFF = frozenset({"facts", "reason", "house_cents", "events", "expected", "got", "claims", "patrons", "warnings"})
"""Fields of events that only staff see: what was reported of whom, and why someone decided as they did."""
_OWN = "patron"
"""Whose it is, for themselves and for staff. Others read a `name`."""


def _is_hidden(kind: type, name: str) -> bool:
    if issubclass(kind, events.Event):
        return name in FOR_STAFF or name == _OWN or (kind is events.CorrectionAsked and name == "card")
    return kind is settlement.Bet and name == _OWN


def _is_secret(kind: type, name: str) -> bool:
    return kind is events.ShoeLoaded and name in {"cards", "salt"}


_ALIKE: tuple[type, ...] = (commands.BetLimits, commands.Claim, commands.Facts, events.BoxWarning)
"""Records that go out as they come in."""
_show = Deriver({**SHOWN, **{kind: strict.wire(kind) for kind in _ALIKE}}, left_out=_is_secret, may_lack=_is_hidden)


def _event(name: str, kind: type[events.Event]) -> tuple[type[events.Event], Any]:
    has_patron = _OWN in kind.__dataclass_fields__
    dealt = kind is events.CardDealt
    return kind, _show.derive(
        kind,
        tag=name,
        tag_field="kind",
        more=[("name", str)] if has_patron else [("turned", CARDS)] if dealt else [],
        instead={"card": CARD | None} if dealt else {},  # null while it lies face down
    )


_EVENTS = dict(_event(name, kind) for name, kind in events.EVENTS.items() if kind is not events.ConfirmationAsked)
_show.wires[events.Event] = Wire(
    union(each.struct for each in _EVENTS.values()), None, lambda event: _EVENTS[type(event)].write(event)
)
_EVENTS |= dict([_event("confirmation-asked", events.ConfirmationAsked)])
_LINES = {
    kind: _show.derive(kind, name, tag=tag, tag_field="type", more=[("name", str), ("commission_cents", int)])
    for kind, name, tag in (
        (settlement.Line, "SettledLine", "settled"),
        (events.Returned, "ReturnedLine", "returned"),
        (events.Adjustment, "AdjustedLine", "adjusted"),
    )
}
_SHEET = Deriver(SHOWN, whole=True).derive(Sheet)
_REASON = refusals.wire(reasons.DrawReason)
_CHOICE = Deriver(
    {
        **SHOWN,
        Refusal: Wire(AnyRefusal, build_refusal, show_refusal),
        commands.Claim: strict.wire(commands.Claim),
        events.BoxWarning: strict.wire(events.BoxWarning),
    }
).derive(bounds.Choice)

if TYPE_CHECKING:  # no type checker knows types that are made when the program runs
    Bet: TypeAlias = Any
    BetLimits: TypeAlias = Any
    Facts: TypeAlias = Any
    Event: TypeAlias = Any
    BetLine: TypeAlias = Any
    RuleSheet: TypeAlias = Any
    Choice: TypeAlias = Any
    DrawReason: TypeAlias = Any
else:
    Bet, BetLimits, Facts = [_show.wire(kind).type for kind in (settlement.Bet, commands.BetLimits, commands.Facts)]
    Event = union(each.struct for each in _EVENTS.values())
    BetLine = union(each.struct for each in _LINES.values())
    RuleSheet, Choice, DrawReason = _SHEET.struct, _CHOICE.struct, _REASON.type


def show_event(event: events.Event) -> Event:
    """An event as staff see it."""
    return _EVENTS[type(event)].write(event)


def show_bet(bet: settlement.Bet) -> Bet:
    """A bet, to whose it is and to staff."""
    return _show.record(settlement.Bet).write(bet)


def show_line(line: settlement.Line | events.Returned | events.Adjustment) -> BetLine:
    """What became of a bet, to whose it is and to staff."""
    return _LINES[type(line)].write(line)


def show_choice(choice: bounds.Choice) -> Choice:
    """What may be done, to the one who may."""
    return _CHOICE.write(choice)


def build_choice(shown: Choice) -> bounds.Choice:
    """The choice that was shown."""
    choice: bounds.Choice = _CHOICE.build(shown)
    return choice


def show_reason(reason: reasons.DrawReason) -> DrawReason:
    """Why the Table of Play gives the next card as it does."""
    return _REASON.write(reason) if _REASON.write else reason


def show_facts(facts: commands.Facts) -> Facts:
    """What was reported, to staff."""
    return strict.record(commands.Facts).write(facts)


def show_sheet(sheet: Sheet) -> RuleSheet:
    """A whole rule sheet, with its paragraphs."""
    return _SHEET.write(sheet)
