"""Declarations of a table's acts and events, and the registry of them all.

An *act* is a command that somebody gives. It states who may give it, in which phases, its fields, the ways in which it
is accepted now, and the events that follow or its refusal. An *event* states what it changes, which money it moves, who
may see which of its fields, whom it concerns, and under which heading it is significant. Whatever is known of an act or
an event stands in its class; everything else asks the class. What a declaration leaves out is an error at import.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeVar, cast, dataclass_transform, get_type_hints

from punto.rules.refusals import Refusal, kebab
from punto.rules.sheet import Role
from punto.table.actor import Actor
from punto.table.phases import Phase
from punto.table.refusals import WrongPhase
from punto.table.ways import Asking, Input, Way, Ways

if TYPE_CHECKING:
    from punto.table.draft import Draft
    from punto.table.money import Money
    from punto.table.state import EndedRound, State
    from punto.table.values import BetLine, Told

T = TypeVar("T")
Kind = TypeVar("Kind", bound=type)


# ------------------------------------------------------------------------------------------- who sees what


class Sees(StrEnum):
    """The audience of an event's field besides staff."""

    NAMED = "named"
    """The patrons whom the event concerns; the others read the name of the patron instead."""
    OWN = "own"
    """The patrons whom the event concerns."""
    STAFF = "staff"
    """Nobody."""
    NOBODY = "nobody"
    """Not even staff: the field is for the log alone."""


Named = Annotated[T, Sees.NAMED]
Own = Annotated[T, Sees.OWN]
StaffOnly = Annotated[T, Sees.STAFF]
Secret = Annotated[T, Sees.NOBODY]


# ------------------------------------------------------------------------------------------- events


@dataclass(frozen=True, slots=True)
class Event:
    """The base of all events: who caused it."""

    by: Actor

    kind: ClassVar[str]
    significant: ClassVar[str | None]
    """The heading under which every such event is significant."""
    has_lines: ClassVar[bool]
    """True if it says what became of bets."""
    tells: ClassVar[bool]
    """True if it has news that patrons must read."""
    records: ClassVar[bool]
    """True if it makes or changes the record of a round that has ended."""

    def apply(self, state: State) -> State:
        """The state after this event. There are no checks here: `decide` made them before the event was recorded."""
        raise NotImplementedError

    def money(self) -> tuple[Money, ...]:
        """The money that it moves."""
        return ()

    def bet_lines(self) -> tuple[BetLine, ...]:
        """The lines of bets that it ended."""
        return ()

    def told(self) -> tuple[Told, ...]:
        """The news that patrons must read, since it moved their money otherwise than by a bet or its settlement."""
        return ()

    def ended_record(self, record: EndedRound | None, before: State) -> EndedRound | None:
        """The record of its round after this event, which ends that round or changes what became of it."""
        return record

    def concerns(self) -> frozenset[str]:
        """The patrons whose own money or choice it is about: those that it names."""
        named = getattr(self, "patron", None) or getattr(getattr(self, "bet", None), "patron", None)
        return frozenset([named] if named else [line.bet.patron for line in self.bet_lines()])

    def public(self) -> Event:
        """The event as anyone may see it, staff included: without cards that nobody has seen."""
        return self

    @classmethod
    def hidden_fields(cls) -> Mapping[str, Sees]:
        """The fields that not everyone sees, with those who do."""
        return _hidden_fields(cls.kind)


@cache
def _hidden_fields(kind: str) -> dict[str, Sees]:
    hints = get_type_hints(EVENTS[kind], include_extras=True)
    return {name: hint.__metadata__[0] for name, hint in hints.items() if hasattr(hint, "__metadata__")}


# ------------------------------------------------------------------------------------------- acts


@dataclass(frozen=True, slots=True)
class Command:
    """The base of all acts: who gives the command. The caller supplies time, ids and the order of cards."""

    by: Actor

    kind: ClassVar[str]
    authority: ClassVar[Role | None]
    """The lowest role that may give it. None: a patron for themselves, and staff on a patron's behalf."""
    during: ClassVar[frozenset[Phase]]
    at_request: ClassVar[bool]
    """True if staff do it for a patron who asks them across a live table. At an automatic table nobody can ask, so
    patrons do it themselves. Giving the command is the record of the request: the event names who gave it."""
    of_automat: ClassVar[bool]
    """True if an automatic table does it by itself."""
    names_round: ClassVar[bool]
    """True if it may name the round that it is meant for."""
    makes_bets: ClassVar[bool]
    """True if it makes or changes bets, which staff do not where the sheet has player terminals."""

    @classmethod
    def refuse(cls, state: State, by: Actor) -> Refusal | None:
        """The reason why someone cannot give it now, whatever its target. `ways` and `decide` come after it."""
        return None

    @classmethod
    def inputs(cls, state: State) -> tuple[Input, ...]:
        """The fields that a person fills in, of a command that has no target."""
        return ()

    @classmethod
    def ways(cls, state: State, asking: Asking) -> Ways[Way]:
        """The ways in which it is accepted now, or why it is not."""
        return (Way(inputs=cls.inputs(state)),)

    @classmethod
    def shared_ways(cls, state: State) -> Ways[Way]:
        """The ways that all patrons share, of what needs no place at the table; none: each patron has their own."""
        return ()

    def refuse_given(self, state: State) -> Refusal | None:
        """The refusal of this command by who gives it for whom. `decide` comes after it."""
        return self.refuse(state, self.by)

    def decide(self, state: State) -> Draft | Refusal:
        """The events that follow and the state after them, or the first refusal in the order of precedence."""
        raise NotImplementedError

    @classmethod
    def refuse_phase(cls, state: State) -> Refusal:
        """The refusal in a phase that is not one of `during`."""
        return WrongPhase(cls.kind, state.phase)

    def refuse_first(self, state: State) -> Refusal | None:
        """A refusal that comes before those of authority and phase."""
        return None

    def round_needed(self, state: State) -> int | None:
        """The number of the earlier round whose record must be supplied before it is decided."""
        return None

    def names_cards(self, state: State) -> bool:
        """True if it names cards that are compared with an unseen order, so that its refusal tells something, too."""
        return False

    def opens_cards(self, state: State) -> bool:
        """True if it may show a card that nobody has seen."""
        return False


