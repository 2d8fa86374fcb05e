"""How house and edge say no, and the one registry of every refusal there is."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import dataclass_transform

from punto.rules.money import Cents
from punto.rules.refusals import RECORD_REFUSALS, GameUnknown, Refusal, kebab
from punto.table import refusals as table
from punto.table.refusals import TABLE_REFUSALS, NameInvalid, NotPermitted


@dataclass_transform(frozen_default=True)
class DeclaredRefusal(Refusal):
    """Makes a frozen dataclass of each class below it."""

    def __init_subclass__(cls) -> None:
        """Make the dataclass."""
        dataclass(frozen=True)(cls)


# ------------------------------------------------------------------------------------------- the house


class HouseClosing(DeclaredRefusal):
    """The server is stopping and takes nothing new; the same key may be sent again later."""


class StoreUnavailable(DeclaredRefusal):
    """Nothing can be written now (the disk is full, say, or the database away); try again."""


class KeyInvalid(DeclaredRefusal):
    """The idempotency key is missing, too long or not printable."""

    maximum_length: int


class KeyReused(DeclaredRefusal):
    """The idempotency key was used before for something else."""


class TableUnknown(DeclaredRefusal):
    """No table has this id."""

    table: str


class TableExists(DeclaredRefusal):
    """A table with this id is there already."""

    table: str


class TimingKept(DeclaredRefusal):
    """A table that is opened again keeps the timing that it was set up with."""


class TableSuspended(DeclaredRefusal):
    """The table cannot write its log (the disk is full, say) and takes no bets until it can."""


class TableBusy(DeclaredRefusal):
    """Too many commands wait for the table; try again."""


class TableUnreachable(DeclaredRefusal):
    """The process that runs the table does not answer; send the same key again."""


class Automatic(DeclaredRefusal):
    """This table deals by itself; people give no dealing commands at it."""


class PersonUnknown(DeclaredRefusal):
    """Nobody has this id."""

    person: str


class AmountInvalid(DeclaredRefusal):
    """The amount is not a whole number of cents above zero that can be kept."""


class FundsShort(DeclaredRefusal):
    """The patron's credit does not cover this; it lacks so much."""

    short_cents: Cents


class CreditLimit(DeclaredRefusal):
    """More than the house sells at once, or than it lets a patron hold by buying."""

    maximum_cents: Cents


class DebtOpen(DeclaredRefusal):
    """The patron still owes so much to the House; nothing is cashed out until that is paid."""

    owed_cents: Cents


class RoundUnknown(DeclaredRefusal):
    """The table has had no round with this number."""

    round: int


class ShoeUnknown(DeclaredRefusal):
    """The table has had no shoe with this number."""

    shoe: int


HOUSE_REFUSALS: tuple[type[Refusal], ...] = (
    *(HouseClosing, StoreUnavailable, NotPermitted, KeyInvalid, KeyReused, TableUnknown, TableExists, TimingKept),
    *(TableSuspended, TableBusy, TableUnreachable, Automatic, PersonUnknown, NameInvalid, AmountInvalid, FundsShort),
    *(CreditLimit, DebtOpen, RoundUnknown, ShoeUnknown),
)
"""Why the house did not do something, in order of precedence."""

# ------------------------------------------------------------------------------------------- the edge


class RouteUnknown(DeclaredRefusal):
    """There is nothing at this address."""


class MethodUnknown(DeclaredRefusal):
    """This address does not take this method."""


class OriginRefused(DeclaredRefusal):
    """A page of an origin that the house does not know asks."""


class TokenUnknown(DeclaredRefusal):
    """The token is nobody's."""


class TokenMissing(DeclaredRefusal):
    """This needs a token."""


class TooManyRequests(DeclaredRefusal):
    """More was asked in a short time than one may; wait, then send the same key again."""


class TooManyConnections(DeclaredRefusal):
    """More connections are open than may be."""


class PayloadTooLarge(DeclaredRefusal):
    """The body or message is larger than may be."""


class BodyLate(DeclaredRefusal):
    """The body did not come, or not whole, within ten seconds."""


class MediaTypeUnknown(DeclaredRefusal):
    """The body is not marked as JSON."""


class RequestUnreadable(DeclaredRefusal):
    """The body is not JSON, or has a field twice."""

    problem: str = ""


class FieldInvalid(DeclaredRefusal):
    """A field, parameter or header is missing, unknown or of the wrong kind; `where` names it."""

    where: str = ""
    wanted: str = ""
    known: tuple[str, ...] = ()


class DoorClosed(DeclaredRefusal):
    """The house does not let people join by themselves."""


class StaffOnly(DeclaredRefusal):
    """This is for staff."""


class Internal(DeclaredRefusal):
    """The server erred. The details are in its log, not in the answer."""


EDGE_REFUSALS: tuple[type[Refusal], ...] = (
    *(RouteUnknown, MethodUnknown, OriginRefused, TokenUnknown, TokenMissing, TooManyRequests, TooManyConnections),
    *(PayloadTooLarge, BodyLate, MediaTypeUnknown, RequestUnreadable, FieldInvalid, DoorClosed, StaffOnly, Internal),
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
    HTTPStatus.PAYMENT_REQUIRED: (FundsShort, DebtOpen),
    HTTPStatus.FORBIDDEN: (OriginRefused, DoorClosed, StaffOnly, NotPermitted, table.NotYours, table.SamePerson),
    HTTPStatus.NOT_FOUND: (RouteUnknown, GameUnknown, TableUnknown, PersonUnknown, RoundUnknown, ShoeUnknown),
    HTTPStatus.METHOD_NOT_ALLOWED: (MethodUnknown,),
    HTTPStatus.REQUEST_TIMEOUT: (BodyLate,),
    HTTPStatus.CONFLICT: (
        *(KeyReused, TableExists, Automatic, table.TableNotOpen, table.RoundHeld, table.BetsNotOpen, table.BetsClosed),
        *(table.InsuranceClosed, table.WrongPhase, table.RoundMismatch, table.ShoeMissing, table.ShoeFinished),
        *(table.ShoeStays, table.CutCardKnown, table.ReadingRepeated, table.ShoeEmpty, table.BoxTaken),
        *(table.AlreadyThere, table.PatronAway, table.BetExists, table.RaisePending, table.SqueezeTooLate),
        *(table.SqueezePending, table.SqueezeRepeated, table.SqueezeNotAsked, table.DecisionNotOpen),
        *(table.SqueezeUncertain, table.CardNotClosed, table.CardStaysClosed, table.NoCutCard, table.BurnPending),
        *(table.BurnNotDue, table.CountNotDue, table.NoChoiceOpen, table.NothingToRecover),
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
