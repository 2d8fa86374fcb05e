"""Sealed shoes: what lies in the database or travels on the bus tells nobody what comes next."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from punto.rules.cards import parse_cards
from punto.service.audit.house_audit import Replaying, audit_house
from punto.service.audit.replay import HouseReplay
from punto.service.settings import HouseSettings
from punto.service.shoes.encryption import ShoeCipher, is_encrypted, read_record
from punto.service.shoes.house_key import HouseKey
from punto.service.tables.followed_table import FollowedTable
from punto.store.audit import AuditReport, audit
from punto.store.errors import RefusedStoreError
from punto.store.opening import open_snapshot
from punto.store.records import Record
from punto.table import acts
from punto.table.automatic import AUTOMAT
from punto.table.shoe_proof import check_opened
from tests.local_bus import LocalBus
from tests.service.rig import ETG, SETTINGS, Rig, crash, rig
from tests.unit.command import punto


class HeardBus(LocalBus):
    """A bus that keeps all that is said on it."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []

    async def publish(self, subject: str, news: bytes) -> None:
        self.heard.append(f"{subject} {news.decode()}")
        await super().publish(subject, news)


@pytest.fixture
def settings(tmp_path: Path) -> HouseSettings:
    return replace(SETTINGS, database=f"sqlite:///{tmp_path / 'punto.db'}", always_on=True)


def key_of(settings: HouseSettings) -> Path:
    path = settings.key_file
    assert path is not None
    return path


async def play(r: Rig) -> FollowedTable:
    """A bet at a new table, and the round half dealt."""
    ann, table, reader = await r.seated(ETG, cents=100_000)
    await r.done(ann, table, "place-bet", box=1, on="banker", stake_cents=5_000)
    await r.until(reader, "card-dealt")
    return r.house.followed(table)


def secrets(table: FollowedTable) -> list[str]:
    """The salt of the shoe in play, and every five undealt cards in a row, as cards may be written."""
    shoe = table.state.shoe
    assert shoe is not None
    salt = table.shoes[shoe.number].loaded.salt
    undealt = [card.text for card in shoe.order[shoe.drawn :]]
    assert salt
    assert len(undealt) > 300
    runs = [undealt[place : place + 5] for place in range(len(undealt) - 4)]
    return [salt, *[between.join(run) for run in runs for between in (" ", "", '", "', '","', ",")]]


async def audited(settings: HouseSettings, replay: HouseReplay) -> AuditReport:
    async with open_snapshot(settings.database) as (snapshot, _):
        return await audit(snapshot, replay=replay)


async def test_neither_database_nor_bus_tells_what_comes_next(settings: HouseSettings, tmp_path: Path) -> None:
    bus = HeardBus()
    async with rig(settings, bus=bus) as r:
        hidden = secrets(await play(r))
        connection = sqlite3.connect(tmp_path / "punto.db")
        dump = "\n".join(connection.iterdump())
        connection.close()
        files = [path.read_bytes().decode("latin-1") for path in tmp_path.iterdir()]
    assert '"kind":"shoe-loaded"' in dump
    assert any("card-dealt" in each for each in bus.heard)
    assert len(files) >= 4
    for text in (dump, *files, *bus.heard):
        assert not [each for each in hidden if each in text]
    key = key_of(settings)
    assert key.stat().st_mode & 0o777 == 0o600
    assert key.read_text().strip() not in dump


async def test_a_restart_opens_the_shoe_again_and_concludes_its_round(settings: HouseSettings) -> None:
    async with rig(settings) as r:
        before = await play(r)
        await crash(r.house)
        assert before.state.shoe is not None
        order = before.state.shoe.order
    async with rig(settings) as r:
        after = r.house.followed("etg")
        assert after.state.round is None
        assert after.state.shoe is not None
        assert after.state.shoe.order == order
        reader = r.house.subscribe("etg", None)
        await r.until(reader, "round-settled")
        loaded = after.shoes[1].loaded
        assert check_opened(str(loaded.commitment), str(loaded.salt), " ".join(c.text for c in order), 8, "") is None
    report = await audited(settings, replay := HouseReplay(key=HouseKey(key_of(settings))))
    assert (report.problems, replay.left_encrypted) == ((), 0)


async def test_a_wrong_or_missing_key_is_refused_at_start(settings: HouseSettings, tmp_path: Path) -> None:
    async with rig(settings) as r:
        await play(r)
    key = key_of(settings)
    right = key.read_text()
    for text, code in ((None, "key-missing"), ("00" * 32, "key-wrong"), ("nonsense", "key-unreadable")):
        key.unlink(missing_ok=True)
        if text is not None:
            key.write_text(text)
        with pytest.raises(RefusedStoreError) as refused:
            async with rig(settings):
                pass
        assert refused.value.code == code
        assert str(key) in refused.value.message
        assert key.exists() == (text is not None), "a key that is missing is not made anew"
        assert punto("serve", "--database", settings.database).stderr.strip().endswith(f"[{code}]")
    (tmp_path / "elsewhere").write_text(right)
    async with rig(settings, key=str(tmp_path / "elsewhere")) as r:
        assert r.house.followed("etg").state.shoe is not None


