"""The messages that exist at the edge alone: what comes in but commands, and what goes out but events and refusals.

Every amount is in whole cents and ends in `_cents`; every time is in milliseconds since the epoch and ends in `_ms`.
What comes in is read strictly by `codec.Reader`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from punto.protocol.codec import strict
from punto.protocol.derive import Deriver, Expected
from punto.protocol.shown import AnyRefusal, Bet, BetLimits, BetLine, Choice, Claim, DrawReason, Event, Facts, Input
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.money import MAX_CENTS
from punto.rules.outcome import Winner
from punto.rules.reasons import Wanted
from punto.rules.sheet import Device, Ruling
from punto.table.automatic import StandingOrder
from punto.table.phases import Phase
from punto.table.shoe_proof import PlayedRound, PutAside
from punto.table.state import Settings
from punto.table.values import Burn, CardChange, Consent, Option, SqueezeOf, ToldCode, Waits

LONGEST_NAME = 40
LONGEST_MS = 3_600_000
REF = "#/components/schemas/{name}"

Mode = Literal["automatic", "live"]
RoleName = Literal["patron", "dealer", "pit-supervisor", "pit-manager", "shift-manager", "casino-manager", "admin"]


Amount = Annotated[int, Meta(ge=1, lt=MAX_CENTS), Expected(Wanted.CENTS_ABOVE_ZERO)]
Name = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME), Expected(Wanted.PERSON_NAME)]
TICKET_DIGITS = 24
"""The digits of a ticket's number."""
TicketNumber = Annotated[str, Meta(pattern=rf"^\d{{{TICKET_DIGITS}}}$"), Expected(Wanted.TICKET_NUMBER)]
MOST_NOTICES = 100
"""The most notices that are given at once."""
TotalsBy = Literal["day", "session"]
"""The period that each total of a statement covers."""
NoticeCode = Literal[ToldCode, "debt-collected", "token-replaced"]
Pace = Annotated[int, Meta(ge=0, le=LONGEST_MS), Expected(Wanted.PACE)]


class Outgoing(Struct, frozen=True, gc=False):
    """The base of everything that goes out."""


# ------------------------------------------------------------------------------------------- what comes in


class Incoming(Struct, frozen=True, forbid_unknown_fields=True):
    """The base of every body: fields that are not named are refused."""


class Join(Incoming, frozen=True):
    """Someone comes in by the open door."""

    name: Name


class NewPerson(Incoming, frozen=True):
    """Someone whom staff let in."""

    name: Name
    role: RoleName


class NewToken(Incoming, frozen=True):
    """The reason for a new token; the log and its owner have it from there."""

    reason: Annotated[str, Meta(max_length=200)] = ""


class BuyCredits(Incoming, frozen=True):
    """The amount to buy."""

    amount_cents: Amount


class CashOut(Incoming, frozen=True):
    """The amount to cash out; all of it if nothing is said."""

    amount_cents: Amount | UnsetType = UNSET


class UseTicket(Incoming, frozen=True):
    """The number of a ticket."""

    ticket: TicketNumber


class NoticesRead(Incoming, frozen=True):
    """The ids of notices that were read."""

    ids: tuple[str, ...]


class TableTiming(Incoming, frozen=True):
    """The pace of an automatic table. What is not said stays as the house has it."""

    betting_ms: Pace | UnsetType = UNSET
    card_ms: Pace | UnsetType = UNSET
    insurance_ms: Pace | UnsetType = UNSET
    pause_ms: Pace | UnsetType = UNSET
    squeeze_ms: Pace | UnsetType = UNSET


_new_table = Deriver(
    strict.wires,
    strict=True,
    omitted=lambda _kind, name: name == "live",
    may_be_unset=lambda _kind, name: name == "second_role",
)
_settings = _new_table.derive(Settings, "TableSettings", extra_fields=[("mode", Mode), ("timing", TableTiming)]).struct
NewTable: Any = msgspec.defstruct(
    "NewTable",
    [("game", Name), ("asked_by", str | None, None)],
    bases=(_settings,),
    namespace={
        "__doc__": "A table to set up: its game and settings, its mode (automatic if not said) and its timing.\n\n"
        "`asked_by` is the patron at whose request it runs without insurance."
    },
    kw_only=True,
    frozen=True,
    forbid_unknown_fields=True,
)


