"""The choices of each viewer at a table: the table's own, less what the house itself does not allow."""

from __future__ import annotations

from collections.abc import Iterable

from punto.protocol import shown
from punto.protocol.refusals import Automatic
from punto.rules.refusals import Refusal
from punto.rules.sheet import Role
from punto.service.people.person import ADMIN_ROLE, Person
from punto.table import acts
from punto.table.act import PatronCommand
from punto.table.engine import choices, patron_commands
from punto.table.refusals import NotLive, NotPermitted
from punto.table.state import State
from punto.table.ways import AnyChoice, Choice

PLACE_COMMANDS = (acts.Sit, acts.Stand, acts.Leave)
ROUND_COMMANDS = tuple([kind for kind in patron_commands() if kind not in PLACE_COMMANDS])


def refuse_in_house(state: State, by: Person, kind: type[acts.Command]) -> Refusal | None:
    """The refusal by the house, whatever the table says."""
    if by.role == ADMIN_ROLE:
        return NotPermitted(Role.DEALER)  # an admin has no authority in rounds
    if kind is acts.OpenTable:
        return NotPermitted("")  # a table is opened by setting it up
    if not by.is_staff or not _is_automatic(state) or _is_asked(state, kind):
        return None
    if kind.at_request:
        return NotLive(rule=state.sheet.authority.bets_for_patrons_rule)
    return Automatic() if kind.of_automat else None


def _is_asked(state: State, kind: type[acts.Command]) -> bool:
    """True if a person must answer a request: one that ends the insurance window of others."""
    request = state.round.request if state.round else None
    return kind is acts.AnswerSqueeze and request is not None and request.what.waives


def _is_automatic(state: State) -> bool:
    return state.settings is not None and not state.settings.live


# ------------------------------------------------------------------------------------------- in views


def own_of_staff(state: State, person: Person) -> tuple[shown.Choice, ...]:
    """The choices of someone on the staff. At an automatic table they ask for those of a patron by name."""
    if person.staff is None:
        return ()
    found = choices(state, person.actor, () if _is_automatic(state) else None)
    return show_choices(_in_house(state, person, found, for_patrons=not _is_automatic(state)))


def all_choices(state: State, person: Person, patron: str | None = None) -> tuple[shown.Choice, ...]:
    """Every command that someone may ever give, and whether they may now; staff may act for one patron."""
    if person.is_patron:
        own = [each for each in choices(state, person.actor) if acts.COMMANDS[each.kind] in patron_commands()]
        return show_choices(own)
    if person.staff is None:
        return ()
    found = choices(state, person.actor, None if patron is None else [patron])
    return show_choices(_in_house(state, person, found, for_patrons=True))


def _in_house(state: State, person: Person, found: Iterable[AnyChoice], *, for_patrons: bool) -> list[AnyChoice]:
    allowed = list[AnyChoice]()
    for choice in found:
        kind = acts.COMMANDS[choice.kind]
        if refusal := refuse_in_house(state, person, kind):
            allowed.append(Choice(choice.kind, refusal=refusal))
        elif for_patrons or not issubclass(kind, PatronCommand):
            allowed.append(choice)
    return allowed


def show_choices(found: Iterable[AnyChoice]) -> tuple[shown.Choice, ...]:
    """Choices as they travel."""
    return tuple([shown.show_choice(choice) for choice in found])
