"""People: who they are, and what their role lets them do in the house."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast, get_args

from punto.protocol import views
from punto.protocol.views import RoleName
from punto.rules.refusals import Refusal
from punto.rules.sheet import Role
from punto.table.actor import PATRON_ROLE, Actor
from punto.table.refusals import NameInvalid

ADMIN_ROLE = "admin"
ROLES: tuple[RoleName, ...] = get_args(RoleName)
_STAFF = {role.value: role for role in Role}
NAME_LENGTH = 40
ID_LENGTH = 32
Names = Callable[[str], str]
"""The name of a person, from their id."""


@dataclass(frozen=True, slots=True)
class Person:
    """Someone known to the house."""

    id: str
    name: str
    role: str

    @property
    def is_patron(self) -> bool:
        """True if this is someone who bets."""
        return self.role == PATRON_ROLE

    @property
    def staff(self) -> Role | None:
        """The role at a table; None for a patron and for an admin, who has no authority in rounds."""
        return _STAFF.get(self.role)

    @property
    def is_staff(self) -> bool:
        """True if this person may see what the house sees."""
        return not self.is_patron

    @property
    def actor(self) -> Actor:
        """This person as the table knows them."""
        return Actor(self.id, self.staff)

    def at_least(self, role: Role) -> bool:
        """True if this person has at least this authority at a table."""
        return self.staff is not None and self.staff.level >= role.level

    @property
    def shown_role(self) -> RoleName:
        """The role as it travels."""
        return cast(RoleName, self.role)

    def shown(self) -> views.Person:
        """The person as others see them."""
        return views.Person(self.id, self.name, self.shown_role)


def is_staff(person: Person | None) -> bool:
    """True if someone, who may be nobody known, sees what the house sees."""
    return person is not None and person.is_staff


def may_admit(by: Person, role: str) -> bool:
    """True if someone may make a new person of a role: an admin anyone, a Pit Manager or above patrons.

    Whoever has a say in rounds admits no staff, or they could be their own second person.
    """
    return by.role == ADMIN_ROLE or (role == PATRON_ROLE and by.at_least(Role.PIT_MANAGER))


def may_consent(by: Person, role: str) -> bool:
    """True if someone may be one of the two who ask for a new token for a person of a role.

    A Shift Manager may for the staff, too, whom only an admin admits. It is an admin who is shown the token.
    """
    return may_admit(by, role) or by.at_least(Role.SHIFT_MANAGER)


def choices_about(by: Person, person: Person) -> tuple[views.MemberChoice, ...]:
    """The measures that someone may take about a person: give a new token, or agree that it is given, and dismiss."""
    if may_admit(by, person.role):
        return ("token", "dismissal") if by.id != person.id else ("token",)
    return ("consent",) if may_consent(by, person.role) else ()


def may_set_up(by: Person) -> bool:
    """True if someone may open tables and see the figures of the floor."""
    return by.role == ADMIN_ROLE or by.at_least(Role.PIT_SUPERVISOR)


def refuse_name(name: object) -> Refusal | None:
    """The refusal of what cannot be a person's name."""
    if isinstance(name, str) and len(name.strip()) > 0 and len(name) <= NAME_LENGTH and name.isprintable():
        return None
    return NameInvalid()


def id_from(name: str) -> str:
    """An id that reads like the name, as far as plain letters go."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:ID_LENGTH].strip("-") or "guest"