class SetUp(Outgoing, frozen=True):
    """The settings of a new table of a game: its inputs, values to begin with, and bets with limits of their own.

    The first of the values that an input allows is the usual one. `live` stands for the mode. In steps of
    `exact_unit_cents` every line pays whole cents; on other amounts a win is rounded down to the cent. `timing` is the
    usual pace of an automatic table.
    """

    game: str
    inputs: tuple[Input, ...]
    suggested: dict[str, int]
    limited: tuple[str, ...]
    exact_unit_cents: int
    timing: dict[str, int]


AccountKind = Literal["patron", "staff"]
"""The accounts of one browser, which may be a patron's and a member of staff's at once."""


class SignIn(Incoming, frozen=True):
    """A token to be kept for a page, in a cookie that no script can read."""

    account: AccountKind
    token: str


class SignOut(Incoming, frozen=True):
    """The account whose cookie is to go."""

    account: AccountKind


class Hello(Incoming, frozen=True, tag_field="type", tag="hello"):
    """The first message of a socket: who connects, and the last sequence number they have seen.

    A page has no token at hand: it names the account whose cookie came with the connection.
    """

    token: str | None = None
    after: int | None = None
    account: AccountKind | None = None


class Ping(Incoming, frozen=True, tag_field="type", tag="ping"):
    """Asks for a pong."""


class GiveCommand(Incoming, frozen=True, tag_field="type", tag="command"):
    """A command under its idempotency key. The command is read after the key, so that a refusal can name it."""

    key: str
    command: Annotated[Any, Meta(extra_json_schema={"$ref": REF.format(name="Command")})]


ClientMessage = Hello | Ping | GiveCommand
"""The messages that a socket takes."""


# ------------------------------------------------------------------------------------------- people and money


class Person(Outgoing, frozen=True):
    """Someone known to the house."""

    id: str
    name: str
    role: RoleName


MemberChoice = Literal["token", "consent", "dismissal"]
"""The measures about someone: a new token asked for, and given when another asks too; that agreed to; dismissed."""


class Member(Person, frozen=True):
    """Someone known to the house, as those see them who admit such people.

    `may` is what the one who asks may do about them, `asked_by` who has asked for a new token of theirs, and `ended`
    is true for one whose token was ended.
    """

    may: tuple[MemberChoice, ...]
    asked_by: tuple[Person, ...]
    ended: bool


class Desk(Outgoing, frozen=True):
    """One's place at the desk of the house: who one is.

    `may` are the routes that one may ask for and not everybody, and `admits` the roles in which one may admit people.
    """

    person: Person
    may: tuple[str, ...]
    admits: tuple[RoleName, ...]


class Admitted(Outgoing, frozen=True):
    """A new person with their token, which is shown this once."""

    person: Person
    token: str


class TokenView(Outgoing, frozen=True):
    """A token of one's own: when it ends, and who of the staff gave it in place of another."""

    ends_at_ms: int | None
    given_by: tuple[str, ...] = ()


class Account(Person, frozen=True):
    """Oneself. Only patrons have a balance, and may owe something, which their next credits pay first."""

    balance_cents: int | None
    owed_cents: int | None


class OwnAccount(Account, frozen=True):
    """Oneself, and whether one helps oneself to credits, as patrons do in a demonstration."""

    free_credit: bool


class Debt(Outgoing, frozen=True):
    """A patron's debt to the House after a correction, for staff."""

    patron: str
    name: str
    owed_cents: int


class Ticket(Outgoing, frozen=True):
    """A ticket for credits or cash, for whoever has it. `patron` is who cashed out; None for one that the cage sold."""

    ticket: str
    amount_cents: int
    at_ms: int
    patron: str | None


class PrintedTicket(Ticket, frozen=True):
    """A ticket with its number as a scannable code, as SVG."""

    code_svg: str


