"""What each viewer may do at a table: the table's choices, less what the house itself does not allow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from punto.protocol.refusals import Automatic
from punto.protocol.shown import Choice, show_choice
from punto.rules.refusals import Refusal
from punto.rules.sheet import Role
from punto.service.people.person import ADMIN_ROLE, Person
from punto.table import bounds
from punto.table import commands as c
from punto.table.choices import PATRON_COMMANDS, choices, own_choices, shared_choices
from punto.table.refusals import NotLive, NotPermitted
from punto.table.roles import AT_REQUEST
from punto.table.state import State

DEALING = (
    c.LoadShoe,
    c.CutCard,
    c.OpenBets,
    c.CloseBets,
    c.Deal,
    c.OpenCard,
    c.AnswerSqueeze,
    c.Settle,
    c.RecordBet,
    c.Recover,
    c.CheckDecks,
    c.ShuffleCards,
    c.BurnCards,
    c.CountShoe,
)
"""What an automatic table does by itself."""
PLACE_COMMANDS = (c.Sit, c.Stand, c.Leave)
ROUND_COMMANDS = tuple([kind for kind in PATRON_COMMANDS if kind not in PLACE_COMMANDS])


def refuse_in_house(state: State, by: Person, kind: type[c.Command]) -> Refusal | None:
    """What the house does not allow, whatever the table says."""
    if by.role == ADMIN_ROLE:
        return NotPermitted(Role.DEALER)  # an admin has no authority in rounds
    if kind is c.OpenTable:
        return NotPermitted("")  # a table is opened by setting it up
    if not by.is_staff or not _is_automatic(state) or _is_asked(state, kind):
        return None
    if kind in AT_REQUEST:
        return NotLive(rule=state.sheet.authority.bets_for_patrons_rule)
    return Automatic() if issubclass(kind, DEALING) else None


def _is_asked(state: State, kind: type[c.Command]) -> bool:
    """Whether a person must answer a request: one that ends the insurance window of others."""
    request = state.round.request if state.round else None
    return kind is c.AnswerSqueeze and request is not None and request.what.waives


def _is_automatic(state: State) -> bool:
    return state.settings is not None and not state.settings.live


# ------------------------------------------------------------------------------------------- in views


def shared_by_all(state: State) -> tuple[Choice, ...]:
    """What all patrons share."""
    return _shown(shared_choices(state))


def own_of_patron(
    state: State, patron: str, boxes: Sequence[int], kinds: Iterable[type[c.Command]]
) -> tuple[Choice, ...]:
    """What is a patron's own to do, of these commands."""
    return _shown(own_choices(state, patron, boxes, kinds))


def own_of_staff(state: State, person: Person) -> tuple[Choice, ...]:
    """What is someone's to do on the staff. At an automatic table they ask for the choices of a patron by name."""
    if person.staff is None:
        return ()
    found = choices(state, person.actor, () if _is_automatic(state) else None)
    return _shown(_in_house(state, person, found, for_patrons=not _is_automatic(state)))


def all_choices(state: State, person: Person, patron: str | None = None) -> tuple[Choice, ...]:
    """Every command that someone may ever give, and whether they may now; staff may act for one patron."""
    if person.is_patron:
        return _shown([each for each in choices(state, person.actor) if c.COMMANDS[each.kind] in PATRON_COMMANDS])
    if person.staff is None:
        return ()
    found = choices(state, person.actor, None if patron is None else [patron])
    return _shown(_in_house(state, person, found, for_patrons=True))


def _in_house(
    state: State, person: Person, found: Iterable[bounds.Choice], *, for_patrons: bool
) -> list[bounds.Choice]:
    allowed = []
    for choice in found:
        kind = c.COMMANDS[choice.kind]
        if refusal := refuse_in_house(state, person, kind):
            allowed.append(bounds.Choice(choice.kind, refusal=refusal))
        elif for_patrons or not issubclass(kind, c.PatronCommand):
            allowed.append(choice)
    return allowed


def _shown(found: Iterable[bounds.Choice]) -> tuple[Choice, ...]:
    return tuple([show_choice(choice) for choice in found])
