"""The records of a table's earlier rounds for long walks, which ask for them at every step."""

from __future__ import annotations

from dataclasses import replace

from punto.rules.sheet import Sheet
from punto.table import acts
from punto.table.act import Command
from punto.table.corrections.past_rounds import RoundFold
from punto.table.corrections.record import PastCommand
from punto.table.engine import evolve, round_needed
from punto.table.state import EndedRound, State, new_table


class RoundRecords:
    """The log of a table, and the records of its rounds: what `round_record.record_of` makes of the log.

    Each record is folded from the state before its shoe came, and then on from where it was asked for last.
    """

    def __init__(self, sheet: Sheet) -> None:
        self.begin(sheet)

    def begin(self, sheet: Sheet) -> None:
        """Follow a new table of this sheet."""
        self.log: list[acts.Event] = []
        self._shoes: list[tuple[int, State]] = [(0, new_table(sheet))]
        self._folds: dict[int, tuple[int, RoundFold]] = {}

    def evolve(self, state: State, event: acts.Event) -> State:
        """Take the next event of the table. Returns the state after it."""
        if isinstance(event, acts.ShoeLoaded):
            self._shoes.append((len(self.log), state))
        self.log.append(event)
        return evolve(state, event)

    def of(self, number: int) -> EndedRound | None:
        """The record of a round; None if it was not settled or voided."""
        if number not in self._folds:
            before = (shoe for shoe in reversed(self._shoes) if shoe[1].rounds < number)
            taken, state = next(before, self._shoes[0])
            self._folds[number] = taken, RoundFold(number, state)
        taken, fold = self._folds[number]
        for event in self.log[taken:]:
            fold = fold.take(event)
        self._folds[number] = len(self.log), fold
        return fold.record

    def supply(self, state: State, command: Command) -> Command:
        """A command with the record that it needs, as `past_rounds.supply` makes it."""
        number = round_needed(state, command)
        if number is None or not isinstance(command, PastCommand):
            return command
        return replace(command, record=self.of(number))
