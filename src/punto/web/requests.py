"""How bodies are read: by their declared type and strictly, where the framework would take "5" for 5."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import msgspec
from litestar import Request
from litestar.types import HTTPReceiveMessage, Receive

from punto.service.people.person import Person
from punto.web.problems import EdgeCode, EdgeRefusedError
from punto.web.schemas import CommandBody

JSON = "application/json"
BODY_SECONDS = 10


def read_json(text: bytes | str, kind: Any = Any) -> Any:
    """A body or message of this kind; an EdgeRefusedError says what is wrong with it and where."""
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.ValidationError as error:
        message, _, place = str(error).partition(" - at ")
        where = place.strip("`").removeprefix("$").removeprefix(".")
        raise EdgeRefusedError(EdgeCode.FIELD_INVALID, message, where or None) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise EdgeRefusedError(EdgeCode.REQUEST_UNREADABLE) from None


class Deadline:
    """Cancels the task that made it after a while, as asyncio.timeout does: bare of what every bet would pay for."""

    def __init__(self, seconds: float) -> None:
        self._task = asyncio.current_task()
        self._passed = False
        self.cancel = asyncio.get_running_loop().call_later(seconds, self._end).cancel

    def _end(self) -> None:
        self._passed = True
        if self._task is not None:
            self._task.cancel()

    def has_passed(self) -> bool:
        """Whether it was this that cancelled the task, which then goes on."""
        return self._passed and self._task is not None and self._task.uncancel() == 0


async def read_body(receive: Receive) -> bytes:
    """The whole body of a request; an EdgeRefusedError where it does not come, or the one who sent it goes."""
    parts: list[bytes] = []
    deadline = Deadline(BODY_SECONDS)
    try:
        while True:
            event = cast(HTTPReceiveMessage, await receive())
            if event["type"] == "http.disconnect":
                raise EdgeRefusedError(EdgeCode.BODY_LATE)
            parts.append(event["body"])
            if not event["more_body"]:
                return b"".join(parts)
    except asyncio.CancelledError:
        if deadline.has_passed():
            raise EdgeRefusedError(EdgeCode.BODY_LATE) from None
        raise
    finally:
        deadline.cancel()


class StrictRequest(Request[Person | None, Any, Any]):
    """A request whose JSON body is read in time, and into the type its handler asks for."""

    async def body(self) -> bytes:
        """The whole body."""
        try:
            async with asyncio.timeout(BODY_SECONDS):
                return await super().body()
        except TimeoutError:
            raise EdgeRefusedError(EdgeCode.BODY_LATE) from None

    async def json(self) -> Any:
        """The body, which must be marked as JSON: a form that a foreign page can send without asking is not."""
        if self.content_type[0] != JSON:
            raise EdgeRefusedError(EdgeCode.MEDIA_TYPE_UNKNOWN, f"a body is sent as {JSON}")
        wanted = self.route_handler.parsed_data_field
        kind = Any if wanted is None else wanted.annotation
        if kind is CommandBody:
            return CommandBody(read_json(await self.body(), dict[str, Any]))
        return read_json(await self.body(), kind)
