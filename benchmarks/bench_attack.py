"""An honest client's wait while 20 hostile connections send: against its wait when nobody else is there.

Server and attackers have a process each. Whoever is cut off connects again a moment later.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from statistics import median

import msgspec
import uvloop
from websockets.frames import Frame, Opcode

from benchmarks.harness import Comparison
from punto.protocol.views import NewTable
from punto.rules.refusals import Refusal
from punto.service.house import open_house
from punto.service.people.admissions import SET_UP
from punto.service.settings import HouseSettings
from punto.web.server import listening

TABLE = {"table": "one", "game": "commission", "mode": "live", "decks": 8, "layout": "bean-9"}
TABLE |= {"minimum_cents": 1_000, "differential_cents": 500_000}
ATTACKERS = 20
ASKED = 60
ASK_EVERY_SECONDS = 0.06
"""The honest client asks less often than it may, from an address of its own."""
AGAIN_SECONDS = 0.5
"""After which whoever was cut off connects again."""
UPGRADE = (
    b"GET /api/tables/one/events HTTP/1.1\r\nHost: house\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
HELLO = Frame(Opcode.TEXT, b'{"type":"hello"}').serialize(mask=True)
PING = Frame(Opcode.PING, b"").serialize(mask=True)
EMPTY = Frame(Opcode.CONT, b"", fin=False).serialize(mask=True)
BEGUN = Frame(Opcode.TEXT, b"x", fin=False).serialize(mask=True)
SAID = Frame(Opcode.TEXT, b'{"type":"ping"}').serialize(mask=True)
POST = b"POST /api/join HTTP/1.1\r\nHost: house\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
LOOK = b"GET /api/tables HTTP/1.1\r\nHost: house\r\n\r\n"
ATTACKS: dict[str, tuple[bytes, bytes, int]] = {
    "pings": (UPGRADE + HELLO, PING * 2_000, 12_000),
    "pings before hello": (UPGRADE, PING * 2_000, 12_000),
    "empty fragments": (UPGRADE + HELLO + BEGUN, EMPTY * 2_000, 12_000),
    "messages": (UPGRADE + HELLO, SAID * 500, 10_000),
    "messages in pieces of a byte": (UPGRADE + HELLO, SAID * 500, 1),
    "a body in pieces of a byte": (POST % 60_000, b"x" * 60_000, 1),
    "a body after 413 in pieces of a byte": (POST % 60_000_000, b"x" * 60_000, 1),
    "look-ups": (b"", LOOK * 200, 8_000),
}
"""What is sent first, what then without end, and the size of the pieces of that."""


def run() -> list[Comparison]:
    """The median wait of the honest client under each attack, against the idle median before it."""
    with _process(_serve) as server:
        port = server.recv()
        return [_under(name, port) for name in ATTACKS]


def _under(name: str, port: int) -> Comparison:
    idle = uvloop.run(_waits(port))
    with _process(_attack, name, port) as attackers:
        attackers.recv()
        under = uvloop.run(_waits(port))
    note = f"median {median(under) * 1e3:.2f} ms, idle {median(idle) * 1e3:.2f} ms; longest {max(under) * 1e3:.0f} ms"
    return Comparison(f"a look-up beside 20 × {name}", "nobody else", median(under), median(idle), 3, "cost", note)


async def _waits(port: int) -> list[float]:
    """Seconds that look-ups take, each over the same connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=("127.0.0.2", 0))
    waits = []
    for _ in range(ASKED):
        start = time.perf_counter()
        writer.write(LOOK)
        head = await reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(head)
        await reader.readexactly(int(head.partition(b"content-length: ")[2].split(b"\r\n")[0]))
        waits.append(time.perf_counter() - start)
        await asyncio.sleep(ASK_EVERY_SECONDS)
    writer.close()
    return waits


@contextmanager
def _process(work: object, *arguments: object) -> Iterator[Connection]:
    """A process of its own, which ends when something is sent to it."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=work, args=(there, *arguments))  # type: ignore[arg-type]
    process.start()
    try:
        yield here
    finally:
        here.send(None)
        process.join(20)
        process.kill()


def _serve(pipe: Connection) -> None:
    async def main() -> None:
        house = await open_house(HouseSettings(stop_ms=0))
        made = await house.setup.set_up(SET_UP, msgspec.convert(TABLE, NewTable))
        if isinstance(made, Refusal):
            raise TypeError(made.code)
        async with listening(house) as port:
            pipe.send(port)
            await asyncio.get_running_loop().run_in_executor(None, pipe.recv)
        await house.close()

    uvloop.run(main())


def _attack(pipe: Connection, name: str, port: int) -> None:
    first, then, size = ATTACKS[name]

    async def send() -> None:
        while True:
            with contextlib.suppress(OSError):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(first)
                while not writer.is_closing() and not reader.at_eof():
                    for start in range(0, len(then), size):
                        writer.write(then[start : start + size])
                        await asyncio.sleep(0)
                        await asyncio.wait_for(writer.drain(), 0.1)
                writer.transport.abort()
            await asyncio.sleep(AGAIN_SECONDS)

    async def main() -> None:
        attackers = []
        for _ in range(ATTACKERS):
            attackers.append(asyncio.create_task(send()))
            await asyncio.sleep(AGAIN_SECONDS / ATTACKERS)
        await asyncio.sleep(1)
        pipe.send(len(attackers))
        await asyncio.get_running_loop().run_in_executor(None, pipe.recv)
        for each in attackers:
            each.cancel()

    uvloop.run(main())
