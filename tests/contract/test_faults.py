"""Faults at the level of the store, and the answers that RELIABILITY asks for: I1–I5 hold after each."""

from __future__ import annotations

import asyncio
import errno
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from punto.ledger.moves import stake
from punto.store import heads as heads_module
from punto.store.errors import (
    BrokenStoreError,
    DiskFullError,
    KeyTakenError,
    OutcomeUnknownError,
    RefusedStoreError,
    StoreError,
    UnavailableError,
)
from punto.store.interface import Store
from punto.store.postgres import PostgresStore
from punto.store.records import Batch, StoredPerson, Tail
from punto.store.sqlite import SqliteStore
from tests.contract.places import Place, bet, bought, unit

ROOT = Path(__file__).parents[2]


def python(module: str, *arguments: str) -> list[str]:
    return [sys.executable, "-m", f"tests.contract.{module}", *arguments]


# ------------------------------------------------------------------------------------------- the disk


async def test_a_full_disk_refuses_and_resumes(sqlite: Place) -> None:
    store = await sqlite.open()
    assert isinstance(store, SqliteStore)
    await store.append(bought("ann", 10_000))
    await store.append(bet(1, after=0))

    async def room(pages: int) -> None:
        await store._write(lambda connection: connection.execute(f"PRAGMA max_page_count = {pages}"))

    await room(1)  # which cannot be less than what there is
    big = Batch("t1", 1, 1, tuple(unit(payload=f'"{"x" * 3_000}"') for _ in range(20)))
    results = await asyncio.gather(store.append(big), store.append(big), return_exceptions=True)
    assert [type(result) for result in results] == [DiskFullError, DiskFullError]
    assert (await store.tail("t1")).seq == 1
    await room(1_000_000)
    assert (await store.append(big)).tail.seq == 21
    assert (await sqlite.audit(store)).problems == ()


def test_a_disk_that_is_really_full(tmp_path: Path) -> None:
    mount = f"mount -t tmpfs -o size=2m punto {tmp_path} && exec"
    script = " ".join([mount, *python("full_disk", str(tmp_path))])
    if not shutil.which("unshare") or subprocess.run(["unshare", "-Urm", "true"], check=False).returncode:
        pytest.skip("this system lets nobody mount a small disk of their own")
    done = subprocess.run(
        ["unshare", "-Urm", "sh", "-c", script], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("disk-full after ")
    assert lines[1:] == ["still full"] * 3 + ["resumed at 1 more, 0 problems"]


async def test_a_failed_sync_breaks_the_store_for_good(sqlite: Place) -> None:
    await (await sqlite.open()).close()
    command = python("broken_disk", sqlite.address, str(sqlite.head()))
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    if lines[-1] == "no seccomp":
        pytest.skip("this system cannot make a sync fail")
    assert lines == ["acknowledged 1", "broken store-broken", "broken store-broken"]
    store = await sqlite.open()
    assert "bet-1" in await store.replies(["bet-1"])
    assert "bet-3" not in await store.replies(["bet-3"])
    assert (await sqlite.audit(store)).problems == ()


async def test_a_head_that_cannot_be_synced_breaks_the_store(durable: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    store = await durable.open()
    await store.append(bought("ann", 1_000))
    tried = []

    def fail(descriptor: int) -> None:
        tried.append(descriptor)
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(heads_module, "_sync", fail)
    for number in (1, 2):
        with pytest.raises(BrokenStoreError):
            await store.append(bet(number))
    assert len(tried) == 1, "a sync that failed is never tried again"
    await store.close()
    monkeypatch.undo()
    # The bet had been committed before its head: found ahead of the head, which is fine.
    store = await durable.open()
    assert "bet-1" in await store.replies(["bet-1"])


async def test_a_failed_rollback_breaks_the_store_and_fails_all_waiting_writers(sqlite: Place) -> None:
    store = await sqlite.open()
    assert isinstance(store, SqliteStore)
    await store.append(bought("ann", 10_000))

    def no_room_and_no_way_back(connection: sqlite3.Connection) -> None:
        denied = {"ROLLBACK": sqlite3.SQLITE_DENY}
        connection.set_authorizer(
            lambda action, what, *_: denied.get(str(what), 0) if action == sqlite3.SQLITE_TRANSACTION else 0
        )
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    begun, gate = threading.Event(), threading.Event()

    def hold_until_all_wait(_: sqlite3.Connection) -> bool:
        begun.set()
        return gate.wait()

    first = asyncio.ensure_future(store._write(hold_until_all_wait))
    await asyncio.to_thread(begun.wait)
    works = [store.append(bet(1)), store._write(no_room_and_no_way_back), store.append(bet(2))]
    waiting = [asyncio.ensure_future(work) for work in works]
    await asyncio.sleep(0)
    gate.set()
    assert await first
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert {type(result) for result in results} == {BrokenStoreError}
    with pytest.raises(BrokenStoreError, match="could not be rolled back"):
        await store.append(bet(3))
    await store.close()
    store = await sqlite.open()
    assert [tail.stream for tail in await store.tails()] == ["desk"]
    assert (await sqlite.audit(store)).problems == ()


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EDQUOT])
async def test_a_disk_too_full_for_a_larger_head_refuses_the_new_stream_alone(
    durable: Place, monkeypatch: pytest.MonkeyPatch, error: int
) -> None:
    store = await durable.open()
    names = [f"a-table-with-rather-a-long-name-{number}-{'x' * 80}" for number in range(40)]
    write_whole, full = heads_module._write_whole, [True]

    def write(descriptor: int, content: bytes, at: int) -> None:
        if full[0] and len(content) > 16_384:  # in place nothing grows, so there is always room
            raise OSError(error, os.strerror(error))
        write_whole(descriptor, content, at)

    monkeypatch.setattr(heads_module, "_write_whole", write)
    await store.append(bought("ann", 10_000))
    refused = None
    for name in names:
        try:
            await store.append(Batch(name, 0, 1, (unit(),)))
        except DiskFullError:
            refused = name
            break
    assert refused is not None
    assert (await store.tail(refused)).seq == 0, "nothing was written"
    with pytest.raises(DiskFullError):
        await store.append(Batch(refused, 0, 1, (unit(),)))
    await store.append(Batch(names[0], 1, 1, (unit(),)))
    full[0] = False
    for name in names[names.index(refused) :]:
        await store.append(Batch(name, 0, 1, (unit(),)))
    assert (await durable.audit(store)).problems == ()
    await store.close()
    await (await durable.open()).close()
    assert not list(durable.folder.glob("*.new"))


