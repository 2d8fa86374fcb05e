"""Commands and money over HTTP: done once, for the right person, by the right amount."""

from __future__ import annotations

import itertools
import json

from punto.table.refusals import BoxTaken
from punto.texts import LANGUAGES, say
from tests.web.rig import NATURAL, edge, refusal


async def test_a_round_from_credits_to_ticket() -> None:
    async with edge() as e:
        await e.table()
        dealer = await e.person("Dan", "dealer")
        ann = await e.public.join("Ann")
        assert await ann.buy(10_000) == 10_000
        await e.betting(dealer)
        await ann.command("pit", "sit", box=1)
        done = await ann.command("pit", "place-bet", box=1, on="player", stake_cents=2_000)
        assert [type(each.event).__name__ for each in done.events] == ["BetPlaced"]
        assert done.me is not None
        assert done.me.balance_cents == 8_000
        assert [(bet.box, bet.on, bet.stake_cents) for bet in done.me.bets] == [(1, "player", 2_000)]
        await e.deal(dealer)
        assert (await ann.me()).balance_cents == 12_000
        round_ = await ann.get("/api/tables/pit/rounds/1")
        assert round_["replay"] is True
        assert round_["winner"] == "player"
        assert round_["cards"] == " ".join(NATURAL)
        (line,) = round_["lines"]
        assert (line["net_cents"], line["rule"] != "") == (2_000, True)
        ticket = await ann.cash_out()
        assert (ticket.amount_cents, ticket.patron) == (12_000, "ann")
        assert (await ann.me()).balance_cents == 0
        movements = await ann.get("/api/me/statement")
        assert movements[0]["after_cents"] == 0
        for later, earlier in itertools.pairwise(movements):
            assert later["before_cents"] == earlier["after_cents"]


async def test_every_refusal_has_its_status_and_one_shape() -> None:
    async with edge() as e:
        await e.table()
        ann, bob = await e.person("Ann"), await e.person("Bob", cents=100)
        cases = [
            (403, "staff-only", ann.get("/api/significant")),
            (403, "not-yours", ann.command("pit", "sit", patron="bob", box=1)),
            (404, "table-unknown", ann.get("/api/tables/nowhere")),
            (404, "game-unknown", ann.get("/api/games/poker")),
            (404, "game-unknown", ann.get("/api/games/pyproject.toml")),
            (404, "round-unknown", ann.get("/api/tables/pit/rounds/9")),
            (404, "shoe-unknown", ann.get("/api/tables/pit/shoes/9")),
            (405, "method-unknown", ann.post("/api/tables/pit", {})),
            (409, "bets-not-open", ann.command("pit", "place-bet", box=1, on="player", stake_cents=1_000)),
            (422, "box-unknown", ann.command("pit", "sit", box=99)),
            (400, "field-unknown", ann.post("/api/me/credits", {"amount_cents": 5, "tip": 1}, key="k")),
            (402, "funds-short", bob.cash_out(200)),
        ]
        for status, code, work in cases:
            refused = await refusal(work)
            assert (refused.status, refused.code) == (status, code), (refused, code)
            assert refused.message
        headers = {"Authorization": f"Bearer {ann.token}", "Idempotency-Key": "k", "Content-Type": "application/json"}
        answer = await e.http.post("/api/me/credits", content=b'{"amount_cents": "5"}', headers=headers)
        problem = answer.json()
        assert problem["refusal"]["where"] == "amount_cents"
        assert problem.keys() == {"type", "title", "status", "detail", "code", "rule", "refusal"}
        deep = b'{"kind": ' + b"[" * 30_000 + b"]" * 30_000 + b"}"
        answer = await e.http.post("/api/tables/pit/commands", content=deep, headers=headers)
        assert answer.status_code == 400


# ------------------------------------------------------------------------------------------- choices and previews


async def test_a_preview_shows_a_patron_nothing_of_another() -> None:
    async with edge() as e:
        await e.table()
        dealer, ann = await e.person("Dan", "dealer"), await e.person("Ann", cents=1_000_000)
        robert = await e.person("Robert", cents=1_000_000)
        await e.betting(dealer)
        await ann.command("pit", "sit", box=1)
        await ann.command("pit", "place-bet", box=1, on="tie", stake_cents=2_000)
        await robert.command("pit", "stand", box=1)
        await robert.command("pit", "place-bet", box=1, on="player", stake_cents=500_000)
        preview = {"kind": "place-bet", "box": 1, "on": "player", "stake_cents": 2_000}
        displaced, placed = (await ann.post("/api/tables/pit/preview", preview))["events"]
        assert (displaced["kind"], placed["kind"]) == ("bet-displaced", "bet-placed")
        assert "robert" not in json.dumps(displaced)
        assert placed["bet"]["patron"] == "ann"


