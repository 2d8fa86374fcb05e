"""A table as the auditor follows it: what lies on it, who is there, and what a viewer may know of it now."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from tests.simulation.auditor.people import Actor
from tests.simulation.auditor.rounds import banker_surely_draws, next_hand, outcome_of, points
from tests.simulation.auditor.settling import Limits, Spot

IN_CASH = "cash:"


@dataclass
class Settings:
    """How a table is set up."""

    game: str
    decks: int
    boxes: int
    limits: Limits
    sides: dict[str, tuple[int, int]]
    face_down: bool
    live: bool
    seated_only: bool
    late: int
    without_insurance: bool
    second_person: bool
    shuffler: bool
    consents: str

    @classmethod
    def of(cls, event: dict[str, Any]) -> Settings:
        """The settings of a table that was opened."""
        given = event["settings"]
        return cls(
            event["game"],
            given["decks"],
            given["boxes"],
            Limits(given["minimum_cents"], given["differential_cents"], given.get("unit_cents", 1)),
            sides_of(given),
            bool(given.get("face_down")),
            bool(given.get("live")),
            bool(given.get("seated_only")),
            given.get("late_cents", 0),
            bool(given.get("without_insurance")),
            bool(given.get("second_person")),
            given.get("device") == "shuffler",
            given["waiver_consent"],
        )


def sides_of(event: dict[str, Any]) -> dict[str, tuple[int, int]]:
    """The limits of side bets and insurance."""
    return {each["on"]: (each["minimum_cents"], each["maximum_cents"]) for each in event.get("sides", ())}


def spot_of(bet: dict[str, Any]) -> Spot:
    """Where a bet lies."""
    return bet["box"], bet["patron"], bet["on"], bet.get("window")


@dataclass
class Round:
    """The round in progress. `cards` are in dealing order, None for each closed one; `stakes` in order of placing."""

    number: int
    shoe: int
    stakes: dict[Spot, int] = field(default_factory=dict)
    references: dict[Spot, str] = field(default_factory=dict)
    cards: list[str | None] = field(default_factory=list)
    closed: bool = False
    window: str | None = None
    away: set[str] = field(default_factory=set)
    walked: set[str] = field(default_factory=set)
    forgone: set[str] = field(default_factory=set)
    announced: set[str] = field(default_factory=set)
    waived: bool = False
    lifted: bool = False
    went_on: set[str] = field(default_factory=set)
    taken_back: dict[Spot, int] = field(default_factory=dict)
    places: list[int] = field(default_factory=list)
    """The place of each card in its shoe, counted from 0."""
    claims: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    squeezers: dict[int, str] = field(default_factory=dict)
    overlooked: bool = False
    asked: set[Spot] = field(default_factory=set)
    recorded: set[Spot] = field(default_factory=set)
    ended: bool = False

    @property
    def open_cards(self) -> list[str]:
        """The open cards up to the first closed one, on which all that follows depends."""
        found = []
        for card in self.cards:
            if card is None:
                break
            found.append(card)
        return found

    @property
    def all_open(self) -> bool:
        """Whether no card is closed."""
        return None not in self.cards

    @property
    def banker_first(self) -> bool:
        """Whether Banker's third card comes and is opened before Player's third is."""
        return self.waived and banker_surely_draws(self.open_cards)


@dataclass
class PastRound:
    """A settled round: what it was settled by, and what each bet has returned by now."""

    cards: list[str]
    settings: Settings
    returned: dict[Spot, int]
    stakes: dict[Spot, int]
    parts: dict[Spot, int]
    shoe: int
    decided: set[Spot] = field(default_factory=set)
    versions: list[str] = field(default_factory=list)
    """Its cards as they were recorded, and as they were corrected."""


@dataclass
class Shoe:
    """A shoe as the log has it: its commitment, and the cards that left it, if nothing but dealing changed them."""

    commitment: str | None
    drawn: list[str | None]
    known: bool = True


class TableState:
    """What the log of a table comes to."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.settings: Settings | None = None
        self.limits: list[Settings] = []
        """The settings that the table has had."""
        self.is_open = False
        self.suspended = False
        self.rounds = 0
        self.shoe: int | None = None
        self.round: Round | None = None
        self.seats: dict[int, str] = {}
        self.standing: set[tuple[int, str]] = set()
        self.duty: dict[str, tuple[str, str]] = {}
        self.cases: dict[int, dict[str, Any]] = {}
        """Open cases by their number, the newest last."""
        self.proposed: dict[int, tuple[Actor, str, list[dict[str, Any]]]] = {}
        """What waits for a second person, by case: who proposed it, who may confirm it, and the events."""
        self.taking_back: set[str] = set()
        """Who chose to take their bets back in the round."""
        self.cut: int | None = None
        self.last_of_shoe: int | None = None
        self.shoe_over = False
        self.shoes: dict[int, Shoe] = {}
        self.past: dict[int, PastRound] = {}
        self.results: list[tuple[int, list[str]]] = []
        """The rounds of the shoe that have a result, with their cards; at a shuffler, all."""
        self.recent: deque[tuple[int, list[str]]] = deque(maxlen=20)
        """The last rounds that have a result, whatever their shoe."""
        self.last_number = 0
        self.last_nets: dict[Spot, int] = {}
        """What each bet of the last round that was settled or voided brought, corrections included."""
        self.last_cards: list[str] = []
        self.carried: list[str] = []
        """The cards that belong to no hand, which the next round begins with."""
        self.kept: list[str] = []
        """Those of the round in progress, which join them at its end."""

    @property
    def now(self) -> Settings:
        """The settings of a table that was opened."""
        assert self.settings is not None
        return self.settings

    def sitter(self, box: int) -> str | None:
        """Who sits at a box, or bets cash there if nobody sits; None if they walked away from the round."""
        patron = self.seats.get(box, f"{IN_CASH}{box}")
        return None if self.round and patron in self.round.away else patron

    def has_place(self, patron: str, box: int) -> bool:
        """Whether a patron sits at a box or stands behind it, and takes part in the round."""
        there = self.seats.get(box) == patron or (box, patron) in self.standing
        return there and not (self.round and patron in self.round.away)

    def minimum_for(self, on: str) -> int:
        """The minimum of a bet."""
        if on in ("player", "banker"):
            return self.now.limits.minimum
        return self.now.sides.get(on, (0, 0))[0]

    def maximum_for(self, on: str, *, ruled: bool) -> int | None:
        """The maximum of a bet, if it has one of its own: an original bet where the sheet knows no Differential."""
        if on in ("player", "banker"):
            return None if ruled else self.now.limits.differential
        return self.now.sides[on][1] if on in self.now.sides else None

    @property
    def visible(self) -> list[str | None]:
        """The cards on the table as everyone may see them."""
        return self.round.cards if self.round else [*self.last_cards]

    @property
    def phase(self) -> str:
        """The phase that a viewer is shown."""
        if self.cases:
            return "held"
        if self.round is None or self.round.ended:
            return "between-rounds" if self.is_open else "not-open"
        round_ = self.round
        if not round_.closed:
            return "betting"
        dealt = len(round_.cards)
        if dealt < 4:
            return "initial-cards"
        if not round_.all_open:
            return "banker-third" if dealt == 5 and round_.banker_first else "opening"
        coming = next_hand(round_.open_cards)
        if coming is None:
            return "result"
        if round_.window:
            return "first-window" if dealt == 4 else "second-window"
        return f"{coming}-third"

    @property
    def points(self) -> dict[str, int | None]:
        """The points of both hands by the cards that can be seen."""
        held: dict[str, list[str]] = {}
        cards = self.visible
        for place, card in enumerate(cards):
            if card is not None and (hand := self.hand_at(cards, place)) is not None:
                held.setdefault(hand, []).append(card)
        return {hand: points(held[hand]) if hand in held else None for hand in ("player", "banker")}

    @staticmethod
    def hand_at(cards: list[str | None], place: int) -> str | None:
        """The hand of a card on the table. After a closed third card only Banker gets one."""
        before = cards[:place]
        if place < 4:
            return ("player", "banker")[place % 2]
        return "banker" if None in before else next_hand([card for card in before if card])

    @property
    def last_results(self) -> list[str]:
        """The last rounds with a result, written as people write them."""
        written = []
        for _, cards in self.recent:
            outcome = outcome_of(cards)
            score = f"{outcome.player}-{outcome.banker}"
            written.append(f"{' '.join(cards)} = {outcome.winner[0].upper()} {score}")
        return written
