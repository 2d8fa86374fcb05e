"""People and their money over HTTP, and what staff see of the whole house."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from litestar import Router, get, post
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.response import Stream
from msgspec import UNSET
from msgspec.structs import asdict

from punto.protocol import views as v
from punto.protocol.refusals import CreditsAtDesk, DoorClosed, PersonUnknown
from punto.rules.money import EXACT_CENTS
from punto.rules.refusals import Refusal, RefusedError
from punto.rules.sheet import Role
from punto.service.house import House
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
from punto.web.exports import CSV, STATEMENT_COLUMNS, csv_file
from punto.web.posts import SET_COOKIE
from punto.web.problems import refusals
from punto.web.tables import POST_REFUSALS, STAFF_REFUSALS, Key, Limit, unwrap_reply

Place = Annotated[
    str | None,
    QueryParameter(pattern=r"^\d{1,18}-\d{1,9}$", description="Only movements before the one at this place."),
]
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


@get("/me", responses=PERSON_REFUSALS)
async def read_me(request: Connection) -> v.Account:
    """Who one is, one's credit, and what one owes."""
    return await _account(house_of(request), require_person(request))


async def _account(house: House, person: Person) -> v.Account:
    credit_cents, owed_cents = await house.cashier.credit_and_debt(person) if person.is_patron else (None, None)
    return v.Account(**asdict(person.shown()), balance_cents=credit_cents, owed_cents=owed_cents)


@post("/me/credits", responses=POST_REFUSALS, status_code=S.OK)
async def buy_credits(request: Connection, data: JSONBody[v.BuyCredits], idempotency_key: Key) -> v.Account:
    """Help oneself to credits, in a demonstration."""
    house, person = house_of(request), require_person(request)
    if not house.settings.free_credit:
        raise RefusedError(CreditsAtDesk())
    unwrap_reply(await house.cashier.buy(person, data.amount_cents, idempotency_key))
    return await _account(house, person)


@post("/people/{person:str}/credits", responses=POST_REFUSALS, status_code=S.OK)
async def sell_credits(
    request: Connection, person: FromPath[str], data: JSONBody[v.BuyCredits], idempotency_key: Key
) -> v.Account:
    """Sell credits to a patron who paid for them; for a Pit Manager and above, who is named in the log."""
    house, seller = house_of(request), require_staff(request)
    if not seller.at_least(Role.PIT_MANAGER):
        raise RefusedError(NotPermitted(Role.PIT_MANAGER))
    if (patron := await house.people.find(person)) is None:
        raise RefusedError(PersonUnknown(person))
    unwrap_reply(await house.cashier.buy(patron, data.amount_cents, idempotency_key, seller))
    return await _account(house, patron)


@post("/me/cash-out", responses=POST_REFUSALS, status_code=S.OK)
async def cash_out(request: Connection, data: JSONBody[v.CashOut], idempotency_key: Key) -> v.Ticket:
    """Turn credit into a ticket for the cash desk."""
    amount = None if data.amount_cents is UNSET else data.amount_cents
    reply = unwrap_reply(await house_of(request).cashier.cash_out(require_person(request), amount, idempotency_key))
    if reply.ticket is None:
        raise AssertionError("whoever cashed out has a ticket")
    return reply.ticket


@get("/me/statement", responses=PERSON_REFUSALS)
async def read_statement(request: Connection, before: Place = None, limit: Limit = 100) -> list[v.Movement]:
    """Movements of one's money and debt, newest first, with the credit before and after; older ones by `before`."""
    return await house_of(request).statement(require_person(request), before, limit)


@get("/me/statement.csv", responses=PERSON_REFUSALS, media_type=CSV)
async def export_statement(request: Connection) -> Stream:
    """All of it as CSV."""
    pages = house_of(request).whole_statement(require_person(request))
    return csv_file("statement.csv", STATEMENT_COLUMNS, (map(asdict, page) async for page in pages))


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
        read_me,
        buy_credits,
        sell_credits,
        cash_out,
        read_statement,
        export_statement,
    ],
)
HOUSE = Router("/api", tags=["house"], route_handlers=[list_significant, list_incidents, list_debts])
