"""How house and edge say no, and the one registry of every refusal there is."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus

from punto.rules.money import Cents
from punto.rules.refusals import RECORD_REFUSALS, GameUnknown, Refusal, kebab
from punto.table import refusals as table
from punto.table.refusals import TABLE_REFUSALS, NameInvalid, NotPermitted

# ------------------------------------------------------------------------------------------- the house


@dataclass(frozen=True, slots=True)
class HouseClosing(Refusal):
    """The server is stopping and takes nothing new; the same key may be sent again later."""


@dataclass(frozen=True, slots=True)
class StoreUnavailable(Refusal):
    """Nothing can be written now (the disk is full, say, or the database away); try again."""


@dataclass(frozen=True, slots=True)
class KeyInvalid(Refusal):
    """The idempotency key is missing, too long or not printable."""

    maximum_length: int


@dataclass(frozen=True, slots=True)
class KeyReused(Refusal):
    """The idempotency key was used before for something else."""


@dataclass(frozen=True, slots=True)
class TableUnknown(Refusal):
    """No table has this id."""

    table: str


@dataclass(frozen=True, slots=True)
class TableExists(Refusal):
    """A table with this id is there already."""

    table: str


@dataclass(frozen=True, slots=True)
class TimingKept(Refusal):
    """A table that is opened again keeps the timing that it was set up with."""


@dataclass(frozen=True, slots=True)
class TableSuspended(Refusal):
    """The table cannot write its log (the disk is full, say) and takes no bets until it can."""


@dataclass(frozen=True, slots=True)
class TableBusy(Refusal):
    """Too many commands wait for the table; try again."""


@dataclass(frozen=True, slots=True)
class TableUnreachable(Refusal):
    """The process that runs the table does not answer; send the same key again."""


@dataclass(frozen=True, slots=True)
class Automatic(Refusal):
    """This table deals by itself; people give no dealing commands at it."""


@dataclass(frozen=True, slots=True)
class PersonUnknown(Refusal):
    """Nobody has this id."""

    person: str


@dataclass(frozen=True, slots=True)
class AmountInvalid(Refusal):
    """The amount is not a whole number of cents above zero that can be kept."""


@dataclass(frozen=True, slots=True)
class FundsShort(Refusal):
    """The patron's credit does not cover this; it lacks so much."""

    short_cents: Cents


@dataclass(frozen=True, slots=True)
class CreditLimit(Refusal):
    """More than the house sells at once, or than it lets a patron hold by buying."""

    maximum_cents: Cents


@dataclass(frozen=True, slots=True)
class RoundUnknown(Refusal):
    """The table has had no round with this number."""

    round: int


@dataclass(frozen=True, slots=True)
class ShoeUnknown(Refusal):
    """The table has had no shoe with this number."""

    shoe: int


HOUSE_REFUSALS: tuple[type[Refusal], ...] = (
    HouseClosing,
    StoreUnavailable,
    NotPermitted,
    KeyInvalid,
    KeyReused,
    TableUnknown,
    TableExists,
    TimingKept,
    TableSuspended,
    TableBusy,
    TableUnreachable,
    Automatic,
    PersonUnknown,
    NameInvalid,
    AmountInvalid,
    FundsShort,
    CreditLimit,
    RoundUnknown,
    ShoeUnknown,
)
"""Why the house did not do something, in order of precedence."""

# ------------------------------------------------------------------------------------------- the edge


@dataclass(frozen=True, slots=True)
class RouteUnknown(Refusal):
    """There is nothing at this address."""


@dataclass(frozen=True, slots=True)
class MethodUnknown(Refusal):
    """This address does not take this method."""


@dataclass(frozen=True, slots=True)
class OriginRefused(Refusal):
    """A page of an origin that the house does not know asks."""


@dataclass(frozen=True, slots=True)
class TokenUnknown(Refusal):
    """The token is nobody's."""


@dataclass(frozen=True, slots=True)
class TokenMissing(Refusal):
    """This needs a token."""


@dataclass(frozen=True, slots=True)
class TooManyRequests(Refusal):
    """More was asked in a short time than one may; wait, then send the same key again."""


@dataclass(frozen=True, slots=True)
class TooManyConnections(Refusal):
    """More connections are open than may be."""


@dataclass(frozen=True, slots=True)
class PayloadTooLarge(Refusal):
    """The body or message is larger than may be."""


@dataclass(frozen=True, slots=True)
class BodyLate(Refusal):
    """The body did not come, or not whole, within ten seconds."""


@dataclass(frozen=True, slots=True)
class MediaTypeUnknown(Refusal):
    """The body is not marked as JSON."""


