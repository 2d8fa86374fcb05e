"""`punto backup` and `punto restore`: a copy of a house's database that is proved before anybody relies on it.

A copy is made while the house serves: SQLite's online backup, or `pg_dump`. It is audited with the house's key, and its
head file is written beside it, so it can be restored anywhere. The key itself is not in it.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import unquote, urlsplit, urlunsplit

from punto.cli.audit import audit_and_accept
from punto.cli.commands.house import Backup, Restore
from punto.cli.output import console, phrase, write
from punto.cli.refusals import BackupFailed, BackupUnsound, KeyMissing, RestoreOver
from punto.cli.settings import read_database, require_key
from punto.rules.refusals import Refused
from punto.service.settings import HouseSettings
from punto.store.heads import sync_folder
from punto.store.opening import SQLITE, public, sqlite_path

DUMP = ".dump"
PAGES_AT_ONCE = 1_000
"""The pages that SQLite copies before it lets the house write again."""


def run(ask: Backup) -> None:
    """Copy a database into a folder, prove the copy, and say where it is. An unsound copy is removed again."""
    house, folder = read_database(ask), ask.out
    house = replace(house, key=str(require_key(house)))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    name = f"punto-{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}"  # finer than backups can follow each other
    if house.database.startswith(SQLITE):
        copy = folder / f"{name}.db"
        _copy_sqlite(sqlite_path(house.database), copy)
        records = _prove(replace(house, database=f"{SQLITE}{copy}", head=None), copy)
    else:
        copy = folder / f"{name}{DUMP}"
        _run("pg_dump", house.database, "--format=custom", f"--file={copy}")
        with _scratch(house.database) as scratch:
            _run("pg_restore", scratch, "--no-owner", str(copy))
            records = _prove(replace(house, database=scratch, head=f"{copy}.head"), copy)
    _sync(copy)
    if (made := house.backup_file) is not None:
        with suppress(OSError):  # the key may lie where only root writes
            made.touch()
    _say(ask, "backed-up", str(copy), records)


def restore(ask: Restore) -> None:
    """Put a copy in the place of a database that is not there yet, prove it, and make its head file."""
    house, copy = read_database(ask), ask.file
    address, head = house.database, house.head_file
    if (key := house.key_file) is None or not key.is_file():
        raise Refused(KeyMissing(str(key or "")))
    if address.startswith(SQLITE):
        path = sqlite_path(address)
        if path.exists() or (head is not None and head.exists()):
            raise Refused(RestoreOver(public(address)))
        path.parent.mkdir(parents=True, exist_ok=True)
        _copy_sqlite(copy, path)
        _sync(path)
    else:
        if _psql(address, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") != "0":
            raise Refused(RestoreOver(public(address)))
        _run("pg_restore", address, "--no-owner", "--exit-on-error", str(copy))
    records = _prove(house, sqlite_path(address) if address.startswith(SQLITE) else None)
    if head is not None and head.stat().st_uid != head.parent.stat().st_uid:
        sys.stderr.write(f"punto: {phrase('restored-for-another', folder=str(head.parent))}\n")
    _say(ask, "restored", public(address), records)


def _prove(house: HouseSettings, copy: Path | None) -> int:
    """Audit a copy, and make its head file; the number of its records. A file that is unsound is removed again."""
    records, problem = audit_and_accept(house)
    if problem is not None:
        if copy is not None:
            copy.unlink()
        raise Refused(BackupUnsound(problem))
    return records


def _say(ask: Backup | Restore, done: str, where: str, records: int) -> None:
    says = phrase(done, file=where, records=records)
    data = {"file": where, "records": records}
    write(ask, data=lambda: data, text=lambda: console().print(says, soft_wrap=True, markup=False))


# ------------------------------------------------------------------------------------------- SQLite


def _copy_sqlite(source: Path, copy: Path) -> None:
    """Copy a database while others write to it: what was committed when the copy ends, and nothing half."""
    partial = copy.with_name(f"{copy.name}.partial")
    try:
        with (
            closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as original,
            closing(sqlite3.connect(partial)) as made,
        ):
            original.backup(made, pages=PAGES_AT_ONCE)
            made.execute("PRAGMA journal_mode = DELETE")  # one file, with nothing beside it
        partial.chmod(0o600)
        partial.replace(copy)
    except (sqlite3.Error, OSError) as error:
        partial.unlink(missing_ok=True)
        raise Refused(BackupFailed(str(source), str(error))) from None


def _sync(file: Path) -> None:
    with file.open("rb+") as synced:
        os.fsync(synced.fileno())
    sync_folder(file.parent)


# ------------------------------------------------------------------------------------------- PostgreSQL


def _run(program: str, address: str, *arguments: str) -> str:
    """Run one of PostgreSQL's own programs; the password goes by the environment, which others cannot read."""
    parts = urlsplit(address)
    environment = dict(os.environ)
    if parts.password:
        environment["PGPASSWORD"] = unquote(parts.password)
    command = [program, f"--dbname={public(address)}", *arguments]
    try:
        done = subprocess.run(  # noqa: S603 — what it writes is for its owner alone
            command, env=environment, capture_output=True, text=True, check=True, umask=0o077
        )
    except FileNotFoundError:
        raise Refused(BackupFailed(program, phrase("not-installed"))) from None
    except subprocess.CalledProcessError as error:
        raise Refused(BackupFailed(program, error.stderr.strip())) from None
    return done.stdout


def _psql(address: str, statement: str) -> str:
    return _run("psql", address, "--no-psqlrc", "--tuples-only", "--no-align", f"--command={statement}").strip()


@contextmanager
def _scratch(address: str) -> Iterator[str]:
    """A database beside another for as long as a copy is looked at."""
    name = f"punto_check_{secrets.token_hex(4)}"
    _psql(address, f"CREATE DATABASE {name}")
    try:
        yield urlunsplit(urlsplit(address)._replace(path=f"/{name}"))
    finally:
        _psql(address, f"DROP DATABASE {name} WITH (FORCE)")
