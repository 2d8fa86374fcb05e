"""The server's log: one line an entry whatever a request put into it, and never a token.

An entry about a request carries the id that its answer has in `X-Request-Id`. Fields come with `extra={"fields": …}`.
"""

from __future__ import annotations

import json
import logging
import re
from contextvars import ContextVar
from datetime import UTC, datetime

from punto.service.settings import LogFormat, LogLevel

log = logging.getLogger("punto.web")
request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The request that is served in this task."""

# What could start a new line or steer a terminal, and what a token looks like (43 signs of base64url).
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43,}")


def request_header() -> tuple[bytes, bytes]:
    """The header that names the request that is answered."""
    return b"x-request-id", request_id.get().encode()


def _fields(record: logging.LogRecord) -> dict[str, object]:
    fields: dict[str, object] = getattr(record, "fields", {})
    return {**fields, "request": asked} if (asked := request_id.get()) else fields


class OneLineFormatter(logging.Formatter):
    """Writes an entry on one line, its traceback included, with anything that may be a token struck out."""

    def format(self, record: logging.LogRecord) -> str:
        """The entry as it is written."""
        about = "".join(f" {name}={value}" for name, value in _fields(record).items())
        text = _TOKEN.sub("[token]", super().format(record) + about)
        return _CONTROL.sub(lambda sign: sign.group().encode("unicode_escape").decode(), text)


class JsonFormatter(OneLineFormatter):
    """Writes an entry as one JSON object, with anything that may be a token struck out."""

    def format(self, record: logging.LogRecord) -> str:
        """The entry as it is written."""
        entry: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **_fields(record),
        }
        if record.exc_info:
            entry["exception"] = self.formatException(record.exc_info)
        return _TOKEN.sub("[token]", json.dumps(entry, ensure_ascii=False, default=str))


def log_to_stderr(style: LogFormat = LogFormat.CONSOLE, level: LogLevel = LogLevel.INFO) -> None:
    """Write the log where an operator looks for it; called once by a server that runs by itself."""
    handler = logging.StreamHandler()
    plain = OneLineFormatter("%(asctime)s %(levelname)s %(name)s %(message)s")
    handler.setFormatter(JsonFormatter() if style is LogFormat.JSON else plain)
    # At the root: what libraries log, the event loop too, must not break a line or show a token either.
    logging.getLogger().handlers[:] = [handler]
    logging.getLogger("punto").setLevel(level.upper())
    # The driver tells each try to reach a database that is away; `punto.health` tells once, with the reason.
    logging.getLogger("asyncpg").setLevel(logging.ERROR)