class OwnTicket(PrintedTicket, frozen=True):
    """A ticket of one's own that one printed."""

    used: bool


class CheckedTicket(Ticket, frozen=True):
    """A ticket by the house's log: who issued it, when and by whom it was used, and why it is not paid now."""

    by_name: str
    used_at_ms: int | None
    used_by_name: str | None
    refusal: AnyRefusal | None


class Cage(Outgoing, frozen=True):
    """The cage: the tickets that are not used yet, and what patrons owe.

    At most `maximum_cents` are sold at once, and more than `alone_cents` by two people.
    """

    tickets: int
    tickets_cents: int
    receivables_cents: int
    debts: tuple[Debt, ...]
    maximum_cents: int
    alone_cents: int


class Movement(Outgoing, frozen=True):
    """A movement of one's money, with the balance before and after it. `place` names it when asking for older ones.

    `owed_cents` is what it adds to one's debt to the House, or takes from it. A correction that makes a debt moves no
    credit. `rule` is the paragraph of a void, a correction or a decision. `on` is the bet of a stake.
    `by` is who of the staff placed the bet or sold the credits, with their role, and `by_name` their name; None where
    one did it oneself.
    """

    place: str
    at_ms: int
    table: str | None
    round: int | None
    seq: int
    reason: str
    bet: str
    amount_cents: int
    before_cents: int
    after_cents: int
    owed_cents: int
    rule: str | None
    by: str | None = None
    by_name: str | None = None
    on: str | None = None


class StatementEntry(Outgoing, frozen=True):
    """A change of one's money by a round or (with a `reason`) outside of play. `place` names it for paging.

    `net_cents` is what one won or lost by it. A correction is an entry of its own, at its own time. The movements come
    oldest first. In an `in_play` round bets are still to be settled.
    """

    place: str
    at_ms: int
    table: str | None
    round: int | None
    reason: str | None
    in_play: bool
    net_cents: int
    after_cents: int
    owed_cents: int
    rule: str | None
    movements: tuple[Movement, ...]


class Notice(Outgoing, frozen=True):
    """Something about one's money or token that one has not marked as read yet: `code` says what it is.

    `amount_cents` is what one got or owes by it, as the code says. `by` are the names of those who gave a token.
    """

    id: str
    at_ms: int
    code: NoticeCode
    table: str | None = None
    round: int | None = None
    rule: str | None = None
    amount_cents: int = 0
    by: tuple[str, ...] = ()


class StatementTotal(Outgoing, frozen=True):
    """One's money over a session, or over the gaming day `day`. `place` names it when asking for older ones.

    A session lasts until a cash-out that leaves no credit. `net_cents` is what one won or lost, corrections too.
    """

    place: str
    day: str | None
    from_ms: int
    to_ms: int
    rounds: int
    bought_cents: int
    cashed_out_cents: int
    net_cents: int
    after_cents: int


# ------------------------------------------------------------------------------------------- refusals


