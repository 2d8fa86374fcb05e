"""The proxies of examples/deploy before a real server: pages, requests, cookies and WebSockets get through.

nginx and Caddy are packages of the system (CONTRIBUTING.md); without one, its tests are skipped and say so.
"""

from __future__ import annotations

import asyncio
import getpass
import json
import os
import re
import shutil
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection

from punto.client import Client, ConnectionLostError
from punto.service.settings import EdgeLimits, ServerSettings
from punto.web.pages import INDEX, STATIC
from tests.browser.house import free_port
from tests.certificates import certify
from tests.e2e.command import ROOT
from tests.nats_server import NatsServer
from tests.postgres import PostgresServer
from tests.web.rig import PIT, edge, http_to, socket_to

EXAMPLES = ROOT / "examples" / "deploy"
LIMITS = EdgeLimits(messages_per_second=0, burst=60)
TABLE = PIT["table"]


def _nginx(folder: Path, config: str, port: int) -> list[str]:
    """The arguments that run nginx with this configuration of a site, on this port."""
    site, main = folder / "site.conf", folder / "nginx.conf"
    own = re.sub(r"listen \[::\]:\d+", f"listen [::1]:{port}", config)
    own = re.sub(r"listen \d+", f"listen 127.0.0.1:{port}", own)
    site.write_text(own.replace("/etc/ssl/", f"{folder}/"))
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = " ".join(f"{kind}_temp_path {folder / kind};" for kind in kinds)
    main.write_text(f"""
        user {getpass.getuser()};
        daemon off;
        pid {folder / "pid"};
        events {{}}
        http {{ access_log off; {paths} include {site}; }}
    """)
    return ["-p", str(folder), "-e", "stderr", "-c", str(main)]


def _caddy(folder: Path, config: str, port: int) -> list[str]:
    """The arguments that run Caddy with this configuration of a site, on this port."""
    file = folder / "Caddyfile"
    file.write_text("{\n\tadmin off\n}\n" + config.replace("\npunto.example {", f"\nhttp://127.0.0.1:{port} {{"))
    return ["run", "--adapter", "caddyfile", "--config", str(file)]


PROXIES: dict[str, tuple[str, Callable[[Path, str, int], list[str]]]] = {
    "nginx": ("nginx.conf", _nginx),
    "caddy": ("Caddyfile", _caddy),
}


Change = Callable[[str], str]


def _as_it_is(config: str) -> str:
    return config


def _under_prefix(config: str) -> str:
    """An example, changed for a house under a prefix as its comments say."""
    config = re.sub(r"(# A house at the root.*\n).*\n", r"\1", config)
    before, comment, after = config.partition("# A house under a prefix")
    assert comment
    return before + comment + re.sub(r"^(\s*)#(?=\S)", r"\1", after, flags=re.MULTILINE)


def _with_tls(config: str) -> str:
    """The example of nginx, changed for TLS as its comments say."""
    plain, comment, after = config.partition("    # With TLS, these lines instead of the two above.\n")
    lines, rest = after.split("\n\n", 1)
    assert comment
    return plain.removesuffix("    listen 80;\n    listen [::]:80;\n") + lines.replace("#", "") + "\n\n" + rest


def _with_two_processes(config: str) -> str:
    """An example, changed for a second process at port 8081 as its comments say."""
    changed, count = re.subn(
        r"(# Several processes:.*\n)((?:\s*#.*\n)+)", lambda found: found[1] + found[2].replace("#", ""), config
    )
    assert count == 1
    return changed


