"""Debts: what corrections leave patrons owing to the House, taken first from their later credits.

A table's log says who owes, and a record of the house's own log takes it. The two are separate commits: if the house
stops between them, the next start, credit or cash-out collects. What can be collected follows from the balances alone,
and the key of each record names the last postings that it rests on, so that nothing is collected twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from punto.ledger import moves
from punto.ledger.accounts import owed_account, owner_of, patron_account
from punto.ledger.house_moves import DEBT_COLLECTED
from punto.protocol.views import Debt
from punto.service.audit.house_log import HouseLog
from punto.service.audit.observer import Observer
from punto.service.part import Part
from punto.service.people.person import Names
from punto.service.replies import canonical, hash_body
from punto.service.viewing.floor import debts_in
from punto.store import errors
from punto.store.records import NewReply


@dataclass(eq=False, repr=False)
class DebtCollector(Part, Observer):
    """Collects what patrons owe, and says who owes what."""

    _log: HouseLog
    _names: Names
    _one_at_a_time: asyncio.Lock = field(default_factory=asyncio.Lock)

    def table_moved(self, balances: Mapping[str, int]) -> None:
        """Collect beside everything else from those who owe."""
        for patron in self._debtors(balances):
            self._supervisor.spawn(self.collect(patron))

    async def collect_all(self) -> None:
        """Collect what was left to collect when the house stopped; what the store cannot write now stays for later."""
        for patron in self._debtors([*self._balances]):
            try:
                await self.collect(patron)
            except (errors.DiskFullError, errors.UnavailableError):
                return

    def _debtors(self, accounts: Iterable[str]) -> list[str]:
        """The patrons of these accounts from whom something can be collected, as this process last heard."""
        patrons = dict.fromkeys([patron for account in accounts if (patron := owner_of(account)) is not None])
        held = self._balances
        return [
            patron
            for patron in patrons
            if (owed := held.get(owed_account(patron), 0))
            and moves.collectable(held.get(patron_account(patron), 0), owed)
        ]

    async def collect(self, patron: str) -> int:
        """Take what can be taken of a patron's debt; what is owed after that. Errors are the store's."""
        credit, owed = patron_account(patron), owed_account(patron)
        async with self._one_at_a_time:
            while True:
                held = await self._store.balances([credit, owed])
                cents = moves.collectable(held[credit], held[owed])
                if not cents or not await self._write(patron, cents):
                    return -held[owed]

    async def _write(self, patron: str, cents: int) -> bool:
        """Take this much. Whether it is worth looking again: not from an account that is stopped."""
        rests_on = [await self._last(account(patron)) for account in (patron_account, owed_account)]
        reference = f"collect/{patron}/{'/'.join(rests_on)}"
        collected = {"patron": patron, "cents": cents, "reference": reference}
        # No person has an empty id, so no person's key begins with a colon.
        reply = NewReply(f":{reference}", hash_body(collected), canonical(collected))
        try:
            await self._log.write(DEBT_COLLECTED, collected, reply=reply)
        except (errors.AccountStoppedError, errors.KeyMissingError):
            return False
        except (errors.InsufficientFundsError, errors.KeyTakenError, errors.KeyReusedError):
            return True  # the balances have changed since they were read
        return True

    async def _last(self, account: str) -> str:
        """The place of the newest posting on an account."""
        [line] = await self._store.statement(account, limit=1)
        return f"{line.record.id}-{line.line}"

    async def debts(self) -> list[Debt]:
        """Everyone who owes something, by id, from the store."""
        return list(debts_in(await self._store.balances(), self._names))
