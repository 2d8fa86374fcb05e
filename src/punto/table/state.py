"""A table's state: immutable, and only the present, not the history. Only events make new states.

Nothing changes the dicts inside. Records that every event creates again are named tuples, because a frozen dataclass
takes four times as long to create.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from punto.rules.cards import Card
from punto.rules.differential import ONE_CENT, Limits
from punto.rules.insurance import Window
from punto.rules.money import Cents
from punto.rules.settlement import Bet, Line
from punto.rules.sheet import Device, Role, Sheet
from punto.table.act import Event
from punto.table.actor import Actor
from punto.table.phases import Phase
from punto.table.values import (
    Adjustment,
    BetLimits,
    Burn,
    Claim,
    Consent,
    Decision,
    Facts,
    Paid,
    RecordedBet,
    Returned,
    Spot,
    SqueezeOf,
    Waits,
)

_NONE: dict[Any, Any] = {}
"""The default of dict fields; nothing changes it."""


NOTHING = Cents(0)


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a table. People call it by its `name`; without one, by its id.

    A game on player terminals has no layout; `boxes` is the number of its terminals. With a layout, 0 boxes mean those
    of the layout. At a live table changes of recorded cards, voids and adjustments wait for another person of at least
    `second_role`; `second_person` asks for the same at an automatic one. A table that runs `without_insurance` is
    private. `differential_cents` is the most on an original bet in a sheet that knows no Differential. At a
    `seated_only` table nobody bets behind a box; a sheet that says who stands knows none. After the call a Dealer alone
    records chips of up to `late_cents` on a spot. Without a `waiver_consent`
    the House is asked at a live table; at an automatic one it never consents, so that one patron cannot end the second
    insurance window for all.
    """

    table: str
    decks: int
    minimum_cents: Cents
    differential_cents: Cents
    unit_cents: Cents = ONE_CENT
    layout: str | None = None
    boxes: int = 0
    sides: tuple[BetLimits, ...] = ()
    face_down: bool = False
    live: bool = False
    without_insurance: bool = False
    second_person: bool = False
    second_role: Role = Role.PIT_SUPERVISOR
    private: bool = False
    seated_only: bool = False
    late_cents: Cents = NOTHING
    waiver_consent: Consent | None = None
    device: Device = Device.CARD_SHOE
    burn: Burn = Burn.NONE
    name: str = ""

    @property
    def shown_name(self) -> str:
        """The name that people call the table by."""
        return self.name or self.table

    @property
    def limits(self) -> Limits:
        """The limits of original bets."""
        return Limits(self.minimum_cents, self.differential_cents, self.unit_cents)

    def side(self, on: str) -> BetLimits | None:
        """The limits of a side bet or of insurance, if it has any of its own."""
        for each in self.sides:  # asked for every bet: no generator
            if each.on == on:
                return each
        return None


class Shoe(NamedTuple):
    """A shoe in play. Only a virtual shoe has an `order`. `seen` counts the copies of each open card that left it.

    From a shuffler every round is dealt from a full set: each set counts as a shoe that has one round.
    """

    number: int
    size: int
    order: tuple[Card, ...] = ()
    cut: int | None = None
    commitment: str | None = None
    drawn: int = 0
    seen: dict[Card, int] = _NONE
    carried: tuple[Card, ...] = ()
    kept: tuple[Card, ...] = ()
    """Cards that belong to no hand of the round in progress, and are carried to the next."""
    reading: int | None = None
    last_round: int | None = None
    removed: bool = False
    checked: bool = False
    shuffled: bool = False
    burned: int = 0
    counted: bool = False

    @property
    def left(self) -> int:
        """The number of cards still to come, including those carried from the previous round."""
        return self.size - self.drawn + len(self.carried)

    @property
    def cut_card_out(self) -> bool:
        """True if the cut card came out."""
        return self.last_round is not None or (self.cut is not None and self.drawn >= self.cut)


@dataclass(frozen=True, slots=True)
class SqueezeRequest:
    """A squeeze request that has no answer yet."""

    patron: str
    what: SqueezeOf
    rule: str


