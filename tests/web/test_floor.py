"""The people of the floor over HTTP: who acts in which position, and what the record says of it."""

from __future__ import annotations

from typing import Any

from punto.client import Client
from tests.web.rig import PIT, edge, refusal

CORRECTION: dict[str, Any] = {"cards": "4h Ks", "reason": "the first card was keyed wrongly"}
BOTH = "pit-supervisor:dan@dealer"


async def choice(who: Client, kind: str) -> dict[str, Any]:
    """What someone may do with a command of this kind."""
    [found] = [each for each in await who.get("/api/tables/pit/choices") if each["kind"] == kind]
    return dict(found)


async def test_commission_1_11_a_dealer_acts_as_pit_supervisor() -> None:
    """A Dealer on duty approves as Pit Supervisor: recorded under both, refused once off duty."""
    async with edge() as e:
        await e.table(PIT | {"game": "commission"})
        dan, eve = await e.person("Dan", "dealer"), await e.person("Eve", "dealer")
        sue = await e.person("Sue", "pit-supervisor")
        for each in (dan, sue):
            await each.command("pit", "come-on-duty")
        await e.betting(eve)
        await eve.command("pit", "close-bets")
        for card in ("5h", "Ks"):
            await eve.command("pit", "deal", card=card)
        let_act = {"person": "eve", "position": "dealer"}
        assert (await choice(dan, "assign-position"))["refusal"]["code"] == "not-permitted"
        assert (await refusal(dan.command("pit", "assign-position", **let_act))).code == "not-permitted"

        assigned = await sue.command("pit", "assign-position", person="dan", position="pit-supervisor")
        assert assigned.events[0].event.rule == "1.11"
        assert (await eve.get("/api/tables/pit"))["duty"] == [
            {"id": "dan", "name": "Dan", "role": "dealer", "position": "pit-supervisor"},
            {"id": "sue", "name": "Sue", "role": "pit-supervisor", "position": "pit-supervisor"},
        ]
        assert "duty" not in await e.public.get("/api/tables/pit")
        assert (await choice(dan, "correct-cards"))["ways"]
        previewed = await dan.post("/api/tables/pit/preview", {"kind": "correct-cards"} | CORRECTION)
        assert {each["by"] for each in previewed["events"]} == {BOTH}

        await eve.command("pit", "correct-cards", **CORRECTION)
        assert (await refusal(eve.command("pit", "decide", decision="approve"))).code == "not-permitted"
        approved = await dan.command("pit", "decide", decision="approve")
        assert approved.events[0].event.by == BOTH
        assert [each.card for each in (await e.public.snapshot("pit")).cards] == ["4h", "Ks"]
        significant = await eve.get("/api/significant")
        assert ("decision-made", BOTH) in [(each["code"], each["by"]) for each in significant]
        [told] = [each for each in significant if each["code"] == "position-assigned"]
        assert told["parameters"] == {"person": "dan", "position": "pit-supervisor"}

        await dan.command("pit", "go-off-duty")
        assert [each["id"] for each in (await eve.get("/api/tables/pit"))["duty"]] == ["sue"]
        assert (await choice(dan, "assign-position"))["refusal"]["code"] == "not-permitted"
        assert (await refusal(dan.command("pit", "assign-position", **let_act))).code == "not-permitted"
        for card in ("5d", "7c"):
            await eve.command("pit", "deal", card=card)
        await eve.command("pit", "settle")
        acts = (await eve.get("/api/tables/pit/rounds/1"))["acts"]
        assert {each["by"] for each in acts} == {"dealer:eve", "pit-supervisor:sue", BOTH}


async def test_a_position_counts_at_its_table_alone_and_is_shown_to_staff_alone() -> None:
    async with edge() as e:
        for table in ("pit", "other"):
            await e.table(PIT | {"table": table})
        dan, sue = await e.person("Dan", "dealer"), await e.person("Sue", "pit-supervisor")
        for table in ("pit", "other"):
            await dan.command(table, "come-on-duty")
        reader = e.house.subscribe("pit", None)
        reader.take()
        await sue.command("pit", "assign-position", person="dan", position="pit-supervisor")
        for message in reader.take():
            assert "dan" not in message.text.lower()
        assert (await refusal(dan.command("other", "close-table"))).code == "not-permitted"
        admitted = dan.post("/api/tables", PIT | {"table": "third"})
        assert (await refusal(admitted)).code == "not-permitted"
        await dan.command("pit", "close-table")
        assert (await sue.get("/api/tables/pit"))["duty"] == [], "closing ends the duty of everyone"


async def test_staff_see_by_name_who_stands_behind_a_box_and_others_how_many() -> None:
    async with edge() as e:
        await e.table(PIT)
        dan, ann, bo = await e.person("Dan", "dealer"), await e.person("Ann"), await e.person("Bo")
        await ann.command("pit", "sit", box=2)
        await bo.command("pit", "stand", box=2)
        boxes = {who: (await who.get("/api/tables/pit"))["boxes"] for who in (dan, ann, e.public)}
        assert (boxes[dan][1]["seated"], boxes[dan][1]["standing_names"]) == ("Ann", ["Bo"])
        for who in (ann, e.public):
            assert (boxes[who][1]["standing"], "standing_names" in boxes[who][1]) == (1, False)


async def test_every_situation_to_report_says_where_to_look_for_it() -> None:
    async with edge() as e:
        await e.table(PIT)
        ways = (await choice(await e.person("Dan", "dealer"), "report"))["ways"]
        groups = {way["situation"]: way["group"] for way in ways}
        assert {groups[each] for each in ("excess-card", "wrong-area", "simultaneous-cards")} == {"card"}
        assert (groups["late-bet"], groups["walk-away"], groups["foreign-card"]) == ("bet", "person", "shoe")
        assert (groups["technical-interruption"], groups["anything-else"]) == ("equipment", "other")
        assert list(dict.fromkeys(groups.values())) == ["card", "bet", "shoe", "equipment", "person", "other"]
