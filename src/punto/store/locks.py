"""File locks. One process holds a file until it releases it or ends in any way."""

from __future__ import annotations

import os
from pathlib import Path

from punto.store.errors import RefusedStoreError

try:
    import fcntl
except ImportError:  # pragma: no cover — Windows has no flock; users must take care themselves
    fcntl = None  # type: ignore[assignment]


def lock(descriptor: int, message: str) -> None:
    """Lock an open file, or close it and raise an error with `message`."""
    if fcntl is None:  # pragma: no cover
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise RefusedStoreError("store-in-use", message) from None


class DatabaseLock:
    """Reserves a database file for this process with a lock on `FILE.lock`, which is never removed.

    The lock cannot be on the database itself: the system drops SQLite's own locks when any code in the process closes
    the file. Readers (an audit, a backup) need no lock.
    """

    def __init__(self, database: Path) -> None:
        real = database.resolve()  # the same file under any name
        path = real.with_name(real.name + ".lock")
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise RefusedStoreError("database-unreadable", f"cannot make {path}: {error.strerror}") from None
        lock(
            self._file, f"another process has {database} open; several processes share a PostgreSQL, not an SQLite file"
        )

    def release(self) -> None:
        """Release the lock."""
        os.close(self._file)
