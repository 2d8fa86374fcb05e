"""A table as it happens, over its WebSocket: kept up to date through lost connections and gaps."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import ssl
from collections.abc import Callable
from typing import Self
from urllib.parse import quote

import msgspec
from msgspec import UNSET
from msgspec.structs import asdict, replace
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from punto.client.errors import ConnectionLostError, RefusedByServerError
from punto.client.retries import RETRIES, Backoff
from punto.protocol import views as v
from punto.protocol.codec import new_command
from punto.protocol.refusals import (
    PayloadTooLarge,
    RequestUnreadable,
    StoreUnavailable,
    TableUnknown,
    TableUnreachable,
    TokenMissing,
    TokenUnknown,
)
from punto.protocol.shown import build_choice, build_refusal
from punto.rules.refusals import Refusal
from punto.table.ways import Chosen, W

TIMEOUT_SECONDS = 30
TRIES = 20
"""The failures in a row after which a connection is given up."""
UNCERTAIN = (TableUnreachable, StoreUnavailable)
"""Refusals after which a command is sent again: its key finds what was done, if anything was."""
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(v.ServerMessage).decode


def new_key() -> str:
    """An idempotency key nobody has used."""
    return secrets.token_urlsafe(18)


def read_message(received: str | bytes) -> v.ServerMessage:
    """A message of the server; ConnectionLostError for one that this version does not understand."""
    try:
        message: v.ServerMessage = _decode(received)
    except (ValueError, RecursionError) as error:  # not JSON, of another shape, not UTF-8, or nested too deeply
        raise ConnectionLostError(f"the server sent what cannot be read: {error}") from None
    return message


def _final(code: int, table: str) -> Refusal | None:
    """The reason why a connection was closed, if connecting again would end the same way."""
    final = {4000: RequestUnreadable(), 4001: TokenUnknown(), 4004: TableUnknown(table), 1009: PayloadTooLarge()}
    return final.get(code)


class LiveTable:
    """One terminal. `view` is the snapshot with all that followed; `seq` the last record seen.

    `until` waits for the view to become something. A connection that is lost is made again from the last record seen,
    and a gap in the records leads to a fresh snapshot. Commands that wait for their answer are sent again under their
    keys, and up to `retries` times where the table cannot be reached.
    """

    def __init__(
        self,
        address: str,
        table: str,
        token: str | None = None,
        *,
        tries: int = TRIES,
        retries: int = RETRIES,
        verify: ssl.SSLContext | None = None,
    ) -> None:
        scheme, _, rest = address.partition("://")
        self._url = f"{'wss' if scheme == 'https' else 'ws'}://{rest}/api/tables/{quote(table)}/events"
        self.table, self._token, self._tries, self._retries = table, token, tries, retries
        self._ssl: ssl.SSLContext | bool | None = (verify or True) if scheme == "https" else None
        self._view: v.Snapshot | None = None
        self.seq: int | None = None
        self.reconnected = 0
        self.snapshots = 0
        self._socket: ClientConnection | None = None
        self._running: asyncio.Task[None] | None = None
        self._pending: dict[str, tuple[str, asyncio.Future[int]]] = {}
        self._changed = asyncio.Condition()
        self._ended: Exception | None = None

    async def __aenter__(self) -> Self:
        self._running = asyncio.create_task(self._run())
        await self.until(lambda: self._view is not None)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Go."""
        if self._running is not None:
            self._running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._running

    @property
    def view(self) -> v.Snapshot:
        """The table as it is now."""
        if self._view is None:
            raise ConnectionLostError("the server has not shown the table yet")
        return self._view

    @property
    def me(self) -> v.Own:
        """One's standing at the table; the public, who has no token, has no place there."""
        if self.view.me is None:
            raise RefusedByServerError(TokenMissing())
        return self.view.me

    def ways(self, act: Chosen[W]) -> list[W]:
        """The ways in which one may give a command now; none where it would be refused."""
        shared, own = [
            [choice for choice in map(build_choice, choices) if choice.kind == act.kind]
            for choices in (self.view.choices, self.me.choices)
        ]
        if any(choice.refusal for choice in (*shared, *own)):
            return []
        return [way for choice in own or shared for way in choice.ways if way.refusal is None]

    # --------------------------------------------------------------------------------------- reading

    async def until(self, condition: Callable[[], bool]) -> v.Snapshot:
        """Wait until something holds of the view; the view. Raises what ended the connection, if that comes first."""
        async with self._changed:
            while not condition():
                if self._ended is not None:
                    raise self._ended
                await self._changed.wait()
        return self.view

    # --------------------------------------------------------------------------------------- commands

    async def command(self, kind: str, key: str | None = None, /, **fields: object) -> int:
        """Give a command; the last record it led to. A RefusedByServerError says why not."""
        key = key or new_key()
        text = _encode(v.GiveCommand(key, new_command(kind, **fields))).decode()
        backoff = Backoff(self._retries)
        while True:
            try:
                return await self._send(key, text)
            except RefusedByServerError as refused:
                if not isinstance(refused.refusal, UNCERTAIN) or not await backoff.again():
                    raise

    async def _send(self, key: str, text: str) -> int:
        if self._ended is not None:
            raise self._ended
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._pending[key] = text, answer
        try:
            if self._socket is not None:
                with contextlib.suppress(ConnectionClosed):  # it is sent again with the next connection
                    await self._socket.send(text)
            return await answer
        finally:
            self._pending.pop(key, None)

    # --------------------------------------------------------------------------------------- the connection

    async def _run(self) -> None:
        try:
            await self._stay_connected()
        except (RefusedByServerError, ConnectionLostError) as error:
            await self._end(error)
        except asyncio.CancelledError:
            await self._end(ConnectionLostError("the client closed the connection"))
            raise

    async def _stay_connected(self) -> None:
        failures = 0
        while True:
            before = self.snapshots, self.seq
            why = "it closes each connection at once"
            try:
                await self._session()
            except ConnectionClosed as error:
                if error.rcvd is not None and (refusal := _final(error.rcvd.code, self.table)):
                    raise RefusedByServerError(refusal) from None
            except (OSError, InvalidHandshake, TimeoutError) as error:
                why = str(error)
            failures = failures + 1 if before == (self.snapshots, self.seq) else 0
            if failures >= self._tries:
                raise ConnectionLostError(f"{self._url} cannot be reached: {why}")
            self.reconnected += 1
            await asyncio.sleep(min(0.02 * 2**failures, 2))

    async def _end(self, error: Exception) -> None:
        self._ended = error
        for _, answer in self._pending.values():
            if not answer.done():
                answer.set_exception(error)
        async with self._changed:
            self._changed.notify_all()

    async def _session(self) -> None:
        async with connect(
            self._url,
            ssl=self._ssl,
            compression=None,
            max_size=2**24,
            proxy=None,
            open_timeout=TIMEOUT_SECONDS,
            ping_interval=None,
        ) as socket:
            await socket.send(_encode(v.Hello(self._token, self.seq)).decode())
            for text, _ in list(self._pending.values()):
                await socket.send(text)
            self._socket = socket
            try:
                async for received in socket:
                    if not await self._apply(read_message(received)):
                        return
            finally:
                self._socket = None
            raise ConnectionClosed(socket.protocol.close_rcvd, socket.protocol.close_sent)

    async def _apply(self, message: v.ServerMessage) -> bool:
        """Apply a message to the view; False when it shows that some are missing, and a snapshot is needed."""
        match message:
            case v.Snapshot():
                self._view, self.seq = message, message.seq
                self.snapshots += 1
            case v.EventMessage():
                if self.seq is not None and message.seq <= self.seq:
                    return True  # seen before the connection was lost
                if self.seq is not None and message.seq != self.seq + 1:
                    self.seq = None
                    return False
                self.seq = message.seq
            case v.ViewMessage():
                changed = {name: part for name, part in asdict(message.view).items() if part is not UNSET}
                self._view = replace(self.view, seq=message.seq, **changed)
            case v.MeMessage():
                self._view = replace(self.view, me=message.me)
            case v.ClockMessage():
                self._view = replace(self.view, ends_at_ms=message.ends_at_ms, now_ms=message.now_ms)
            case v.SuspendedMessage():
                self._view = replace(self.view, suspended=message.suspended)
            case v.ReplyMessage():
                self._answer(message)
        async with self._changed:
            self._changed.notify_all()
        return True

    def _answer(self, message: v.ReplyMessage) -> None:
        _, answer = self._pending.get(message.key, ("", None))
        if answer is None or answer.done():
            return
        if message.seq is not UNSET:
            answer.set_result(message.seq)
        elif message.refused is not UNSET:
            answer.set_exception(RefusedByServerError(build_refusal(message.refused)))
        else:
            raise ConnectionLostError("the server answered a command with neither a record nor a refusal")
