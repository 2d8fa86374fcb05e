"""Problem details (RFC 9457): every refusal leaves the edge in one shape, with code, facts and paragraph."""

from __future__ import annotations

from http import HTTPStatus

import msgspec
from litestar import Response
from litestar.exceptions import HTTPException
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Example

from punto.protocol.refusals import (
    BY_STATUS,
    BodyLate,
    FieldInvalid,
    Internal,
    KeyReused,
    MediaTypeUnknown,
    MethodUnknown,
    PayloadTooLarge,
    RouteUnknown,
    StaffOnly,
    StoreUnavailable,
    TokenMissing,
    TooManyRequests,
    status_of,
)
from punto.protocol.refused import show_refusal
from punto.protocol.views import Problem
from punto.rules.reasons import Wanted
from punto.rules.refusals import Refusal, RefusedError, kebab
from punto.rules.sheet import Sheet
from punto.store.errors import StoreError
from punto.texts import LANGUAGES, negotiate, say
from punto.web.access import Connection, house_of
from punto.web.logs import log

PROBLEM_TYPE = "urn:punto:refusal:"
PROBLEM_MEDIA = "application/problem+json"
RETRY_SECONDS = 1
ALWAYS_POSSIBLE = (
    *(HTTPStatus.BAD_REQUEST, HTTPStatus.UNAUTHORIZED),
    *(HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE),
)
_FRAMEWORK_REFUSALS: dict[int, Refusal] = {404: RouteUnknown(), 405: MethodUnknown()}
"""What the framework finds out by itself."""

MOST_CODES = 8
"""The most codes that a response of the document names; docs/api.md has all."""
_EXAMPLES: dict[HTTPStatus, Refusal] = {
    status_of(refusal): refusal
    for refusal in (
        FieldInvalid("amount_cents", Wanted.CENTS_ABOVE_ZERO),
        TokenMissing(),
        StaffOnly(),
        RouteUnknown(),
        KeyReused(),
        PayloadTooLarge(),
        MediaTypeUnknown(),
        BodyLate(),
        TooManyRequests(),
        StoreUnavailable(),
    )
}
"""A refusal of each status, as examples."""


def problem_of(refusal: Refusal, language: str = LANGUAGES[0], sheet: Sheet | None = None) -> Problem:
    """A refusal as a problem."""
    status = status_of(refusal)
    return Problem(
        PROBLEM_TYPE + refusal.code,
        status.phrase,
        status.value,
        say(refusal, language, sheet),
        refusal.code,
        refusal.rule,
        show_refusal(refusal),
    )


def problem_details(request: Connection, refusal: Refusal) -> tuple[Problem, dict[str, str]]:
    """A refusal as a problem in the language that was asked for, with the headers that go with its status."""
    status = status_of(refusal)
    language = negotiate(request.headers.get("accept-language", ""))
    body = problem_of(refusal, language, _sheet(request))
    headers = {"content-type": PROBLEM_MEDIA, "content-language": language}
    if status is HTTPStatus.UNAUTHORIZED:
        headers["www-authenticate"] = "Bearer"
    if status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
        headers["retry-after"] = str(RETRY_SECONDS)
    return body, headers


def _sheet(request: Connection) -> Sheet | None:
    """The sheet of the table that the request is about: it has the names of the bets."""
    house, table = house_of(request), request.scope.get("path_params", {}).get("table")
    return house.followed(table).sheet if isinstance(table, str) and table in house.registry.hosts else None


def refusal_of(error: Exception, asked: str) -> Refusal:
    """What an error is to the one who asked.

    What a store says of itself and what is a mistake of ours is for the log: whoever asked gets nothing of it. What the
    framework refused is said in our words: its own might show what came in.
    """
    match error:
        case RefusedError():
            return error.refusal
        case StoreError():
            log.warning("%s: %s", asked, error.message)
            return StoreUnavailable()
        case HTTPException() if error.status_code < HTTPStatus.INTERNAL_SERVER_ERROR:
            first = error.extra[0] if isinstance(error.extra, list) and error.extra else {}
            where = str(first.get("key", "")) if isinstance(first, dict) else ""
            return _FRAMEWORK_REFUSALS.get(error.status_code, FieldInvalid(where))
    log.error("%s failed", asked, exc_info=error)
    return Internal()


def on_error(request: Connection, error: Exception) -> Response[Problem]:
    """Answer what was refused, and what went wrong."""
    scope = request.scope
    body, headers = problem_details(request, refusal_of(error, f"{scope.get('method', '')} {scope['path']}"))
    headers |= getattr(error, "headers", None) or {}  # those of the framework: which methods are allowed
    return Response(body, status_code=body.status, media_type=headers.pop("content-type"), headers=headers)


def refusals(*statuses: HTTPStatus) -> dict[int, ResponseSpec]:
    """The refusals an operation may give besides those that any may, for the OpenAPI document."""
    return {status.value: _response(status) for status in sorted({*ALWAYS_POSSIBLE, *statuses})}


def _response(status: HTTPStatus) -> ResponseSpec:
    """The problems of a status: their codes, and one of them as it is sent."""
    codes = [f"`{kebab(kind.__name__)}`" for kind in BY_STATUS.get(status, ())]
    listed = ", ".join([*codes[:MOST_CODES], *(["others"] if len(codes) > MOST_CODES or not codes else [])])
    # As it is sent: of a plain value Litestar would leave out what is null.
    sent = msgspec.Raw(msgspec.json.encode(problem_of(_EXAMPLES[status]))) if status in _EXAMPLES else None
    return ResponseSpec(
        Problem,
        generate_examples=False,
        description=f"{status.phrase}: {listed}",
        media_type=PROBLEM_MEDIA,
        examples=[Example(value=sent)] if sent else None,
    )
