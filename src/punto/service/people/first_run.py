"""What a house sets up once: its first admin, and for a demonstration its staff and one table of each game.

A token is shown once and kept only as a hash, so the order matters: the person is committed, then the token is shown,
then it is noted that it was. Shown before the commit, a token might open nothing; and if the power goes between any two
of the three, the next start finds the note missing and shows a new token in place of the one that may have been lost.
"""

from __future__ import annotations

import asyncio
import contextlib
import tomllib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib import resources

from punto.rules.refusals import Refusal
from punto.service.house import House
from punto.service.people.admissions import SET_UP
from punto.service.people.person import ADMIN_ROLE, Person
from punto.service.refusals import HouseCode
from punto.store.errors import DiskFullError, LeaseHeldError, UnavailableError
from punto.store.records import Lease

FIRST_RUN = "first-run"
"""The lease under which one of several processes sets the house up while the others wait."""
HELD_MS = 10_000
"""How long a process that died while it set the house up keeps the others waiting; one that lives renews it."""
LOOK_AGAIN_MS = 100

Tell = Callable[[Person, str], None]
"""Shows a person's token; when it returns the token has left the process."""


class SetUpError(Exception):
    """The house could not be set up: carries the refusal."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


async def first_run(house: House, tell: Tell, *, demo: bool = False, new_admin_token: bool = False) -> None:
    """Set up what is not there yet, telling each token as soon as its person is in the log.

    There is an admin after this, and with `demo` the staff and the tables of the demonstration. `new_admin_token` is
    for an operator who lost it: the admin gets a new one, and the old one ends.
    """
    async with _alone(house):
        await house.people.load()
        admin = next((person for person in house.people.all() if person.role == ADMIN_ROLE), None)
        if admin is None:
            await _admit(house, "Admin", ADMIN_ROLE, tell)
        elif new_admin_token:
            await _give(house, admin, tell)
        for person in await house.people.untold(SET_UP):
            await _give(house, person, tell)
        if demo:
            await _demonstration(house, tell)


@asynccontextmanager
async def _alone(house: House) -> AsyncIterator[None]:
    if not (house.wire.connected or house.settings.shared):
        yield
        return
    while True:
        try:
            lease = await house.store.acquire(FIRST_RUN, house.settings.owner, HELD_MS)
            break
        except LeaseHeldError:
            await house.clock.sleep_until(house.clock.steady_ms() + LOOK_AGAIN_MS)
    renewing = asyncio.create_task(_renew(house, lease))
    try:
        yield
    finally:
        renewing.cancel()
        await asyncio.gather(renewing, return_exceptions=True)
        await house.store.release(lease)


async def _renew(house: House, lease: Lease) -> None:
    while True:
        await house.clock.sleep_until(house.clock.steady_ms() + HELD_MS // 3)
        with contextlib.suppress(UnavailableError, DiskFullError):
            await house.store.renew(lease, HELD_MS)


async def _demonstration(house: House, tell: Tell) -> None:
    wanted = tomllib.loads(resources.files("punto.service.people").joinpath("demo.toml").read_text(encoding="utf-8"))
    roles = {person.role for person in house.people.all()}
    for each in wanted["people"]:
        if each["role"] not in roles:
            await _admit(house, each["name"], each["role"], tell)
    for spec in wanted["tables"]:
        if not house.has_table(spec["table"]):
            made = await house.set_up(SET_UP, spec)
            if isinstance(made, Refusal) and made.code != HouseCode.TABLE_EXISTS:
                raise SetUpError(made)


async def _admit(house: House, name: str, role: str, tell: Tell) -> None:
    made = await house.people.create(SET_UP, name, role)
    if isinstance(made, Refusal):
        raise SetUpError(made)
    tell(*made)
    await house.people.note_told(made[0])


async def _give(house: House, person: Person, tell: Tell) -> None:
    token = await house.people.replace_token(SET_UP, person.id)
    if isinstance(token, Refusal):
        raise SetUpError(token)
    tell(person, token)
    await house.people.note_told(person)
