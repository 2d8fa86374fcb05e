"""The cashier: credits bought and cashed out, and what each patron holds.

A movement is one record of the desk with its transfer and its reply, so a repeated key finds all three or none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from punto.ledger import moves
from punto.ledger.accounts import patron_account
from punto.ledger.transfers import Transfer
from punto.rules.money import MAX_CENTS, money
from punto.rules.refusals import Refusal
from punto.service.people.person import Person
from punto.service.refusals import HouseCode
from punto.service.replies import KEY_REUSED, Reply, canonical, hash_body, reference, refuse, refuse_key, short_of
from punto.store import errors
from punto.store.records import NewReply

if TYPE_CHECKING:
    from punto.service.house import House


class Cashier:
    """Moves patrons' money in and out of the house."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._known: dict[str, int] = {}

    async def buy(self, by: Person, cents: int, key: str) -> Reply:
        """Buy credits."""
        body = {"buy": cents}
        if (answered := await self._answered(by, cents, key, body)) is not None:
            return answered
        if refusal := self._house.settings.refuse_bought(cents):
            return Reply(refused=refusal)
        ticket = reference("buy", by.id, key)
        data = {"patron": by.id, "cents": cents}
        most = patron_account(by.id), self._house.settings.most_held_cents
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
        data = {"patron": by.id, "cents": cents_out, "ticket": ticket, "at": self._house.clock.now_ms()}
        return await self._move(by, "cashed-out", data, moves.cash_out(by.id, cents_out, ticket), key, body)

    async def _answered(self, by: Person, cents: int, key: str, body: dict[str, Any]) -> Reply | None:
        """The answer to what cannot be done, or was done before under this key."""
        if refusal := _refuse(by, cents, key):
            return Reply(refused=refusal)
        whole = f"{by.id}:{key}"
        try:
            stored = (await self._house.store.replies([whole])).get(whole)
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
        house = self._house
        stored = NewReply(f"{by.id}:{key}", hash_body(body), canonical(data))
        try:
            balances = await house.desk.write(kind, data, transfers=[Transfer.of(move)], reply=stored, ceiling=ceiling)
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
            house.fail(error)
            return refuse(HouseCode.STORE_UNAVAILABLE, "the house is stopping")
        self.learn(balances)
        house.wire.tell("house", {"balances": balances})
        for host in house.hosts.values():
            host.tell_me(by.id)
        return Reply(data=data)

    async def balance(self, person: Person) -> int:
        """A patron's credit, from the store."""
        account = patron_account(person.id)
        return (await self._house.store.balances([account]))[account]

    def known(self, account: str) -> int:
        """What an account held when this process last heard of it: for showing; the store has the last word."""
        return self._known.get(account, 0)

    def learn(self, balances: Mapping[str, int]) -> None:
        """Balances as a commit left them."""
        self._known.update(balances)


def _refuse(by: Person, cents: object, key: object) -> Refusal | None:
    if refusal := refuse_key(key):
        return refusal
    if not by.is_patron:
        return Refusal(HouseCode.NOT_PERMITTED, "only patrons have credit")
    if type(cents) is not int or not 0 < cents < MAX_CENTS:
        return Refusal(HouseCode.AMOUNT_INVALID, f"{str(cents)[:40]} is not an amount in whole cents above zero")
    return None