class ProblemDetails(Outgoing, frozen=True):
    """The reason why a request was not carried out (RFC 9457). `refusal` is for programs; `detail` is for people."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    rule: str | None
    refusal: AnyRefusal


# ------------------------------------------------------------------------------------------- a table


class GameSummary(Outgoing, frozen=True):
    """A game in the list."""

    id: str
    title: str
    short: str
    effective: str
    decks: tuple[int, int]
    layouts: dict[str, int]
    bets: tuple[str, ...]
    zh: dict[str, str]


class RoadMark(Outgoing, frozen=True):
    """One mark of a small big road, without its ties and pairs."""

    column: int
    row: int
    colour: Literal["red", "blue", "green"]


class TableSummary(Outgoing, frozen=True):
    """A table as the lobby shows it. `notice_rule` is the paragraph of a notice that binds everyone who joins.

    `road` has the newest columns of the big road, counted from 0. `without_dealer` is true between rounds of a live
    table where no Dealer is on duty.
    """

    id: str
    name: str
    game: str
    title: str
    mode: Mode | None
    without_dealer: bool
    phase: Phase
    round: int
    shoe: int
    minimum_cents: int | None
    differential_cents: int | None
    boxes: int
    patrons: int
    notice_rule: str | None
    last: tuple[Winner, ...]
    face_down: bool
    private: bool
    road: tuple[RoadMark, ...]


class TableLimits(Outgoing, frozen=True):
    """The limits of bets, and the chips in which they can be put together, the smallest first."""

    minimum_cents: int
    differential_cents: int
    unit_cents: int
    sides: tuple[BetLimits, ...]
    chips_cents: tuple[int, ...]


class TableView(Outgoing, frozen=True):
    """The state of a table; most of it is null, false or zero at one that was never opened.

    `second_role` is the lowest role that confirms what another proposed. `waiver_consent` answers requests to see
    Banker's third card first. `standing_order` says what becomes of an interrupted round, where the game's sheet leaves
    it to the house. People call it by its `name`, which is its id where it was given none.
    """

    id: str
    name: str
    game: str
    title: str
    mode: Mode | None
    decks: int | None
    boxes: int
    layout: str | None
    face_down: bool
    without_insurance: bool
    seated_only: bool
    second_person: bool
    notice_rule: str | None
    limits: TableLimits | None
    standing_order: StandingOrder | None
    second_role: RoleName | None
    private: bool
    waiver_consent: Consent | None
    device: Device | None
    burn: Burn | None


class ShoeView(Outgoing, frozen=True):
    """The shoe in play: what was recorded of its cards before it, how many were burned, and whether it was counted."""

    number: int
    count: int
    dealt: int
    cut: int | None
    commitment: str | None
    last_round: bool
    over: bool
    checked: bool
    shuffled: bool
    burned: int
    counted: bool


class DealtCard(Outgoing, frozen=True):
    """A card on the table, null while it is closed, and its hand, null for a card too many.

    `squeezed_by` is the name of whoever has its squeeze.
    """

    card: str | None
    hand: Hand | None
    squeezed_by: str | None = None


class Points(Outgoing, frozen=True):
    """The points of both hands; null without cards that can be seen."""

    player: int | None
    banker: int | None


class NextCard(Outgoing, frozen=True):
    """The hand that the next card goes to, and the reason."""

    hand: Hand | None
    reason: DrawReason | None


class InsuranceOffer(Outgoing, frozen=True):
    """Insurance that is on offer now. `tie_wins_rule` is the paragraph by which a tie pays; else a tie returns it."""

    window: Window
    on: str
    hand: Hand
    odds: str
    rule: str
    tie_wins_rule: str | None


class BoxView(Outgoing, frozen=True):
    """A box: who sits there, how many stand behind it, and what lies on it in all. Staff see who they are."""

    box: int
    seated: str | None
    standing: int
    totals_cents: dict[str, int]
    total_cents: int
    standing_names: tuple[str, ...] | UnsetType = UNSET


class Outcome(Outgoing, frozen=True):
    """The outcome of cards."""

    winner: Winner
    player_points: int
    banker_points: int


class RoundResult(Outcome, frozen=True):
    """The result of a round."""

    round: int


class SqueezeRequest(Outgoing, frozen=True):
    """A patron's request that the House has not answered yet."""

    name: str
    what: SqueezeOf
    rule: str


class CaseView(Outgoing, frozen=True):
    """An open case: its situation, the sheet's ruling, and what it waits for. The last three fields are for staff.

    `patrons` are those who have still to choose, by id with their names.
    """

    case: int
    situation: str
    ruling: Ruling | None
    finding: str | None
    rule: str | None
    waits: Waits | None
    role: RoleName | None
    patrons: dict[str, str] | UnsetType = UNSET
    by: str | UnsetType = UNSET
    facts: Facts | UnsetType = UNSET


class PatronMoney(Outgoing, frozen=True):
    """A patron's returns before and after; null while they depend on cards to come or on a decision."""

    patron: str
    name: str
    before_cents: int | None
    after_cents: int | None


