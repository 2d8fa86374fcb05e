"""Refusals of house and edge, and the one registry of every refusal there is."""

from __future__ import annotations

from http import HTTPStatus

from punto.rules import refusals as rules
from punto.rules.money import Cents
from punto.rules.refusals import Refusal, declared, kebab
from punto.table import refusals as table
from punto.table.refusals import TABLE_REFUSALS, NameInvalid, NotNow, NotPermitted

# ------------------------------------------------------------------------------------------- the house


class HouseClosing(Refusal):
    """The server is stopping and takes nothing new; the same key may be sent again later."""


class StoreUnavailable(Refusal):
    """Nothing can be written now (the disk is full, say, or the database away); try again."""


class AccountStopped(NotNow):
    """Somebody has changed the balance in the database: nothing is bought, bet or cashed out until that is cleared."""


class KeyInvalid(Refusal):
    """The idempotency key is missing, too long or not printable."""

    maximum_length: int


class KeyReused(NotNow):
    """The idempotency key was used before for something else."""


class TableUnknown(Refusal):
    """No table has this id."""

    table: str


class TableExists(NotNow):
    """A table with this id is there already."""

    table: str


class TimingKept(Refusal):
    """A table that is opened again keeps the timing that it was set up with."""


class TableSuspended(Refusal):
    """The table cannot write its log (the disk is full, say) and takes no bets until it can."""


class TableBusy(Refusal):
    """Too many commands wait for the table; try again."""


class TableUnreachable(Refusal):
    """The process that runs the table does not answer; send the same key again."""


class Automatic(NotNow):
    """This table deals by itself; people give no dealing commands at it."""


class PersonUnknown(Refusal):
    """Nobody has this id."""

    person: str


class NameImitates(Refusal):
    """The name looks like that of the staff, or like another's that is spelled otherwise."""


class SecondPersonAsked(NotNow):
    """The request is noted; it is carried out when a second person with the same authority asks for it too."""


class AmountInvalid(Refusal):
    """The amount is not a whole number of cents above zero that can be kept."""


class FundsShort(Refusal):
    """The patron's credit does not cover this; it lacks so much."""

    short_cents: Cents


class CreditLimit(Refusal):
    """More than the house sells at once, or than it lets a patron hold by buying."""

    maximum_cents: Cents


class DebtOpen(Refusal):
    """The patron still owes so much to the House; nothing is cashed out until that is paid."""

    owed_cents: Cents


class TicketMistyped(Refusal):
    """The number of a ticket has 24 digits, of which at least one is wrong here."""


class TicketForeign(Refusal):
    """The ticket is of another house."""


class TicketForged(Refusal):
    """The number is not one that this house has made."""


class TicketUnknown(Refusal):
    """This house's key has made the number, but its log has no such ticket."""


class TicketUsed(NotNow):
    """The ticket was turned into credits, or paid, before."""


class TicketOld(NotNow):
    """Terminals take a ticket for so many days; the cage pays it at any time."""

    days: int


class RoundUnknown(Refusal):
    """The table has had no round with this number."""

    round: int


class ShoeUnknown(Refusal):
    """The table has had no shoe with this number."""

    shoe: int


HOUSE_REFUSALS = (NotPermitted, NameInvalid, *declared(globals()))
"""Refusals by the house."""

# ------------------------------------------------------------------------------------------- the edge


class RouteUnknown(Refusal):
    """There is nothing at this address."""


class MethodUnknown(Refusal):
    """This address does not take this method."""


class OriginRefused(Refusal):
    """A page of an origin that the house does not know asks."""


class TokenUnknown(Refusal):
    """The token is nobody's."""


class TokenMissing(Refusal):
    """This needs a token."""


class TooManyRequests(Refusal):
    """More was asked in a short time than one may; wait, then send the same key again."""


class TooManyConnections(Refusal):
    """More connections are open than may be."""


class PayloadTooLarge(Refusal):
    """The body or message is larger than may be."""


class BodyLate(Refusal):
    """The body did not come, or not whole, within ten seconds."""


class MediaTypeUnknown(Refusal):
    """The body is not marked as JSON."""


class RequestUnreadable(Refusal):
    """What came is no HTTP request, or no hello of a terminal in time."""


class DoorClosed(Refusal):
    """The house does not let people join by themselves."""


class DoorFull(Refusal):
    """As many have joined by themselves today as may: from this address, or in all."""


class CreditsAtDesk(Refusal):
    """Credits cost money here: staff sell them. Only a demonstration gives them away."""


class StaffOnly(Refusal):
    """This is for staff."""


class Internal(Refusal):
    """The server erred. The details are in its log, not in the answer."""


EDGE_REFUSALS = tuple([kind for kind in declared(globals()) if kind not in HOUSE_REFUSALS])
"""Refusals by the edge itself."""

REFUSALS: dict[str, type[Refusal]] = {
    kebab(kind.__name__): kind for kind in (*EDGE_REFUSALS, *HOUSE_REFUSALS, *TABLE_REFUSALS, *rules.RECORD_REFUSALS)
}
"""Every refusal that may leave the edge, by its code."""

# ------------------------------------------------------------------------------------------- statuses

BY_STATUS: dict[HTTPStatus, tuple[type[Refusal], ...]] = {
    HTTPStatus.BAD_REQUEST: (
        *(RequestUnreadable, rules.Unreadable, rules.FieldUnknown, rules.FieldMissing, rules.FieldType),
        table.CommandUnknown,
    ),
    HTTPStatus.UNAUTHORIZED: (TokenMissing, TokenUnknown),
    HTTPStatus.PAYMENT_REQUIRED: (FundsShort, DebtOpen),
    HTTPStatus.FORBIDDEN: (
        *(OriginRefused, DoorClosed, CreditsAtDesk, StaffOnly, NotPermitted, table.NotYours, table.SamePerson),
        *(table.SqueezeNotGranted, table.PositionNotAssignable),
    ),
    HTTPStatus.NOT_FOUND: (RouteUnknown, rules.GameUnknown, TableUnknown, PersonUnknown, RoundUnknown, ShoeUnknown),
    HTTPStatus.METHOD_NOT_ALLOWED: (MethodUnknown,),
    HTTPStatus.REQUEST_TIMEOUT: (BodyLate,),
    HTTPStatus.CONFLICT: tuple([kind for kind in REFUSALS.values() if issubclass(kind, NotNow)]),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: (PayloadTooLarge,),
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: (MediaTypeUnknown,),
    HTTPStatus.TOO_MANY_REQUESTS: (TooManyRequests, TooManyConnections, DoorFull),
    HTTPStatus.INTERNAL_SERVER_ERROR: (Internal,),
    HTTPStatus.SERVICE_UNAVAILABLE: (HouseClosing, StoreUnavailable, TableSuspended, TableBusy, TableUnreachable),
}
"""The refusals of each status. One that is not named is of a request that is understood but cannot be done: 422."""
_STATUS = {kind: status for status, kinds in BY_STATUS.items() for kind in kinds}


def status_of(refusal: Refusal) -> HTTPStatus:
    """The HTTP status of a refusal."""
    return _STATUS.get(type(refusal), HTTPStatus.UNPROCESSABLE_ENTITY)
