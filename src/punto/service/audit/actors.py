"""The part of an audit that checks who acted: admitted, in that role, at that time.

The house's log says who was admitted and as what, in records that set the person's row. A role holds from the next
record of the whole store on.
"""

from __future__ import annotations

import json
from bisect import bisect_left

from punto.ledger.house_moves import CASHED_OUT, CREDITS_BOUGHT, TICKET_ISSUED, TICKET_PAID, TICKET_TAKEN
from punto.rules.sheet import Role
from punto.service.audit.house_log import (
    LARGE_SALE,
    OPEN_DOOR,
    PERSON_ADMITTED,
    PERSON_DISMISSED,
    SALE_ASKED,
    TOKEN_ASKED,
    TOKEN_ENDED,
    TOKEN_REPLACED,
)
from punto.service.people.admissions import SET_UP
from punto.service.people.person import ADMIN_ROLE, Person, may_admit
from punto.store.records import Record
from punto.table import acts
from punto.table.actor import PATRON_ROLE
from punto.table.automatic import AUTOMAT, STANDING_ORDER

_ROLES = {PATRON_ROLE: None} | {role.value: role for role in Role}
_AT_CAGE = frozenset({TICKET_ISSUED, TICKET_PAID})
_OF_PATRONS = frozenset({CREDITS_BOUGHT, CASHED_OUT, TICKET_TAKEN})
_OF_THE_HOUSE = frozenset({AUTOMAT, STANDING_ORDER})


class Admitted:
    """The people admitted, each with a role and the record from which it holds."""

    def __init__(self) -> None:
        self._places: dict[str, list[int]] = {}
        self._roles: dict[str, list[str]] = {}

    def take(self, record: Record) -> None:
        """Learn from the next record of the house that sets somebody's row."""
        told = json.loads(record.payload)
        if not {"person", "role"} <= told.keys():
            return
        places = self._places.setdefault(told["person"], [])
        if not places or places[-1] < record.id:
            places.append(record.id)
            self._roles.setdefault(told["person"], []).append(told["role"])

    def role_at(self, person: str, place: int) -> str | None:
        """Someone's role when a record was written; None for someone who had not been admitted."""
        before = bisect_left(self._places.get(person, []), place)
        return self._roles[person][before - 1] if before else None

    def refuse_actor(self, event: acts.Event, place: int) -> str | None:
        """The reason why the actor of an event at a table could not have done it."""
        by = event.by
        role, own = self.role_at(by.person, place), by.own or by.role
        if role is not None and role in _ROLES and _ROLES[role] == own:
            return None
        # An admin has no say in rounds, but may open a table.
        if isinstance(event, acts.TableOpened) and (role == ADMIN_ROLE or by.person == SET_UP.id):
            return None
        if by in _OF_THE_HOUSE:
            return None
        was = "whom nobody had admitted" if role is None else f"who had been admitted as {role}"
        return f"{by.text} acted, {was}"

    def refuse_house_record(self, record: Record) -> str | None:
        """The reason why nobody could have admitted this person, changed this token or moved this money."""
        if record.kind == PERSON_ADMITTED:
            return self._refuse_admission(record)
        if record.kind in {SALE_ASKED, LARGE_SALE}:
            return self._refuse_sale(record)
        if record.kind in _AT_CAGE | _OF_PATRONS:
            return self._refuse_movement(record)
        if record.kind in {TOKEN_ASKED, TOKEN_REPLACED, PERSON_DISMISSED}:
            return self._refuse_change(record)
        return self._refuse_end(record) if record.kind == TOKEN_ENDED else None

    def _refuse_admission(self, record: Record) -> str | None:
        told = json.loads(record.payload)
        by, role = told.get("by", ""), told.get("role", "")
        allowed = by == OPEN_DOOR or self._may_admit(by, role, record.id)
        return None if allowed else f"{by!r} could admit no {role}"

    def _refuse_movement(self, record: Record) -> str | None:
        told, place = json.loads(record.payload), record.id
        patron, by = told.get("patron", ""), told.get("by", "")
        if record.kind not in _AT_CAGE and self.role_at(patron, place) != PATRON_ROLE:
            return f"no patron {patron!r} had been admitted"
        if not by and record.kind not in _AT_CAGE:
            return None
        role, _, person = by.partition(":")
        may = self.role_at(person, place) == role and Person(person, person, role).at_least(Role.PIT_MANAGER)
        return None if may else f"{by!r} could move no money at the cage"

    def _refuse_sale(self, record: Record) -> str | None:
        told = json.loads(record.payload)
        sellers = {told.get("by", ""), told.get("asked_by", told.get("by", ""))}
        if record.kind == LARGE_SALE and len(sellers) < 2:
            return f"{told.get('by')!r} alone could not sell so much"
        for each in sorted(sellers):
            role = self.role_at(each, record.id)
            if role is None or not Person(each, each, role).at_least(Role.PIT_MANAGER):
                return f"{each!r} could sell no credits"
        return None

    def _refuse_end(self, record: Record) -> str | None:
        told = json.loads(record.payload)
        by, person = told.get("by", ""), told.get("person", "")
        own = by == person and self.role_at(person, record.id) is not None
        return None if own else f"{by!r} could not end the token of {person!r}"

    def _refuse_change(self, record: Record) -> str | None:
        """The reason why a token could not have been changed so."""
        told, place = json.loads(record.payload), record.id
        by, person = told.get("by", ""), told.get("person", "")
        role = self.role_at(person, place)
        if role is None:
            return f"nobody had admitted {person!r}"
        asked_by = told.get("asked_by")
        if asked_by == by != SET_UP.id:
            return f"{by!r} alone could not replace the token of {person!r}"
        for each in {by, asked_by or by}:
            if not self._may_admit(each, role, place):
                return f"{each!r} could not change the token of {person!r}"
        return None

    def _may_admit(self, by: str, role: str, place: int) -> bool:
        own = self.role_at(by, place)
        return by == SET_UP.id or (own is not None and may_admit(Person(by, by, own), role))
