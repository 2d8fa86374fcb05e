"""Commands about an earlier round, which need its record."""

from __future__ import annotations

from dataclasses import dataclass, field

from punto.rules.refusals import Refusal
from punto.table.act import Command
from punto.table.refusals import Contradiction, FactsContradict, RoundNotSettled
from punto.table.state import EndedRound


@dataclass(frozen=True, slots=True)
class PastCommand(Command):
    """A command that may be about an earlier round. Its record is supplied where the command is decided.

    The record never travels: it is no part of the command that a person gives.
    """

    record: EndedRound | None = field(default=None, compare=False, kw_only=True, repr=False)


def settled_record(record: EndedRound | None, number: int | None, rule: str | None) -> EndedRound | Refusal:
    """The record of a round that can be corrected, or why it cannot: it was not settled, or is void."""
    if record is None or record.number != number:
        return RoundNotSettled(number or 0, rule=rule)
    return FactsContradict(Contradiction.ALREADY_VOID, rule=rule) if record.void else record
