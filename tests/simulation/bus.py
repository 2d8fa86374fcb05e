"""A simulated bus: each process has its end of it, and what travels may be late, lost, repeated or cut off."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable
from dataclasses import dataclass, field

from punto.service.cluster.bus import Hear, NobodyAnswersError, Responder, Stop
from tests.simulation.loop import Machine, SeededLoop

NO_RESPONDER_S = 0.002
"""How soon a bus says that nobody answers on a subject."""


@dataclass
class BusFaults:
    """How often what travels is lost or repeated, and how late it may come. Nothing fails by default."""

    lost: float = 0
    repeated: float = 0
    late: float = 0
    late_ms: int = 1_500
    usual_ms: float = 2


@dataclass
class _End:
    """One process on the bus."""

    machine: Machine
    heard: dict[str, list[Hear]] = field(default_factory=dict)
    answers: dict[str, Responder] = field(default_factory=dict)


class SimNetwork:
    """What is between the ends. News of one process may overtake each other."""

    def __init__(self, loop: SeededLoop, luck: random.Random, faults: BusFaults | None = None) -> None:
        self._loop, self._luck, self.faults = loop, luck, faults or BusFaults()
        self._ends: list[_End] = []
        self.cut_off: set[str] = set()
        """The machines that cannot reach the bus now."""
        self.counts: Counter[str] = Counter()

    def connect(self, machine: Machine) -> SimBus:
        """A new end for a machine."""
        self._ends = [end for end in self._ends if not end.machine.dead]
        end = _End(machine)
        self._ends.append(end)
        return SimBus(self, end)

    def leave(self, end: _End) -> None:
        """Take an end off the bus."""
        if end in self._ends:
            self._ends.remove(end)

    def strikes(self, name: str, chance: float) -> bool:
        """Whether a fault strikes now; it is counted if it does."""
        if not chance or self._luck.random() >= chance:
            return False
        self.counts[name] += 1
        return True

    def delays(self, *, news: bool = False) -> list[float]:
        """After how many seconds something arrives: never or once; news perhaps twice."""
        if self.strikes("bus-lost", self.faults.lost):
            return []
        times = 2 if news and self.strikes("bus-repeated", self.faults.repeated) else 1
        return [self._delay() for _ in range(times)]

    def _delay(self) -> float:
        late = self.strikes("bus-late", self.faults.late)
        return self._luck.uniform(0, self.faults.late_ms if late else self.faults.usual_ms) / 1_000

    def reaches(self, machine: Machine) -> bool:
        """Whether a machine can reach the bus."""
        return machine.name not in self.cut_off

    def publish(self, sender: _End, subject: str, news: bytes) -> None:
        """Bring news to all who listen."""
        if not self.reaches(sender.machine):
            return
        for end in self._ends:
            for heard in end.heard.get(subject, ()):
                for delay in self.delays(news=True):
                    self._loop.call_later(delay, self._hear, end, heard, news, context=end.machine.context())

    def _hear(self, end: _End, heard: Hear, news: bytes) -> None:
        if self.reaches(end.machine):
            heard(news)

    def ask(self, sender: _End, subject: str, ask: bytes) -> asyncio.Future[bytes]:
        """Ask all who answer on a subject; the first answer counts."""
        reply: asyncio.Future[bytes] = self._loop.create_future()
        answering = [end for end in self._ends if subject in end.answers and self.reaches(end.machine)]
        if not self.reaches(sender.machine):
            return reply
        if not answering:
            self._loop.call_later(NO_RESPONDER_S, _fail, reply, subject)
        for end in answering:
            for delay in self.delays():
                asked = (end, end.answers[subject], ask, sender, reply)
                self._loop.call_later(delay, self._asked, *asked, context=end.machine.context())
        return reply

    def _asked(self, end: _End, answer: Responder, ask: bytes, sender: _End, reply: asyncio.Future[bytes]) -> None:
        if self.reaches(end.machine):
            self._loop.create_task(self._respond(end, answer(ask), sender, reply))

    async def _respond(
        self, end: _End, answering: Awaitable[bytes], sender: _End, reply: asyncio.Future[bytes]
    ) -> None:
        answer = await answering
        if self.reaches(end.machine) and self.reaches(sender.machine):
            for delay in self.delays():
                self._loop.call_later(delay, _answer, reply, answer, context=sender.machine.context())


def _answer(reply: asyncio.Future[bytes], answer: bytes) -> None:
    if not reply.done():
        reply.set_result(answer)


def _fail(reply: asyncio.Future[bytes], subject: str) -> None:
    if not reply.done():
        reply.set_exception(NobodyAnswersError(subject))


class SimBus:
    """One process's end: a `Bus`."""

    def __init__(self, network: SimNetwork, end: _End) -> None:
        self._network, self._end = network, end

    @property
    def connected(self) -> bool:
        """See `Bus`."""
        return self._network.reaches(self._end.machine)

    async def publish(self, subject: str, news: bytes) -> None:
        """See `Bus`."""
        self._network.publish(self._end, subject, news)

    async def listen(self, subject: str, heard: Hear) -> Stop:
        """See `Bus`."""
        hearing = self._end.heard.setdefault(subject, [])
        hearing.append(heard)

        async def stop() -> None:
            if heard in hearing:
                hearing.remove(heard)

        return stop

    async def request(self, subject: str, ask: bytes, timeout_ms: int) -> bytes:
        """See `Bus`."""
        try:
            async with asyncio.timeout(timeout_ms / 1_000):
                return await self._network.ask(self._end, subject, ask)
        except TimeoutError:
            raise NobodyAnswersError(subject) from None

    async def answer(self, subject: str, answer: Responder) -> Stop:
        """See `Bus`."""
        self._end.answers[subject] = answer

        async def stop() -> None:
            if self._end.answers.get(subject) is answer:
                del self._end.answers[subject]

        return stop

    async def close(self) -> None:
        """See `Bus`."""
        self._network.leave(self._end)
