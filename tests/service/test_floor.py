"""The floor: figures from the log and the ledger, pushed to the pit desk, and the incidents of the past."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from punto.ledger.table_day import DAY_MS, GamingDay
from punto.service.house import House
from tests.service.rig import PIT, SETTINGS, plain, rig


async def figures(house: House) -> dict[str, Any]:
    """The floor now, as plain data."""
    shown: dict[str, Any] = plain(await house.floor.now())
    return shown


async def test_handle_win_and_hold_are_those_of_the_ledger() -> None:
    async with rig() as r:
        ann, dan, table = await r.live(100_000)
        await r.done(dan, table, "come-on-duty")
        await r.play(dan, table, (ann, "player", 10_000), (ann, "tie", 1_000), cards="4h 7d 4s Kc")  # Player wins
        await r.play(dan, table, (ann, "banker", 10_000), cards="Kh 3d Qs 4c 2h")  # Banker wins: 9,500 of commission
        await r.play(dan, table, (ann, "player", 2_000), cards="4h 7d 3s Kc")  # a tie: the stake goes back
        floor = await figures(r.house)
        [pit] = floor["tables"]
        balances = await r.house.store.balances()
        assert pit["win_cents"] == balances["house:pit"] == -10_000 + 1_000 - 9_500
        assert pit["handle_cents"] == 10_000 + 1_000 + 10_000 + 2_000
        assert pit["hold_basis_points"] == -8043
        assert (pit["rounds"], pit["seats_taken"], pit["theoretical_cents"]) == (3, 1, None)
        assert [person["name"] for person in pit["duty"]] == ["Dan"]
        assert floor["total"]["win_cents"] == pit["win_cents"]


class Known:
    """An analyst for whom every bet costs half of one per cent, and a tie favours patrons."""

    def bet_edge(self, *_: object) -> Fraction:
        return Fraction(1, 200)

    insurance_edge = bet_edge

    def favourable_bets(self, *_: object) -> tuple[str, ...]:
        return ("tie",)


async def test_theoretical_win_is_the_edge_of_each_bet_times_its_handle() -> None:
    async with rig(analyst=Known()) as r:
        ann, dan, table = await r.live(100_000)
        await r.play(dan, table, (ann, "player", 10_000), (ann, "tie", 1_100), cards="4h 7d 4s Kc")
        [pit] = (await figures(r.house))["tables"]
        assert pit["theoretical_cents"] == 56  # 55.5 cents: a half goes up
        assert pit["favourable"] == ["tie"]


async def test_a_gaming_day_begins_with_no_figures() -> None:
    settings = replace(SETTINGS, gaming_day=GamingDay(DAY_MS // 4))
    async with rig(settings=settings) as r:
        ann, dan, table = await r.live(100_000)
        await r.play(dan, table, (ann, "player", 10_000), cards="4h 7d 4s Kc")
        before = await figures(r.house)
        r.clock.advance(DAY_MS)
        after = await figures(r.house)
        assert before["tables"][0]["handle_cents"] == 10_000
        assert after["tables"][0]["handle_cents"] == 0
        assert after["day"] > before["day"]


async def test_the_floor_is_pushed_part_by_part_as_it_changes() -> None:
    async with rig() as r:
        ann, dan = await r.person("Ann", cents=100_000), await r.person("Dan", "dealer")
        table = await r.table(PIT, game="easy-six")
        reader = r.house.floor.subscribe()
        first = plain((await anext(reader)).struct)
        assert first["type"] == "floor"
        assert first.keys() == {"type", "now_ms", "floor", "incidents", "significant", "people"}
        await r.done(ann, table, "sit", box=1)
        second = await r.until_seen(reader, lambda message: "floor" in message)
        assert second.keys() == {"type", "now_ms", "floor"}
        assert second["floor"]["tables"][0]["seats_taken"] == 1
        for kind in ("load-shoe", "open-bets", "close-bets"):
            await r.done(dan, table, kind)
        await r.done(dan, table, "report", situation="not-shuffled")
        third = await r.until_seen(reader, lambda message: "incidents" in message)
        assert third["incidents"][0]["situation"] == "not-shuffled"
        assert third["significant"][0]["heading"] == "incident"
        await r.house.close()
        assert reader.ended


async def test_past_incidents_are_found_by_table_situation_and_whether_they_are_open() -> None:
    async with rig() as r:
        dan, sue = await r.person("Dan", "dealer"), await r.person("Sue", "shift-manager")
        table = await r.table(PIT, game="easy-six")
        for kind in ("load-shoe", "open-bets", "close-bets"):
            await r.done(dan, table, kind)
        await r.done(dan, table, "report", situation="not-shuffled", facts={"note": "seen by Dan"})
        log = r.house.incident_log
        [opened] = log.newest(is_open=True)
        assert (opened.note, opened.reported_by, opened.closed_at_ms) == ("seen by Dan", "Dan", None)
        assert log.newest(is_open=False) == []
        await r.confirmed(sue, table, "decide", decision="void", reason="start anew")
        [closed] = log.newest(table=table, situation="not-shuffled", is_open=False, day=opened.day)
        said = [(each.decision, each.by, each.reason) for each in closed.decisions]
        assert said[0] == ("void", "Sue", "start anew")
        assert closed.effect is not None
        assert closed.effect.void
        assert log.newest(situation="another") == log.newest(table="another") == log.newest(day="2000-01-01") == []
