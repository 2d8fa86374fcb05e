"""One table in one process: followed through its log and shown to its audience, whichever process runs it.

Where another process runs the table, its news come over the bus. A gap in them, or none for a while, leads to the
store; nothing else can be wrong, since the store is the truth.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Any

from punto.service.audit.house_log import HouseLog
from punto.service.audit.significant import SignificantEvents
from punto.service.clock import Clock
from punto.service.cluster.cluster_link import ClusterLink
from punto.service.metrics import Metrics
from punto.service.money.known_balances import KnownBalances
from punto.service.people.person import Person
from punto.service.settings import HouseSettings, Timing
from punto.service.shoes.encryption import ShoeCipher
from punto.service.streams import PAGE, table_stream
from punto.service.supervisor import Supervisor
from punto.service.tables.followed_table import FollowedTable
from punto.service.tables.recorded_event import RecordedEvent
from punto.service.tables.schedule import Schedule
from punto.service.viewing.audience import TableAudience
from punto.service.viewing.event_views import EventViews
from punto.service.viewing.subscriptions import Subscription
from punto.service.viewing.table_views import Message
from punto.store.interface import Store
from punto.table import events as e
from punto.table.codec import read_event, write_event


class TableHost:
    """A table as this process has it."""

    def __init__(
        self,
        followed: FollowedTable,
        timing: Timing,
        audience: TableAudience,
        store: Store,
        cipher: ShoeCipher,
        balances: KnownBalances,
        link: ClusterLink,
        log: HouseLog,
        significant: SignificantEvents,
        metrics: Metrics,
        clock: Clock,
        supervisor: Supervisor,
        settings: HouseSettings,
    ) -> None:
        self.followed, self.timing, self.audience = followed, timing, audience
        self._store, self._cipher, self._balances, self._link, self._log = store, cipher, balances, link, log
        self._significant, self._metrics, self._clock = significant, metrics, clock
        self._supervisor, self._settings = supervisor, settings
        self.schedule: Schedule | None = None
        """The pace of the table while it runs here; None where another process runs it, or none."""
        self.why_stuck: str | None = None
        self.taking = asyncio.Lock()
        """Held while this process tries to become the owner."""
        self._watched_until = 0
        self._suspended_since: int | None = None
        self._catching_up = asyncio.Lock()
        self._behind: asyncio.Task[None] | None = None

    # --------------------------------------------------------------------------------------- the log

    async def catch_up(self) -> None:
        """Read what the log has and this process has not; whoever looks on gets a snapshot in place of many events."""
        async with self._catching_up:
            unseen = 0
            try:
                while records := await self._store.read(table_stream(self.followed.id), self.followed.seq, PAGE):
                    fresh = [self._cipher.read(record) for record in records if record.seq > self.followed.seq]
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

    def fall_behind(self) -> None:
        """Read on from the store, once however often it is asked for."""
        if self._behind is None or self._behind.done():
            self._behind = self._supervisor.spawn(self.catch_up())

    def _take(self, recorded: Sequence[RecordedEvent]) -> None:
        """Fold records and show them."""
        self.audience.show(self._fold(recorded))

    def _fold(self, recorded: Sequence[RecordedEvent]) -> list[EventViews]:
        """Fold records, and note what must be shown later; how people see them."""
        views = []
        for each in recorded:
            self.followed.apply(each)
            views.append(self.audience.views_of(each))
            self._significant.observe(self.followed.id, each)
            self._metrics.count(each.event)
        self.audience.remember(views)
        return views

    # --------------------------------------------------------------------------------------- what the runner says

    def committed(self, recorded: Sequence[RecordedEvent], balances: dict[str, int]) -> None:
        """These records are durable: take them, show them and tell the other processes."""
        self._balances.learn(balances)
        self._take(recorded)
        if self._link.connected:
            self._link.publish(f"{self.followed.id}.events", _news(recorded, balances))

    def suspended(self, why: str | None) -> None:
        """The table cannot write its log, or (None) can again."""
        now, since, said = self._clock.now_ms(), self._suspended_since, self.audience.suspended
        if why is None and since is None:
            return
        self._suspended_since = None if why is None else since or now
        if why is None and since is not None:
            says = f"{self.followed.id} was suspended for {now - since} ms: {said}"
            self._log.note("table-suspended", {"table": self.followed.id, "says": says})
        self.audience.show_suspended(why)

    def stuck(self, why: str | None) -> None:
        """The automat's step is refused again and again, or (None) was taken after all."""
        self.why_stuck = why
        if why is not None:
            says = f"{self.followed.id} cannot go on in round {self.followed.state.rounds}: {why}"
            self._log.note("table-stuck", {"table": self.followed.id, "says": says})

    def watched(self) -> bool:
        """Whether anyone looks at the table, in this process or another."""
        return bool(self.audience.readers) or self._clock.steady_ms() < self._watched_until

    def paced(self) -> None:
        """The time of the next step has changed."""
        self.audience.show_clock(self.schedule.ends_at if self.schedule else None)
        news = {"ends_at": self.audience.ends_at, "seq": self.followed.seq}
        self._link.publish(f"{self.followed.id}.clock", news)

    # --------------------------------------------------------------------------------------- what the bus brings

    def hear_events(self, news: dict[str, Any]) -> None:
        """Records that the owner has committed; whatever does not fit sends us to the store."""
        if self.schedule is not None:
            return
        self._balances.learn(news.get("balances", {}))
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
        if self.schedule is None:
            self.audience.show_clock(news.get("ends_at"))
            if news.get("seq", 0) > self.followed.seq:
                self.fall_behind()

    def hear_watchers(self, _news: dict[str, Any]) -> None:
        """Someone looks at this table from another process."""
        self._watched_until = self._clock.steady_ms() + 2 * self._settings.lease_ms
        if self.schedule is not None:
            self.schedule.wake()

    # --------------------------------------------------------------------------------------- those who look

    def snapshot(self, person: Person | None) -> Message:
        """The table now."""
        self._read_clock()
        return self.audience.snapshot(person)

    def subscribe(self, person: Person | None, after: int | None) -> Subscription:
        """A new reader: with what it missed if that is still at hand, else with a snapshot."""
        self._read_clock()
        reader = self.audience.subscribe(person, after)
        if self.schedule is not None:
            self.schedule.wake()
        else:
            self.report_watched()
        return reader

    def report_watched(self) -> None:
        """Tell the owner that someone looks at the table from here."""
        self._link.publish(f"{self.followed.id}.watch", {})

    def _read_clock(self) -> None:
        if self.schedule is not None:
            self.audience.ends_at = self.schedule.ends_at

    async def close(self) -> None:
        """No more readers, nothing under way."""
        self.audience.close()
        if self._behind is not None:
            self._behind.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._behind


def _news(recorded: Sequence[RecordedEvent], balances: dict[str, int]) -> dict[str, Any]:
    # A shoe's order and salt stay out of the bus: the others read that one record from the store.
    return {
        "records": [
            [each.seq, each.at, None if isinstance(each.event, e.ShoeLoaded) else write_event(each.event)]
            for each in recorded
        ],
        "balances": balances,
    }
