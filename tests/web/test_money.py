"""What is asked of money over HTTP: tickets, the statement by round with totals, notices, debts after a correction."""

from __future__ import annotations

from typing import Any

from punto.client import Client
from tests.faults.invariants import check
from tests.web.rig import NATURAL, refusal
from tests.web.test_floor_incidents import Floor, floor

BANKER_WINS = "2c 9h 3c Kd"  # Player 5, Banker 9
CORRECTION: dict[str, Any] = {"round": 1, "cards": BANKER_WINS, "reason": "keyed wrongly"}


async def bets(f: Floor, ann: int = 10_000, bo: int = 0) -> None:
    """A round is called, and Ann bets on Player, Bo on Banker."""
    await f.dan.command("pit", "open-bets")
    for who, box, on, cents in ((f.ann, 1, "player", ann), (f.bo, 2, "banker", bo)):
        if cents:
            await who.command("pit", "place-bet", box=box, on=on, stake_cents=cents)


async def play(f: Floor) -> None:
    """A whole round, in which both bet all they have."""
    await bets(f, bo=10_000)
    await f.edge.deal(f.dan)


async def funds(who: Client) -> tuple[int | None, int | None]:
    """What someone holds and owes."""
    account = await who.me()
    return account.balance_cents, account.owed_cents


async def first_round(who: Client) -> dict[str, Any]:
    found = await who.get("/api/tables/pit/rounds/1")
    [listed] = [each for each in await who.get("/api/tables/pit/rounds") if each["round"] == 1]
    for name in ("cards", "cards_before", "winner", "winner_before", "void", "adjusted", "lines", "house_cents"):
        assert found.get(name) == listed.get(name), "the list tells of a round what the round itself tells"
    return dict(found)


async def test_commission_5_14_a_round_keyed_wrongly_is_corrected_after_the_next_began() -> None:
    """A round is corrected while the next is in play; another person confirms it."""
    async with floor(cents=10_000) as f:
        await play(f)
        await bets(f)
        refused = await refusal(f.dan.command("pit", "correct-round", **CORRECTION))
        assert refused.code == "not-permitted"
        await f.sue.command("pit", "correct-round", **CORRECTION)
        assert await funds(f.ann) == (10_000, 0), "nothing moves before a second person agrees"
        assert (await refusal(f.sue.command("pit", "decide", decision="approve"))).code == "same-person"
        await f.max.command("pit", "decide", decision="approve")
        await f.edge.house.debts.collect("ann")
        assert await funds(f.ann) == (0, 10_000)
        assert await funds(f.bo) == (19_500, 0)
        debts = [{"patron": "ann", "name": "Ann", "owed_cents": 10_000}]
        assert await f.sue.get("/api/debts") == debts == (await f.sue.get("/api/floor"))["debts"]
        assert {(await refusal(who.get("/api/debts"))).status for who in (f.ann, f.dan)} == {403}
        short = await refusal(f.ann.cash_out())
        assert (short.status, short.code, getattr(short.refusal, "owed_cents", None)) == (402, "debt-open", 10_000)
        view = await f.ann.snapshot("pit")
        assert (view.phase, view.round) == ("betting", 2)
        assert view.me is not None
        assert (view.me.owed_cents, view.me.in_play_cents) == (10_000, 10_000)
        await corrected_is_shown(f)
        await f.edge.deal(f.dan)
        await f.edge.house.debts.collect("ann")
        assert await funds(f.ann) == (10_000, 0), "what comes in pays the debt first"
        await check(f.edge.house.store)


async def corrected_is_shown(f: Floor) -> None:
    """Before and after are shown to whoever they concern; roads, results and the shoe have the cards as they were."""
    for who, patrons in ((f.ann, {"ann"}), (f.bo, {"bo"}), (f.sue, {"ann", "bo"}), (await f.edge.person("Cy"), set())):
        found = await first_round(who)
        assert (found["cards_before"], found["cards"]) == (" ".join(NATURAL), BANKER_WINS)
        assert (found["winner_before"], found["winner"], found["adjusted"]) == ("player", "banker", True)
        assert {line["bet"]["patron"] for line in found["lines"]} == patrons
    anns = [line for line in (await first_round(f.ann))["lines"] if line["type"] == "adjusted"]
    assert [(line["before_cents"], line["after_cents"]) for line in anns] == [(20_000, 0)]
    roads = await f.edge.public.get("/api/tables/pit/roads")
    assert roads["results"] == {"banker": 1, "player": 0, "tie": 0}
    assert (await f.edge.public.tables())[0].last == ("banker",)
    shoe = await f.sue.get("/api/tables/pit/shoes/1")
    assert (shoe["dealt"], shoe["rounds"][0]["cards"]) == (BANKER_WINS, BANKER_WINS)
    significant = await f.dan.get("/api/significant")
    assert [each["code"] for each in significant].count("round-adjusted") == 1


async def test_tickets_rounds_totals_and_notices_are_ones_own() -> None:
    async with floor(cents=10_000) as f:
        sam = await f.edge.person("Sam", "shift-manager")
        await play(f)
        await bets(f, ann=1_000)
        await f.dan.command("pit", "close-bets")
        await f.dan.command("pit", "report", situation="anything-else", facts={"note": "spilled"})
        await sam.command("pit", "decide", decision="void", reason="as agreed")
        await f.edge.approve()
        ticket = await f.ann.cash_out(5_000)
        listed = await f.ann.get("/api/me/tickets")
        assert [(each["ticket"], each["amount_cents"]) for each in listed] == [(ticket.ticket, 5_000)]
        rounds = await f.ann.get("/api/me/statement/rounds")
        assert [(each["round"], each["reason"], each["net_cents"]) for each in rounds] == [
            (None, "cash-out", 0),
            (2, None, 0),
            (1, None, 10_000),
            (None, "buy", 0),
        ]
        older = await f.ann.get(f"/api/me/statement/rounds?limit=1&before={rounds[1]['place']}")
        assert older == rounds[2:3]
        [session] = await f.ann.get("/api/me/statement/totals?by=session")
        [day] = await f.ann.get("/api/me/statement/totals")
        assert session | {"day": day["day"]} == day
        assert (day["rounds"], day["net_cents"], day["after_cents"]) == (2, 10_000, 15_000)
        [notice] = await f.ann.get("/api/me/notices")
        assert (notice["code"], notice["round"], notice["amount_cents"]) == ("round-voided", 2, 1_000)
        assert await f.bo.get("/api/me/notices") == []
        headers = {"Authorization": f"Bearer {f.ann.token}"}
        left = await f.edge.http.post("/api/me/notices/read", json={"ids": [notice["id"]]}, headers=headers)
        assert left.json() == []
        assert await f.ann.get("/api/me/notices") == []
