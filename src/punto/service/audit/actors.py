"""The part of an audit that checks who acted: admitted, in that role, at that time.

The house's log says who was admitted and as what. A person has one role, from the next record of the whole store on.
"""

from __future__ import annotations

import json

from punto.ledger.house_moves import CASHED_OUT, CREDITS_BOUGHT, TICKET_ISSUED, TICKET_PAID, TICKET_TAKEN
from punto.rules.sheet import Role
from punto.service.audit import house_log
from punto.service.audit.house_log import LARGE_SALE, OPEN_DOOR, PERSON_ADMITTED
from punto.service.people.admissions import SET_UP
from punto.service.people.person import ADMIN_ROLE, Person, may_admit
from punto.store.records import Record
from punto.table import acts
from punto.table.automatic import AUTOMAT, STANDING_ORDER

_AT_CAGE = frozenset({TICKET_ISSUED, TICKET_PAID})
_OF_PATRONS = frozenset({CREDITS_BOUGHT, CASHED_OUT, TICKET_TAKEN})
_OF_THE_HOUSE = frozenset({AUTOMAT, STANDING_ORDER})


class Admitted:
    """The people admitted, each with the record that says so."""

    def __init__(self) -> None:
        self._people: dict[str, tuple[int, Person]] = {}

    def take(self, record: Record) -> None:
        """Learn from the next record of the house who was admitted."""
        if record.kind == PERSON_ADMITTED:
            told = json.loads(record.payload)
            person = Person(told.get("person", ""), told.get("name", ""), told.get("role", ""))
            self._people.setdefault(person.id, (record.id, person))

    def at(self, person: str, place: int) -> Person | None:
        """Someone by id; None for one who had not been admitted when a record was written."""
        since, found = self._people.get(person, (place, None))
        return found if since < place else None

    def refuse_actor(self, event: acts.Event, place: int) -> str | None:
        """The reason why the actor of an event at a table could not have done it."""
        by = event.by
        person = self.at(by.person, place)
        is_admin = person is not None and person.role == ADMIN_ROLE
        if by in _OF_THE_HOUSE or (person is not None and not is_admin and person.staff == (by.own or by.role)):
            return None
        # An admin has no say in rounds, but may open a table.
        if isinstance(event, acts.TableOpened) and (is_admin or by.person == SET_UP.id):
            return None
        was = "whom nobody had admitted" if person is None else f"who had been admitted as {person.role}"
        return f"{by.text} acted, {was}"

    def refuse_house_record(self, record: Record) -> str | None:
        """The reason why nobody could have admitted this person, changed this token or moved this money."""
        told, place = json.loads(record.payload), record.id
        by, person = told.get("by", ""), told.get("person", "")
        match record.kind:
            case house_log.PERSON_ADMITTED:
                allowed = by == OPEN_DOOR or self._may_admit(by, told.get("role", ""), place)
                return None if allowed else f"{by!r} could admit no {told.get('role', '')}"
            case house_log.SALE_ASKED | house_log.LARGE_SALE:
                asked_by = told.get("asked_by", by)
                if record.kind == LARGE_SALE and asked_by == by:
                    return f"{by!r} alone could not sell so much"
                unable = [each for each in sorted({by, asked_by}) if not self._may_sell(each, place)]
                return f"{unable[0]!r} could sell no credits" if unable else None
            case house_log.TOKEN_ASKED | house_log.TOKEN_REPLACED | house_log.PERSON_DISMISSED:
                return self._refuse_change(by, person, told.get("asked_by"), place)
            case house_log.TOKEN_ENDED:
                own = by == person and self.at(person, place) is not None
                return None if own else f"{by!r} could not end the token of {person!r}"
        if record.kind in _AT_CAGE | _OF_PATRONS:
            return self._refuse_movement(by, None if record.kind in _AT_CAGE else told.get("patron", ""), place)
        return None

    def _refuse_movement(self, by: str, patron: str | None, place: int) -> str | None:
        """The reason why this money could not have been moved by this actor, for a patron or (None) at the cage."""
        if patron is not None and ((known := self.at(patron, place)) is None or not known.is_patron):
            return f"no patron {patron!r} had been admitted"
        if not by and patron is not None:
            return None
        role, _, person = by.partition(":")
        found = self.at(person, place)
        may = found is not None and found.role == role and self._may_sell(person, place)
        return None if may else f"{by!r} could move no money at the cage"

    def _refuse_change(self, by: str, person: str, asked_by: str | None, place: int) -> str | None:
        """The reason why a token could not have been changed so."""
        if (found := self.at(person, place)) is None:
            return f"nobody had admitted {person!r}"
        if asked_by == by != SET_UP.id:
            return f"{by!r} alone could not replace the token of {person!r}"
        for each in {by, asked_by or by}:
            if not self._may_admit(each, found.role, place):
                return f"{each!r} could not change the token of {person!r}"
        return None

    def _may_admit(self, by: str, role: str, place: int) -> bool:
        found = self.at(by, place)
        return by == SET_UP.id or (found is not None and may_admit(found, role))

    def _may_sell(self, by: str, place: int) -> bool:
        found = self.at(by, place)
        return found is not None and found.at_least(Role.PIT_MANAGER)
