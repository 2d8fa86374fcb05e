"""The people known to the house, in the store and at hand in memory.

A token is 32 random bytes and the day on which it ends. It is shown once, and only its hash is stored, so a copy of the
database opens no door. A new token for someone takes two people: whoever has it can act as that person. Errors are the
store's: whoever asks is refused by the edge.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from msgspec.structs import asdict

from punto.protocol.refusals import NameImitates, PersonUnknown, SecondPersonAsked
from punto.protocol.views import Member, TokenView
from punto.rules.refusals import Refusal
from punto.rules.sheet import Role
from punto.service.audit.house_log import (
    OPEN_DOOR,
    PERSON_ADMITTED,
    PERSON_DISMISSED,
    TOKEN_ASKED,
    TOKEN_ENDED,
    TOKEN_REPLACED,
    HouseLog,
)
from punto.service.cluster.cluster_link import HouseNews
from punto.service.part import Part
from punto.service.people.look_alikes import looks_of, reads_as_house
from punto.service.people.person import (
    ADMIN_ROLE,
    ROLES,
    Person,
    choices_about,
    id_from,
    may_admit,
    may_consent,
    refuse_name,
)
from punto.service.replies import canonical, hash_body
from punto.store import errors
from punto.store.records import NewReply, StoredPerson
from punto.store.tokens import new_token, token_hash
from punto.table.actor import PATRON_ROLE
from punto.table.automatic import AUTOMAT, STANDING_ORDER
from punto.table.refusals import NameInvalid, NotPermitted

LONGEST_TOKEN = 256
RESERVED = frozenset({AUTOMAT.person, STANDING_ORDER.person, "house", "set-up", OPEN_DOOR})
"""Ids under which the house itself acts in the log."""
ADMITTED = "/person:"
"""The beginning of the keys of admissions; no id begins so, and no patron's own key can be one of them."""
ASKED, GIVEN, ENDED = "/asked:", "/given:", "/ended:"
"""The beginnings of the keys of requests for a new token, of tokens given in place of others, and of tokens ended.

A request counts on its day and the next.
"""
RANDOM_LENGTH = 43
"""Characters of a token before the day on which it ends."""
DAY_MS, DAY_DIGITS = 86_400_000, 9
SHOWN = "/told:"
"""The beginning of the keys of notes that a token was shown."""
SET_UP = Person("set-up", "the first start", ADMIN_ROLE)
"""The one who admits the first admin."""


def _ends_ms(token: str) -> int | None:
    """When a token ends. Its hash covers the day, so nobody can put it off."""
    day = token[RANDOM_LENGTH:]
    return int(day) * DAY_MS if day.isdigit() and len(day) <= DAY_DIGITS else None


