"""The procedures of rulings: how each is reported and carried out, in the file that carries it out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from enum import StrEnum
from typing import Any, NamedTuple

from punto.rules.refusals import Refusal
from punto.rules.sheet import Irregularity, Ruling
from punto.table.actor import Actor
from punto.table.draft import Draft
from punto.table.refusals import RoundNotSettled
from punto.table.state import State
from punto.table.values import NO_FACTS, Facts
from punto.table.ways import Way, way_record

CarryOut = Callable[[Draft, Actor, Irregularity], None]


class SituationGroup(StrEnum):
    """The subject of a situation, so that people find it among the others."""

    CARD = "card"
    BET = "bet"
    SHOE = "shoe"
    EQUIPMENT = "equipment"
    PERSON = "person"
    OTHER = "other"


@way_record
class ReportWay(Way):
    """A way to report a situation. `facts` are those that say what it is about; the inputs ask for the others."""

    facts: Facts = NO_FACTS
    situation: str = ""
    group: SituationGroup | None = None

    @property
    def about(self) -> dict[str, Any]:
        """The facts that say what it is about, by name."""
        values = {each.name: getattr(self.facts, each.name) for each in fields(self.facts)}
        return {name: value for name, value in values.items() if value not in (None, ())}

    @property
    def is_past(self) -> bool:
        """True if it is about an earlier round, whose record must be supplied."""
        return any(each.required and each.refused is RoundNotSettled for each in self.inputs)


WaysToReport = tuple[ReportWay, ...] | Refusal
Reporting = Callable[[State, Irregularity], WaysToReport]


class Procedure(NamedTuple):
    """The ways to report a situation with this ruling, which name the facts that it needs, and what is carried out."""

    ways: Reporting
    carry_out: CarryOut


PROCEDURES: dict[Ruling, Procedure] = {}


def procedure(*rulings: Ruling, ways: Reporting = lambda *_: (ReportWay(),)) -> Callable[[CarryOut], CarryOut]:
    """Declare how these rulings are reported and carried out."""

    def declare(carry_out: CarryOut) -> CarryOut:
        PROCEDURES.update(dict.fromkeys(rulings, Procedure(ways, carry_out)))
        return carry_out

    return declare
