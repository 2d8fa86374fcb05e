"""Players of the house keep the tables of a demonstration in play, and make way for patrons."""

from __future__ import annotations

import asyncio

from punto.cli.house_players import FREE_SEATS, play_for_house
from tests.service.rig import ETG, PIT, Rig, rig


async def test_players_of_the_house_bet_at_open_tables_and_leave_where_a_seat_is_needed() -> None:
    async with rig() as r:
        table = await r.table(ETG)
        private, live = await r.table(ETG, table="salon", private=True), await r.table(PIT)
        reader = r.house.subscribe(table, await r.person("Dan", "dealer"))
        playing = asyncio.create_task(play_for_house(r.house))
        placed = await r.until(reader, "bet-placed")
        assert placed["event"]["bet"]["patron"].startswith("demo-")
        assert placed["event"]["bet"]["stake_cents"] in {100, 1_000}
        settled = await r.until(reader, "round-settled")
        assert {line["bet"]["patron"] for line in settled["event"]["lines"]} <= {"demo-1", "demo-2"}
        players = _seated(r, table)
        assert players
        assert not _seated(r, private) | _seated(r, live)
        for number in range(ETG["boxes"] - len(players) - FREE_SEATS + 1):
            ann = await r.person(f"Ann {number}")
            free = next(box for box in range(1, 6) if box not in r.house.followed(table).state.seats)
            await r.done(ann, table, "sit", box=free)
        await r.until(reader, "patron-left")
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        assert not any(each.startswith("demo") for each in _seated(r, table))


def _seated(r: Rig, table: str) -> set[str]:
    return set(r.house.followed(table).state.seats.values())
