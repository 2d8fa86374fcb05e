"""Look-ups and commands over HTTP."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Any, Self, TypeVar, overload
from urllib.parse import quote

import httpx
import msgspec

from punto.client.errors import LostError, RefusedByServerError
from punto.client.live import LiveTable, new_key
from punto.protocol import views as v
from punto.protocol.codec import ask
from punto.protocol.refused import build_refusal
from punto.protocol.shown import Choice

T = TypeVar("T")

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
        self.person: v.Person | None = None
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
        return self._admitted(await self.post("/api/join", v.Join(name), v.Admitted))

    async def admit(self, name: str, role: v.RoleName) -> Client:
        """Let someone in, with the authority to: the client of the new person."""
        return self._admitted(await self.post("/api/people", v.NewPerson(name, role), v.Admitted))

    def _admitted(self, admitted: v.Admitted) -> Client:
        client = self.as_(admitted.token)
        client.person = admitted.person
        return client

    async def me(self) -> v.Account:
        """Who one is, with one's balance."""
        self.person = account = await self.get("/api/me", v.Account)
        return account

    # --------------------------------------------------------------------------------------- money

    async def buy(self, cents: int, key: str | None = None) -> int:
        """Buy credits; the balance after."""
        account = await self.post("/api/me/credits", v.BuyCredits(cents), v.Account, key or new_key())
        return account.balance_cents or 0

    async def cash_out(self, cents: int | None = None, key: str | None = None) -> v.Ticket:
        """Cash out an amount, or everything; the ticket."""
        body = v.CashOut() if cents is None else v.CashOut(cents)
        return await self.post("/api/me/cash-out", body, v.Ticket, key or new_key())

    # --------------------------------------------------------------------------------------- tables

    async def tables(self) -> list[v.TableSummary]:
        """The lobby."""
        return await self.get("/api/tables", list[v.TableSummary])

    async def snapshot(self, table: str) -> v.Snapshot:
        """A table now."""
        return await self.get(f"/api/tables/{quote(table)}", v.Snapshot)

    async def choices(self, table: str, patron: str | None = None) -> tuple[Choice, ...]:
        """What one may do at a table now; staff may ask for one patron."""
        query = "" if patron is None else f"?patron={quote(patron)}"
        return await self.get(f"/api/tables/{quote(table)}/choices{query}", tuple[Choice, ...])

    async def command(self, table: str, kind: str, key: str | None = None, /, **fields: object) -> v.Reply:
        """Give a command with its fields as the wire has them; a RefusedByServerError says why not."""
        path = f"/api/tables/{quote(table)}/commands"
        return await self.post(path, ask(kind, **fields), v.Reply, key or new_key())

    async def preview(self, table: str, kind: str, /, **fields: object) -> v.Preview:
        """What a command would lead to now; a RefusedByServerError says why it would be refused."""
        return await self.post(f"/api/tables/{quote(table)}/preview", ask(kind, **fields), v.Preview)

    def watch(self, table: str, **options: Any) -> LiveTable:
        """A table as it happens. Use it as an asynchronous context."""
        return LiveTable(self.address, table, self.token, **options)

    # --------------------------------------------------------------------------------------- requests

    @overload
    async def get(self, path: str) -> Any: ...

    @overload
    async def get(self, path: str, kind: type[T]) -> T: ...

    async def get(self, path: str, kind: Any = Any) -> Any:
        """Look something up: what a JSON answer holds, as this type or as plain data, or the text of any other."""
        return await self._send("GET", path, None, kind, None, safe=True)

    @overload
    async def post(self, path: str, body: object, *, key: str | None = None) -> Any: ...

    @overload
    async def post(self, path: str, body: object, kind: type[T], key: str | None = None) -> T: ...

    async def post(self, path: str, body: object, kind: Any = Any, key: str | None = None) -> Any:
        """Ask for something to be done; with a key it is safe to repeat, and is repeated when the answer is lost."""
        return await self._send("POST", path, msgspec.json.encode(body), kind, key, safe=key is not None)

    async def _send(self, method: str, path: str, body: bytes | None, kind: Any, key: str | None, *, safe: bool) -> Any:
        headers = {} if body is None else {"Content-Type": "application/json"}
        if key is not None:
            headers["Idempotency-Key"] = key
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        wait = 0.05
        for left in range(self._retries, -1, -1):
            try:
                response = await self._http.request(method, path, content=body, headers=headers)
            except httpx.TransportError as error:
                if not (safe and left):
                    raise LostError(f"{self.address} does not answer: {str(error) or type(error).__name__}") from error
            else:
                if response.status_code not in BUSY or not left:
                    return _read(response, kind)
                wait = max(wait, float(response.headers.get("Retry-After", "0")))
            await asyncio.sleep(min(wait, LONGEST_WAIT_SECONDS))
            wait *= 2
        raise AssertionError("the last try returns or raises")


def _read(response: httpx.Response, kind: Any) -> Any:
    is_json = "json" in response.headers.get("Content-Type", "").partition(";")[0].rpartition("/")[2].split("+")
    if response.is_success and not is_json:
        return response.text
    try:
        answer = msgspec.json.decode(response.content, type=kind if response.is_success else v.Problem)
    except msgspec.DecodeError as error:
        raise LostError(f"the server answered {response.status_code} with what cannot be read: {error}") from None
    if isinstance(answer, v.Problem):
        raise RefusedByServerError(build_refusal(answer.refusal), answer.status)
    return answer