def test_a_head_is_complete_after_partial_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pwrite = os.pwrite
    monkeypatch.setattr(os, "pwrite", lambda file, content, at: pwrite(file, content[:1_000], at))
    file = heads_module.HeadFile(tmp_path / "head", "s", {})
    for number in range(1, 4):
        file.submit([Tail("t1", number, f"{number}" * 64)]).result()
        heads = heads_module.read_heads(tmp_path / "head")
        assert heads
        assert heads.streams["t1"] == (number, f"{number}" * 64)
    file.close()


async def test_postgres_on_a_full_disk_refuses_and_resumes(server: Place) -> None:
    store = await server.open()
    await store.append(bought("ann", 1_000))
    raises = "RAISE EXCEPTION 'No space left on device' USING ERRCODE = 'disk_full'"
    full = f"CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {raises}; END $$"
    server.edit([full, "CREATE TRIGGER no_room BEFORE INSERT ON postings EXECUTE FUNCTION no_room()"])
    with pytest.raises(DiskFullError):
        await store.append(bet(1, after=0))
    server.edit(["DROP TRIGGER no_room ON postings"])
    assert (await store.append(bet(1, after=0))).tail.seq == 1


async def test_postgres_keeps_its_connection_when_it_refuses_a_batch(server: Place) -> None:
    """A repeated key is met every day; a new connection for each would cost more than the commit."""
    store = await server.open()
    assert isinstance(store, PostgresStore)
    await store.append(bought("ann", 1_000))
    await store.append(bet(1, after=0))

    async def backend() -> int:
        return int(await store._pool.fetchval("SELECT pg_backend_pid()"))

    before = await backend()
    for _ in range(3):
        with pytest.raises(KeyTakenError):
            await store.append(bet(1))
    token = "0" * 64
    await store.append(Batch("desk", None, 1, (unit(),), people=(StoredPerson("bo", "Bo", "patron", token),)))
    with pytest.raises(StoreError, match="the database refused"):
        await store.append(Batch("desk", None, 1, (unit(),), people=(StoredPerson("cy", "Cy", "patron", token),)))
    assert await backend() == before
    assert (await store.append(bet(2, after=1))).tail.seq == 2
    assert (await server.audit(store)).problems == ()


