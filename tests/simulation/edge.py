"""What a client may ask of a process: the operations of the web edge, without HTTP. All answers are in wire form."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET

from punto.protocol import refusals as r
from punto.protocol import views as v
from punto.protocol.codec import Reader, read_command_by
from punto.protocol.shown import show_refusal
from punto.rules.refusals import Refusal, Refused
from punto.rules.sheet import Role
from punto.service.house import House
from punto.service.people.person import Person
from punto.service.replies import Reply
from punto.store.errors import StoreError
from punto.table.refusals import NotPermitted

Data = dict[str, Any]
_NEW_TABLE: Reader[v.NewTable] = Reader(v.NewTable)
_CREDITS: Reader[v.BuyCredits] = Reader(v.BuyCredits)
_CASH_OUT: Reader[v.CashOut] = Reader(v.CashOut)
_TICKET: Reader[v.UseTicket] = Reader(v.UseTicket)


def _unwrap(answer: Any) -> Any:
    if isinstance(answer, Reply):
        _unwrap(answer.refused)
    if isinstance(answer, Refusal):
        raise Refused(answer)
    return answer


async def authenticate(house: House, token: str | None) -> Person | None:
    """Whose token this is; a Refused for a token of nobody."""
    person = await house.people.authenticate(token) if token is not None else None
    if token is not None and person is None:
        raise Refused(r.TokenUnknown())
    return person


async def serve(house: House, token: str | None, call: str, table: str | None, body: Any, key: str | None) -> Data:
    """Answer a client: what was asked for, or the refusal. An error that is no refusal and no store's is raised."""
    try:
        answer = await _serve(house, token, call, table, body, key)
    except Refused as error:
        return refused(error.refusal)
    except StoreError:
        return refused(r.StoreUnavailable())
    data: Data = msgspec.json.decode(msgspec.json.encode(answer))
    return data


def refused(refusal: Refusal) -> Data:
    """A refusal as it is sent."""
    facts = msgspec.json.decode(msgspec.json.encode(show_refusal(refusal)))
    return {"code": refusal.code, "rule": refusal.rule, "refusal": facts}


async def _serve(house: House, token: str | None, call: str, table: str | None, body: Any, key: str | None) -> Any:
    person = await authenticate(house, token)
    if person is None:
        raise Refused(r.TokenMissing())
    if table is not None and table not in house.registry.hosts:
        raise Refused(r.TableUnknown(table))
    match call:
        case "command":
            command = read_command_by(body, person.actor)
            reply = _unwrap(await house.command(person, table or "", command, key or ""))
            return v.Reply(reply.seq, reply.events, await house.me(table or "", person, reply.seq))
        case "preview":
            return _unwrap(await house.preview(person, table or "", read_command_by(body, person.actor)))
        case "snapshot":
            return house.snapshot(table or "", person)
        case "rounds":
            return {"rounds": await house.history.rounds(table or "", person, None, 3)}
        case "shoe":
            return _unwrap(await house.history.shoe(table or "", body["shoe"], person))
        case "set-up":
            return _unwrap(await house.setup.set_up(person, _NEW_TABLE.read(body)))
        case "me":
            return await _account(house, person)
        case "buy":
            return await _buy(house, person, body, key or "")
        case "cash-out":
            wanted = _CASH_OUT.read(body)
            amount = None if wanted.amount_cents is UNSET else wanted.amount_cents
            return _unwrap(await house.cashier.cash_out(person, amount, key or "")).ticket
        case "take-ticket":
            return _unwrap(await house.cashier.take_in(person, _TICKET.read(body).ticket, key or "")).ticket
        case "issue-ticket":
            return _unwrap(await house.cashier.issue(person, _CREDITS.read(body).amount_cents, key or "")).ticket
        case "pay-ticket":
            return _unwrap(await house.cashier.pay(person, _TICKET.read(body).ticket, key or "")).ticket
        case "admit":
            made, given = _unwrap(await house.people.create(person, body["name"], body["role"]))
            return v.Admitted(made.shown(), given)
        case "dismiss":
            return _unwrap(await house.people.dismiss(person, body["person"])).shown()
    raise AssertionError(call)


async def _buy(house: House, seller: Person, body: Any, key: str) -> v.Account:
    """A Pit Manager sells credits to a patron; a patron helps themselves."""
    patron = seller
    if (name := body.get("person")) is not None:
        if not seller.at_least(Role.PIT_MANAGER):
            raise Refused(NotPermitted(Role.PIT_MANAGER))
        if (found := await house.people.find(name)) is None:
            raise Refused(r.PersonUnknown(name))
        patron = found
    elif not house.settings.free_credit:
        raise Refused(r.CreditsAtDesk())
    cents = _CREDITS.read({"amount_cents": body.get("amount_cents")}).amount_cents
    _unwrap(await house.cashier.buy(patron, cents, key, seller if seller is not patron else None))
    return await _account(house, patron)


async def _account(house: House, person: Person) -> v.Account:
    credit, owed = await house.cashier.credit_and_debt(person) if person.is_patron else (None, None)
    return v.Account(**msgspec.structs.asdict(person.shown()), balance_cents=credit, owed_cents=owed)
