"""A house whose database somebody else has written to: refused at start, by an audit, and never gone on with."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from punto.protocol.views import NewTable
from punto.rules.refusals import Refusal
from punto.service.house import open_house
from punto.service.people.admissions import SET_UP
from punto.service.settings import HouseSettings
from punto.service.shoes.house_key import HouseKey
from punto.service.world import World
from punto.store.errors import BrokenStoreError, RefusedStoreError
from punto.store.records import Tail
from tests.contract.forging import forgery
from tests.manual_clock import ManualClock
from tests.service.rig import ETG, edit, rig
from tests.unit.command import punto


async def begun(settings: HouseSettings) -> tuple[Tail, dict[str, int]]:
    """A house with money and a table; where its desk's stream ends, and what its accounts hold."""
    async with rig(settings) as r:
        await r.person("Mallory", cents=1_000)
        await r.table(ETG)
        return await r.house.store.tail("desk"), await r.house.store.balances()


async def test_a_credit_that_was_never_bought_is_refused_at_start_and_by_an_audit(settings: HouseSettings) -> None:
    tail, held = await begun(settings)
    arguments = ("audit", "--database", settings.database)
    good = punto(*arguments)
    assert (good.returncode, "signatures" in good.stdout) == (0, False), good.stdout
    assert json.loads(punto(*arguments, "--json").stdout)["signatures_checked"] is True
    edit(settings, *forgery(tail, 500_000_000, held))
    with pytest.raises(RefusedStoreError) as refused:
        await open_house(settings)
    assert refused.value.code == "signature-wrong"
    assert refused.value.message.startswith(f"desk {tail.seq + 1} does not have the code of this house")
    served = punto("serve", "--database", settings.database, "--port", "0")
    assert (served.returncode, served.stderr.strip().endswith("[signature-wrong]")) == (2, True), served.stderr
    bad = punto(*arguments)
    assert (bad.returncode, f"First bad: desk {tail.seq + 1} does" in bad.stdout) == (1, True), bad.stdout
    first = json.loads(punto(*arguments, "--json").stdout)["first"]
    assert (first["code"], first["stream"], first["seq"]) == ("signature-wrong", "desk", tail.seq + 1)
    accepted = punto(*arguments, "--accept")
    assert accepted.returncode == 1, "what is forged is never accepted"


async def test_an_audit_without_the_key_says_that_it_saw_no_signatures(settings: HouseSettings) -> None:
    tail, held = await begun(settings)
    edit(settings, *forgery(tail, 500_000_000, held))
    key = settings.key_file
    assert key is not None
    key = key.rename(key.with_name("kept"))
    without = punto("audit", "--database", settings.database)
    assert (without.returncode, "signatures were not checked" in without.stdout) == (0, True), without.stdout
    told = json.loads(punto("audit", "--database", settings.database, "--json").stdout)
    assert told["signatures_checked"] is False
    assert punto("audit", "--database", settings.database, "--key", str(key)).returncode == 1


async def test_a_house_that_finds_a_forged_record_while_it_runs_stops(settings: HouseSettings) -> None:
    house = await open_house(settings)
    try:
        made = await house.people.join("Mallory")
        assert isinstance(made, tuple)
        edit(settings, *forgery(await house.store.tail("desk"), 500_000_000, {}))
        with pytest.raises(BrokenStoreError):
            await house.cashier.buy(made[0], 1_000, "k")
        assert "does not bear the signature of this house" in str(house.failed.result())
    finally:
        await house.close()
    with pytest.raises(RefusedStoreError, match="does not have the code of this house"):
        await open_house(settings)


async def test_a_table_that_finds_a_forged_record_stops_the_house(settings: HouseSettings) -> None:
    clock = ManualClock()
    house = await open_house(settings, World.with_clock(clock))
    try:
        assert not isinstance(await house.setup.set_up(SET_UP, msgspec.convert(ETG, NewTable)), Refusal)
        edit(settings, *forgery(await house.store.tail("table:etg"), 500_000_000, {}))
        house.subscribe("etg", None)  # somebody looks, so the table begins to play
        while not house.failed.done():
            await clock.step()
        assert "does not bear the signature of this house" in str(house.failed.result())
    finally:
        await house.close()


async def test_a_house_in_memory_signs_too() -> None:
    async with rig() as r:
        tails = await r.house.store.tails()
        sign = r.house.key.signer("").tail
        assert tails
        assert all(tail.signature == sign(tail) for tail in tails)


def test_a_signature_is_bound_to_key_store_and_tail(tmp_path: Path) -> None:
    tails = [Tail("t", 1), Tail("t", 2), Tail("u", 1), Tail("t", 1, "1" * 64)]
    keys = [HouseKey(tmp_path / name) for name in ("one", "two")]
    assert len({key.make() for key in keys}) == 2
    made = {key.signer(store).tail(tail) for key in keys for store in ("s", "z") for tail in tails}
    assert len(made) == 2 * 2 * len(tails)
    assert keys[0].signer("s").tail(replace(tails[0], fence=7, signature="x")) in made, "leases change no signature"
