"""A table's state: frozen, small, and never longer than the table's present. `evolve` alone makes new ones.

The dicts inside are never changed in place. What every event makes anew is a named tuple: a frozen dataclass takes four
times as long to make.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple, TypeVar

from punto.rules.cards import Card
from punto.rules.differential import Limits
from punto.rules.insurance import Window
from punto.rules.settlement import Bet, Line
from punto.rules.sheet import Role, Sheet
from punto.table.commands import Actor, BetLimits, Claim, Decision, Facts, SqueezeOf
from punto.table.events import Event
from punto.table.phases import Phase

_NONE: dict[Any, Any] = {}
"""What a record begins with where nothing is there yet."""


class Spot(NamedTuple):
    """Where a bet lies: one bet for each patron, box, bet and (for insurance) window."""

    box: int
    patron: str
    on: str
    window: Window | None = None


def spot_of(bet: Bet) -> Spot:
    """The spot of a bet."""
    return Spot(bet.box, bet.patron, bet.on, bet.window)


@dataclass(frozen=True, slots=True)
class Settings:
    """How a table was set up."""

    table: str
    decks: int
    boxes: int
    limits: Limits
    layout: str | None = None
    sides: dict[str, BetLimits] = field(default_factory=dict)
    face_down: bool = False
    live: bool = False
    without_insurance: bool = False
    second_person: bool = False
    notice: str | None = None


class Shoe(NamedTuple):
    """A shoe in play. `order` is known for a virtual shoe; `seen` counts the cards that left it."""

    number: int
    count: int  # type: ignore[assignment]  # hides a method of tuples that nobody needs here
    order: tuple[Card, ...] = ()
    cut: int | None = None
    commitment: str | None = None
    drawn: int = 0
    seen: dict[Card, int] = _NONE
    carried: tuple[Card, ...] = ()
    reading: int | None = None
    last_round: int | None = None
    removed: bool = False

    @property
    def left(self) -> int:
        """Cards still to come, those carried from the round before included."""
        return self.count - self.drawn + len(self.carried)


@dataclass(frozen=True, slots=True)
class Request:
    """A squeeze that was asked for and not answered."""

    patron: str
    what: SqueezeOf
    rule: str


class RoundInPlay(NamedTuple):
    """The round under way. Bets stand in the order in which they came.

    `taken_back` are those that left it after bets closed: the Differential is still that of the chips at the close.
    """

    number: int
    bets: dict[Spot, Bet] = _NONE
    cards: tuple[Card, ...] = ()
    asked: frozenset[Spot] = frozenset()
    away: frozenset[str] = frozenset()
    request: Request | None = None
    waived: bool = False
    claims: dict[Window, tuple[Claim, ...]] = _NONE
    claims_rule: str | None = None
    replace_shoe: tuple[Role, str] | None = None
    limits_lifted: bool = False
    taken_back: tuple[Bet, ...] = ()
    requests: frozenset[tuple[str, SqueezeOf, int]] = frozenset()
    """Who has asked for which squeeze, with how many cards out."""


class LastRound(NamedTuple):
    """The round settled last, for what may still be corrected before the next begins."""

    number: int
    cards: tuple[Card, ...]
    lines: tuple[Line, ...]
    waived: bool = False
    void: bool = False


class Waits(StrEnum):
    """What an open case waits for."""

    CHOICES = "choices"
    DECISION = "decision"
    ORDER = "order"
    APPROVAL = "approval"
    CONFIRMATION = "confirmation"
    CORRECTION = "correction"


ANSWERS: dict[Waits, tuple[Decision, ...]] = {
    Waits.CHOICES: (),
    Waits.DECISION: (Decision.VOID, Decision.CONTINUE, Decision.OPTIONS, Decision.RECONSTRUCT),
    Waits.ORDER: (Decision.ORDER,),
    Waits.APPROVAL: (Decision.APPROVE, Decision.DECLINE),
    Waits.CONFIRMATION: (Decision.APPROVE, Decision.DECLINE),
    Waits.CORRECTION: (),
}
"""The decisions that answer a case."""


class Case(NamedTuple):
    """An irregularity and what it waits for: nothing yet, a role's word, or the choice of each patron in `patrons`.

    `under` is what held the table before: another case, or this one before a second person was asked to confirm.
    """

    number: int
    situation: str
    facts: Facts
    by: Actor
    resume: Phase
    waits: Waits | None = None
    role: Role | None = None
    patrons: tuple[str, ...] = ()
    pending: tuple[Event, ...] = ()
    relaid: bool = False
    continue_rule: str | None = None
    under: Case | None = None

    @property
    def holds(self) -> str:
        """That the case holds the table, and for what, in words."""
        return f"case {self.number} holds the table and waits for {self.waiting_for}"

    @property
    def waiting_for(self) -> str:
        """What the case waits for, in words."""
        who = f"the {self.role.spoken} or above" if self.role else "someone"
        return {
            Waits.CHOICES: f"the choice of {', '.join(self.patrons)}",
            Waits.DECISION: f"the decision of {who}",
            Waits.ORDER: f"the order of the cards from {who}",
            Waits.APPROVAL: f"the approval of {who}",
            Waits.CONFIRMATION: "a second person to confirm",
            Waits.CORRECTION: f"the right cards from {who}",
        }.get(self.waits or Waits.DECISION, "a ruling")


class State(NamedTuple):
    """A table. `seats` holds who sits at each box, `standing` who stands behind which."""

    sheet: Sheet
    settings: Settings | None = None
    phase: Phase = Phase.NOT_OPEN
    shoe: Shoe | None = None
    shoes: int = 0
    rounds: int = 0
    cases: int = 0
    seats: dict[int, str] = _NONE
    standing: frozenset[tuple[int, str]] = frozenset()
    round: RoundInPlay | None = None
    last: LastRound | None = None
    case: Case | None = None

    @property
    def shoe_is_over(self) -> bool:
        """Whether the shoe is out of play, has had its last round or has no card left: no round can begin with it."""
        shoe = self.shoe
        if shoe is None:
            return False
        return shoe.removed or not shoe.left or (shoe.last_round is not None and self.rounds >= shoe.last_round)

    def sits_at(self, patron: str) -> int | None:
        """The box at which a patron sits."""
        return next((box for box, seated in self.seats.items() if seated == patron), None)


def new_table(sheet: Sheet) -> State:
    """A table of this sheet before it is opened."""
    return State(sheet)


def known_cards(state: State) -> tuple[Card, ...]:
    """The cards of the round (or of the one just settled) and those carried on, in the order they left the shoe."""
    dealt = state.round.cards if state.round else state.last.cards if state.last else ()
    return (*dealt, *state.shoe.carried) if state.shoe else dealt


R = TypeVar("R", bound=tuple[Any, ...])
_PLACES: dict[type, dict[str, int]] = {
    kind: {name: place for place, name in enumerate(kind._fields)}
    for kind in (State, RoundInPlay, Shoe, Case, LastRound)
}


def changed(record: R, **changes: Any) -> R:
    """A record of a table's state with some fields changed: its `_replace`, in half the time.

    Every event of a table goes through here, so it pays to be quick.
    """
    kind = type(record)
    values, places = list(record), _PLACES[kind]
    for name, value in changes.items():
        values[places[name]] = value
    return tuple.__new__(kind, values)
