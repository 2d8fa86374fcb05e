"""What staff cannot do alone, or unseen: the house holds it against its own people."""

from __future__ import annotations

import itertools
import json
from email.utils import formatdate
from typing import Any

import pytest

from punto.service.people.look_alikes import look_of
from punto.web.cookies import token_in_cookie
from tests.web.rig import AUTOMATIC, edge, refusal
from tests.web.test_sockets import hello, line

# ------------------------------------------------------------------------------------------- bets for patrons


FOR_PATRONS: dict[str, dict[str, Any]] = {
    "sit": {"box": 2},
    "stand": {"box": 1},
    "place-bet": {"box": 1, "on": "banker", "stake_cents": 1_000},
    "raise-bet": {"box": 1, "on": "player", "add_cents": 1_000},
    "withdraw-bet": {"box": 1, "on": "player"},
}


async def test_staff_do_not_bet_for_patrons_at_an_automatic_table() -> None:
    async with edge() as e:
        await e.table(AUTOMATIC, timing={"betting_ms": 60_000, "card_ms": 5, "insurance_ms": 5, "pause_ms": 5})
        ann = await e.person("Ann", cents=10_000)
        staff = [await e.person("Dan", "dealer"), await e.person("Sue", "shift-manager")]
        async with ann.watch("auto") as table:
            await table.until(lambda: table.view.phase == "betting")
            await ann.command("auto", "sit", box=1)
            await ann.command("auto", "place-bet", box=1, on="player", stake_cents=1_000)
            for each, (kind, fields) in itertools.product(staff, FOR_PATRONS.items()):
                refused = await refusal(each.command("auto", kind, patron="ann", **fields))
                assert (refused.code, refused.rule) == ("not-live", "5.16")
                choices = {each["kind"]: each for each in await each.get("/api/tables/auto/choices?patron=ann")}
                assert "ways" not in choices[kind]
                assert choices[kind]["refusal"]["code"] == "not-live"
        assert (await ann.me()).balance_cents == 9_000


async def test_a_bet_that_staff_placed_names_them_on_statement_and_terminal() -> None:
    async with edge() as e:
        await e.table()
        ann, dealer = await e.person("Ann", cents=10_000), await e.person("Dan", "dealer")
        await e.betting(dealer)
        async with line(e) as terminal, line(e) as board:
            await terminal.send(hello(ann.token))
            await board.send(hello())
            await dealer.command("pit", "sit", patron="ann", box=1)
            await dealer.command("pit", "place-bet", patron="ann", box=1, on="player", stake_cents=1_000)
            for socket, by in ((terminal, "dealer:dan"), (board, "dealer")):
                message = {"event": {"kind": ""}}
                while message.get("event", {}).get("kind") != "bet-placed":
                    message = json.loads(await socket.recv())
                assert message["event"]["by"] == by
                assert message["event"]["rule"] == "5.16"
        await ann.command("pit", "raise-bet", box=1, on="player", add_cents=500)
        movements = await ann.get("/api/me/statement")
        assert [(each["amount_cents"], each["by"]) for each in movements] == [
            *((-500, None), (-1_000, "dealer:dan"), (10_000, None)),
        ]
        saved = await ann.get("/api/me/statement.csv")
        assert "dealer:dan" in saved


# ------------------------------------------------------------------------------------------- tokens


async def test_a_new_token_takes_two_people_and_its_owner_sees_who_they_were() -> None:
    async with edge() as e:
        ann, bob = await e.person("Ann", cents=10_000), await e.person("Bob")
        max_, sue = await e.person("Max", "pit-manager"), await e.person("Sue", "shift-manager")
        dan = await e.person("Dan", "dealer")
        assert (await ann.get("/api/me/tokens"))[0]["given_by"] == []
        for _ in range(2):
            assert (await refusal(max_.post("/api/people/ann/token", {}))).code == "second-person-asked"
        assert (await refusal(dan.post("/api/people/ann/token", {}))).code == "not-permitted"
        assert (await refusal(sue.post("/api/people/bob/token", {}))).code == "second-person-asked", "it was for Ann"
        assert (await ann.me()).balance_cents == 10_000
        given = await sue.post("/api/people/ann/token", {"reason": "she lost it"})
        assert (await refusal(ann.me())).code == "token-unknown"
        ann = e.public.with_token(given["token"])
        assert (await ann.get("/api/me/tokens"))[0]["given_by"] == ["max", "sue"]
        assert (await refusal(sue.post("/api/people/ann/token", {}))).code == "second-person-asked", "it was spent"
        assert (await bob.me()).id == "bob"
        significant = await dan.get("/api/significant")
        [told] = [each for each in significant if each["code"] == "token-replaced"]
        who_and_why = {"person": "ann", "name": "Ann", "asked_by": "max", "reason": "she lost it"}
        assert (told["by"], told["parameters"]) == ("sue", who_and_why)
        codes = [each["code"] for each in significant]
        assert codes.count("token-asked") == 3
        assert codes.count("token-replaced") == 1


