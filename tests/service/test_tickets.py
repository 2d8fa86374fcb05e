"""Tickets: cash becomes a ticket, a ticket credit, credit a ticket, and a ticket cash, each once.

Named by the paragraph of the player terminals, on which credits are bought and winnings cashed out.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from punto.protocol.views import CheckedTicket, Ticket
from punto.service.people.admissions import DAY_MS
from punto.service.people.person import Person
from punto.service.replies import Reply
from punto.store.memory import MemoryStore
from tests.service.rig import SETTINGS, Rig, code, problems, rig


def printed(reply: Reply) -> Ticket:
    assert reply.ticket is not None, reply.refused
    return reply.ticket


async def checked(r: Rig, ticket: str) -> CheckedTicket:
    found = await r.house.cashier.check(ticket)
    assert isinstance(found, CheckedTicket), found
    return found


async def cage_and_patrons(r: Rig) -> tuple[Person, Person, Person]:
    return await r.person("Max", "pit-manager"), await r.person("Ann"), await r.person("Bo")


def retyped(number: str, place: int) -> str:
    """The number with another digit at a place, and check digits that fit it."""
    from punto.service.money.tickets import _with_check

    return _with_check(number[:place] + str((int(number[place]) + 1) % 10) + number[place + 1 : -2])


async def test_non_commission_3_3_cash_to_ticket_to_credit_to_ticket_to_cash() -> None:
    store = MemoryStore(lambda: 0)
    async with rig(SETTINGS, store=store) as r:
        cashier = r.house.cashier
        max_, ann, bo = await cage_and_patrons(r)
        sold = printed(await cashier.issue(max_, 50_000, "sold"))
        assert (sold.amount_cents, sold.patron, len(sold.ticket)) == (50_000, None, 24)
        assert (await cashier.cage()).tickets_cents == 50_000, "what the house owes for it"
        assert code(await cashier.take_in(ann, sold.ticket, "in")) == ""
        assert await cashier.balance(ann) == 50_000
        out = printed(await cashier.cash_out(ann, 20_000, "out"))
        assert (out.amount_cents, out.patron) == (20_000, "ann")
        assert code(await cashier.take_in(bo, out.ticket, "in")) == "", "another terminal takes it"
        last = printed(await cashier.cash_out(ann, None, "all"))
        await r.clock.step()
        assert code(await cashier.pay(max_, last.ticket, "paid")) == ""
        found = await checked(r, last.ticket)
        assert (found.amount_cents, found.by_name, found.used_by_name) == (30_000, "Ann", "Max")
        assert (found.at_ms, found.used_at_ms) == (last.at_ms, r.clock.now_ms())
        cage = await cashier.cage()
        assert (cage.tickets, cage.tickets_cents) == (0, 0)
        assert [used for _, used in await cashier.tickets(ann, 20)] == [True, True]
        assert (await r.house.store.balances(["cash-desk"]))["cash-desk"] == -20_000, "what Bo holds"
    assert await problems(store, r.house.key) == []


async def test_non_commission_3_3_a_ticket_is_used_once_and_a_repeat_is_answered() -> None:
    async with rig(SETTINGS) as r:
        cashier = r.house.cashier
        max_, ann, bo = await cage_and_patrons(r)
        ticket = printed(await cashier.issue(max_, 5_000, "k")).ticket
        assert printed(await cashier.issue(max_, 5_000, "k")).ticket == ticket
        assert code(await cashier.issue(max_, 6_000, "k")) == "key-reused"
        took = await asyncio.gather(
            *[cashier.take_in(who, ticket, f"k{number}") for number in range(20) for who in (ann, bo)],
            cashier.pay(max_, ticket, "paid"),
        )
        assert sorted({code(each) for each in took}) == ["", "ticket-used"]
        assert [code(each) for each in took].count("") == 1
        [first] = [number for number, each in enumerate(took) if not code(each)]
        again = await (
            cashier.take_in((ann, bo)[first % 2], ticket, f"k{first // 2}")
            if first < 40
            else cashier.pay(max_, ticket, "paid")
        )
        assert again.ticket == took[first].ticket
        assert await cashier.balance(ann) + await cashier.balance(bo) == (5_000 if first < 40 else 0)
        assert (await checked(r, ticket)).refusal is not None


@pytest.mark.parametrize(
    ("place", "refused"), [(0, "ticket-foreign"), (6, "ticket-forged"), (15, "ticket-forged"), (20, "ticket-forged")]
)
async def test_non_commission_3_3_a_forged_ticket_and_another_houses_are_refused_by_name(
    place: int, refused: str
) -> None:
    async with rig(SETTINGS) as r:
        max_, ann, _ = await cage_and_patrons(r)
        ticket = printed(await r.house.cashier.issue(max_, 5_000, "k")).ticket
        for wrong, name in (
            (retyped(ticket, place), refused),
            (ticket[:place] + str((int(ticket[place]) + 1) % 10) + ticket[place + 1 :], "ticket-mistyped"),
        ):
            assert code(await r.house.cashier.take_in(ann, wrong, r.key())) == name
            assert code(await r.house.cashier.pay(max_, wrong, r.key())) == name
            assert code(await r.house.cashier.check(wrong)) == name
        assert code(await r.house.cashier.take_in(ann, ticket, r.key())) == ""


async def test_non_commission_3_3_a_number_of_the_house_that_was_never_issued_is_refused() -> None:
    async with rig(SETTINGS) as r:
        max_, ann, _ = await cage_and_patrons(r)
        number = r.house.cashier._numbers.number("nobody asked for it")
        assert code(await r.house.cashier.take_in(ann, number, "k")) == "ticket-unknown"
        assert code(await r.house.cashier.pay(max_, number, "k")) == "ticket-unknown"


async def test_non_commission_3_3_an_old_ticket_is_paid_at_the_cage() -> None:
    async with rig(replace(SETTINGS, ticket_days=2)) as r:
        cashier = r.house.cashier
        max_, ann, _ = await cage_and_patrons(r)
        kept, late = [printed(await cashier.issue(max_, 5_000, key)).ticket for key in ("a", "b")]
        r.clock.jump(2 * DAY_MS)
        assert code(await cashier.take_in(ann, kept, "in")) == ""
        r.clock.jump(1)
        assert code(await cashier.take_in(ann, late, "in-2")) == "ticket-old"
        r.clock.jump(3_000 * DAY_MS)
        assert code(await cashier.pay(max_, late, "paid")) == ""


async def test_non_commission_3_3_only_patrons_take_tickets_in_and_only_the_cage_sells_and_pays() -> None:
    async with rig(SETTINGS) as r:
        cashier = r.house.cashier
        max_, ann, _ = await cage_and_patrons(r)
        dan, sup = await r.person("Dan", "dealer"), await r.person("Sup", "pit-supervisor")
        ticket = printed(await cashier.issue(max_, 5_000, "k")).ticket
        for who in (ann, dan, sup):
            assert code(await cashier.issue(who, 5_000, r.key())) == "not-permitted"
            assert code(await cashier.pay(who, ticket, r.key())) == "not-permitted"
        assert code(await cashier.take_in(max_, ticket, r.key())) == "not-permitted"


async def test_a_large_ticket_is_sold_by_two() -> None:
    async with rig(SETTINGS, sold_alone_cents=10_000) as r:
        max_, sue = await r.person("Max", "pit-manager"), await r.person("Sue", "shift-manager")
        issue = r.house.cashier.issue
        assert code(await issue(max_, 10_000, "alone")) == ""
        assert code(await issue(max_, 10_001, "large")) == "second-person-asked"
        assert printed(await issue(sue, 10_001, "yes")).amount_cents == 10_001
        assert code(await issue(sue, 10_001, "more")) == "second-person-asked", "a request counts once"
        assert code(await issue(max_, r.house.settings.most_bought_cents + 1, "most")) == "credit-limit"


async def test_what_a_patron_may_hold_stays_on_the_ticket() -> None:
    async with rig(SETTINGS, most_held_cents=8_000) as r:
        max_, ann, _ = await cage_and_patrons(r)
        first, second = [printed(await r.house.cashier.issue(max_, 5_000, key)).ticket for key in ("a", "b")]
        assert code(await r.house.cashier.take_in(ann, first, "a")) == ""
        assert code(await r.house.cashier.take_in(ann, second, "b")) == "credit-limit"
        assert code(await r.house.cashier.pay(max_, second, "c")) == ""
