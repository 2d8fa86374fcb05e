"""The procedures of rulings: how each is reported and carried out, in the file that carries it out."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from punto.rules.sheet import Irregularity, Ruling
from punto.table.actor import Actor
from punto.table.draft import Draft
from punto.table.state import State
from punto.table.values import Facts
from punto.table.ways import ANY, Ways

CarryOut = Callable[[Draft, Actor, Irregularity, Facts], None]
WaysToReport = Callable[[State, Irregularity], Ways]


class Procedure(NamedTuple):
    """The ways to report a situation with this ruling, which name the facts that it needs, and what is carried out."""

    ways: WaysToReport
    carry_out: CarryOut


PROCEDURES: dict[Ruling, Procedure] = {}


def procedure(*rulings: Ruling, ways: WaysToReport = lambda state, irregularity: ANY) -> Callable[[CarryOut], CarryOut]:
    """Declare how these rulings are reported and carried out."""

    def declare(carry_out: CarryOut) -> CarryOut:
        PROCEDURES.update(dict.fromkeys(rulings, Procedure(ways, carry_out)))
        return carry_out

    return declare
