"""The cashier: credits bought and cashed out, and what each patron holds.

What a patron owes is taken first from what the patron buys. Nothing is cashed out while something is still owed: the
store looks at the debt in the transaction that cashes out, so a correction comes before it or after it, never between.
A movement is one record of the house's log with its transfer and its reply, so a repeated key finds all three or none.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import msgspec
from msgspec import Struct

from punto.ledger.accounts import owed_account, patron_account
from punto.ledger.house_moves import CASHED_OUT, CREDITS_BOUGHT
from punto.protocol.refusals import (
    AccountStopped,
    AmountInvalid,
    CreditLimit,
    DebtOpen,
    FundsShort,
    KeyReused,
    SecondPersonAsked,
    StoreUnavailable,
)
from punto.protocol.views import Ticket
from punto.rules.money import MAX_CENTS, Cents
from punto.rules.sheet import Role
from punto.service.audit.house_log import LARGE_SALE, SALE_ASKED, HouseLog
from punto.service.clock import Clock
from punto.service.cluster.cluster_link import ClusterLink, HouseNews
from punto.service.money.debts import DebtCollector
from punto.service.people.admissions import DAY_MS, People
from punto.service.people.person import Person
from punto.service.replies import Reply, canonical, hash_body, reference, refuse_key
from punto.service.settings import HouseSettings
from punto.service.streams import PAGE
from punto.service.tables.registry import TableRegistry
from punto.store import errors
from punto.store.interface import Store
from punto.store.records import NewRecord, NewReply, StoredReply, Unit
from punto.table.actor import PATRON_ROLE
from punto.table.refusals import NotPermitted

_OUT, _USED = "cash-out", ":used"
MOST_SALES_A_DAY = 50
"""The most sales of one amount to one patron that one member of staff asks for in a day."""
MOST_TICKETS = 100
"""The most tickets that are given at once."""


@dataclass(eq=False, repr=False)
class Cashier:
    """Moves patrons' money in and out of the house."""

    _store: Store
    _log: HouseLog
    _balances: dict[str, int]
    _tables: TableRegistry
    _link: ClusterLink
    _debts: DebtCollector
    _people: People
    _clock: Clock
    _settings: HouseSettings

    async def buy(self, by: Person, cents: int, key: str, seller: Person | None = None) -> Reply:
        """Buy credits, from someone of the staff or, in a demonstration, from nobody."""
        request = _Request(by, key, hash_body({"buy": cents}), seller)
        if (answered := await self._answered(request, cents)) is not None:
            return answered
        if refusal := self._settings.refuse_bought(cents):
            return Reply(refused=refusal)
        approval = None
        if seller is not None and cents > self._settings.sold_alone_cents:
            try:
                approval = await self._approval(seller, by, cents)
            except (errors.DiskFullError, errors.UnavailableError):
                return Reply(refused=StoreUnavailable())
            if approval is None:
                return Reply(refused=SecondPersonAsked())
        most = patron_account(by.id), self._settings.most_held_cents
        bought = reference("buy", by.id, request.own_key)
        moved = _Moved(by.id, cents, bought, self._clock.now_ms(), seller=seller.actor.text if seller else "")
        reply = await self._move(request, CREDITS_BOUGHT, moved, most, approval=approval)
        if reply.refused is None:
            with contextlib.suppress(errors.DiskFullError, errors.UnavailableError):
                await self._debts.collect(by.id)
        return reply

    async def _approval(self, seller: Person, patron: Person, cents: int) -> Unit | None:
        """The record that a large sale takes two, once per request of another; without one, this is a request itself.

        A request counts on its day and the next. Errors are the store's.
        """
        others = [each for each in self._people.all() if each.id != seller.id and each.at_least(Role.PIT_MANAGER)]
        today, told = self._clock.now_ms() // DAY_MS, {"patron": patron.id, "amount_cents": cents}
        for number in range(MOST_SALES_A_DAY):
            keys = {_sale(told, today - ago, other, number): other for other in others for ago in (0, 1)}
            own = _sale(told, today, seller, number)
            found = await self._store.replies([key + used for key in [*keys, own] for used in ("", _USED)])
            for key, other in keys.items():
                if key in found and key + _USED not in found:
                    payload = canonical(told | {"by": seller.id, "asked_by": other.id})
                    return Unit((NewRecord(LARGE_SALE, payload),), NewReply(key + _USED, hash_body(told), "{}"))
            if own not in found:
                with contextlib.suppress(errors.KeyTakenError):
                    reply = NewReply(own, hash_body(told), "{}")
                    await self._log.write(SALE_ASKED, told | {"by": seller.id}, reply=reply)
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
        if (answered := await self._answered(request, 1 if cents is None else cents)) is not None:
            return answered
        try:
            owed_cents = await self._debts.collect(by.id)
        except (errors.DiskFullError, errors.UnavailableError, errors.BrokenStoreError):
            return Reply(refused=StoreUnavailable())
        if owed_cents:
            return Reply(refused=DebtOpen(Cents(owed_cents)))
        cents = await self.balance(by) if cents is None else cents
        if cents == 0:
            return Reply(refused=FundsShort(Cents(0)))
        ticket = reference(_OUT, by.id, request.own_key)
        moved = _Moved(by.id, cents, ticket, self._clock.now_ms())
        return await self._move(request, CASHED_OUT, moved, empty=owed_account(by.id))

    async def _answered(self, request: _Request, cents: int) -> Reply | None:
        """The answer to what cannot be done, or was done before under this key."""
        if refusal := refuse_key(request.key):
            return Reply(refused=refusal)
        if not request.by.is_patron:
            return Reply(refused=NotPermitted(PATRON_ROLE))
        if type(cents) is not int or not 0 < cents < MAX_CENTS:
            return Reply(refused=AmountInvalid())
        try:
            stored = (await self._store.replies([request.whole_key])).get(request.whole_key)
        except errors.UnavailableError:
            return Reply(refused=StoreUnavailable())
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
            balances = await self._log.write(kind, moved, reply=reply, ceiling=ceiling, empty=empty, before=before)
        except errors.CeilingPassedError as error:
            return Reply(refused=CreditLimit(Cents(error.maximum_cents)))
        except errors.InsufficientFundsError as error:
            return Reply(refused=FundsShort(Cents(error.short_cents)))
        except errors.AccountStoppedError:
            return Reply(refused=AccountStopped())
        except (errors.KeyTakenError, errors.KeyReusedError) as error:
            if approval and error.unit == 0:
                return Reply(refused=SecondPersonAsked())  # the same request was used at the same moment
            return (
                _reply_stored(error.stored) if isinstance(error, errors.KeyTakenError) else Reply(refused=KeyReused())
            )
        except (errors.DiskFullError, errors.UnavailableError, errors.BrokenStoreError):
            return Reply(refused=StoreUnavailable())
        self._balances.update(balances)
        self._link.publish("house", HouseNews(balances))
        self._tables.show_own(request.by.id)
        return Reply(ticket=moved.shown())

    async def tickets(self, person: Person, limit: int) -> list[Ticket]:
        """A patron's tickets, newest first: the records of the cash-outs are their one source."""
        found: list[Ticket] = []
        before = None
        while lines := await self._store.statement(patron_account(person.id), before, PAGE):
            cashed = [line.record.payload for line in lines if line.record.kind == CASHED_OUT]
            moved = [msgspec.json.decode(payload, type=_Moved) for payload in cashed]
            found += [ticket for each in moved if (ticket := each.shown()) is not None]
            if len(found) >= min(limit, MOST_TICKETS):
                break
            before = lines[-1].place
        return found[: min(limit, MOST_TICKETS)]

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
    return f"/sale:{told['patron']}:{told['amount_cents']}:{day}:{asker.id}:{number}"


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
    """A movement as the house's log has it; the reference of a cash-out is the number of its ticket."""

    patron: str
    cents: int
    reference: str
    at: int
    seller: str = ""

    def shown(self) -> Ticket | None:
        cashed_out = self.reference.startswith(f"{_OUT}/")
        return Ticket(self.reference, self.cents, self.at, self.patron) if cashed_out else None


def _reply_stored(stored: StoredReply) -> Reply:
    return Reply(stored.seq, ticket=msgspec.json.decode(stored.text, type=_Moved).shown())
