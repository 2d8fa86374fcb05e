"""Incidents, seats, limits and insurance over HTTP: what is refused, what waits for a second person, who sees what."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

from punto.client import Client
from punto.client.errors import RefusedByServerError
from punto.protocol.views import IncidentEffect
from tests.web.rig import NATURAL, PIT, Edge, edge, refusal

NATURAL_TEXT = " ".join(NATURAL)
SWAPPED = "Ks 5h 7c 4d"
"""The cards of NATURAL with both hands swapped."""


class Floor(NamedTuple):
    """A live table, with the people of its pit and two patrons who sit at boxes 1 and 2."""

    edge: Edge
    dan: Client
    eve: Client
    sue: Client
    max: Client
    ann: Client
    bo: Client

    async def bets(self, ann: str = "player", bo: str = "banker") -> None:
        """Open a round in which Ann has 100.00 on one bet and Bo 200.00 on another."""
        await self.dan.command("pit", "open-bets")
        await self.ann.command("pit", "place-bet", box=1, on=ann, stake_cents=10_000)
        await self.bo.command("pit", "place-bet", box=2, on=bo, stake_cents=20_000)

    async def deal(self, cards: str) -> None:
        for card in cards.split():
            await self.dan.command("pit", "deal", card=card)

    async def dealt(self, cards: str, ann: str = "player", bo: str = "banker") -> None:
        """A round with both bets and these cards."""
        await self.bets(ann, bo)
        await self.dan.command("pit", "close-bets")
        await self.deal(cards)

    async def cards(self) -> str:
        return " ".join([each.card or "?" for each in (await self.edge.public.snapshot("pit")).cards])

    async def incident(self) -> dict[str, Any]:
        """The open case, as the pit sees it in the list and at the table."""
        [found] = await self.sue.get("/api/incidents")
        assert (await self.eve.get("/api/tables/pit"))["incident"] == found
        assert "incident" not in await self.ann.get("/api/tables/pit")
        return dict(found)

    async def significant(self, code: str) -> dict[str, Any]:
        """The newest significant event of a code."""
        return next(dict(each) for each in await self.sue.get("/api/significant") if each["code"] == code)


@asynccontextmanager
async def floor(game: str = "commission", cents: int = 1_000_000, **changes: Any) -> AsyncIterator[Floor]:
    async with edge() as e:
        await e.table(PIT | {"game": game} | changes)
        staff = [("Dan", "dealer"), ("Eve", "dealer"), ("Sue", "pit-supervisor"), ("Max", "pit-manager")]
        people = [await e.person(name, role) for name, role in staff]
        patrons = [await e.person(name, cents=cents) for name in ("Ann", "Bo")]
        for box, patron in enumerate(patrons, 1):
            await patron.command("pit", "sit", box=box)
        await people[0].command("pit", "load-shoe")
        yield Floor(e, *people, *patrons)


def problem(refused: RefusedByServerError) -> tuple[str, str, str | None, int | None]:
    """The code of a refusal, its problem, its paragraph and its status."""
    return refused.code, str(getattr(refused.refusal, "problem", "")), refused.rule, refused.status


async def report(who: Client, situation: str, table: str = "pit", **facts: Any) -> list[str]:
    """The kinds of the events that a report leads to."""
    reply = await who.command(table, "report", situation=situation, facts=facts)
    return [str(each.event.__struct_config__.tag) for each in reply.events]


async def refused_report(who: Client, situation: str, table: str = "pit", **facts: Any) -> tuple[str, ...]:
    return problem(await refusal(report(who, situation, table, **facts)))[:3]  # type: ignore[return-value]


async def decide(who: Client, decision: str = "approve", **fields: Any) -> None:
    await who.command("pit", "decide", decision=decision, **fields)


def money(effect: dict[str, Any]) -> dict[str, tuple[int | None, int | None]]:
    return {each["name"]: (each["before_cents"], each["after_cents"]) for each in effect["money"]}


# ------------------------------------------------------------------------------------------- a second person


async def test_commission_5_7_a_dealer_alone_swaps_no_hands() -> None:
    """A Dealer alone swaps no hands; nobody approves who proposed, and no Dealer approves."""
    async with floor("commission") as f:
        await f.dealt(NATURAL_TEXT)
        told = await f.dan.preview("pit", "report", situation="excess-card", facts=_swap())
        assert "confirmation-asked" in await report(f.dan, "excess-card", **_swap())
        assert await f.cards() == NATURAL_TEXT, "nothing changed yet"
        found, wanted = await f.incident(), "A card is drawn in excess or exposed"
        assert (found["by"], found["reported_by"], found["role"]) == ("dealer:dan", "dealer:dan", "pit-supervisor")
        assert (found["note"], found["reason"], found["rule"]) == ("seen on camera", wanted, "5.7")
        assert found["at_ms"] > 0
        effect = found["effect"]
        assert (effect["change"], effect["void"]) == ("order", False)
        assert (effect["cards_before"], effect["cards_after"]) == (NATURAL_TEXT, SWAPPED)
        assert [effect[name]["winner"] for name in ("outcome_before", "outcome_after")] == ["player", "banker"]
        paid = 39_000
        assert money(effect) == {"Ann": (20_000, 0), "Bo": (0, paid)}
        assert isinstance(told.effect, IncidentEffect)
        assert [each.after_cents for each in told.effect.money] == [0, paid], "the preview shows the same"

        assert problem(await refusal(decide(f.eve)))[::3] == ("not-permitted", 403), "two Dealers are not enough"
        assert problem(await refusal(decide(f.dan)))[::3] == ("not-permitted", 403)
        await decide(f.sue)
        assert await f.cards() == SWAPPED
        assert await f.sue.get("/api/incidents") == []
        past = await f.significant("cards-reordered")
        assert (past["effect"], past["parameters"]["change"], past["by"]) == (effect, "order", "dealer:dan")
        assert (await f.significant("incident-reported"))["parameters"]["note"] == "seen on camera"
        assert (await f.significant("decision-made"))["by"] == "pit-supervisor:sue"


def _swap() -> dict[str, Any]:
    return {"cards": SWAPPED, "reconstructible": True, "note": "seen on camera"}


async def test_a_higher_second_role_is_asked_for_at_set_up_and_only_an_admin_lowers_it() -> None:
    async with floor(second_role="pit-manager") as f:
        assert (await f.edge.public.snapshot("pit")).table.second_role == "pit-manager"
        await f.dealt(NATURAL_TEXT)
        await report(f.dan, "excess-card", **_swap())
        assert (await f.incident())["role"] == "pit-manager"
        assert (await refusal(decide(f.sue))).code == "not-permitted"
        await decide(f.max)
        await f.dan.command("pit", "settle")
        await f.sue.command("pit", "close-table")

        lower = await refusal(f.sue.post("/api/tables", PIT | {"second_role": "pit-supervisor"}))
        assert (lower.code, lower.status) == ("not-permitted", 403)
        await f.sue.post("/api/tables", PIT)
        assert (await f.edge.public.snapshot("pit")).table.second_role == "pit-manager", "it stays if nobody says so"
        await f.sue.command("pit", "close-table")
        await f.sue.post("/api/tables", PIT | {"second_role": "shift-manager"})
        await f.sue.command("pit", "close-table")
        root = await f.edge.person("Root", "admin")
        low = await refusal(root.post("/api/tables", PIT | {"second_role": "dealer"}))
        assert (low.code, low.status) == ("second-role-too-low", 422)
        await root.post("/api/tables", PIT | {"second_role": "pit-supervisor"})
        assert (await f.edge.public.snapshot("pit")).table.second_role == "pit-supervisor"


async def test_a_table_shows_how_it_was_set_up() -> None:
    async with edge() as e:
        shown = {"private": True, "waiver_consent": "always", "device": "shuffler", "second_role": "pit-manager"}
        await e.table(PIT | {"game": "da-hu-ying-xiong"} | shown)
        await e.table(PIT | {"table": "burns", "burn": "first-card"})
        table = (await e.public.get("/api/tables/pit"))["table"]
        assert {name: table[name] for name in shown} == shown
        assert table["burn"] == "none"
        other = (await e.public.get("/api/tables/burns"))["table"]
        names = ("private", "waiver_consent", "device", "second_role", "burn")
        assert [other[name] for name in names] == [False, "ask", "card-shoe", "pit-supervisor", "first-card"]


async def test_closed_cards_are_in_no_incident() -> None:
    """Whoever looks at a case learns nothing of cards that lie closed, though an electronic shoe has read them."""
    async with floor(face_down=True) as f:
        await f.bets()
        await f.dan.command("pit", "close-bets")
        for reading, card in enumerate(("5h", "Ks", "4d"), 1):
            await f.dan.command("pit", "deal", card=card, reading=reading)
        facts: dict[str, Any] = {"hand": "player", "hand_count": 3, "reconstructible": False, "note": "three cards"}
        assert (await refused_report(f.dan, "wrong-number-of-cards", **facts))[1] == "number-right"
        [choice] = [each for each in await f.sue.choices("pit") if each.kind == "report"]
        wrong = [way for way in choice.ways if way.situation == "wrong-number-of-cards"]
        allowed = [each.allowed for way in wrong for each in way.inputs if each.name == "hand_count"]
        assert allowed == [("0", "1", "4", "5", "6"), ("0", "4", "5", "6")], "whether Player draws is not told"
        told = await f.dan.preview("pit", "report", situation="foreign-card", facts={})
        await report(f.dan, "foreign-card")
        effect = (await f.incident())["effect"]
        assert (effect["void"], effect["outcome_before"], effect["cards_before"]) == (True, None, "")
        assert money(effect) == {"Ann": (None, 10_000), "Bo": (None, 20_000)}
        for seen in (str(await f.sue.get("/api/incidents")), str(await f.sue.get("/api/tables/pit")), str(told)):
            assert not {"5h", "Ks", "4d"} & set(seen.replace("'", " ").split())


async def test_da_hu_ying_xiong_5_13_the_pit_manager_sees_what_the_table_recorded_as_offered() -> None:
    async with floor("da-hu-ying-xiong") as f:
        await f.dealt("5h Kd 6s 6c 9s", ann="banker", bo="player")
        claims = [{"patron": "ann", "box": 1, "hand": "banker"}]
        facts = {"window": "four-cards", "claims": claims}
        await f.dan.command("pit", "report", situation="insurance-neglected", facts=facts)
        assert [(each["window"], each["hand"], each["odds"]) for each in (await f.incident())["offers"]] == [
            ("four-cards", "banker", "3:1")
        ]


# ------------------------------------------------------------------------------------------- closing bets


async def test_commission_3_5_the_dealer_is_told_what_to_check_before_bets_close() -> None:
    """The Dealer is told what to check; patrons learn nothing of the bets of others."""
    sides = [{"on": "tie", "minimum_cents": 100, "maximum_cents": 5_000}]
    async with floor("commission", sides=sides) as f:
        await f.bets()
        await f.dan.command("pit", "record-bet", patron="ann", box=1, on="player", stake_cents=600_000)
        await f.dan.command("pit", "record-bet", patron="bo", box=2, on="tie", stake_cents=50_000)
        [way] = next(each for each in await f.dan.get("/api/tables/pit/choices") if each["kind"] == "close-bets")[
            "ways"
        ]
        told = [(each["problem"], each["box"], each["amount_cents"], each["limit_cents"]) for each in way["warnings"]]
        assert ("above-maximum", 2, 50_000, 5_000) in told
        assert [each[0] for each in told if each[1] == 1] == ["over-differential"]
        assert {each["rule"] for each in way["warnings"]} == {"3.5", "5.1"}
        assert "'problem': 'above-maximum'" not in str(await f.ann.get("/api/tables/pit"))
        readers = [f.edge.house.subscribe("pit", None), f.edge.house.subscribe("pit", f.edge.house.people.get("ann"))]
        for reader in readers:
            reader.take()
        reply = await f.dan.command("pit", "close-bets", reason="called too soon")
        assert len(reply.events[1].event.warnings) == len(told)
        for reader in readers:
            seen = "".join(message.text for message in reader.take())
            assert "bets-closed" in seen
            assert "warnings" not in seen


# ------------------------------------------------------------------------------------------- limits and insurance


async def test_da_hu_ying_xiong_4_2_2_a_private_table_stops_offering_insurance_and_starts_again() -> None:
    async with floor("da-hu-ying-xiong", private=True) as f:
        off: dict[str, Any] = {"patron": "ann", "offered": False, "agreed": True}
        for fields in (off, off | {"patron": "nobody"}, {"offered": False}):
            early = await refusal(f.dan.command("pit", "change-insurance", **fields))
            assert (early.code, early.status) == ("not-permitted", 403), "authority comes first"
        assert (await refusal(f.sue.command("pit", "change-insurance", offered=False))).code == "field-missing"
        changed = await f.sue.command("pit", "change-insurance", **off)
        assert changed.events[0].event.rule == "4.2.2"
        same = await refusal(f.sue.command("pit", "change-insurance", **off))
        assert (same.code, same.status) == ("nothing-to-change", 409)

        for who in (f.edge.public, f.ann, f.eve):
            table = (await who.get("/api/tables/pit"))["table"]
            assert (table["without_insurance"], table["notice_rule"], table["private"]) == (True, "4.2.2", True)
        assert [each.notice_rule for each in await f.edge.public.tables()] == ["4.2.2"]
        told = await f.significant("insurance-changed")
        assert (told["heading"], told["parameters"]) == (
            "parameters",
            {"from_round": 1, "patron": "ann", "offered": "false"},
        )
        await f.sue.command("pit", "change-insurance", patron="ann", offered=True)
        assert (await f.edge.public.snapshot("pit")).table.notice_rule is None
        assert [each.notice_rule for each in await f.edge.public.tables()] == [None]