@dataclass(frozen=True, slots=True)
class RequestUnreadable(Refusal):
    """The body is not JSON, or has a field twice."""

    problem: str = ""


@dataclass(frozen=True, slots=True)
class FieldInvalid(Refusal):
    """A field, parameter or header is missing, unknown or of the wrong kind; `where` names it."""

    where: str = ""
    wanted: str = ""
    known: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DoorClosed(Refusal):
    """The house does not let people join by themselves."""


@dataclass(frozen=True, slots=True)
class StaffOnly(Refusal):
    """This is for staff."""


@dataclass(frozen=True, slots=True)
class Internal(Refusal):
    """The server erred. The details are in its log, not in the answer."""


EDGE_REFUSALS: tuple[type[Refusal], ...] = (
    RouteUnknown,
    MethodUnknown,
    OriginRefused,
    TokenUnknown,
    TokenMissing,
    TooManyRequests,
    TooManyConnections,
    PayloadTooLarge,
    BodyLate,
    MediaTypeUnknown,
    RequestUnreadable,
    FieldInvalid,
    DoorClosed,
    StaffOnly,
    Internal,
)
"""Why the edge itself did not take a request, in order of precedence."""

REFUSALS: dict[str, type[Refusal]] = {
    kebab(kind.__name__): kind for kind in (*EDGE_REFUSALS, *HOUSE_REFUSALS, *TABLE_REFUSALS, *RECORD_REFUSALS)
}
"""Every refusal that may leave the edge, by its code."""

# ------------------------------------------------------------------------------------------- statuses

# A refusal that is not named here is of a request that was understood and cannot be done as it stands: 422.
BY_STATUS: dict[HTTPStatus, tuple[type[Refusal], ...]] = {
    HTTPStatus.BAD_REQUEST: (RequestUnreadable, FieldInvalid),
    HTTPStatus.UNAUTHORIZED: (TokenUnknown, TokenMissing),
    HTTPStatus.PAYMENT_REQUIRED: (FundsShort,),
    HTTPStatus.FORBIDDEN: (OriginRefused, DoorClosed, StaffOnly, NotPermitted, table.NotYours, table.SamePerson),
    HTTPStatus.NOT_FOUND: (RouteUnknown, GameUnknown, TableUnknown, PersonUnknown, RoundUnknown, ShoeUnknown),
    HTTPStatus.METHOD_NOT_ALLOWED: (MethodUnknown,),
    HTTPStatus.REQUEST_TIMEOUT: (BodyLate,),
    HTTPStatus.CONFLICT: (
        KeyReused,
        TableExists,
        Automatic,
        table.TableNotOpen,
        table.RoundHeld,
        table.BetsNotOpen,
        table.BetsClosed,
        table.InsuranceClosed,
        table.WrongPhase,
        table.RoundMismatch,
        table.ShoeMissing,
        table.ShoeFinished,
        table.ShoeStays,
        table.CutCardKnown,
        table.ReadingRepeated,
        table.ShoeEmpty,
        table.BoxTaken,
        table.AlreadyThere,
        table.PatronAway,
        table.BetExists,
        table.RaisePending,
        table.SqueezeTooLate,
        table.SqueezePending,
        table.SqueezeRepeated,
        table.SqueezeNotAsked,
        table.SqueezeUncertain,
        table.CardNotClosed,
        table.CardStaysClosed,
        table.NoCutCard,
        table.BurnPending,
        table.BurnNotDue,
        table.CountNotDue,
        table.DecisionNotOpen,
        table.NoChoiceOpen,
        table.NothingToRecover,
    ),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: (PayloadTooLarge,),
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: (MediaTypeUnknown,),
    HTTPStatus.TOO_MANY_REQUESTS: (TooManyRequests, TooManyConnections),
    HTTPStatus.INTERNAL_SERVER_ERROR: (Internal,),
    HTTPStatus.SERVICE_UNAVAILABLE: (HouseClosing, StoreUnavailable, TableSuspended, TableBusy, TableUnreachable),
}
_STATUS = {kind: status for status, kinds in BY_STATUS.items() for kind in kinds}


def status_of(refusal: Refusal) -> HTTPStatus:
    """The HTTP status of a refusal."""
    return _STATUS.get(type(refusal), HTTPStatus.UNPROCESSABLE_ENTITY)


def status_table() -> str:
    """The statuses and the codes that lead to each, as a Markdown table."""
    rows = [
        f"| {status.value} {status.phrase} | {', '.join(f'`{kebab(kind.__name__)}`' for kind in kinds)} |"
        for status, kinds in sorted(BY_STATUS.items())
    ]
    return "\n".join(["| status | codes |", "|---|---|", *rows, "| 422 Unprocessable Entity | every other code |"])
