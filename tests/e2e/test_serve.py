"""`punto serve` as an operator runs it, and `punto verify-shoe` as anyone may."""

from __future__ import annotations

import contextlib
import json
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from punto.rules.cards import parse_cards
from punto.table.shoe_proof import commit
from tests.e2e.command import ROOT, punto
from tests.nats_server import NatsServer
from tests.patience import PATIENCE_SECONDS
from tests.postgres import PostgresServer


class Served:
    """A server that is ours, the tokens it told, and what it said when it opened."""

    def __init__(self, process: subprocess.Popen[str], told: dict[str, Any], tokens: list[dict[str, str]]) -> None:
        self.process, self.told, self.tokens = process, told, tokens

    def get(self, path: str, token: str | None = None) -> Any:
        return self._ask(path, {"Authorization": f"Bearer {token}"} if token else {})

    def post(self, path: str, body: dict[str, Any]) -> Any:
        return self._ask(path, {"Content-Type": "application/json"}, json.dumps(body).encode())

    def _ask(self, path: str, headers: dict[str, str], body: bytes | None = None) -> Any:
        request = urllib.request.Request(f"{self.told['address']}{path}", body, headers)  # noqa: S310 — our own
        with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:  # noqa: S310
            return json.load(answer)


@contextmanager
def serving(*arguments: str) -> Iterator[Served]:
    command = [sys.executable, "-m", "punto", "serve", "--json", "--port", "0", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        assert process.stdout is not None
        tokens = []
        for line in process.stdout:
            if "address" in (told := json.loads(line)):
                break
            tokens.append(told)
        else:
            raise AssertionError(process.stderr.read() if process.stderr else "")
        yield Served(process, told, tokens)
    finally:
        process.kill()
        process.communicate()


def eventually(found: Any) -> Any:
    """What a look-up gives once it gives something."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            if answer := found():
                return answer
        except (urllib.error.URLError, ConnectionError):
            pass
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.05)


def test_a_demonstration_house_opens_once_survives_a_kill_and_stops_when_told(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'data' / 'punto.db'}"
    options = ("--database", database, "--demo", "--always-on")
    with serving(*options) as first:
        assert len(first.told["tables"]) == 8
        roles = [each["role"] for each in first.tokens]
        assert roles == ["admin", "dealer", "pit-supervisor", "pit-manager", "shift-manager"]
        shown = first.get("/api/tables")
        games = [(table["game"], table["mode"]) for table in shown]
        assert len({game for game, _ in games}) == 5
        assert [game for game, mode in sorted(games) if mode == "live"] == ["commission", "non-commission"]
        assert [table["id"] for table in shown if table["face_down"]] == ["squeeze"]
        assert [table["id"] for table in shown if table["private"] and table["notice_rule"]] == ["salon"]
        eventually(lambda: any(table["round"] for table in first.get("/api/tables")))
    with serving(*options) as again:
        assert again.tokens == [], "tokens are told once"
        assert again.get("/api/health/ready")["status"] == "ok"
        again.process.send_signal(signal.SIGTERM)
        assert again.process.wait(PATIENCE_SECONDS) == 0
    audited = punto("audit", "--database", database, "--json")
    assert audited.returncode == 0, audited.stdout
    text = (tmp_path / "data" / "punto.db").read_bytes()
    for each in first.tokens:
        assert each["token"].encode() not in text, "only the hash of a token is kept"


def test_a_demonstration_of_an_earlier_version_is_moved_aside(tmp_path: Path) -> None:
    file = tmp_path / "punto.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
    old = tmp_path / "punto.db.key"
    old.write_text("ab" * 32)
    old.chmod(0o600)
    refused = punto("serve", "--database", f"sqlite:///{file}", "--port", "0")
    assert (refused.returncode, refused.stderr.strip().endswith("[database-older]")) == (2, True), refused.stderr
    with serving("--database", f"sqlite:///{file}", "--demo") as served:
        assert served.tokens, "a new house has begun"
    assert (tmp_path / "punto.db.key.0.x-1").read_text() == "ab" * 32
    with closing(sqlite3.connect(tmp_path / "punto.db.0.x-1")) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("alembic_version",)]


def test_two_servers_share_a_database_and_one_takes_over_from_the_other(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    postgres.sql("postgres", "CREATE DATABASE served")
    bus = NatsServer()
    bus.start()
    options = ("--database", postgres.address("served"), "--bus", bus.address, "--always-on")
    key = tmp_path / "one.key"
    try:
        with serving(*options, "--head", str(tmp_path / "one"), "--owner", "one", "--demo") as one:
            heads = ("--head", str(tmp_path / "two"), "--adopt-head", "--owner", "two")
            alone = punto("serve", *options, *heads)
            assert (alone.returncode, "[key-missing]" in alone.stderr) == (2, True), alone.stderr
            with serving(*options, *heads, "--key", str(key)) as two:
                assert two.told["tables"] == one.told["tables"]
                assert not any(table["runs_here"] for table in two.get("/api/health/ready")["tables"].values())
                eventually(lambda: any(table["round"] for table in two.get("/api/tables")))
                one.process.kill()
                one.process.wait()
                eventually(lambda: all(table["runs_here"] for table in two.get("/api/health/ready")["tables"].values()))
    finally:
        bus.kill()
    audited = punto("audit", "--database", postgres.address("served"), "--key", str(key), "--json")
    assert audited.returncode == 0, audited.stdout
    assert json.loads(audited.stdout)["shoes_left_sealed"] == 0


def test_a_taken_address_loses_no_token(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'punto.db'}"
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = punto("serve", "--database", database, "--port", str(taken.getsockname()[1]))
        assert (done.returncode, "[unreachable]" in done.stderr) == (2, True), done.stderr
    assert list(tmp_path.iterdir()) == [], "no file is made before the address is ours"
    with serving("--database", database) as served:
        assert [each["role"] for each in served.tokens] == ["admin"]


def who(served: Served, token: str) -> str | None:
    """The role that a token opens, if any."""
    try:
        return str(served.get("/api/me", token)["role"])
    except urllib.error.HTTPError as error:
        assert error.code == 401
        return None


def test_an_operator_who_lost_the_admin_token_asks_for_a_new_one(tmp_path: Path) -> None:
    database = ("--database", f"sqlite:///{tmp_path / 'punto.db'}")
    with serving(*database) as served:
        (lost,) = served.tokens
        assert who(served, lost["token"]) == "admin"
    with serving(*database, "--new-admin-token") as served:
        (new,) = served.tokens
        assert new["id"] == lost["id"]
        assert (who(served, lost["token"]), who(served, new["token"])) == (None, "admin")
    with serving(*database) as served:
        assert (served.tokens, who(served, new["token"])) == ([], "admin")
    with serving("--database", "memory:", "--new-admin-token") as served:
        (first,) = served.tokens
        assert (first["role"], who(served, first["token"])) == ("admin", "admin")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--database", "foo"), "database-unknown"),
        (("--database", "memory:", "--bus", "nats://user:secret@127.0.0.1:1"), "unreachable"),
        (("--database", "sqlite:////proc/none/punto.db"), "database-unreadable"),
        (("--database", "memory:", "--sheet", "none.toml"), "game-unknown"),
        (("--database", "memory:", "--port", "65536"), "setting-invalid"),
        (("--database", "memory:", "--origin", "floor.example"), "setting-invalid"),
    ],
)
def test_what_cannot_be_served_is_said_in_a_sentence(arguments: tuple[str, ...], code: str) -> None:
    done = punto("serve", *arguments)
    assert done.returncode == 2
    assert f"[{code}]" in done.stderr
    assert "secret" not in done.stderr


def test_the_log_says_once_that_the_database_went_and_once_that_it_is_back(tmp_path: Path) -> None:
    postgres = PostgresServer()
    postgres.start()
    try:
        postgres.sql("postgres", "CREATE DATABASE away")
        options = ("--database", postgres.address("away"), "--head", str(tmp_path / "head"), "--open-door")
        with serving(*options) as served:

            def ready() -> bool:
                with contextlib.suppress(urllib.error.HTTPError):
                    return bool(served.get("/api/health/ready")["status"] == "ok")
                return False

            postgres.stop()
            eventually(lambda: not ready())
            for number in range(3):
                with pytest.raises(urllib.error.HTTPError):
                    served.post("/api/join", {"name": f"Ann {number}"})
            postgres.start()
            eventually(ready)
            served.process.send_signal(signal.SIGTERM)
            _, log = served.process.communicate()
    finally:
        postgres.close()
    assert "Traceback" not in log
    told = [line.partition("punto.health ")[2] for line in log.splitlines() if "store" in line]
    assert [each.partition(" (")[0].partition(" request")[0] for each in told] == ["store: away", "store is well again"]


def test_why_it_cannot_start_is_an_entry_of_the_log_where_that_is_json() -> None:
    style = ("--set", "server.log_format=json")
    for arguments, codes in (
        (("--database", "foo"), ["database-unknown"]),
        (("--set", "edge.burst=many", "--set", "edge.bursts=1"), ["setting-invalid", "setting-unknown"]),
    ):
        done = punto("serve", *style, *arguments)
        assert done.returncode == 2
        assert [json.loads(line)["code"] for line in done.stderr.splitlines()] == codes


SHOE = ROOT / "examples" / "opened-shoe.json"


def test_a_record_made_up_afterwards_is_caught_by_what_was_noted_down(tmp_path: Path) -> None:
    """The house writes the record: it can fit together and still be another shoe than the one promised."""
    promised = json.loads(SHOE.read_text())["commitment"]
    alone = punto("verify-shoe", str(SHOE))
    assert (alone.returncode, "only as good as the record" in alone.stdout) == (0, True), alone.stdout
    assert json.loads(punto("verify-shoe", str(SHOE), "--json").stdout)["noted"] is None
    for noted in (promised, f" {promised.upper()} "):
        kept = punto("verify-shoe", str(SHOE), "--commitment", noted)
        assert (kept.returncode, "only as good" in kept.stdout) == (0, False), kept.stdout
        assert "the commitment that was noted before the first bet" in kept.stdout
    other = dict(json.loads(SHOE.read_text()), salt="00" * 32)
    other["commitment"] = commit(parse_cards(other["order"]), bytes.fromhex(other["salt"]))
    made_up = tmp_path / "shoe.json"
    made_up.write_text(json.dumps(other))
    assert punto("verify-shoe", str(made_up)).returncode == 0, "by itself it fits"
    broken = punto("verify-shoe", str(made_up), "--commitment", promised)
    assert (broken.returncode, "is not the one noted" in broken.stdout) == (1, True), broken.stdout
    told = json.loads(punto("verify-shoe", str(made_up), "--commitment", promised, "--json").stdout)
    assert (told["kept"], told["noted"], told["commitment"]) == (False, promised, other["commitment"])