async def test_two_processes_that_begin_with_other_keys_do_not_both_open(settings: HouseSettings) -> None:
    async with rig(settings) as r:
        other = HouseKey(Path(f"{key_of(settings)}.other"))
        for code in ("key-missing", "key-wrong"):
            with pytest.raises(RefusedStoreError) as refused:
                await r.house.log.agree_on(other)
            assert refused.value.code == code
            other.make()


async def test_an_audit_says_what_it_cannot_check_without_the_key(settings: HouseSettings) -> None:
    async with rig(settings) as r:
        await play(r)
    arguments = ("audit", "--database", settings.database)
    assert "sealed" not in punto(*arguments).stdout
    assert json.loads(punto(*arguments, "--json").stdout)["shoes_left_sealed"] == 0
    key = key_of(settings).rename(key_of(settings).with_name("kept"))
    without = punto(*arguments)
    assert (without.returncode, "1 shoe stays sealed" in without.stdout) == (0, True), without.stdout
    assert json.loads(punto(*arguments, "--json").stdout)["shoes_left_sealed"] == 1
    assert punto(*arguments, "--key", str(key)).returncode == 0
    key.write_text("00" * 32)
    wrong = punto(*arguments, "--key", str(key))
    assert (wrong.returncode, "[key-wrong]" in wrong.stderr) == (2, True), wrong.stderr
    missing = punto(*arguments, "--key", "nowhere.key")
    assert (missing.returncode, "[key-missing]" in missing.stderr) == (2, True), missing.stderr


@pytest.mark.parametrize("worth", [1, 10**9])
async def test_an_audit_in_processes_of_its_own_finds_the_same(
    settings: HouseSettings, tmp_path: Path, worth: int
) -> None:
    async with rig(settings) as r:
        await play(r)
        await r.table(ETG, table="other")
        await r.until(r.house.subscribe("other", None), "round-closed")

    async def look(key: Path | None) -> tuple[AuditReport, int]:
        async with open_snapshot(settings.database) as (snapshot, _):
            return await audit_house(snapshot, Replaying(settings.database, key), worth=worth)

    good, sealed = await look(key_of(settings))
    assert (good.problems, sealed) == ((), 0)
    assert good.replayed >= sum(tail.seq for tail in good.tails if tail.stream.startswith("table:")) > 20
    assert (await look(None))[1] == 2
    connection = sqlite3.connect(tmp_path / "punto.db")
    connection.execute("DROP TRIGGER records_no_update")
    # The same record is bad twice over, and named first: its hash, and a stake that its postings do not move.
    connection.execute("UPDATE records SET payload = replace(payload, '5000', '7000') WHERE kind = 'bet-placed'")
    connection.commit()
    connection.close()
    bad, _ = await look(key_of(settings))
    assert [problem.code for problem in bad.problems[:2]] == ["hash-mismatch", "replay-differs"]
    assert len({problem.record for problem in bad.problems[:2]}) == 1


def test_a_seal_holds_only_where_it_was_set(tmp_path: Path) -> None:
    key = HouseKey(tmp_path / "key")
    key.make()
    key.make()
    cipher = ShoeCipher(key)
    event = acts.ShoeLoaded(AUTOMAT, 3, 3, None, "c" * 64, parse_cards("9h Kd 2s"), "ab" * 16)
    record = Record(
        1, "table:one", 5, 7, 1, "shoe-loaded", cipher.write("table:one", event), None, None, None, None, "", None
    )
    assert cipher.read(record).event == event
    assert ShoeCipher(HouseKey(tmp_path / "key")).read(record).event == event
    shown = read_record(record).event
    assert isinstance(shown, acts.ShoeLoaded)
    assert (shown.cards, shown.salt, shown.commitment) == ((), None, "c" * 64)
    for elsewhere in (
        record._replace(stream="table:two"),
        record._replace(payload=record.payload.replace('"shoe":3', '"shoe":4')),
    ):
        with pytest.raises(RefusedStoreError):
            cipher.read(elsewhere)
    assert cipher.write("table:one", event) != record.payload, "each has its own nonce"


async def test_a_new_key_is_for_the_shoes_to_come_and_the_old_one_stays_for_the_others(
    settings: HouseSettings, tmp_path: Path
) -> None:
    async with rig(settings) as r:
        await play(r)
        held = punto("rotate-key", "--database", settings.database)
        assert "[store-in-use]" in held.stderr
    leaked = tmp_path / "leaked.key"
    leaked.write_text(key_of(settings).read_text())
    assert punto("rotate-key", "--database", settings.database).returncode == 0
    assert key_of(settings).stat().st_mode & 0o777 == 0o600
    async with rig(settings) as r:
        await r.table({**ETG, "table": "later"})
        assert [line.code for line in await r.house.significant.newest()].count("shoe-key-added") == 1
    async with open_snapshot(settings.database) as (snapshot, _):
        loaded = [Record(*row) for row in await snapshot.page(0, 1_000)]
    before, after = [record for record in loaded if is_encrypted(record)]
    cipher = ShoeCipher(HouseKey(leaked))
    assert cipher.read(before).event.cards  # type: ignore[attr-defined]  # it is the loading of a shoe
    with pytest.raises(RefusedStoreError):
        cipher.read(after)
    assert punto("audit", "--database", settings.database).returncode == 0
