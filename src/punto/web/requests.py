"""How bodies and messages are read: in time, within their size, and strictly where the framework takes "5" for 5."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Any, cast

from litestar.types import HTTPReceiveMessage, Receive

from punto.protocol.codec import ASKED, Reader
from punto.protocol.refusals import BodyLate, FieldInvalid, PayloadTooLarge, RequestUnreadable
from punto.rules.reasons import Problem, Wanted
from punto.rules.refusals import FieldMissing, FieldType, FieldUnknown, Refusal, RefusedError, Unreadable
from punto.table.refusals import CommandUnknown

BODY_SECONDS = 10


def read(text: bytes | str, kind: Any) -> Any:
    """A body or message of this kind; a RefusedError says what is wrong with it and where."""
    try:
        return _reader(kind).parse(text)
    except RefusedError as error:
        raise RefusedError(_of_request(error.refusal, kind)) from None


@cache
def _reader(kind: Any) -> Reader[Any]:
    return Reader(kind)


def _of_request(refusal: Refusal, kind: Any) -> Refusal:
    """What the edge says of a body that cannot be read. What is wrong inside a command is for the table to say."""
    match refusal:
        case Unreadable(problem=Problem.RECORD_NOT_OBJECT):
            return FieldInvalid("", Wanted.OBJECT)
        case Unreadable():
            return RequestUnreadable(refusal.problem)
        case _ if kind is ASKED:
            return refusal
        case FieldMissing() | FieldType():
            return FieldInvalid(refusal.where, refusal.wanted, refusal.known)
        case FieldUnknown():
            return FieldInvalid(refusal.name, Wanted.ONE_OF, refusal.known)
        case CommandUnknown():
            return FieldInvalid("type", Wanted.ONE_OF, refusal.known)
    return refusal


async def read_body(receive: Receive, limit: int) -> bytes:
    """The whole body of a request; a RefusedError where it is larger than the limit, or does not come in time."""
    task, late, body = asyncio.current_task(), False, b""

    def give_up() -> None:
        nonlocal late
        late = True
        if task is not None:
            task.cancel()

    # As asyncio.timeout does it, at a third of the cost, which every bet pays.
    timer = asyncio.get_running_loop().call_later(BODY_SECONDS, give_up)
    try:
        while True:
            event = cast(HTTPReceiveMessage, await receive())
            if event["type"] == "http.disconnect":
                raise RefusedError(BodyLate())
            body += event["body"]
            if len(body) > limit:
                raise RefusedError(PayloadTooLarge())
            if not event["more_body"]:
                return body
    except asyncio.CancelledError:
        if late and task is not None and task.uncancel() == 0:
            raise RefusedError(BodyLate()) from None
        raise
    finally:
        timer.cancel()