class IncidentEffect(Outgoing, frozen=True):
    """The changes of a proposal if it is approved: cards, outcome, and the money of each patron in the round.

    `change` says how the recorded cards change, null where they stay. The cards are those that are open, up to the
    first closed one. An outcome is null while cards are to come and in a void round.
    """

    change: CardChange | None
    void: bool
    cards_before: str
    cards_after: str
    carried_after: str
    outcome_before: Outcome | None
    outcome_after: Outcome | None
    money: tuple[PatronMoney, ...]


class Incident(CaseView, frozen=True, kw_only=True):
    """The open case of a table, for staff.

    It is about `round`. `by` proposed what it waits for; `reported_by` reported the case at `at_ms`, with a `note`.
    `effect` is null where nothing is proposed. `offers` is the insurance that the table recorded as offered in the
    window that the report names: evidence where somebody says that it was not.
    """

    table: str
    round: int
    phase: Phase
    reported_by: str
    at_ms: int | None
    note: str | None
    reason: str | None
    effect: IncidentEffect | None
    offers: tuple[InsuranceOffer, ...]


class RoadCell(Outgoing, frozen=True):
    """One mark of a road. Columns and rows count from 0, the top left."""

    round: int
    column: int
    row: int
    colour: Literal["red", "blue", "green"]
    ties: int
    marks: tuple[Literal["banker-pair", "player-pair"], ...]


class RoadCells(Outgoing, frozen=True):
    """The five roads."""

    bead_plate: tuple[RoadCell, ...]
    big_road: tuple[RoadCell, ...]
    big_eye_boy: tuple[RoadCell, ...]
    small_road: tuple[RoadCell, ...]
    cockroach_pig: tuple[RoadCell, ...]


class NextMarks(Outgoing, frozen=True):
    """The next marks of the derived roads if a hand won: tradition, not information."""

    big_eye_boy: Literal["red", "blue"] | None
    small_road: Literal["red", "blue"] | None
    cockroach_pig: Literal["red", "blue"] | None


class ShoeCount(Outgoing, frozen=True):
    """The number of times that something came in a shoe, and its share of the rounds in thousandths.

    `of` is a result, `banker-pair`, `player-pair`, `natural`, or a side bet of the sheet.
    """

    of: str
    count: int
    share_permille: int


class RoadsView(Outgoing, frozen=True):
    """The roads of a shoe, and its counts."""

    rounds: int
    results: dict[Winner, int]
    rows: int
    roads: RoadCells
    ties_waiting: int
    next_hand: dict[Winner, NextMarks]
    counts: tuple[ShoeCount, ...]


class Standing(Account, frozen=True):
    """One's standing at a table. `lines` are those of round `lines_round`, and `net_cents` what they brought in all."""

    box: int | None
    seated: bool
    bets: tuple[Bet, ...]
    in_play_cents: int
    lines: tuple[BetLine, ...]
    lines_round: int | None
    net_cents: int


class Own(Standing, frozen=True):
    """One's own part of a table.

    `choices` are what one may do now, besides and in place of those in the view; but what the view refuses is refused.
    """

    choices: tuple[Choice, ...]


class OnDuty(Outgoing, frozen=True):
    """Someone on duty at a table: their own role, and the position in which they act there."""

    id: str
    name: str
    role: RoleName
    position: RoleName


class View(Outgoing, frozen=True, kw_only=True):
    """A table as an audience sees it; the last five parts are for staff.

    `choices` are what every patron may do alike, and why not; staff have all of theirs in `me`. While play is suspended
    no round begins. `totals_cents` are the stakes of all boxes on each bet, and `total_cents` their sum. `carried`
    are the cards that belong to no hand, which the next round begins with.
    """

    table: TableView
    phase: Phase
    play_suspended: bool
    round: int
    shoe: ShoeView | None
    cards: tuple[DealtCard, ...]
    points: Points
    next: NextCard
    offers: tuple[InsuranceOffer, ...]
    boxes: tuple[BoxView, ...]
    totals_cents: dict[str, int]
    total_cents: int
    result: RoundResult | None
    squeeze: SqueezeRequest | None
    case: CaseView | None
    last: tuple[str, ...]
    roads: RoadsView
    choices: tuple[Choice, ...]
    bets: tuple[Bet, ...] | UnsetType = UNSET
    patrons: dict[str, str] | UnsetType = UNSET
    duty: tuple[OnDuty, ...] | UnsetType = UNSET
    carried: str | UnsetType = UNSET
    incident: Incident | UnsetType | None = UNSET


