"""The bus between the processes of one house: it carries news and forwards commands, and is never the truth.

Whatever it loses, repeats or reorders is seen by its sequence number and read again from the store. Undealt cards,
salts and tokens never travel on it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Protocol

import nats
import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg

from punto.service.clock import seconds

Hear = Callable[[bytes], None]
Responder = Callable[[bytes], Awaitable[bytes]]
Stop = Callable[[], Awaitable[None]]

CONNECT_SECONDS = 5


class NobodyAnswersError(Exception):
    """No process answered a request in time. It may have been carried out all the same: ask again by its key."""


class Bus(Protocol):
    """The methods that the house needs of a bus."""

    @property
    def connected(self) -> bool:
        """True if the bus is there now."""
        ...

    async def publish(self, subject: str, news: bytes) -> None:
        """Tell every process."""

    async def listen(self, subject: str, heard: Hear) -> Stop:
        """Hear what is published on a subject, until the returned function is called."""

    async def request(self, subject: str, ask: bytes, timeout_ms: int) -> bytes:
        """Ask the one that answers on a subject; NobodyAnswersError if no answer comes."""

    async def answer(self, subject: str, answer: Responder) -> Stop:
        """Answer requests on a subject, until the returned function is called."""

    async def close(self) -> None:
        """Leave the bus."""


class NatsBus:
    """NATS. It reconnects by itself for as long as it takes; what was missed meanwhile is read from the store."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._answering: set[asyncio.Task[None]] = set()

    @classmethod
    async def connect(cls, address: str) -> NatsBus:
        """Connect, or raise OSError saying why not."""

        async def quiet(error: Exception) -> None:  # errors are seen where they matter: as gaps and missing answers
            del error

        try:
            # The client would try for ever, from the first; a bus that is not there at the start is a wrong address.
            async with asyncio.timeout(CONNECT_SECONDS):
                client = await nats.connect(
                    address,
                    connect_timeout=CONNECT_SECONDS,
                    allow_reconnect=True,
                    max_reconnect_attempts=-1,
                    reconnect_time_wait=1,
                    error_cb=quiet,
                )
        except (nats.errors.Error, OSError, ValueError) as error:
            reason = str(error) or "nobody answers there"
            raise OSError(f"the bus at {_shown(address)} cannot be reached: {reason}") from None
        return cls(client)

    @property
    def connected(self) -> bool:
        """True if the bus is there now."""
        return self._client.is_connected

    async def publish(self, subject: str, news: bytes) -> None:
        """Tell every process; while the bus is away nothing is sent, and others will see the gap."""
        with contextlib.suppress(nats.errors.Error, OSError):
            await self._client.publish(subject, news)

    async def listen(self, subject: str, heard: Hear) -> Stop:
        """Hear what is published on a subject."""

        async def received(message: Msg) -> None:
            heard(message.data)

        return await self._subscribe(subject, received)

    async def request(self, subject: str, ask: bytes, timeout_ms: int) -> bytes:
        """Ask the one that answers on a subject."""
        try:
            return (await self._client.request(subject, ask, timeout=seconds(timeout_ms))).data
        except (nats.errors.Error, OSError) as error:
            raise NobodyAnswersError(subject) from error

    async def answer(self, subject: str, answer: Responder) -> Stop:
        """Answer requests on a subject: each in a task of its own, so that those that wait are committed together."""

        async def respond(message: Msg) -> None:
            reply = await answer(message.data)
            with contextlib.suppress(nats.errors.Error, OSError):
                await message.respond(reply)

        async def received(message: Msg) -> None:
            task = asyncio.create_task(respond(message))
            self._answering.add(task)
            task.add_done_callback(self._answering.discard)

        return await self._subscribe(subject, received)

    async def _subscribe(self, subject: str, received: Callable[[Msg], Awaitable[None]]) -> Stop:
        subscription = await self._client.subscribe(subject, cb=received)

        async def stop() -> None:
            with contextlib.suppress(nats.errors.Error, OSError):
                await subscription.unsubscribe()

        return stop

    async def close(self) -> None:
        """Send what waits, and leave."""
        for task in list(self._answering):
            task.cancel()
        with contextlib.suppress(nats.errors.Error, OSError):
            await self._client.close()


def _shown(address: str) -> str:
    """An address without the user and password it may hold."""
    scheme, _, rest = address.rpartition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}" if scheme else rest.rpartition("@")[2]
