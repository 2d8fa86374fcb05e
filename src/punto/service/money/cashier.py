"""The cashier: credits and tickets, bought, turned into each other and paid, and what each patron holds.

A ticket is an account of its own, which whatever issues it fills and whatever uses it empties. So the ledger itself
refuses a second use, and what all tickets hold is what the house owes for them.

What a patron owes is taken first from what the patron buys. Nothing is cashed out while something is still owed: the
store looks at the debt in the transaction that cashes out, so a correction comes before it or after it, never between.
A movement is one record of the house's log with its transfer and its reply, so a repeated key finds all three or none.
Errors are the store's: whoever asks is refused by the edge.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import msgspec
from msgspec import Struct

from punto.ledger.accounts import is_ticket, owed_account, patron_account, ticket_account
from punto.ledger.house_moves import CASHED_OUT, CREDITS_BOUGHT, TICKET_ISSUED, TICKET_PAID, TICKET_TAKEN
from punto.protocol.refusals import (
    AccountStopped,
    AmountInvalid,
    CreditLimit,
    DebtOpen,
    FundsShort,
    KeyReused,
    SecondPersonAsked,
    TicketOld,
    TicketUnknown,
    TicketUsed,
)
from punto.protocol.shown import show_refusal
from punto.protocol.views import Cage, CheckedTicket, Ticket
from punto.rules.money import MAX_CENTS, Cents
from punto.rules.refusals import Refusal
from punto.rules.sheet import Role
from punto.service.audit.house_log import LARGE_SALE, SALE_ASKED, HouseLog
from punto.service.money.debts import DebtCollector
from punto.service.money.tickets import TicketNumbers
from punto.service.part import Part
from punto.service.people.admissions import DAY_MS, People
from punto.service.people.person import Person
from punto.service.replies import Reply, canonical, hash_body, reference, refuse_key
from punto.service.streams import PAGE
from punto.service.viewing.floor import debts_in
from punto.store import errors
from punto.store.records import NewRecord, NewReply, StoredReply, Unit
from punto.table.actor import PATRON_ROLE
from punto.table.refusals import NotPermitted

_USED = ":used"
MOST_SALES_A_DAY = 50
"""The most sales of one amount to one patron that one member of staff asks for in a day."""
MOST_TICKETS = 100
"""The most tickets of a patron that are listed at once."""


@dataclass(eq=False, repr=False)
class Cashier(Part):
    """Moves patrons' money in and out of the house."""

    _log: HouseLog
    _people: People
    _debts: DebtCollector
    _numbers: TicketNumbers

    async def buy(self, by: Person, cents: int, key: str, seller: Person | None = None) -> Reply:
        """Buy credits, from someone of the staff or, in a demonstration, from nobody."""
        request = _Request(by, key, hash_body({"buy": cents}), seller)
        if (answered := await self._answered(request, _refuse_patron(by, cents))) is not None:
            return answered
        bought = reference("buy", by.id, request.own_key)
        moved = _Moved(bought, cents, self._clock.now_ms(), by.id, seller.actor.text if seller else "")
        reply = await self._sell(request, CREDITS_BOUGHT, moved, seller, by)
        await self._collect_after(reply, by)
        return reply

    async def issue(self, by: Person, cents: int, key: str) -> Reply:
        """Sell a ticket for cash at the cage."""
        request = _Request(by, key, hash_body({"issue": cents}))
        if (answered := await self._answered(request, _refuse_cage(by) or _refuse_amount(cents))) is not None:
            return answered
        moved = _Moved(await self._new_ticket(request), cents, self._clock.now_ms(), by=by.actor.text)
        return await self._sell(request, TICKET_ISSUED, moved, by)

    async def take_in(self, by: Person, ticket: str, key: str) -> Reply:
        """Turn a ticket into credits at a terminal."""
        reply = await self._use(_Request(by, key, hash_body({"ticket": ticket})), TICKET_TAKEN, ticket)
        await self._collect_after(reply, by)
        return reply

    async def pay(self, by: Person, ticket: str, key: str) -> Reply:
        """Pay a ticket in cash at the cage, however old it is."""
        return await self._use(_Request(by, key, hash_body({"pay": ticket})), TICKET_PAID, ticket)

    async def _use(self, request: _Request, kind: str, ticket: str) -> Reply:
        by, at_cage = request.by, kind == TICKET_PAID
        refusal = (_refuse_cage(by) if at_cage else _refuse_patron(by)) or self._numbers.refuse(ticket)
        if (answered := await self._answered(request, refusal)) is not None:
            return answered
        issued, used = await self._history(ticket)
        if issued is None:
            return Reply(refused=TicketUnknown())
        if used is not None:
            return Reply(refused=TicketUsed())
        now = self._clock.now_ms()
        if not at_cage and now - issued.at > self._settings.ticket_days * DAY_MS:
            return Reply(refused=TicketOld(self._settings.ticket_days))
        moved = _Moved(ticket, issued.cents, now, by=by.actor.text if at_cage else "")
        if at_cage:
            return await self._move(request, kind, moved)
        return await self._move(request, kind, msgspec.structs.replace(moved, patron=by.id), self._ceiling(by))

    async def _history(self, ticket: str) -> tuple[_Moved | None, _Moved | None]:
        """The issue and the use of a ticket, by the log."""
        lines = await self._store.statement(ticket_account(ticket), limit=2)
        told = [msgspec.json.decode(line.record.payload, type=_Moved) for line in lines[::-1]]
        issued, used, *_ = *told, None, None
        return issued, used

    async def _new_ticket(self, request: _Request) -> str:
        """A number that no ticket has had."""
        for attempt in itertools.count():
            number = self._numbers.number(f"{attempt} {request.whole_key}")
            if not await self._store.statement(ticket_account(number), limit=1):
                break
        return number

    async def _sell(
        self, request: _Request, kind: str, moved: _Moved, seller: Person | None, patron: Person | None = None
    ) -> Reply:
        """Sell credits to a patron, or a ticket to whoever pays; a large sale takes two who sell."""
        if moved.cents > self._settings.most_bought_cents:
            return Reply(refused=CreditLimit(Cents(self._settings.most_bought_cents)))
        approval = None
        if seller is not None and moved.cents > self._settings.sold_alone_cents:
            approval = await self._approval(seller, patron, moved.cents)
            if approval is None:
                return Reply(refused=SecondPersonAsked())
        return await self._move(request, kind, moved, self._ceiling(patron) if patron else None, approval=approval)

    def _ceiling(self, patron: Person) -> tuple[str, int]:
        return patron_account(patron.id), self._settings.most_held_cents

    async def _collect_after(self, reply: Reply, patron: Person) -> None:
        """Take what a patron owes from what they bought."""
        if reply.refused is None:
            with contextlib.suppress(errors.DiskFullError, errors.UnavailableError):
                await self._debts.collect(patron.id)

    async def _approval(self, seller: Person, patron: Person | None, cents: int) -> Unit | None:
        """The record that a large sale takes two, once per request of another; without one, this is a request itself.

        A request counts on its day and the next.
        """
        others = [each for each in self._people.all() if each.id != seller.id and each.at_least(Role.PIT_MANAGER)]
        today = self._clock.now_ms() // DAY_MS
        told: dict[str, object] = {"amount_cents": cents}
        told |= {"patron": patron.id} if patron else {}
        for number in range(MOST_SALES_A_DAY):
            keys = {_sale(told, today - ago, other, number): other for other in others for ago in (0, 1)}
            own = _sale(told, today, seller, number)
            found = await self._store.replies([key + used for key in [*keys, own] for used in ("", _USED)])
            for key, other in keys.items():
                if key in found and key + _USED not in found:
                    payload = canonical(told | {"by": seller.id, "asked_by": other.id})
                    return Unit((NewRecord(LARGE_SALE, payload),), NewReply(key + _USED, hash_body(told), "{}"))
            if own not in found:
                await self._log.write_once(SALE_ASKED, told | {"by": seller.id}, own, hash_body(told))
                return None
            if own + _USED not in found:
                return None
        return None

    async def cash_out(self, by: Person, cents: int | None, key: str) -> Reply:
        """Cash out an amount, or all, against a ticket."""
        request = _Request(by, key, hash_body({"cash_out": cents}))
        while True:
            try:
                return await self._cash_out(request, cents)
            except errors.AccountNotEmptyError:
                pass  # a correction made a debt since it was looked at: collect that, too, and look again

    async def _cash_out(self, request: _Request, cents: int | None) -> Reply:
        by = request.by
        if (answered := await self._answered(request, _refuse_patron(by, 1 if cents is None else cents))) is not None:
            return answered
        if owed_cents := await self._debts.collect(by.id):
            return Reply(refused=DebtOpen(Cents(owed_cents)))
        cents = await self.balance(by) if cents is None else cents
        if cents == 0:
            return Reply(refused=FundsShort(Cents(0)))
        moved = _Moved(await self._new_ticket(request), cents, self._clock.now_ms(), by.id)
        return await self._move(request, CASHED_OUT, moved, empty=owed_account(by.id))

    async def _answered(self, request: _Request, refusal: Refusal | None) -> Reply | None:
        """The answer to what cannot be done, or was done before under this key."""
        if refusal := refuse_key(request.key) or refusal:
            return Reply(refused=refusal)
        stored = (await self._store.replies([request.whole_key])).get(request.whole_key)
        if stored is None:
            return None
        return _reply_stored(stored) if stored.body_hash == request.body_hash else Reply(refused=KeyReused())

    async def _move(
        self,
        request: _Request,
        kind: str,
        moved: _Moved,
        ceiling: tuple[str, int] | None = None,
        empty: str | None = None,
        approval: Unit | None = None,
    ) -> Reply:
        """Write a movement. Raises AccountNotEmptyError if the account that must be empty is not."""
        reply = NewReply(request.whole_key, request.body_hash, canonical(moved))
        try:
            before = (approval,) if approval else ()
            await self._log.write(kind, moved, reply=reply, ceiling=ceiling, empty=empty, before=before)
        except errors.CeilingPassedError as error:
            return Reply(refused=CreditLimit(Cents(error.maximum_cents)))
        except errors.InsufficientFundsError as error:
            # Another has used the ticket since it was looked at.
            return Reply(refused=TicketUsed() if is_ticket(error.account) else FundsShort(Cents(error.short_cents)))
        except errors.AccountStoppedError:
            return Reply(refused=AccountStopped())
        except (errors.KeyTakenError, errors.KeyReusedError) as error:
            if approval and error.unit == 0:
                return Reply(refused=SecondPersonAsked())  # the same request was used at the same moment
            if isinstance(error, errors.KeyReusedError):
                return Reply(refused=KeyReused())
            return _reply_stored(error.stored)
        return moved.reply()

    async def tickets(self, person: Person, limit: int) -> list[tuple[Ticket, bool]]:
        """The tickets that a patron printed, newest first, and whether each is used."""
        found: list[Ticket] = []
        before, most = None, min(limit, MOST_TICKETS)
        while lines := await self._store.statement(patron_account(person.id), before, PAGE):
            cashed = [line.record.payload for line in lines if line.record.kind == CASHED_OUT]
            found += [msgspec.json.decode(payload, type=_Moved).shown() for payload in cashed]
            if len(found) >= most:
                break
            before = lines[-1].place
        held = await self._store.balances([ticket_account(each.ticket) for each in found[:most]])
        return [(each, not held[ticket_account(each.ticket)]) for each in found[:most]]

    async def check(self, ticket: str) -> CheckedTicket | Refusal:
        """A ticket by the log, for the cage."""
        if refusal := self._numbers.refuse(ticket):
            return refusal
        issued, used = await self._history(ticket)
        if issued is None:
            return TicketUnknown()
        return CheckedTicket(
            **msgspec.structs.asdict(issued.shown()),
            by_name=self._people.name_of(issued.person),
            used_at_ms=used.at if used else None,
            used_by_name=self._people.name_of(used.person) if used else None,
            refusal=show_refusal(TicketUsed()) if used else None,
        )

    async def cage(self) -> Cage:
        """The tickets that are not used yet, and what patrons owe."""
        held = await self._store.balances()
        tickets = [cents for account, cents in held.items() if cents and is_ticket(account)]
        debts = debts_in(held, self._people.name_of)
        owed_cents = sum([debt.owed_cents for debt in debts])
        bounds = self._settings.most_bought_cents, self._settings.sold_alone_cents
        return Cage(len(tickets), sum(tickets), owed_cents, debts, *bounds)

    async def balance(self, person: Person) -> int:
        """A patron's credit, from the store."""
        return (await self.credit_and_debt(person))[0]

    async def credit_and_debt(self, person: Person) -> tuple[int, int]:
        """A patron's credit and debt, from the store. This process knows them from then on."""
        credit, owed = patron_account(person.id), owed_account(person.id)
        held = await self._store.balances([credit, owed])
        self._balances.update(held)
        return held[credit], -held[owed]


