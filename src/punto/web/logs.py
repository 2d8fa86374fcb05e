"""The server's log: one line an entry whatever a request put into it, and never a token."""

from __future__ import annotations

import logging
import re

log = logging.getLogger("punto.web")

# What could start a new line or steer a terminal, and what a token looks like (43 signs of base64url).
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43,}")


class OneLineFormatter(logging.Formatter):
    """Writes an entry on one line, its traceback included, with anything that may be a token struck out."""

    def format(self, record: logging.LogRecord) -> str:
        """The entry as it is written."""
        text = _TOKEN.sub("[token]", super().format(record))
        return _CONTROL.sub(lambda sign: sign.group().encode("unicode_escape").decode(), text)


def log_to_stderr() -> None:
    """Write the log where an operator looks for it; called once by a server that runs by itself."""
    handler = logging.StreamHandler()
    handler.setFormatter(OneLineFormatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    # At the root: what libraries log, the event loop too, must not break a line or show a token either.
    logging.getLogger().handlers[:] = [handler]
    logging.getLogger("punto").setLevel(logging.INFO)
