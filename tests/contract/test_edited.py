"""A database that somebody edits at rest: an audit says so, and the next start is refused with the same code."""

from __future__ import annotations

import pytest

from punto.store.audit import audit
from punto.store.errors import RefusedStoreError
from punto.store.opening import open_snapshot
from punto.store.records import StoredPerson, TableSettings
from punto.store.tokens import token_hash
from tests.contract.places import Place, batch, bet, bought
from tests.contract.test_signatures import signer

THIRD = "(SELECT id FROM records WHERE stream = 't1' AND seq = 3)"
ON_POSTINGS = "ON postings FOR EACH ROW EXECUTE FUNCTION gift()"
GIFT = "CREATE FUNCTION gift() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$"
IDLE = "BEGIN SELECT 'RAISE(ABORT, ''records is append-only'')'; END"
LOG = {
    "payload": ([f"UPDATE records SET payload = '{{}}' WHERE id = {THIRD}"], "hash-mismatch", "t1 3 "),
    "hash": ([f"UPDATE records SET hash = '{'0' * 64}' WHERE id = {THIRD}"], "hash-mismatch", "t1 3 "),
    "fence": ([f"UPDATE records SET fence = 7 WHERE id = {THIRD}"], "hash-mismatch", "t1 3 "),
    "record taken out": (
        [f"DELETE FROM postings WHERE record = {THIRD}", "DELETE FROM records WHERE stream = 't1' AND seq = 3"],
        "record-missing",
        "t1 3 ",
    ),
    "postings of nothing": (["DELETE FROM records WHERE stream = 't1' AND seq = 3"], "record-missing", "t1 3 "),
    "posting": ([f"UPDATE postings SET cents = cents * 2 WHERE record = {THIRD}"], "hash-mismatch", "t1 3 "),
    "line": ([f"UPDATE postings SET line = 7 WHERE record = {THIRD} AND line = 2"], "hash-mismatch", "t1 3 "),
    "postings taken out": ([f"DELETE FROM postings WHERE record = {THIRD}"], "hash-mismatch", "t1 3 "),
    "fingerprints": (
        [
            "DELETE FROM people WHERE id = 'bo'",
            "UPDATE records SET fingerprints = NULL WHERE stream = 'desk' AND seq = 1",
        ],
        "hash-mismatch",
        "desk 1 ",
    ),
}
ROWS = {
    "balance": ("UPDATE balances SET cents = cents + 1000 WHERE account = 'patron:ann'", "balance-mismatch", "ann"),
    "tail": ("UPDATE streams SET seq = 9 WHERE name = 't1'", "record-missing", "t1 6 "),
    "stream not listed": ("DELETE FROM streams WHERE name = 't1'", "tail-mismatch", "t1 has records"),
    "signature": ("UPDATE streams SET signature = 'x' WHERE name = 't1'", "signature-wrong", "t1 5, where"),
    "signature of nothing": ("UPDATE streams SET signature = 'x' WHERE name = 't9'", "signature-wrong", "t9 0, where"),
    "posting before all": (
        "INSERT INTO postings VALUES (0, 1, 1, 'buy', 'x', 'patron:ann', 5, 5)",
        "database-unreadable",
        "",
    ),
    "role": ("UPDATE people SET role = 'admin' WHERE id = 'ann'", "row-changed", "person 'ann' is not as desk 3"),
    "another token": (f"UPDATE people SET token_hash = '{'0' * 64}' WHERE id = 'bo'", "row-changed", "'bo'"),
    "the token of before": (
        f"UPDATE people SET token_hash = '{token_hash('old')}' WHERE id = 'ann'",
        "row-changed",
        "'ann'",
    ),
    "person added": (
        f"INSERT INTO people VALUES ('eve', 'Eve', 'admin', '{'1' * 64}')",
        "row-added",
        "no record mentions the person 'eve'",
    ),
    "person removed": ("DELETE FROM people WHERE id = 'bo'", "row-missing", "person 'bo', which desk 1 set"),
    "timing": (
        "UPDATE table_settings SET settings = '{\"betting_seconds\":1}' WHERE name = 't1'",
        "row-changed",
        "table 't1' is not as t1 1 left it",
    ),
    "table removed": ("DELETE FROM table_settings", "row-missing", "table 't1', which t1 1 set"),
    "no meta": ("DELETE FROM meta", "meta-missing", ""),
    "no format": ("DELETE FROM meta WHERE name = 'format'", "meta-missing", ""),
    "another format": ("UPDATE meta SET value = '9999' WHERE name = 'format'", "schema-unknown", "has format 9999"),
    "punto 0.x": ("CREATE TABLE alembic_version (version_num TEXT)", "database-older", "written by punto 0.x"),
    "no index": ("DROP INDEX records_by_key", "schema-changed", "the index records_by_key is missing"),
    "other index": ("CREATE INDEX more ON balances (cents)", "schema-changed", "the index more is not one of punto's"),
    "planted table": ("CREATE TABLE more (a INTEGER)", "schema-changed", "more is not one of punto's"),
    "planted view": ("CREATE VIEW richer AS SELECT * FROM balances", "schema-changed", "richer is not one of punto's"),
}
OF_SQLITE = {
    "type": (
        "UPDATE streams SET fence = 'high' WHERE name = 't1'",
        "database-unreadable",
        "holds what cannot be there",
    ),
    "blob": ("UPDATE people SET name = x'ff00' WHERE id = 'ann'", "row-changed", "person 'ann' is not as desk 3"),
    "trigger": (
        "CREATE TRIGGER gift AFTER UPDATE ON balances BEGIN UPDATE people SET role = 'admin'; END",
        "schema-changed",
        "the trigger gift is not one of punto's",
    ),
    "trigger like those of SQLite": (
        "CREATE TRIGGER sqliteAstat1 BEFORE INSERT ON postings BEGIN SELECT RAISE(IGNORE); END",
        "schema-changed",
        "the trigger sqliteAstat1 is not one of punto's",
    ),
    "table like those of SQLite": (
        'CREATE TABLE "sqliteXstat1" (tbl, idx, stat)',
        "schema-changed",
        "the table sqliteXstat1 is not one of punto's",
    ),
    "idle trigger": (
        f"DROP TRIGGER records_no_update; CREATE TRIGGER records_no_update BEFORE UPDATE ON records {IDLE}",
        "schema-changed",
        "the trigger records_no_update was changed",
    ),
    "space in a constraint": (
        (
            "PRAGMA writable_schema = 1; UPDATE sqlite_master SET sql = "
            "replace(sql, '''cash-desk''', ''' cash-desk''') WHERE name = 'balances'"
        ),
        "schema-changed",
        "the table balances was changed",
    ),
}
OF_POSTGRES = {
    "trigger": (
        f"{GIFT}; CREATE TRIGGER gift BEFORE INSERT {ON_POSTINGS}",
        "schema-changed",
        "the trigger gift is not one of punto's",
    ),
    "disabled trigger": (
        "ALTER TABLE records DISABLE TRIGGER records_append_only",
        "schema-changed",
        "the trigger records_append_only was changed",
    ),
    "idle function": (
        GIFT.replace("CREATE FUNCTION gift", "CREATE OR REPLACE FUNCTION punto_append_only"),
        "schema-changed",
        "the function punto_append_only() was changed",
    ),
    "no constraint": (
        "ALTER TABLE balances DROP CONSTRAINT balances_not_overdrawn",
        "schema-changed",
        "the constraint balances_not_overdrawn is missing",
    ),
    "unlogged table": (
        "ALTER TABLE balances SET UNLOGGED",
        "schema-changed",
        "the relation balances was changed",
    ),
    "other collation": (
        'ALTER TABLE people ALTER name TYPE text COLLATE "C"',
        "schema-changed",
        "the column people.name was changed",
    ),
    "backward sequence": (
        "ALTER SEQUENCE records_id_seq INCREMENT -1 MINVALUE -9",
        "schema-changed",
        "the sequence records_id_seq was changed",
    ),
    "rule": (
        "CREATE RULE gift AS ON DELETE TO balances DO INSTEAD NOTHING",
        "schema-changed",
        "the rule gift is not one of punto's",
    ),
}


