"""The ledger: transfers that sum to zero, balances that are never overdrawn."""

from __future__ import annotations

import pytest

from punto.ledger import moves
from punto.ledger import moves as m
from punto.ledger.accounts import (
    CASH_DESK,
    Account,
    bets_account,
    chips_account,
    house_account,
    is_patron,
    may_be_negative,
    may_be_positive,
    owed_account,
    owner_of,
    parse_account,
    patron_account,
)
from punto.ledger.balances import Balances
from punto.ledger.moves import Reason, by_patron, collectable
from punto.ledger.transfers import Posting, Transfer
from punto.rules.money import Cents
from punto.table.money import Holder
from tests.ledger import buy, cash_out, collect, correct, final, returned, stake


def amounts(transfer: Transfer) -> dict[str, int]:
    return {posting.account: posting.cents for posting in transfer.postings}


def test_each_reason_moves_money_between_its_accounts() -> None:
    assert amounts(buy("ann", 500, "r")) == {"cash-desk": -500, "patron:ann": 500}
    assert amounts(cash_out("ann", 500, "1")) == {"patron:ann": -500, "ticket:1": 500}
    assert amounts(Transfer.of(moves.take_in("ann", 500, "1"))) == {"ticket:1": -500, "patron:ann": 500}
    assert amounts(Transfer.of(moves.issue(500, "1"))) == {"cash-desk": -500, "ticket:1": 500}
    assert amounts(Transfer.of(moves.redeem(500, "1"))) == {"ticket:1": -500, "cash-desk": 500}
    assert amounts(stake("ann", "t1", 500, "b")) == {"patron:ann": -500, "bets:t1": 500}
    assert amounts(returned("ann", "t1", 500, "b")) == {"bets:t1": -500, "patron:ann": 500}
    assert amounts(correct("ann", "t1", 0, 70, "x")) == {"house:t1": -70, "patron:ann": 70}
    assert amounts(correct("ann", "t1", 70, 0, "x")) == {"house:t1": 70, "owed:ann": -70}
    cage = Transfer.of(moves.moved("t1", Holder.CAGE, Holder.CHIPS, 70, "x"))
    assert (cage.reason, amounts(cage)) == (Reason.MOVE, {"cash-desk": -70, "chips:t1": 70})


def test_each_transfer_has_its_reason_and_its_reference() -> None:
    transfers = {
        Reason.BUY: buy("ann", 5, "r"),
        Reason.CASH_OUT: cash_out("ann", 5, "r"),
        Reason.ISSUE: Transfer.of(moves.issue(5, "r")),
        Reason.REDEEM: Transfer.of(moves.redeem(5, "r")),
        Reason.STAKE: stake("ann", "t1", 5, "r"),
        Reason.RETURN: returned("ann", "t1", 5, "r"),
        Reason.COLLECT: collect("ann", 5, "r"),
        Reason.PAY: final("ann", "t1", "r", Reason.PAY, 5, 10),
        Reason.LOSE: final("ann", "t1", "r", Reason.LOSE, 5, 0),
        Reason.ADJUST: correct("ann", "t1", 5, 0, "r"),
    }
    assert [(each.reason, each.reference) for each in transfers.values()] == [(reason, "r") for reason in transfers]


def test_postings_that_do_not_sum_to_zero_are_refused() -> None:
    with pytest.raises(ValueError, match=r"sum to 0\.01, not to zero"):
        Transfer(Reason.BUY, "r", (Posting(CASH_DESK, Cents(-5)), Posting(patron_account("ann"), Cents(6))))
    with pytest.raises(ValueError, match="moves nothing"):
        Transfer(Reason.BUY, "r", ())


@pytest.mark.parametrize("cents", [0, -1, 2**53, True])
def test_amounts_that_cannot_be_moved_are_refused(cents: int) -> None:
    for make in (buy, cash_out):
        with pytest.raises(ValueError, match="cents"):
            make("ann", cents, "r")


def test_amounts_and_references_at_their_bounds() -> None:
    most = 2**53 - 1
    transfer = buy("ann", most, "x" * 128)
    assert amounts(transfer) == {"cash-desk": -most, "patron:ann": most}
    assert amounts(buy("ann", 1, "x")) == {"cash-desk": -1, "patron:ann": 1}
    assert Posting(patron_account("a"), Cents(-most)).cents == -most
    for cents in (0, most + 1, -most - 1):
        with pytest.raises(ValueError, match="cannot be posted"):
            Posting(patron_account("a"), Cents(cents))
    with pytest.raises(ValueError, match="is not an account"):
        Posting(Account("till:1"), Cents(1))


def test_whose_account_it_is() -> None:
    accounts = ("patron:ann", "owed:ann", "bets:t1", "house:t1", "chips:t1", "cash-desk")
    assert [owner_of(account) for account in accounts] == ["ann", "ann", None, None, None, None]
    assert [account for account in accounts if is_patron(account)] == ["patron:ann"]
    assert [parse_account(account) for account in accounts] == list(accounts)
    assert by_patron([m.stake("ann", "t1", 5, "b"), m.buy("ann", 7, "r"), m.buy("bo", 1, "r")]) == {
        "patron:ann": 2,
        "patron:bo": 1,
    }


@pytest.mark.parametrize("reference", ["", "a b", "a\nb", "x" * 129])
def test_an_invalid_reference_is_refused(reference: str) -> None:
    with pytest.raises(ValueError, match="reference"):
        buy("ann", 1, reference)


def test_a_bet_ends_in_one_of_three_ways() -> None:
    with pytest.raises(ValueError, match="does not end in stake"):
        final("ann", "t1", "b", Reason.STAKE, 5, 5)


