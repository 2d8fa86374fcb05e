"""The processes of one house: each starts, stands still, drains, crashes and comes back, on a clock of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

from punto.service.house import House, open_house
from punto.service.settings import HouseSettings
from punto.service.world import World
from punto.store.errors import BrokenStoreError, DiskFullError, OutcomeUnknownError, UnavailableError
from tests.simulation.bus import SimBus, SimNetwork
from tests.simulation.fence import EPOCH_S
from tests.simulation.history import History
from tests.simulation.loop import NOBODY, Machine, SeededLoop
from tests.simulation.store import SimDatabase, SimStore

START_AGAIN_S = 0.5
"""How long after a failed start a process is started again."""
EXPECTED = (UnavailableError, DiskFullError, OutcomeUnknownError, BrokenStoreError)
"""What may keep a process from starting, or end it, while the store fails."""


class GoneError(Exception):
    """The process is not there, or went while it was asked."""


class SimClock:
    """The clock of one process: virtual time, and a time of day that may jump."""

    def __init__(self, loop: SeededLoop) -> None:
        self._loop = loop
        self.ahead_ms = 0

    def now_ms(self) -> int:
        """See `Clock`."""
        return EPOCH_S * 1_000 + self._loop.now_ms + self.ahead_ms

    def steady_ms(self) -> int:
        """See `Clock`."""
        return self._loop.now_ms

    async def sleep_until(self, steady_ms: int) -> None:
        """See `Clock`."""
        while (left := steady_ms - self.steady_ms()) > 0:
            await asyncio.sleep(left / 1_000)


class Process:
    """One process of the house, through all its lives."""

    def __init__(
        self,
        name: str,
        loop: SeededLoop,
        database: SimDatabase,
        network: SimNetwork,
        history: History,
        settings: HouseSettings,
        *,
        keeps_name: bool,
    ) -> None:
        self.name, self._loop, self._database, self._network = name, loop, database, network
        self._history, self._settings, self._keeps_name = history, settings, keeps_name
        self.clock = SimClock(loop)
        self.house: House | None = None
        """The house as long as it serves."""
        self.problems: list[str] = []
        """What it did that no fault explains."""
        self._lives = 0
        self._machine = Machine(name)
        self._asked: set[asyncio.Future[Any]] = set()

    @property
    def is_up(self) -> bool:
        """Whether it can be asked. One that stands still can be, and does not answer."""
        return self.house is not None

    @property
    def is_paused(self) -> bool:
        """Whether it stands still."""
        return self._machine.paused

    # --------------------------------------------------------------------------------------- lives

    def start(self) -> None:
        """Start the process; it is started again whenever it ends by itself."""
        self._lives += 1
        self._machine = Machine(self.name)
        self._loop.start(self._run(), self._machine)

    async def _run(self) -> None:
        owner = self.name if self._keeps_name else f"{self.name}-{self._lives}"
        world = World(self.clock, self._loop.streams.entropy.randbytes, asyncio.create_task, self._open, self._connect)
        try:
            house = await open_house(replace(self._settings, owner=owner), world)
        except Exception as error:
            self._ended(error)
            return
        self.house = house
        self._history.add("process", process=self.name, state="up")
        self._ended(await house.failed)

    async def _open(self, *_: object, signer: Any = None, check: Any = None, **__: object) -> SimStore:
        self._database.set_signer(signer)
        store = SimStore(self._database)
        if check is not None:
            async with store.snapshot() as snapshot:
                await check(snapshot)
        return store

    async def _connect(self, _: str | None) -> SimBus:
        return self._network.connect(self._machine)

    def _ended(self, error: BaseException) -> None:
        """The process ends by itself, and is started again."""
        if not isinstance(error, EXPECTED):
            self.problems.append(f"{self.name} stopped: {error!r}")
        self.crash(why=f"{type(error).__name__}: {error}")
        self._loop.call_later(START_AGAIN_S, self.start_again, context=NOBODY.context())

    def start_again(self) -> None:
        """Start a process that is down."""
        if self._machine.dead:
            self.start()

    def crash(self, **why: str) -> None:
        """End at once: nothing that it was doing goes on, and nobody is told."""
        if self._machine.dead:
            return
        self._machine.dead = True
        if self.house is not None:
            self._history.add("process", process=self.name, state="down", **why)
        self.house = None
        for asked in sorted(self._asked, key=lambda each: each.number):  # type: ignore[attr-defined]
            if not asked.done():
                asked.set_exception(GoneError(self.name))
        self._asked.clear()

    def pause(self) -> None:
        """Stand still."""
        self._machine.paused = True

    def resume(self) -> None:
        """Go on."""
        self._loop.resume(self._machine)

    async def drain(self) -> None:
        """Close the house as an operator does, then stay down."""
        if (house := self.house) is None:
            return
        machine = self._machine
        self._history.add("process", process=self.name, state="draining")
        closing = self._loop.start(house.close(), machine)
        closing.add_done_callback(self._closed)
        await asyncio.wait([closing], timeout=60)
        if machine is self._machine and not machine.dead:
            self.crash()

    def _closed(self, closing: asyncio.Task[None]) -> None:
        if not closing.cancelled() and (error := closing.exception()) is not None and not isinstance(error, EXPECTED):
            self.problems.append(f"{self.name} could not close: {error!r}")

    # --------------------------------------------------------------------------------------- clients

    def ask(
        self, work: Callable[[House], Coroutine[Any, Any, Any]], *, until_hung_up: bool = False
    ) -> asyncio.Future[Any]:
        """Have the process do something for a client; GoneError if it goes first.

        With `until_hung_up` it stops when the client cancels; anything else it finishes for a client that is gone.
        """
        answer = self._loop.create_future()
        if self.house is None:
            answer.set_exception(GoneError(self.name))
            return answer
        self._asked.add(answer)
        doing = self._loop.start(self._do(work, self.house, answer), self._machine)
        if until_hung_up:
            answer.add_done_callback(lambda ended: doing.cancel() if ended.cancelled() else None)
        return answer

    async def _do(
        self, work: Callable[[House], Coroutine[Any, Any, Any]], house: House, answer: asyncio.Future[Any]
    ) -> None:
        try:
            done = await work(house)
        except asyncio.CancelledError:
            raise
        except BaseException as error:
            self._asked.discard(answer)
            if not answer.done():
                answer.set_exception(error)
        else:
            self._asked.discard(answer)
            if not answer.done():
                answer.set_result(done)
