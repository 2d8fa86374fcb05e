"""The database itself: its schema is the one that the program makes, and no index points elsewhere."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from punto.store import schema
from punto.store.audit import AuditReport, audit
from punto.store.errors import RefusedStoreError, SchemaChangedError
from punto.store.opening import open_snapshot
from punto.store.postgres import connect_pool
from punto.store.sql import StoreSnapshot
from tests.contract.damage import point_elsewhere, rename_in_index
from tests.contract.places import Place, bet, bought
from tests.contract.schemas import FILE, of_postgres
from tests.postgres import PostgresServer, installed_postgres


async def filled(place: Place) -> None:
    store = await place.open()
    for patron, cents in (("ann", 1_000), ("bob", 800_000_000)):
        await store.append(bought(patron, cents, f"r-{patron}"))
    await store.append(bet(1, after=0))
    await store.close()


async def audited(place: Place) -> AuditReport:
    async with open_snapshot(place.address) as (snapshot, _):
        return await audit(snapshot)


async def test_every_object_is_expected_postgres(postgres: PostgresServer) -> None:
    postgres.sql("postgres", "CREATE DATABASE fresh_schema")
    assert json.loads(FILE.read_text()) == await of_postgres(postgres, "fresh_schema")


PLANTED = {
    "sqlite": [
        "CREATE TRIGGER gift AFTER INSERT ON postings BEGIN UPDATE balances SET cents = cents + 1; END",
        "DROP TRIGGER gift",
    ],
    "postgres": [
        (
            "CREATE FUNCTION gift() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN UPDATE balances SET cents = cents + 1; RETURN NEW; END $$; "
            "CREATE TRIGGER gift AFTER INSERT ON postings FOR EACH ROW EXECUTE FUNCTION gift()"
        ),
        "DROP TRIGGER gift ON postings; DROP FUNCTION gift()",
    ],
}


async def test_nothing_is_written_under_a_schema_changed_while_serving(durable: Place) -> None:
    plant, remove = PLANTED[durable.kind]
    store = await durable.open()
    await store.append(bought("ann", 1_000, "r-1"))
    durable.edit([plant])
    for _ in range(2):
        with pytest.raises(SchemaChangedError, match=r"gift.* is not one of punto's"):
            await store.append(bought("ann", 1_000, "r-2"))
    found = [(each.code, each.subject) for each in store.findings()]
    assert found.count(("schema-changed", "the trigger gift is not one of punto's")) == 1, "told once"
    assert [(tail.stream, tail.seq) for tail in await store.tails()] == [("desk", 1)], "nothing was signed"
    durable.edit([remove])
    await store.append(bought("ann", 1_000, "r-2"))
    await store.close()
    assert (await audited(durable)).problems == ()


async def test_a_schema_whose_number_was_set_back_is_compared_too(sqlite: Place) -> None:
    """The writer has read the planted trigger when it wrote a lease; what it compares by must not be set back."""
    plant, _ = PLANTED["sqlite"]
    store = await sqlite.open()
    await store.append(bought("ann", 1_000, "r-1"))
    with closing(sqlite3.connect(sqlite.address.removeprefix("sqlite:///"))) as connection:
        (number,) = connection.execute("PRAGMA schema_version").fetchone()
    sqlite.edit([plant])
    await store.acquire("table:t", "one", 1_000)
    sqlite.edit([f"PRAGMA schema_version = {number}"])
    with pytest.raises(SchemaChangedError):
        await store.append(bought("ann", 1_000, "r-2"))


async def test_a_changed_schema_is_compared_outside_the_commit(server: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process writes to the same stream meanwhile."""
    store, other = await server.open_two()
    look, written = store.snapshot, []

    @asynccontextmanager
    async def write_and_look() -> AsyncIterator[StoreSnapshot]:
        written.append((await other.append(bought("ann", 1_000, "r-1"))).tail.seq)
        async with look() as view:
            yield view

    await other.append(bought("ann", 1_000, "r-2"))
    server.edit(["ALTER TABLE balances ADD COLUMN more TEXT", "ALTER TABLE balances DROP COLUMN more"])
    monkeypatch.setattr(store, "snapshot", write_and_look)
    appended = await store.append(bought("ann", 1_000, "r-3"))
    assert (written, appended.tail.seq) == ([2], 3)


async def test_no_query_is_compiled_under_the_settings_of_the_distribution() -> None:
    """With every scan switched off that has an index, the server's own settings would compile each query anew."""
    if (installed := installed_postgres()) is None:
        pytest.skip("no PostgreSQL of the distribution: apt-get install postgresql")
    stock = PostgresServer(distribution=installed)
    try:
        stock.start()
        assert stock.sql("postgres", "SELECT pg_jit_available()") == "t"
        explain = f"EXPLAIN (ANALYZE) {schema.POSTGRES_OBJECTS}"
        assert "JIT:" in stock.sql("postgres", f"SET enable_seqscan = off; {explain}")
        async with await connect_pool(stock.address("postgres")) as pool:
            assert not [row for row in await pool.fetch(explain) if "JIT:" in row[0]]
    finally:
        stock.close()


async def test_a_house_goes_on_under_a_schema_that_is_as_expected_again(durable: Place) -> None:
    store = await durable.open()
    await store.append(bought("ann", 1_000, "r-1"))
    durable.edit([*PLANTED[durable.kind], "ANALYZE"])
    await store.append(bought("ann", 1_000, "r-2"))
    assert store.findings() == []


def swap_rows(file: Path) -> None:
    """Let the index of balances take ann's account for bob's row."""
    point_elsewhere(file, "sqlite_autoindex_balances_1", b"patron:ann", b"patron:bob")


def lose_key(file: Path) -> None:
    """One bit of the index of keys."""
    rename_in_index(file, "records_by_key", b"bet-1", b"bet-0")


@pytest.mark.parametrize("spoil", [swap_rows, lose_key])
async def test_a_damaged_index_is_noticed_at_start_and_by_the_audit(
    sqlite: Place, spoil: Callable[[Path], None]
) -> None:
    await filled(sqlite)
    spoil(Path(sqlite.address.removeprefix("sqlite:///")))
    assert {"database-damaged"} <= {each.code for each in (await audited(sqlite)).problems}
    with pytest.raises(RefusedStoreError):
        await sqlite.open()
