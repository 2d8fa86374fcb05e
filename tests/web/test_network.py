"""Hostile connections: what they take up is bounded, what they send is refused, and others are served all the while."""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import multiprocessing
import multiprocessing.connection
import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from punto.protocol.views import ReplyMessage
from punto.service.settings import EdgeLimits
from punto.service.viewing.subscriptions import Message
from punto.web.exports import cell
from punto.web.limits import Intake
from punto.web.proxies import TrustedProxies
from punto.web.terminals import STRANGER_BURST, TERMINAL_UNREAD_BYTES, Terminal
from tests.patience import PATIENCE_SECONDS
from tests.web.rig import AUTOMATIC, edge, http_to, refusal
from tests.web.test_sockets import close_code, hello, line

HOSTILE = 2_000
SLOW = 100
ADDRESSES = 200
MORE_BYTES = 64 * 2**20
"""What the server may take up beyond what it does at rest."""
PIECE = b"x" * 30_000

UPGRADE = (
    b"GET /api/tables/auto/events HTTP/1.1\r\nHost: house\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
TEXT, CONTINUED, PING = 1, 0, 9


def frame(opcode: int, data: bytes, length: int | None = None, *, last: bool = True) -> bytes:
    """A frame of a client; it may announce more than it has."""
    size = len(data) if length is None else length
    head = bytes([(0x80 if last else 0) | opcode])
    head += bytes([0x80 | size]) if size < 126 else bytes([0xFE]) + size.to_bytes(2, "big")
    return head + bytes(4) + data


SAID_HELLO = frame(TEXT, hello().encode())
FRAGMENT = frame(CONTINUED, PIECE, last=False)
BEGUN = frame(TEXT, PIECE, last=False)
ATTACKS = {
    "unfinished message": UPGRADE + BEGUN + FRAGMENT * 9,
    "message of empty pieces": UPGRADE + frame(TEXT, b"", last=False) + frame(CONTINUED, b"", last=False) * 30_000,
    "unfinished frame": UPGRADE + frame(TEXT, PIECE, 60_000),
    "unfinished message after hello": UPGRADE + SAID_HELLO + BEGUN + FRAGMENT * 9,
    "no hello": UPGRADE,
    "no request": b"",
    "endless head": b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 40_000,
    "endless line": b"GET /" + b"a" * 250_000,
    "pings whose answers are not read": UPGRADE + SAID_HELLO + frame(PING, b"x" * 100) * 2_500,
    "requests whose answers are not read": b"GET /api/games HTTP/1.1\r\nHost: house\r\n\r\n" * 6_000,
    "unfinished body": b"POST /api/join HTTP/1.1\r\nHost: house\r\nContent-Type: application/json\r\n"
    b"Content-Length: 60000\r\n\r\n" + PIECE,
}


def serve(pipe: multiprocessing.connection.Connection) -> None:
    """A house with the limits it comes with, in a process of its own, until something is sent."""

    async def main() -> None:
        async with edge(edge=EdgeLimits()) as e:
            await e.table(AUTOMATIC)
            pipe.send(e.port)
            await asyncio.get_running_loop().run_in_executor(None, pipe.recv)

    asyncio.run(main())


@contextmanager
def server() -> Iterator[tuple[int, int]]:
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(there,))
    process.start()
    try:
        yield here.recv(), process.pid or 0
    finally:
        here.send(None)
        process.join(PATIENCE_SECONDS)
        process.kill()


