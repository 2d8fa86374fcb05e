"""Look-ups and commands over HTTP."""

from __future__ import annotations

import ssl
from contextlib import AbstractAsyncContextManager
from http import HTTPStatus
from typing import Any, TypeVar
from urllib.parse import quote

import httpx
import msgspec

from punto.client import live
from punto.client.errors import ConnectionLostError, RefusedByServerError
from punto.client.live import TRIES, LiveTable, new_key
from punto.client.retries import RETRIES, Backoff
from punto.protocol import views as v
from punto.protocol.codec import new_command
from punto.protocol.shown import Choice, build_refusal

T = TypeVar("T")

NOT_DONE = HTTPStatus.TOO_MANY_REQUESTS
"""The server asks to come back; nothing was done."""
UNCERTAIN = HTTPStatus.SERVICE_UNAVAILABLE
"""Nothing was done, or the key finds what was."""


class Client(AbstractAsyncContextManager["Client"]):
    """One person's view of a server (or the public's, without a token). Use it as an asynchronous context.

    Clients made from one another (`join`, `admit`, `with_token`) share its connections. `retries` says how often a
    request that may be repeated safely (a look-up, or one under a key) is sent again, after longer and longer waits,
    when the connection fails or the server cannot serve it now. `verify` says which certificates are trusted, where
    they are not the public ones: `ssl.create_default_context(cafile="ca.pem")`.
    """

    def __init__(
        self,
        address: str,
        token: str | None = None,
        *,
        retries: int = RETRIES,
        verify: ssl.SSLContext | None = None,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        self.address = address.rstrip("/")
        self.token = token
        self.person: v.Person | None = None
        self._retries, self._verify = retries, verify
        self._owned = http is None
        limits = httpx.Limits(max_connections=256, max_keepalive_connections=64)
        self._http = http or httpx.AsyncClient(
            base_url=self.address, timeout=live.TIMEOUT_SECONDS, limits=limits, trust_env=False, verify=verify or True
        )

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Let go of the connections, if they are this client's."""
        if self._owned:
            await self._http.aclose()

    # --------------------------------------------------------------------------------------- people

    def with_token(self, token: str | None) -> Client:
        """The same server seen by someone else."""
        return Client(self.address, token, retries=self._retries, verify=self._verify, http=self._http)

    async def join(self, name: str) -> Client:
        """Come in by the open door: the client of a new patron."""
        return self._admitted(await self._send("POST", "/api/join", v.Admitted, v.Join(name)))

    async def admit(self, name: str, role: v.RoleName) -> Client:
        """Let someone in, with the authority to: the client of the new person."""
        return self._admitted(await self._send("POST", "/api/people", v.Admitted, v.NewPerson(name, role)))

    def _admitted(self, admitted: v.Admitted) -> Client:
        client = self.with_token(admitted.token)
        client.person = admitted.person
        return client

    async def me(self) -> v.Account:
        """The person signed in, with the balance."""
        self.person = account = await self._send("GET", "/api/me", v.Account)
        return account

    # --------------------------------------------------------------------------------------- money

    async def buy(self, cents: int, key: str | None = None) -> int:
        """Buy credits; the balance after."""
        account = await self._send("POST", "/api/me/credits", v.Account, v.BuyCredits(cents), key or new_key())
        return account.balance_cents or 0

    async def cash_out(self, cents: int | None = None, key: str | None = None) -> v.PrintedTicket:
        """Cash out an amount, or everything; the ticket."""
        body = v.CashOut() if cents is None else v.CashOut(cents)
        return await self._send("POST", "/api/me/cash-out", v.PrintedTicket, body, key or new_key())

    async def take_ticket(self, ticket: str, key: str | None = None) -> v.Ticket:
        """Turn a ticket into credits; the ticket that was used."""
        return await self._send("POST", "/api/me/tickets", v.Ticket, v.UseTicket(ticket), key or new_key())

    async def issue_ticket(self, cents: int, key: str | None = None) -> v.PrintedTicket:
        """At the cage: sell a ticket for cash."""
        return await self._send("POST", "/api/cage/tickets", v.PrintedTicket, v.BuyCredits(cents), key or new_key())

    async def check_ticket(self, ticket: str) -> v.CheckedTicket:
        """At the cage: look a ticket up."""
        return await self._send("POST", "/api/cage/tickets/check", v.CheckedTicket, v.UseTicket(ticket))

    async def pay_ticket(self, ticket: str, key: str | None = None) -> v.CheckedTicket:
        """At the cage: pay a ticket in cash."""
        return await self._send("POST", "/api/cage/tickets/pay", v.CheckedTicket, v.UseTicket(ticket), key or new_key())

    # --------------------------------------------------------------------------------------- tables

    async def tables(self) -> list[v.TableSummary]:
        """The lobby."""
        return await self._send("GET", "/api/tables", list[v.TableSummary])

    async def snapshot(self, table: str) -> v.Snapshot:
        """A table now."""
        return await self._send("GET", f"/api/tables/{quote(table)}", v.Snapshot)

    async def choices(self, table: str, patron: str | None = None) -> tuple[Choice, ...]:
        """One's choices at a table now; staff may ask for one patron."""
        query = "" if patron is None else f"?patron={quote(patron)}"
        return await self._send("GET", f"/api/tables/{quote(table)}/choices{query}", tuple[Choice, ...])

    async def command(self, table: str, kind: str, key: str | None = None, /, **fields: object) -> v.Reply:
        """Give a command with its fields as the wire has them; a RefusedByServerError says why not."""
        path = f"/api/tables/{quote(table)}/commands"
        return await self._send("POST", path, v.Reply, new_command(kind, **fields), key or new_key())

    async def preview(self, table: str, kind: str, /, **fields: object) -> v.Preview:
        """The result of a command if it were given now; a RefusedByServerError says why it would be refused."""
        return await self._send("POST", f"/api/tables/{quote(table)}/preview", v.Preview, new_command(kind, **fields))

    def watch(self, table: str, *, tries: int = TRIES) -> LiveTable:
        """A table as it happens. Use it as an asynchronous context."""
        return LiveTable(self.address, table, self.token, tries=tries, retries=self._retries, verify=self._verify)

    # --------------------------------------------------------------------------------------- requests

    async def get(self, path: str) -> Any:
        """Look something up: what a JSON answer holds as plain data, or the text of any other."""
        return await self._send("GET", path, Any)

    async def post(self, path: str, body: object, *, key: str | None = None) -> Any:
        """Ask for something to be done; with a key it is safe to repeat, and is repeated when the answer is lost."""
        return await self._send("POST", path, Any, body, key)

    async def _send(self, method: str, path: str, kind: type[T], body: object = None, key: str | None = None) -> T:
        """The answer to a request, as this type."""
        can_be_repeated = method == "GET" or key is not None
        content = None if method == "GET" else msgspec.json.encode(body)
        headers = {} if content is None else {"Content-Type": "application/json"}
        if key is not None:
            headers["Idempotency-Key"] = key
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        backoff = Backoff(self._retries)
        while True:
            try:
                response = await self._http.request(method, path, content=content, headers=headers)
            except httpx.TransportError as error:
                if not (can_be_repeated and await backoff.again()):
                    raise ConnectionLostError(
                        f"{self.address} does not answer: {str(error) or type(error).__name__}"
                    ) from error
            else:
                passing = response.status_code == NOT_DONE or (can_be_repeated and response.status_code == UNCERTAIN)
                if not passing or not await backoff.again(_seconds_to_wait(response)):
                    answer: T = read_answer(response, kind)
                    return answer


def _seconds_to_wait(response: httpx.Response) -> float:
    """The wait that the server asks for. A proxy may name a time of day instead, which is left to our own waits."""
    said = response.headers.get("Retry-After", "")
    return float(said) if said.isascii() and said.isdigit() else 0


def read_answer(response: httpx.Response, kind: Any) -> Any:
    """The content of an answer, as this type. A RefusedByServerError says why the server refused.

    Raises ConnectionLostError for an answer that cannot be read.
    """
    is_json = "json" in response.headers.get("Content-Type", "").partition(";")[0].rpartition("/")[2].split("+")
    if response.is_success and not is_json:
        return response.text
    try:
        answer = msgspec.json.decode(response.content, type=kind if response.is_success else v.ProblemDetails)
    except (ValueError, RecursionError) as error:  # not JSON, of another shape, not UTF-8, or nested too deeply
        raise ConnectionLostError(
            f"the server answered {response.status_code} with what cannot be read: {error}"
        ) from None
    if isinstance(answer, v.ProblemDetails):
        raise RefusedByServerError(build_refusal(answer.refusal), answer.status)
    return answer
