"""The actors at a table."""

from __future__ import annotations

from dataclasses import dataclass

from punto.rules.sheet import Role

PATRON_ROLE = "patron"


@dataclass(frozen=True, slots=True)
class Actor:
    """A person with a staff role, or a patron (role None). Written as `dealer:dan` or `patron:ann`.

    Whoever acts in another position has that as `role` and their own as `own`: `pit-supervisor:dan@dealer`.
    """

    person: str
    role: Role | None = None
    own: Role | None = None

    @classmethod
    def parse(cls, text: str) -> Actor:
        """Parse `role:person` or `position:person@role`. Raises ValueError with the reason."""
        role, _, person = text.partition(":")
        if not person or role not in {PATRON_ROLE, *Role}:
            raise ValueError(f"{text!r} is not role:person with a role of {PATRON_ROLE}, {', '.join(Role)}")
        if role == PATRON_ROLE:
            return cls(person)
        name, at, own = person.rpartition("@")
        return cls(name, Role(role), Role(own)) if at and own in set(Role) else cls(person, Role(role))

    @property
    def text(self) -> str:
        """The actor as `role:person`, or as `position:person@role`."""
        return f"{self.role or PATRON_ROLE}:{self.person}" + (f"@{self.own}" if self.own else "")

    @property
    def rank(self) -> Role | None:
        """The higher of the position and the actor's own role; None for a patron."""
        return max([each for each in (self.role, self.own) if each], key=lambda role: role.level, default=None)

    def may_act_as(self, role: Role) -> bool:
        """True if this actor has at least the authority of a role, by their position or their own role."""
        return self.role is not None and (
            self.role.level >= role.level or (self.own is not None and self.own.level >= role.level)
        )
