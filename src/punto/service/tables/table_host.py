"""One table in one process: followed through its log and shown to its audience, whichever process runs it.

Where another process runs the table, its news come over the bus. A gap in them, or none for a while, leads to the
store; nothing else can be wrong, since the store is the truth.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from msgspec import Raw, Struct

from punto.protocol.codec import parse_event, to_json
from punto.protocol.views import Snapshot
from punto.service.audit.house_log import HouseLog
from punto.service.part import Part
from punto.service.people.admissions import People
from punto.service.people.person import Person
from punto.service.shoes.encryption import ShoeCipher
from punto.service.streams import PAGE, table_stream
from punto.service.tables.followed_table import FollowedTable, RecordedEvent
from punto.service.tables.schedule import Schedule
from punto.service.viewing.audience import TableAudience
from punto.service.viewing.event_views import EventViews
from punto.service.viewing.subscriptions import Subscription
from punto.table import acts
from punto.table.automatic import Timing

_NULL = Raw("null")


class EventNews(Struct):
    """Records that were committed, each with its place, its time and its event, and what accounts hold after them.

    In place of a shoe's event, whose order and salt stay out of the bus, is null: the others read it from the store.
    """

    records: list[tuple[int, int, Raw]] = []
    balances: dict[str, int] = {}


class ClockNews(Struct):
    """When the owner takes its next step, and where the log is."""

    seq: int = 0
    ends_at: int | None = None


class WatchNews(Struct):
    """Someone looks at the table: the patrons among those who do so from one process."""

    patrons: list[str] = []


@dataclass(eq=False, repr=False)
class TableHost(Part):
    """A table as this process has it."""

    _cipher: ShoeCipher
    _log: HouseLog
    _people: People
    followed: FollowedTable
    timing: Timing
    audience: TableAudience = field(init=False)
    schedule: Schedule | None = None
    """The pace of the table while it runs here; None where another process runs it, or none."""
    runs_elsewhere: bool = False
    """True if another process had the table when it was last asked for."""
    why_stuck: str | None = None
    taking: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while this process tries to become the owner."""
    _watched_until: int = 0
    _elsewhere: dict[str, int] = field(default_factory=dict)
    """The patrons who look from other processes, each with the time up to which that counts."""
    _suspended_since: int | None = None
    _catching_up: asyncio.Lock = field(default_factory=asyncio.Lock)
    _behind: asyncio.Task[None] | None = None

    def __post_init__(self) -> None:
        shown = (self._settings.edge.queued_messages, self._settings.standing_order)
        parts = (self._people.name_of, self._balances, self._clock, self._metrics)
        self.audience = TableAudience(self.followed, *parts, *shown)

    # --------------------------------------------------------------------------------------- the log

    async def catch_up(self) -> None:
        """Read what the log has and this process has not; whoever looks on gets a snapshot in place of many events."""
        async with self._catching_up:
            unseen = 0
            try:
                while records := await self._store.read(table_stream(self.followed.id), self.followed.seq, PAGE):
                    found = [self._cipher.read(record) for record in records]
                    for stranger in [each for each in map(self._stranger, found) if each is not None]:
                        await self._people.find(stranger)
                    # Only now: what this process commits itself may have been taken while the rest was read.
                    fresh = [each for each in found if each.seq > self.followed.seq]
                    if not unseen and len(fresh) <= self.audience.most_at_once:
                        self._take(fresh)
                    else:
                        self._fold(fresh)
                        unseen += len(fresh)
                    if len(records) < PAGE:
                        break
            finally:
                if unseen:
                    self._read_clock()
                    self.audience.show_all()

    def _stranger(self, recorded: RecordedEvent) -> str | None:
        """A patron who takes a place and whom this process does not know yet, so that it could show no name."""
        event = recorded.event
        if not isinstance(event, acts.PatronSeated | acts.PatronStood) or self._people.get(event.patron) is not None:
            return None
        return event.patron

    def fall_behind(self) -> None:
        """Read on from the store, once however often it is asked for."""
        if self._behind is None or self._behind.done():
            self._behind = self._supervisor.spawn(self.catch_up())

    def _take(self, recorded: Sequence[RecordedEvent]) -> None:
        """Fold records and show them."""
        self.audience.show(self._fold(recorded))

    def _fold(self, recorded: Sequence[RecordedEvent]) -> list[EventViews]:
        """Fold records, and note what must be shown later; how people see them."""
        for each in recorded:
            before = self.followed.state
            self.followed.apply(each)
            for observer in self._observers:
                observer.observe(self.followed, each, before)
        return self.audience.take(recorded)

    # --------------------------------------------------------------------------------------- what the runner says

    def committed(self, recorded: Sequence[RecordedEvent], balances: dict[str, int]) -> None:
        """These records are durable: take them, show them and tell the other processes.

        Someone who read on from the store at the same moment may have taken them already.
        """
        self._balances.update(balances)
        self._take([each for each in recorded if each.seq > self.followed.seq])
        for observer in self._observers:
            observer.table_moved(balances)
        if self._link.connected:
            news = EventNews([(each.seq, each.at, _on_bus(each.event)) for each in recorded], balances)
            self._link.publish(f"{self.followed.id}.events", news)

    def suspended(self, why: str | None) -> None:
        """The table cannot write its log, or (None) can again."""
        since, said = self._suspended_since, self.audience.suspended
        if why is None and since is None:
            return
        now = self._clock.now_ms()
        self._suspended_since = None if why is None else since or now
        if why is None and since is not None:
            self._log.note("table-suspended", table=self.followed.id, for_ms=now - since, detail=said)
        self.audience.show_suspended(why)

    def stuck(self, why: str | None) -> None:
        """The automat's step is refused again and again, or (None) was taken after all."""
        self.why_stuck = why
        if why is not None:
            self._log.note("table-stuck", table=self.followed.id, round=self.followed.state.rounds, detail=why)

    def watched(self) -> bool:
        """True if anyone looks at the table, in this process or another."""
        return bool(self.audience.readers) or self._clock.steady_ms() < self._watched_until

    def present(self) -> set[str]:
        """The patrons who are connected to the table, in this process or another."""
        now = self._clock.steady_ms()
        self._elsewhere = {patron: until for patron, until in self._elsewhere.items() if now < until}
        return {*self._connected_here(), *self._elsewhere}

    def _connected_here(self) -> list[str]:
        return [person.id for person in self.audience.readers.values() if person is not None and person.is_patron]

    def paced(self) -> None:
        """The time of the next step has changed."""
        self.audience.show_clock(self.schedule.ends_at if self.schedule else None)
        self._link.publish(f"{self.followed.id}.clock", ClockNews(self.followed.seq, self.audience.ends_at))

    # --------------------------------------------------------------------------------------- what the bus brings

    async def listen(self) -> None:
        """Hear what other processes tell of the table."""
        await self._link.listen(f"{self.followed.id}.events", EventNews, self._hear_events)
        await self._link.listen(f"{self.followed.id}.clock", ClockNews, self._hear_clock)
        await self._link.listen(f"{self.followed.id}.watch", WatchNews, self._hear_watchers)

    def _hear_events(self, news: EventNews) -> None:
        """Records that the owner has committed; whatever does not fit sends us to the store."""
        if self.schedule is not None:
            return
        self._balances.update(news.balances)
        fresh: list[RecordedEvent] = []
        for seq, at, event in news.records:
            last = self.followed.seq + len(fresh)
            if seq <= last:
                continue
            if seq != last + 1 or event == _NULL or self._catching_up.locked():
                self.fall_behind()
                break
            recorded = RecordedEvent(seq, at, parse_event(bytes(event)))
            if self._stranger(recorded) is not None:
                self.fall_behind()
                break
            fresh.append(recorded)
        if fresh:
            self._take(fresh)

    def _hear_clock(self, news: ClockNews) -> None:
        """When the owner takes its next step."""
        if self.schedule is None:
            self.audience.show_clock(news.ends_at)
            if news.seq > self.followed.seq:
                self.fall_behind()

    def _hear_watchers(self, news: WatchNews) -> None:
        """Someone looks at this table from another process."""
        self._watched_until = self._clock.steady_ms() + 2 * self._settings.lease_ms
        self._elsewhere.update(dict.fromkeys(news.patrons, self._watched_until))
        if self.schedule is not None:
            self.schedule.wake()

    # --------------------------------------------------------------------------------------- those who look

    def snapshot(self, person: Person | None) -> Snapshot:
        """The table now."""
        self._read_clock()
        return self.audience.snapshot(person)

    def subscribe(self, person: Person | None, after: int | None) -> Subscription:
        """A new reader: with what it missed if that is still at hand, else with a snapshot."""
        self._read_clock()
        reader = self.audience.subscribe(person, after)
        if after is not None and after > self.followed.seq:
            self.fall_behind()  # the reader has seen more elsewhere
        if self.schedule is not None:
            self.schedule.wake()
        else:
            self._publish_watched([person.id] if person is not None and person.is_patron else [])
        return reader

    def report_watched(self) -> None:
        """Tell the owner that someone looks at the table from here."""
        self._publish_watched(self._connected_here())

    def _publish_watched(self, patrons: list[str]) -> None:
        self._link.publish(f"{self.followed.id}.watch", WatchNews(patrons))

    def _read_clock(self) -> None:
        if self.schedule is not None:
            self.audience.ends_at = self.schedule.ends_at

    async def close(self) -> None:
        """No more readers, nothing under way."""
        self.audience.close()
        if self._behind is not None:
            self._behind.cancel()
            await asyncio.wait([self._behind])  # how it ended is the supervisor's matter


def _on_bus(event: acts.Event) -> Raw:
    return _NULL if isinstance(event, acts.ShoeLoaded) else Raw(to_json(event))