class TableCard(NamedTuple):
    """A card on the table. The value of a closed card is None where the table does not know it."""

    card: Card | None
    is_open: bool


class RoundInPlay(NamedTuple):
    """The round in progress. `bets` are in the order in which they came; `boxes` has their spots by box.

    `cards` are the open cards in dealing order up to the first closed one, and all that play, result and settlement
    depend on. `waiting` are the cards from that closed one on. `squeezers` has the patron who opens a card, by place.

    `taken_back` are the bets that left the round after bets closed. They still count in the Differential, which is that
    of the chips when bets closed.
    """

    number: int
    bets: dict[Spot, Bet] = _NONE
    boxes: dict[int, tuple[Spot, ...]] = _NONE
    cards: tuple[Card, ...] = ()
    asked: frozenset[Spot] = frozenset()
    away: frozenset[str] = frozenset()
    request: SqueezeRequest | None = None
    waived: bool = False
    claims: dict[Window, tuple[Claim, ...]] = _NONE
    claims_rule: str | None = None
    replace_shoe: tuple[Role, str | None] | None = None
    taken_back: tuple[Bet, ...] = ()
    requests: frozenset[tuple[str, SqueezeOf, int]] = frozenset()
    """Squeeze requests so far: patron, squeeze, and the number of cards dealt at that time."""
    walked: dict[str, int] = _NONE
    """The patrons who walked away, with the number of cards dealt when they first did, also if they came back."""
    undoable: bool = False
    """True if the last card was keyed, and neither insurance nor a change of the cards followed it."""
    announced: frozenset[str] = frozenset()
    """The patrons who told the Dealer in the first window that they will insure."""
    forgone: frozenset[str] = frozenset()
    """The patrons who let an offer of the first window pass without a stake or an announcement."""
    limits_lifted: bool = False
    """True if bets over their maximum are settled as they are, by decision."""
    waiting: tuple[TableCard, ...] = ()
    squeezers: dict[int, str] = _NONE
    paid: tuple[Paid, ...] = ()
    """The bets that were paid by decision."""
    declined: frozenset[str] = frozenset()
    """The patrons who said no to the insurance on offer in the open window."""
    recorded: frozenset[Spot] = frozenset()
    """The bets that are chips which the Dealer recorded, and not made at a terminal."""
    went_on: frozenset[str] = frozenset()
    """The patrons who chose to go on after a dealing error."""

    @property
    def dealt(self) -> int:
        """The number of cards dealt, open or closed."""
        return len(self.cards) + len(self.waiting)

    @property
    def closed_places(self) -> tuple[int, ...]:
        """The places of the closed cards, counted from 1."""
        first = len(self.cards) + 1
        return tuple([first + at for at, each in enumerate(self.waiting) if not each.is_open])

    @property
    def visible(self) -> tuple[Card | None, ...]:
        """The cards dealt, in order, None for each closed one: what everyone sees, and no more."""
        return (*self.cards, *[each.card if each.is_open else None for each in self.waiting])

    @property
    def known(self) -> tuple[Card | None, ...]:
        """The cards dealt, in order, with the value of each closed one that the table knows."""
        return (*self.cards, *[each.card for each in self.waiting])

    def at(self, place: int) -> TableCard:
        """The card at a place, counted from 1."""
        at = place - 1
        return TableCard(self.cards[at], True) if at < len(self.cards) else self.waiting[at - len(self.cards)]


@dataclass(frozen=True, slots=True)
class EndedRound:
    """A round that has ended as it stands now: what a correction or a claim needs to know of it.

    A state holds that of the last round until the next begins. Whoever gives a command about an earlier round supplies
    its record, which `past_rounds.record_of` makes from the log: with `other_cards`, the other cards that left the
    shoe of the round, and `cards_left`. `settings` are those of the table in that round. `order_known` says that the
    order of that shoe was known before it was dealt. `cards_at_settlement` are the cards by which the round was first
    settled: insurance was taken on the offers that they make. `paid` are the bets that ended by a decision before.
    """

    number: int
    shoe: int
    cards: tuple[Card, ...]
    bets: tuple[RecordedBet, ...]
    settings: Settings
    taken_back: tuple[Bet, ...] = ()
    other_cards: tuple[Card, ...] = ()
    cards_left: int = 0
    order_known: bool = False
    waived: bool = False
    void: bool = False
    walked: dict[str, int] = field(default_factory=dict)
    claims: tuple[tuple[Window, Claim], ...] = ()
    cards_at_settlement: tuple[Card, ...] = ()
    forgone: frozenset[str] = frozenset()
    paid: tuple[RecordedBet, ...] = ()


