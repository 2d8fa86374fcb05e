"""What a patron asks of their money over HTTP: tickets, the statement by round with totals, notices."""

from __future__ import annotations

import json
from typing import Any

import pytest

from punto.protocol.refusals import FieldInvalid
from punto.protocol.views import NoticesRead
from punto.rules.refusals import Refused
from punto.web.requests import read
from tests.web.rig import edge
from tests.web.test_floor_money import Floor


async def test_tickets_rounds_totals_and_notices_are_ones_own() -> None:
    async with edge() as e:
        floor = await Floor.set_up(e)
        await floor.play()
        await floor.bets(ann=1_000, bo=0)
        await floor.dan.command("pit", "close-bets")
        await floor.report(floor.dan, note="spilled")
        await floor.decide(floor.sam, "void")
        await e.approve()
        ticket = await floor.ann.cash_out(5_000)
        listed = await floor.ann.get("/api/me/tickets")
        assert [(each["ticket"], each["amount_cents"]) for each in listed] == [(ticket.ticket, 5_000)]
        rounds = await floor.ann.get("/api/me/statement/rounds")
        assert [(each["round"], each["reason"], each["net_cents"]) for each in rounds] == [
            (None, "cash-out", 0),
            (2, None, 0),
            (1, None, 10_000),
            (None, "buy", 0),
        ]
        older = await floor.ann.get(f"/api/me/statement/rounds?limit=1&before={rounds[1]['place']}")
        assert older == rounds[2:3]
        [session] = await floor.ann.get("/api/me/statement/totals?by=session")
        [day] = await floor.ann.get("/api/me/statement/totals")
        assert session | {"day": day["day"]} == day
        assert (day["rounds"], day["net_cents"], day["after_cents"]) == (2, 10_000, 15_000)
        [notice] = await floor.ann.get("/api/me/notices")
        assert (notice["code"], notice["round"], notice["amount_cents"]) == ("round-voided", 2, 1_000)
        assert await floor.bo.get("/api/me/notices") == []
        headers = {"Authorization": f"Bearer {floor.ann.token}"}
        left = await e.http.post("/api/me/notices/read", json={"ids": [notice["id"]]}, headers=headers)
        assert left.json() == []
        assert await floor.ann.get("/api/me/notices") == []


@pytest.mark.parametrize("body", [{}, {"ids": "x"}, {"ids": [1]}, {"ids": [], "more": 1}])
def test_a_mark_is_read_strictly(body: Any) -> None:
    with pytest.raises(Refused) as refused:
        read(json.dumps(body), NoticesRead)
    assert isinstance(refused.value.refusal, FieldInvalid)
