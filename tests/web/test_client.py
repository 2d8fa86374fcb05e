"""The Python client: its examples as written, TLS with a house's own authority, and lost answers."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.server import ServerConnection, serve

import punto.client
from punto.client import Client, ConnectionLostError, LiveTable, RefusedByServerError
from punto.protocol.refusals import StoreUnavailable, TableUnreachable
from punto.rules.refusals import Refusal
from punto.service.replies import Reply
from punto.table.automatic import Timing
from tests.certificates import certify
from tests.docs.pages import blocks
from tests.web.rig import AUTOMATIC, Edge, edge

SLOW = Timing(betting_ms=600_000)
ONE = AUTOMATIC | {"table": "one"}


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of an authority that vouches for this machine; the machine's own certificate lies beside it."""
    folder = tmp_path_factory.mktemp("tls")
    certify(folder)
    return folder / "ca.pem"


class Proxy:
    """Ends TLS before an edge. While `lost` is above zero, an answer is not passed on and its connection is cut."""

    def __init__(self, edge_port: int) -> None:
        self._edge_port = edge_port
        self._served: set[asyncio.Task[None]] = set()
        self.port, self.lost = 0, 0

    def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._served.add(asyncio.create_task(self._serve(reader, writer)))

    async def close(self) -> None:
        for task in self._served:
            task.cancel()
        await asyncio.gather(*self._served, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", self._edge_port)
        asking = asyncio.create_task(self._pass_on(reader, inner_writer))
        try:
            await self._pass_on(inner_reader, writer, answers=True)
        finally:
            asking.cancel()
            for each in (inner_writer, writer):
                each.transport.abort()
                with contextlib.suppress(OSError):
                    await each.wait_closed()

    async def _pass_on(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, answers: bool = False
    ) -> None:
        while part := await reader.read(65_536):
            if answers and self.lost:
                self.lost -= 1
                return
            writer.write(part)
            await writer.drain()


@asynccontextmanager
async def behind_tls(e: Edge, authority: Path) -> AsyncIterator[Proxy]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority.with_name("punto.pem"), authority.with_name("punto.key"))
    proxy = Proxy(e.port)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0, ssl=context)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()
        await proxy.close()


async def test_the_examples_run_as_written(authority: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = blocks("api.md", "python")
    doc = inspect.cleandoc(punto.client.__doc__ or "").split("\n\n")[1]
    async with edge(timing=SLOW) as e, behind_tls(e, authority) as proxy:
        await e.table(ONE)
        program = program.replace("8443", str(proxy.port)).replace("ca.pem", str(authority))
        await asyncio.to_thread(exec, program, {"__name__": "__main__"})
        said = capsys.readouterr().out.split("\n")
        assert (said[0], said[1].split()[0], said[2]) == ("50000", "stake-off-unit", "45000")
        lines = doc.replace("http://127.0.0.1:8000", e.address).replace('"Ann"', '"Bo"').replace("box=1", "box=2")
        names: dict[str, object] = {}
        exec(f"from punto.client import Client\nasync def play():\n{lines}", names)  # noqa: S102
        play = names["play"]
        assert inspect.iscoroutinefunction(play)
        await play()
        round_ = e.house.followed("one").state.round
        bets = round_.bets.values() if round_ else ()
        assert [(each.box, each.on, each.stake_cents) for each in bets] == [(1, "banker", 5_000), (2, "banker", 1_000)]


@pytest.mark.parametrize("sent", ["nonsense", '{"type": "me", "me": {}}'])
async def test_a_server_that_is_not_understood_ends_the_connection(sent: str | bytes) -> None:
    async def answer(socket: ServerConnection) -> None:
        await socket.recv()
        await socket.send(sent)
        await socket.wait_closed()

    async with serve(answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(ConnectionLostError, match="what cannot be read"):
            async with LiveTable(f"http://127.0.0.1:{port}", "one", tries=1):
                pass


async def test_an_answer_may_name_a_time_to_come_back_and_hold_anything() -> None:
    answers = [
        httpx.Response(503, headers={"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}),
        httpx.Response(200, headers={"Content-Type": "application/json"}, content=b"[" * 5_000),
    ]
    transport = httpx.MockTransport(lambda _: answers.pop(0))
    async with httpx.AsyncClient(base_url="http://127.0.0.1", transport=transport) as http:
        with pytest.raises(ConnectionLostError, match="what cannot be read"):
            await Client("http://127.0.0.1", http=http).tables()
    assert not answers


async def test_a_certificate_that_nobody_vouches_for_is_refused(authority: Path) -> None:
    async with (
        edge() as e,
        behind_tls(e, authority) as proxy,
        Client(f"https://127.0.0.1:{proxy.port}", retries=0) as client,
    ):
        with pytest.raises(ConnectionLostError, match="certificate verify failed"):
            await client.tables()
        with pytest.raises(ConnectionLostError):
            await client.watch("one", tries=1).__aenter__()


async def test_what_was_carried_out_is_not_done_again_when_answers_are_lost(authority: Path) -> None:
    async with edge(timing=SLOW) as e, behind_tls(e, authority) as proxy:
        await e.table(ONE)
        token = (await e.person("Ann")).token
        trusted = ssl.create_default_context(cafile=authority)
        async with Client(f"https://127.0.0.1:{proxy.port}", token, verify=trusted) as ann:
            proxy.lost = 1
            assert await ann.buy(10_000) == 10_000
            assert proxy.lost == 0
            async with ann.watch("one") as table:
                await table.command("sit", box=1)
                await table.until(lambda: table.view.phase == "betting")
                proxy.lost = 1
                await table.command("place-bet", box=1, on="banker", stake_cents=1_000)
                assert (proxy.lost, table.reconnected) == (0, 1)
            proxy.lost = 1
            await ann.command("one", "place-bet", box=1, on="tie", stake_cents=1_000)
            me = await ann.me()
            assert me.balance_cents == 8_000, "each was carried out once"
            proxy.lost = 1_000
            async with Client(ann.address, token, retries=1, verify=trusted) as hasty:
                with pytest.raises(ConnectionLostError):
                    await hasty.buy(1)


@pytest.mark.parametrize("why", [TableUnreachable(), StoreUnavailable()])
async def test_a_table_that_cannot_be_reached_for_a_while_is_asked_again(
    why: Refusal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("punto.web.problems.RETRY_SECONDS", 0)
    async with edge(timing=SLOW) as e:
        await e.table(ONE)
        token = (await e.person("Ann", cents=10_000)).token
        real, keys = e.house.command, list[str]()

        async def command(person: object, table: str, given: object, key: str) -> Reply:
            keys.append(key)
            reply = await real(person, table, given, key)  # type: ignore[arg-type]
            return Reply(refused=why) if len(keys) % 3 else reply  # carried out, and two answers are lost

        monkeypatch.setattr(e.house, "command", command)
        async with Client(e.address, token) as ann, ann.watch("one") as table:
            await table.command("sit", box=1)
            await table.until(lambda: table.view.phase == "betting")
            await ann.command("one", "place-bet", box=1, on="banker", stake_cents=1_000)
            await table.command("place-bet", box=1, on="tie", stake_cents=1_000)
            assert (await ann.me()).balance_cents == 8_000
            assert [keys.count(key) for key in dict.fromkeys(keys)] == [3, 3, 3]
            async with Client(e.address, token, retries=1) as hasty:
                with pytest.raises(RefusedByServerError) as last:
                    await hasty.command("one", "leave")
            assert last.value.code == why.code
