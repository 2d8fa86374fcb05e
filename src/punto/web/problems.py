"""Problem details (RFC 9457): every refusal leaves the edge in one shape, with its code and its paragraph."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.openapi.datastructures import ResponseSpec

from punto.rules.refusals import Code, RecordCode, Refusal, RefusedError
from punto.service.refusals import HouseCode
from punto.store.errors import StoreError
from punto.table.refusals import TableCode
from punto.web.logs import log

PROBLEM_TYPE = "urn:punto:refusal:"
PROBLEM_MEDIA = "application/problem+json"
RETRY_SECONDS = 1


class EdgeCode(Code):
    """Why the edge itself did not take a request, in order of precedence."""

    ROUTE_UNKNOWN = "route-unknown"
    METHOD_UNKNOWN = "method-unknown"
    ORIGIN_REFUSED = "origin-refused"
    TOKEN_UNKNOWN = "token-unknown"  # noqa: S105 — a refusal's name
    TOKEN_MISSING = "token-missing"  # noqa: S105 — a refusal's name
    TOO_MANY_REQUESTS = "too-many-requests"
    TOO_MANY_CONNECTIONS = "too-many-connections"
    PAYLOAD_TOO_LARGE = "payload-too-large"
    BODY_LATE = "body-late"
    MEDIA_TYPE_UNKNOWN = "media-type-unknown"
    REQUEST_UNREADABLE = "request-unreadable"
    FIELD_INVALID = "field-invalid"
    DOOR_CLOSED = "door-closed"
    STAFF_ONLY = "staff-only"
    INTERNAL = "internal"

    @property
    def meaning(self) -> str:
        """When this code is given, in one line."""
        return MEANINGS[self]


MEANINGS: dict[EdgeCode, str] = {
    EdgeCode.ROUTE_UNKNOWN: "There is nothing at this address.",
    EdgeCode.METHOD_UNKNOWN: "This address does not take this method.",
    EdgeCode.ORIGIN_REFUSED: "A page of an origin that the house does not know asks.",
    EdgeCode.TOKEN_UNKNOWN: "The token is nobody's.",
    EdgeCode.TOKEN_MISSING: "This needs a token.",
    EdgeCode.TOO_MANY_REQUESTS: "More was asked in a short time than one may; wait, then send the same key again.",
    EdgeCode.TOO_MANY_CONNECTIONS: "More connections are open than may be.",
    EdgeCode.PAYLOAD_TOO_LARGE: "The body or message is larger than may be.",
    EdgeCode.BODY_LATE: "The body did not come, or not whole, within ten seconds.",
    EdgeCode.MEDIA_TYPE_UNKNOWN: "The body is not marked as JSON.",
    EdgeCode.REQUEST_UNREADABLE: "The body is not JSON.",
    EdgeCode.FIELD_INVALID: "A field, parameter or header is missing, unknown or of the wrong kind; `where` names it.",
    EdgeCode.DOOR_CLOSED: "The house does not let people join by themselves.",
    EdgeCode.STAFF_ONLY: "This is for staff.",
    EdgeCode.INTERNAL: "The server erred. The details are in its log, not in the answer.",
}

# A code that is not named here is a request that was understood and cannot be done as it stands: 422.
BY_STATUS: dict[HTTPStatus, tuple[Code, ...]] = {
    HTTPStatus.BAD_REQUEST: (EdgeCode.REQUEST_UNREADABLE, EdgeCode.FIELD_INVALID),
    HTTPStatus.UNAUTHORIZED: (EdgeCode.TOKEN_UNKNOWN, EdgeCode.TOKEN_MISSING),
    HTTPStatus.PAYMENT_REQUIRED: (HouseCode.FUNDS_SHORT,),
    HTTPStatus.FORBIDDEN: (
        EdgeCode.ORIGIN_REFUSED,
        EdgeCode.DOOR_CLOSED,
        EdgeCode.STAFF_ONLY,
        HouseCode.NOT_PERMITTED,
        TableCode.NOT_PERMITTED,
        TableCode.NOT_YOURS,
        TableCode.SAME_PERSON,
    ),
    HTTPStatus.NOT_FOUND: (
        EdgeCode.ROUTE_UNKNOWN,
        RecordCode.GAME_UNKNOWN,
        HouseCode.TABLE_UNKNOWN,
        HouseCode.PERSON_UNKNOWN,
        HouseCode.ROUND_UNKNOWN,
        HouseCode.SHOE_UNKNOWN,
    ),
    HTTPStatus.METHOD_NOT_ALLOWED: (EdgeCode.METHOD_UNKNOWN,),
    HTTPStatus.REQUEST_TIMEOUT: (EdgeCode.BODY_LATE,),
    HTTPStatus.CONFLICT: (
        HouseCode.KEY_REUSED,
        HouseCode.TABLE_EXISTS,
        HouseCode.AUTOMATIC,
        TableCode.TABLE_NOT_OPEN,
        TableCode.ROUND_HELD,
        TableCode.BETS_NOT_OPEN,
        TableCode.BETS_CLOSED,
        TableCode.INSURANCE_CLOSED,
        TableCode.WRONG_PHASE,
        TableCode.ROUND_MISMATCH,
        TableCode.SHOE_MISSING,
        TableCode.SHOE_FINISHED,
        TableCode.SHOE_STAYS,
        TableCode.CUT_CARD_KNOWN,
        TableCode.READING_REPEATED,
        TableCode.SHOE_EMPTY,
        TableCode.BOX_TAKEN,
        TableCode.ALREADY_THERE,
        TableCode.PATRON_AWAY,
        TableCode.BET_EXISTS,
        TableCode.RAISE_PENDING,
        TableCode.SQUEEZE_TOO_LATE,
        TableCode.SQUEEZE_PENDING,
        TableCode.SQUEEZE_REPEATED,
        TableCode.SQUEEZE_NOT_ASKED,
        TableCode.DECISION_NOT_OPEN,
        TableCode.NO_CHOICE_OPEN,
        TableCode.NOTHING_TO_RECOVER,
    ),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: (EdgeCode.PAYLOAD_TOO_LARGE,),
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: (EdgeCode.MEDIA_TYPE_UNKNOWN,),
    HTTPStatus.TOO_MANY_REQUESTS: (EdgeCode.TOO_MANY_REQUESTS, EdgeCode.TOO_MANY_CONNECTIONS),
    HTTPStatus.INTERNAL_SERVER_ERROR: (EdgeCode.INTERNAL,),
    HTTPStatus.SERVICE_UNAVAILABLE: (
        HouseCode.HOUSE_CLOSING,
        HouseCode.STORE_UNAVAILABLE,
        HouseCode.TABLE_SUSPENDED,
        HouseCode.TABLE_BUSY,
        HouseCode.TABLE_UNREACHABLE,
    ),
}
STATUS: dict[str, HTTPStatus] = {code: status for status, codes in BY_STATUS.items() for code in codes}


STORE_AWAY = Refusal(HouseCode.STORE_UNAVAILABLE, HouseCode.STORE_UNAVAILABLE.meaning)


class Problem(msgspec.Struct, frozen=True):
    """Why a request was not carried out. `code` is for programs and stays; `detail` is for people."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    rule: str | None
    where: str | msgspec.UnsetType = msgspec.UNSET


