"""Opening a store: addresses, formats, heads, and what is refused."""

from __future__ import annotations

import asyncio
import hashlib
import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import NoReturn

import pytest

from punto.ledger.moves import returned, stake
from punto.store import schema
from punto.store.audit import Replayer, audit
from punto.store.errors import RefusedStoreError
from punto.store.fold import Finding
from punto.store.heads import HeadFile, read_heads
from punto.store.interface import Store
from punto.store.memory import MemoryStore
from punto.store.opening import open_snapshot, open_store, public
from punto.store.records import Batch, Record, Tail
from tests.contract.places import Place, bet, bought, unit
from tests.postgres import PostgresServer

_numbers = count(1)


def ended(head: Path, stream: str = "t1") -> tuple[int, str]:
    """Where a stream ends by a head file."""
    heads = read_heads(head)
    assert heads
    return heads.streams[stream]


async def refused(address: str, head: Path | None = None) -> RefusedStoreError:
    with pytest.raises(RefusedStoreError) as error:
        await open_store(address, head=head)
    return error.value


# ------------------------------------------------------------------------------------------- addresses


async def test_a_store_in_memory_has_an_address_too() -> None:
    assert isinstance(await open_store("memory:"), MemoryStore)


@pytest.mark.parametrize(
    "address", ["", "punto.db", "sqlite://", "sqlite:///", "sqlite:///a.db?mode=ro", "mysql://x/y"]
)
async def test_an_invalid_address_is_refused(address: str) -> None:
    assert (await refused(address)).code == "database-unknown"


