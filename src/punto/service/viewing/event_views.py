"""An event as each viewer may see it: staff all of it, patrons what is public and their own, others what is public.

Cards still to come, salts and what waits for a second person are in no view at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from punto.rules.cards import Card, write_cards
from punto.rules.tableau import INITIAL_CARDS
from punto.service.people.person import Person
from punto.service.tables.recorded_event import RecordedEvent
from punto.service.viewing.table_views import Message, Names
from punto.table import events as e
from punto.table.codec import write_event
from punto.table.views import public

FOR_STAFF = ("facts", "reason", "house_cents", "events", "expected", "got", "claims", "patrons")
"""Fields that only staff see: what was reported of whom, and why someone decided as they did."""
MONEY_LINES = (e.RoundSettled, e.RoundVoided, e.BetsReturned, e.RoundAdjusted)


def involved(event: e.Event) -> frozenset[str]:
    """The patrons whose own money or choice an event is about."""
    match event:
        case e.BetPlaced() | e.BetRaised() | e.BetWithdrawn() | e.BetDisplaced() | e.RaiseAsked():
            return frozenset({event.bet.patron})
        case e.RoundSettled():
            return frozenset(
                [*[line.bet.patron for line in event.lines], *[line.bet.patron for line in event.returned]]
            )
        case e.RoundVoided() | e.BetsReturned() | e.RoundAdjusted():
            return frozenset(line.bet.patron for line in event.lines)
        case e.PatronSeated() | e.PatronStood() | e.PatronLeft() | e.OptionChosen():
            return frozenset({event.patron})
        case e.SqueezeAsked() | e.SqueezeAnswered():
            return frozenset({event.patron})
        case e.OptionsOffered():
            return frozenset(event.patrons)
    return frozenset()


class EventViews:
    """The messages for one event, each made once however many read it; `cards` lie on the table after it."""

    __slots__ = ("_cards", "_made", "_names", "_own", "_whole", "involved", "recorded")

    def __init__(self, recorded: RecordedEvent, cards: Sequence[Card], names: Names) -> None:
        self.recorded = recorded
        self._cards = cards
        self._names = names
        self._made: dict[str | None, Message] = {}
        self._whole: dict[str, Any] | None = None
        self._own: dict[str, dict[str, list[Any]]] = {}
        self.involved = involved(recorded.event)

    def for_(self, person: Person | None) -> Message:
        """The message for someone, or for anyone."""
        if person is None:
            return self._view(None)
        if person.is_staff:
            return self._view("")  # no person has an empty id
        return self._view(person.id if person.id in self.involved else None)

    def _view(self, who: str | None) -> Message:
        if who not in self._made:
            recorded = self.recorded
            data = self._write()
            if who != "":
                data = self._restrict(data, who)
            self._made[who] = Message(type="event", seq=recorded.seq, at=recorded.at, event=data)
        return self._made[who]

    def _write(self) -> dict[str, Any]:
        """The event whole, written once: a settlement has a line for every bet, and a view for every patron."""
        if self._whole is None:
            event, written = self.recorded.event, self.recorded.written
            shown = public(event)
            self._whole = written if shown is event and written is not None else write_event(shown)
            for name in ("lines", "returned") if isinstance(self.recorded.event, MONEY_LINES) else ():
                own = self._own[name] = dict[str, list[Any]]()
                for line in self._whole.get(name, ()):
                    own.setdefault(line["bet"]["patron"], []).append(line)
        return self._whole

    def _restrict(self, whole: dict[str, Any], who: str | None) -> dict[str, Any]:
        event = self.recorded.event
        own = who is not None
        data = {name: value for name, value in whole.items() if name not in FOR_STAFF}
        if not (own and event.by.person == who):
            data["by"] = event.by.text.partition(":")[0]
        if "patron" in data and not own:
            data["name"] = self._names(data.pop("patron"))
        if "bet" in data and not own:
            data["bet"] = {name: value for name, value in data["bet"].items() if name != "patron"}
        for name, lines in self._own.items():
            if name in data:
                data[name] = lines.get(who, []) if who is not None else []
        if isinstance(event, e.CorrectionAsked):
            data.pop("card", None)
        if isinstance(event, e.CardDealt) and event.face_down:
            self._turn(event, data)
        return data

    def _turn(self, event: e.CardDealt, data: dict[str, Any]) -> None:
        """At a face-down table the first four cards are turned together, when the fourth has come."""
        if event.place < INITIAL_CARDS:
            data["card"] = None
        elif event.place == INITIAL_CARDS == len(self._cards):
            data["turned"] = write_cards(self._cards)


def looking_back(recorded: Iterable[RecordedEvent], names: Names) -> Iterator[EventViews]:
    """The views of events that follow on each other, with the cards of their own rounds and of no later one."""
    cards: tuple[Card, ...] = ()
    for each in recorded:
        match each.event:
            case e.BetsOpened():
                cards = ()
            case e.CardDealt(card=card):
                cards = (*cards, card)
            case e.CardsRelaid(after=after):
                cards = after
        yield EventViews(each, cards, names)
