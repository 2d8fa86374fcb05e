"""Money over HTTP: credits, tickets, the cage, statements, and what patrons are told of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated

import segno
from msgspec import UNSET, Meta
from msgspec.structs import asdict

from punto.protocol import views as v
from punto.protocol.refusals import CreditsAtDesk, PersonUnknown
from punto.rules.refusals import Refused
from punto.service.house import House
from punto.service.people.person import Person
from punto.service.replies import Reply
from punto.web.access import FLOOR, PERSON, PIT_MANAGER, unwrap
from punto.web.exports import CSV, STATEMENT_COLUMNS, csv_file, save_as
from punto.web.requests import Request
from punto.web.routes import Key, Limit, Routes, S
from punto.web.tables import unwrap_reply

Place = Annotated[
    Annotated[str, Meta(pattern=r"^\d{1,18}-\d{1,9}$")] | None,
    Meta(description="Only what was before the one at this place."),
]
By = Annotated[v.TotalsBy, Meta(description="What each total is of.")]
MONEY = S.PAYMENT_REQUIRED, S.CONFLICT
routes = Routes("money")


@routes.get("/api/me", PERSON)
async def read_me(request: Request) -> v.OwnAccount:
    """The person who asks, the credit, and what is owed."""
    house, person = request.house, request.person
    free = person.is_patron and house.settings.free_credit
    return v.OwnAccount(**asdict(await _account(house, person)), free_credit=free)


async def _account(house: House, person: Person) -> v.Account:
    credit_cents, owed_cents = await house.cashier.credit_and_debt(person) if person.is_patron else (None, None)
    return v.Account(**asdict(person.shown()), balance_cents=credit_cents, owed_cents=owed_cents)


@routes.post("/api/me/credits", PERSON, *MONEY)
async def buy_credits(request: Request, body: v.BuyCredits, key: Key) -> v.Account:
    """Help oneself to credits, in a demonstration."""
    house, person = request.house, request.person
    if not house.settings.free_credit:
        raise Refused(CreditsAtDesk())
    unwrap_reply(await house.cashier.buy(person, body.amount_cents, key))
    return await _account(house, person)


@routes.post("/api/people/{person}/credits", PIT_MANAGER, *MONEY)
async def sell_credits(request: Request, person: str, body: v.BuyCredits, key: Key) -> v.Account:
    """Sell credits to a patron who paid for them; for a Pit Manager and above, who is named in the log."""
    house, seller = request.house, request.person
    if (patron := await house.people.find(person)) is None:
        raise Refused(PersonUnknown(person))
    unwrap_reply(await house.cashier.buy(patron, body.amount_cents, key, seller))
    return await _account(house, patron)


@routes.post("/api/me/cash-out", PERSON, *MONEY)
async def cash_out(request: Request, body: v.CashOut, key: Key) -> v.PrintedTicket:
    """Turn credit into a ticket, which a terminal or the cage takes."""
    amount = None if body.amount_cents is UNSET else body.amount_cents
    return _printed(await request.house.cashier.cash_out(request.person, amount, key))


@routes.post("/api/me/tickets", PERSON, *MONEY)
async def take_ticket(request: Request, body: v.UseTicket, key: Key) -> v.Ticket:
    """Turn a ticket into credit."""
    return _ticket(await request.house.cashier.take_in(request.person, body.ticket, key))


@routes.get("/api/me/tickets", PERSON)
async def list_tickets(request: Request, limit: Limit = 20) -> list[v.OwnTicket]:
    """The tickets that one printed, newest first, to be printed again while they are not used."""
    found = await request.house.cashier.tickets(request.person, limit)
    return [v.OwnTicket(**asdict(each), code_svg=_code(each.ticket), used=used) for each, used in found]


@routes.get("/api/cage", FLOOR)
async def read_cage(request: Request) -> v.Cage:
    """Unused tickets, receivables and bounds of sales; for an admin or a Pit Supervisor and above."""
    return await request.house.cashier.cage()


@routes.post("/api/cage/tickets", PIT_MANAGER, *MONEY)
async def issue_ticket(request: Request, body: v.BuyCredits, key: Key) -> v.PrintedTicket:
    """Sell a ticket for cash; for a Pit Manager and above, who is named in the log."""
    return _printed(await request.house.cashier.issue(request.person, body.amount_cents, key))


@routes.post("/api/cage/tickets/check", PIT_MANAGER)
async def check_ticket(request: Request, body: v.UseTicket) -> v.CheckedTicket:
    """Look a ticket up: its amount, who issued it, and whether it is used; for a Pit Manager and above."""
    return unwrap(await request.house.cashier.check(body.ticket))


@routes.post("/api/cage/tickets/pay", PIT_MANAGER, *MONEY)
async def pay_ticket(request: Request, body: v.UseTicket, key: Key) -> v.CheckedTicket:
    """Pay a ticket in cash, however old it is; for a Pit Manager and above, who is named in the log."""
    unwrap_reply(await request.house.cashier.pay(request.person, body.ticket, key))
    return unwrap(await request.house.cashier.check(body.ticket))


def _ticket(reply: Reply) -> v.Ticket:
    if (ticket := unwrap_reply(reply).ticket) is None:
        raise AssertionError("whoever issues or uses a ticket is answered with it")
    return ticket


def _printed(reply: Reply) -> v.PrintedTicket:
    ticket = _ticket(reply)
    return v.PrintedTicket(**asdict(ticket), code_svg=_code(ticket.ticket))


def _code(number: str) -> str:
    return segno.make_qr(number, error="q").svg_inline(border=2, omitsize=True, light="#fff")


@routes.get("/api/me/statement", PERSON)
async def read_statement(request: Request, before: Place = None, limit: Limit = 100) -> list[v.Movement]:
    """Movements of one's money and debt, newest first, with the credit before and after; older ones by `before`."""
    return await request.house.statement(request.person, before, limit)


@routes.get("/api/me/statement.csv", PERSON, media_type=CSV)
async def export_statement(request: Request) -> AsyncIterator[bytes]:
    """All of it as CSV."""
    save_as(request, "statement.csv")
    pages = request.house.whole_statement(request.person)
    return csv_file(STATEMENT_COLUMNS, (map(asdict, page) async for page in pages))


@routes.get("/api/me/statement/rounds", PERSON)
async def read_statement_by_round(request: Request, before: Place = None, limit: Limit = 50) -> list[v.StatementEntry]:
    """The statement by round, newest first, each with what one won or lost; what moved outside of play between."""
    return await request.house.statement_entries(request.person, before, limit)


@routes.get("/api/me/statement/totals", PERSON)
async def read_totals(
    request: Request, by: By = "day", before: Place = None, limit: Limit = 50
) -> list[v.StatementTotal]:
    """The amounts bought, cashed out and won or lost in each session, or on each gaming day, newest first."""
    return await request.house.statement_totals(request.person, by, before, limit)


@routes.get("/api/me/notices", PERSON)
async def list_notices(request: Request) -> list[v.Notice]:
    """Unread notices about one's money or token, oldest first."""
    return await request.house.notices.unread(request.person)


@routes.post("/api/me/notices/read", PERSON)
async def read_notices(request: Request, body: v.NoticesRead) -> list[v.Notice]:
    """Mark notices as read; those that are left."""
    return await request.house.notices.mark_read(request.person, body.ids)
