"""What a store shows is what the log has, whoever writes to its database while it serves."""

from __future__ import annotations

import pytest

from punto.store.errors import KeyMissingError, RecordChangedError
from punto.store.interface import Store
from punto.store.records import record_hash
from tests.contract.places import Place, bet, bought
from tests.contract.test_fold import out, told
from tests.contract.test_signatures import signer


async def filled(place: Place) -> Store:
    store = await place.open(signer=signer)
    await store.append(bought("ann", 1_000))
    for number in range(1, 4):
        await store.append(bet(number, after=number - 1))
    await store.append(out("ann", 50, "ticket"))
    return store


async def test_a_raised_balance_is_not_shown(durable: Place) -> None:
    store = await filled(durable)
    durable.edit(["UPDATE balances SET cents = 95000 WHERE account = 'patron:ann'"])
    assert await store.balances(["patron:ann", "owed:ann"]) == {"patron:ann": 650, "owed:ann": 0}
    assert (await store.balances())["patron:ann"] == 650
    assert [each.code for each in told(store)] == ["account-stopped"]
    assert len((await durable.audit(store)).problems) == 1, "who is only asked about has no row"


@pytest.mark.parametrize("rehashed", [False, True])
async def test_an_edited_ticket_is_neither_handed_out_nor_carried_out_again(durable: Place, rehashed: bool) -> None:
    """Even with the hash of its new contents, which anyone can work out."""
    store = await filled(durable)
    before, last = await store.read("desk")
    sets = "reply = '{\"cents\":95000}'"
    if rehashed:
        fields = (*last[:9], '{"cents":95000}', last[10])
        sets += f", hash = '{record_hash(before.hash, fields, last.postings)}'"
    durable.edit_log([f"UPDATE records SET {sets} WHERE id = {last.id}"])
    assert await store.replies(["ticket"]) == {}
    with pytest.raises(KeyMissingError):
        await store.append(out("ann", 50, "ticket"))
    with pytest.raises(RecordChangedError):
        await store.read("desk", 1)
    assert {each.code for each in told(store)} == {"record-changed", "key-missing"}


@pytest.mark.parametrize("edit", ["key = 'other'", "key = NULL, body_hash = NULL, reply = NULL"])
async def test_a_command_whose_key_was_edited_is_not_carried_out_again(durable: Place, edit: str) -> None:
    store = await filled(durable)
    durable.edit_log([f"UPDATE records SET {edit} WHERE key = 'bet-2'"])
    with pytest.raises(KeyMissingError):
        await store.append(bet(2, after=3))
    assert await store.balances(["patron:ann"]) == {"patron:ann": 650}
    assert ("key-missing", "bet-2") in [(each.code, each.subject) for each in told(store)]


LINES = {
    "planted": ["INSERT INTO postings VALUES (3, 3, 2, 'pay', 't1.2', 'patron:ann', 900, 1700)"],
    "changed": ["UPDATE postings SET cents = -1 WHERE record = 3 AND line = 1"],
    "the newest taken out": ["DELETE FROM postings WHERE record = 5"],
    "the first taken out": ["DELETE FROM postings WHERE record = 1", "DELETE FROM records WHERE id = 1"],
}


@pytest.mark.parametrize("what", LINES)
async def test_a_statement_with_other_lines_is_not_shown(durable: Place, what: str) -> None:
    store = await filled(durable)
    assert [line.balance_cents for line in await store.statement("patron:ann")] == [650, 700, 800, 900, 1_000]
    durable.edit_log(LINES[what])
    with pytest.raises(RecordChangedError):
        await store.statement("patron:ann")
    assert "record-changed" in {each.code for each in told(store)}


async def test_a_statement_is_paged_without_what_is_newer(durable: Place) -> None:
    store = await filled(durable)
    lines = await store.statement("patron:ann")
    for size in (1, 2, 3):
        paged = await store.statement("patron:ann", limit=size)
        while page := await store.statement("patron:ann", paged[-1].place, size):
            paged += page
        assert paged == lines


async def test_a_signature_that_somebody_changed_is_replaced_and_told_of(durable: Place) -> None:
    store = await filled(durable)
    durable.edit(["UPDATE streams SET signature = 'x' WHERE name = 'desk'"])
    await store.append(out("ann", 10, "more"))
    assert [(each.code, each.subject) for each in told(store)] == [("signature-changed", "desk")]