ViewChange: Any = msgspec.defstruct(
    "ViewChange",
    [(each.name, each.type | UnsetType, UNSET) for each in msgspec.structs.fields(View)],
    namespace={"__doc__": "The parts of a view that changed, each whole."},
    module=__name__,
    frozen=True,
)


# ------------------------------------------------------------------------------------------- what a socket sends


class Snapshot(View, frozen=True, kw_only=True, tag_field="type", tag="snapshot"):
    """The table now, for whoever looks.

    What the table waits for, such as the betting, ends at `ends_at_ms`. One that cannot write its log is `suspended`.
    """

    seq: int
    now_ms: int
    ends_at_ms: int | None
    me: Own | None
    suspended: bool


class RecordedEvent(Outgoing, frozen=True):
    """An event as the one who asked may see it, with its place in the log and its time."""

    seq: int
    at_ms: int
    event: Event


class EventMessage(RecordedEvent, frozen=True, tag_field="type", tag="event"):
    """An event happened. Sequence numbers follow each other without a gap.

    With `brings_notice` it may have brought the patron who reads it a notice.
    """

    brings_notice: bool = False


class ViewMessage(Outgoing, frozen=True, tag_field="type", tag="view"):
    """The changes of the view by the events before it."""

    seq: int
    view: ViewChange


class MeMessage(Outgoing, frozen=True, tag_field="type", tag="me"):
    """The changes of one's own part."""

    me: Own


class ClockMessage(Outgoing, frozen=True, tag_field="type", tag="clock"):
    """The time at which the table's wait ends now; null if it waits for nothing."""

    phase: Phase
    ends_at_ms: int | None
    now_ms: int


class SuspendedMessage(Outgoing, frozen=True, tag_field="type", tag="suspended"):
    """The table cannot write its log and takes no bets, or can again."""

    suspended: bool


class FloorMessage(Outgoing, frozen=True, tag_field="type", tag="floor"):
    """The floor, for staff who follow it: each part when it changed, whole. The newest events come first.

    `people` are the names of those whom the incidents and events are about, by id.
    """

    now_ms: int
    floor: Floor | UnsetType = UNSET
    incidents: tuple[Incident, ...] | UnsetType = UNSET
    significant: tuple[SignificantEvent, ...] | UnsetType = UNSET
    people: dict[str, str] | UnsetType = UNSET


class ReplyMessage(Outgoing, frozen=True, tag_field="type", tag="reply"):
    """The answer to a command: the last record it led to, or why it was refused."""

    key: str
    seq: int | UnsetType = UNSET
    refused: AnyRefusal | UnsetType = UNSET


class Pong(Outgoing, frozen=True, tag_field="type", tag="pong"):
    """Answers a ping."""


ServerMessage = (
    Snapshot | EventMessage | ViewMessage | MeMessage | ClockMessage | SuspendedMessage | ReplyMessage | Pong
)
"""The messages that the socket of a table sends."""
FloorServerMessage = FloorMessage | Pong
"""The messages that the socket of the floor sends."""


class Reply(Outgoing, frozen=True):
    """The events that a command led to, and what one has now."""

    seq: int
    events: tuple[RecordedEvent, ...]
    me: Standing | None


class Preview(Outgoing, frozen=True):
    """The events that a command would lead to; nothing was done. `effect` tells staff what they change or propose."""

    events: tuple[Event, ...]
    effect: IncidentEffect | UnsetType | None = UNSET


# ------------------------------------------------------------------------------------------- the floor


