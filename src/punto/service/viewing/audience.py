"""Those who read one table in this process: what each is shown, and when."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET, structs

from punto.ledger.accounts import owed_account, patron_account
from punto.protocol import views as v
from punto.service.clock import Clock
from punto.service.metrics import Metrics
from punto.service.people.person import Names, Person, is_staff
from punto.service.replies import Reply
from punto.service.tables.followed_table import FollowedTable, RecordedEvent
from punto.service.viewing.event_views import EventViews
from punto.service.viewing.subscriptions import AnyMessage, Message, Subscription
from punto.service.viewing.table_views import TableViews
from punto.table.automatic import StandingOrder
from punto.table.concerned import boxes_changed, whose_changed

RECENT = 512
"""Events held to bring a returning terminal up to date without a snapshot."""


class TableAudience:
    """The readers of a table, each with what they have not read yet."""

    def __init__(
        self,
        table: FollowedTable,
        names: Names,
        balances: dict[str, int],
        clock: Clock,
        metrics: Metrics,
        queued_messages: int,
        standing_order: StandingOrder,
    ) -> None:
        self._table, self._names, self._balances, self._clock, self._metrics = table, names, balances, clock, metrics
        self._queued_messages = queued_messages
        self.most_at_once = queued_messages // 4
        """The most late events that a reader is handed at once, so that these alone do not fill its queue."""
        self.readers: dict[Subscription, Person | None] = {}
        self.ends_at: int | None = None
        """When the table takes its next step."""
        self.suspended: str | None = None
        """The reason why the table can write nothing now."""
        self._views = TableViews(table, names, standing_order)
        self._recent: list[EventViews] = []
        self._state = table.state
        """The state that was shown last."""
        self._shown: dict[bool, v.View] = {}
        self._owned: dict[str, v.Own] = {}
        """People's own views after record `_owned_at`, as far as anyone asked."""
        self._owned_at = 0

    # --------------------------------------------------------------------------------------- events

    def take(self, recorded: Sequence[RecordedEvent]) -> list[EventViews]:
        """The views of events that the table has just taken; they are held for those who come back."""
        views = [EventViews(each, self._names) for each in recorded]
        self._recent = [*self._recent, *views][-RECENT:]
        return views

    def show(self, views: Sequence[EventViews]) -> None:
        """Show everyone the newest events, and what changed with them."""
        before, self._state = self._state, self._table.state
        if not self.readers:
            self._shown.clear()
            return
        own = _by_patron(views)
        boxes = boxes_changed([each.recorded.event for each in views])
        touched = own.keys() | whose_changed(before, self._state, boxes)
        messages: dict[bool, list[AnyMessage]] = {}
        for reader, person in list(self.readers.items()):
            staff = is_staff(person)
            if staff not in messages:
                messages[staff] = self._messages(views, staff=staff)
            shown = messages[staff]
            if person is not None and not staff and person.id in own:
                shown = [*shown]
                for place in own[person.id]:
                    shown[place] = views[place].for_(person)
            reader.put(shown)
            if person is not None and (staff or person.id in touched):
                self._put_own(reader, person)

    def _messages(self, views: Sequence[EventViews], *, staff: bool) -> list[AnyMessage]:
        """The events as everyone of one kind sees them, and what changed of the view since they were last shown it."""
        before, now = self._shown.get(staff), self._views.view(staff=staff)
        self._shown[staff] = now
        parts = {
            name: part
            for name in now.__struct_fields__
            if (part := getattr(now, name)) is not UNSET and (before is None or getattr(before, name) != part)
        }
        change = Message(v.ViewMessage(self._table.seq, v.ViewChange(**parts)))
        return [*[each.for_staff() if staff else each.for_(None) for each in views], change]

    def reply_to(self, person: Person | None, recorded: Sequence[RecordedEvent]) -> Reply:
        """The reply to the one whose command led to these events."""
        first = self._table.seq - len(self._recent) + 1
        if recorded and first <= recorded[0].seq:
            views = self._recent[recorded[0].seq - first : recorded[-1].seq - first + 1]
        else:
            views = [EventViews(each, self._names) for each in recorded]
        events = tuple([each.recorded_for(person) for each in views])
        return Reply(recorded[-1].seq if recorded else self._table.seq, events)

    # --------------------------------------------------------------------------------------- the table as a whole

    def standing(self, person: Person) -> v.Standing:
        """Someone's standing here."""
        return self._views.standing(person, *self._funds(person))

    def _funds(self, person: Person) -> tuple[int, int]:
        """A patron's credit and debt, as this process last heard."""
        held = self._balances
        return held.get(patron_account(person.id), 0), -held.get(owed_account(person.id), 0)

    def own(self, person: Person) -> v.Own:
        """The viewer's own part here: made once for all who ask before the next record."""
        if self._owned_at != self._table.seq:
            self._owned, self._owned_at = {}, self._table.seq
        funds, own = self._funds(person), self._owned.get(person.id)
        if own is None or (person.is_patron and (own.balance_cents, own.owed_cents) != funds):
            own = self._owned[person.id] = self._views.own(person, *funds)
        return own

    def snapshot(self, person: Person | None) -> v.Snapshot:
        """The table now."""
        return self._snapshot(person, self._views.view(staff=is_staff(person)))

    def _snapshot(self, person: Person | None, now: v.View) -> v.Snapshot:
        return v.Snapshot(
            seq=self._table.seq,
            now_ms=self._clock.now_ms(),
            ends_at_ms=self.ends_at,
            me=self.own(person) if person else None,
            suspended=self.suspended is not None,
            **structs.asdict(now),
        )

    def show_all(self) -> None:
        """Show everyone the table as it is now."""
        self._state = self._table.state
        self._shown.clear()
        for reader, person in list(self.readers.items()):
            self._put_snapshot(reader, person, self._views.view(staff=is_staff(person)))

    def show_own(self, person: str) -> None:
        """Show someone what is their own here."""
        for reader, reads in list(self.readers.items()):
            if reads is not None and reads.id == person:
                self._put_own(reader, reads)

    def show_clock(self, ends_at: int | None) -> None:
        """Show everyone the time of the next step."""
        self.ends_at = ends_at
        self._put_all(self._clock_message())

    def show_suspended(self, why: str | None) -> None:
        """Show everyone that the table can write nothing, or (None) can again."""
        self.suspended = why
        self._put_all(Message(v.SuspendedMessage(why is not None)))

    def _clock_message(self) -> AnyMessage:
        return Message(v.ClockMessage(self._table.state.phase, self.ends_at, self._clock.now_ms()))

    def _put_all(self, message: AnyMessage) -> None:
        for reader in list(self.readers):
            reader.put([message])

    def _put_snapshot(self, reader: Subscription, person: Person | None, now: v.View) -> None:
        snapshot = self._snapshot(person, now)
        reader.own = snapshot.me
        reader.put([Message(snapshot)])

    def _put_own(self, reader: Subscription, person: Person) -> None:
        """Show a reader what is their own, unless they have seen just that."""
        own = self.own(person)
        if reader.own != own:
            reader.own = own
            reader.put([Message(v.MeMessage(own))])

    # --------------------------------------------------------------------------------------- readers

    def subscribe(self, person: Person | None, after: int | None) -> Subscription:
        """A new reader: with what it missed if that is still at hand, else with a snapshot."""
        reader = Subscription(self._queued_messages, self._gone)
        missed = self._since(after)
        now = self._shown[is_staff(person)] = self._views.view(staff=is_staff(person))
        if missed is None:
            self._put_snapshot(reader, person, now)
        else:
            whole = v.ViewMessage(self._table.seq, v.ViewChange(**structs.asdict(now)))
            reader.put([*[each.for_(person) for each in missed], Message(whole)])
            if person is not None:
                self._put_own(reader, person)
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
            self._metrics.readers_dropped.inc()

    def close(self) -> None:
        """End every subscription."""
        for reader in list(self.readers):
            reader.close()


def _by_patron(views: Sequence[EventViews]) -> dict[str, list[int]]:
    """The events that each patron sees more of than others do."""
    found: dict[str, list[int]] = {}
    for place, each in enumerate(views):
        for patron in each.involved:
            found.setdefault(patron, []).append(place)
    return found