async def test_a_refusal_comes_with_its_facts_in_the_language_that_was_asked_for() -> None:
    async with edge() as e:
        await e.table()
        ann, bob = await e.person("Ann"), await e.person("Bob")
        await ann.command("pit", "sit", box=3)
        assert (await refusal(bob.command("pit", "sit", box=3))).refusal == BoxTaken(3)
        said = {}
        for language in ("en", "zh-CN,zh;q=0.9", "fr"):
            headers = {"Authorization": f"Bearer {bob.token}", "Idempotency-Key": "k", "Accept-Language": language}
            answer = await e.http.post("/api/tables/pit/commands", json={"kind": "sit", "box": 3}, headers=headers)
            assert answer.json()["refusal"] == {"code": "box-taken", "box": 3, "rule": answer.json()["rule"]}
            said[answer.headers["Content-Language"]] = answer.json()["detail"]
        assert said == {language: say(BoxTaken(3), language) for language in LANGUAGES}


async def test_bets_sent_as_one_are_paid_for_together_or_not_at_all() -> None:
    async with edge() as e:
        await e.table()
        dealer, ann = await e.person("Dan", "dealer"), await e.person("Ann", cents=10_000)
        await e.betting(dealer)
        await ann.command("pit", "sit", box=1)
        stakes = [{"on": "player", "stake_cents": 6_000}, {"on": "tie", "stake_cents": 1_000}]
        done = await ann.command("pit", "place-bets", "k1", box=1, stakes=stakes, round=1)
        assert done.me is not None
        assert done.me.balance_cents == 3_000
        again = await ann.command("pit", "place-bets", box=1, stakes=stakes)
        assert (again.events, (await ann.me()).balance_cents) == ((), 3_000)
        dearer = [{"on": "player", "stake_cents": 7_000}, {"on": "tie", "stake_cents": 4_000}]
        short = await refusal(ann.command("pit", "place-bets", box=1, stakes=dearer))
        assert (short.status, short.code) == (402, "funds-short")
        low = [{"on": "tie", "stake_cents": 2_000}, {"on": "player", "stake_cents": 500}]
        below = await refusal(ann.command("pit", "place-bets", box=1, stakes=low))
        assert below.code == "stake-below-minimum"
        assert (await e.public.snapshot("pit")).boxes[0].totals_cents == {"player": 6_000, "tie": 1_000}
        moved = [{"on": "banker", "stake_cents": 10_000}]
        await ann.command("pit", "place-bets", box=1, stakes=moved)
        shown = await e.public.snapshot("pit")
        assert (shown.totals_cents, shown.total_cents, shown.boxes[0].total_cents) == (
            {"banker": 10_000},
            10_000,
            10_000,
        )
        assert shown.table.limits is not None
        assert shown.table.limits.chips_cents[:3] == (100, 500, 2_500)
        await e.deal(dealer)
        assert (await ann.me()).balance_cents == 0


async def test_staff_are_told_what_to_pay_in_each_box_and_patrons_what_a_round_brought() -> None:
    async with edge() as e:
        await e.table()
        dealer, ann = await e.person("Dan", "dealer"), await e.person("Ann", cents=10_000)
        await e.betting(dealer)
        await ann.command("pit", "sit", box=2)
        await ann.command("pit", "place-bet", box=2, on="player", stake_cents=3_000)
        await ann.command("pit", "place-bet", box=2, on="tie", stake_cents=1_000)
        await e.deal(dealer)
        me = (await ann.snapshot("pit")).me
        assert me is not None
        assert (me.net_cents, me.lines_round) == (2_000, 1)
        (payment,) = (await dealer.get("/api/tables/pit/rounds/1"))["payments"]
        assert (payment["box"], payment["patron"], payment["name"], payment["net_cents"]) == (2, "ann", "Ann", 2_000)
        told = [(line["bet"]["on"], line["result"], line["net_cents"]) for line in payment["lines"]]
        assert told == [("player", "win", 3_000), ("tie", "lose", -1_000)]
        assert "payments" not in await ann.get("/api/tables/pit/rounds/1")