async def test_files_that_are_not_stores_are_refused_and_not_changed(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("not a database, however long it is" * 100)
    assert (await refused(f"sqlite:///{text}")).code == "database-unreadable"
    other = tmp_path / "other.db"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE mine (a)")
    connection.commit()
    connection.close()
    assert (await refused(f"sqlite:///{other}")).code == "not-a-store"
    assert (await refused(f"sqlite:///{tmp_path}")).code == "database-missing"
    assert (await refused(f"sqlite:///{tmp_path / 'nowhere' / 'a.db'}")).code == "database-unreadable"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["other.db", "text"]


async def test_an_unreachable_server_gives_a_message_without_the_password(tmp_path: Path) -> None:
    error = await refused(f"postgresql://ann:s3cret@/x?host={tmp_path}", tmp_path / "head")
    assert error.code == "database-unreadable"
    assert "s3cret" not in error.message
    assert public("postgresql://ann:s3cret@db/x") == "postgresql://ann@db/x"


async def test_postgres_needs_a_head_file() -> None:
    assert (await refused("postgresql://somewhere/x")).code == "head-missing"


async def test_a_postgres_that_does_not_sync_is_refused(server: Place) -> None:
    assert server.server
    sql = server.server.sql
    sql("postgres", "ALTER SYSTEM SET fsync = off")
    sql("postgres", "SELECT pg_reload_conf()")
    try:
        while sql("postgres", "SHOW fsync") != "off":
            pass
        assert (await refused(server.address, server.head())).code == "not-durable"
    finally:
        sql("postgres", "ALTER SYSTEM RESET fsync")
        sql("postgres", "SELECT pg_reload_conf()")
        while sql("postgres", "SHOW fsync") != "on":
            pass


async def test_only_the_owner_can_read_a_file(sqlite: Place) -> None:
    await (await sqlite.open()).close()
    for file in sqlite.folder.iterdir():
        assert file.stat().st_mode & 0o077 == 0, file


# ------------------------------------------------------------------------------------------- formats


async def test_several_processes_may_start_on_a_new_database_at_once(tmp_path: Path, postgres: PostgresServer) -> None:
    name = f"new_{next(_numbers)}"
    postgres.sql("postgres", f"CREATE DATABASE {name}")
    address = postgres.address(name)
    stores = await asyncio.gather(*[open_store(address, head=tmp_path / f"{n}.head") for n in range(3)])
    await asyncio.gather(*[store.append(Batch("desk", None, 1, (unit(),))) for store in stores])
    assert (await stores[0].tail("desk")).seq == 3
    for store in stores:
        await store.close()


async def test_only_one_of_several_starting_processes_gets_a_new_file(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'new.db'}"
    opening = [open_store(address, head=tmp_path / f"{n}.head") for n in range(3)]
    stores = await asyncio.gather(*opening, return_exceptions=True)
    (store,) = [each for each in stores if not isinstance(each, BaseException)]
    refusals = [each for each in stores if isinstance(each, BaseException)]
    assert [getattr(each, "code", each) for each in refusals] == ["store-in-use"] * 2
    await store.append(Batch("desk", None, 1, (unit(),)))


async def test_an_audit_changes_nothing(tmp_path: Path) -> None:
    with pytest.raises(RefusedStoreError, match="there is no database"):
        async with open_snapshot(f"sqlite:///{tmp_path / 'a.db'}"):
            pass
    (tmp_path / "b.db").touch()
    with pytest.raises(RefusedStoreError, match="holds no store"):
        async with open_snapshot(f"sqlite:///{tmp_path / 'b.db'}"):
            pass
    assert [file.name for file in tmp_path.iterdir()] == ["b.db"]


# ------------------------------------------------------------------------------------------- heads


async def test_the_head_is_written_with_every_commit(durable: Place) -> None:
    store = await durable.open()
    for number in range(3):
        tail = (await store.append(Batch("t1", number, 1, (unit(),)))).tail
        assert ended(durable.head()) == (tail.seq, tail.hash)


async def test_a_database_ahead_of_its_head_is_fine(durable: Place) -> None:
    store = await durable.open()
    await store.append(bought("ann", 1_000))
    await store.close()
    old = durable.head().read_bytes()
    store = await durable.open()
    await store.append(bet(1))
    await store.close()
    durable.head().write_bytes(old)
    await (await durable.open()).close()
    assert ended(durable.head())[0] == 1, "the head catches up when the store is opened"


async def test_a_database_with_records_and_no_head_is_refused(durable: Place) -> None:
    store = await durable.open()
    await store.append(bought("ann", 1_000))
    await store.close()
    durable.head().unlink()
    await durable.refused("head-missing")
    store = await durable.open(adopt_head=True)
    taken = Finding(
        "head-accepted", "", "one.head was missing, and the database was taken as it was, with 1 record in 1 stream"
    )
    assert store.findings() == [taken]
    await store.close()
    store = await durable.open()
    assert store.findings() == [taken], "it is reported until the log holds it"
    store.finding_noted(taken)
    assert store.findings() == []
    await store.close()
    store = await durable.open(adopt_head=True)
    assert store.findings() == [], "a head that agrees is nothing to be adopted"


async def test_there_is_nothing_to_adopt_in_a_new_database(durable: Place) -> None:
    assert (await durable.open(adopt_head=True)).findings() == []


async def test_the_head_reports_what_was_accepted_until_it_is_noted(durable: Place) -> None:
    store = await durable.open()
    await store.append(bought("ann", 1_000))
    old = durable.head().read_bytes()
    for number in range(1, 4):
        await store.append(bet(number, after=number - 1))
    tails = {tail.stream: tail.hash[:8] for tail in await store.tails()}
    await store.close()
    durable.head().write_bytes(old)
    await durable.accept()
    await durable.accept()  # which changes nothing
    said = f"one.head was made anew by an audit that accepted the database: t1 from nothing to 3 ({tails['t1']})"
    heads = read_heads(durable.head())
    assert heads
    assert heads.accepted == (said,)
    assert heads.streams["t1"][0] == 3
    store = await durable.open()
    assert [each.detail for each in store.findings()] == [said]


def test_a_head_file_has_space_for_what_was_accepted(tmp_path: Path) -> None:
    said = tuple(f"{number} {'x' * 1_000}" for number in range(20))
    file = HeadFile(tmp_path / "head", "s", {}, said)
    file.submit([Tail("t1", 1, "a" * 64)]).result()
    file.close()
    again = HeadFile(tmp_path / "head", "s", {"t1": (1, "a" * 64)}, ("one more",))
    assert again.accepted == (*said, "one more")
    again.noted().result()
    again.close()
    heads = read_heads(tmp_path / "head")
    assert heads
    assert (heads.accepted, dict(heads.streams)) == ((), {"t1": (1, "a" * 64)})


async def test_the_head_of_another_database_is_noticed(sqlite: Place, tmp_path: Path) -> None:
    await (await sqlite.open()).close()
    error = await refused(f"sqlite:///{tmp_path / 'other.db'}", sqlite.head())
    assert error.code == "database-missing"
    await (await open_store(f"sqlite:///{tmp_path / 'other.db'}")).close()
    error = await refused(f"sqlite:///{tmp_path / 'other.db'}", sqlite.head())
    assert error.code == "head-of-another"


async def test_two_processes_cannot_share_a_head(durable: Place) -> None:
    store = await durable.open()
    await durable.refused("store-in-use")
    await store.append(bought("ann", 1_000))


HOLD = """
import asyncio, sys
from pathlib import Path
from punto.store.opening import open_store

async def hold() -> None:
    await open_store(sys.argv[1], head=Path(sys.argv[2]))
    print("open", flush=True)
    await asyncio.sleep(600)

asyncio.run(hold())
"""


async def test_an_sqlite_file_has_one_process_under_any_head_or_name(sqlite: Place, tmp_path: Path) -> None:
    """Two processes that each name a head file of their own would take the tables from each other."""
    file = Path(sqlite.address.removeprefix("sqlite:///"))
    (tmp_path / "alias.db").symlink_to(file)
    command = [sys.executable, "-c", HOLD, sqlite.address, str(sqlite.head())]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as holder:
        try:
            assert holder.stdout
            assert holder.stdout.readline() == b"open\n"
            for address in (sqlite.address, f"sqlite:///{tmp_path / 'alias.db'}"):
                with pytest.raises(RefusedStoreError) as error:
                    await open_store(address, head=sqlite.head("two"), adopt_head=True)
                assert error.value.code == "store-in-use"
            assert not sqlite.head("two").exists()
            # Readers need no lock: an audit, the shell of SQLite, a backup.
            async with open_snapshot(sqlite.address) as (snapshot, _):
                assert (await audit(snapshot)).problems == ()
            with closing(sqlite3.connect(file)) as connection:
                connection.execute(f"VACUUM INTO '{tmp_path / 'backup.db'}'")
            await (await open_store(f"sqlite:///{tmp_path / 'backup.db'}")).close()
        finally:
            holder.kill()  # and however it ends, the next may have it
    store = await sqlite.open()
    await store.append(bought("ann", 1_000))
    await store.close()
    await (await sqlite.open()).close()


async def test_a_refused_store_releases_its_file(sqlite: Place) -> None:
    store = await sqlite.open()
    await store.append(bought("ann", 1_000))
    await store.close()
    sqlite.edit(["UPDATE balances SET cents = 7 WHERE account = 'patron:ann'"])
    for _ in range(2):
        with pytest.raises(RefusedStoreError, match="patron:ann has a balance"):
            await sqlite.open()


@pytest.mark.parametrize("cut", range(0, 17_000, 1_000))
def test_a_write_cut_short_leaves_the_other_half(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "head"
    file = HeadFile(path, "s", {})
    file.submit([Tail("t1", 1, "a" * 64)]).result()
    before = path.read_bytes()
    file.submit([Tail("t1", 2, "b" * 64)]).result()
    file.close()
    after = path.read_bytes()
    path.write_bytes(after[:cut] + before[cut:])
    assert ended(path)[0] in {1, 2}


def test_a_head_file_grows_with_its_streams(tmp_path: Path) -> None:
    path = tmp_path / "head"
    file = HeadFile(path, "s", {})
    futures = [file.submit([Tail(f"t{n}", 1, "a" * 64)]) for n in range(500)]
    for future in futures:
        future.result()
    file.close()
    heads = read_heads(path)
    assert heads
    assert len(heads.streams) == 500
    again = HeadFile(path, "s", heads.streams)
    again.submit([Tail("t1", 2, "b" * 64)]).result()
    again.close()
    assert ended(path) == (2, "b" * 64)
    assert [file.name for file in tmp_path.iterdir()] == ["head"]


def checked(text: str) -> bytes:
    """Both halves of a head file under their checksum, whatever they say."""
    half = f"{hashlib.sha256(text.encode()).hexdigest()} {text}".encode()
    return half + half


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"\0" * 16_384, b"nonsense", json.dumps({"generation": 1}).encode()),
        *(checked('{"generation": Infinity, "store": "s", "streams": {}}'), checked("[" * 100_000)),
    ],
)
def test_a_damaged_head_gives_a_message(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "head").write_bytes(content)
    with pytest.raises(RefusedStoreError) as error:
        read_heads(tmp_path / "head")
    assert error.value.code == "head-unreadable"


