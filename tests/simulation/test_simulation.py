"""The short form of the simulation: fixed seeds, a few fresh ones, and that a seed gives one history."""

from __future__ import annotations

import os
import random
import socket
import subprocess
import sys
import threading
from collections.abc import Callable

import pytest

from punto.service.clock import SystemClock
from punto.store.fold import UsedKeys
from punto.store.leases import wall_clock_ms
from punto.store.tokens import new_token
from tests.simulation.fence import FencedError, fence
from tests.simulation.loop import DeadlockError, Machine, SeededLoop
from tests.simulation.scenario import run


@pytest.mark.parametrize("seed", [5, 20])
def test_the_house_holds_in_a_seed(seed: int) -> None:
    result = run(seed)
    assert result.problems == []
    assert result.tally["rounds", ""] > 0


def test_the_house_holds_in_a_fresh_seed() -> None:
    seed = random.SystemRandom().getrandbits(32)
    print(f"python -m tests.simulation --seed {seed}")  # shown if something is wrong
    assert run(seed).problems == []


def test_a_seed_gives_one_history_byte_for_byte() -> None:
    first = run(7, audited=False).history
    code = "from tests.simulation.scenario import run; print(run(7, audited=False).history.hash)"
    environment = os.environ | {"PYTHONHASHSEED": "77"}
    again = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert again.stdout.strip() == first.hash


def test_nothing_real_can_be_reached_inside() -> None:
    loop = SeededLoop(1)
    reaching: tuple[Callable[[], object], ...] = (
        SystemClock().now_ms,
        SystemClock().steady_ms,
        wall_clock_ms,
        new_token,
        UsedKeys,
        lambda: os.urandom(1),
        lambda: socket.socket(),
        lambda: threading.Thread(target=print).start(),
    )
    with fence(loop):
        for reach in reaching:
            with pytest.raises(FencedError):
                reach()
    loop.end()


def test_a_machine_that_dies_does_nothing_more() -> None:
    loop, machine, done = SeededLoop(1), Machine("one"), []

    async def work() -> None:
        try:
            await loop.create_future()
        finally:
            done.append("cleaned up")

    async def kill() -> None:
        machine.dead = True

    loop.start(work(), machine)
    loop.run_until_complete(loop.start(kill()))
    assert done == []
    with pytest.raises(DeadlockError):
        loop.run_until_complete(loop.create_future())
    loop.end()
