"""A large sale of credit takes two, once for each request, and is a significant event."""

from __future__ import annotations

from punto.store.memory import MemoryStore
from tests.service.rig import SETTINGS, code, problems, rig


async def test_a_large_sale_takes_two_who_may_sell() -> None:
    store = MemoryStore(lambda: 0)
    async with rig(SETTINGS, store=store, sold_alone_cents=10_000) as r:
        ann, max_ = await r.person("Ann"), await r.person("Max", "pit-manager")
        sue, buy = await r.person("Sue", "shift-manager"), r.house.cashier.buy
        assert code(await buy(ann, 10_000, "small", max_)) == ""
        for key in ("large", "large", "again"):
            assert code(await buy(ann, 10_001, key, max_)) == "second-person-asked", "one alone never sells it"
        assert code(await buy(ann, 10_002, "other", sue)) == "second-person-asked", "another amount is another sale"
        for _ in range(2):
            assert code(await buy(ann, 10_001, "yes", sue)) == "", "a repeat is answered, and nothing is sold twice"
        assert await r.house.cashier.balance(ann) == 20_001
        assert code(await buy(ann, 10_001, "more", sue)) == "second-person-asked", "a request counts once"
        assert code(await buy(ann, 10_001, "more", max_)) == ""
        assert await r.house.cashier.balance(ann) == 30_002
        told = [(line.code, line.by) for line in await r.house.significant.newest() if line.heading == "override"]
        assert sorted(told) == [
            *(("large-sale", "max"), ("large-sale", "sue")),
            *(("sale-asked", "max"), ("sale-asked", "sue"), ("sale-asked", "sue")),
        ]
    assert await problems(store) == []