# ------------------------------------------------------------------------------------------- audits


async def played(store: Store) -> None:
    await store.append(bought("ann", 1_000))
    for number in range(1, 4):
        await store.append(bet(number, after=number - 1))


async def test_an_audit_replays_the_streams_it_knows(place: Place) -> None:
    store = await place.open()
    await played(store)
    seen: list[tuple[int, int]] = []

    def replay(stream: str) -> Replayer | None:
        if stream != "t1":
            return None

        def take(record: Record) -> str | None:
            seen.append((record.seq, sum(cents for *_, cents, _ in record.postings if cents > 0)))
            return "another stake follows from this bet" if record.seq == 2 else None

        return take

    async with store.snapshot() as snapshot:
        report = await audit(snapshot, replay=replay)
    assert seen == [(1, 100), (2, 100), (3, 100)]
    assert report.replayed == 3
    assert report.first
    assert (report.first.code, report.first.stream, report.first.seq) == ("replay-differs", "t1", 2)


async def test_later_writes_do_not_change_a_snapshot(place: Place) -> None:
    store = await place.open()
    await played(store)
    async with store.snapshot() as snapshot:
        await store.append(bet(4))
        report = await audit(snapshot)
    assert (report.records, report.problems) == (4, ())
    assert (await place.audit(store)).records == 5


