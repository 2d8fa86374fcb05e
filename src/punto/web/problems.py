"""Problem details (RFC 9457): every refusal leaves the edge in one shape, with code, facts and paragraph."""

from __future__ import annotations

from http import HTTPStatus

import msgspec

from punto.protocol.refusals import Internal, StoreUnavailable, status_of
from punto.protocol.shown import show_refusal
from punto.protocol.views import ProblemDetails
from punto.rules.refusals import Refusal, Refused
from punto.rules.sheet import Sheet
from punto.store.errors import StoreError
from punto.texts import LANGUAGES, negotiate, say
from punto.web.logs import log
from punto.web.requests import Response

PROBLEM_TYPE = "urn:punto:refusal:"
PROBLEM_MEDIA = "application/problem+json"
RETRY_SECONDS = 1


def problem_of(refusal: Refusal, language: str = LANGUAGES[0], sheet: Sheet | None = None) -> ProblemDetails:
    """A refusal as a problem."""
    status = status_of(refusal)
    return ProblemDetails(
        PROBLEM_TYPE + refusal.code,
        status.phrase,
        status.value,
        say(refusal, language, sheet),
        refusal.code,
        refusal.rule,
        show_refusal(refusal),
    )


def problem_response(refusal: Refusal, accept_language: str = "", sheet: Sheet | None = None) -> Response:
    """A refusal as an answer in the language that was asked for; the sheet has the names of the bets."""
    language = negotiate(accept_language)
    problem = problem_of(refusal, language, sheet)
    headers = [(b"content-type", PROBLEM_MEDIA.encode()), (b"content-language", language.encode())]
    if problem.status == HTTPStatus.UNAUTHORIZED:
        headers.append((b"www-authenticate", b"Bearer"))
    if problem.status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
        headers.append((b"retry-after", b"%d" % RETRY_SECONDS))
    return Response(problem.status, msgspec.json.encode(problem), headers)


def refusal_of(error: Exception, asked: str) -> Refusal:
    """The refusal that an error is to the one who asked.

    What a store says of itself and what is a mistake of ours is for the log: whoever asked gets nothing of it.
    """
    match error:
        case Refused():
            return error.refusal
        case StoreError():
            log.warning("%s: %s", asked, error.message)
            return StoreUnavailable()
    log.error("%s failed", asked, exc_info=error)
    return Internal()
