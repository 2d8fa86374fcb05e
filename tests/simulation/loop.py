"""A seeded event loop with virtual time, and the machines whose work it runs.

The loop picks which of the callbacks that are ready runs next. When none is ready, time jumps to the next timer. So a
seed decides every interleaving, and a run takes no longer than its work.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import itertools
import random
from collections.abc import Callable, Coroutine
from contextvars import Context, ContextVar, copy_context
from typing import Any, Self, TypeVarTuple

Ts = TypeVarTuple("Ts")
MOST_STEPS = 3_000_000
"""Callbacks after which a run counts as one that does not end."""


class Streams:
    """Random numbers by purpose, so that one more draw for one purpose leaves the others as they were."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.schedule = self.stream("schedule")
        """What runs next, and how long each thing takes."""
        self.faults = self.stream("faults")
        """What fails, and when."""
        self.entropy = self.stream("entropy")
        """Keys, tokens and cards: what the house itself draws."""

    def stream(self, name: str) -> random.Random:
        """A stream of its own."""
        return random.Random(f"{self._seed}:{name}")


class Machine:
    """Something that runs by itself, and can stand still or die with all that it was doing.

    Whatever is started in its context belongs to it, and so does all that this starts in turn.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.dead = False
        self.paused = False
        self.held: list[asyncio.Handle] = []
        """What became ready while it stood still."""

    def context(self) -> Context:
        """A context in which callbacks and tasks are this machine's."""
        context = copy_context()
        context.run(RUNS_ON.set, self)
        return context


NOBODY = Machine("nobody")
"""What runs on no machine of the house: people, and the world itself."""
RUNS_ON: ContextVar[Machine] = ContextVar("RUNS_ON", default=NOBODY)
"""The machine that the present callback belongs to."""


class _Numbered:
    """Has a place in a set that does not depend on its address in memory."""

    number: int

    def __new__(cls, *_args: object, **_more: object) -> Self:
        made = super().__new__(cls)
        made.number = next(SeededLoop.numbers)
        return made

    def __hash__(self) -> int:
        return self.number


class SimFuture(_Numbered, asyncio.Future[Any]):
    """A future of the simulation."""


class SimTask(_Numbered, asyncio.Task[Any]):
    """A task of the simulation."""


class DeadlockError(AssertionError):
    """Everyone waits, and nothing can happen any more."""


class EndlessError(AssertionError):
    """The run does not come to an end."""


class SeededLoop(asyncio.BaseEventLoop):
    """Runs callbacks in an order drawn from a seed, in virtual time."""

    numbers = itertools.count()

    def __init__(self, seed: int) -> None:
        super().__init__()
        SeededLoop.numbers = itertools.count(1)
        self.streams = Streams(seed)
        self.steps = 0
        self.errors: list[str] = []
        """What tasks that nobody awaits have raised."""
        self._draw = self.streams.schedule.random
        self._now = 0.0
        self._ready: list[asyncio.Handle] = []
        self._timers: list[tuple[float, int, asyncio.TimerHandle]] = []
        self._timer = itertools.count()
        self._tasks: list[SimTask] = []
        self._prune_at = 1_000
        self._ended = False
        self.set_task_factory(self._make_task)  # type: ignore[arg-type]  # no protocol knows the context
        self.set_exception_handler(self._note_error)

    # --------------------------------------------------------------------------------------- time

    def time(self) -> float:
        """Virtual seconds since the run began."""
        return self._now

    @property
    def now_ms(self) -> int:
        """Virtual milliseconds since the run began."""
        return round(self._now * 1_000)

    def call_at(
        self, when: float, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.TimerHandle:
        """See `asyncio.AbstractEventLoop`."""
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        heapq.heappush(self._timers, (when, next(self._timer), handle))
        return handle

    def call_later(
        self, delay: float, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.TimerHandle:
        """See `asyncio.AbstractEventLoop`."""
        return self.call_at(self._now + delay, callback, *args, context=context)

    # --------------------------------------------------------------------------------------- tasks

    def create_future(self) -> SimFuture:
        """See `asyncio.AbstractEventLoop`."""
        return SimFuture(loop=self)

    def _make_task(
        self, _loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, Any], context: Context | None = None
    ) -> SimTask:
        task = SimTask(work, loop=self, context=context)
        # A task of a dead machine must not be collected in the middle of the run: that would run its `finally` blocks.
        self._tasks.append(task)
        if len(self._tasks) > self._prune_at:
            self._tasks = [each for each in self._tasks if not each.done()]
            self._prune_at = 2 * len(self._tasks) + 1_000
        return task

    def start(self, work: Coroutine[Any, Any, Any], machine: Machine = NOBODY) -> asyncio.Task[Any]:
        """Run work on a machine, or on none, whatever runs now."""
        return self.create_task(work, context=machine.context())

    def run_in_executor(self, _executor: object, work: Callable[..., Any], *args: Any) -> SimFuture:  # type: ignore[override]
        """Do at once, after a while, what a thread would do."""
        future = self.create_future()

        def go() -> None:
            if future.done():
                return
            try:
                future.set_result(work(*args))
            except Exception as error:
                future.set_exception(error)

        self.call_later(self.streams.schedule.uniform(0, 0.002), go)
        return future

    def _note_error(self, _loop: object, context: dict[str, Any]) -> None:
        error = context.get("exception")
        self.errors.append(f"{context['message']}: {error!r}")

    # --------------------------------------------------------------------------------------- running

    def _run_once(self) -> None:
        ready, timers = self._ready, self._timers
        if not ready and not self._stopping:  # type: ignore[attr-defined]
            while timers and timers[0][2].cancelled():
                heapq.heappop(timers)
            if not timers:
                raise DeadlockError(f"everyone waits at {self.now_ms} ms")
            self._now = max(self._now, timers[0][0])
        while timers and timers[0][0] <= self._now:
            handle = heapq.heappop(timers)[2]
            if not handle.cancelled():
                ready.append(handle)
        if not ready:
            return
        chosen = int(self._draw() * len(ready))
        ready[chosen], ready[-1] = ready[-1], ready[chosen]
        self._run(ready.pop())
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise EndlessError(f"{self.steps} callbacks in {self.now_ms} virtual ms")

    def _run(self, handle: asyncio.Handle) -> None:
        machine: Machine = handle._context.get(RUNS_ON, NOBODY)  # type: ignore[attr-defined]
        if machine.dead:
            return
        if machine.paused:
            machine.held.append(handle)
        elif not handle.cancelled():
            handle._run()

    def resume(self, machine: Machine) -> None:
        """Let a machine that stood still go on."""
        machine.paused = False
        self._ready += machine.held
        machine.held = []

    def call_soon(
        self, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.Handle:
        """See `asyncio.AbstractEventLoop`."""
        handle = asyncio.Handle(callback, args, self, context)
        if not self._ended:
            self._ready.append(handle)
        return handle

    call_soon_threadsafe = call_soon  # there are no threads

    def end(self) -> None:
        """Drop everything that is still under way, without letting it do anything more."""
        self._ended = True
        for task in self._tasks:
            if not task.done():
                task._log_destroy_pending = False  # type: ignore[attr-defined]
                with contextlib.suppress(BaseException):  # whatever it would still do does not count
                    task.get_coro().close()
        self._tasks, self._timers = [], []
        self._ready.clear()
        self.close()

    def _process_events(self, _events: object) -> None:
        """There is nothing outside to hear of."""

    def _write_to_self(self) -> None:
        """Nobody else can wake the loop."""

    def _timer_handle_cancelled(self, _handle: asyncio.TimerHandle) -> None:
        """A cancelled timer is passed over when its time comes."""