@asynccontextmanager
async def _run(name: str, folder: Path, house_port: int, change: Change) -> AsyncIterator[str]:
    """Run a proxy with its example, changed in some way, before the house at a port; its address."""
    example, arguments = PROXIES[name]
    program = shutil.which(name) or shutil.which(name, path="/usr/sbin")
    if program is None:
        pytest.skip(f"{name} is not installed: apt-get install {name}")
    config = (EXAMPLES / example).read_text().replace("127.0.0.1:8080", f"127.0.0.1:{house_port}")
    config, port = change(config), free_port()
    environment = os.environ | {"XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    with (folder / "log").open("w") as log:
        process = await asyncio.create_subprocess_exec(
            program, *arguments(folder, config, port), stderr=log, env=environment
        )
    try:
        while not await _listens(port):
            assert process.returncode is None, (folder / "log").read_text()
            await asyncio.sleep(0.01)
        yield f"127.0.0.1:{port}"
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def _listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    await writer.wait_closed()
    return True


class Site:
    """A house behind a proxy, with a table that takes bets."""

    def __init__(self, host: str, base_path: str) -> None:
        self.host, self.origin, self.base_path = host, f"http://{host}", base_path

    def browser(self, address: str) -> httpx.AsyncClient:
        """A browser on the machine with this address."""
        transport = httpx.AsyncHTTPTransport(local_address=address)
        return http_to(self.origin + self.base_path, transport=transport)

    @asynccontextmanager
    async def watch(self, browser: httpx.AsyncClient) -> AsyncIterator[ClientConnection]:
        """The socket of the table's page in a browser whose patron is signed in."""
        cookie = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
        url = f"ws://{self.host}{self.base_path}/api/tables/{TABLE}/events"
        headers = {"Cookie": cookie, "Origin": self.origin}
        async with socket_to(url, additional_headers=headers) as socket:
            await socket.send(json.dumps({"type": "hello", "account": "patron"}))
            yield socket


@pytest.fixture(params=PROXIES)
def proxy(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=["", "/punto"], ids=["root", "prefix"])
async def site(request: pytest.FixtureRequest, proxy: str, tmp_path: Path) -> AsyncIterator[Site]:
    server = ServerSettings(base_path=request.param, trusted_proxies=("127.0.0.1",))
    async with edge(server=server, edge=LIMITS) as e:
        await e.table(PIT)
        await e.betting(await e.person("Dan", "dealer"))
        async with _run(proxy, tmp_path, e.port, _under_prefix if request.param else _as_it_is) as host:
            yield Site(host, request.param)


async def test_a_page_a_request_a_cookie_and_a_bet_get_through(site: Site) -> None:
    async with site.browser("127.0.0.2") as http:
        assert (STATIC / INDEX).is_file(), "the pages are not built: run `make test`, or `python hatch_build.py`"
        page = await http.get("/table/one")
        files = re.findall(r'(?:src|href)="([^"]+)"', page.text)
        assert files
        for file in files:
            assert file.startswith(f"{site.base_path}/assets/")
            fetched = await http.get(site.origin + file)
            assert (fetched.status_code, "immutable" in fetched.headers["cache-control"]) == (HTTPStatus.OK, True)
        assert (await http.get("/schema/openapi.json")).json()["servers"] == [{"url": site.base_path or "/"}]
        assert [each["id"] for each in (await http.get("/api/tables")).json()] == [TABLE]

        token = (await http.post("/api/join", json={"name": "Ann"})).json()["token"]
        signed_in = await http.post("/api/session", json={"account": "patron", "token": token})
        assert f"Path={site.base_path}/api;" in signed_in.headers["set-cookie"]
        own, buy = {"X-Punto-Account": "patron", "Origin": site.origin}, {"amount_cents": 10_000}
        bought = await http.post("/api/me/credits", json=buy, headers=own | {"Idempotency-Key": "buy"})
        assert bought.json()["balance_cents"] == 10_000
        elsewhere = await http.post("/api/me/credits", json=buy, headers=own | {"Origin": "http://other.example"})
        assert elsewhere.json()["refusal"]["code"] == "origin-refused"
        async with site.watch(http) as socket:
            await _give(socket, {"kind": "sit", "box": 1})
            await _give(socket, {"kind": "place-bet", "box": 1, "on": "player", "stake_cents": 4_000})
        assert (await http.get("/api/me", headers=own)).json()["balance_cents"] == 6_000


async def _give(socket: ClientConnection, command: dict[str, Any]) -> None:
    """Give a command and wait for its reply."""
    await socket.send(json.dumps({"type": "command", "key": command["kind"], "command": command}))
    while (message := json.loads(await socket.recv()))["type"] != "reply":
        pass
    assert "seq" in message, message


async def test_with_tls_a_program_trusts_its_own_authority_and_cookies_are_secure(tmp_path: Path) -> None:
    trusted = certify(tmp_path)
    async with edge(server=ServerSettings(trusted_proxies=("127.0.0.1",))) as e:
        await e.table(PIT)
        await e.betting(await e.person("Dan", "dealer"))
        async with _run("nginx", tmp_path, e.port, _with_tls) as host:
            origin = f"https://{host}"
            async with Client(origin, verify=trusted) as house:
                ann = await house.join("Ann")
                await ann.buy(10_000)
                async with ann.watch(TABLE) as table:  # over wss
                    await table.command("sit", box=1)
                    await table.command("place-bet", box=1, on="player", stake_cents=4_000)
                assert (await ann.me()).balance_cents == 6_000
            async with http_to(origin, verify=trusted) as http:
                told = await http.post(
                    "/api/session", json={"account": "patron", "token": ann.token}, headers={"Origin": origin}
                )
                assert told.headers["set-cookie"].endswith("; Secure")
                assert "strict-transport-security" in told.headers
            async with Client(origin, retries=0) as stranger:
                with pytest.raises(ConnectionLostError, match="certificate"):
                    await stranger.tables()


async def test_each_client_is_counted_alone_whatever_it_says(site: Site) -> None:
    async with site.browser("127.0.0.2") as http, site.browser("127.0.0.3") as other:
        pretended = {"X-Forwarded-For": "192.0.2.1", "Forwarded": "for=192.0.2.1", "X-Real-IP": "192.0.2.1"}
        for headers in ({}, pretended):
            while (answer := await http.get("/api/tables", headers=headers)).status_code == HTTPStatus.OK:
                pass
            assert answer.status_code == HTTPStatus.TOO_MANY_REQUESTS
        assert (await other.get("/api/tables")).status_code == HTTPStatus.OK


async def test_what_is_for_those_who_watch_the_house_is_not_published(site: Site) -> None:
    async with site.browser("127.0.0.2") as http:
        paths = ("/metrics", "/api/health/ready", "/x/../%6detrics", "/api/health/live", "/api/tables")
        for path, status in zip(paths, [404, 404, 404, 200, 200], strict=True):
            answer = await http.get(path)
            assert (answer.status_code, "punto_up" in answer.text) == (status, False), path


async def test_too_much_is_refused_by_the_house_and_far_more_by_the_proxy(site: Site) -> None:
    async with site.browser("127.0.0.2") as http:
        large, huge = [await http.post("/api/join", json={"name": "x" * size}) for size in (70_000, 200_000)]
        assert large.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        assert large.json()["refusal"]["code"] == "payload-too-large"
        assert huge.status_code in {HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.BAD_GATEWAY}  # Caddy before 2.7


# ------------------------------------------------------------------------------------------- restarts


class Process:
    """One `punto serve` of a house of two, which is started again at its own port."""

    def __init__(self, name: str, folder: Path, *options: str) -> None:
        self.port = free_port()
        self._log = folder / f"{name}.log"
        self._command = [sys.executable, "-m", "punto", "serve", "--json", "--port", str(self.port), *options]
        self._command += ["--owner", name, "--head", str(folder / name), "--key", str(folder / "key")]
        self._running: asyncio.subprocess.Process | None = None

    async def start(self, *options: str) -> None:
        """Start, and wait until it is ready, as its unit or the operator does."""
        with self._log.open("a") as log:
            self._running = await asyncio.create_subprocess_exec(*self._command, *options, stdout=PIPE, stderr=log)
        assert self._running.stdout
        async for line in self._running.stdout:
            if b'"address"' in line:
                break
        else:
            raise AssertionError(self._log.read_text())
        async with http_to(f"http://127.0.0.1:{self.port}") as http:
            assert (await http.get("/api/health/ready")).status_code == HTTPStatus.OK

    async def stop(self) -> None:
        """Stop as systemd does."""
        assert self._running
        self._running.terminate()
        assert await self._running.wait() == 0, self._log.read_text()

    async def kill(self) -> None:
        if self._running and self._running.returncode is None:
            self._running.kill()
            await self._running.wait()


async def _ask_until(stop: asyncio.Event, origin: str, name: str) -> list[tuple[str, int]]:
    """Join, sit down, buy and look up, one request after the other; what each was answered with."""
    answers: list[tuple[str, int]] = []
    async with http_to(origin) as http:

        async def ask(method: str, path: str, headers: dict[str, str], body: object = None) -> httpx.Response:
            own = headers | {"Idempotency-Key": f"{name}-{len(answers)}"} if "Authorization" in headers else headers
            answer = await http.request(method, path, headers=own, json=body)
            while "table-unreachable" in answer.text:
                # On a busy machine a table may take longer to move than a command waits: terminals send it again.
                answer = await http.request(method, path, headers=own, json=body)
            answers.append((f"{path} {answer.text}", answer.status_code))
            return answer

        while not stop.is_set():
            joined = (await ask("POST", "/api/join", {}, {"name": f"{name}{len(answers)}"})).json()
            own = {"Authorization": f"Bearer {joined.get('token')}"}
            for table in [each["id"] for each in (await ask("GET", "/api/tables", {})).json()]:
                await ask("POST", f"/api/tables/{table}/commands", own, {"kind": "sit", "box": 1})
                await ask("POST", "/api/me/credits", own, {"amount_cents": 100})
                await ask("GET", "/api/me", own)
    return answers


@pytest.mark.parametrize("proxy", ["nginx", pytest.param("caddy", marks=pytest.mark.slow)], indirect=True)
async def test_a_rolling_restart_refuses_no_request(proxy: str, postgres: PostgresServer, tmp_path: Path) -> None:
    """Two processes behind the example with its lines for several; each is restarted in turn."""
    database = f"rolling_{proxy}"
    postgres.sql("postgres", f"CREATE DATABASE {database}")
    bus = NatsServer()
    bus.start()
    shared = ["--database", postgres.address(database), "--bus", bus.address, "--open-door", "--free-credit"]
    shared += ["--set", "edge.messages_per_second=1000000", "--set", "stop_ms=3000", "--trusted-proxy", "127.0.0.1"]
    one, two = Process("one", tmp_path, *shared), Process("two", tmp_path, *shared)
    stop = asyncio.Event()
    try:
        await one.start("--demo")
        await two.start("--adopt-head")

        def change(config: str) -> str:
            return _with_two_processes(config).replace("127.0.0.1:8081", f"127.0.0.1:{two.port}")

        async with _run(proxy, tmp_path, one.port, change) as host:
            clients = [asyncio.create_task(_ask_until(stop, f"http://{host}", name)) for name in ("Ann", "Bob", "Cy")]
            for process in (one, two):
                await process.stop()
                await process.start()
            stop.set()
            answers = [answer for client in clients for answer in await client]
        # A box that is taken, or a Dealer's table, is a refusal of the table.
        refused = [each for each in answers if each[1] >= HTTPStatus.BAD_REQUEST and each[1] != HTTPStatus.CONFLICT]
        assert refused == []
        assert len(answers) > 100
    finally:
        for process in (one, two):
            await process.kill()
        bus.kill()
