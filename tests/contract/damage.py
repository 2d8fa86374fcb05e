"""Single bytes of an SQLite file changed where they hurt: in an index, whose table stays as it was."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path


def point_elsewhere(file: Path, index: str, key: bytes, other: bytes) -> None:
    """Let one key of an index lead to the row of another. The row's number follows the key."""
    content, start, end = _page_of(file, index)
    place, target = [content.index(each, start, end) + len(each) for each in (key, other)]
    file.write_bytes(content[:place] + content[target : target + 1] + content[place + 1 :])


def rename_in_index(file: Path, index: str, key: bytes, other: bytes) -> None:
    """Change one key of an index."""
    content, start, end = _page_of(file, index)
    place = content.index(key, start, end)
    file.write_bytes(content[:place] + other + content[place + len(key) :])


def _page_of(file: Path, index: str) -> tuple[bytes, int, int]:
    """The file with its log taken in, and where the first page of an index begins and ends."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        select = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        page = connection.execute(select, (index,)).fetchone()[0]
    return file.read_bytes(), (page - 1) * size, page * size