def memory(process: int) -> int:
    """The bytes of memory that a process has now."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * resource.getpagesize()


async def attack(port: int, number: int, sent: bytes, connected: list[asyncio.StreamWriter]) -> None:
    """Connect from one of many addresses and send; read nothing but the beginning of the answer to an upgrade.

    What comes before that answer is no part of a WebSocket.
    """
    try:
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", port, limit=1, local_addr=(f"127.0.1.{number % ADDRESSES + 1}", 0)
        )
        connected.append(writer)
        if sent.startswith(UPGRADE):
            writer.write(UPGRADE)
            await reader.read(1)
        writer.write(sent.removeprefix(UPGRADE))
    except OSError:  # it was cut off
        pass


@pytest.mark.skipif(sys.platform != "linux", reason="/proc, and many addresses of loopback, are Linux's")
async def test_hostile_connections_take_up_little_and_keep_nobody_out() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65_536), hard))
    connected: list[asyncio.StreamWriter] = []
    try:
        with server() as (port, process):
            async with http_to(f"http://127.0.0.1:{port}") as friend:
                assert (await friend.get("/api/tables")).status_code == 200
                rest, peak = memory(process), 0
                attacks = itertools.cycle(ATTACKS.values())
                for first in range(0, HOSTILE, 50):
                    numbers = range(first, first + 50)
                    await asyncio.gather(*[attack(port, each, next(attacks), connected) for each in numbers])
                    answer = await friend.get("/api/tables")
                    assert answer.status_code == 200, (first, answer.text)
                    peak = max(peak, memory(process))
                assert peak - rest < MORE_BYTES
    finally:
        for writer in connected:
            writer.transport.abort()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


async def test_of_terminals_that_do_not_read_little_is_kept_until_they_are_dropped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines: list[Terminal] = []
    greet = Terminal.greet

    def noted(line: Terminal, *who: Any) -> None:
        lines.append(line)
        greet(line, *who)

    monkeypatch.setattr(Terminal, "greet", noted)
    message = Message(ReplyMessage("x" * 8_000))
    connected: list[asyncio.StreamWriter] = []
    async with edge() as e:
        await e.table(AUTOMATIC)
        readers = e.house.registry.hosts["auto"].audience.readers
        for number in range(SLOW):
            await attack(e.port, number, UPGRADE + SAID_HELLO, connected)
        while len(lines) < SLOW or len(readers) < SLOW:
            await asyncio.sleep(0)
        slow, kept = list(readers), 0
        while not all(each.dropped for each in slow):
            for each in slow:
                each.put([message] * 20)
            await asyncio.sleep(0)
            kept = max(kept, *[line.connection.transport.get_write_buffer_size() for line in lines])
        assert 0 < kept <= 2 * TERMINAL_UNREAD_BYTES + len(message.text), "however many were put at once"
        assert (await e.http.get("/api/tables")).status_code == 200
        for writer in connected:
            writer.transport.abort()


# ------------------------------------------------------------------------------------------- what is refused


async def answer(port: int, sent: bytes) -> bytes:
    """All that comes back until the server closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)
    try:
        return await reader.read()
    finally:
        writer.close()


HEAD = b"POST /api/join HTTP/1.1\r\nHost: house\r\nContent-Type: application/json\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n"
BAD = {
    "no chunk size": CHUNKED + b"\r\nzz\r\n{}\r\n0\r\n\r\n",
    "negative chunk size": CHUNKED + b"\r\n-1\r\n{}\r\n0\r\n\r\n",
    "chunk size beyond all": CHUNKED + b"\r\nffffffffffffffffff\r\n{}\r\n0\r\n\r\n",
    "longer chunk than said": CHUNKED + b'\r\n2\r\n{"name": "Ann"}\r\n0\r\n\r\n',
    "length and chunks": CHUNKED + b"Content-Length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    "two lengths": HEAD + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    "negative length": HEAD + b"Content-Length: -2\r\n\r\n{}",
    "length in words": HEAD + b"Content-Length: two\r\n\r\n{}",
    "length without end": HEAD + b"Content-Length: " + b"1" * 5_000 + b"\r\n\r\n{}",
    "no HTTP": b"hello\r\n\r\n",
    "too many headers": HEAD + b"a: b\r\n" * 200 + b"\r\n",
    "too long a header": HEAD + b"a: " + b"b" * 20_000 + b"\r\n\r\n",
    "too long an address": b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\nHost: house\r\n\r\n",
}