async def test_what_someone_asked_for_who_was_dismissed_counts_no_more() -> None:
    async with edge() as e:
        await e.person("Ann")
        admin = await e.person("Ada", "admin")
        max_, sue = await e.person("Max", "pit-manager"), await e.person("Sue", "shift-manager")
        assert (await refusal(max_.post("/api/people/ann/token", {}))).code == "second-person-asked"
        await admin.post("/api/people/max/dismissal", {})
        assert (await refusal(sue.post("/api/people/ann/token", {}))).code == "second-person-asked"
        assert (await admin.post("/api/people/ann/token", {}))["token"], "Sue and Ada"


async def test_staff_neither_cash_out_for_a_patron_nor_change_a_role() -> None:
    async with edge() as e:
        ann = await e.person("Ann", cents=10_000)
        manager, dan = await e.person("Sue", "shift-manager"), await e.person("Dan", "dealer")
        assert (await refusal(manager.post("/api/me/cash-out", {"patron": "ann"}, key="k"))).code == "field-unknown"
        assert (await refusal(manager.post("/api/me/cash-out", {}, key="k"))).code == "not-permitted"
        assert (await refusal(manager.post("/api/people/ann/cash-out", {}, key="k"))).status == 404
        for role in ("dealer", "shift-manager", "admin"):
            assert (await refusal(manager.post("/api/people", {"name": "Dan", "role": role}))).code == "not-permitted"
        admitted = await (await e.person("Ada", "admin")).post("/api/people", {"name": "Dan", "role": "pit-manager"})
        assert admitted["person"]["id"] == "dan-2", "another person, not another role"
        assert (await dan.me()).role == "dealer"
        assert (await ann.me()).balance_cents == 10_000


async def test_whoever_is_dismissed_or_ends_their_token_does_nothing_more() -> None:
    async with edge() as e:
        admin, max_ = await e.person("Ada", "admin"), await e.person("Max", "pit-manager")
        dan, ann = await e.person("Dan", "dealer"), await e.person("Ann")
        assert (await refusal(max_.post("/api/people/dan/dismissal", {}))).code == "not-permitted"
        assert (await refusal(dan.post("/api/people/ann/dismissal", {}))).code == "not-permitted"
        await admin.post("/api/people/dan/dismissal", {})
        await max_.post("/api/people/ann/dismissal", {})
        await max_.post("/api/me/tokens/end", {})
        for gone in (dan, ann, max_):
            assert (await refusal(gone.me())).code == "token-unknown"


async def test_tokens_end_by_themselves() -> None:
    async with edge(token_days=0) as e:
        made = await e.house.people.join("Ann")
        assert isinstance(made, tuple)
        ann = e.public.with_token(made[1])
        assert (await refusal(ann.me())).code == "token-unknown"
        day = int(made[1][43:])
        later = e.public.with_token(f"{made[1][:43]}{day + 10}")
        assert (await refusal(later.me())).code == "token-unknown", "nobody can put the day off"
    async with edge() as e:
        ann = await e.person("Ann")
        assert (await ann.get("/api/me/tokens"))[0]["ends_at_ms"]


# ------------------------------------------------------------------------------------------- names

IMITATIONS = ["dan", "D a n", "DAN", "Dаn", "Ｄａｎ", "Dàn", "D.a.n", "Pit Manager", "pit-manаger", "The House", "荷官"]
IMITATIONS += ["automat", "desk", "cash:1", "House 2", "B4nk", "Kim (staff)", "Dan|", "Dealer Kim", "王经理"]
IMITATIONS += ["KimStaff", "D€aler", "đealer", "house:float", "patron:ann", "The Cage", "Dealers", "Shift mgr"]
IMITATIONS += ["Dan\u3164", "Dan🎲", "Da\u034fn", "Da\ufe0fn"]


async def test_no_patron_looks_like_staff_or_another_who_is_spelled_otherwise() -> None:
    async with edge() as e:
        await e.person("Dan", "dealer")
        await e.public.join("Mary")
        for name in (*IMITATIONS, "mаry", "MARY", "Ma ry", "Mary."):
            refused = await refusal(e.public.join(name))
            assert (refused.status, refused.code) == (422, "name-imitates"), name
        await e.public.join("Marion")


HONEST = [("राम", "रीमा"), ("か", "が"), ("🎲", "🎰"), ("...", "---"), ("สม", "สิม"), ("가", "각")]


@pytest.mark.parametrize(("one", "other"), HONEST)
def test_honest_names_of_all_scripts_differ(one: str, other: str) -> None:
    assert look_of(one) != look_of(other) or look_of(one) == ""


async def test_names_that_show_no_letter_imitate_nobody() -> None:
    async with edge() as e:
        await e.person("---", "dealer")
        for name in ("...", "🎲", "🎰", "राम", "रीमा"):
            await e.public.join(name)


