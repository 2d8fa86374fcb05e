"""The first start of a house: its first admin, and for a demonstration its staff and every game at a table.

A token is shown once and stored only as a hash, so the order matters: the person is committed, then the token is shown,
then it is noted that it was. Shown before the commit, a token might open nothing; and if the power goes between any two
of the three, the next start finds the note missing and shows a new token in place of the one that may have been lost.
"""

from __future__ import annotations

import asyncio
import contextlib
import tomllib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib import resources

import msgspec

from punto.protocol.refusals import TableExists
from punto.protocol.views import FirstStep, NewTable
from punto.rules.refusals import Refusal, Refused
from punto.service.audit.house_log import KEY_KEPT, HouseLog
from punto.service.part import Part
from punto.service.people.admissions import SET_UP, People
from punto.service.people.person import ADMIN_ROLE, Person, may_consent
from punto.service.shoes.house_key import HouseKey
from punto.service.tables.registry import TableRegistry
from punto.service.tables.table_setup import TableSetup
from punto.store.errors import DiskFullError, LeaseHeldError, UnavailableError
from punto.store.records import Lease

FIRST_RUN = "first-run"
"""The lease under which one of several processes sets the house up while the others wait."""
HELD_MS = 10_000
"""The time that a process which died setting the house up keeps the others waiting; one that lives renews it."""
LOOK_AGAIN_MS = 100

ShowToken = Callable[[Person, str], None]
"""Shows a person's token; when it returns the token has left the process."""


@dataclass(eq=False, repr=False)
class FirstRun(Part):
    """Sets up what is not there yet, in one process of a house at a time."""

    _key: HouseKey
    _log: HouseLog
    _people: People
    _tables: TableRegistry
    _setup: TableSetup

    async def run(self, show: ShowToken, *, demo: bool = False, new_admin_token: bool = False) -> None:
        """Set up what is not there yet, showing each token as soon as its person is in the log.

        There is an admin after this, and with `demo` the staff and the tables of the demonstration. `new_admin_token`
        is for an operator who lost it: the admin gets a new one, and the old one ends.
        """
        async with self.alone():
            await self._people.load()
            admin = next((person for person in self._people.all() if person.role == ADMIN_ROLE), None)
            if admin is None:
                await self._admit("Admin", ADMIN_ROLE, show)
            elif new_admin_token:
                await self._replace_token(admin, show)
            for person in await self._people.without_token(SET_UP):
                await self._replace_token(person, show)
            if demo:
                await self._demonstration(show)

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        """While the block runs, every other process of the house waits before its own."""
        if not self._link.shared:
            yield
            return
        while True:
            try:
                lease = await self._store.acquire(FIRST_RUN, self._settings.owner, HELD_MS)
                break
            except LeaseHeldError:
                await self._clock.sleep_until(self._clock.steady_ms() + LOOK_AGAIN_MS)
        renewing = self._world.spawn(self._renew(lease))
        try:
            yield
        finally:
            renewing.cancel()
            await asyncio.gather(renewing, return_exceptions=True)
            await self._store.release(lease)

    async def _renew(self, lease: Lease) -> None:
        while True:
            await self._clock.sleep_until(self._clock.steady_ms() + HELD_MS // 3)
            with contextlib.suppress(UnavailableError, DiskFullError):
                await self._store.renew(lease, HELD_MS)

    async def to_do(self) -> tuple[FirstStep, ...]:
        """The steps that an operator has still to take before the house is ready."""
        consenting = [each for each in self._people.all() if may_consent(each, ADMIN_ROLE)]
        kept = f"/{KEY_KEPT}:{self._key.in_use}"
        lacks: dict[FirstStep, bool] = {
            "second-person": len(consenting) < 2,
            "key": self._key.path is not None and not await self._store.replies([kept]),
            "table": not self._tables.hosts,
        }
        return tuple([step for step, is_lacking in lacks.items() if is_lacking])

    async def note_key_kept(self, by: Person) -> None:
        """Note, once, that somebody has put a copy of the key away. Errors are the store's."""
        mark = self._key.in_use or ""
        await self._log.write_once(KEY_KEPT, {"by": by.id, "mark": mark}, f"/{KEY_KEPT}:{mark}", mark)

    async def _demonstration(self, show: ShowToken) -> None:
        text = resources.files("punto.service.people").joinpath("demo.toml").read_text(encoding="utf-8")
        wanted = tomllib.loads(text)
        roles = {person.role for person in self._people.all()}
        for each in wanted["people"]:
            if each["role"] not in roles:
                await self._admit(each["name"], each["role"], show)
        for spec in wanted["tables"]:
            if spec["table"] not in self._tables.hosts:
                made = await self._setup.set_up(SET_UP, msgspec.convert(spec, NewTable))
                if isinstance(made, Refusal) and not isinstance(made, TableExists):
                    raise Refused(made)

    async def _admit(self, name: str, role: str, show: ShowToken) -> None:
        made = await self._people.create(SET_UP, name, role)
        if isinstance(made, Refusal):
            raise Refused(made)
        show(*made)
        await self._people.note_token_shown(made[0])

    async def _replace_token(self, person: Person, show: ShowToken) -> None:
        token = await self._people.replace_token(SET_UP, person.id)
        if isinstance(token, Refusal):
            raise Refused(token)
        show(person, token)
        await self._people.note_token_shown(person)
