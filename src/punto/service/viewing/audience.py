"""Those who read one table in this process: what each is shown, and when."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from punto.ledger.accounts import patron_account
from punto.service.clock import Clock
from punto.service.metrics import Metrics
from punto.service.money.known_balances import KnownBalances
from punto.service.people.person import Person
from punto.service.replies import Reply
from punto.service.tables.followed_table import FollowedTable
from punto.service.tables.recorded_event import RecordedEvent
from punto.service.viewing.event_views import EventViews, looking_back
from punto.service.viewing.subscriptions import Subscription
from punto.service.viewing.table_views import (
    Message,
    Names,
    clock_message,
    me,
    me_message,
    shown,
    snapshot,
    view_message,
)
from punto.table import events as e

RECENT = 512
"""Events held to bring a returning terminal up to date without a snapshot."""


def _is_staff(person: Person | None) -> bool:
    return person is not None and person.is_staff


class TableAudience:
    """The readers of a table, each with what they have not read yet."""

    def __init__(
        self,
        table: FollowedTable,
        names: Names,
        balances: KnownBalances,
        clock: Clock,
        metrics: Metrics,
        queued_messages: int,
    ) -> None:
        self._table, self._names, self._balances, self._clock, self._metrics = table, names, balances, clock, metrics
        self._queued_messages = queued_messages
        self.most_at_once = queued_messages // 4
        """The most late events that a reader is handed at once, so that these alone do not fill its queue."""
        self.readers: dict[Subscription, Person | None] = {}
        self.ends_at: int | None = None
        """When the table takes its next step."""
        self.suspended: str | None = None
        """Why the table can write nothing now."""
        self._recent: list[EventViews] = []
        self._shown: dict[bool, dict[str, Any]] = {}

    # --------------------------------------------------------------------------------------- events

    def views_of(self, recorded: RecordedEvent) -> EventViews:
        """How people see an event that the table has just taken."""
        round_ = self._table.state.round
        return EventViews(recorded, round_.cards if round_ else (), self._names)

    def remember(self, views: Sequence[EventViews]) -> None:
        """Hold events for those who come back."""
        self._recent = [*self._recent, *views][-RECENT:]

    def show(self, views: Sequence[EventViews]) -> None:
        """Show everyone the newest events, and what changed with them."""
        touched = frozenset[str]().union(*[each.involved for each in views])
        offered = any(isinstance(each.recorded.event, e.InsuranceOffered) for each in views)
        if offered and self._table.state.round:
            touched |= {spot.patron for spot in self._table.state.round.bets}
        changes = {staff: self._changes(staff=staff) for staff in set(map(_is_staff, self.readers.values()))}
        for reader, person in list(self.readers.items()):
            reader.put([*[each.for_(person) for each in views], changes[_is_staff(person)]])
            if person is not None and person.id in touched:
                reader.put([me_message(self.me(person))])

    def _changes(self, *, staff: bool) -> Message:
        """What changed for viewers of one kind since they were last shown it; all of them had everything before."""
        before, now = self._shown.get(staff, {}), shown(self._table, self._names, staff=staff)
        self._shown[staff] = now
        return view_message(
            self._table.seq, {name: part for name, part in now.items() if name not in before or before[name] != part}
        )

    def reply_to(self, person: Person | None, recorded: Sequence[RecordedEvent]) -> Reply:
        """The reply to the one whose command led to these events."""
        first = self._table.seq - len(self._recent) + 1
        if recorded and first <= recorded[0].seq:
            views = self._recent[recorded[0].seq - first : recorded[-1].seq - first + 1]
        else:
            views = list(looking_back(recorded, self._names))
        events = [
            {name: seen[name] for name in ("seq", "at", "event")} for seen in [each.for_(person) for each in views]
        ]
        return Reply(recorded[-1].seq if recorded else self._table.seq, events)

    # --------------------------------------------------------------------------------------- the table as a whole

    def me(self, person: Person) -> dict[str, Any]:
        """What is one's own here."""
        return me(self._table, person, self._balances.of(patron_account(person.id)))

    def snapshot(self, person: Person | None) -> Message:
        """The table now."""
        balance = self._balances.of(patron_account(person.id)) if person else 0
        seen = snapshot(self._table, person, self._names, balance, self._clock.now_ms(), self.ends_at)
        seen["suspended"] = self.suspended
        return seen

    def show_all(self) -> None:
        """Show everyone the table as it is now."""
        self._shown.clear()
        for reader, person in list(self.readers.items()):
            reader.put([self.snapshot(person)])

    def show_own(self, person: str) -> None:
        """Show someone what is their own here."""
        for reader, reads in list(self.readers.items()):
            if reads is not None and reads.id == person:
                reader.put([me_message(self.me(reads))])

    def show_clock(self, ends_at: int | None) -> None:
        """Show everyone the time of the next step."""
        self.ends_at = ends_at
        self._put_all(self._clock_message())

    def show_suspended(self, why: str | None) -> None:
        """Show everyone that the table can write nothing, or (None) can again."""
        self.suspended = why
        self._put_all(Message(type="suspended", suspended=why is not None, why=why))

    def _clock_message(self) -> Message:
        return clock_message(self._table.state.phase, self.ends_at, self._clock.now_ms())

    def _put_all(self, message: Message) -> None:
        for reader in list(self.readers):
            reader.put([message])

    # --------------------------------------------------------------------------------------- readers

    def subscribe(self, person: Person | None, after: int | None) -> Subscription:
        """A new reader: with what it missed if that is still at hand, else with a snapshot."""
        reader = Subscription(self._queued_messages, self._gone)
        missed = self._since(after)
        now = self._shown[_is_staff(person)] = shown(self._table, self._names, staff=_is_staff(person))
        if missed is None:
            reader.put([self.snapshot(person)])
        else:
            reader.put([*[each.for_(person) for each in missed], view_message(self._table.seq, now)])
            if person is not None:
                reader.put([me_message(self.me(person))])
            reader.put([self._clock_message()])
        self.readers[reader] = person
        return reader

    def _since(self, after: int | None) -> list[EventViews] | None:
        if after is None or after > self._table.seq:
            return None
        missing = self._table.seq - after
        if missing > min(len(self._recent), self.most_at_once):
            return None
        return self._recent[len(self._recent) - missing :]

    def _gone(self, reader: Subscription) -> None:
        self.readers.pop(reader, None)
        if reader.dropped:
            self._metrics["subscribers_dropped"] += 1

    def close(self) -> None:
        """End every subscription."""
        for reader in list(self.readers):
            reader.close()
