"""What people look back on: the cards that came out of a shoe, the last rounds, and where each is in the log."""

from __future__ import annotations

import pytest

from punto.rules.bets import Result
from punto.rules.cards import parse_cards
from punto.rules.insurance import Window
from punto.rules.money import Odds
from punto.rules.outcome import Winner
from punto.table import acts
from punto.table.engine import evolve, replay
from punto.table.history import Places, RoundPlace, TableHistory
from punto.table.state import new_table
from punto.table.values import Decision, Spot
from tests.rulebook.playing import CLAIM
from tests.table_kit import BOTH_DRAW, DEALER, MANAGER, NATURAL, SHIFT, SUPERVISOR, Play

# ------------------------------------------------------------------ places in the log


def places() -> Places:
    found = Places()
    found.loaded(2, 8)
    for first, last in ((5, 9), (12, 20)):
        found.opened(first)
        found.ended(last)
    found.loaded(21, 6)
    found.opened(22)
    found.changed(1, 23)
    found.changed(1, 24)
    return found


@pytest.mark.parametrize("stored", [False, True])
def test_where_rounds_and_shoes_stand_in_the_log(stored: bool) -> None:
    found = Places.restore(places().save()) if stored else places()
    assert [found.round(number) for number in range(-1, 5)] == [
        *(None, None),
        *(RoundPlace(5, 9), RoundPlace(12, 20), RoundPlace(22, None)),
        None,
    ]
    assert [found.shoe(number) for number in range(-1, 4)] == [None, None, (2, 8), (21, 6), None]
    assert [found.shoe_at(seq) for seq in (1, 2, 20, 21, 99)] == [0, 1, 1, 2, 2]
    assert [found.later(number) for number in (1, 2)] == [(23, 24), ()]


# ------------------------------------------------------------------ a table


def looked_back(play: Play) -> TableHistory:
    found = TableHistory(play.sheet)
    for seq, event in enumerate(play.log, 1):
        found.look_back(seq, event)
        found.state = evolve(found.state, event)
    return found


def table() -> Play:
    return Play("commission").sit("ann", "bo")


def played(play: Play, cards: str = NATURAL, *bets: tuple[str, str, int]) -> Play:
    play.open(*bets).close().deal(cards).settle()
    return play


def seq_of(play: Play, kind: type[acts.Event], at: int = -1) -> int:
    return [seq for seq, event in enumerate(play.log, 1) if isinstance(event, kind)][at]


def test_a_table_knows_the_sheet_that_it_was_opened_under_while_it_is_open() -> None:
    play = Play("commission")
    [opened] = play.of(acts.TableOpened)
    assert looked_back(play).fingerprint == opened.fingerprint
    play.do(acts.CloseTable(SUPERVISOR))
    assert (looked_back(play).effective, looked_back(play).fingerprint) == (None, "")


def test_the_last_twenty_rounds_are_at_hand() -> None:
    play = table()
    for number in range(1, 23):
        played(play, NATURAL if number % 2 else BOTH_DRAW)
        if number == 11:
            play.do(acts.ReplaceShoe(SUPERVISOR, "worn"))
            play.do(acts.LoadShoe(DEALER))
    history = looked_back(play)
    assert [number for number, _ in history.results] == list(range(3, 23))
    assert [round_.outcome.winner for _, round_ in history.results][:2] == [Winner.PLAYER, Winner.BANKER]
    play.do(acts.CorrectRound(SUPERVISOR, 21, parse_cards(BOTH_DRAW), "keyed wrong"))
    played(play)
    history = looked_back(play)
    assert [number for number, _ in history.results] == list(range(4, 24))
    by_turns = [Winner.BANKER, Winner.PLAYER] * 8
    assert [round_.outcome.winner for _, round_ in history.results] == [
        *(*by_turns, Winner.BANKER),
        *(Winner.BANKER, Winner.BANKER, Winner.PLAYER),
    ]


def test_the_last_two_shoes_are_at_hand_and_the_states_before_the_last_eight() -> None:
    play = table()
    for _ in range(9):
        played(play)
        play.do(acts.ReplaceShoe(SUPERVISOR, "worn"))
        play.do(acts.LoadShoe(DEALER))
    history = looked_back(play)
    assert (list(history.shoes), list(history.before_shoes)) == ([9, 10], list(range(3, 11)))
    assert [shoe.number for shoe in history.shoes.values()] == [9, 10]
    assert {shoe.decks for shoe in history.shoes.values()} == {8}
    assert history.places.shoe(10) == (seq_of(play, acts.ShoeLoaded), 8)
    assert history.shoes[9].rounds == [(9, parse_cards(NATURAL), False)]
    assert history.shoes[10].rounds == []
    first = seq_of(play, acts.ShoeLoaded, 8) - 1
    assert history.state_before(9) == (first, replay(play.sheet, play.log[:first]))
    assert history.state_before(2) == (0, new_table(play.sheet)), "it is no more at hand"
    assert looked_back(table()).state_before(1) == (0, new_table(play.sheet)), "there is no such round"


def test_no_card_comes_out_of_a_shoe_any_more_once_another_is_needed() -> None:
    play = table()
    assert not looked_back(play).is_over(1)
    assert looked_back(play).is_over(2), "it is not in play"
    played(play)
    assert not looked_back(play).is_over(1)
    play.do(acts.ReplaceShoe(SUPERVISOR, "worn"))
    assert looked_back(play).is_over(1)
    play.do(acts.LoadShoe(DEALER))
    assert (looked_back(play).is_over(1), looked_back(play).is_over(2)) == (True, False)


