"""Runs the edge in the loop of its house.

The server is granian, embedded: of the ASGI servers that run in one's own loop it brings an event to 2,000 terminals
soonest (about half uvicorn's time here), and it lets a writer wait for a reader that is slow, which is what a bounded
queue rests on.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.server.embed import Server

from punto.service.house import House
from punto.web.app import make_app
from punto.web.posts import Posts

BACKLOG = 4_096
HEADER_BYTES = 65_536
HEADER_MS = 10_000
"""How long a connection may say nothing before its (next) request: it takes up room that others need."""
COLLECT_AFTER = (50_000, 20, 50)
"""New objects after which the young ones are looked through, and how often the older ones are."""
ANY_ADDRESS = "0.0.0.0"  # noqa: S104 — compared with, not bound to


class AddressTakenError(OSError):
    """The server cannot listen where it was asked to."""


@asynccontextmanager
async def listening(house: House, host: str = "127.0.0.1", port: int = 0) -> AsyncIterator[int]:
    """Serve a house for as long as the block runs; the port, where 0 asks for a free one. The house stays open."""
    port = _free_port(host, port)
    edge = house.settings.edge
    server = Server(
        Posts(make_app(house)),
        address=host,
        port=port,
        interface=Interfaces.ASGI,
        http=HTTPModes.http1,  # the other modes wait for ever for the first byte of a connection
        backlog=BACKLOG,
        backpressure=edge.connections + BACKLOG,
        http1_settings=HTTP1Settings(
            header_read_timeout=HEADER_MS, max_buffer_size=max(HEADER_BYTES, edge.payload_bytes)
        ),
        log_enabled=False,
    )
    task = asyncio.create_task(server.serve())
    try:
        await _wait_until_listening(host, port, task)
        with _rare_garbage_collection():
            yield port
    finally:
        server.stop()  # type: ignore[no-untyped-call]
        with contextlib.suppress(asyncio.CancelledError):
            await task


@contextmanager
def _rare_garbage_collection() -> Iterator[None]:
    """Look for cycles of garbage seldom, and not at all in what is there at the start.

    A house keeps much and drops little that is in a cycle: looking all the time cost a quarter of each bet.
    """
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def _free_port(host: str, port: int) -> int:
    """The port, checked: the server itself would start twice on one address and share its connections."""
    try:
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
            found: int = probe.getsockname()[1]
            return found
    except OSError as error:
        raise AddressTakenError(f"cannot listen at {host} port {port}: {error.strerror}") from None


async def _wait_until_listening(host: str, port: int, server: asyncio.Task[None]) -> None:
    """Return when the server takes connections."""
    target = "127.0.0.1" if host == ANY_ADDRESS else host
    while True:
        if server.done():
            await server
            raise AddressTakenError(f"cannot listen at {host} port {port}")
        try:
            _, writer = await asyncio.open_connection(target, port)
        except OSError:
            await asyncio.sleep(0.01)
        else:
            writer.close()
            return
