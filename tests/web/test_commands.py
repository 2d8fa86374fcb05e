"""Commands and money over HTTP: done once, for the right person, by the right amount."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any

import httpx
import pytest

from punto.client import Done, RefusedByServerError
from tests.web.rig import NATURAL, edge, refusal, run


def test_a_round_from_credits_to_ticket() -> None:
    async def play() -> None:
        async with edge() as e:
            await e.table()
            dealer = await e.person("Dan", "dealer")
            ann = await e.public.join("Ann")
            assert await ann.buy(10_000) == 10_000
            await e.betting(dealer)
            await ann.command("pit", "sit", box=1)
            done = await ann.command("pit", "place-bet", box=1, on="player", stake_cents=2_000)
            assert [each["event"]["kind"] for each in done.events] == ["bet-placed"]
            assert done.me is not None
            assert done.me["balance"] == 8_000
            assert done.me["bets"] == [{"box": 1, "on": "player", "stake": 2_000}]
            await e.deal(dealer)
            assert (await ann.me())["balance"] == 12_000
            round_ = await ann.get("/api/tables/pit/rounds/1")
            assert round_["replay"] is True
            assert round_["winner"] == "player"
            assert round_["cards"] == " ".join(NATURAL)
            (line,) = round_["lines"]
            assert (line["net_cents"], line["rule"] != "") == (2_000, True)
            ticket = await ann.cash_out()
            assert (ticket["cents"], ticket["patron"]) == (12_000, "ann")
            assert (await ann.me())["balance"] == 0
            movements = await ann.get("/api/me/statement")
            assert movements[0]["after"] == 0
            for later, earlier in itertools.pairwise(movements):
                assert later["before"] == earlier["after"]

    run(play())


def test_a_repeat_with_the_same_key_gets_the_same_answer_and_does_nothing() -> None:
    async def play() -> None:
        async with edge() as e:
            await e.table()
            dealer, ann = await e.person("Dan", "dealer"), await e.person("Ann", cents=10_000)
            await e.betting(dealer)
            await ann.command("pit", "sit", box=1)
            bet: dict[str, Any] = {"box": 1, "on": "player", "stake_cents": 2_000}
            first = await ann.command("pit", "place-bet", "k1", **bet)
            again = await ann.command("pit", "place-bet", "k1", **bet)
            assert (first.seq, first.events) == (again.seq, again.events)
            assert (await ann.me())["balance"] == 8_000
            other = await refusal(ann.command("pit", "place-bet", "k1", **(bet | {"stake_cents": 3_000})))
            assert (other.status, other.code) == (409, "key-reused")
            assert await ann.buy(500, "k2") == await ann.buy(500, "k2") == 8_500
            assert (await refusal(ann.buy(600, "k2"))).code == "key-reused"
            ticket = await ann.cash_out(None, "k3")
            await ann.buy(700)
            assert await ann.cash_out(None, "k3") == ticket
            assert (await ann.me())["balance"] == 700

    run(play())


def test_fifty_copies_of_one_bet_at_once_are_one_bet_and_fifty_equal_answers() -> None:
    async def play() -> None:
        async with edge() as e:
            await e.table()
            dealer, ann = await e.person("Dan", "dealer"), await e.person("Ann", cents=10_000)
            await e.betting(dealer)
            await ann.command("pit", "sit", box=1)
            bet: dict[str, Any] = {"box": 1, "on": "banker", "stake_cents": 1_500}
            copies = [ann.command("pit", "place-bet", "same", **bet) for _ in range(50)]
            done: list[Done] = await asyncio.gather(*copies)
            assert len({each.seq for each in done}) == 1
            assert all(each.events == done[0].events for each in done)
            me = await ann.me()
            assert me["balance"] == 8_500
            snapshot = await ann.snapshot("pit")
            assert snapshot["boxes"][0]["totals"] == {"banker": 1_500}

    run(play())


def test_two_terminals_spend_the_last_credit_and_one_succeeds() -> None:
    async def play() -> None:
        async with edge() as e:
            await e.table()
            dealer, ann = await e.person("Dan", "dealer"), await e.person("Ann", cents=2_000)
            await e.betting(dealer)
            await ann.command("pit", "sit", box=1)
            bets = [ann.command("pit", "place-bet", box=1, on=on, stake_cents=2_000) for on in ("player", "tie")]
            results = await asyncio.gather(*bets, return_exceptions=True)
            refused = [each for each in results if isinstance(each, RefusedByServerError)]
            assert [(each.status, each.code) for each in refused] == [(402, "funds-short")]
            assert (await ann.me())["balance"] == 0

    run(play())


def test_bets_racing_no_more_bets_are_decided_by_their_place_in_the_log() -> None:
    async def play() -> None:
        async with edge() as e:
            await e.table()
            dealer = await e.person("Dan", "dealer")
            patrons = [await e.person(f"P{n}", cents=5_000) for n in range(9)]
            await e.betting(dealer)
            for box, patron in enumerate(patrons, 1):
                await patron.command("pit", "sit", box=box)

            async def close() -> int:
                return (await dealer.command("pit", "close-bets")).seq

            async def bet(box: int) -> int | str:
                try:
                    done = await patrons[box - 1].command("pit", "place-bet", box=box, on="tie", stake_cents=1_000)
                except RefusedByServerError as refused:
                    assert refused.status == 409
                    return refused.code
                return done.seq

            closed, *placed = await asyncio.gather(close(), *[bet(box) for box in range(1, 10)])
            await dealer.command("pit", "deal", card="5h")
            late = await refusal(patrons[0].command("pit", "place-bet", box=1, on="player", stake_cents=1_000))
            assert (late.status, late.code, late.rule is not None) == (409, "bets-closed", True)
            for each in placed:
                assert each == "bets-closed" or (isinstance(each, int) and isinstance(closed, int) and each < closed)

    run(play())


AMOUNTS = [
    "-1",
    "0",
    "1e3",
    "0.1",
    "true",
    "NaN",
    '"1000"',
    "null",
    str(2**63),
    str(2**64),
    "[]",
    "1000.0",
    str(10**30),
]


@pytest.mark.parametrize("amount", AMOUNTS)
def test_amounts_are_whole_cents_and_nothing_else(amount: str) -> None:
    async def play() -> None:
        async with edge() as e:
            await e.table()
            dealer, ann = await e.person("Dan", "dealer"), await e.person("Ann", cents=10_000)
            await e.betting(dealer)
            await ann.command("pit", "sit", box=1)
            headers = {"Authorization": f"Bearer {ann.token}", "Content-Type": "application/json"}
            bodies = {
                "/api/me/credits": '{"cents": %s}',
                "/api/me/cash-out": '{"cents": %s}',
                "/api/tables/pit/commands": '{"kind": "place-bet", "box": 1, "on": "player", "stake_cents": %s}',
            }
            for place, (path, body) in enumerate(bodies.items()):
                if path.endswith("cash-out") and amount == "null":
                    continue  # null is all of it
                sent = {**headers, "Idempotency-Key": f"k{place}"}
                answer = await e.http.post(path, content=body % amount, headers=sent)
                assert answer.status_code in {400, 422}, (path, amount, answer.text)
                assert answer.headers["content-type"] == "application/problem+json"
            assert (await ann.me())["balance"] == 10_000

    run(play())


def test_refusals_have_one_shape_and_the_right_status() -> None:
    async def play() -> None:
        async with edge() as e:
            await e.table()
            dealer, ann = await e.person("Dan", "dealer"), await e.person("Ann", cents=10_000)
            bob = await e.person("Bob", cents=100)
            cases = [
                (401, "token-missing", e.public.get("/api/me")),
                (401, "token-unknown", e.public.as_("x" * 43).get("/api/tables")),
                (403, "staff-only", ann.get("/api/significant")),
                (403, "not-permitted", ann.command("pit", "open-bets")),
                (403, "not-permitted", ann.post("/api/people", {"name": "Eve", "role": "admin"})),
                (403, "not-yours", ann.command("pit", "sit", patron="bob", box=1)),
                (404, "table-unknown", ann.get("/api/tables/nowhere")),
                (404, "table-unknown", ann.command("nowhere", "sit", box=1)),
                (404, "game-unknown", ann.get("/api/games/poker")),
                (404, "game-unknown", ann.get("/api/games/pyproject.toml")),
                (404, "round-unknown", ann.get("/api/tables/pit/rounds/9")),
                (404, "shoe-unknown", ann.get("/api/tables/pit/shoes/9")),
                (404, "route-unknown", ann.get("/api/nothing")),
                (405, "method-unknown", ann.post("/api/tables/pit", {})),
                (409, "bets-not-open", ann.command("pit", "place-bet", box=1, on="player", stake_cents=1_000)),
                (422, "box-unknown", ann.command("pit", "sit", box=99)),
                (422, "command-unknown", ann.command("pit", "dance")),
                (422, "field-unknown", ann.command("pit", "sit", box=1, chair=2)),
                (400, "field-invalid", ann.post("/api/me/credits", {"cents": 5, "tip": 1}, "k")),
                (400, "field-invalid", ann.post("/api/me/credits", {"cents": 5})),
                (400, "field-invalid", ann.get("/api/tables/pit/rounds?limit=0")),
                (402, "funds-short", bob.cash_out(200)),
            ]
            for status, code, work in cases:
                refused = await refusal(work)
                assert (refused.status, refused.code) == (status, code), (refused, code)
                assert refused.message
            headers = {"Authorization": f"Bearer {ann.token}", "Idempotency-Key": "k"}
            answer = await e.http.post("/api/me/credits", content=b'{"cents": ', headers=headers)
            assert answer.status_code == 415
            headers["Content-Type"] = "application/json"
            answer = await e.http.post("/api/me/credits", content=b'{"cents": ', headers=headers)
            assert answer.json()["code"] == "request-unreadable"
            answer = await e.http.post("/api/me/credits", content=b'{"cents": "5"}', headers=headers)
            problem = answer.json()
            assert problem["where"] == "cents"
            assert problem.keys() == {"type", "title", "status", "detail", "code", "rule", "where"}
            deep = b'{"kind": ' + b"[" * 30_000 + b"]" * 30_000 + b"}"
            answer = await e.http.post("/api/tables/pit/commands", content=deep, headers=headers)
            assert answer.status_code == 400
            await e.betting(dealer)
            await ann.command("pit", "sit", box=1)
            over = await refusal(ann.command("pit", "place-bet", box=1, on="player", stake_cents=600_000))
            assert (over.status, over.rule is not None) == (422, True)

    run(play())


def test_a_lost_answer_is_asked_for_again_by_its_key() -> None:
    """The client's connection is cut after the command was carried out; its retry finds the first answer."""

    async def play() -> None:
        async with edge() as e:
            ann = await e.person("Ann", cents=1_000)
            retrying = type(ann)(e.address, ann.token, retries=3)
            async with retrying:
                real, cut = retrying._http.request, [True]

                async def request(*args: Any, **kwargs: Any) -> Any:
                    answer = await real(*args, **kwargs)
                    if cut.pop() if cut else False:
                        raise httpx.ReadError("the line was cut")
                    return answer

                retrying._http.request = request  # type: ignore[method-assign]
                assert await retrying.buy(500) == 1_500
            assert (await ann.me())["balance"] == 1_500

    run(play())