@dataclass(frozen=True, slots=True)
class PatronCommand(Command):
    """A command that a patron gives, or staff on the patron's behalf."""

    patron: str

    @classmethod
    def refuse_patron(cls, state: State, patron: str) -> Refusal | None:
        """The reason why a patron cannot give it, or staff for them, of a command that has no other target."""
        return None

    @classmethod
    def ways(cls, state: State, asking: Asking) -> Ways[Way]:
        return [cls.refuse_patron(state, each) or Way(patron=asking.name(each)) for each in asking.boxes]

    def refuse_given(self, state: State) -> Refusal | None:
        return self.refuse(state, self.by) or self.refuse_patron(state, self.patron)


@dataclass(frozen=True, slots=True)
class BetCommand(PatronCommand):
    """A patron's command about a bet in a box."""

    box: int
    on: str


# ------------------------------------------------------------------------------------------- the registry

COMMANDS: dict[str, type[Command]] = {}
"""Every command by its name in JSON."""
EVENTS: dict[str, type[Event]] = {}
"""Every event by its name in JSON."""
_closed: list[str] = []


class DeclarationError(TypeError):
    """An act or event leaves out what it must state."""


@dataclass_transform(frozen_default=True)
def event(*, money: bool, significant: str | None = None) -> Callable[[Kind], Kind]:
    """Declare an event. Whether it moves money is said aloud, and an event that does says which."""

    def declare(cls: Kind) -> Kind:
        made = _declared(cls, EVENTS, ("apply", "money") if money else ("apply",), significant=significant)
        made.has_lines, made.tells = made.bet_lines is not Event.bet_lines, made.told is not Event.told
        made.records = made.ended_record is not Event.ended_record
        if not money and made.money is not Event.money:
            raise DeclarationError(f"{cls.__name__} moves money and says that it moves none")
        return cast("Kind", made)

    return declare


@dataclass_transform(frozen_default=True)
def act(
    *,
    by: Role | None,
    during: Iterable[Phase],
    at_request: bool = False,
    of_automat: bool = False,
    names_round: bool = False,
    makes_bets: bool = False,
    late: Callable[[State], Refusal] | None = None,
) -> Callable[[Kind], Kind]:
    """Declare an act: who may give the command (None: a patron, too), in which phases, and the refusal in others."""

    def declare(cls: Kind) -> Kind:
        stated: dict[str, object] = {"authority": by, "during": frozenset(during), "at_request": at_request}
        stated |= {"of_automat": of_automat, "names_round": names_round, "makes_bets": makes_bets}
        stated |= {"refuse_phase": staticmethod(late)} if late else {}
        made = _declared(cls, COMMANDS, ("decide",), **stated)
        asked = [each.name for each in fields(made) if each.default is MISSING and each.name not in {"by", "patron"}]
        if asked and not (_states(made, "ways") or _states(made, "inputs")):
            raise DeclarationError(f"{cls.__name__} does not say its ways, which ask for {' and '.join(asked)}")
        return cast("Kind", made)

    return declare


def _declared(cls: type, registry: dict[str, Any], needed: Iterable[str], **stated: object) -> Any:
    # Class keywords and `super()` do not survive `slots=True`, which makes the class anew: hence a decorator.
    made: Any = dataclass(frozen=True, slots=True)(cls)
    if left_out := [name for name in needed if not _states(made, name)]:
        raise DeclarationError(f"{cls.__name__} does not say its {' and '.join(left_out)}")
    if _closed:
        raise DeclarationError(f"{cls.__name__} comes too late: list its module in punto.table.acts")
    made.kind = kind_of(cls)
    if made.kind in registry:
        raise DeclarationError(f"{made.kind} is declared twice")
    for name, value in stated.items():
        setattr(made, name, value)
    registry[made.kind] = made
    return made


def _states(declared: type, name: str) -> bool:
    """True if an act or event states something by itself, or by a class that it shares with others."""
    return any(name in vars(each) for each in declared.__mro__ if each not in {Event, Command, PatronCommand})


def close_registry() -> None:
    """Take no more declarations: the protocol makes its messages of those that there are."""
    _closed.append("closed")


def kind_of(each: type) -> str:
    """The name of a class in JSON: PlaceBet is `place-bet`."""
    return kebab(each.__name__)
