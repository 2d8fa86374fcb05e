"""Rounds as text: what is read, what is written, and what is refused."""

from __future__ import annotations

import pytest

from punto.rules.notation import read_line, read_record, write_line, write_record
from punto.rules.outcome import Winner
from punto.rules.refusals import RefusedError
from punto.texts import say


def test_one_line_holds_cards_and_result() -> None:
    round_ = read_line("5h Kd 6s 6c 9h = B 0-6")
    assert round_.outcome.winner is Winner.BANKER
    assert [str(card) for card in round_.player] == ["5h", "6s", "9h"]
    assert write_line(round_) == "5h Kd 6s 6c 9h = B 0-6"


def test_the_result_may_be_left_out() -> None:
    assert write_line(read_line(" 9h  2d Ks 2c ")) == "9h 2d Ks 2c = P 9-4"


@pytest.mark.parametrize("line", ["5h Kd 6s 6c 9h = P 0-6", "5h Kd 6s 6c 9h = B 1-6", "5h Kd 6s 6c 9h ="])
def test_a_wrong_result_is_refused(line: str) -> None:
    with pytest.raises(RefusedError) as caught:
        read_line(line)
    assert caught.value.refusal.code == "result-mismatch"
    assert "the cards give 'B 0-6'" in say(caught.value.refusal)


@pytest.mark.parametrize(
    ("line", "code"),
    [("5h Kd", "card-missing"), ("9h 2d Ks 2c 5h", "card-too-many"), ("9h 2d Ks 2x", "card-unreadable")],
)
def test_a_line_that_is_no_round_is_refused(line: str, code: str) -> None:
    with pytest.raises(RefusedError) as caught:
        read_line(line)
    assert caught.value.refusal.code == code


def test_defaults_are_eight_decks_and_no_limits() -> None:
    record = read_record({"game": "commission", "cards": "9h 2d Ks 2c", "bets": []})
    assert (record.decks, record.limits, record.bets) == (8, None, ())


def test_a_record_round_trip_preserves_the_chip_unit() -> None:
    limits = {"minimum": 100, "differential": 1000, "unit": 20}
    data = {"game": "commission", "decks": 6, "cards": "9h 2d Ks 2c", "limits": limits, "bets": []}
    assert write_record(read_record(data)) == data
