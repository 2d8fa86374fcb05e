"""Runs the edge in the loop of its house.

The server is uvicorn's protocols on our own listening socket. Of the ASGI servers that run in one's own loop they are
the ones whose WebSocket can be bounded while a message arrives (`punto.web.protocols`), and they write a frame that
was made once for all readers as it is.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from typing import Any, cast

from litestar.types import ASGIApp
from uvicorn.config import Config
from uvicorn.server import ServerState

from punto.service.house import House
from punto.web.app import make_app
from punto.web.limits import Intake
from punto.web.methods import HeadAsGet
from punto.web.posts import Posts
from punto.web.protocols import RequestProtocol, TerminalProtocol
from punto.web.proxies import BehindProxies, TrustedProxies

BACKLOG = 4_096
IDLE_SECONDS = 10
"""How long a connection may say nothing before its next request: it takes up room that others need."""
RECEIVE_BYTES = 65_536
"""What the system itself may hold of a connection that sends faster than it is read."""
STOP_SECONDS = 5
"""How long those still served may take when the server stops."""
COLLECT_AFTER = (50_000, 20, 50)
"""New objects after which the young ones are looked through, and how often the older ones are."""


class AddressTakenError(OSError):
    """The server cannot listen where it was asked to."""


@asynccontextmanager
async def listening(house: House, listener: socket.socket | None = None) -> AsyncIterator[int]:
    """Serve a house at a bound address, by default a free port, for as long as the block runs. The house stays open."""
    listener = listener or bind("127.0.0.1", 0)
    proxies = TrustedProxies(house.settings.server.trusted_proxies)
    intake, state = Intake(house.settings.edge, proxies), ServerState()
    app = HeadAsGet(cast("ASGIApp", Posts(make_app(house))))
    config = Config(
        cast("Any", BehindProxies(cast("ASGIApp", app), house.settings.server, proxies)),
        ws=cast("Any", partial(TerminalProtocol, intake=intake)),
        ws_per_message_deflate=False,  # a small message can unpack to a large one
        ws_ping_interval=None,
        ws_max_size=house.settings.edge.payload_bytes,
        lifespan="off",
        timeout_keep_alive=IDLE_SECONDS,
        log_config=None,
        log_level="error",
        access_log=False,
        proxy_headers=False,  # `punto.web.proxies` knows whom to believe
    )
    config.load()
    server = await asyncio.get_running_loop().create_server(
        lambda: RequestProtocol(config, state, intake), sock=listener, backlog=BACKLOG
    )
    try:
        with _rare_garbage_collection():
            yield listener.getsockname()[1]
    finally:
        server.close()
        await _end_connections(state)


async def _end_connections(state: ServerState) -> None:
    """Let those who are served come to an end, then cut off whoever is left."""
    for connection in list(state.connections):
        connection.shutdown()
    if state.tasks:
        await asyncio.wait(state.tasks, timeout=STOP_SECONDS)
    for connection in list(state.connections):
        connection.transport.abort()
    if state.tasks:
        await asyncio.wait(state.tasks, timeout=STOP_SECONDS)


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
