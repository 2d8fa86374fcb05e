"""The events decided so far, and the state after them."""

from __future__ import annotations

from collections.abc import Iterator

from punto.table.act import Event
from punto.table.state import Case, RoundInPlay, Settings, State


class Draft:
    """The events decided so far, and the state after them. `decide` answers with one."""

    __slots__ = ("events", "state", "states")

    def __init__(self, state: State, *events: Event) -> None:
        self.state = state
        self.events: list[Event] = []
        self.states: list[State] = []
        """The state after each of the events."""
        self.add(*events)

    def add(self, *events: Event) -> Draft:
        """Add events in order."""
        for event in events:
            self.state = event.apply(self.state)
            self.events.append(event)
            self.states.append(self.state)
        return self

    def __iter__(self) -> Iterator[Event]:
        """The events."""
        return iter(self.events)

    @property
    def settings(self) -> Settings:
        """The settings of an open table."""
        return self.state.open_settings

    @property
    def round(self) -> RoundInPlay:
        """The round in progress."""
        return self.state.open_round

    @property
    def case(self) -> Case:
        """The open case."""
        return self.state.open_case
