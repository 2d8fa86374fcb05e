"""Terminals for bench_edge, in a process of their own: as little work for each message as Python allows.

Reads what to do from standard input as one line of JSON, and writes what it saw to standard output the same way.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import sys
import time
from typing import Any, cast

import uvloop

OPENING = 50
"""Connections that are opened at once."""
RESULT = re.compile(rb'"seq":(\d+),"at_ms":\d+,"event":\{"kind":"round-settled"')
LONGEST = 80
"""Bytes that a result may be cut within, when a message comes in two pieces."""


class Bettor(asyncio.Protocol):
    """A patron who sends a bet over HTTP as soon as the one before is answered."""

    def __init__(self, place: int, token: str, until: float, port: int) -> None:
        self._until, self._place, self._sent = until, place, 0
        self._head = (
            f"POST /api/tables/bench/commands HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n"
            "Content-Type: application/json\r\n"
        )
        self.done, self.refused = 0, b""
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the first bet."""
        self._transport = cast(asyncio.Transport, transport)
        self._send()

    def _send(self) -> None:
        kind, field = ("raise-bet", "add_cents") if self._sent else ("place-bet", "stake_cents")
        body = json.dumps({"kind": kind, "box": self._place, "on": "tie", field: 100})
        key = f"{self._place}-{self._sent}"
        self._sent += 1
        head = f"{self._head}Idempotency-Key: {key}\r\nContent-Length: {len(body)}\r\n\r\n"
        self._transport.write((head + body).encode())

    def data_received(self, data: bytes) -> None:
        """Count an answer (it fits one segment) and send the next bet."""
        if not data.startswith(b"HTTP/1.1 200"):
            self.refused = data
            self._end()
            return
        self.done += 1
        if time.monotonic() < self._until:
            self._send()
        else:
            self._end()

    def _end(self) -> None:
        self._transport.close()
        if not self.ended.done():
            self.ended.set_result(None)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop, whoever closed."""
        del exc
        self._end()


class Board(asyncio.Protocol):
    """A terminal that only reads: it notes when each result came."""

    def __init__(self, port: int, seen: dict[int, list[int]]) -> None:
        self._port, self._seen, self._up, self._left = port, seen, False, b""
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Shake hands."""
        self._transport = cast(asyncio.Transport, transport)
        key = base64.b64encode(os.urandom(16)).decode()
        self._transport.write(
            f"GET /api/tables/bench/events HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        """Say hello, then look for results."""
        if not self._up:
            self._up = True
            hello = b'{"type":"hello","token":null,"after":null}'
            self._transport.write(bytes([0x81, 0x80 | len(hello)]) + bytes(4) + hello)
            return
        now = time.monotonic_ns()
        text = self._left + data
        end = 0
        for result in RESULT.finditer(text):
            self._seen.setdefault(int(result[1]), []).append(now)
            end = result.end()
        self._left = text[max(end, len(text) - LONGEST) :]
        if not self.ready.done():
            self.ready.set_result(None)


async def bet(port: int, tokens: list[str], seconds: float) -> dict[str, Any]:
    """Bet for so long with all patrons at once."""
    loop = asyncio.get_running_loop()
    start = time.monotonic()
    until = start + seconds
    bettors = [Bettor(place, token, until, port) for place, token in enumerate(tokens, 1)]
    for bettor in bettors:
        await loop.create_connection(lambda bettor=bettor: bettor, "127.0.0.1", port)  # type: ignore[misc]
    await asyncio.gather(*[bettor.ended for bettor in bettors])
    refused = next((bettor.refused for bettor in bettors if bettor.refused), b"")
    return {
        "bets": sum(bettor.done for bettor in bettors),
        "seconds": time.monotonic() - start,
        "refused": refused.decode(errors="replace"),
    }


async def watch(port: int, count: int) -> dict[str, Any]:
    """Open so many terminals, say so, read until told to stop; when each had each result, by its number in the log."""
    loop = asyncio.get_running_loop()
    seen: dict[int, list[int]] = {}
    for start in range(0, count, OPENING):
        boards = [Board(port, seen) for _ in range(min(OPENING, count - start))]
        for board in boards:
            await loop.create_connection(lambda board=board: board, "127.0.0.1", port)  # type: ignore[misc]
        await asyncio.gather(*[board.ready for board in boards])
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await loop.run_in_executor(None, sys.stdin.readline)
    return {"seen": seen}


async def main() -> None:
    """Do what standard input asks for."""
    ask = json.loads(sys.stdin.readline())
    work = watch(ask["port"], ask["watch"]) if "watch" in ask else bet(ask["port"], ask["tokens"], ask["seconds"])
    sys.stdout.write(json.dumps(await work) + "\n")


if __name__ == "__main__":
    uvloop.run(main())
