"""People and their money over HTTP, and what staff see of the whole house."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any

from litestar import get, post
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.response import Stream

from punto.rules.refusals import Refusal, RefusedError
from punto.service.people.person import Person, may_admit
from punto.service.refusals import HouseCode
from punto.table.codec import EXACT
from punto.table.commands import PATRON_ROLE
from punto.web.access import granted, house_of, someone, staff
from punto.web.exports import CSV, STATEMENT_COLUMNS, as_file, csv_lines
from punto.web.problems import EdgeCode, EdgeRefusedError, refusals
from punto.web.requests import StrictRequest
from punto.web.schemas import Admitted, Bought, CashOut, Credits, Join, MeOut, NewPerson, PersonOut, Ticket, as_
from punto.web.tables import STAFF_LOOK_UP, WRITE, Key, done

TAGS = ["people"]
Limit = Annotated[int, QueryParameter(ge=1, le=500)]
Place = Annotated[
    str | None,
    QueryParameter(pattern=r"^\d{1,18}-\d{1,9}$", description="Only movements before the one at this place."),
]
Time = Annotated[
    int | None,
    QueryParameter(ge=0, le=EXACT, description="Only events before this time; a page has all of its last moment."),
]
S = HTTPStatus
OWN = refusals(S.BAD_REQUEST, S.UNAUTHORIZED, S.FORBIDDEN, S.TOO_MANY_REQUESTS, S.SERVICE_UNAVAILABLE)


@post("/api/join", tags=TAGS, responses=WRITE)
async def join(request: StrictRequest, data: JSONBody[Join]) -> Admitted:
    """Come in as a patron, where the house keeps its door open. The token is shown this once."""
    house = house_of(request)
    if not house.settings.open_door:
        raise EdgeRefusedError(EdgeCode.DOOR_CLOSED)
    return _admitted(await house.people.join(data.name))


@post("/api/people", tags=TAGS, responses=WRITE)
async def admit(request: StrictRequest, data: JSONBody[NewPerson]) -> Admitted:
    """Let someone in: an admin anyone, a Pit Manager or above patrons. The token is shown this once."""
    return _admitted(await house_of(request).people.create(someone(request), data.name, data.role))


@post("/api/people/{person:str}/token", tags=TAGS, responses=WRITE)
async def replace_token(request: StrictRequest, person: FromPath[str]) -> Admitted:
    """A new token for someone, shown this once; the old one ends. For those who may admit such a person."""
    house, by = house_of(request), someone(request)
    token = granted(await house.people.replace_token(by, person))
    if (found := house.people.get(person)) is None:
        raise AssertionError("whoever was given a token is known")
    return Admitted(as_(PersonOut, found.data()), token)


def _admitted(answer: tuple[Person, str] | Refusal) -> Admitted:
    person, token = granted(answer)
    return Admitted(as_(PersonOut, person.data()), token)


@get("/api/people", tags=TAGS, responses=OWN, sync_to_thread=False)
def list_people(request: StrictRequest) -> list[PersonOut]:
    """Everyone known to the house; for an admin or a Pit Manager and above."""
    by = staff(request)
    if not may_admit(by, PATRON_ROLE):
        raise RefusedError(HouseCode.NOT_PERMITTED, HouseCode.NOT_PERMITTED.meaning)
    return [as_(PersonOut, person.data()) for person in house_of(request).people.all()]


@get("/api/me", tags=TAGS, responses=OWN)
async def read_me(request: StrictRequest) -> MeOut:
    """Who one is, and one's credit."""
    person = someone(request)
    balance = await house_of(request).cashier.balance(person) if person.is_patron else None
    return MeOut(person.id, person.name, person.role, balance)


@post("/api/me/credits", tags=TAGS, responses=WRITE, status_code=S.OK)
async def buy_credits(request: StrictRequest, data: JSONBody[Credits], idempotency_key: Key) -> Bought:
    """Buy credits."""
    house, person = house_of(request), someone(request)
    done(await house.cashier.buy(person, data.cents, idempotency_key))
    return Bought(await house.cashier.balance(person))


@post("/api/me/cash-out", tags=TAGS, responses=WRITE, status_code=S.OK)
async def cash_out(request: StrictRequest, data: JSONBody[CashOut], idempotency_key: Key) -> Ticket:
    """Turn credit into a ticket for the cash desk."""
    reply = done(await house_of(request).cashier.cash_out(someone(request), data.cents, idempotency_key))
    return as_(Ticket, reply.data)


@get("/api/me/statement", tags=TAGS, responses=OWN)
async def read_statement(request: StrictRequest, before: Place = None, limit: Limit = 100) -> list[dict[str, Any]]:
    """Every movement of one's money, newest first, with the credit before and after it; older ones by `before`."""
    return await house_of(request).statement(someone(request), before, limit)


@get("/api/me/statement.csv", tags=TAGS, responses=OWN, media_type=CSV)
async def export_statement(request: StrictRequest) -> Stream:
    """All of it as CSV."""
    pages = house_of(request).whole_statement(someone(request))
    return as_file(csv_lines(STATEMENT_COLUMNS, pages), "statement.csv", f"{CSV}; charset=utf-8")


@get("/api/significant", tags=["house"], responses=STAFF_LOOK_UP)
async def list_significant(request: StrictRequest, before: Time = None, limit: Limit = 100) -> list[dict[str, Any]]:
    """Voids, overrides, large wins, changes of parameters and clock, gaps in feeds: with who and why; for staff."""
    staff(request)
    return await house_of(request).significant(limit, before)


@get("/api/incidents", tags=["house"], responses=STAFF_LOOK_UP, sync_to_thread=False)
def list_incidents(request: StrictRequest) -> list[dict[str, Any]]:
    """Open cases over all tables, with their rulings and who must decide; for staff."""
    staff(request)
    return house_of(request).incidents()


ROUTES = [
    join,
    admit,
    replace_token,
    list_people,
    read_me,
    buy_credits,
    cash_out,
    read_statement,
    export_statement,
    list_significant,
    list_incidents,
]
