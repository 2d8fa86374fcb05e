"""The processor time that one bet costs a busy server: 20 patrons at each table see each other's bets as they come.

Against a commit for each bet, shown by itself, and against plain Python: a row in SQLite for each bet and a message for
each patron of the table. The patrons are in a process of their own; the time is the server's, less what it uses while
nobody bets.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import socket
import sqlite3
import tempfile
import time
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import Any, cast

import msgspec
import uvloop
from websockets.frames import Frame, Opcode

from benchmarks.bench_scale import TABLE
from benchmarks.harness import Comparison, best_seconds
from punto.protocol.views import NewTable
from punto.rules.refusals import Refusal
from punto.service.house import open_house
from punto.service.people.admissions import SET_UP
from punto.service.settings import EdgeLimits, HouseSettings
from punto.table.automatic import Timing
from punto.web.server import listening

TURNS = 2
PATRONS, AT_A_TABLE = 160, 20
BETS = 6
"""Bets of each patron."""
EVERY_SECONDS = 2.0
"""In which each patron bets once."""
BETS_ON = ("player", "tie", "player-pair", "banker-pair")
WIDE = EdgeLimits(messages_per_second=1_000_000, burst=1_000_000)


def run() -> list[Comparison]:
    """The best of a few turns: the time is of the processor, which waits for nothing, but others use it too."""
    turns = [(_milliseconds(WIDE), _milliseconds(replace(WIDE, batch=1)), _plain_milliseconds()) for _ in range(TURNS)]
    cost, alone, plain = map(min, zip(*turns, strict=True))
    note = f"{cost:.2f} ms of processor with {PATRONS} patrons, {AT_A_TABLE} at each table"
    name = "a bet in a busy house"
    return [
        Comparison(name, "each bet committed and shown by itself", cost, alone, 0.67, "cost", note=note),
        Comparison(name, "json, sqlite3 and sockets alone", cost, plain, 10, "cost", note=note),
    ]


def _plain_milliseconds() -> float:
    """The same for a loop that reads a bet, commits its row, and writes it to a socket of each patron of the table."""
    patrons = [socket.socketpair() for _ in range(AT_A_TABLE)]
    bet = json.dumps({"kind": "place-bet", "box": 1, "on": "player", "stake_cents": 1_000})
    with tempfile.TemporaryDirectory() as folder:
        database = sqlite3.connect(f"{folder}/plain.db")
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("CREATE TABLE bets (seq INTEGER PRIMARY KEY, bet TEXT)")

        def bets() -> None:
            for _ in range(PATRONS):
                read = json.loads(bet)
                seq = database.execute("INSERT INTO bets (bet) VALUES (?)", (bet,)).lastrowid
                database.commit()
                for house, patron in patrons:
                    house.send(json.dumps({"type": "event", "seq": seq, "event": read}).encode())
                    patron.recv(4_096)

        seconds = best_seconds(bets, clock=time.process_time)
        database.close()
    for pair in patrons:
        for end in pair:
            end.close()
    return seconds / PATRONS * 1e3


def _milliseconds(edge: EdgeLimits) -> float:
    """The server's processor time for one bet."""
    context = multiprocessing.get_context("spawn")
    server, theirs = context.Pipe()
    serving = context.Process(target=_serve, args=(theirs, edge))
    serving.start()
    port, tokens = server.recv()
    patrons, theirs = context.Pipe()
    betting = context.Process(target=_bet, args=(theirs, port, tokens))
    betting.start()
    times = []
    for _ in range(3):  # when all have sat down, a while later, and when all have bet
        patrons.recv()
        server.send("time")
        times.append((time.monotonic(), server.recv()))
        patrons.send("go on")
    betting.join()
    server.send(None)
    serving.join()
    (sat, before), (begun, idle), (done, after) = times
    unasked = (idle - before) * (done - begun) / (begun - sat)
    return float(after - idle - unasked) / (len(tokens) * BETS) * 1e3


def _serve(pipe: Connection, edge: EdgeLimits) -> None:
    uvloop.run(_house(pipe, edge))


