"""Logs of the first version, whose events and notes held sentences, are read, shown and audited."""

from __future__ import annotations

import json

import pytest

from punto.protocol.codec import RETIRED, to_data
from punto.rules.refusals import Refusal
from punto.store.memory import MemoryStore
from punto.table import commands as c
from punto.table import events as e
from punto.texts import text
from tests.faults.invariants import check
from tests.service.rig import PIT, plain, rig

SAID = "a sentence of the first version"


def as_it_was(event: e.Event) -> str:
    """An event as the first version wrote it."""
    kind = c.kind_of(type(event))
    return json.dumps(to_data(event) | ({RETIRED[kind]: SAID} if kind in RETIRED else {}))


async def test_a_house_goes_on_with_a_log_of_the_first_version(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore(lambda: 0)
    with monkeypatch.context() as first_version:
        first_version.setattr("punto.service.shoes.encryption.to_json", as_it_was)
        first_version.setattr("punto.service.tables.table_setup.to_json", as_it_was)
        async with rig(store=store) as r:
            ann, bo = await r.person("Ann", cents=10_000), await r.person("Bo", cents=10_000)
            dan, sue = await r.person("Dan", "dealer"), await r.person("Sue", "shift-manager")
            table = await r.table(PIT)
            await r.done(ann, table, "sit", box=1)
            await r.done(bo, table, "stand", box=1)
            for kind in ("load-shoe", "open-bets"):
                await r.done(dan, table, kind)
            await r.done(ann, table, "place-bet", box=1, on="player", stake_cents=1_000)
            await r.done(dan, table, "close-bets")
            await r.done(dan, table, "deal", card="5h")
            await r.confirmed(sue, table, "report", situation="foreign-card", facts={"cards": "5h"})
            for kind in ("load-shoe", "open-bets", "close-bets"):
                await r.done(dan, table, kind)
            for card, reading in (("9h", 1), ("3h", 2), ("Kd", 4)):  # a reading is lost: the table is held
                await r.done(dan, table, "deal", card=card, reading=reading)
            await r.confirmed(sue, table, "correct-cards", cards="9h 3h Ks Kd", reason="the third card was not read")
            await r.done(dan, table, "settle")
            await r.house.log.write("table-suspended", {"table": table, "says": SAID})
            await r.house.log.write("clock-jumped", {"by_ms": 5, "owner": "one", "says": SAID, "by": "house"})
            before = plain(r.house.snapshot(table, None))
    records = await store.read("table:pit")
    assert {record.kind for record in records if SAID in record.payload} == RETIRED.keys()
    async with rig(store=store) as r:
        now = plain(r.house.snapshot(table, None))
        assert now | {"now_ms": 0} == before | {"now_ms": 0}
        found = await r.house.history.round(table, sue, 1)
        assert not isinstance(found, Refusal)
        assert found.void
        ruled = [each["event"] for each in plain(found)["events"] if each["event"]["kind"] == "incident-ruled"]
        assert [(each["ruling"], each["rule"]) for each in ruled] == [("void", "5.5.1")]
        assert SAID not in json.dumps(plain(found))
        lines = await r.house.significant.newest()
        told = {
            line.heading: text("significant", line.code, "en", None, **line.parameters)
            for line in lines
            if not line.table
        }
        assert (told["suspended"], told["clock"]) == (SAID, SAID)
        assert {"void", "incident", "feed-gap", "parameters"} <= {line.heading for line in lines}
        await r.done(dan, table, "open-bets")
        await r.done(ann, table, "place-bet", box=1, on="banker", stake_cents=1_000)
        await check(store, bets_open=1)
