"""A running house whose database somebody else writes to: what was written decides nothing, and is told of."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import NoReturn

import pytest

from punto.service.settings import HouseSettings
from punto.store.errors import UnavailableError
from punto.store.tokens import token_hash
from tests.service.rig import ETG, code, edit, rig


async def test_an_edited_balance_is_not_paid_out_and_is_told_of(settings: HouseSettings) -> None:
    async with rig(settings) as r:
        ann, bob = await r.person("Ann", cents=10_000), await r.person("Bob", cents=10_000)
        table = await r.table(ETG)
        await r.done(ann, table, "sit", box=1)
        reader = r.house.subscribe(table, None)
        await r.until(reader, "bets-opened")
        await r.done(ann, table, "place-bet", box=1, on="player", stake_cents=1_000)
        edit(settings, "UPDATE balances SET cents = 800000000 WHERE account = 'patron:ann'")
        assert code(await r.house.cashier.cash_out(ann, None, "all")) == "account-stopped"
        assert code(await r.house.cashier.cash_out(ann, 9_000, "own")) == "account-stopped"
        assert code(await r.house.cashier.buy(ann, 9_000, "more")) == "account-stopped"
        raised = await r.give(ann, table, "raise-bet", box=1, on="player", add_cents=1_000)
        assert code(raised) == "account-stopped", raised
        await r.until(reader, "round-settled")
        assert code(await r.house.cashier.cash_out(bob, None, "bob")) == ""
        told = [(line.heading, line.code) for line in await r.house.significant.newest()]
        assert told.count(("tampering", "account-stopped")) == 1


async def test_a_planted_admin_does_not_come_in(settings: HouseSettings) -> None:
    async with rig(settings) as r:
        hashed = token_hash("mallory")
        edit(settings, f"INSERT INTO people VALUES ('mallory', 'Mallory', 'admin', '{hashed}')")
        await r.house.people.load()
        assert await r.house.people.authenticate("mallory") is None
        assert await r.house.people.find("mallory") is None
        [told] = [line for line in await r.house.significant.newest() if line.code == "person-stopped"]
        assert (told.heading, told.parameters["subject"]) == ("tampering", "mallory")


async def test_a_finding_waits_for_a_store_that_is_away(
    settings: HouseSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with rig(settings) as r:
        edit(settings, "INSERT INTO people VALUES ('mallory', 'Mallory', 'admin', NULL)")
        await r.house.people.load()
        with monkeypatch.context() as away:

            async def refuse(_: object) -> NoReturn:
                raise UnavailableError("away")

            away.setattr(r.house.store, "append", refuse)
            with pytest.raises(UnavailableError):
                await r.house.log.note_findings()
        told = [line.code for line in await r.house.significant.newest()]
        assert told.count("person-stopped") == 1


async def test_a_planted_trigger_stops_all_money_until_it_is_gone(settings: HouseSettings) -> None:
    async with rig(settings) as r:
        ann = await r.person("Ann", cents=10_000)
        edit(settings, "CREATE TRIGGER gift AFTER INSERT ON postings BEGIN UPDATE balances SET cents = cents + 1; END")
        with pytest.raises(UnavailableError):
            await r.house.cashier.cash_out(ann, 5_000, "out")
        edit(settings, "DROP TRIGGER gift")
        assert code(await r.house.cashier.cash_out(ann, 5_000, "out")) == ""
        assert (await r.house.cashier.credit_and_debt(ann))[0] == 5_000
        [told] = [line for line in await r.house.significant.newest() if line.code == "schema-changed"]
        assert (told.heading, told.parameters["subject"]) == ("tampering", "the trigger gift is not one of punto's")


async def test_significant_events_after_a_record_that_was_changed_are_shown(settings: HouseSettings) -> None:
    async with rig(settings) as r:
        await r.person("Ann", cents=10_000)
        with closing(sqlite3.connect(settings.database.removeprefix("sqlite:///"))) as connection:
            (guard,) = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'records_no_update'").fetchone()
        changed = "UPDATE records SET payload = replace(payload, '10000', '90000') WHERE kind = 'credits-bought'"
        edit(settings, "DROP TRIGGER records_no_update", changed, guard)
        await r.person("Bob")
        told = [line.code for line in await r.house.significant.newest()]
        assert sorted(told) == ["person-admitted", "person-admitted", "record-changed"]
