"""What a house sets up once: its first admin, and for a demonstration its staff and one table of each game."""

from __future__ import annotations

import tomllib
from importlib import resources

from punto.rules.refusals import Refusal
from punto.service.admissions import SET_UP
from punto.service.house import House
from punto.service.people import ADMIN_ROLE, Person


class SetUpError(Exception):
    """The house could not be set up: carries the refusal."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


async def first_admin(house: House) -> tuple[Person, str] | None:
    """The first admin and the token, told once; None where there is one already."""
    if any(person.role == ADMIN_ROLE for person in house.people.all()):
        return None
    return await _admit(house, "Admin", ADMIN_ROLE)


async def new_admin_token(house: House) -> tuple[Person, str]:
    """An admin with a new token, for an operator who lost it; the old one ends. The first admin where there is none."""
    admin = next((person for person in house.people.all() if person.role == ADMIN_ROLE), None)
    if admin is None:
        return await _admit(house, "Admin", ADMIN_ROLE)
    token = await house.people.replace_token(SET_UP, admin.id)
    if isinstance(token, Refusal):
        raise SetUpError(token)
    return admin, token


async def demonstration(house: House) -> list[tuple[Person, str]]:
    """Set the demonstration house up, as far as it is not there yet; the staff admitted now, with their tokens."""
    wanted = tomllib.loads(resources.files("punto.service").joinpath("demo.toml").read_text(encoding="utf-8"))
    roles = {person.role for person in house.people.all()}
    admitted = [
        await _admit(house, each["name"], each["role"]) for each in wanted["people"] if each["role"] not in roles
    ]
    for spec in wanted["tables"]:
        if not house.has_table(spec["table"]):
            made = await house.set_up(SET_UP, spec)
            if isinstance(made, Refusal):
                raise SetUpError(made)
    return admitted


async def _admit(house: House, name: str, role: str) -> tuple[Person, str]:
    made = await house.people.create(SET_UP, name, role)
    if isinstance(made, Refusal):
        raise SetUpError(made)
    return made
