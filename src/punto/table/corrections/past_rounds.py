"""Earlier rounds, folded from the log: the record that a command about such a round needs.

The state of a table holds the present only, so whoever gives a command supplies the record. `supply` does so, the same
way for a service and for `punto replay`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple

from punto.rules.sheet import Sheet
from punto.table.act import Command, Event
from punto.table.corrections.adjusted import RoundAdjusted
from punto.table.corrections.record import PastCommand
from punto.table.engine import evolve, round_needed
from punto.table.rulings.reorder import shoe_with
from punto.table.state import EndedRound, Shoe, State, new_table


def supply(state: State, command: Command, log: Callable[[], Iterable[Event]]) -> Command:
    """A command with the record of the round that it is about, if it needs one. `log` gives the table's events."""
    number = round_needed(state, command)
    if number is None or not isinstance(command, PastCommand):
        return command
    return replace(command, record=record_of(state.sheet, log(), number))


def record_of(sheet: Sheet, events: Iterable[Event], number: int) -> EndedRound | None:
    """The record of a round as it stands after all events of a table; None if it was not settled or voided."""
    fold = RoundFold(number, new_table(sheet))
    for event in events:
        fold = fold.take(event)
    return fold.record


class RoundFold(NamedTuple):
    """The record of a round, folded from the events of its table. Immutable.

    It may begin with any state of the table in which the round's shoe was not yet put in.
    """

    number: int
    state: State
    found: EndedRound | None = None
    shoe: Shoe | None = None
    """The shoe of the round as it is, or as it left the table."""

    @property
    def shoe_is_past(self) -> bool:
        """True if the round's shoe has left the table, so that only events of records still change it."""
        shoe = self.state.shoe
        return self.found is not None and (shoe is None or shoe.number != self.found.shoe)

    def take(self, event: Event) -> RoundFold:
        """Take the next event of the table."""
        found = self.found
        if event.records and getattr(event, "round", None) == self.number:
            found = event.ended_record(found, self.state)
        if self.shoe_is_past:
            # A correction of any round of the shoe changes which cards left it.
            shoe = self.shoe
            if shoe is not None and isinstance(event, RoundAdjusted) and event.shoe == shoe.number:
                shoe = shoe_with(shoe, event.cards_before, event.cards)
            return self._replace(found=found, shoe=shoe)
        state = evolve(self.state, event)
        own = found is not None and state.shoe is not None and state.shoe.number == found.shoe
        return RoundFold(self.number, state, found, state.shoe if own else self.shoe)

    @property
    def record(self) -> EndedRound | None:
        """The record after these events; None if the round was not settled or voided."""
        if self.found is None or self.shoe is None:
            return None
        others = Counter(self.shoe.seen) - Counter(self.found.cards)
        return replace(self.found, other_cards=tuple(others.elements()), cards_left=self.shoe.size - self.shoe.drawn)
