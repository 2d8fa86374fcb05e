"""Messages of a service to systemd: that it is ready, that it stops, and at times that it is alive."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket

from punto.service.health import HealthCheck

READY, STOPPING, ALIVE = "READY=1", "STOPPING=1", "WATCHDOG=1"


def notify(state: str) -> None:
    """Tell systemd, if it started this process as a `Type=notify` service."""
    if address := os.environ.get("NOTIFY_SOCKET"):
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as said:
            said.connect("\0" + address[1:] if address.startswith("@") else address)
            said.send(state.encode())


async def keep_alive(health: HealthCheck) -> None:
    """Tell that the process is alive, twice in the time that the unit's WatchdogSec gives, until cancelled."""
    if within := int(os.environ.get("WATCHDOG_USEC", "0")):
        while True:
            if health.turning:
                notify(ALIVE)
            await asyncio.sleep(within / 2_000_000)
