"""The processes of one house, as they tell of themselves over the bus, and how many tables each should run.

It is a hint, so that tables spread and move without delay. Only a lease decides who runs a table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from punto.service.clock import Clock
from punto.service.cluster.cluster_link import ClusterLink

SUBJECT = "processes"


class PresenceNews(Struct, omit_defaults=True):
    """A process that is there, and the tables that it runs. One that is closing takes no more."""

    owner: str
    tables: list[str] = []
    closing: bool = False


@dataclass(eq=False, repr=False)
class Peers:
    """The other processes. One that is not heard of for `lapse_ms` is gone, as its leases are by then."""

    _owner: str
    _lapse_ms: int
    _link: ClusterLink
    _clock: Clock
    _heard: dict[str, tuple[int, PresenceNews]] = field(default_factory=dict)
    """The latest message of each process, and until when that counts."""

    async def listen(self, freed: Callable[[set[str]], object]) -> None:
        """Hear of the others; `freed` is called with tables that one of them has given up."""

        def hear(news: PresenceNews) -> None:
            if news.owner == self._owner:
                return
            _, before = self._heard.get(news.owner, (0, news))
            self._heard[news.owner] = self._clock.steady_ms() + self._lapse_ms, news
            if given_up := set(before.tables).difference(news.tables):
                freed(given_up)

        await self._link.listen(SUBJECT, PresenceNews, hear)

    def tell(self, tables: Sequence[str], *, closing: bool) -> None:
        """Tell the others that this process is there, and what it runs."""
        self._link.publish(SUBJECT, PresenceNews(self._owner, list(tables), closing))

    def run(self, table: str) -> bool:
        """True if another process says that it runs a table."""
        return any(table in news.tables for news in self._present())

    def next_lapse_ms(self) -> int | None:
        """When, by the steady clock, the first of them will be gone if it is not heard of."""
        now = self._clock.steady_ms()
        return min([until for until, _ in self._heard.values() if until > now], default=None)

    def share(self, tables: int) -> int:
        """The most tables that a process runs when all of them are spread evenly."""
        return -(-tables // (len(self._taking()) + 1))

    def excess(self, run_here: int, tables: int) -> int:
        """The number of tables running here that should go to others: all above the share.

        Within it, the process with the most gives one to a process that has at least two less. Names settle a tie.
        """
        others = self._taking()
        if not others:
            return 0
        if run_here > self.share(tables):
            return run_here - self.share(tables)
        has_most = all((run_here, self._owner) > (count, owner) for owner, count in others.items())
        return 1 if has_most and run_here - min(others.values()) > 1 else 0

    def _taking(self) -> dict[str, int]:
        """The number of tables at each of the others that would take more."""
        return {news.owner: len(news.tables) for news in self._present() if not news.closing}

    def _present(self) -> list[PresenceNews]:
        now = self._clock.steady_ms()
        return [news for until, news in self._heard.values() if now < until]
