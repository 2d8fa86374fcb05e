"""Whatever is bought, staked and settled, in whatever order: the books balance, in every store alike."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from punto.ledger.balances import Balances
from punto.ledger.moves import Reason
from punto.ledger.transfers import Transfer
from punto.store.audit import audit
from punto.store.errors import InsufficientFundsError
from punto.store.memory import MemoryStore
from punto.store.records import Batch, NewRecord, Unit
from tests.ledger import adjust, buy, cash_out, final, returned, stake

patrons = st.sampled_from(["ann", "bo", "cy"])
tables = st.sampled_from(["t1", "t2"])
cents = st.integers(1, 500)
transfers = st.one_of(
    st.builds(buy, patrons, cents, st.just("r")),
    st.builds(cash_out, patrons, cents, st.just("r")),
    st.builds(stake, patrons, tables, cents, st.just("b")),
    st.builds(returned, patrons, tables, cents, st.just("b")),
    st.builds(final, patrons, tables, st.just("b"), st.just(Reason.PAY), cents, cents),
    st.builds(adjust, patrons, tables, cents, st.just("x")),
)


@given(st.lists(st.lists(transfers, min_size=1, max_size=3), max_size=30))
def test_the_ledger_balances_and_no_patron_is_overdrawn(groups: list[list[Transfer]]) -> None:
    balances = Balances()
    plain: dict[str, int] = {}
    for group in groups:
        # Computed again in the simplest way, to compare.
        tried = dict(plain)
        covered = True
        for transfer in group:
            for posting in transfer.postings:
                tried[posting.account] = tried.get(posting.account, 0) + posting.cents
            covered &= all(held >= 0 for account, held in tried.items() if account[:4] in ("patr", "bets"))
        assert (balances.apply(group) is None) == covered
        plain = tried if covered else plain
        assert balances.snapshot() == plain
        assert sum(plain.values()) == 0


@given(st.lists(st.tuples(patrons, tables, cents, st.sampled_from(["pay", "lose", "return", "open"])), max_size=15))
async def test_a_log_of_whole_bets_passes_its_audit(bets: list[tuple[str, str, int, str]]) -> None:
    store = MemoryStore()
    refused = 0
    for patron in ("ann", "bo", "cy"):
        await store.append(Batch("desk", None, 1, (unit(buy(patron, 600, "r")),)))
    for number, (patron, table, amount, end) in enumerate(bets):
        bet = f"b{number}"
        try:
            await store.append(Batch(table, None, 1, (unit(stake(patron, table, amount, bet)),)))
        except InsufficientFundsError:
            refused += 1
            continue
        if end != "open":
            back = {"pay": 2 * amount, "lose": 0, "return": amount}[end]
            ended = final(patron, table, bet, Reason(end), amount, back)
            await store.append(Batch(table, None, 2, (unit(ended),)))
    async with store.snapshot() as snapshot:
        report = await audit(snapshot)
    assert report.problems == ()
    assert report.bets_open <= sum(end == "open" for *_, end in bets)
    assert sum((await store.balances()).values()) == 0


def unit(*moved: Transfer) -> Unit:
    return Unit((NewRecord("happened", "{}", moved),))
