"""Look-ups and commands over HTTP."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import httpx

from punto.client.errors import LostError, RefusedByServerError
from punto.client.live import LiveTable
from punto.client.replies import Done, Person, new_key

BUSY = (429, 503)
"""The server asks to come back; what was sent was not carried out, or is found again by its key."""
LONGEST_WAIT_SECONDS = 5.0


class Client:
    """One person's view of a server (or the public's, without a token). Use it as an asynchronous context.

    Clients made from one another (`join`, `admit`, `as_`) share its connections. `retries` says how often a request
    that may be repeated safely is sent again when the connection fails or the server is busy.
    """

    def __init__(
        self, address: str, token: str | None = None, *, retries: int = 5, http: httpx.AsyncClient | None = None
    ) -> None:
        self.address = address.rstrip("/")
        self.token = token
        self.person: Person | None = None
        self._retries = retries
        self._owned = http is None
        limits = httpx.Limits(max_connections=256, max_keepalive_connections=64)
        self._http = http or httpx.AsyncClient(base_url=self.address, timeout=30, limits=limits, trust_env=False)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Let go of the connections, if they are this client's."""
        if self._owned:
            await self._http.aclose()

    # --------------------------------------------------------------------------------------- people

    def as_(self, token: str | None) -> Client:
        """The same server seen by someone else."""
        return Client(self.address, token, retries=self._retries, http=self._http)

    async def join(self, name: str) -> Client:
        """Come in by the open door: the client of a new patron."""
        return self._admitted(await self.post("/api/join", {"name": name}))

    async def admit(self, name: str, role: str) -> Client:
        """Let someone in, with the authority to: the client of the new person."""
        return self._admitted(await self.post("/api/people", {"name": name, "role": role}))

    def _admitted(self, answer: Any) -> Client:
        client = self.as_(answer["token"])
        client.person = Person.read(answer["person"])
        return client

    async def me(self) -> dict[str, Any]:
        """Who one is, with one's balance."""
        answer: dict[str, Any] = await self.get("/api/me")
        self.person = Person.read(answer)
        return answer

    # --------------------------------------------------------------------------------------- money

    async def buy(self, cents: int, key: str | None = None) -> int:
        """Buy credits; the balance after."""
        balance: int = (await self.post("/api/me/credits", {"cents": cents}, key or new_key()))["balance"]
        return balance

    async def cash_out(self, cents: int | None = None, key: str | None = None) -> dict[str, Any]:
        """Cash out an amount, or everything; the ticket."""
        body = {} if cents is None else {"cents": cents}
        ticket: dict[str, Any] = await self.post("/api/me/cash-out", body, key or new_key())
        return ticket

    # --------------------------------------------------------------------------------------- tables

    async def tables(self) -> list[dict[str, Any]]:
        """The lobby."""
        tables: list[dict[str, Any]] = await self.get("/api/tables")
        return tables

    async def snapshot(self, table: str) -> dict[str, Any]:
        """A table now."""
        snapshot: dict[str, Any] = await self.get(f"/api/tables/{quote(table)}")
        return snapshot

    async def command(self, table: str, kind: str, key: str | None = None, /, **fields: Any) -> Done:
        """Give a command; a RefusedByServerError says why not."""
        body = {"kind": kind, **fields}
        answer = await self.post(f"/api/tables/{quote(table)}/commands", body, key or new_key())
        return Done(answer["seq"], tuple(answer["events"]), answer["me"])

    def watch(self, table: str, **options: Any) -> LiveTable:
        """A table as it happens. Use it as an asynchronous context."""
        return LiveTable(self.address, table, self.token, **options)

    # --------------------------------------------------------------------------------------- requests

    async def get(self, path: str) -> Any:
        """Look something up: what a JSON answer holds, or the text of any other."""
        return await self._send("GET", path, None, {}, safe=True)

    async def post(self, path: str, body: Any, key: str | None = None) -> Any:
        """Ask for something to be done; with a key it is safe to repeat, and is repeated when the answer is lost."""
        headers = {} if key is None else {"Idempotency-Key": key}
        return await self._send("POST", path, body, headers, safe=key is not None)

    async def _send(self, method: str, path: str, body: Any, headers: dict[str, str], *, safe: bool) -> Any:
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        wait = 0.05
        for left in range(self._retries, -1, -1):
            try:
                response = await self._http.request(method, path, json=body, headers=headers)
            except httpx.TransportError as error:
                if not (safe and left):
                    raise LostError(f"{self.address} does not answer: {str(error) or type(error).__name__}") from error
            else:
                if response.status_code not in BUSY or not left:
                    return _read(response)
                wait = max(wait, float(response.headers.get("Retry-After", "0")))
            await asyncio.sleep(min(wait, LONGEST_WAIT_SECONDS))
            wait *= 2
        raise AssertionError("the last try returns or raises")


def _read(response: httpx.Response) -> Any:
    is_json = "json" in response.headers.get("Content-Type", "").partition(";")[0].rpartition("/")[2].split("+")
    if response.is_success:
        return response.json() if is_json else response.text
    raise RefusedByServerError.of_problem(response.status_code, response.json() if is_json else None)
