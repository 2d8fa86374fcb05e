"""An event as each viewer may see it: staff all of it, patrons what is public and their own, others what is public.

Cards still to come, closed cards, salts and what waits for a second person are in no view at all.
"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from punto.protocol import views as v
from punto.protocol.shown import BetLine, Event, show_event
from punto.service.people.person import Names, Person
from punto.service.tables.followed_table import RecordedEvent
from punto.service.viewing.subscriptions import Message
from punto.table.act import Sees

_LINES = ("lines", "returned")


class EventViews:
    """The messages for one event, each made once however many read it."""

    __slots__ = ("_made", "_names", "_own", "_whole", "involved", "recorded")

    def __init__(self, recorded: RecordedEvent, names: Names) -> None:
        self.recorded, self._names = recorded, names
        self._made: dict[str | None, Message[v.EventMessage]] = {}
        self._whole: Event | None = None
        self._own: dict[str, dict[str, list[BetLine]]] = {}
        self.involved = recorded.event.concerns()

    def for_(self, person: Person | None) -> Message[v.EventMessage]:
        """The message for someone, or for anyone."""
        if person is None:
            return self._view(None)
        return self.for_staff() if person.is_staff else self._view(person.id if person.id in self.involved else None)

    def for_staff(self) -> Message[v.EventMessage]:
        """The message for anyone on the staff."""
        return self._view("")  # no person has an empty id

    def recorded_for(self, person: Person | None) -> v.RecordedEvent:
        """The event for someone, in an answer."""
        seen = self.for_(person).struct
        return v.RecordedEvent(seen.seq, seen.at_ms, seen.event)

    def _view(self, who: str | None) -> Message[v.EventMessage]:
        if who not in self._made:
            whole = self._write()
            seen = whole if who == "" else self._restrict(whole, who)
            told = bool(who) and self.recorded.event.tells
            self._made[who] = Message(v.EventMessage(self.recorded.seq, self.recorded.at, seen, told))
        return self._made[who]

    def _write(self) -> Event:
        """The event whole, written once: a settlement has a line for every bet, and a view for every patron."""
        if self._whole is None:
            self._whole = show_event(self.recorded.event.public())
            for name in _LINES if self.recorded.event.has_lines else ():
                own = self._own[name] = dict[str, list[BetLine]]()
                for line in getattr(self._whole, name, ()):
                    own.setdefault(line.bet.patron, []).append(line)
        return self._whole

    def _restrict(self, whole: Event, who: str | None) -> Event:
        event, names = self.recorded.event, whole.__struct_fields__
        hidden = event.hidden_fields()
        changes: dict[str, Any] = {name: UNSET for name, sees in hidden.items() if sees is Sees.STAFF}
        by_staff = event.by.role is not None and _is_for_patron(names)
        if who is None or not (event.by.person == who or by_staff):
            changes["by"] = event.by.text.partition(":")[0]
        if who is None:
            changes |= {name: UNSET for name, sees in hidden.items() if sees in {Sees.OWN, Sees.NAMED}}
        if who is None and hidden.get("patron") is Sees.NAMED:
            changes["name"] = self._names(whole.patron)
        if who is None and "bet" in names:
            changes["bet"] = replace(whole.bet, patron=UNSET)
        for name, lines in self._own.items():
            if name in names:
                changes[name] = tuple(lines.get(who, ())) if who is not None else ()
        if squeezer := getattr(event, "squeezed_by", None):
            changes["squeezed_by"] = self._names(squeezer)
        return replace(whole, **changes) if changes else whole


def _is_for_patron(fields: tuple[str, ...]) -> bool:
    """True if an event is about one patron's bet or place: that patron is told who of the staff acted for them."""
    return "bet" in fields or "patron" in fields