class EdgeRefusedError(Exception):
    """Carries a refusal of the edge to the one place that answers it; `where` names the field that is wrong."""

    def __init__(self, code: EdgeCode, message: str = "", where: str | None = None) -> None:
        super().__init__(message or code.meaning)
        self.refusal = Refusal(code, message or code.meaning)
        self.where = where


def status_table() -> str:
    """The statuses and the codes that lead to each, as a Markdown table."""
    rows = [
        f"| {status.value} {status.phrase} | {', '.join(dict.fromkeys(f'`{code}`' for code in codes))} |"
        for status, codes in sorted(BY_STATUS.items())
    ]
    return "\n".join(["| status | codes |", "|---|---|", *rows, "| 422 Unprocessable Entity | every other code |"])


def code_table() -> str:
    """The edge's own codes as a Markdown table, in order of precedence."""
    return "\n".join(["| code | given when |", "|---|---|", *[f"| `{code}` | {code.meaning} |" for code in EdgeCode]])


def status_of(code: str) -> HTTPStatus:
    """The status of a refusal."""
    return STATUS.get(code, HTTPStatus.UNPROCESSABLE_ENTITY)


def details(refusal: Refusal, where: str | None = None) -> tuple[Problem, dict[str, str]]:
    """A refusal as a problem, with the headers that go with its status."""
    status = status_of(refusal.code)
    body = Problem(
        PROBLEM_TYPE + refusal.code,
        status.phrase,
        status.value,
        refusal.message,
        str(refusal.code),
        refusal.rule,
        msgspec.UNSET if where is None else where,
    )
    headers = {}
    if status is HTTPStatus.UNAUTHORIZED:
        headers["www-authenticate"] = "Bearer"
    if status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
        headers["retry-after"] = str(RETRY_SECONDS)
    return body, headers


