"""The cashier: credits bought and cashed out, and what each patron holds.

A movement is one record of the house's log with its transfer and its reply, so a repeated key finds all three or none.
"""

from __future__ import annotations

import json
from typing import Any

from punto.ledger import moves
from punto.ledger.accounts import patron_account
from punto.ledger.transfers import Transfer
from punto.rules.money import MAX_CENTS, money
from punto.rules.refusals import Refusal
from punto.service.audit.house_log import HouseLog
from punto.service.clock import Clock
from punto.service.cluster.cluster_link import ClusterLink
from punto.service.money.known_balances import KnownBalances
from punto.service.people.person import Person
from punto.service.refusals import HouseCode
from punto.service.replies import KEY_REUSED, Reply, canonical, hash_body, reference, refuse, refuse_key, short_of
from punto.service.settings import HouseSettings
from punto.service.supervisor import Supervisor
from punto.service.tables.registry import TableRegistry
from punto.store import errors
from punto.store.interface import Store
from punto.store.records import NewReply


class Cashier:
    """Moves patrons' money in and out of the house."""

    def __init__(
        self,
        store: Store,
        log: HouseLog,
        balances: KnownBalances,
        tables: TableRegistry,
        link: ClusterLink,
        clock: Clock,
        supervisor: Supervisor,
        settings: HouseSettings,
    ) -> None:
        self._store, self._log, self._balances, self._tables = store, log, balances, tables
        self._link, self._clock, self._supervisor, self._settings = link, clock, supervisor, settings

    async def buy(self, by: Person, cents: int, key: str) -> Reply:
        """Buy credits."""
        body = {"buy": cents}
        if (answered := await self._answered(by, cents, key, body)) is not None:
            return answered
        if refusal := self._settings.refuse_bought(cents):
            return Reply(refused=refusal)
        ticket = reference("buy", by.id, key)
        data = {"patron": by.id, "cents": cents}
        most = patron_account(by.id), self._settings.most_held_cents
        return await self._move(by, "credits-bought", data, moves.buy(by.id, cents, ticket), key, body, most)

    async def cash_out(self, by: Person, cents: int | None, key: str) -> Reply:
        """Cash out an amount, or all: the reply's data is the ticket."""
        body = {"cash_out": cents}
        if (answered := await self._answered(by, 1 if cents is None else cents, key, body)) is not None:
            return answered
        cents_out = await self.balance(by) if cents is None else cents
        if cents_out == 0:
            return refuse(HouseCode.FUNDS_SHORT, "there is no credit to cash out")
        ticket = reference("cash-out", by.id, key)
        data = {"patron": by.id, "cents": cents_out, "ticket": ticket, "at": self._clock.now_ms()}
        return await self._move(by, "cashed-out", data, moves.cash_out(by.id, cents_out, ticket), key, body)

    async def _answered(self, by: Person, cents: int, key: str, body: dict[str, Any]) -> Reply | None:
        """The answer to what cannot be done, or was done before under this key."""
        if refusal := _refuse(by, cents, key):
            return Reply(refused=refusal)
        whole = f"{by.id}:{key}"
        try:
            stored = (await self._store.replies([whole])).get(whole)
        except errors.UnavailableError:
            return refuse(HouseCode.STORE_UNAVAILABLE, HouseCode.STORE_UNAVAILABLE.meaning)
        if stored is None:
            return None
        if stored.body_hash != hash_body(body):
            return Reply(refused=KEY_REUSED)
        return Reply(stored.seq, data=json.loads(stored.text))

    async def _move(
        self,
        by: Person,
        kind: str,
        data: dict[str, Any],
        move: moves.Move,
        key: str,
        body: dict[str, Any],
        ceiling: tuple[str, int] | None = None,
    ) -> Reply:
        reply = NewReply(f"{by.id}:{key}", hash_body(body), canonical(data))
        try:
            balances = await self._log.write(kind, data, transfers=[Transfer.of(move)], reply=reply, ceiling=ceiling)
        except errors.CeilingPassedError as error:
            return refuse(HouseCode.CREDIT_LIMIT, f"with this the credit would be more than {money(error.most_cents)}")
        except errors.InsufficientFundsError as error:
            return Reply(refused=short_of(error.short_cents))
        except errors.KeyTakenError as error:
            return Reply(error.stored.seq, data=json.loads(error.stored.text))
        except errors.KeyReusedError:
            return Reply(refused=KEY_REUSED)
        except (errors.DiskFullError, errors.UnavailableError) as error:
            return refuse(HouseCode.STORE_UNAVAILABLE, error.message)
        except errors.BrokenStoreError as error:
            self._supervisor.fail(error)
            return refuse(HouseCode.STORE_UNAVAILABLE, "the house is stopping")
        self._balances.learn(balances)
        self._link.publish("house", {"balances": balances})
        self._tables.show_own(by.id)
        return Reply(data=data)

    async def balance(self, person: Person) -> int:
        """A patron's credit, from the store."""
        account = patron_account(person.id)
        return (await self._store.balances([account]))[account]


def _refuse(by: Person, cents: object, key: object) -> Refusal | None:
    if refusal := refuse_key(key):
        return refusal
    if not by.is_patron:
        return Refusal(HouseCode.NOT_PERMITTED, "only patrons have credit")
    if type(cents) is not int or not 0 < cents < MAX_CENTS:
        return Refusal(HouseCode.AMOUNT_INVALID, f"{str(cents)[:40]} is not an amount in whole cents above zero")
    return None
