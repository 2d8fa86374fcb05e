"""One table in one process: followed through its log, shown to its subscribers, and run here if the lease is ours.

Where another process runs the table, its news come over the bus. A gap in them, or none for a while, leads to the
store; nothing else can be wrong, since the store is the truth.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from punto.ledger.accounts import patron_account
from punto.service.audit.significant import significant
from punto.service.people.person import Person
from punto.service.replies import Reply
from punto.service.settings import Timing
from punto.service.tables.followed_table import FollowedTable, RecordedEvent
from punto.service.tables.runner import Runner
from punto.service.viewing.event_views import EventViews, looking_back
from punto.service.viewing.subscriptions import Subscription
from punto.service.viewing.table_views import Message, clock_message, me, me_message, shown, snapshot, view_message
from punto.table import events as e
from punto.table.codec import read_event, write_event

if TYPE_CHECKING:
    from punto.service.house import House

PAGE = 1_000
RECENT = 512
"""Events kept to bring a returning terminal up to date without a snapshot."""


def stream_of(table: str) -> str:
    """The stream of a table in the store."""
    return f"table:{table}"


def _is_staff(person: Person | None) -> bool:
    return person is not None and person.is_staff


class TableHost:
    """A table as this process has it."""

    def __init__(self, house: House, followed: FollowedTable, timing: Timing) -> None:
        self.house, self.followed, self.timing = house, followed, timing
        self.runner: Runner | None = None
        self.readers: dict[Subscription, Person | None] = {}
        self.recent: list[EventViews] = []
        self.ends_at: int | None = None
        self._shown: dict[bool, dict[str, Any]] = {}
        self.watched_until = 0
        self.suspended_since: int | None = None
        self.why_suspended: str | None = None
        self.why_stuck: str | None = None
        self.taking = asyncio.Lock()
        """Held while this process tries to become the owner."""
        self._catching_up = asyncio.Lock()
        self._behind: asyncio.Task[None] | None = None

    # --------------------------------------------------------------------------------------- the log

    async def catch_up(self) -> None:
        """Read what the log has and this process has not; whoever looks on gets a snapshot in place of many events."""
        async with self._catching_up:
            unseen = 0
            try:
                while records := await self.house.store.read(stream_of(self.followed.id), self.followed.seq, PAGE):
                    fresh = [self.house.seals.read(record) for record in records if record.seq > self.followed.seq]
                    if not unseen and len(fresh) <= self._most_handed:
                        self._take(fresh)
                    else:
                        self._fold(fresh)
                        unseen += len(fresh)
                    if len(records) < PAGE:
                        break
            finally:
                if unseen:
                    self._show_all()

    @property
    def _most_handed(self) -> int:
        """The most late events that a reader is handed at once, so that these alone do not fill its queue."""
        return self.house.settings.edge.queued_messages // 4

    def _take(self, recorded: Sequence[RecordedEvent]) -> None:
        """Fold records and show them."""
        forms = self._fold(recorded)
        touched = frozenset[str]().union(*[form.involved for form in forms])
        if any(isinstance(each.event, e.InsuranceOffered) for each in recorded) and self.followed.state.round:
            touched |= {spot.patron for spot in self.followed.state.round.bets}
        views = {staff: self._view(staff=staff) for staff in set(map(_is_staff, self.readers.values()))}
        for reader, person in list(self.readers.items()):
            reader.put([*[form.for_(person) for form in forms], views[_is_staff(person)]])
            if person is not None and person.id in touched:
                reader.put([me_message(self.me(person))])

    def _show_all(self) -> None:
        """Show everyone the table as it is now."""
        self._shown.clear()
        for reader, person in list(self.readers.items()):
            reader.put([self.snapshot(person)])

    def _fold(self, recorded: Sequence[RecordedEvent]) -> list[EventViews]:
        """Fold records, and note what must be shown later; the forms in which people see them."""
        forms = []
        house, followed, names = self.house, self.followed, self.house.people.name_of
        for each in recorded:
            followed.apply(each)
            round_ = followed.state.round
            forms.append(EventViews(each, round_.cards if round_ else (), names))
            if lines := significant(followed.id, each, house.settings.large_win_cents):
                house.note(lines)
            house.count(each.event)
        self.recent = [*self.recent, *forms][-RECENT:]
        return forms

    def _view(self, *, staff: bool) -> Message:
        """What changed for an audience since it was last told; its readers have all had everything before."""
        before, now = self._shown.get(staff, {}), shown(self.followed, self.house.people.name_of, staff=staff)
        self._shown[staff] = now
        return view_message(
            self.followed.seq, {name: part for name, part in now.items() if name not in before or before[name] != part}
        )

    # --------------------------------------------------------------------------------------- what a runner asks of us

    def committed(self, recorded: Sequence[RecordedEvent], balances: dict[str, int]) -> None:
        """See `Host`."""
        self.house.cashier.learn(balances)
        self._take(recorded)
        if self.house.wire.connected:
            self.house.wire.tell(f"{self.followed.id}.events", self._news(recorded, balances))

    def _news(self, recorded: Sequence[RecordedEvent], balances: dict[str, int]) -> dict[str, Any]:
        # A shoe's order and salt stay out of the bus: the others read that one record from the store.
        return {
            "records": [
                [each.seq, each.at, None if isinstance(each.event, e.ShoeLoaded) else write_event(each.event)]
                for each in recorded
            ],
            "balances": balances,
        }

    def reply_for(self, person: Person | None, recorded: Sequence[RecordedEvent]) -> Reply:
        """See `Host`."""
        first = self.followed.seq - len(self.recent) + 1
        if recorded and first <= recorded[0].seq:
            forms = self.recent[recorded[0].seq - first : recorded[-1].seq - first + 1]
        else:
            forms = list(looking_back(recorded, self.house.people.name_of))
        events = [
            {name: seen[name] for name in ("seq", "at", "event")} for seen in [form.for_(person) for form in forms]
        ]
        return Reply(recorded[-1].seq if recorded else self.followed.seq, events)

    def ended(self, runner: Runner, error: BaseException | None) -> None:
        """See `Host`."""
        if self.runner is runner:
            self.runner, self.why_stuck = None, None
        if error is not None:
            self.house.keeper.lost(self, error)

    def suspended(self, why: str | None) -> None:
        """See `Host`."""
        now, since, said = self.house.clock.now_ms(), self.suspended_since, self.why_suspended
        if why is None and since is None:
            return
        self.suspended_since, self.why_suspended = (since or now, why) if why is not None else (None, None)
        if why is None and since is not None:
            says = f"{self.followed.id} was suspended for {now - since} ms: {said}"
            self.house.spawn(self.house.desk.write("table-suspended", {"table": self.followed.id, "says": says}))
        self._put_all(Message(type="suspended", suspended=why is not None, why=why))

    def stuck(self, why: str | None) -> None:
        """See `Host`."""
        self.why_stuck = why
        if why is not None:
            says = f"{self.followed.id} cannot go on in round {self.followed.state.rounds}: {why}"
            self.house.spawn(self.house.desk.write("table-stuck", {"table": self.followed.id, "says": says}))

    def watched(self) -> bool:
        """See `Host`."""
        return bool(self.readers) or self.house.clock.steady_ms() < self.watched_until

    def known(self, account: str) -> int:
        """See `Host`."""
        return self.house.cashier.known(account)

    def paced(self) -> None:
        """See `Host`."""
        self.set_clock(self.runner.ends_at if self.runner else None)
        self.house.wire.tell(f"{self.followed.id}.clock", {"ends_at": self.ends_at, "seq": self.followed.seq})

    # --------------------------------------------------------------------------------------- what the bus brings

    def hear_events(self, news: dict[str, Any]) -> None:
        """Records that the owner has committed; whatever does not fit sends us to the store."""
        if self.runner is not None:
            return
        self.house.cashier.learn(news.get("balances", {}))
        fresh: list[RecordedEvent] = []
        for seq, at, data in news.get("records", ()):
            last = self.followed.seq + len(fresh)
            if seq <= last:
                continue
            if seq != last + 1 or data is None or self._catching_up.locked():
                self.fall_behind()
                break
            fresh.append(RecordedEvent(seq, at, read_event(data)))
        if fresh:
            self._take(fresh)

    def hear_clock(self, news: dict[str, Any]) -> None:
        """When the owner takes its next step."""
        if self.runner is None:
            self.set_clock(news.get("ends_at"))
            if news.get("seq", 0) > self.followed.seq:
                self.fall_behind()

    def hear_watchers(self, _news: dict[str, Any]) -> None:
        """Someone looks at this table from another process."""
        self.watched_until = self.house.clock.steady_ms() + 2 * self.house.settings.lease_ms
        if self.runner is not None:
            self.runner.look_again()

    def fall_behind(self) -> None:
        """Read on from the store, once however often it is asked for."""
        if self._behind is None or self._behind.done():
            self._behind = self.house.spawn(self.catch_up())

    # --------------------------------------------------------------------------------------- subscribers

    def me(self, person: Person) -> dict[str, Any]:
        """What is one's own here."""
        return me(self.followed, person, self.house.cashier.known(patron_account(person.id)))

    def snapshot(self, person: Person | None) -> Message:
        """The table now."""
        balance = self.house.cashier.known(patron_account(person.id)) if person else 0
        now = self.house.clock.now_ms()
        if self.runner is not None:
            self.ends_at = self.runner.ends_at
        seen = snapshot(self.followed, person, self.house.people.name_of, balance, now, self.ends_at)
        seen["suspended"] = self.why_suspended
        return seen

    def subscribe(self, person: Person | None, after: int | None) -> Subscription:
        """A new reader: with what it missed if that is still at hand, else with a snapshot."""
        reader = Subscription(self.house.settings.edge.queued_messages, self._gone)
        missed = self._since(after)
        self._shown[_is_staff(person)] = self._all(person)
        if missed is None:
            reader.put([self.snapshot(person)])
        else:
            reader.put([*[form.for_(person) for form in missed], view_message(self.followed.seq, self._all(person))])
            if person is not None:
                reader.put([me_message(self.me(person))])
            reader.put([self._clock_message()])
        self.readers[reader] = person
        if self.runner is not None:
            self.runner.look_again()
        else:
            self.house.wire.tell(f"{self.followed.id}.watch", {})
        return reader

    def _all(self, person: Person | None) -> dict[str, Any]:
        return shown(self.followed, self.house.people.name_of, staff=_is_staff(person))

    def _since(self, after: int | None) -> list[EventViews] | None:
        if after is None or after > self.followed.seq:
            return None
        missing = self.followed.seq - after
        if missing > min(len(self.recent), self._most_handed):
            return None
        return self.recent[len(self.recent) - missing :]

    def _gone(self, reader: Subscription) -> None:
        self.readers.pop(reader, None)
        if reader.dropped:
            self.house.counts["subscribers_dropped"] += 1

    def set_clock(self, ends_at: int | None) -> None:
        """The time of the next step, for all who look."""
        self.ends_at = ends_at
        self._put_all(self._clock_message())

    def _clock_message(self) -> Message:
        return clock_message(self.followed.state.phase, self.ends_at, self.house.clock.now_ms())

    def _put_all(self, message: Message) -> None:
        for reader in list(self.readers):
            reader.put([message])

    def tell_me(self, person: str) -> None:
        """A balance changed outside the table."""
        for reader, reads in list(self.readers.items()):
            if reads is not None and reads.id == person:
                reader.put([me_message(self.me(reads))])

    async def close(self) -> None:
        """No more readers, nothing under way."""
        for reader in list(self.readers):
            reader.close()
        if self._behind is not None:
            self._behind.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._behind
