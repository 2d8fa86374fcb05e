"""A table as it happens, over its WebSocket: kept up to date through lost connections and gaps."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from punto.client.errors import LostError, RefusedByServerError
from punto.client.replies import Done, new_key

Message = dict[str, Any]

FINAL = {4000: "message-refused", 4001: "token-unknown", 4004: "table-unknown", 4009: "payload-too-large"}
"""Close codes after which connecting again would end the same way."""
OLDEST_KEPT = 10_000


class LiveTable:
    """One terminal. `view` is the snapshot with all that followed; `seq` the last record seen.

    Messages can be read by iterating; `until` waits for the view to become something. A connection that is lost is
    made again from the last record seen, and a gap in the records leads to a fresh snapshot. Commands that wait for
    their answer are sent again under their keys.
    """

    def __init__(self, address: str, table: str, token: str | None = None, *, tries: int = 20) -> None:
        scheme, _, rest = address.partition("://")
        self._url = f"{'wss' if scheme == 'https' else 'ws'}://{rest}/api/tables/{quote(table)}/events"
        self.table, self._token, self._tries = table, token, tries
        self.view: Message = {}
        self.seq: int | None = None
        self.reconnected = 0
        self.snapshots = 0
        self._socket: ClientConnection | None = None
        self._running: asyncio.Task[None] | None = None
        self._asked: dict[str, tuple[str, asyncio.Future[Done]]] = {}
        self._messages: asyncio.Queue[Message | None] = asyncio.Queue(OLDEST_KEPT)
        self._changed = asyncio.Condition()
        self._ended: Exception | None = None
        self._keep_messages = False

    async def __aenter__(self) -> Self:
        self._running = asyncio.create_task(self._run())
        await self.until(lambda: bool(self.view))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Go."""
        if self._running is not None:
            self._running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._running

    @property
    def me(self) -> Message:
        """How one stands at the table."""
        mine: Message | None = self.view.get("me")
        return mine or {}

    # --------------------------------------------------------------------------------------- reading

    async def __aiter__(self) -> AsyncIterator[Message]:
        """Every message from now on, in order."""
        self._keep_messages = True
        while (message := await self._messages.get()) is not None:
            yield message
        if self._ended is not None:
            raise self._ended

    async def until(self, holds: Callable[[], bool]) -> Message:
        """Wait until something holds of the view; the view. Raises what ended the connection, if that comes first."""
        async with self._changed:
            while not holds():
                if self._ended is not None:
                    raise self._ended
                await self._changed.wait()
        return self.view

    # --------------------------------------------------------------------------------------- commands

    async def command(self, kind: str, key: str | None = None, /, **fields: Any) -> Done:
        """Give a command; a RefusedByServerError says why not."""
        key = key or new_key()
        text = json.dumps({"type": "command", "key": key, "command": {"kind": kind, **fields}})
        if self._ended is not None:
            raise self._ended
        answer: asyncio.Future[Done] = asyncio.get_running_loop().create_future()
        self._asked[key] = text, answer
        try:
            if self._socket is not None:
                with contextlib.suppress(ConnectionClosed):  # it is sent again with the next connection
                    await self._socket.send(text)
            return await answer
        finally:
            self._asked.pop(key, None)

    # --------------------------------------------------------------------------------------- the connection

    async def _run(self) -> None:
        try:
            await self._stay_connected()
        except (RefusedByServerError, LostError) as error:
            await self._end(error)
        except asyncio.CancelledError:
            await self._end(LostError("the client closed the connection"))
            raise

    async def _stay_connected(self) -> None:
        failures = 0
        while True:
            before = self.snapshots, self.seq
            why = "it closes each connection at once"
            try:
                await self._session()
            except ConnectionClosed as error:
                if error.rcvd is not None and error.rcvd.code in FINAL:
                    code = error.rcvd.reason or FINAL[error.rcvd.code]
                    raise RefusedByServerError(code, "the server closed the connection") from None
            except (OSError, InvalidHandshake, TimeoutError) as error:
                why = str(error)
            failures = failures + 1 if before == (self.snapshots, self.seq) else 0
            if failures >= self._tries:
                raise LostError(f"{self._url} cannot be reached: {why}")
            self.reconnected += 1
            await asyncio.sleep(min(0.02 * 2**failures, 2))

    async def _end(self, error: Exception) -> None:
        self._ended = error
        for _, answer in self._asked.values():
            if not answer.done():
                answer.set_exception(error)
        with contextlib.suppress(asyncio.QueueFull):
            self._messages.put_nowait(None)
        async with self._changed:
            self._changed.notify_all()

    async def _session(self) -> None:
        async with connect(self._url, compression=None, max_size=2**24, proxy=None, ping_interval=None) as socket:
            await socket.send(json.dumps({"type": "hello", "token": self._token, "after": self.seq}))
            for text, _ in list(self._asked.values()):
                await socket.send(text)
            self._socket = socket
            try:
                async for received in socket:
                    if not await self._take(json.loads(received)):
                        return
            finally:
                self._socket = None
            raise ConnectionClosed(socket.protocol.close_rcvd, socket.protocol.close_sent)

    async def _take(self, message: Message) -> bool:
        """Fold a message; False when it shows that some are missing, and a snapshot is needed."""
        match message["type"]:
            case "snapshot":
                self.view, self.seq = message, message["seq"]
                self.snapshots += 1
            case "event":
                if self.seq is not None and message["seq"] <= self.seq:
                    return True  # seen before the connection was lost
                if self.seq is not None and message["seq"] != self.seq + 1:
                    self.seq = None
                    return False
                self.seq = message["seq"]
            case "view":
                self.view |= message["view"]
            case "me":
                self.view["me"] = message["me"]
            case "clock":
                self.view["clock"] = {"ends_at": message["ends_at"]}
            case "reply":
                self._answer(message)
        if self._keep_messages:
            with contextlib.suppress(asyncio.QueueFull):
                self._messages.put_nowait(message)
        async with self._changed:
            self._changed.notify_all()
        return True

    def _answer(self, message: Message) -> None:
        _, answer = self._asked.get(message["key"], ("", None))
        if answer is None or answer.done():
            return
        if refused := message.get("refused"):
            answer.set_exception(RefusedByServerError(refused["code"], refused["message"], refused["rule"]))
        else:
            answer.set_result(Done(message["seq"]))
