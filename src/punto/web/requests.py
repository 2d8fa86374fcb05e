"""How bodies are read: by their declared type and strictly, where the framework would take "5" for 5."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request

from punto.service.people import Person
from punto.web.problems import EdgeCode, EdgeRefusedError
from punto.web.schemas import CommandBody

JSON = "application/json"


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


class StrictRequest(Request[Person | None, Any, Any]):
    """A request whose JSON body is read into the type its handler asks for."""

    async def json(self) -> Any:
        """The body, which must be marked as JSON: a form that a foreign page can send without asking is not."""
        if self.content_type[0] != JSON:
            raise EdgeRefusedError(EdgeCode.MEDIA_TYPE_UNKNOWN, f"a body is sent as {JSON}")
        wanted = self.route_handler.parsed_data_field
        kind = Any if wanted is None else wanted.annotation
        if kind is CommandBody:
            return CommandBody(read_json(await self.body(), dict[str, Any]))
        return read_json(await self.body(), kind)
