"""The desk of the house over HTTP: what each may do, who gives a new token, and the first steps of a new house."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from punto.rules.sheet import Role
from punto.service.audit.software import fingerprint
from punto.service.house import open_house
from punto.service.people.person import ADMIN_ROLE
from tests.web.rig import SETTINGS, edge, refusal


async def test_the_desk_says_which_routes_one_may_ask_for_and_the_routes_agree() -> None:
    async with edge() as e:
        roles = (*[role.value for role in Role], ADMIN_ROLE)
        staff = {role: await e.person(role.title(), role) for role in roles}
        may = {role: set((await each.get("/api/desk"))["may"]) for role, each in staff.items()}
        for role, each in staff.items():
            for path in ("/api/people", "/api/house", "/api/floor", "/api/significant", "/api/debts"):
                if f"GET {path}" in may[role]:
                    await each.get(path)
                else:
                    assert (await refusal(each.get(path))).code == "not-permitted"
        assert "GET /api/significant" in may["dealer"] < may["pit-supervisor"] < may["pit-manager"]
        assert may["shift-manager"] == may["pit-manager"] != may["admin"]
        assert "POST /api/house/key-kept" in may["admin"]
        assert (await staff["pit-manager"].get("/api/desk"))["admits"] == ["patron"]
        assert (await staff["admin"].get("/api/desk"))["admits"] == ["patron", *roles]
        assert (await refusal((await e.person("Ann")).get("/api/desk"))).code == "staff-only"


async def test_an_admin_gets_a_new_token_with_the_consent_of_a_shift_manager_who_is_not_shown_it() -> None:
    async with edge() as e:
        ada, sue = await e.person("Ada", "admin"), await e.person("Sue", "shift-manager")
        max_ = await e.person("Max", "pit-manager")
        assert (await refusal(max_.post("/api/people/ada/token", {}))).code == "not-permitted"
        assert (await refusal(ada.post("/api/people/ada/token", {"reason": "lost"}))).code == "second-person-asked"
        [seen] = await sue.get("/api/people?name=ADA")
        assert (seen["may"], [each["name"] for each in seen["asked_by"]]) == (["consent"], ["Ada"])
        for _ in range(2):
            assert (await refusal(sue.post("/api/people/ada/token", {}))).code == "second-person-asked"
        given = await ada.post("/api/people/ada/token", {"reason": "lost"})
        assert (await refusal(ada.me())).code == "token-unknown"
        [seen] = await e.public.with_token(given["token"]).get("/api/people?name=ada")
        assert (seen["may"], seen["asked_by"], seen["ended"]) == (["token"], [], False)


async def test_people_are_found_by_a_part_of_their_name_and_one_without_a_token_is_marked() -> None:
    async with edge() as e:
        ada, dan = await e.person("Ada", "admin"), await e.person("Dan", "dealer")
        await e.person("Adam")
        await e.person("Bo")
        assert [each["id"] for each in await ada.get("/api/people?name=ad")] == ["ada", "adam"]
        assert [each["id"] for each in await ada.get("/api/people?limit=3")] == ["ada", "dan", "adam"]
        await ada.post("/api/people/dan/dismissal", {})
        assert (await refusal(dan.me())).code == "token-unknown"
        [seen] = await ada.get("/api/people?name=dan")
        assert (seen["ended"], seen["may"]) == (True, ["token"])


async def test_an_admin_alone_sees_the_first_steps_and_each_is_gone_once_it_is_taken(tmp_path: Path) -> None:
    async with edge(database=f"sqlite:///{tmp_path / 'house.db'}") as e:
        ada = await e.person("Ada", "admin")
        house = await ada.get("/api/house")
        assert house["first_steps"] == ["second-person", "key", "table"]
        assert house["key_file"] == str(tmp_path / "house.db.key")
        assert house["software"] == fingerprint()
        sue = await e.person("Sue", "shift-manager")
        assert (await refusal(sue.post("/api/house/key-kept", {}))).code == "not-permitted"
        for _ in range(2):
            assert (await ada.post("/api/house/key-kept", {}))["first_steps"] == ["table"]
        assert {"first_steps", "key_file"}.isdisjoint(await sue.get("/api/house"))
        [told] = [each for each in await sue.get("/api/significant") if each["code"] == "key-kept"]
        assert (told["by"], told["parameters"]) == ("ada", {"mark": house["key"]})
        await e.table()
        assert (await ada.get("/api/house"))["first_steps"] == []


async def test_a_house_in_memory_has_no_key_to_put_away() -> None:
    house = await open_house(replace(SETTINGS))
    try:
        assert await house.first_run.to_do() == ("second-person", "table")
    finally:
        await house.close()


async def test_records_are_saved_as_files() -> None:
    async with edge() as e:
        ada, dan = await e.person("Ada", "admin"), await e.person("Dan", "dealer")
        await e.table()
        await e.betting(dan)
        await dan.command("pit", "report", situation="deck-count", facts={"note": "=1+1"})
        heading, *lines = (await ada.get("/api/significant.csv?heading=people")).split("\r\n")
        assert heading == "at_ms,table,seq,heading,code,by,rule,parameters"
        assert [",people,person-admitted," in line for line in lines] == [True, True, False]
        heading, line, end = (await dan.get("/api/incidents/history.csv?table=pit")).split("\r\n")
        assert heading.startswith("table,name,game,case,round,situation,day,")
        assert (",deck-count," in line, ",'=1+1," in line, end) == (True, True, "")
        assert [each["heading"] for each in await ada.get("/api/significant?table=pit&heading=incident")] == [
            "incident"
        ]
        assert (await refusal((await e.person("Ann")).get("/api/significant.csv"))).code == "staff-only"
