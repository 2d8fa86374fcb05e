"""Who had been admitted, in which role, when something was done (I8)."""

from __future__ import annotations

import json
from typing import Any

from tests.simulation.auditor.findings import Findings
from tests.simulation.auditor.rows import Row

LEVELS = {"dealer": 1, "pit-supervisor": 2, "pit-manager": 3, "shift-manager": 4, "casino-manager": 5}
"""Authority in rounds, from the lowest. Patrons and admins have none."""
_OF_THE_HOUSE = {"automat": "dealer", "standing-order": "shift-manager"}
"""Who acts for the house itself at automatic tables, and as what."""
SET_UP = "set-up"
_AT_LEAST = {
    **dict.fromkeys(("table-opened", "table-closed", "limits-changed", "position-assigned"), "pit-supervisor"),
    **dict.fromkeys(("play-suspended", "play-resumed", "insurance-changed"), "pit-supervisor"),
    **dict.fromkeys(("bets-opened", "bets-closed", "card-dealt", "shoe-loaded", "decks-checked"), "dealer"),
    **dict.fromkeys(("cards-shuffled", "shoe-counted", "shoe-removed", "cards-removed", "incident-reported"), "dealer"),
    **dict.fromkeys(("insurance-announced", "round-settled", "round-voided"), "dealer"),
    **dict.fromkeys(("round-adjusted", "decision-made", "amount-decided", "bets-paid", "cards-reordered"), "dealer"),
    **dict.fromkeys(("staff-on-duty", "staff-off-duty", "confirmation-asked"), "dealer"),
}
"""The lowest role for what only staff may do."""
_OWN = frozenset(
    {
        *("patron-seated", "patron-stood", "squeeze-asked", "squeeze-passed", "option-chosen", "bet-placed"),
        *("bet-raised", "bet-withdrawn", "insurance-declined"),
    }
)
"""What a patron does for themselves alone."""


class Actor:
    """Who acted, as the log writes it: `role:person`, or `position:person@role`."""

    __slots__ = ("own", "person", "role")

    def __init__(self, text: str) -> None:
        self.role, _, person = text.partition(":")
        name, at, own = person.rpartition("@")
        self.person, self.own = (name, own) if at and own in LEVELS else (person, self.role)

    @property
    def level(self) -> int:
        """The authority of the actor, by their position or their own role."""
        return max(LEVELS.get(self.role, 0), LEVELS.get(self.own, 0))

    def at_least(self, role: str) -> bool:
        """Whether the actor has this authority."""
        return self.level >= LEVELS[role]


class People:
    """Everyone whom the log has admitted so far."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self.roles: dict[str, str] = {}
        self.names: dict[str, str] = {}

    def take_house(self, row: Row) -> dict[str, Any]:
        """Take a record of the house's own stream."""
        told: dict[str, Any] = json.loads(row.payload)
        by = str(told.get("by", ""))
        match row.kind:
            case "person-admitted":
                if not (by == "open-door" and told["role"] == "patron") and not self._may_admit(by, told["role"]):
                    self._findings.add("I8", row.where, f"{by!r} could admit no {told['role']}")
                self.roles[told["person"]], self.names[told["person"]] = told["role"], told.get("name", "")
            case "credits-bought" | "cashed-out" | "ticket-taken" | "ticket-issued" | "ticket-paid":
                at_cage = row.kind in {"ticket-issued", "ticket-paid"}
                if not at_cage and self.roles.get(told["patron"]) != "patron":
                    self._findings.add("I8", row.where, f"no patron {told['patron']!r} had been admitted")
                own, _, seller = by.partition(":")
                if (at_cage or by) and (self.roles.get(seller) != own or LEVELS.get(own, 0) < LEVELS["pit-manager"]):
                    self._findings.add("I8", row.where, f"{by!r} could move no money at the cage")
            case "token-asked" | "token-replaced" | "person-dismissed":
                role = self.roles.get(told["person"])
                for each in {by, told.get("asked_by", by)}:
                    if role is None or not self._may_admit(each, role):
                        self._findings.add("I8", row.where, f"{each!r} could not change a token of {told['person']!r}")
                if row.kind == "token-replaced" and told.get("asked_by", by) == by != SET_UP:
                    self._findings.add("I8", row.where, f"{by!r} alone replaced a token")
        return told

    def _may_admit(self, by: str, role: str) -> bool:
        own = self.roles.get(by, "")
        return by == SET_UP or own == "admin" or (role == "patron" and LEVELS.get(own, 0) >= LEVELS["pit-manager"])

    def check_actor(
        self, row: Row, event: dict[str, Any], duty: dict[str, tuple[str, str]], *, approved: bool
    ) -> Actor:
        """Check who caused an event of a table; `duty` has who is on duty there, their own role and their position.

        What was proposed and `approved` is under the position that its proposer had at that time.
        """
        actor = Actor(event["by"])
        role = self.roles.get(actor.person)
        if actor.person in _OF_THE_HOUSE and role is None:
            if actor.role != _OF_THE_HOUSE[actor.person]:
                self._findings.add("I8", row.where, f"{event['by']} acted")
        elif row.kind == "table-opened" and (role == "admin" or actor.person == SET_UP):
            return actor
        elif role != actor.own:
            was = f"who had been admitted as {role}" if role else "whom nobody had admitted"
            self._findings.add("I8", row.where, f"{event['by']} acted, {was}")
        elif not approved and actor.role != actor.own and duty.get(actor.person, ("", ""))[1] != actor.role:
            self._findings.add("I8", row.where, f"{event['by']} acted in a position that nobody had assigned")
        least = _AT_LEAST.get(row.kind)
        if least is not None and not actor.at_least(least):
            self._findings.add("I8", row.where, f"{event['by']} acted, and it takes a {least}")
        if actor.role == "patron" and row.kind in _OWN:
            of = event["bet"]["patron"] if "bet" in event else event.get("patron")
            if of != actor.person:
                self._findings.add("I8", row.where, f"{event['by']} acted for {of}")
        return actor