def _sale(told: Mapping[str, object], day: int, asker: Person, number: int) -> str:
    """The key of a request for a sale that takes two; no id of a person begins like it."""
    return f"/sale:{told.get('patron', '')}:{told['amount_cents']}:{day}:{asker.id}:{number}"


class _Request(NamedTuple):
    by: Person
    key: str
    body_hash: str
    seller: Person | None = None

    @property
    def own_key(self) -> str:
        """The key among those of the patron: each seller has keys of their own."""
        return f"{self.seller.id}/{self.key}" if self.seller else self.key

    @property
    def whole_key(self) -> str:
        return f"{self.by.id}:{self.own_key}"


class _Moved(Struct, omit_defaults=True):
    """A movement as the house's log has it: `by` is who of the staff sold or paid.

    The reference of what issues or uses a ticket is its number.
    """

    reference: str
    cents: int
    at: int
    patron: str | None = None
    by: str = ""

    @property
    def person(self) -> str:
        """The employee who did it, or the patron."""
        return self.by.partition(":")[2] or self.patron or ""

    def shown(self) -> Ticket:
        """The ticket that it issued or used."""
        return Ticket(self.reference, self.cents, self.at, self.patron)

    def reply(self, seq: int = 0) -> Reply:
        """The answer to the request that it carried out."""
        return Reply(seq, ticket=self.shown() if self.reference.isdecimal() else None)


def _refuse_patron(by: Person, cents: int = 1) -> Refusal | None:
    return _refuse_amount(cents) if by.is_patron else NotPermitted(PATRON_ROLE)


def _refuse_cage(by: Person) -> Refusal | None:
    return None if by.at_least(Role.PIT_MANAGER) else NotPermitted(Role.PIT_MANAGER)


def _refuse_amount(cents: int) -> Refusal | None:
    return None if type(cents) is int and 0 < cents < MAX_CENTS else AmountInvalid()


def _reply_stored(stored: StoredReply) -> Reply:
    return msgspec.json.decode(stored.text, type=_Moved).reply(stored.seq)