class FloorFigures(Outgoing, frozen=True):
    """Money on the floor, at one table or at all: what is in play now, and what the gaming day has brought.

    `exposure_cents` is the most that the House can lose by the bets in play. `hold_basis_points` is the win as a share
    of the handle in hundredths of a per cent. `theoretical_cents` is what the exact edges give for the handle; it is
    null where they are not worked out.
    """

    seats_taken: int
    seats: int
    rounds: int
    void_rounds: int
    in_play_cents: int
    exposure_cents: int
    handle_cents: int
    win_cents: int
    hold_basis_points: int | None
    theoretical_cents: int | None
    incidents: int


class FloorTable(FloorFigures, frozen=True, kw_only=True):
    """A table on the floor, for staff, after record `seq`.

    `favourable` are the bets that favour patrons in the next round; null where that is not worked out.
    `waiting_since_ms` is when its oldest open case was reported.
    """

    table: str
    name: str
    game: str
    mode: Mode | None
    phase: Phase
    play_suspended: str | None
    round: int
    shoe: int | None
    cards: int | None
    dealt: int | None
    last_round: bool
    standing: int
    minimum_cents: int | None
    differential_cents: int | None
    rounds_per_hour: int | None
    duty: tuple[OnDuty, ...]
    waiting_since_ms: int | None
    favourable: tuple[str, ...] | None
    seq: int


class Floor(Outgoing, frozen=True, kw_only=True):
    """All tables on a gaming day, and what patrons owe to the House."""

    day: str
    tables: tuple[FloorTable, ...]
    total: FloorFigures
    receivables_cents: int
    debts: tuple[Debt, ...]


class FloorHour(Outgoing, frozen=True):
    """Win and theoretical win of all tables since the gaming day began, at the end of an hour, or now in the last."""

    ends_ms: int
    win_cents: int
    theoretical_cents: int


class IncidentDecision(Outgoing, frozen=True):
    """A decision on an incident: by whom, in which role, and the reason."""

    decision: str
    by: str
    reason: str
    at_ms: int
    role: RoleName | None = None


class PatronChoice(Outgoing, frozen=True):
    """The option that a patron chose after an error; `by` names who of the staff chose it for them."""

    name: str
    option: Option
    by: str | None
    at_ms: int


class PastIncident(Outgoing, frozen=True, kw_only=True):
    """An incident from its report to its end, for staff. `closed_at_ms` is null while it is open.

    `decisions` are what people decided of it, in order, and `choices` what its patrons chose. `effect` is what it
    changed in the round. `reported_role` is the role in which it was reported.
    """

    table: str
    name: str
    game: str
    case: int
    round: int
    situation: str
    day: str
    at_ms: int
    reported_by: str
    note: str | None
    ruling: Ruling | None
    finding: str | None
    rule: str | None
    decisions: tuple[IncidentDecision, ...]
    closed_at_ms: int | None
    effect: IncidentEffect | None
    reported_role: RoleName | None = None
    choices: tuple[PatronChoice, ...] = ()


# ------------------------------------------------------------------------------------------- looking back


class Act(Outgoing, frozen=True):
    """An act in a round and who did it; `did` is the kind of the event."""

    seq: int
    at_ms: int
    by: str
    did: str


class Funds(Outgoing, frozen=True):
    """A patron's balance before and after a round."""

    patron: str
    before_cents: int
    after_cents: int | None


class DecidedAmount(Outgoing, frozen=True):
    """An amount that the House paid a patron by decision; a negative one was taken. The reason is for staff."""

    patron: str
    name: str
    amount_cents: int
    rule: str | None
    reason: str | UnsetType = UNSET


class Payment(Outgoing, frozen=True):
    """The payment to one patron in one box after a round, or from the patron: the sum of `lines`."""

    box: int
    patron: str
    name: str
    net_cents: int
    lines: tuple[BetLine, ...]


