"""What each viewer may do at a table: the table's choices, less what the house itself does not allow."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from punto.protocol.refusals import Automatic
from punto.protocol.shown import Choice, show_choice
from punto.rules.refusals import Refusal
from punto.rules.sheet import Role
from punto.rules.tableau import INITIAL_CARDS
from punto.service.people.person import ADMIN_ROLE, Person
from punto.table import bounds
from punto.table import commands as c
from punto.table.choices import PATRON_COMMANDS, choices, own_choices, patrons_at, shared_choices
from punto.table.phases import Phase
from punto.table.refusals import NotPermitted
from punto.table.state import State

DEALING = (
    c.LoadShoe,
    c.CutCard,
    c.OpenBets,
    c.CloseBets,
    c.Deal,
    c.AnswerSqueeze,
    c.Settle,
    c.RecordBet,
    c.Recover,
)
"""What an automatic table does by itself."""
PLACE_COMMANDS = (c.Sit, c.Stand, c.Leave)
ROUND_COMMANDS = tuple([kind for kind in PATRON_COMMANDS if kind not in PLACE_COMMANDS])


def hidden(state: State) -> bool:
    """Whether the cards on the table still lie face down: the first four are turned together."""
    settings, round_ = state.settings, state.round
    return bool(settings and settings.face_down and round_ and len(round_.cards) < INITIAL_CARDS)


def refuse_in_house(state: State, by: Person, kind: type[c.Command]) -> Refusal | None:
    """What the house does not allow, whatever the table says."""
    if by.role == ADMIN_ROLE:
        return NotPermitted(Role.DEALER)  # an admin has no authority in rounds
    if kind is c.OpenTable:
        return NotPermitted("")  # a table is opened by setting it up
    return Automatic() if by.is_staff and _is_automatic(state) and issubclass(kind, DEALING) else None


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
            allowed.append(_without_cards(choice) if hidden(state) else choice)
    return allowed


def _without_cards(choice: bounds.Choice) -> bounds.Choice:
    """A choice that does not tell which cards lie face down."""
    return choice._replace(
        ways=tuple(
            [
                way._replace(
                    inputs=tuple([replace(each, includes=(), starts_with=(), excluded=()) for each in way.inputs])
                )
                for way in choice.ways
            ]
        )
    )


def _shown(found: Iterable[bounds.Choice]) -> tuple[Choice, ...]:
    return tuple([show_choice(choice) for choice in found])


# ------------------------------------------------------------------------------------------- whose changed

_ASKED_OF_BETTORS = frozenset({Phase.FIRST_WINDOW, Phase.SECOND_WINDOW, Phase.HELD})
"""The phases in which those with bets may insure or must choose."""


def whose_changed(before: State, now: State, boxes: Collection[int]) -> set[str]:
    """The patrons whose own choices may be others than before, where bets changed in these boxes.

    Of what the view refuses to all, one's own choices need not tell.
    """
    round_, was = now.round, before.round
    if (now.seats, now.standing, round_ and round_.away) != (before.seats, before.standing, was and was.away):
        return {*patrons_at(now)}
    if now.phase is Phase.BETTING:
        if before.phase is not Phase.BETTING or before.rounds != now.rounds:
            return {*patrons_at(now)}
        # What may still be bet in a box follows from all bets in it.
        seated = {now.seats[box] for box in boxes if box in now.seats}
        return seated.union([patron for box, patron in now.standing if box in boxes])
    face_down = now.settings is not None and now.settings.face_down
    if round_ is None or not (face_down or now.phase in _ASKED_OF_BETTORS):
        return set()
    # Whoever has the highest bet may squeeze.
    changed = _asked(before) != _asked(now) or (face_down and boxes)
    return {spot.patron for spot in round_.bets} if changed else set()


def _asked(state: State) -> tuple[object, ...]:
    """What squeezes, insurance and choices rest on, but for bets."""
    round_ = state.round
    of_round = (
        (round_.cards, round_.waiting, round_.squeezers, round_.request, round_.requests, round_.waived)
        if round_
        else ()
    )
    return state.phase, state.case, *of_round
