"""The core's records as people see them: events, bets and their lines, refusals, rule sheets. All derived.

An event has a form for each audience. Staff see all of it. Patrons see what is public and what is their own; the public
sees what is public. The fields that some do not see can be unset here, and whoever writes a form unsets them. What
nobody may see is in no struct: a shoe's order and salt.
"""

from __future__ import annotations

import typing
from collections.abc import Callable
from dataclasses import make_dataclass
from functools import reduce
from operator import or_
from types import GenericAlias
from typing import Any

from punto.protocol.codec import strict
from punto.protocol.derive import SHOWN_TYPES, Derived, Deriver, TaggedUnion, WireType, derive_events
from punto.protocol.refusals import REFUSALS
from punto.rules import reasons, settlement
from punto.rules.bets import Result
from punto.rules.refusals import Refusal, kebab
from punto.rules.sheet import Sheet
from punto.table import acts, state, values, ways
from punto.table.act import Sees
from punto.table.values import Adjustment, Paid, Returned

_OWN = "patron"
"""The owner, for themselves and for staff. Others read a `name`."""


def _is_hidden(kind: type, name: str) -> bool:
    if issubclass(kind, acts.Event):
        return name in kind.hidden_fields()
    return kind is settlement.Bet and name == _OWN


def _is_secret(kind: type, name: str) -> bool:
    return issubclass(kind, acts.Event) and kind.hidden_fields().get(name) is Sees.NOBODY


_ALIKE = {
    kind: strict.wire(kind)
    for kind in (values.BetLimits, values.Claim, values.Facts, values.Spot, values.BoxWarning, state.Settings)
}
"""Records that go out as they come in."""
_show = Deriver({**SHOWN_TYPES, **_ALIKE}, omitted=_is_secret, may_be_unset=_is_hidden)


def _event(name: str, kind: type[acts.Event]) -> Derived:
    return _show.derive(kind, tag=name, extra_fields=[("name", str)] if _OWN in kind.__dataclass_fields__ else [])


_EVENTS = derive_events(_show, _event)
_LINE_FIELDS: list[tuple[str, Any]] = [("name", str), ("commission_cents", int)]
_WORKED_OUT = {"net_cents": int, "result": Result}
"""A line's change for its patron, and the bet's result: in every line, also of bets that were not settled."""
_LINES = TaggedUnion(
    {
        kind: _show.derive(
            kind,
            name,
            tag=tag,
            tag_field="type",
            extra_fields=_LINE_FIELDS,
            computed={} if kind is settlement.Line else _WORKED_OUT,
        )
        for kind, name, tag in (
            (settlement.Line, "SettledLine", "settled"),
            (Returned, "ReturnedLine", "returned"),
            (Paid, "PaidLine", "paid"),
            (Adjustment, "AdjustedLine", "adjusted"),
        )
    }
)
_whole = Deriver(SHOWN_TYPES, write_all=True)
_REFUSALS = TaggedUnion(
    {
        # An event may have the same name: bets can be closed, and be refused because they are.
        kind: _whole.derive(kind, f"{kind.__name__}Refusal", tag=code, tag_field="code")
        for code, kind in REFUSALS.items()
    }
)
_SHEET = _whole.derive(Sheet)
_REASON, _BET, _FACTS = _whole.record(reasons.DrawReason), _show.record(settlement.Bet), strict.record(values.Facts)
_CLAIM = strict.record(values.Claim)
_REFUSAL = WireType(_REFUSALS.type, _REFUSALS.build, _REFUSALS.write)
_REFUSAL_KIND = WireType(str, REFUSALS.__getitem__, lambda kind: kebab(kind.__name__))
"""A refusal that has not happened: its code."""
_CHOICES = Deriver({**SHOWN_TYPES, **_ALIKE, Refusal: _REFUSAL, type[Refusal]: _REFUSAL_KIND})


def _choice_of(kind: type[acts.Command]) -> Derived:
    """The choice of a command, in the ways that its act says it has."""
    returned = typing.get_type_hints(kind.ways, localns={"State": state.State})["return"]
    (way,) = [each for each in typing.get_args(typing.get_args(returned)[0]) if each is not Refusal]
    several = GenericAlias(tuple, (way, ...))
    fields: list[Any] = [("ways", several, ()), ("refusal", Refusal | None, None)]
    namespace = {"__doc__": ways.Choice.__doc__, "kind": kind.kind}
    return _CHOICES.derive(make_dataclass(f"{kind.__name__}Choice", fields, namespace=namespace), tag=kind.kind)


_CHOICE = {name: _choice_of(kind) for name, kind in acts.COMMANDS.items()}

# Each type, and what makes it. No type checker knows types that are made when the program runs.
Event: Any = _EVENTS.type
show_event: Callable[[acts.Event], Event] = _EVENTS.write
"""An event as staff see it."""
AnyRefusal: Any = _REFUSALS.type
show_refusal: Callable[[Refusal], AnyRefusal] = _REFUSALS.write
"""A refusal as it travels: the code, the facts and the paragraph."""
build_refusal: Callable[[AnyRefusal], Refusal] = _REFUSALS.build
"""The refusal that travelled."""
Bet: Any = _BET.struct
show_bet: Callable[[settlement.Bet], Bet] = _BET.write
"""A bet, to whose it is and to staff."""
BetLine: Any = _LINES.type
show_line: Callable[[settlement.Line | Returned | Paid | Adjustment], BetLine] = _LINES.write
"""The line of a bet, for its patron and for staff."""
Choice: Any = reduce(or_, [each.struct for each in _CHOICE.values()])
Input: Any = _CHOICES.record(ways.Input).struct
show_input: Callable[[ways.Input], Input] = _CHOICES.record(ways.Input).write
"""A field of a command that a person fills in."""
DrawReason: Any = _REASON.struct
show_reason: Callable[[reasons.DrawReason], DrawReason] = _REASON.write
"""The reason why the Table of Play gives the next card as it does."""
BetLimits: Any = strict.record(values.BetLimits).struct
Facts: Any = _FACTS.struct
show_facts: Callable[[values.Facts], Facts] = _FACTS.write
"""The reported facts, for staff."""
Claim: Any = _CLAIM.struct
show_claim: Callable[[values.Claim], Claim] = _CLAIM.write
"""An original bet that insurance can be claimed for, to staff."""
RuleSheet: Any = _SHEET.struct
show_sheet: Callable[[Sheet], RuleSheet] = _SHEET.write
"""A whole rule sheet, with its paragraphs."""


def show_choice(choice: ways.AnyChoice) -> Choice:
    """A choice, for the one who may make it."""
    return _CHOICE[choice.kind].write(choice)


def build_choice(shown: Choice) -> ways.AnyChoice:
    """The choice that was shown."""
    built = _CHOICE[shown.kind].build(shown)
    return ways.Choice(shown.kind, built.ways, built.refusal)
