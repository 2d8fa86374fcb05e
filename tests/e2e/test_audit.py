"""`punto audit` as an operator uses it."""

from __future__ import annotations

import json
import re
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from punto.store.opening import open_store
from tests.contract.places import bet, bought
from tests.postgres import PostgresServer
from tests.unit.command import ROOT, punto


async def fill(address: str, head: Path | None = None) -> None:
    store = await open_store(address, head=head)
    await store.append(replace(bought("ann", 1_000), stream="till"))
    for number in range(1, 4):
        await store.append(bet(number, after=number - 1))
    await store.close()


@pytest.fixture
async def database(tmp_path: Path, anyio_backend: str) -> Path:  # the plugin runs a fixture that names its library
    file = tmp_path / "punto.db"
    await fill(f"sqlite:///{file}")
    return file


def edit(file: Path, *statements: str) -> None:
    connection = sqlite3.connect(file)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def test_a_good_database_is_whole(database: Path) -> None:
    shown = punto("audit", "--database", f"sqlite:///{database}")
    assert shown.returncode == 0
    assert "is whole" in shown.stdout
    assert "4 records, 8 postings" in shown.stdout
    told = json.loads(punto("audit", "--database", f"sqlite:///{database}", "--json").stdout)
    assert (told["whole"], told["records"], told["bets_in_play"], told["first"]) == (True, 4, 3, None)
    assert told["streams"]["t1"]["seq"] == told["head"]["t1"]["seq"] == 3


def test_an_edited_record_is_named(database: Path) -> None:
    edit(
        database, "DROP TRIGGER records_no_update", "UPDATE records SET payload = '{}' WHERE stream = 't1' AND seq = 2"
    )
    shown = punto("audit", "--database", f"sqlite:///{database}")
    assert shown.returncode == 1
    assert "First bad: t1 2 does not have the hash that its contents give" in shown.stdout
    told = json.loads(punto("audit", "--database", f"sqlite:///{database}", "--json").stdout)
    assert told["whole"] is False
    assert (told["first"]["code"], told["first"]["stream"], told["first"]["seq"]) == ("hash-mismatch", "t1", 2)
    # What is bad is never accepted.
    accepted = punto("audit", "--database", f"sqlite:///{database}", "--accept")
    assert accepted.returncode == 1


async def test_an_old_copy_is_noticed_and_can_be_accepted(database: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    copy.write_bytes(database.read_bytes())
    store = await open_store(f"sqlite:///{database}")
    await store.append(bet(4, after=3))
    await store.close()
    database.write_bytes(copy.read_bytes())
    shown = punto("audit", "--database", f"sqlite:///{database}", "--json")
    assert json.loads(shown.stdout)["first"]["message"].startswith("t1 4 is missing")
    assert punto("audit", "--database", f"sqlite:///{database}", "--accept").returncode == 0
    assert punto("audit", "--database", f"sqlite:///{database}").returncode == 0


def test_a_head_can_be_kept_elsewhere(database: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.head"
    (tmp_path / "punto.db.head").rename(elsewhere)
    alone = punto("audit", "--database", f"sqlite:///{database}")
    assert alone.returncode == 0
    assert "No head was kept outside" in alone.stdout
    both = punto("audit", "--database", f"sqlite:///{database}", "--head", str(elsewhere))
    assert both.returncode == 0
    assert "No head" not in both.stdout


async def test_postgres_is_audited_the_same_way(postgres: PostgresServer, tmp_path: Path) -> None:
    postgres.sql("postgres", "CREATE DATABASE audited")
    await fill(postgres.address("audited"), tmp_path / "head")
    arguments = ("audit", "--database", postgres.address("audited"), "--head", str(tmp_path / "head"))
    assert "4 records, 8 postings" in punto(*arguments).stdout
    postgres.sql("audited", "UPDATE balances SET cents = cents + 5 WHERE account = 'patron:ann'")
    shown = punto(*arguments)
    assert shown.returncode == 1
    assert "patron:ann has a balance of 7.05, but its postings sum to 7.00" in shown.stdout


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--database", "sqlite:///nowhere.db"), "database-missing"),
        (("--database", "nonsense"), "database-unknown"),
        (("--database", "sqlite:///README.md"), "database-unreadable"),
        (("--database", "postgresql://ann:s3cret@127.0.0.1:1/x"), "database-unreadable"),
    ],
)
def test_what_cannot_be_audited_is_a_sentence(arguments: tuple[str, ...], code: str) -> None:
    shown = punto("audit", *arguments)
    assert shown.returncode == 2
    assert f"[{code}]" in shown.stderr
    assert "s3cret" not in shown.stderr
    assert json.loads(punto("audit", *arguments, "--json").stdout)["refused"]["code"] == code


def test_every_code_of_an_audit_is_documented() -> None:
    source = (ROOT / "src" / "punto" / "store" / "audit.py").read_text()
    page = (ROOT / "docs" / "store.md").read_text()
    codes = re.findall(r'wrong\(\s*"([a-z-]+)"', source)
    assert codes
    assert set(codes) == set(re.findall(r"^\| `([a-z-]+)` \|", page, flags=re.MULTILINE)) - {"memory:"}
