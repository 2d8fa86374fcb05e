"""Cases: an incident is reported under a number, ruled or referred, may wait for a second person, and is closed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum

from punto.rules.sheet import Irregularity, Role, Ruling
from punto.table.act import Event, StaffOnly, event
from punto.table.actor import Actor
from punto.table.acts.announcements import announce
from punto.table.draft import Draft
from punto.table.phases import Phase
from punto.table.refusals import RoundHeld
from punto.table.state import Case, State
from punto.table.values import NO_FACTS, Facts, Waits


@event(money=False, significant="incident")
class IncidentReported(Event):
    """An incident was reported. `case` is its number."""

    case: int
    round: int
    situation: str
    facts: StaffOnly[Facts]

    def apply(self, state: State) -> State:
        # A case that was open becomes the previous one. The new case remembers the phase to return to.
        resume = state.case.resume if state.case else state.phase
        case = Case(self.case, self.situation, self.facts, self.by, resume, previous=state.case, round=self.round)
        return state._replace(case=case, cases=self.case)


class RulingEffect(StrEnum):
    """The effect of a ruling, where its name does not say it."""

    NOTHING_TO_VOID = "nothing-to-void"
    SEEN_TOO_LATE = "seen-too-late"
    CONCLUDED = "concluded"
    UNDECIDED = "undecided"
    CARDS_TO_OPEN = "cards-to-open"
    NOT_RECONSTRUCTIBLE = "not-reconstructible"


@event(money=False)
class IncidentRuled(Event):
    """The sheet's answer, with its paragraph. With cards to open, the round is held until they are listed."""

    case: int
    ruling: Ruling
    rule: str | None
    finding: RulingEffect | None = None

    def apply(self, state: State) -> State:
        if self.finding is RulingEffect.CARDS_TO_OPEN:
            return held(state, Waits.CORRECTION, Role.PIT_SUPERVISOR)
        irregularity = state.sheet.irregularities.get(state.open_case.situation)
        new_shoe = irregularity.new_shoe if irregularity else None
        if state.round is None or new_shoe is None or new_shoe.by is None:
            return state
        return state._replace(round=state.round._replace(replace_shoe=(new_shoe.by, new_shoe.rule)))


@event(money=False)
class IncidentReferred(Event):
    """No paragraph answers. The round is held for a decision."""

    case: int
    to: Role
    rule: str | None

    def apply(self, state: State) -> State:
        return held(state, Waits.DECISION, self.to)


def refuse_held(case: Case) -> RoundHeld:
    """The refusal while an open case holds the table."""
    assert case.waits is not None  # noqa: S101 — a case without a wait is closed by the command that opened it
    return RoundHeld(case.number, case.waits, case.role)


def reported(state: State, by: Actor, situation: str, facts: Facts = NO_FACTS, past: int | None = None) -> Draft:
    """An incident under the next case number. It may be about an earlier round."""
    number = past or (state.round.number if state.round else state.rounds)
    return Draft(state, IncidentReported(by, state.cases + 1, number, situation, facts))


def refer(draft: Draft, by: Actor) -> None:
    """Hold the table for the role that decides otherwise, because no paragraph answers."""
    authority = draft.state.sheet.authority
    draft.add(IncidentReferred(by, draft.case.number, authority.decides_otherwise, authority.otherwise_rule))


def ruled(draft: Draft, by: Actor, irregularity: Irregularity, finding: RulingEffect | None = None) -> None:
    """Record the sheet's ruling."""
    draft.add(IncidentRuled(by, draft.case.number, irregularity.ruling, irregularity.rule, finding))


def held(state: State, waits: Waits, role: Role | None) -> State:
    """The state in which the open case waits."""
    return held_by(state, state.open_case._replace(waits=waits, role=role))


def held_by(state: State, case: Case) -> State:
    """The state that a case holds."""
    return state._replace(phase=Phase.HELD, case=case)


@event(money=False)
class ConfirmationAsked(Event):
    """A change of cards, a void or an adjustment waits for a second person of at least the role `to`.

    `events` follow if that person approves.
    """

    case: int
    events: StaffOnly[tuple[Event, ...]]
    to: Role

    def apply(self, state: State) -> State:
        case = state.open_case
        previous = case if case.waits is not None else case.previous
        waiting = case._replace(waits=Waits.CONFIRMATION, role=self.to, pending=self.events, by=self.by)
        return held_by(state, waiting._replace(previous=previous))

    def public(self) -> Event:
        return replace(self, events=tuple([each.public() for each in self.events]))


def is_second(state: State, by: Actor, proposer: str, role: Role) -> bool:
    """True if someone can be the second person for what another proposed.

    A position counts only if neither the proposer nor anyone whom the proposer appointed gave it.
    """
    own, duty = by.own or by.role, state.duty.get(by.person)
    if by.person == proposer or own is None:
        return False
    return own.level >= role.level or duty is None or proposer not in duty.given_by


def propose(draft: Draft, by: Actor, do: Callable[[Draft], None], *, always: bool = False) -> None:
    """Carry out a change of cards, a void or an adjustment. If the table requires it, ask a second person first.

    `always` asks one at every table.

    Whoever approves what another person reported, or orders the cards that another reported, is that second person.
    """
    settings, case = draft.settings, draft.case
    role = settings.second_role
    confirms = case.waits in {Waits.APPROVAL, Waits.ORDER} and is_second(draft.state, by, case.by.person, role)
    if not (settings.second_person or always) or (confirms and by.may_act_as(role)):
        do(draft)
        return
    trial = Draft(draft.state)
    do(trial)
    draft.add(ConfirmationAsked(by, case.number, tuple(trial.events), role))


def add_and_close(draft: Draft, event: Event) -> None:
    """Add the event that a case leads to, and close the case."""
    draft.add(event)
    close_case(draft, event.by)


@event(money=False)
class CaseClosed(Event):
    """The case waits for nothing more. The round continues in the phase that its cards give."""

    case: int

    def apply(self, state: State) -> State:
        case = state.open_case
        previous = case.previous
        while previous is not None and previous.number == self.case:
            previous = previous.previous
        return state._replace(phase=Phase.HELD if previous else case.resume, case=previous)


def close_case(draft: Draft, by: Actor) -> None:
    """Close the case and continue: with the previous case, or where the cards stand now if they were reordered."""
    reordered = draft.case.reordered
    draft.add(CaseClosed(by, draft.case.number))
    previous = draft.state.case
    if previous is None and reordered:
        announce(draft, by)
    elif previous is not None and previous.waits is Waits.CHOICES and not previous.patrons:
        close_case(draft, by)  # the last patron who had to choose has left
