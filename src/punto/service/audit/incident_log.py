"""Every incident from its report to its end, for staff who look back: what was seen, ruled, decided and changed."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import cast

from msgspec.structs import replace

from punto.ledger.table_day import GamingDay
from punto.protocol import views as v
from punto.service.audit.observer import Observer
from punto.service.people.person import Names
from punto.service.tables.followed_table import FollowedTable, RecordedEvent
from punto.service.viewing.floor import day_name
from punto.service.viewing.incident_views import show_effect
from punto.table import acts
from punto.table.effects import effect_of_event
from punto.table.state import State

MOST_AT_HAND = 5_000
"""Closed incidents that are held in memory: the newest."""


class IncidentLog(Observer):
    """The incidents of all tables: the open ones, and the newest of those that are closed."""

    def __init__(self, names: Names, gaming_day: GamingDay) -> None:
        self._names, self._gaming_day = names, gaming_day
        self._open: dict[tuple[str, int], v.PastIncident] = {}
        self._closed: deque[v.PastIncident] = deque(maxlen=MOST_AT_HAND)

    def observe(self, table: FollowedTable, recorded: RecordedEvent, before: State) -> None:
        """Take what an event says of an incident."""
        event = recorded.event
        if isinstance(event, acts.IncidentReported):
            self._open[table.id, event.case] = self._reported(table, recorded, event)
            return
        key = table.id, getattr(event, "case", before.case.number if before.case else 0)
        if (incident := self._open.get(key)) is None:
            return
        match event:
            case acts.IncidentRuled():
                incident = replace(incident, ruling=event.ruling, finding=event.finding, rule=event.rule)
            case acts.DecisionMade():
                by, role = self._names(event.by.person), _role_of(event)
                made = v.IncidentDecision(event.decision, by, event.reason, recorded.at, role)
                incident = replace(incident, decisions=(*incident.decisions, made))
            case acts.OptionChosen():
                by_staff = self._names(event.by.person) if event.by.role else None
                chosen = v.PatronChoice(self._names(event.patron), event.option, by_staff, recorded.at)
                incident = replace(incident, choices=(*incident.choices, chosen))
            case acts.CaseClosed():
                self._closed.append(replace(incident, closed_at_ms=recorded.at))
                del self._open[key]
                return
        if incident.effect is None:
            incident = replace(incident, effect=show_effect(effect_of_event(before, event), self._names))
        self._open[key] = incident

    def _reported(self, table: FollowedTable, recorded: RecordedEvent, event: acts.IncidentReported) -> v.PastIncident:
        return v.PastIncident(
            table=table.id,
            name=table.name,
            game=table.sheet.id,
            case=event.case,
            round=event.facts.round or event.round,
            situation=event.situation,
            day=day_name(self._gaming_day.number(recorded.at)),
            at_ms=recorded.at,
            reported_by=self._names(event.by.person),
            note=event.facts.note,
            ruling=None,
            finding=None,
            rule=None,
            decisions=(),
            closed_at_ms=None,
            effect=None,
            reported_role=_role_of(event),
        )

    def save(self) -> tuple[list[v.PastIncident], list[v.PastIncident]]:
        """The open incidents and the closed ones, for a checkpoint."""
        return list(self._open.values()), list(self._closed)

    def restore(self, is_open: list[v.PastIncident], closed: list[v.PastIncident]) -> None:
        """Begin with what a checkpoint has."""
        self._open = {(incident.table, incident.case): incident for incident in is_open}
        self._closed.extend(closed)

    def newest(
        self,
        limit: int | None = 100,
        *,
        table: str | None = None,
        situation: str | None = None,
        is_open: bool | None = None,
        day: str | None = None,
    ) -> list[v.PastIncident]:
        """Incidents, newest first: of a table, of a situation, open or closed, of a gaming day."""
        wanted = {"table": table, "situation": situation, "day": day}
        found = [
            each
            for each in self._all(is_open)
            if all(value is None or getattr(each, name) == value for name, value in wanted.items())
        ]
        return sorted(found, key=lambda each: -each.at_ms)[:limit]

    def _all(self, is_open: bool | None) -> Iterator[v.PastIncident]:
        if is_open is not False:
            yield from self._open.values()
        if is_open is not True:
            yield from self._closed


def _role_of(event: acts.Event) -> v.RoleName | None:
    """The role in which someone of the staff did something."""
    return cast(v.RoleName, event.by.role.value) if event.by.role else None