@pytest.mark.parametrize(
    "name", ["", "ann", "patron:", "patron:a b", "patron:a\n", "till:x", "cash-desk:1", "house:" + "x" * 65]
)
def test_an_invalid_account_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="is not an account"):
        parse_account(name)


@pytest.mark.parametrize("identity", ["", "a b", "-a", "a:b", "x" * 65, "a\n"])
def test_an_invalid_id_is_refused(identity: str) -> None:
    for make in (patron_account, owed_account, bets_account, house_account, chips_account):
        with pytest.raises(ValueError, match="is not an id"):
            make(identity)


def test_only_the_house_the_cash_desk_chips_and_debts_may_be_negative() -> None:
    accounts = ("patron:a", "owed:a", "bets:t", "house:t", "chips:t", "cash-desk")
    assert [account for account in accounts if may_be_negative(account)] == [
        "owed:a",
        "house:t",
        "chips:t",
        "cash-desk",
    ]
    assert [account for account in accounts if not may_be_positive(account)] == ["owed:a"]


def moved(transfer: Transfer) -> list[tuple[str, int]]:
    return [(posting.account, posting.cents) for posting in transfer.postings]


def test_a_correction_reverses_what_was_paid_and_posts_what_is_due() -> None:
    to_patron = [("house:t1", 500), ("patron:ann", -500), ("house:t1", -1_950), ("patron:ann", 1_950)]
    assert moved(correct("ann", "t1", 500, 1_950, "x")) == to_patron
    against = [("house:t1", 1_950), ("owed:ann", -1_950), ("house:t1", -500), ("owed:ann", 500)]
    assert moved(correct("ann", "t1", 1_950, 500, "x")) == against
    assert moved(correct("ann", "t1", 1_950, 0, "x")) == [("house:t1", 1_950), ("owed:ann", -1_950)]


def test_a_correction_against_an_empty_account_becomes_a_debt() -> None:
    balances = Balances({"house:t1": -950, "cash-desk": 950})
    assert balances.apply([correct("ann", "t1", 1_950, 1_000, "x")]) is None
    assert balances.snapshot() == {"house:t1": 0, "cash-desk": 950, "owed:ann": -950}


def test_no_more_is_collected_than_is_owed_or_there() -> None:
    assert [collectable(*each) for each in ((70, -50), (30, -50), (0, -50), (70, 0))] == [50, 30, 0, 0]
    assert [collectable(*each) for each in ((-5, -50), (70, 5))] == [0, 0]
    balances = Balances({"patron:ann": 70, "owed:ann": -50, "house:t1": -20})
    assert balances.apply([collect("ann", 51, "x")]) is not None
    assert balances.apply([collect("ann", 50, "x")]) is None
    assert balances.snapshot() == {"patron:ann": 20, "owed:ann": 0, "house:t1": -20}
    overdrawn = balances.apply([collect("ann", 1, "x")])
    assert overdrawn is not None
    assert (overdrawn.account, overdrawn.short_cents) == ("owed:ann", 1)


def test_bets_in_cash_are_staked_paid_and_corrected_in_chips() -> None:
    assert amounts(stake("cash:3", "t1", 500, "b")) == {"chips:t1": -500, "bets:t1": 500}
    paid = final("cash:3", "t1", "b", Reason.PAY, 500, 1_000)
    assert amounts(paid) == {"bets:t1": -500, "chips:t1": 1_000, "house:t1": -500}
    assert moved(correct("cash:3", "t1", 1_000, 0, "x")) == [("house:t1", 1_000), ("chips:t1", -1_000)]


def test_transfers_are_made_together_or_not_at_all() -> None:
    balances = Balances({"patron:ann": 100})
    overdrawn = balances.apply([stake("ann", "t1", 60, "a"), stake("ann", "t1", 60, "b")])
    assert overdrawn
    assert (overdrawn.account, overdrawn.short_cents, overdrawn.message) == ("patron:ann", 20, "patron:ann lacks 0.20")
    assert balances.snapshot() == {"patron:ann": 100}
    assert balances.apply([stake("ann", "t1", 60, "a"), stake("ann", "t1", 40, "b")]) is None
    assert balances.snapshot() == {"patron:ann": 0, "bets:t1": 100}


def test_not_one_cent_may_be_missing() -> None:
    overdrawn = Balances({"patron:ann": 99}).apply([stake("ann", "t1", 100, "a")])
    assert overdrawn
    assert (overdrawn.account, overdrawn.short_cents) == ("patron:ann", 1)
    assert Balances({"patron:ann": 100}).apply([stake("ann", "t1", 100, "a")]) is None


def test_a_balance_stays_where_it_can_be_counted_exactly() -> None:
    balances = Balances({"patron:ann": 2**53 - 1})
    overdrawn = balances.apply([buy("ann", 1, "r")])
    assert overdrawn
    assert (overdrawn.account, overdrawn.short_cents) == ("patron:ann", 1)
    assert Balances({"patron:ann": 2**53 - 2}).apply([buy("ann", 1, "r")]) is None
    assert Balances()["patron:ann"] == 0


def test_the_sum_of_all_purchases_has_no_maximum() -> None:
    balances = Balances({"cash-desk": -(2**53) + 1})
    assert balances.apply([buy("ann", 1_000, "r")]) is None
    assert balances["cash-desk"] == -(2**53) - 999


def test_a_bet_can_be_settled_however_much_its_patron_holds() -> None:
    balances = Balances({"patron:ann": 2**53 - 1, "bets:t1": 1_000, "house:t1": -(2**53) + 1})
    assert balances.apply([final("ann", "t1", "t1/1/1", Reason.PAY, 1_000, 2_000)]) is None
    assert balances["patron:ann"] == 2**53 + 1_999
    assert balances.apply([buy("ann", 1, "r")]) is not None