# ------------------------------------------------------------------------------------------- PostgreSQL goes away


async def write_surely(store: Store, number: int) -> None:
    """What a service does with a bet: never blindly again; an unknown outcome is looked up first."""
    while True:
        try:
            await store.append(bet(number))
        except OutcomeUnknownError as unknown:
            while True:
                try:
                    if await store.resolve(unknown):
                        return
                    break
                except UnavailableError:
                    await asyncio.sleep(0)
        except UnavailableError:
            await asyncio.sleep(0)
        else:
            return


async def test_backends_are_killed_while_writing(server: Place) -> None:
    store = await server.open()
    assert server.server
    await store.append(bought("ann", 100_000))
    kill = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'punto'"
    for number in range(60):
        # Killed at some moment of every third bet, and met again while looking whether it was written.
        killing = [asyncio.to_thread(server.server.sql, server.database, kill)] if number % 3 == 0 else []
        await asyncio.gather(write_surely(store, number), *killing)
    assert (await store.tail("t1")).seq == 60
    assert (await store.balances(["bets:t1"]))["bets:t1"] == 6_000
    assert (await server.audit(store)).problems == ()


async def test_a_backend_killed_before_it_commits(server: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punto.store.schema.postgres_changes", lambda *_: [])  # the trigger is the test's own
    store = await server.open()
    await store.append(bought("ann", 1_000))
    die = "BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END"
    deferred = "AFTER INSERT ON records DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION die()"
    made = f"CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ {die} $$"
    server.edit([made, f"CREATE CONSTRAINT TRIGGER die {deferred}"])
    with pytest.raises(OutcomeUnknownError) as unknown:
        await store.append(bet(1, after=0))
    assert not await store.resolve(unknown.value)
    server.edit(["DROP TRIGGER die ON records"])
    await store.append(bet(1, after=0))
    assert (await store.balances(["bets:t1"]))["bets:t1"] == 100


async def test_a_backend_killed_after_it_committed(server: Place) -> None:
    """The commit waits for a standby that does not exist, so it is durable here but cannot be confirmed."""
    store = await server.open()
    assert server.server
    sql = server.server.sql
    await store.append(bought("ann", 1_000))
    sql("postgres", "ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
    sql("postgres", "SELECT pg_reload_conf()")
    try:
        writing = asyncio.ensure_future(store.append(bet(1, after=0)))
        waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name = 'punto'"
        while await asyncio.to_thread(sql, server.database, f"SELECT count(*) {waiting}") == "0":
            assert not writing.done()
        await asyncio.to_thread(sql, server.database, f"SELECT pg_terminate_backend(pid) {waiting}")
        with pytest.raises(OutcomeUnknownError) as unknown:
            await writing
    finally:
        sql("postgres", "ALTER SYSTEM RESET synchronous_standby_names")
        sql("postgres", "SELECT pg_reload_conf()")
    assert await store.resolve(unknown.value)
    with pytest.raises(KeyTakenError):
        await store.append(bet(1))
    assert (await store.balances(["bets:t1"]))["bets:t1"] == 100
    assert (await server.audit(store)).problems == ()


@pytest.mark.parametrize("how", [signal.SIGQUIT, signal.SIGKILL])
async def test_the_server_is_killed_and_comes_back(server: Place, how: signal.Signals) -> None:
    store = await server.open()
    assert server.server
    await store.append(bought("ann", 1_000))
    await store.append(bet(1, after=0))
    server.server.stop(how)
    try:
        with pytest.raises(UnavailableError):
            await store.append(bet(2, after=1))
        with pytest.raises(UnavailableError):
            await store.tail("t1")
    finally:
        server.server.start()
    assert (await store.append(bet(2, after=1))).tail.seq == 2
    assert (await server.audit(store)).problems == ()


async def test_a_paused_owner_does_not_hold_the_stream_for_long(server: Place) -> None:
    """A process stopped in the middle of a transaction is cut off by the server, and its lease can be taken."""
    import asyncpg

    from punto.store.postgres import _SESSION

    store = await server.open()
    await store.append(bet_free())
    paused = await asyncpg.connect(
        server.address, server_settings=_SESSION | {"idle_in_transaction_session_timeout": "50"}
    )
    await paused.execute("BEGIN")
    await paused.execute("SELECT 1 FROM streams FOR UPDATE")
    assert (await store.acquire("t1", "b", 1_000)).fence == 1
    assert int(_SESSION["idle_in_transaction_session_timeout"]) < int(_SESSION["lock_timeout"]) < 5_000
    paused.terminate()


def bet_free() -> Batch:
    return Batch("t1", None, 1, (unit(),))


# ------------------------------------------------------------------------------------------- the database is edited


async def filled(place: Place) -> None:
    store = await place.open()
    await store.append(bought("ann", 10_000))
    for number in range(1, 6):
        await store.append(bet(number, after=number - 1))
    await store.close()


ROLL_BACK = [
    "DELETE FROM postings WHERE record IN (SELECT id FROM records WHERE stream = 't1' AND seq > 3)",
    "DELETE FROM records WHERE stream = 't1' AND seq > 3",
    "UPDATE streams SET seq = 3, hash = (SELECT hash FROM records WHERE stream = 't1' AND seq = 3) WHERE name = 't1'",
    "UPDATE balances SET cents = cents + 200 WHERE account = 'patron:ann'",
    "UPDATE balances SET cents = cents - 200 WHERE account = 'bets:t1'",
]


async def test_a_rolled_back_database_is_refused_by_its_head(durable: Place) -> None:
    await filled(durable)
    durable.edit_log([*ROLL_BACK])
    with pytest.raises(RefusedStoreError) as refused:
        await durable.open()
    assert (refused.value.code, refused.value.message[:5]) == ("record-missing", "t1 4 ")
    with pytest.raises(RefusedStoreError) as refused:
        await durable.open(adopt_head=True)
    assert refused.value.code == "record-missing", "an existing head that disagrees is not ignored"
    assert refused.value.message.endswith(
        f"{durable.head()} is there, so it is `punto audit --accept` that can replace it"
    )
    # Someone who restored a backup can accept it.
    await durable.accept()
    store = await durable.open()
    assert (await store.append(bet(4, after=3))).tail.seq == 4
    await store.close()
    await (await durable.open()).close()


async def test_a_rewritten_history_is_refused_by_its_head(durable: Place) -> None:
    await filled(durable)
    durable.edit_log([*ROLL_BACK])
    other = await durable.open("other", adopt_head=True)
    for number in (7, 8, 9):
        await other.append(Batch("t1", None, 1, (unit(stake("ann", "t1", 50, f"t1.{number}")),)))
    await other.close()
    with pytest.raises(RefusedStoreError) as refused:
        await durable.open()
    assert (refused.value.code, refused.value.message[:5]) == ("head-mismatch", "t1 5 ")


@pytest.mark.parametrize("table", ["records", "postings"])
@pytest.mark.parametrize("change", ["UPDATE {} SET reason = 'x'", "DELETE FROM {}"])
async def test_the_database_itself_refuses_to_change_the_past(durable: Place, table: str, change: str) -> None:
    await filled(durable)
    statement = change.format(table).replace("reason", "reason" if table == "postings" else "kind")
    with pytest.raises((sqlite3.IntegrityError, RuntimeError), match="append-only"):
        durable.edit([statement])


@pytest.mark.parametrize("account", ["patron:ann", "bets:t1"])
async def test_the_database_itself_refuses_a_negative_balance(durable: Place, account: str) -> None:
    await filled(durable)
    with pytest.raises((sqlite3.IntegrityError, RuntimeError), match="balances_not_overdrawn"):
        durable.edit([f"UPDATE balances SET cents = -1 WHERE account = '{account}'"])
    durable.edit(["UPDATE balances SET cents = -1 WHERE account = 'cash-desk'"])


async def test_the_database_itself_refuses_a_debt_of_the_house_to_a_patron(durable: Place) -> None:
    await filled(durable)
    durable.edit(["INSERT INTO balances VALUES ('owed:ann', -1), ('chips:t1', -1), ('chips:t2', 1)"])
    with pytest.raises((sqlite3.IntegrityError, RuntimeError), match="balances_not_overdrawn"):
        durable.edit(["UPDATE balances SET cents = 1 WHERE account = 'owed:ann'"])