async def filled(place: Place) -> None:
    store = await place.open(signer=signer)
    ann = StoredPerson("ann", "Ann", "patron", token_hash("old"))
    bo = StoredPerson("bo", "Bo", "patron", token_hash("bo"))
    await store.append(batch("desk", people=(ann, bo)))
    await store.append(bought("ann", 10_000))
    await store.append(batch("desk", people=(StoredPerson("ann", "Ann", "patron", token_hash("new")),)))
    await store.append(batch("t1", tables=(TableSettings("t1", '{"betting_seconds":20}'),)))
    for number in range(1, 5):
        await store.append(bet(number, after=number))
    await store.acquire("t9", "one", 1_000)
    await store.close()


async def noticed(place: Place, code: str, says: str) -> None:
    try:
        async with open_snapshot(place.address) as (snapshot, store):
            found = (await audit(snapshot, sign=signer(store))).problems
            assert [each for each in found if each.code == code and says in each.message], found
    except RefusedStoreError as error:
        assert error.code == code
    await place.refused(code, signer=signer)


@pytest.mark.parametrize("what", LOG)
async def test_an_edited_log_is_refused_and_the_first_bad_record_named(durable: Place, what: str) -> None:
    statements, code, says = LOG[what]
    await filled(durable)
    durable.edit_log([*statements])
    await noticed(durable, code, says)


@pytest.mark.parametrize("what", ROWS)
async def test_edited_rows_and_planted_objects_are_refused(durable: Place, what: str) -> None:
    statement, code, says = ROWS[what]
    await filled(durable)
    durable.edit([statement])
    await noticed(durable, code, says)


@pytest.mark.parametrize("what", OF_SQLITE)
async def test_whatever_sqlite_lets_one_change_is_refused(sqlite: Place, what: str) -> None:
    statement, code, says = OF_SQLITE[what]
    await filled(sqlite)
    sqlite.edit([statement])
    await noticed(sqlite, code, says)


@pytest.mark.parametrize("what", OF_POSTGRES)
async def test_whatever_postgres_lets_one_change_is_refused(server: Place, what: str) -> None:
    statement, code, says = OF_POSTGRES[what]
    await filled(server)
    server.edit([statement])
    await noticed(server, code, says)
