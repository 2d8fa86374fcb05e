"""People and their money over HTTP, and what staff see of the whole house."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from litestar import Router, get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from punto.protocol import views as v
from punto.protocol.refusals import DoorClosed
from punto.rules.money import EXACT_CENTS
from punto.rules.refusals import Refusal, RefusedError
from punto.rules.sheet import Role
from punto.service.people.person import Person, may_admit
from punto.table.commands import PATRON_ROLE
from punto.table.refusals import NotPermitted
from punto.web.access import (
    Connection,
    Gatekeeper,
    address_of,
    headers_of,
    house_of,
    require_floor,
    require_person,
    require_staff,
    token_in,
    unwrap,
)
from punto.web.cookies import set_cookie
from punto.web.posts import SET_COOKIE
from punto.web.problems import refusals
from punto.web.tables import POST_REFUSALS, STAFF_REFUSALS, Limit

Time = Annotated[
    int | None,
    QueryParameter(ge=0, le=EXACT_CENTS, description="Only events before then. A page has all of its last moment."),
]
S = HTTPStatus
PERSON_REFUSALS = refusals(S.FORBIDDEN)


@post("/join", responses=POST_REFUSALS)
async def join(request: Connection, data: JSONBody[v.Join]) -> v.Admitted:
    """Come in as a patron, where the house keeps its door open. The token is shown this once."""
    house = house_of(request)
    if not house.settings.open_door:
        raise RefusedError(DoorClosed())
    gatekeeper: Gatekeeper = request.app.state.gatekeeper
    gatekeeper.count_join(request.scope)
    return _admitted(await house.people.join(data.name))


@post("/session", responses=POST_REFUSALS, status_code=S.OK)
async def sign_in(request: Connection, data: JSONBody[v.SignIn]) -> v.Person:
    """Keep a token for a page in a cookie, which counts where the page names its account in `X-Punto-Account`."""
    gatekeeper: Gatekeeper = request.app.state.gatekeeper
    person = await gatekeeper.identify(data.token, address_of(request.scope))
    if person is None:
        raise AssertionError("a token that is nobody's is refused")
    ends_at_ms = (await house_of(request).people.token_view(data.token)).ends_at_ms
    _keep(request, data.account, data.token, ends_at_ms)
    return person.shown()


@post("/session/end", responses=POST_REFUSALS, status_code=S.OK)
async def sign_out(request: Connection, data: JSONBody[v.SignOut]) -> v.SignOut:
    """End the session of a page."""
    _keep(request, data.account, "")
    return v.SignOut(data.account)


def _keep(request: Connection, account: str, token: str, ends_at_ms: int | None = None) -> None:
    headers = headers_of(request.scope)
    base = house_of(request).settings.server.base_path
    secure = request.scope["scheme"] == "https" or headers.get("origin", "").startswith("https:")
    cookie = set_cookie(account, token, ends_at_ms, secure=secure, base_path=base)
    request.scope[SET_COOKIE] = cookie  # type: ignore[literal-required]


@post("/people", responses=POST_REFUSALS)
async def admit(request: Connection, data: JSONBody[v.NewPerson]) -> v.Admitted:
    """Let someone in: an admin anyone, a Pit Manager or above patrons. The token is shown this once."""
    return _admitted(await house_of(request).people.create(require_person(request), data.name, data.role))


@post("/people/{person:str}/token", responses=POST_REFUSALS)
async def replace_token(request: Connection, person: FromPath[str], data: JSONBody[v.NewToken]) -> v.Admitted:
    """A new token for someone, shown this once, when a second person asks for it too; the old one ends.

    For those who may admit such a person.
    """
    house, by = house_of(request), require_person(request)
    token = unwrap(await house.people.replace_token(by, person, data.reason))
    if (found := house.people.get(person)) is None:
        raise AssertionError("whoever was given a token is known")
    return v.Admitted(found.shown(), token)


@post("/people/{person:str}/dismissal", responses=POST_REFUSALS, status_code=S.OK)
async def dismiss(request: Connection, person: FromPath[str]) -> v.Person:
    """End someone's token, so that they can do nothing more. For those who may admit such a person."""
    return unwrap(await house_of(request).people.dismiss(require_person(request), person)).shown()


@get("/me/tokens", responses=PERSON_REFUSALS)
async def list_tokens(request: Connection) -> list[v.TokenView]:
    """The tokens of one's own."""
    require_person(request)
    return [await house_of(request).people.token_view(token_in(headers_of(request.scope)) or "")]


@post("/me/tokens/end", responses=POST_REFUSALS, status_code=S.OK)
async def end_tokens(request: Connection) -> v.Person:
    """End one's tokens, which others may have seen: staff give a new one."""
    return unwrap(await house_of(request).people.end_token(require_person(request))).shown()


def _admitted(answer: tuple[Person, str] | Refusal) -> v.Admitted:
    person, token = unwrap(answer)
    return v.Admitted(person.shown(), token)


@get("/people", responses=PERSON_REFUSALS, sync_to_thread=False)
def list_people(request: Connection) -> list[v.Person]:
    """Everyone known to the house; for an admin or a Pit Manager and above."""
    by = require_staff(request)
    if not may_admit(by, PATRON_ROLE):
        raise RefusedError(NotPermitted(Role.PIT_MANAGER))
    return [person.shown() for person in house_of(request).people.all()]


@get("/significant", responses=STAFF_REFUSALS)
async def list_significant(request: Connection, before_ms: Time = None, limit: Limit = 100) -> list[v.SignificantEvent]:
    """Voids, overrides, large wins, changes of parameters and clock, gaps in feeds: with who and why; for staff."""
    require_staff(request)
    return await house_of(request).significant.newest(limit, before_ms)


@get("/debts", responses=STAFF_REFUSALS)
async def list_debts(request: Connection) -> list[v.Debt]:
    """Everyone who owes something to the House after a correction; for an admin or a Pit Supervisor and above."""
    require_floor(request)
    return await house_of(request).debts.debts()


@get("/incidents", responses=STAFF_REFUSALS, sync_to_thread=False)
def list_incidents(request: Connection) -> list[v.Incident]:
    """Open cases over all tables, with their rulings and who must decide; for staff."""
    require_staff(request)
    return house_of(request).incidents()


PEOPLE = Router(
    "/api",
    tags=["people"],
    route_handlers=[
        join,
        sign_in,
        sign_out,
        admit,
        replace_token,
        list_people,
        dismiss,
        list_tokens,
        end_tokens,
    ],
)
HOUSE = Router("/api", tags=["house"], route_handlers=[list_significant, list_incidents, list_debts])
