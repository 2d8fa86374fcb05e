"""Runs the edge in the loop of its house."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from punto.service.house import House
from punto.web.app import Application
from punto.web.connections import Connection
from punto.web.http import serve
from punto.web.limits import Intake

BACKLOG = 4_096
RECEIVE_BYTES = 65_536
"""The bytes that the system itself may hold of a connection that sends faster than it is read."""
STOP_SECONDS = 5
"""The time for those still served when the server stops."""
COLLECT_AFTER = (50_000, 20, 50)
"""New objects after which the young ones are looked through, and how often the older ones are."""


class AddressTakenError(OSError):
    """The server cannot listen where it was asked to."""


class Edge:
    """The application with its connections and what is done for them."""

    def __init__(self, house: House) -> None:
        self.app = Application(house)
        self.intake = Intake(house.settings.edge, self.app.proxies)
        self.connections = set[Connection]()
        self.tasks = set[asyncio.Task[None]]()
        self.stopping = False

    def serve(self, connection: Connection) -> None:
        """Serve a new connection in a task of its own."""
        task = asyncio.get_running_loop().create_task(serve(connection))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def close(self) -> None:
        """Let those who are served come to an end, then cut off whoever is left."""
        self.stopping = True
        for connection in list(self.connections):
            connection.stop()
        if self.tasks:
            await asyncio.wait(self.tasks, timeout=STOP_SECONDS)
        for connection in list(self.connections):
            connection.cut_off()
        if self.tasks:
            await asyncio.wait(self.tasks, timeout=STOP_SECONDS)


@asynccontextmanager
async def listening(house: House, listener: socket.socket | None = None) -> AsyncIterator[int]:
    """Serve a house at a bound address, by default a free port, for as long as the block runs. The house stays open."""
    listener = listener or bind("127.0.0.1", 0)
    edge = Edge(house)
    server = await asyncio.get_running_loop().create_server(lambda: Connection(edge), sock=listener, backlog=BACKLOG)
    try:
        with _rare_garbage_collection():
            yield listener.getsockname()[1]
    finally:
        server.close()
        await edge.close()


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


def bind(host: str, port: int) -> socket.socket:
    """A socket with this address, where port 0 takes any that is free; its connections inherit what it may hold."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        with contextlib.suppress(OSError):
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BYTES)
        if sys.platform != "win32":  # there it would let two servers share one address
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise AddressTakenError(f"cannot listen at {host} port {port}: {error.strerror}") from None
    return listener