@pytest.mark.parametrize("sent", BAD.values(), ids=list(BAD))
async def test_what_is_no_request_is_refused_and_not_logged(sent: bytes, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    async with edge() as e:
        assert (await answer(e.port, sent)).startswith(b"HTTP/1.1 400 ")
    assert not [each for each in caplog.records if each.exc_info or each.levelno >= logging.ERROR]


async def test_a_head_in_pieces_is_counted_once_and_a_body_is_no_part_of_it() -> None:
    head = b"GET /api/tables HTTP/1.1\r\nHost: house\r\n"
    long_head = head + b"".join([b"a%d: %b\r\n" % (number, b"b" * 500) for number in range(20)])
    body = b'{"name": "%b"}' % (b"x" * 40_000)
    async with edge() as e:
        token = (await e.person("Ann")).token or ""
        posted = HEAD + b"Authorization: Bearer %b\r\nContent-Length: %d\r\n\r\n" % (token.encode(), len(body)) + body
        pieces = [
            (long_head[:5_000], long_head[5_000:] + b"Connection: close\r\n\r\n"),
            (posted + head[:20], head[20:] + b"Connection: close\r\n\r\n"),
        ]
        for first, second in pieces:
            reader, writer = await asyncio.open_connection("127.0.0.1", e.port)
            writer.write(first)
            await writer.drain()
            await e.http.get("/api/tables")  # the server has read the first piece when it answers this
            writer.write(second)
            answers = await reader.read()
            assert b"request-unreadable" not in answers
            assert answers.count(b"HTTP/1.1 200 ") == 1
            writer.close()


async def test_a_body_that_breaks_off_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    async with edge() as e:
        for head in (HEAD + b"Content-Length: 500\r\n\r\n", CHUNKED + b"\r\n5\r\n"):
            reader, writer = await asyncio.open_connection("127.0.0.1", e.port)
            writer.write(head + b"{")
            writer.write_eof()
            await reader.read()
            writer.close()
        assert (await e.http.get("/api/tables")).status_code == 200
    assert not caplog.records


async def test_strangers_send_small_messages_and_people_larger_ones() -> None:
    async with edge() as e:
        await e.table()
        ann = await e.person("Ann")
        large = '{"type": "ping"' + " " * 20_000 + "}"
        for token, code in ((None, 1009), (ann.token, None)):
            async with line(e) as socket:
                await socket.send(hello(token))
                await socket.recv()
                await socket.send(large)
                if code is None:
                    assert await socket.recv() == '{"type":"pong"}'
                else:
                    assert await close_code(socket) == code
        assert (await refusal(e.public.join("x" * 5_000))).status == 413


@pytest.mark.parametrize("lingers", [PATIENCE_SECONDS, 0])
async def test_what_was_refused_is_not_read_on(lingers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The client may send what it likes: its connection is left at what was read when it was refused, and cut off."""
    monkeypatch.setattr("punto.web.connections.LINGER_SECONDS", lingers)
    async with edge() as e:
        reader, writer = await asyncio.open_connection("127.0.0.1", e.port)
        writer.write(HEAD + b"Content-Length: 60000000\r\n\r\n")
        assert (await reader.read()).startswith(b"HTTP/1.1 413 ")
        if lingers:
            for _ in range(200):
                writer.write(b"x" * 65_536)
            await e.http.get("/api/tables")
            assert writer.transport.get_write_buffer_size() > 0, "nobody reads"
        else:
            with pytest.raises(ConnectionError):
                while True:
                    await writer.drain()
                    writer.write(b"x")
        writer.transport.abort()


async def test_a_last_answer_is_sent_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punto.web.connections.LINGER_SECONDS", 0)
    async with edge() as e:
        whole = await answer(e.port, b"GET /schema/openapi.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert json.loads(whole.partition(b"\r\n\r\n")[2])["openapi"] == "3.1.0"


async def test_a_request_in_crumbs_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punto.web.connections.LINGER_SECONDS", PATIENCE_SECONDS)
    async with edge() as e:
        body = b'{"name": "Ann"}'
        sent = HEAD + b"Content-Length: %d\r\nConnection: close\r\n\r\n" % len(body) + body
        for size, status in ((1, b"429"), (len(sent) // 8, b"201")):
            reader, writer = await asyncio.open_connection("127.0.0.1", e.port)
            for start in range(0, len(sent), size):
                writer.write(sent[start : start + size])
                await e.http.get("/api/games")  # the piece is read when this is answered
            assert (await reader.read()).startswith(b"HTTP/1.1 " + status)
            writer.close()


async def test_a_small_request_is_read_whatever_others_hold() -> None:
    async with edge(edge=EdgeLimits(held_bytes=10)) as e:
        for length, status in ((1_000, b"401"), (3_000, b"429")):
            reader, writer = await asyncio.open_connection("127.0.0.1", e.port)
            writer.write(b"GET /api/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX: " + b"x" * length + b"\r\n\r\n")
            assert (await reader.read()).startswith(b"HTTP/1.1 " + status)
            writer.close()


@pytest.mark.parametrize(
    ("opcode", "last"), [(PING, True), (0xA, True), (CONTINUED, False)], ids=["ping", "pong", "fragment"]
)
@pytest.mark.parametrize("known", [False, True])
async def test_frames_of_control_and_fragments_count_as_messages(opcode: int, last: bool, known: bool) -> None:
    few = EdgeLimits(messages_per_second=0, burst=40)
    async with edge(edge=few) as e:
        await e.table()
        ann = await e.person("Ann")
        async with line(e) as socket:
            await socket.send(hello(ann.token if known else None))
            await socket.recv()
            begun = frame(TEXT, b"x", last=False) if opcode == CONTINUED else b""
            allowed = 20 if known else STRANGER_BURST - 2
            socket.transport.write(begun + frame(opcode, b"", last=last) * allowed)
            await e.http.get("/metrics")
            assert len(e.house.registry.hosts["pit"].audience.readers) == 1
            socket.transport.write(frame(opcode, b"", last=last) * 40)
            assert await close_code(socket) == 4029
        assert ann.token is None or not known or (await refusal(ann.me())).code == "too-many-requests"


# ------------------------------------------------------------------------------------------- the count


class Line:
    """A connection that was cut off, or not."""

    cut = False

    def cut_off(self) -> None:
        self.cut = True


def test_of_those_that_say_nothing_the_oldest_goes() -> None:
    intake = Intake(EdgeLimits(waiting=3, waiting_per_address=2))
    lines = [Line() for _ in range(5)]
    for each, address in zip(lines, "abaac", strict=True):
        assert intake.enter(each, address)
    assert [each.cut for each in lines] == [True, False, False, False, False]
    intake.leave(lines[0], "a")
    intake.understood(lines[1], "b")
    newest = Line()
    assert intake.enter(newest, "d")
    assert lines[2].cut, "in all there are three places"


def test_connections_and_bytes_are_counted_of_each_address_and_in_all() -> None:
    intake = Intake(EdgeLimits(open_connections=3, connections_per_address=2, held_bytes=10, held_bytes_per_address=6))
    lines = [Line() for _ in range(4)]
    assert [intake.enter(each, address) for each, address in zip(lines, "aaab", strict=True)] == [
        *(True, True, False, False),
    ]
    intake.leave(lines[2], "a")
    assert intake.hold("a", 6)
    assert not intake.hold("a", 1)
    intake.hold("a", -1)
    assert not intake.hold("b", 5)
    intake.hold("a", -6)
    assert intake.hold("b", 1)


def test_a_proxy_brings_more_connections_than_one_client_may_have() -> None:
    limits = EdgeLimits(connections_per_address=2, waiting_per_address=2, held_bytes_per_address=10)
    intake = Intake(limits, TrustedProxies(("10.0.0.1",)))
    assert all(intake.enter(Line(), "10.0.0.1") for _ in range(4))
    assert intake.hold("10.0.0.1", 11)
    assert [intake.enter(Line(), "192.0.2.7") for _ in range(3)] == [True, True, False]
    assert not intake.hold("192.0.2.7", 11)


# ------------------------------------------------------------------------------------------- everything is counted


@pytest.mark.parametrize("path", ["/metrics", "/", "/assets/nothing.js", "/table/pit"])
async def test_metrics_and_pages_are_limited_too(path: str) -> None:
    few = EdgeLimits(messages_per_second=0, burst=3, files_per_second=0, files_burst=3)
    async with edge(edge=few) as e:
        statuses = [(await e.http.get(path)).status_code for _ in range(4)]
    assert 429 not in statuses[:3]
    assert statuses[3] == 429


async def test_the_open_door_lets_in_so_many_a_day() -> None:
    async with edge(edge=EdgeLimits(joins_a_day_per_address=2)) as e:
        for name in ("Ann", "Bob"):
            await e.public.join(name)
        full = await refusal(e.public.join("Cat"))
        assert (full.status, full.code) == (429, "door-full")
    async with edge(edge=EdgeLimits(joins_a_day=1)) as e:
        await e.public.join("Ann")
        assert (await refusal(e.public.join("Bob"))).code == "door-full"


async def test_credit_is_free_in_a_demonstration_alone() -> None:
    async with edge(free_credit=False) as e:
        ann, dealer = await e.person("Ann"), await e.person("Dan", "dealer")
        manager = await e.person("Max", "pit-manager")
        refused = await refusal(ann.buy(1_000))
        assert (refused.status, refused.code) == (403, "credits-at-desk")
        for other in (ann, dealer):
            sale = other.post("/api/people/ann/credits", {"amount_cents": 1_000}, key="k")
            assert (await refusal(sale)).status == 403
        for _ in range(2):
            sold = await manager.post("/api/people/ann/credits", {"amount_cents": 1_000}, key="k")
            assert sold["balance_cents"] == 1_000
        assert (await refusal(manager.post("/api/people/eve/credits", {"amount_cents": 1}, key="k"))).status == 404
        longest = await manager.post("/api/people/ann/credits", {"amount_cents": 1}, key="k" * 128)
        assert longest["balance_cents"] == 1_001


async def test_private_answers_are_stored_nowhere() -> None:
    async with edge() as e:
        await e.table()
        ann = await e.person("Ann", cents=1_000)
        headers = {"Authorization": f"Bearer {ann.token}"}
        for path in ("me", "me/statement", "me/statement.csv", "tables", "tables/pit", "tables/pit/choices", "nowhere"):
            answer = await e.http.get(f"/api/{path}", headers=headers)
            assert answer.headers["cache-control"] == "no-store", path
        posted = await e.http.post("/api/me/cash-out", json={}, headers=headers | {"Idempotency-Key": "k"})
        assert posted.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("sign", "=+-@＝＋－＠")
def test_no_sign_begins_a_formula(sign: str) -> None:
    assert cell(f"{sign}1") == f"'{sign}1"
