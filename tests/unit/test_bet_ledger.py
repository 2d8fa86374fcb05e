"""What each event of a table moves: every bet has its reference and ends once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from punto.ledger.bet_ledger import BetLedger
from punto.rules.money import Cents, Odds
from punto.table import acts
from punto.table.values import Adjustment, Paid, Returned, ReturnReason, Spot
from tests.table_kit import NATURAL, SHIFT, SUPERVISOR, Play, patron


def moved(play: Play) -> tuple[list[str], BetLedger]:
    """All that was moved, as `reason reference account amount …`, each event being the record of its place."""
    ledger, found = BetLedger("t1"), []
    for seq, event in enumerate(play.log):
        transfers, after = ledger.moves(seq, event)
        moves, again = ledger.moves(seq, event)
        assert after == again
        assert [each.reference for each in transfers] == [move.reference for move in moves]
        ledger = after
        for move in moves:
            amounts = " ".join(f"{account} {cents}" for account, cents in move.amounts)
            found.append(f"{move.reason} {move.reference} {amounts}")
    return found, ledger


def seq_of(play: Play, kind: type[acts.Event]) -> int:
    return next(seq for seq, event in enumerate(play.log) if isinstance(event, kind))


def test_a_raise_is_staked_under_the_reference_of_its_bet() -> None:
    play = Play("commission").sit("ann").open(("ann", "player", 10_000))
    play.do(acts.RaiseBet(patron("ann"), "ann", 1, "player", Cents(5_000)))
    placed = f"t1/1/{seq_of(play, acts.BetPlaced)}"
    found, ledger = moved(play)
    assert found == [
        f"stake {placed} patron:ann -10000 bets:t1 10000",
        f"stake {placed} patron:ann -5000 bets:t1 5000",
    ]
    assert ledger.staked == {Spot(1, "ann", "player"): (placed, 15_000)}
    play.close().deal(NATURAL).settle()
    assert moved(play)[0][2:] == [f"pay {placed} bets:t1 -15000 patron:ann 30000 house:t1 -15000"]
    assert moved(play)[1].staked == {}


def test_part_of_a_bet_goes_back_with_the_whole_and_the_rest_is_staked_anew() -> None:
    play = Play("commission").sit("ann").open(("ann", "player", 10_000))
    play.do(acts.WithdrawBet(patron("ann"), "ann", 1, "player", Cents(4_000)))
    placed, withdrawn = f"t1/1/{seq_of(play, acts.BetPlaced)}", f"t1/1/{seq_of(play, acts.BetWithdrawn)}"
    found, ledger = moved(play)
    assert found[1:] == [
        f"return {placed} bets:t1 -10000 patron:ann 10000 house:t1 0",
        f"stake {withdrawn} patron:ann -6000 bets:t1 6000",
    ]
    assert ledger.staked == {Spot(1, "ann", "player"): (withdrawn, 6_000)}


def test_lines_of_a_settlement_pay_take_and_return() -> None:
    play = Play("commission").sit("ann").open(("ann", "player", 10_000), ("ann", "banker", 4_000)).close().deal(NATURAL)
    settled = play.settle()
    found, _ = moved(play)
    assert [line.split(" ", 2)[::2] for line in found[2:]] == [
        ["pay", "bets:t1 -10000 patron:ann 20000 house:t1 -10000"],
        ["lose", "bets:t1 -4000 patron:ann 0 house:t1 4000"],
    ]
    line = settled.lines[1]
    event = replace(settled, lines=settled.lines[:1], returned=(Returned(line.bet, ReturnReason.DECIDED, "5.13"),))
    play.log[play.log.index(settled)] = event
    assert moved(play)[0][3].split(" ", 2)[::2] == ["return", "bets:t1 -4000 patron:ann 4000 house:t1 0"]


def test_a_settlement_of_another_stake_than_was_placed_is_a_bug() -> None:
    play = Play("commission").sit("ann").open(("ann", "player", 10_000)).close().deal(NATURAL)
    settled = play.settle()
    [line] = settled.lines
    place, wrong = play.log.index(settled), replace(line.bet, stake_cents=Cents(10_100))
    returned = Returned(wrong, ReturnReason.DECIDED, None)
    for event in (
        replace(settled, lines=(replace(line, bet=wrong),)),
        replace(settled, lines=(), returned=(returned,)),
    ):
        play.log[place] = event
        with pytest.raises(AssertionError, match=r"10100, .* was at stake, the ledger 10000 cents"):
            moved(play)


def test_a_correction_is_numbered_by_its_line_and_reverses_what_was_paid() -> None:
    play = Play("commission").sit("ann").open(("ann", "player", 10_000), ("ann", "tie", 2_500)).close().deal(NATURAL)
    settled = play.settle()
    ledger = BetLedger("t1")
    same, changed = settled.lines[1], settled.lines[0]
    lines = tuple(
        Adjustment(each.bet, each.returned_cents, Cents(each.returned_cents - less), Cents(-less), "5.14")
        for each, less in ((same, 0), (changed, 700))
    )
    adjusted = acts.RoundAdjusted(SUPERVISOR, 1, lines, void=False, rule="5.14", reason="seen")
    [move], after = ledger.moves(9, adjusted)
    assert (move.reason, move.reference) == ("adjust", "t1/1/9/2")
    assert move.amounts == (("house:t1", 20_000), ("owed:ann", -20_000), ("house:t1", -19_300), ("owed:ann", 19_300))
    assert after == ledger


def test_a_bet_paid_by_decision_ends_and_an_amount_is_corrected_from_nothing() -> None:
    play = Play("commission").sit("ann").open(("ann", "player", 10_000))
    _, ledger = moved(play)
    [bet] = play.state.round.bets.values() if play.state.round else []
    paid = acts.BetsPaid(SHIFT, 1, 1, (Paid(bet, Odds.parse("1:1"), Cents(20_000), None),))
    [move], after = ledger.moves(9, paid)
    placed = f"t1/1/{seq_of(play, acts.BetPlaced)}"
    assert (move.reason, move.reference) == ("pay", placed)
    assert move.amounts == (("bets:t1", -10_000), ("patron:ann", 20_000), ("house:t1", -10_000))
    assert after.staked == {}
    other = acts.BetsPaid(SHIFT, 1, 1, (Paid(replace(bet, stake_cents=Cents(1)), Odds.parse("1:1"), Cents(2), None),))
    with pytest.raises(AssertionError, match=r"'player', 1, .* was at stake, the ledger 10000 cents"):
        ledger.moves(9, other)
    for cents, holder in ((700, "patron:ann"), (-700, "owed:ann")):
        [move], after = ledger.moves(9, acts.AmountDecided(SHIFT, 1, 1, "ann", Cents(cents), None, "so decided"))
        kept = [(account, amount) for account, amount in move.amounts if amount]
        assert (move.reference, dict(kept)) == ("t1/1/9", {"house:t1": -cents, holder: cents})
        assert after == ledger
