"""Locks on files: one process has a file, until it lets go or ends, however it ends."""

from __future__ import annotations

import os
from pathlib import Path

from punto.store.errors import RefusedStoreError

try:
    import fcntl
except ImportError:  # pragma: no cover — Windows has no flock; there one must take care oneself
    fcntl = None  # type: ignore[assignment]


def lock(descriptor: int, message: str) -> None:
    """Lock an open file, or close it and say that another process has it."""
    if fcntl is None:  # pragma: no cover
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise RefusedStoreError("store-in-use", message) from None


class DatabaseLock:
    """Keeps a database file for this process, by a file beside it: `FILE.lock`, which is never removed.

    The database itself cannot carry the lock: SQLite has locks of its own there, which the system drops when anyone in
    the process closes the file. Whoever only reads (an audit, a backup) asks for no lock.
    """

    def __init__(self, database: Path) -> None:
        real = database.resolve()  # by whichever name it is called
        path = real.with_name(real.name + ".lock")
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise RefusedStoreError("database-unreadable", f"cannot make {path}: {error.strerror}") from None
        lock(
            self._file, f"another process has {database} open; several processes share a PostgreSQL, not an SQLite file"
        )

    def release(self) -> None:
        """Let another process have it."""
        os.close(self._file)
