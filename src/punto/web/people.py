"""People over HTTP: who comes in, who is admitted, and their tokens."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from punto.protocol import views as v
from punto.protocol.refusals import DoorClosed
from punto.rules.refusals import Refusal, Refused
from punto.service.people.person import Person
from punto.web.access import ADMITTING, PERSON, PUBLIC, unwrap
from punto.web.cookies import set_cookie
from punto.web.requests import Request
from punto.web.routes import Limit, Routes, S

Part = Annotated[str, Meta(max_length=40, description="Only those with this in their name or id.")]
routes = Routes("people")


@routes.post("/api/join", PUBLIC, status=S.CREATED)
async def join(request: Request, body: v.Join) -> v.Admitted:
    """Come in as a patron, where the house keeps its door open. The token is shown this once."""
    house = request.house
    if not house.settings.open_door:
        raise Refused(DoorClosed())
    request.gatekeeper.count_join(request.address)
    return _admitted(await house.people.join(body.name))


@routes.post("/api/session", PUBLIC)
async def sign_in(request: Request, body: v.SignIn) -> v.Person:
    """Keep a token for a page in a cookie, which counts where the page names its account in `X-Punto-Account`."""
    person = await request.gatekeeper.identify(body.token, request.address)
    if person is None:
        raise AssertionError("a token that is nobody's is refused")
    ends_at_ms = (await request.house.people.token_view(body.token)).ends_at_ms
    _keep(request, body.account, body.token, ends_at_ms)
    return person.shown()


@routes.post("/api/session/end", PUBLIC)
async def sign_out(request: Request, body: v.SignOut) -> v.SignOut:
    """End the session of a page."""
    _keep(request, body.account, "")
    return v.SignOut(body.account)


def _keep(request: Request, account: str, token: str, ends_at_ms: int | None = None) -> None:
    base = request.house.settings.server.base_path
    secure = request.secure or request.headers.get("origin", "").startswith("https:")
    cookie = set_cookie(account, token, ends_at_ms, secure=secure, base_path=base)
    request.more_headers.append((b"set-cookie", cookie))


@routes.post("/api/people", ADMITTING, status=S.CREATED)
async def admit(request: Request, body: v.NewPerson) -> v.Admitted:
    """Let someone in: an admin anyone, a Pit Manager or above patrons. The token is shown this once."""
    return _admitted(await request.house.people.create(request.person, body.name, body.role))


@routes.post("/api/people/{person}/token", ADMITTING, S.CONFLICT, status=S.CREATED)
async def replace_token(request: Request, person: str, body: v.NewToken) -> v.Admitted:
    """A new token for someone, shown this once, when a second person asks for it too; the old one ends.

    For those who may admit such a person. For one of the staff a Shift Manager may be the second, who is not shown it.
    """
    house, by = request.house, request.person
    token = unwrap(await house.people.replace_token(by, person, body.reason))
    if (found := house.people.get(person)) is None:
        raise AssertionError("whoever was given a token is known")
    return v.Admitted(found.shown(), token)


@routes.post("/api/people/{person}/dismissal", ADMITTING, S.CONFLICT)
async def dismiss(request: Request, person: str) -> v.Person:
    """End someone's token, so that they can do nothing more. For those who may admit such a person."""
    return unwrap(await request.house.people.dismiss(request.person, person)).shown()


@routes.get("/api/me/tokens", PERSON)
async def list_tokens(request: Request) -> list[v.TokenView]:
    """The tokens of one's own."""
    return [await request.house.people.token_view(request.token or "")]


@routes.post("/api/me/tokens/end", PERSON, S.CONFLICT)
async def end_tokens(request: Request) -> v.Person:
    """End one's tokens, which others may have seen: staff give a new one."""
    await request.house.people.end_token(request.person)
    return request.person.shown()


def _admitted(answer: tuple[Person, str] | Refusal) -> v.Admitted:
    person, token = unwrap(answer)
    return v.Admitted(person.shown(), token)


@routes.get("/api/people", ADMITTING)
async def list_people(request: Request, name: Part = "", limit: Limit = 100) -> list[v.Member]:
    """The people known to the house, staff first; for an admin or a Pit Manager and above."""
    return await request.house.people.members(request.person, name, limit)