async def test_progress_is_reported(place: Place) -> None:
    store = await place.open()
    await played(store)
    told: list[tuple[int, int]] = []
    async with store.snapshot() as snapshot:
        await audit(snapshot, progress=lambda done, total: told.append((done, total)))
    assert told == [(4, 4)]


BAD_BETS = {
    "ended twice": [stake("ann", "t1", 50, "x"), returned("ann", "t1", 50, "x"), returned("ann", "t1", 50, "x")],
    "ended without a stake": [returned("ann", "t1", 50, "y")],
    "ended at another amount": [stake("ann", "t1", 50, "x"), returned("ann", "t1", 40, "x")],
}


@pytest.mark.parametrize("what", BAD_BETS)
async def test_an_audit_notices_a_bet_that_does_not_end_once(place: Place, what: str) -> None:
    """I4: every bet has exactly one final posting, of what was staked on it."""
    store = await place.open()
    await played(store)
    for transfer in BAD_BETS[what]:
        await store.append(Batch("t1", None, 1, (unit(transfer),)))
    report = await place.audit(store)
    assert report.first
    assert (report.first.code, report.first.stream) == ("bet-ended-wrongly", "t1")
    assert report.first.seq == 3 + len(BAD_BETS[what])


def test_a_schema_is_created_atomically(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "new.db"

    def interrupted() -> NoReturn:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=0)) as other:
            assert other.execute("SELECT name FROM sqlite_master").fetchall() == []
        raise OSError("the power fails")

    monkeypatch.setattr(schema, "_meta", interrupted)
    with pytest.raises(OSError, match="the power fails"):
        schema.make_sqlite(path)
    monkeypatch.undo()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == []
    schema.make_sqlite(path)
