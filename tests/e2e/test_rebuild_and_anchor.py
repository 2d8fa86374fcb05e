"""`punto anchor`, `punto audit --anchor` and `punto rebuild` as an operator uses them."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from punto.service.settings import HouseSettings
from punto.store.errors import RefusedStoreError
from tests.contract.damage import point_elsewhere
from tests.postgres import PostgresServer
from tests.service.rig import SETTINGS, edit, rig
from tests.unit.command import punto


@pytest.fixture
async def settings(tmp_path: Path, anyio_backend: str) -> HouseSettings:
    settings = replace(SETTINGS, database=f"sqlite:///{tmp_path / 'punto.db'}")
    await fill(settings)
    return settings


async def fill(settings: HouseSettings) -> None:
    async with rig(settings) as r:
        for name, role in (("Sue", "shift-manager"), ("Max", "pit-manager")):
            await r.person(name, role)
        await r.person("Ann", cents=10_000)
        await r.person("Bob", cents=800_000)


def test_an_anchor_is_found_again_by_an_audit_with_the_public_key_alone(
    settings: HouseSettings, tmp_path: Path
) -> None:
    out = tmp_path / "anchor.json"
    assert punto("anchor", "--database", settings.database, "--out", str(out)).returncode == 0
    (tmp_path / "punto.db.key").rename(tmp_path / "away")
    shown = punto("audit", "--database", settings.database, "--anchor", str(out), "--json")
    told = json.loads(shown.stdout)
    assert (shown.returncode, told["whole"], told["signatures_checked"]) == (0, True, True)
    edit(settings, "UPDATE streams SET signature = 'ed25519:00' WHERE name = 'desk'")
    told = json.loads(punto("audit", "--database", settings.database, "--anchor", str(out), "--json").stdout)
    assert told["first"]["code"] == "signature-wrong"


async def test_any_number_of_anchors_notice_a_rolled_back_house(settings: HouseSettings, tmp_path: Path) -> None:
    copies = [shutil.copy(tmp_path / name, tmp_path / f"{name}.old") for name in ("punto.db", "punto.db.head")]
    anchors = []
    for number in (1, 2):
        async with rig(settings) as r:
            await r.person(f"P{number}", cents=100)
        out = tmp_path / f"anchor-{number}"
        assert punto("anchor", "--database", settings.database, "--out", str(out)).returncode == 0
        anchors += ["--anchor", str(out)]
    assert punto("audit", "--database", settings.database, *anchors).returncode == 0
    for copy in copies:
        shutil.move(copy, str(copy).removesuffix(".old"))
    assert punto("audit", "--database", settings.database).returncode == 0, "both were rolled back together"
    shown = json.loads(punto("audit", "--database", settings.database, *anchors, "--json").stdout)
    assert shown["first"]["code"] == "record-missing"


def test_a_changed_anchor_is_refused(settings: HouseSettings, tmp_path: Path) -> None:
    anchor = json.loads(punto("anchor", "--database", settings.database).stdout)
    anchor["streams"]["desk"][0] += 1
    (tmp_path / "bad").write_text(json.dumps(anchor))
    shown = punto("audit", "--database", settings.database, "--anchor", str(tmp_path / "bad"))
    assert (shown.returncode, "[anchor-unreadable]" in shown.stderr) == (2, True)


async def test_a_rebuilt_database_is_whole_and_says_who_asked(settings: HouseSettings, tmp_path: Path) -> None:
    edit(
        settings,
        "UPDATE balances SET cents = 5 WHERE account = 'patron:ann'",
        "CREATE TRIGGER gift AFTER UPDATE ON balances BEGIN SELECT 1; END",
        f"INSERT INTO people VALUES ('eve', 'Eve', 'admin', '{'e' * 64}')",
    )
    point_elsewhere(tmp_path / "punto.db", "sqlite_autoindex_balances_1", b"patron:ann", b"patron:bob")
    with pytest.raises(RefusedStoreError):
        async with rig(settings):
            pass
    arguments = ("rebuild", "--database", settings.database, "--by")
    for by in (["sue"], ["sue", "--by", "sue"], ["sue", "--by", "eve"], ["sue", "--by", "ann"]):
        shown = punto(*arguments, *by)
        assert (shown.returncode, "[two-people-needed]" in shown.stderr) == (2, True), shown.stderr
    shown = punto(*arguments, "sue", "--by", "max", "--json")
    assert shown.returncode == 0, shown.stderr
    assert len(json.loads(shown.stdout)["rebuilt"]) == 4
    async with rig(settings) as r:
        assert (await r.house.store.balances(["patron:ann"])) == {"patron:ann": 10_000}
        assert await r.house.people.find("eve") is None
        [line] = [line for line in await r.house.significant.newest() if line.code == "rebuilt"]
        assert line.by == "max sue"
    assert punto("audit", "--database", settings.database).returncode == 0


def test_a_damaged_log_is_never_rebuilt(settings: HouseSettings) -> None:
    edit(settings, "DROP TRIGGER postings_no_update", "UPDATE postings SET cents = cents * 2")
    shown = punto("rebuild", "--database", settings.database, "--by", "sue", "--by", "max")
    assert (shown.returncode, "[hash-mismatch]" in shown.stderr) == (2, True), shown.stderr


async def test_a_postgres_is_rebuilt_in_place(postgres: PostgresServer, tmp_path: Path) -> None:
    postgres.sql("postgres", "CREATE DATABASE rebuilt")
    settings = replace(SETTINGS, database=postgres.address("rebuilt"), head=str(tmp_path / "pg.head"))
    await fill(settings)
    postgres.sql("rebuilt", "UPDATE balances SET cents = 5 WHERE account = 'patron:ann'")
    arguments = ("rebuild", "--database", settings.database, "--head", str(settings.head), "--by", "sue", "--by", "max")
    assert punto(*arguments).returncode == 0
    async with rig(settings) as r:
        assert (await r.house.store.balances(["patron:ann"])) == {"patron:ann": 10_000}