async def test_past_rounds_name_people_to_those_at_the_table_alone() -> None:
    async with edge() as e:
        await e.table()
        dealer = await e.person("Dan", "dealer")
        ann, bob = await e.person("Annabella", cents=5_000), await e.person("Bob", cents=5_000)
        await e.betting(dealer)
        await ann.command("pit", "sit", box=1)
        await bob.command("pit", "sit", box=2)
        await ann.command("pit", "place-bet", box=1, on="player", stake_cents=1_000)
        await e.deal(dealer)
        eve = await e.person("Eve")
        claims = [{"patron": "annabella", "box": 1, "hand": "player"}]
        assert (await dealer.get("/api/tables/pit/rounds/1"))["claims"] == claims
        assert "claims" not in await ann.get("/api/tables/pit/rounds/1")
        for viewer, sees in ((e.public, False), (eve, False), (bob, True), (dealer, True)):
            seen = json.dumps(await viewer.get("/api/tables/pit/rounds/1"))
            assert ("Annabella" in seen) == sees


# ------------------------------------------------------------------------------------------- two who deal


async def test_of_two_who_deal_the_same_card_the_second_is_refused() -> None:
    async with edge() as e:
        await e.table()
        dan, eve = await e.person("Dan", "dealer"), await e.person("Eve", "dealer")
        await e.betting(dan)
        await dan.command("pit", "close-bets")
        await dan.command("pit", "deal", card="5h", place=1)
        refused = await refusal(eve.command("pit", "deal", card="5h", place=1))
        assert (refused.status, refused.code) == (409, "place-not-due")
        assert (await refusal(eve.command("pit", "deal", card="Ks", place=3))).code == "place-not-due"
        await eve.command("pit", "deal", card="Ks", place=2)
        assert [each.card for each in (await dan.snapshot("pit")).cards] == ["5h", "Ks"]


# ------------------------------------------------------------------------------------------- sessions of pages


async def test_a_page_has_a_cookie_that_no_script_and_no_other_site_can_use() -> None:
    async with edge() as e:
        await e.table()
        ann, dan = await e.person("Ann"), await e.person("Dan", "dealer")
        assert (await e.http.post("/api/session", json={"account": "patron", "token": "x" * 43})).status_code == 401
        for account, client in (("patron", ann), ("staff", dan)):
            answer = await e.http.post("/api/session", json={"account": account, "token": client.token})
            cookie = answer.headers["set-cookie"]
            assert {"HttpOnly", "SameSite=Strict", "Path=/api"} <= set(cookie.split("; "))
            assert "Secure" not in cookie, "it is served without TLS here"
            ends_at_ms = (await client.get("/api/me/tokens"))[0]["ends_at_ms"]
            assert f"Expires={formatdate(ends_at_ms / 1_000, usegmt=True)}" in cookie
            assert (client.token or "") not in answer.text
        # The cookies alone are nobody: a page says which account it means, in a header that other sites cannot set.
        assert (await e.http.get("/api/me")).json()["code"] == "token-missing"
        for account, name in (("patron", "ann"), ("staff", "dan")):
            headers = {"X-Punto-Account": account}
            assert (await e.http.get("/api/me", headers=headers)).json()["id"] == name
            other = await e.http.post(
                "/api/session/end", json={"account": account}, headers=headers | {"Origin": "https://evil.example"}
            )
            assert other.status_code == 403
            ended = await e.http.post("/api/session/end", json={"account": account}, headers=headers)
            assert "Max-Age=0" in ended.headers["set-cookie"]
            assert (await e.http.get("/api/me", headers=headers)).json()["code"] == "token-unknown"


async def test_a_cookie_is_secure_where_the_page_is() -> None:
    async with edge(origins=("https://floor.example",)) as e:
        ann = await e.person("Ann")
        answer = await e.http.post(
            "/api/session",
            json={"account": "patron", "token": ann.token},
            headers={"Origin": "https://floor.example"},
        )
        assert "Secure" in answer.headers["set-cookie"].split("; ")


def test_cookies_of_others_on_the_same_host_do_not_hide_ours() -> None:
    headers = {"cookie": "{odd}=1; no-value; punto-patron=abc;punto-staff=def; also{odd=2"}
    assert token_in_cookie(headers, "patron") == "abc"
    assert token_in_cookie(headers, "staff") == "def"
    assert token_in_cookie({"cookie": "a=punto-patron=abc"}, "patron") is None
    assert token_in_cookie({}, "patron") is None


async def test_a_socket_of_a_page_is_known_by_its_cookie() -> None:
    async with edge() as e:
        await e.table()
        ann = await e.person("Ann", cents=1_000)
        cookie = {"Cookie": f"punto-patron={ann.token}"}
        for said, balance in (({"account": "patron"}, 1_000), ({}, None)):
            async with line(e, additional_headers=cookie) as socket:
                await socket.send(json.dumps({"type": "hello", **said}))
                me = json.loads(await socket.recv())["me"]
                assert (me and me["balance_cents"]) == balance