DECISIONS_FOR: dict[Waits, tuple[Decision, ...]] = {
    Waits.CHOICES: (),
    Waits.DECISION: (
        Decision.VOID,
        Decision.CONTINUE,
        Decision.OPTIONS,
        Decision.RECONSTRUCT,
        Decision.RETURN_BETS,
        Decision.PAY_BETS,
        Decision.PAY_AMOUNT,
        Decision.CHARGE_AMOUNT,
    ),
    Waits.ORDER: (Decision.ORDER,),
    Waits.APPROVAL: (Decision.APPROVE, Decision.DECLINE),
    Waits.CONFIRMATION: (Decision.APPROVE, Decision.DECLINE),
    Waits.CORRECTION: (),
}
"""The decisions that answer a case, by what it waits for."""


class Case(NamedTuple):
    """An open incident. It waits for a decision of `role`, or for the choice of each patron in `patrons`.

    `previous` is the case that held the table before: another one, or this one before it waited for confirmation.
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
    reordered: bool = False
    continue_rule: str | None = None
    previous: Case | None = None
    round: int = 0
    """The round that it is about: the one in progress or the last when it was reported, or an earlier one."""
    reason: str | None = None
    """The reason of the last decision on it."""
    corrections: tuple[Adjustment, ...] = ()
    """The corrections of an earlier round by the approval that it waits for."""
    cards: tuple[Card, ...] = ()
    """The cards of that earlier round."""


class OnDuty(NamedTuple):
    """Someone on duty: their own role, and the position in which they act, if another.

    `given_by` is who gave them the position, and whoever gave that one theirs.
    """

    own: Role
    position: Role | None = None
    given_by: tuple[str, ...] = ()


class State(NamedTuple):
    """A table. `seats` holds who sits at each box, `standing` who stands behind which.

    `places` holds the boxes of each patron: where they sit comes first. `decks_checked` and `cards_shuffled` are about
    the next shoe. While play is `suspended`, for the reason given there, no round begins.
    """

    sheet: Sheet
    settings: Settings | None = None
    phase: Phase = Phase.NOT_OPEN
    shoe: Shoe | None = None
    shoes: int = 0
    rounds: int = 0
    cases: int = 0
    seats: dict[int, str] = _NONE
    standing: frozenset[tuple[int, str]] = frozenset()
    places: dict[str, tuple[int, ...]] = _NONE
    round: RoundInPlay | None = None
    last: EndedRound | None = None
    case: Case | None = None
    duty: dict[str, OnDuty] = _NONE
    decks_checked: bool = False
    cards_shuffled: bool = False
    suspended: str | None = None

    @property
    def in_last_round(self) -> bool:
        """True if the round in play, or the last one that was, is the last of its shoe."""
        shoe = self.shoe
        return shoe is not None and shoe.last_round is not None and self.rounds >= shoe.last_round

    @property
    def shoe_is_over(self) -> bool:
        """True if no round can begin with this shoe: it was removed, had its last round, or has no card left."""
        shoe = self.shoe
        if shoe is None:
            return False
        return shoe.removed or not shoe.left or self.in_last_round

    @property
    def open_settings(self) -> Settings:
        """The settings of a table that is open by its phase."""
        assert self.settings is not None  # noqa: S101 — the phase was checked
        return self.settings

    @property
    def open_round(self) -> RoundInPlay:
        """The round of a table that has one in progress by its phase."""
        assert self.round is not None  # noqa: S101 — the phase was checked
        return self.round

    @property
    def shoe_in_play(self) -> Shoe:
        """The shoe of a table with a round in progress."""
        assert self.shoe is not None  # noqa: S101 — no round opens without a shoe
        return self.shoe

    @property
    def open_case(self) -> Case:
        """The open case of a table that has one."""
        assert self.case is not None  # noqa: S101 — the log has no ruling without its report
        return self.case

    @property
    def set_is_renewed(self) -> bool:
        """True if the next round is dealt from the full set without loading one: its cards are back in the shuffler.

        A virtual set needs an order of its own for every round, so it is loaded.
        """
        shoe, settings = self.shoe, self.settings
        if shoe is None or settings is None or settings.device is not Device.SHUFFLER:
            return False
        return not shoe.order and not shoe.removed

    @property
    def knows_order(self) -> bool:
        """True if the table knows the order of its shoe."""
        return self.shoe is not None and bool(self.shoe.order)

    @property
    def known_cards(self) -> tuple[Card, ...]:
        """The open cards of the round, or of the last one, and the carried cards, in the order they left the shoe."""
        dealt = self.last.cards if self.last else ()
        if self.round is not None:
            open_later = [each.card for each in self.round.waiting if each.is_open and each.card is not None]
            dealt = (*self.round.cards, *open_later)
        return (*dealt, *self.shoe.carried) if self.shoe else dealt

    @property
    def visible_cards(self) -> tuple[Card | None, ...]:
        """The cards on the table in dealing order, None for each closed one: what every viewer may see, and no more."""
        if self.round is None:
            return self.last.cards if self.last else ()
        return self.round.visible

    def sits_at(self, patron: str) -> int | None:
        """The box at which a patron sits."""
        return next((box for box in self.places.get(patron, ()) if self.seats.get(box) == patron), None)


def new_table(sheet: Sheet) -> State:
    """A table of this sheet that is not open yet."""
    return State(sheet)


def ended_round(state: State, cards: tuple[Card, ...], ended: Iterable[Line | Returned]) -> EndedRound:
    """The record of the round in progress, which ends with these lines of its bets."""
    round_, shoe = state.open_round, state.shoe_in_play
    return EndedRound(
        number=round_.number,
        shoe=shoe.number,
        cards=cards,
        bets=tuple([RecordedBet(each.bet, each.returned_cents) for each in ended]),
        settings=state.open_settings,
        taken_back=round_.taken_back,
        order_known=bool(shoe.order or shoe.commitment),
        waived=round_.waived,
        walked=round_.walked,
        claims=tuple([(window, claim) for window, claims in round_.claims.items() for claim in claims]),
        cards_at_settlement=cards,
        forgone=round_.forgone,
        paid=tuple([RecordedBet(each.bet, each.returned_cents) for each in round_.paid]),
    )


def with_copy(seen: dict[Card, int], card: Card | None) -> dict[Card, int]:
    """The cards seen, with one more."""
    return seen if card is None else seen | {card: seen.get(card, 0) + 1}


def without_squeezes(round_: RoundInPlay, patrons: Collection[str]) -> RoundInPlay:
    """A round without the squeezes and the request of these patrons: they end when a patron leaves or has no bet."""
    request = round_.request
    request = None if request is not None and request.patron in patrons else request
    squeezers = {place: patron for place, patron in round_.squeezers.items() if patron not in patrons}
    return round_._replace(request=request, squeezers=squeezers)


def without_patrons(state: State, patrons: Collection[str]) -> State:
    """The table without the places of these patrons."""
    seats = {box: patron for box, patron in state.seats.items() if patron not in patrons}
    standing = frozenset(place for place in state.standing if place[1] not in patrons)
    places = {patron: boxes for patron, boxes in state.places.items() if patron not in patrons}
    return state._replace(seats=seats, standing=standing, places=places)


def _replaced(record: tuple[object, ...], /, **changes: object) -> tuple[object, ...]:
    """Like `_replace` of a named tuple, in half the time. Every event calls it."""
    kind = type(record)
    values, places = list(record), _PLACES[kind]
    for name, value in changes.items():
        values[places[name]] = value
    return tuple.__new__(kind, values)


_PLACES: dict[type, dict[str, int]] = {
    kind: {name: place for place, name in enumerate(kind._fields)} for kind in (State, RoundInPlay, Shoe, Case)
}


for _kind in _PLACES:
    type.__setattr__(_kind, "_replace", _replaced)