class RoundRecord(Outgoing, frozen=True, kw_only=True):
    """A round in the record of play. A round looked at alone has events.

    `house_cents`, `acts` and `claims`, the original bets that insurance can be claimed for later, are for staff.

    `payments` are for staff too, for a round looked at alone: what to pay and take, in the order of the boxes.

    A corrected round has `cards_before` and `winner_before`, as they were recorded first. `amounts` are those of the
    viewer, or for staff of everyone.
    """

    table: str
    round: int
    shoe: int | None
    replay: bool
    void: bool
    laid_out: tuple[DealtCard, ...]
    lines: tuple[BetLine, ...]
    opened_at_ms: int | UnsetType = UNSET
    closed_at_ms: int | UnsetType = UNSET
    settled_at_ms: int | UnsetType = UNSET
    cards: str | UnsetType = UNSET
    line: str | UnsetType | None = UNSET
    winner: Winner | UnsetType | None = UNSET
    player_points: int | UnsetType = UNSET
    banker_points: int | UnsetType = UNSET
    adjusted: bool | UnsetType = UNSET
    cards_before: str | UnsetType = UNSET
    winner_before: Winner | UnsetType | None = UNSET
    amounts: tuple[DecidedAmount, ...] | UnsetType = UNSET
    rule: str | UnsetType | None = UNSET
    reason: str | UnsetType = UNSET
    house_cents: int | UnsetType = UNSET
    acts: tuple[Act, ...] | UnsetType = UNSET
    events: tuple[RecordedEvent, ...] | UnsetType = UNSET
    funds: tuple[Funds, ...] | UnsetType = UNSET
    claims: tuple[Claim, ...] | UnsetType = UNSET
    payments: tuple[Payment, ...] | UnsetType = UNSET


class PublishedShoe(Outgoing, frozen=True):
    """A shoe's commitment and, once the shoe is over, what opens it: input for `punto verify-shoe`."""

    table: str
    shoe: int
    decks: int
    count: int
    cut: int | None
    commitment: str | None
    over: bool
    salt: str | None
    order: str | None
    dealt: str | None
    rounds: tuple[PlayedRound, ...] | None
    carried: tuple[PutAside, ...] | None
    closed: tuple[PutAside, ...] | None
    first_burn: int


class SignificantEvent(Outgoing, frozen=True):
    """A record that a house must be able to show later, under a heading. `code` and its parameters make a sentence.

    `effect` is what it changed in a round.
    """

    at_ms: int
    table: str | None
    seq: int
    heading: str
    code: str
    parameters: dict[str, str | int]
    rule: str | None
    by: str
    effect: IncidentEffect | None = None


Check = Literal["store", "bus", "leases", "disk", "tables"]
CheckState = Literal["ok", "away", "late", "low", "nobody-runs", "suspended", "stuck", "stopping"]


class Alive(Outgoing, frozen=True):
    """The process answers."""

    status: Literal["ok", "failed"]


class TableHealth(Outgoing, frozen=True):
    """A table, to whoever watches over servers. `suspended` and `stuck` are reasons."""

    phase: Phase
    runs_here: bool
    suspended: str | None
    stuck: str | None


class Health(Outgoing, frozen=True):
    """The health of this process; no terminals are served while the `store` is `away` or `leases` come `late`.

    `status` is `ok`, or the first check that is not. The others are told beside it: the `bus` is `away`, the
    `disk` is `low`, of the `tables` one is `suspended` or `stuck`, or `nobody-runs` it. `owner` names a machine, so it
    is for staff.
    """

    status: CheckState
    checks: dict[Check, CheckState]
    tables: dict[str, TableHealth]
    owner: str | UnsetType = UNSET


FirstStep = Literal["second-person", "key", "table"]
"""The lacks of a new house: a second person who agrees to a new token, a copy of the key, a table."""


class HouseView(Outgoing, frozen=True):
    """The house as it is set.

    Only an admin sees `key_file`, where its key is, and the `first_steps` that are still to be taken. `version` is that
    of the software, and `software` the SHA-256 over all its files. `key` is the fingerprint of the key in use. `day` is
    the gaming day, `day_starts` the time of day, in UTC, at which it begins. `sheets` are the rule sheets by their ids,
    each with its fingerprint. `limits` are the House's own on credit and on wins.
    """

    version: str
    software: str
    key: str | None
    day: str
    day_starts: str
    sheets: dict[str, str]
    limits: dict[str, int]
    health: Health
    key_file: str | UnsetType | None = UNSET
    first_steps: tuple[FirstStep, ...] | UnsetType = UNSET