def problem(refusal: Refusal, where: str | None = None) -> Response[Problem]:
    """A refusal as an answer."""
    body, headers = details(refusal, where)
    return Response(body, status_code=body.status, media_type=PROBLEM_MEDIA, headers=headers)


# ------------------------------------------------------------------------------------------- from exceptions

FRAMEWORK = (EdgeCode.ROUTE_UNKNOWN, EdgeCode.METHOD_UNKNOWN, EdgeCode.PAYLOAD_TOO_LARGE, EdgeCode.MEDIA_TYPE_UNKNOWN)
"""What the framework finds out by itself."""


def refusal_of(error: Exception, asked: str) -> tuple[Refusal, str | None]:
    """What an error is to the one who asked, and where it lies.

    What a store says of itself and what is a mistake of ours is for the log: whoever asked gets nothing of it.
    """
    match error:
        case EdgeRefusedError():
            return error.refusal, error.where
        case RefusedError():
            return error.refusal, None
        case StoreError():
            log.warning("%s: %s", asked, error.message)
            return STORE_AWAY, None
    log.error("%s failed", asked, exc_info=error)
    return Refusal(EdgeCode.INTERNAL, EdgeCode.INTERNAL.meaning), None


def on_error(request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    """Answer what was refused, and what went wrong."""
    return problem(*refusal_of(error, f"{request.method} {request.url.path}"))


def on_http_exception(request: Request[Any, Any, Any], error: HTTPException) -> Response[Problem]:
    """Answer what the framework refused, in our words: its own might show what came in."""
    if error.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
        log.error("%s %s failed", request.method, request.url.path, exc_info=error)
        return problem(Refusal(EdgeCode.INTERNAL, EdgeCode.INTERNAL.meaning))
    code = next((code for code in FRAMEWORK if STATUS[code] == error.status_code), EdgeCode.FIELD_INVALID)
    extra = error.extra[0] if isinstance(error.extra, list) and error.extra else {}
    where = extra.get("key") if isinstance(extra, dict) else None
    message = f"{where}: {extra['message']}" if where and "message" in extra else code.meaning
    response = problem(Refusal(code, message), where)
    for name, value in (error.headers or {}).items():
        response.set_header(name, value)
    return response


def refusals(*statuses: HTTPStatus) -> dict[int, ResponseSpec]:
    """The refusals an operation may give, for the OpenAPI document."""
    return {
        status.value: ResponseSpec(
            Problem, generate_examples=False, description=status.phrase, media_type=PROBLEM_MEDIA
        )
        for status in statuses
    }