@dataclass(eq=False, repr=False)
class People(Part):
    """Everyone known. In a house of several processes a stranger is looked up in the store before being turned away."""

    _log: HouseLog
    _by_id: dict[str, Person] = field(default_factory=dict)
    _by_hash: dict[str, str] = field(default_factory=dict)
    _hash_of: dict[str, str] = field(default_factory=dict)
    _looks: dict[str, set[str]] = field(default_factory=dict)
    """The people with a name that looks so."""
    _ends: dict[str, int] = field(default_factory=dict)
    """When the tokens of staff end that were used since the start: only their hashes are stored."""
    _reading: asyncio.Lock = field(default_factory=asyncio.Lock)
    _newer: set[str] = field(default_factory=set)
    """The people written here since the read under way began: it may have found them as they were before."""
    _replacing: asyncio.Lock = field(default_factory=asyncio.Lock)
    _next: dict[str, int] = field(default_factory=dict)
    """The number that the next one who would have an id gets behind it."""

    async def load(self, ids: Sequence[str] | None = None) -> None:
        """Read these people, or everyone, from the store; one read at a time, so that the last is learned last."""
        async with self._reading:
            self._newer.clear()
            for stored in await self._store.people(ids):
                if stored.id not in self._newer:
                    self._learn(stored)

    def _wrote(self, stored: StoredPerson) -> Person:
        """Learn what was committed here, and tell of it."""
        if self._reading.locked():
            self._newer.add(stored.id)
        person = self._learn(stored)
        self._link.publish("house", HouseNews(people=[stored.id]))
        return person

    def _learn(self, stored: StoredPerson) -> Person:
        person = Person(stored.id, stored.name, stored.role)
        self._by_id[person.id] = person
        for look in looks_of(person.name):
            self._looks.setdefault(look, set()).add(person.id)
        if (old := self._hash_of.pop(stored.id, None)) is not None:
            del self._by_hash[old]
            if old != stored.token_hash:
                self._ends.pop(stored.id, None)
        if stored.token_hash is not None:
            self._by_hash[stored.token_hash] = person.id
            self._hash_of[person.id] = stored.token_hash
        return person

    async def authenticate(self, token: str) -> Person | None:
        """The owner of a token."""
        if not 0 < len(token) <= LONGEST_TOKEN or not token.isascii() or self._has_ended(token):
            return None
        hashed = token_hash(token)
        if self._link.shared and hashed not in self._by_hash and (stored := await self._store.person(hashed)):
            await self.load([stored.id])  # in its turn, since by now the token may have ended
        if (found := self._by_hash.get(hashed)) is None:
            return None
        person = self._by_id[found]
        if person.is_staff and (ends := _ends_ms(token)) is not None:
            self._ends[found] = ends
        return person

    def holding(self, person: Person, token: str) -> Callable[[], bool]:
        """Tells whether a token that was someone's still is, as far as this process knows."""
        hashed, ends = token_hash(token), _ends_ms(token)
        return lambda: self._by_hash.get(hashed) == person.id and (ends is None or self._clock.now_ms() < ends)

    def _has_ended(self, token: str) -> bool:
        ends = _ends_ms(token)
        return ends is not None and ends <= self._clock.now_ms()

    @property
    def first_end_ms(self) -> int | None:
        """When the first of the staff's tokens ends that were used since the start."""
        return min(self._ends.values(), default=None)

    def get(self, person: str) -> Person | None:
        """Someone by id, as far as this process knows."""
        return self._by_id.get(person)

    async def find(self, person: str) -> Person | None:
        """Someone by id; in a house of several processes another may have admitted them."""
        if person not in self._by_id and self._link.shared:
            await self.load([person])
        return self._by_id.get(person)

    def name_of(self, person: str) -> str:
        """The name of someone; the id of one whom this process does not know yet."""
        known = self._by_id.get(person)
        return known.name if known else person

    @property
    def count(self) -> int:
        """The number of people known."""
        return len(self._by_id)

    def all(self) -> list[Person]:
        """Everyone, by id."""
        return [self._by_id[each] for each in sorted(self._by_id)]

    async def create(self, by: Person, name: str, role: str) -> tuple[Person, str] | Refusal:
        """Admit someone; the token is shown here and never again."""
        if role not in ROLES:
            return NameInvalid()
        if not may_admit(by, role):
            return NotPermitted(ADMIN_ROLE)
        return await self._admit(by.id, name, role)

    async def join(self, name: str) -> tuple[Person, str] | Refusal:
        """A patron comes in by the open door."""
        return await self._admit(OPEN_DOOR, name, ROLES[0])

    async def _admit(self, by: str, name: str, role: str) -> tuple[Person, str] | Refusal:
        if refusal := refuse_name(name):
            return refusal
        name = name.strip()
        if role == PATRON_ROLE and self._imitates(name):
            return NameImitates()
        token, wanted = self._new_token(), id_from(name)
        for number in itertools.count(self._next.get(wanted, 1)):
            person = Person(wanted if number == 1 else f"{wanted}-{number}", name, role)
            if person.id in self._by_id or person.id in RESERVED:
                continue
            self._next[wanted] = number + 1  # taken from now on, so that many of one name do not try for the same
            stored = StoredPerson(person.id, name, role, token_hash(token))
            data = {"by": by, "person": person.id, "name": name, "role": role}
            try:
                # The id is a key in the store, so that two processes cannot give it away twice.
                reply = NewReply(f"{ADMITTED}{person.id}", hash_body(token_hash(token)), canonical({"by": by}))
                await self._log.write(PERSON_ADMITTED, data, reply=reply, people=[stored])
            except (errors.KeyReusedError, errors.KeyTakenError):
                await self.load([person.id])
                continue
            return self._wrote(stored), token
        raise AssertionError("numbers do not end")

    def _imitates(self, name: str) -> bool:
        """True if a patron's name reads as the house's own, or looks like another's though it is spelled otherwise."""
        alike = [self._by_id[each] for look in looks_of(name) for each in self._looks.get(look, ())]
        return reads_as_house(name) or any(each.is_staff or each.name != name for each in alike)

    async def without_token(self, by: Person) -> list[Person]:
        """Those whom someone admitted without its being noted that they were shown their token."""
        admitted = await self._store.replies([f"{ADMITTED}{person.id}" for person in self.all() if person.is_staff])
        ids = [key.removeprefix(ADMITTED) for key, stored in admitted.items() if json.loads(stored.text)["by"] == by.id]
        shown = await self._store.replies([f"{SHOWN}{each}" for each in ids])
        return [self._by_id[each] for each in sorted(ids) if f"{SHOWN}{each}" not in shown]

    async def note_token_shown(self, person: Person) -> None:
        """Note that someone was shown their token."""
        key = f"{SHOWN}{person.id}"
        await self._log.write_once("token-told", {"person": person.id}, key, hash_body(person.id))

    async def replace_token(self, by: Person, person: str, reason: str = "") -> str | Refusal:
        """A new token for someone whose old one was lost or seen by others; the old one ends. The reason is logged.

        Two ask for it, and it is shown to one who may admit such a person: SecondPersonAsked to anyone else.
        """
        if not may_admit(by, ROLES[0]):  # asked first: who is here is nobody else's business
            return NotPermitted(Role.PIT_MANAGER)
        async with self._replacing:  # one at a time: the token that is committed last is the one that is learned last
            return await self._replace_token(by, person, {"reason": reason} if reason else {})

    async def _replace_token(self, by: Person, person: str, why: dict[str, str]) -> str | Refusal:
        found = await self.find(person)
        if found is None:
            return PersonUnknown(person)
        if not may_consent(by, found.role):
            return NotPermitted(ADMIN_ROLE)
        asked_by = await self._asked_by(by, found, why)
        if asked_by is None:
            return SecondPersonAsked()
        token = self._new_token()
        given = NewReply(f"{GIVEN}{token_hash(token)}", hash_body(found.id), canonical([asked_by, by.id]))
        await self._write_token(found, token, TOKEN_REPLACED, by, {"asked_by": asked_by, **why}, given)
        return token

    async def _asked_by(self, by: Person, person: Person, why: dict[str, str]) -> str | None:
        """The other person who asked for this token to be replaced; where nobody did, this one has asked now.

        So has one who may not be shown the token, whoever asked before.
        """
        if by == SET_UP:
            return by.id  # the operator at the server's own console
        staff = [each for each in self.all() if each.is_staff]
        if self._link.shared:  # another process may have changed their tokens
            await self.load([by.id, person.id, *[each.id for each in staff]])
        asked = self._requests(person, [each for each in staff if each.id not in {by.id, person.id}])
        if may_admit(by, person.role) and (found := await self._store.replies(list(asked))):
            return min([asked[key].id for key in found])
        data, key = {"by": by.id, "person": person.id, "name": person.name, **why}, self._request_key(by.id, person.id)
        await self._log.write_once(TOKEN_ASKED, data, key, hash_body(person.id))
        return None

    def _requests(self, person: Person, staff: Sequence[Person]) -> dict[str, Person]:
        """The keys under which some of the staff may have asked for someone's new token, yesterday or today."""
        askers = [each for each in staff if may_consent(each, person.role)]
        return {self._request_key(each.id, person.id, ago): each for each in askers for ago in (0, 1)}

    async def members(self, by: Person, part: str, limit: int) -> list[Member]:
        """Those with a part of a name or an id, staff first, as someone sees them who may do something about them."""
        everyone, part = self.all(), part.casefold()
        found = [each for each in everyone if part in each.name.casefold() or part in each.id]
        found = sorted(found, key=lambda each: each.is_patron)[:limit]
        staff = [each for each in everyone if each.is_staff]
        requests = {each.id: self._requests(each, staff) for each in found}
        ended = {each.id: f"{ENDED}{self._hash_of.get(each.id)}" for each in found}
        known = await self._store.replies([*ended.values(), *[key for keys in requests.values() for key in keys]])
        return [
            Member(
                **asdict(each.shown()),
                may=tuple(
                    [may for may in choices_about(by, each) if may != "dismissal" or ended[each.id] not in known]
                ),
                asked_by=tuple(
                    {who.id: who.shown() for key, who in requests[each.id].items() if key in known}.values()
                ),
                ended=ended[each.id] in known,
            )
            for each in found
        ]

    def _request_key(self, asker: str, person: str, days_ago: int = 0) -> str:
        """The key of a request for someone's new token.

        It has the tokens of both in it: when either of them changes, or is ended, the request counts no more.
        """
        tokens = hash_body([self._hash_of.get(asker), self._hash_of.get(person)])
        day = self._clock.now_ms() // DAY_MS - days_ago
        return f"{ASKED}{person}:{day}:{asker}:{tokens}"

    async def dismiss(self, by: Person, person: str) -> Person | Refusal:
        """End someone's token: they can do nothing until two people give them a new one."""
        if not may_admit(by, ROLES[0]):
            return NotPermitted(Role.PIT_MANAGER)
        async with self._replacing:
            found = await self.find(person)
            if found is None:
                return PersonUnknown(person)
            if not may_admit(by, found.role):
                return NotPermitted(ADMIN_ROLE)
            await self._end(found, PERSON_DISMISSED, by)
            return found

    async def end_token(self, person: Person) -> None:
        """End one's own token, which others may have seen."""
        async with self._replacing:
            await self._end(person, TOKEN_ENDED, person)

    async def _end(self, person: Person, kind: str, by: Person) -> None:
        # A token that nobody is shown takes its place, so that what was asked for before can be told from what is
        # asked for afterwards.
        token = self._new_token()
        ended = NewReply(f"{ENDED}{token_hash(token)}", hash_body(person.id), "{}")
        await self._write_token(person, token, kind, by, {}, ended)

    async def _write_token(
        self, person: Person, token: str, kind: str, by: Person, data: dict[str, str], reply: NewReply
    ) -> None:
        stored = StoredPerson(person.id, person.name, person.role, token_hash(token))
        data = {"by": by.id, "person": person.id, "name": person.name, **data}
        await self._log.write(kind, data, reply=reply, people=[stored])
        self._wrote(stored)

    async def token_view(self, token: str) -> TokenView:
        """One's own token: when it ends, and who gave it in place of another."""
        key = f"{GIVEN}{token_hash(token)}"
        given = (await self._store.replies([key])).get(key)
        return TokenView(_ends_ms(token), tuple(json.loads(given.text)) if given else ())

    def _new_token(self) -> str:
        day = self._clock.now_ms() // DAY_MS + self._settings.token_days
        return f"{new_token(self._world.entropy)}{day}"