def test_a_shoe_whose_cut_card_came_is_over_after_its_last_round() -> None:
    play = table()
    play.do(acts.CutCard(DEALER))
    play.open()
    assert not looked_back(play).is_over(1)
    play.close().deal(NATURAL).settle()
    assert looked_back(play).is_over(1)


def test_the_cards_on_the_table_have_an_outcome_once_they_are_complete() -> None:
    play = table().open().close()
    assert looked_back(play).outcome is None
    play.deal("9h 2c Kd")
    assert looked_back(play).outcome is None
    play.deal("3c")
    outcome = looked_back(play).outcome
    assert outcome is not None
    assert outcome.winner is Winner.PLAYER
    play.settle()
    assert looked_back(play).outcome is None


def test_a_round_in_which_a_payment_is_taken_back_is_still_under_way() -> None:
    play = table().open(("ann", "player", 10_000)).close().deal(NATURAL)
    play.report("anything-else")
    spot = Spot(1, "ann", "player")
    play.do(acts.Decide(SHIFT, Decision.PAY_BETS, "as agreed", bets=(spot,), odds=Odds.parse("2:1")))
    play.report("anything-else")
    play.do(acts.Decide(SHIFT, Decision.VOID, "after all"))
    places = looked_back(play).places
    assert (places.round(1), places.later(1)) == (
        RoundPlace(seq_of(play, acts.BetsOpened), seq_of(play, acts.RoundClosed)),
        (),
    )
    del play.log[seq_of(play, acts.RoundAdjusted) :]
    places = looked_back(play).places
    assert (places.round(1), places.later(1)) == (RoundPlace(seq_of(play, acts.BetsOpened), None), ())


def test_da_hu_ying_xiong_5_13_a_claim_about_an_earlier_round_comes_later() -> None:
    play = Play("da-hu-ying-xiong", live=True).sit("ann").open(("ann", "banker", 10_000)).close()
    play.deal("Kh Kd 4s 5c 5s Kc").settle()
    play.open()
    play.report("insurance-neglected", DEALER, round=1, window=Window.FOUR_CARDS, claims=CLAIM)
    play.do(acts.Decide(MANAGER, Decision.APPROVE))
    later = sorted([seq_of(play, acts.InsuranceClaimed), seq_of(play, acts.RoundAdjusted)])
    assert list(looked_back(play).places.later(1)) == later


def test_the_last_ruling_is_told_until_the_next_report() -> None:
    play = table().open().close().deal("9h 2c")
    assert looked_back(play).ruled is None
    play.report("foreign-card")
    assert looked_back(play).ruled == play.of(acts.IncidentRuled)[-1]
    play.do(acts.LoadShoe(DEALER))
    play.open()
    play.report("anything-else")
    assert looked_back(play).ruled is None


def test_a_decision_about_a_round_leaves_its_cards_and_the_other_rounds() -> None:
    play = table()
    for _ in range(2):
        played(play, NATURAL, ("ann", "player", 10_000))
    results = list(looked_back(play).results)
    play.report("anything-else", round=1)
    play.do(acts.Decide(SHIFT, Decision.RETURN_BETS, "a dispute", bets=(Spot(1, "ann", "player"),)))
    assert list(looked_back(play).results) == results
    play.report("anything-else", round=1)
    play.do(acts.Decide(SHIFT, Decision.VOID, "on reflection"))
    assert list(looked_back(play).results) == results[1:]


def test_a_correction_reaches_a_shoe_that_is_gone() -> None:
    play = played(table())
    play.do(acts.ReplaceShoe(SUPERVISOR, "worn"))
    play.do(acts.LoadShoe(DEALER))
    play.do(acts.CorrectRound(SUPERVISOR, 1, parse_cards("2c 9h 3c Kd"), "keyed in another order"))
    shoes = looked_back(play).shoes
    assert (shoes[1].rounds, shoes[2].rounds) == ([(1, parse_cards("2c 9h 3c Kd"), False)], [])
    assert shoes[1].seen == list(parse_cards("2c 9h 3c Kd"))


def lines(history: TableHistory) -> dict[str, tuple[int, int, Result]]:
    assert history.settled is not None
    return {line.bet.patron: (line.returned_cents, line.net_cents, line.result) for line in history.settled.lines}


def test_the_last_settlement_is_told_as_corrected() -> None:
    play = played(table(), NATURAL, ("ann", "player", 10_000), ("bo", "banker", 20_000))
    history = looked_back(play)
    assert history.settled == play.of(acts.RoundSettled)[-1]
    won, lost = (20_000, 10_000, Result.WIN), (0, -20_000, Result.LOSE)
    assert lines(history) == {"ann": won, "bo": lost}
    play.do(acts.CorrectRound(SUPERVISOR, 1, parse_cards(BOTH_DRAW), "keyed wrong"))
    history = looked_back(play)
    assert lines(history) == {"ann": (0, -10_000, Result.LOSE), "bo": (39_000, 19_000, Result.WIN)}
    assert history.settled is not None
    [adjusted] = play.of(acts.RoundAdjusted)
    assert history.settled.lines == tuple([each.line for each in adjusted.lines]), "with odds and paragraph"
    [(_, corrected)] = history.results
    assert corrected.outcome.winner is Winner.BANKER
    play.report("anything-else", round=1)
    play.do(acts.Decide(SHIFT, Decision.VOID, "seen on camera"))
    history = looked_back(play)
    returned = {"ann": (10_000, 0, Result.RETURNED), "bo": (20_000, 0, Result.RETURNED)}
    assert (lines(history), list(history.results)) == (returned, [])
