"""Notices that a patron has not read yet: voids, corrections, amounts decided, debts, a token replaced.

Notices are not stored. They follow from the records of tables and house, less those that the patron marked as read,
which is a record of the house's log. So they outlast every connection and every session.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from punto.ledger.house_moves import DEBT_COLLECTED
from punto.protocol.views import MOST_NOTICES, Notice
from punto.rules.cash import is_cash
from punto.service.audit.house_log import TOKEN_REPLACED, HouseLog
from punto.service.audit.observer import Observer
from punto.service.money.statement import rule_for
from punto.service.people.person import Names, Person
from punto.service.streams import HOUSE_STREAM, table_stream
from punto.service.tables.followed_table import FollowedTable, RecordedEvent
from punto.store.records import Record
from punto.table.state import State

NOTICES_READ = "notices-read"
"""The kind of record by which a patron marks notices as read."""


@dataclass(eq=False, repr=False)
class Notices(Observer):
    """The unread notices of every patron."""

    _log: HouseLog
    _names: Names
    _unread: dict[str, dict[str, Notice]] = field(default_factory=dict)
    _read: dict[str, set[str]] = field(default_factory=dict)
    """Marks whose notices have not come yet: the logs of tables and house are read one after the other."""

    def observe(self, table: FollowedTable, recorded: RecordedEvent, before: State) -> None:
        """Notify the patrons whom an event tells something."""
        del before
        event = recorded.event
        for patron, code, cents in event.told():
            if not is_cash(patron):
                place = f"{table_stream(table.id)}-{recorded.seq}-{code}"
                rule, number = rule_for(event, patron), getattr(event, "round", None)
                self._add(patron, Notice(place, recorded.at, code, table.id, number, rule, cents))

    def observe_record(self, record: Record) -> None:
        """Notify the patron whom a record is about, or forget what was read."""
        if record.kind not in {DEBT_COLLECTED, TOKEN_REPLACED, NOTICES_READ}:
            return
        place, told = f"{HOUSE_STREAM}-{record.seq}", json.loads(record.payload)
        if record.kind == DEBT_COLLECTED:
            notice = Notice(place, record.time_ms, "debt-collected", amount_cents=told["cents"])
            self._add(told["patron"], notice)
        elif record.kind == TOKEN_REPLACED:
            by = tuple(dict.fromkeys([self._names(each) for each in (told.get("asked_by"), told["by"]) if each]))
            self._add(told["person"], Notice(place, record.time_ms, "token-replaced", by=by))
        else:
            self._forget(told["patron"], told["ids"])

    def _add(self, patron: str, notice: Notice) -> None:
        read = self._read.get(patron, set())
        if notice.id in read:
            read.remove(notice.id)
        else:
            self._unread.setdefault(patron, {})[notice.id] = notice

    def _forget(self, patron: str, ids: Iterable[str]) -> None:
        unread = self._unread.get(patron, {})
        for each in ids:
            if unread.pop(each, None) is None:
                self._read.setdefault(patron, set()).add(each)

    def save(self) -> tuple[dict[str, list[Notice]], dict[str, set[str]]]:
        """All that is unread, and marks whose notices have not come yet, for a checkpoint."""
        return {patron: list(notices.values()) for patron, notices in self._unread.items() if notices}, self._read

    def restore(self, unread: dict[str, list[Notice]], read: dict[str, set[str]]) -> None:
        """Begin with what a checkpoint has."""
        self._unread = {patron: {notice.id: notice for notice in notices} for patron, notices in unread.items()}
        self._read = read

    async def unread(self, person: Person) -> list[Notice]:
        """The unread notices of someone, oldest first. Errors are the store's."""
        await self._log.refresh()
        found = sorted(self._unread.get(person.id, {}).values(), key=lambda notice: notice.at_ms)
        return found[:MOST_NOTICES]

    async def mark_read(self, person: Person, ids: Sequence[str]) -> list[Notice]:
        """Mark notices as read; what is left. An id that is not among one's unread notices is passed over."""
        unread = {notice.id for notice in await self.unread(person)}
        if marked := [each for each in dict.fromkeys(ids) if each in unread]:
            await self._log.write(NOTICES_READ, {"patron": person.id, "ids": marked})
        return await self.unread(person)
