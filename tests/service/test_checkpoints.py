"""A start from a checkpoint gives what the whole log gives, and no checkpoint is trusted that does not fit."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from punto.service.house import House, open_house
from punto.service.people.person import Person
from punto.service.settings import HouseSettings
from punto.store.audit import audit
from punto.store.errors import RefusedStoreError
from tests.manual_clock import ManualClock
from tests.postgres import PostgresServer
from tests.service.rig import ETG, SETTINGS, Rig, crash, plain, rig, world


def file_of(settings: HouseSettings, suffix: str = ".checkpoint") -> Path:
    return Path(settings.database.removeprefix("sqlite:///") + suffix)


async def play(r: Rig) -> Person:
    """A live table in the middle of its second round, with a case behind it, and an automatic one."""
    (ann, dan, table), sue = await r.live(2_000_000), await r.person("Sue", "shift-manager")
    await r.table(ETG)
    await r.play(dan, table, (ann, "player", 1_000), cards="9h 3h Ks Kd")
    await r.confirmed(sue, table, "correct-round", round=1, cards="9h 9s Ks Kd", reason="the second card was misread")
    await r.done(dan, table, "open-bets")
    await r.done(ann, table, "place-bet", box=1, on="banker", stake_cents=2_000)
    return ann


async def all_of(house: House) -> dict[str, Any]:
    """Whatever a house shows of itself."""
    tables = {table: plain(house.snapshot(table, None)) | {"now_ms": 0} for table in house.registry.hosts}
    significant = [plain(each) for each in await house.significant.newest()]
    return {
        "tables": tables,
        "significant": sorted(significant, key=repr),
        "incidents": [plain(each) for each in house.incident_log.newest()],
        "floor": plain(await house.floor.now()),
        "notices": {patron: sorted(map(plain, each), key=repr) for patron, each in house.notices.save()[0].items()},
        "places": {table: host.followed.places.save() for table, host in house.registry.hosts.items()},
    }


async def test_a_start_from_a_checkpoint_is_the_start_from_the_whole_log(settings: HouseSettings) -> None:
    async with rig(settings) as r:
        await play(r)
    async with rig(settings) as r:
        assert r.house.store.resumed
        resumed = await all_of(r.house)
        assert resumed["notices"]["ann"], "a correction is told until it is read"
    file_of(settings).unlink()
    async with rig(settings) as r:
        assert not r.house.store.resumed
        assert await all_of(r.house) == resumed


async def test_what_came_after_the_checkpoint_is_read_and_proved(settings: HouseSettings, tmp_path: Path) -> None:
    async with rig(settings) as r:
        ann = await play(r)
        await r.house.checkpoints.save()
        held = file_of(settings).read_bytes()
        await r.done(ann, "pit", "raise-bet", box=1, on="banker", add_cents=3_000)
        assert (await r.house.cashier.buy(ann, 7_000, "more")).refused is None
    file_of(settings).write_bytes(held)
    shutil.copytree(tmp_path, tmp_path / "whole")
    whole = replace(settings, database=f"sqlite:///{tmp_path / 'whole' / 'punto.db'}")
    file_of(whole).unlink()
    async with rig(settings) as r, rig(whole) as other:
        assert (r.house.store.resumed, other.house.store.resumed) == (True, False)
        assert await all_of(r.house) == await all_of(other.house)
        before = await r.house.store.balances()
        assert before == await other.house.store.balances()
        assert (await r.house.cashier.buy(ann, 7_000, "more")).refused is None
        assert await r.house.store.balances() == before, "the key was used after the checkpoint"


async def test_a_checkpoint_is_written_after_so_many_records(settings: HouseSettings) -> None:
    async with rig(replace(settings, checkpoint_records=20)) as r:
        ann = await play(r)
        while not file_of(settings).exists():
            await r.done(ann, "pit", "raise-bet", box=1, on="banker", add_cents=100)
            await r.clock.step()
        await crash(r.house)
    async with rig(settings) as r:
        assert r.house.store.resumed


SPOILED = {
    "a bit": lambda held: held[:-9] + bytes([held[-9] ^ 1]) + held[-8:],
    "cut short": lambda held: held[: len(held) // 2],
    "no signature": lambda held: held.replace(held.split(b"\n")[0].split(b" ")[-1], b"0" * 128, 1),
    "nothing": lambda _: b"",
}


@pytest.mark.parametrize("spoil", SPOILED.values(), ids=SPOILED)
async def test_a_changed_checkpoint_is_refused_told_of_and_healed(settings: HouseSettings, spoil: Any) -> None:
    async with rig(settings) as r:
        await play(r)
    file_of(settings).write_bytes(spoil(file_of(settings).read_bytes()))
    async with rig(settings) as r:
        assert not r.house.store.resumed
        told = [line for line in await r.house.significant.newest() if line.code == "checkpoint-refused"]
        assert [line.heading for line in told] == ["tampering"]
    async with rig(settings) as r:
        assert r.house.store.resumed, "the next stop has written a good one"


async def test_an_edit_before_the_checkpoint_decides_no_money_and_the_audit_finds_it(
    settings: HouseSettings,
) -> None:
    async with rig(settings) as r:
        ann = await play(r)
        await r.house.debts.collect_all()
        held = await r.house.store.balances()
    with closing(sqlite3.connect(file_of(settings, ""))) as connection:
        (guard,) = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'postings_no_update'").fetchone()
        connection.executescript(
            f"DROP TRIGGER postings_no_update; UPDATE postings SET cents = cents * 2 WHERE record = 3; {guard}"
        )
    async with rig(settings) as r:
        assert r.house.store.resumed
        assert await r.house.store.balances() == held
        assert (await r.house.cashier.cash_out(ann, None, "all")).refused is None
        async with r.house.store.snapshot() as snapshot:
            assert "hash-mismatch" in [problem.code for problem in (await audit(snapshot)).problems]
        await crash(r.house)
    file_of(settings).unlink()
    with pytest.raises(RefusedStoreError):
        async with rig(settings):
            pass


async def test_a_checkpoint_of_another_branch_of_the_log_is_refused(settings: HouseSettings) -> None:
    async with rig(settings) as r:
        ann = await play(r)
        await r.house.checkpoints.save()
        with closing(sqlite3.connect(file_of(settings, ""))) as connection:
            connection.execute("VACUUM INTO ?", (str(file_of(settings, ".copy")),))
        kept = file_of(settings, ".head").read_bytes()
        await r.house.cashier.buy(ann, 7_000, "more")
    # Database and head are rolled back together; the checkpoint says so.
    file_of(settings, ".copy").replace(file_of(settings, ""))
    file_of(settings, ".head").write_bytes(kept)
    for suffix in ("-wal", "-shm"):
        file_of(settings, suffix).unlink(missing_ok=True)
    async with rig(settings) as r:
        assert not r.house.store.resumed
        assert "checkpoint-refused" in [line.code for line in await r.house.significant.newest()]


async def test_a_checkpoint_of_other_settings_or_another_version_is_passed_over(
    settings: HouseSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with rig(settings) as r:
        await play(r)
    async with rig(settings, large_win_cents=1) as r:
        assert not r.house.store.resumed
        headings = {line.heading for line in await r.house.significant.newest()}
        assert headings >= {"large-win"}
        assert "tampering" not in headings
    with monkeypatch.context() as older:
        older.setattr("punto.service.checkpoints.program", lambda: "0.0.0")
        async with rig(settings, large_win_cents=1) as r:
            assert not r.house.store.resumed


async def test_the_order_of_a_shoe_is_not_in_the_file(settings: HouseSettings) -> None:
    async with rig(settings) as r:
        await play(r)
        reader = r.house.subscribe("etg", None)
        await r.until(reader, "bets-opened")
        shoe = r.house.followed("etg").state.shoe
        assert shoe is not None
        text = "".join([card.text for card in shoe.order[:20]]).encode()
        order = [card.text.encode() for card in shoe.order[:6]]
    held = file_of(settings).read_bytes()
    assert text not in held
    assert b"\xa2".join(order) not in held
    assert file_of(settings).stat().st_mode & 0o077 == 0


async def test_a_process_on_postgres_reads_what_others_wrote_after_its_checkpoint(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    postgres.sql("postgres", "CREATE DATABASE checkpoints")
    shared = replace(SETTINGS, database=postgres.address("checkpoints"), key=str(tmp_path / "house.key"))
    one, two = [replace(shared, owner=name, head=str(tmp_path / f"{name}.head")) for name in ("one", "two")]
    async with rig(one) as r:
        ann = await play(r)
    house = await open_house(replace(two, adopt_head=True), world(ManualClock()))
    try:
        assert not house.store.resumed, "each process has a checkpoint of its own"
        assert (await house.cashier.buy(ann, 7_000, "more")).refused is None
        held = await house.store.balances()
    finally:
        await house.close()
    async with rig(one) as r:
        assert r.house.store.resumed
        resumed = await all_of(r.house)
        assert (await r.house.cashier.buy(ann, 7_000, "more")).refused is None
        assert await r.house.store.balances() == held
    (tmp_path / "one.checkpoint").unlink()
    async with rig(one) as r:
        assert not r.house.store.resumed
        assert await all_of(r.house) == resumed
