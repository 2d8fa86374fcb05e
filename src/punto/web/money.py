"""Money over HTTP: credits bought and cashed out, tickets, statements, and what patrons are told of it."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from litestar import Router, get, post
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.response import Stream
from msgspec import UNSET
from msgspec.structs import asdict

from punto.protocol import views as v
from punto.protocol.refusals import CreditsAtDesk, PersonUnknown
from punto.rules.refusals import RefusedError
from punto.rules.sheet import Role
from punto.service.house import House
from punto.service.people.person import Person
from punto.table.refusals import NotPermitted
from punto.web.access import Connection, house_of, require_person, require_staff
from punto.web.exports import CSV, STATEMENT_COLUMNS, csv_file
from punto.web.problems import refusals
from punto.web.tables import POST_REFUSALS, Key, Limit, unwrap_reply

Place = Annotated[
    str | None,
    QueryParameter(pattern=r"^\d{1,18}-\d{1,9}$", description="Only what was before the one at this place."),
]
By = Annotated[v.TotalsBy, QueryParameter(description="What each total is of.")]
S = HTTPStatus
PERSON_REFUSALS = refusals(S.FORBIDDEN)


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


@get("/me/statement/rounds", responses=PERSON_REFUSALS)
async def read_statement_by_round(
    request: Connection, before: Place = None, limit: Limit = 50
) -> list[v.StatementEntry]:
    """The statement by round, newest first, each with what one won or lost; what moved outside of play between."""
    return await house_of(request).statement_entries(require_person(request), before, limit)


@get("/me/statement/totals", responses=PERSON_REFUSALS)
async def read_totals(
    request: Connection, by: By = "day", before: Place = None, limit: Limit = 50
) -> list[v.StatementTotal]:
    """What one bought, cashed out and won or lost in each session, or on each gaming day, newest first."""
    return await house_of(request).statement_totals(require_person(request), by, before, limit)


@get("/me/tickets", responses=PERSON_REFUSALS)
async def list_tickets(request: Connection, limit: Limit = 20) -> list[v.Ticket]:
    """One's cash-out tickets, newest first, to be printed again."""
    return await house_of(request).cashier.tickets(require_person(request), limit)


@get("/me/notices", responses=PERSON_REFUSALS)
async def list_notices(request: Connection) -> list[v.Notice]:
    """What happened to one's money or token and was not marked as read yet, oldest first."""
    return await house_of(request).notices.unread(require_person(request))


@post("/me/notices/read", responses=POST_REFUSALS, status_code=S.OK)
async def read_notices(request: Connection, data: JSONBody[v.NoticesRead]) -> list[v.Notice]:
    """Mark notices as read; those that are left."""
    return await house_of(request).notices.mark_read(require_person(request), data.ids)


ROUTER = Router(
    "/api",
    tags=["money"],
    route_handlers=[
        read_me,
        buy_credits,
        sell_credits,
        cash_out,
        list_tickets,
        read_statement,
        export_statement,
        read_statement_by_round,
        read_totals,
        list_notices,
        read_notices,
    ],
)