async def _house(pipe: Connection, edge: EdgeLimits) -> None:
    with tempfile.TemporaryDirectory() as folder:
        timing = Timing(betting_ms=3_600_000)
        settings = HouseSettings(f"sqlite:///{folder}/bets.db", timing=timing, always_on=True, stop_ms=0, edge=edge)
        house = await open_house(settings)
        tokens: list[str] = []
        for table in range(PATRONS // AT_A_TABLE):
            made = await house.setup.set_up(
                SET_UP, msgspec.convert(TABLE | {"table": f"t{table}", "boxes": AT_A_TABLE}, NewTable)
            )
            if isinstance(made, Refusal):
                raise TypeError(made.code)
            for _ in range(AT_A_TABLE):
                admitted = await house.people.create(SET_UP, f"p{len(tokens)}", "patron")
                if isinstance(admitted, Refusal):
                    raise TypeError(admitted.code)
                person, token = admitted
                await house.cashier.buy(person, 10_000_000, "buy")
                tokens.append(token)
        async with listening(house) as port:
            pipe.send((port, tokens))
            while await asyncio.get_running_loop().run_in_executor(None, pipe.recv):
                pipe.send(time.process_time())
        await house.close()


# ------------------------------------------------------------------------------------------- the patrons


class Patron(asyncio.Protocol):
    """A terminal that sends what it is told and throws away what it reads, but for replies."""

    def __init__(self, table: str, box: int, token: str) -> None:
        self._table, self._box, self._token = table, box, token
        self.replies, self.refused = 0, b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the WebSocket."""
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(
            f"GET /api/tables/{self._table}/events HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )

    def say(self, message: dict[str, Any]) -> None:
        """Send a message."""
        self._transport.write(Frame(Opcode.TEXT, json.dumps(message).encode()).serialize(mask=True))

    def give(self, key: str, **command: object) -> None:
        """Give a command."""
        self.say({"type": "command", "key": key, "command": command})

    def data_received(self, data: bytes) -> None:
        """Say hello, then count replies."""
        if data.startswith(b"HTTP/1.1 101"):
            self.say({"type": "hello", "token": self._token})
            self.give("sit", kind="sit", box=self._box)
        self.replies += data.count(b'"type":"reply"')
        if b'"refused":{' in data:
            self.refused = data


async def _patrons(pipe: Connection, port: int, tokens: list[str]) -> None:
    loop = asyncio.get_running_loop()
    patrons = [Patron(f"t{place // AT_A_TABLE}", place % AT_A_TABLE + 1, token) for place, token in enumerate(tokens)]
    for patron in patrons:
        await loop.create_connection(lambda patron=patron: patron, "127.0.0.1", port)  # type: ignore[misc]
    await _answered(patrons, 1)
    await loop.run_in_executor(None, _tell, pipe)
    await asyncio.sleep(EVERY_SECONDS)
    await loop.run_in_executor(None, _tell, pipe)
    for number in range(BETS):
        for place, patron in enumerate(patrons):
            bet = {"box": place % AT_A_TABLE + 1, "on": BETS_ON[number % len(BETS_ON)]}
            if number < len(BETS_ON):
                patron.give(f"{number}", kind="place-bet", stake_cents=1_000, **bet)
            else:
                patron.give(f"{number}", kind="raise-bet", add_cents=1_000, **bet)
            await asyncio.sleep(EVERY_SECONDS / len(patrons))
        await _answered(patrons, number + 2)
    await loop.run_in_executor(None, _tell, pipe)


def _tell(pipe: Connection) -> None:
    pipe.send("done")
    pipe.recv()


async def _answered(patrons: list[Patron], replies: int) -> None:
    while any(patron.replies < replies for patron in patrons):
        if refused := next((patron.refused for patron in patrons if patron.refused), b""):
            raise RuntimeError(refused)
        await asyncio.sleep(0.05)


def _bet(pipe: Connection, port: int, tokens: list[str]) -> None:
    uvloop.run(_patrons(pipe, port, tokens))
