"""Back up a house while it serves, restore it elsewhere, and play on."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from tests.e2e.test_serve import Served, eventually, serving
from tests.postgres import PostgresServer
from tests.unit.command import punto

DEMO = ("--demo", "--open-door", "--no-house-players")
MOST_JOINS = 40
"""Fewer than one address may send at once."""


def rounds(server: Served) -> int:
    """Rounds that all tables have begun."""
    return sum(table["round"] or 0 for table in server.get("/api/tables"))


def played(server: Served, name: str) -> str:
    """A patron who has joined and bought."""
    joined = server.post("/api/join", {"name": name})
    return str(joined["token"])


def test_a_copy_made_while_the_house_serves_is_whole_and_plays_on(tmp_path: Path) -> None:
    house = tmp_path / "house" / "punto.db"
    address, key = f"sqlite:///{house}", house.with_name("punto.db.key")
    with serving("--database", address, "--always-on", *DEMO) as server:
        joined = [played(server, "Ann")]
        stop = threading.Event()

        def join_on() -> None:
            number = 0
            while not stop.is_set() and number < MOST_JOINS:
                number += 1
                joined.append(played(server, f"Patron {number}"))

        busy = threading.Thread(target=join_on)
        busy.start()
        try:
            made = punto("backup", "--database", address, "--out", str(tmp_path / "copies"), "--json")
        finally:
            stop.set()
            busy.join()
        (copy,) = (tmp_path / "copies").glob("*.db")
        assert made.returncode == 0, made.stderr
        assert json.loads(made.stdout)["file"] == str(copy)
        assert len(joined) > 1
        before = rounds(server)
    new = tmp_path / "elsewhere" / "punto.db"
    restored = punto("restore", str(copy), "--database", f"sqlite:///{new}", "--key", str(key))
    assert (restored.returncode, "restored, audited and whole" in restored.stdout) == (0, True), restored.stderr
    with serving("--database", f"sqlite:///{new}", "--key", str(key), "--always-on", "--open-door") as server:
        assert server.get("/api/me", joined[0])["name"] == "Ann"
        eventually(lambda: rounds(server) > before)
    assert punto("audit", "--database", f"sqlite:///{new}", "--key", str(key)).returncode == 0


def test_what_cannot_be_relied_on_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    house = tmp_path / "punto.db"
    address = f"sqlite:///{house}"
    with serving("--database", address, *DEMO):
        pass
    copies = tmp_path / "copies"
    first = punto("backup", "--database", address, "--out", str(copies))
    assert first.returncode == 0, first.stderr
    (copy,) = copies.glob("*.db")
    over = punto("restore", str(copy), "--database", address, "--json")
    assert (over.returncode, json.loads(over.stdout)["refused"]["code"]) == (2, "restore-over")
    absent = punto("backup", "--database", f"{address}x", "--out", str(copies))
    assert "database-missing" in absent.stderr
    keyless = punto("backup", "--database", address, "--out", str(copies), "--key", str(tmp_path / "none"), "--json")
    assert json.loads(keyless.stdout)["refused"]["code"] == "key-missing"
    nothing = punto(
        "backup", "--database", f"sqlite:///{tmp_path / 'none.db'}", "--out", str(copies), "--key", f"{house}.key"
    )
    assert "backup-failed" in nothing.stderr
    with closing(sqlite3.connect(house)) as connection, connection:
        connection.execute("UPDATE people SET role = 'admin' WHERE role = 'dealer'")
    unsound = punto("backup", "--database", address, "--out", str(copies), "--json")
    assert (unsound.returncode, json.loads(unsound.stdout)["refused"]["code"]) == (2, "backup-unsound")
    assert [each for each in copies.iterdir() if not each.name.startswith(copy.name)] == []
    if os.geteuid() == 0:
        (other := tmp_path / "house-of-another").mkdir()
        os.chown(other, 65_534, 65_534)
        mine = punto("restore", str(copy), "--database", f"sqlite:///{other}/punto.db", "--key", f"{house}.key")
        assert (mine.returncode, "as the user of the house" in mine.stderr) == (0, True), mine.stderr
    spoiled = tmp_path / "spoiled.db"
    shutil.copy(house, spoiled)
    target = f"sqlite:///{tmp_path / 'new' / 'punto.db'}"
    refused = punto("restore", str(spoiled), "--database", target, "--key", f"{house}.key", "--json")
    assert json.loads(refused.stdout)["refused"]["code"] == "backup-unsound"
    assert not (tmp_path / "new" / "punto.db").exists()


def test_a_copy_of_a_postgresql_house_is_proved_in_a_database_of_its_own(
    postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{postgres.binaries}{os.pathsep}{os.environ['PATH']}")
    for name in ("backed", "restored"):
        postgres.sql("postgres", f"CREATE DATABASE {name}")
    key = tmp_path / "one.key"
    (tmp_path / "database").write_text(postgres.address("backed"))
    (tmp_path / "punto.toml").write_text(f"database_file = '{tmp_path}/database'\nhead = '{tmp_path}/one.head'\n")
    settings = ("--config", str(tmp_path / "punto.toml"))
    with serving(*settings, *DEMO) as server:
        token = played(server, "Ann")
        made = punto("backup", *settings, "--out", str(tmp_path / "copies"), "--json")
    assert made.returncode == 0, made.stderr + made.stdout
    assert {oct(each.stat().st_mode & 0o777) for each in (tmp_path / "copies").iterdir()} == {"0o600"}
    assert postgres.sql("postgres", "SELECT count(*) FROM pg_database WHERE datname LIKE 'punto_check%'") == "0"
    copy, new = json.loads(made.stdout)["file"], postgres.address("restored")
    options = ("--head", str(tmp_path / "two.head"), "--key", str(key))
    restored = punto("restore", copy, "--database", new, *options)
    assert (restored.returncode, restored.stdout.startswith(f"{new}: ")) == (0, True), restored.stderr
    with serving("--database", new, *options) as server:
        assert server.get("/api/me", token)["name"] == "Ann"
    again = punto("restore", copy, "--database", new, *options, "--json")
    assert json.loads(again.stdout)["refused"]["code"] == "restore-over"
