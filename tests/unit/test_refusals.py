"""Refusals of a record: the paragraph, and a sentence that says what, where and why."""

from __future__ import annotations

import json
from typing import Any

import pytest

from punto.cli.settle import settle_record
from punto.rules.loader import GAMES, load
from punto.rules.money import MAX_CENTS
from punto.rules.refusals import BoxUnknown, Refusal, StakeInvalid
from punto.texts import say

BASE: dict[str, Any] = {
    "game": "da-hu-ying-xiong",
    "cards": "5h Kd 6s 6c 9h",
    "limits": {"minimum": 2500, "differential": 500000},
    "bets": [
        {"box": 1, "patron": "ann", "seated": True, "on": "banker", "stake": 10000},
        {"box": 1, "patron": "ann", "on": "banker-insurance", "window": "four-cards", "stake": 3000},
    ],
}


def refusal(**changes: Any) -> Refusal:
    _, answer = settle_record(json.dumps(BASE | changes))
    assert isinstance(answer, Refusal)
    return answer


def bet(**changes: Any) -> list[dict[str, Any]]:
    made = {"box": 1, "patron": "ann", "on": "banker", "stake": 10000} | changes
    return [{key: value for key, value in made.items() if value is not None}]


def insured(**changes: Any) -> list[dict[str, Any]]:
    return [BASE["bets"][0], BASE["bets"][1] | changes]


# code, paragraph, part of the sentence, what is changed in the record
CASES: list[tuple[str, str | None, str, dict[str, Any]]] = [
    ("field-unknown", None, "record has no field 'tip'", {"tip": 5}),
    ("field-missing", None, "bets[0].stake is missing", {"bets": bet(stake=None)}),
    ("field-type", None, "bets[0].stake must be a whole number of cents, not 0.5", {"bets": bet(stake=0.5)}),
    ("game-unknown", None, "No game or sheet is called ./none.toml: No such file", {"game": "./none.toml"}),
    ("decks-not-allowed", "2.2.1", "4 to 10 decks, not 11", {"decks": 11}),
    ("limits-invalid", None, "must stay below", {"limits": {"minimum": 1, "differential": MAX_CENTS}}),
    ("card-unreadable", None, "Card 2, 'Xd', is not a rank", {"cards": "5h Xd 6s 6c 9h"}),
    ("card-missing", "3.13", "Player stands on 6 and Banker draws on 1", {"cards": "6h 3d Ks 8c", "bets": []}),
    ("card-too-many", "3.15", "a natural, so nobody draws", {"cards": "9h 2d Ks 2c 5h", "bets": []}),
    ("card-copies", "2.2.1", "5h appears 5 times", {"cards": "5h Kd 5h 5h 5h 5h", "decks": 4, "bets": []}),
    ("box-unknown", "2.1.1", "There is no box 13; boxes are numbered from 1 to 12", {"bets": bet(box=13)}),
    ("box-unknown", "2.1.1", "boxes are numbered from 1.", {"game": "non-commission", "bets": bet(box=-1)}),
    ("stake-invalid", "3.5", "−0.05 on Banker cannot be staked", {"bets": bet(stake=-5)}),
    ("bet-not-offered", "3.7", "'tiger-pear' is not on offer; the bets on offer are", {"bets": bet(on="tiger-pear")}),
    ("window-missing", "3.12", "must say in which window", {"bets": insured(window=None)}),
    ("window-not-for-bet", "3.7", "is not insurance", {"bets": bet(window="four-cards")}),
    ("insurance-window-closed", "3.12", "No insurance was on offer after four cards", {"cards": "9h 2d Ks 2c"}),
    ("insurance-hand-not-on-offer", "4.1.2", "on Banker only", {"bets": insured(on="player-insurance")}),
    ("insurance-without-original", "3.11", "no bet on Banker in box 2 by ann", {"bets": insured(box=2)}),
    ("insurance-over-cap", "3.12.2", "at 3:1 at most 33.33 may be insured, not 33.34", {"bets": insured(stake=3334)}),
]


@pytest.mark.parametrize(("code", "rule", "sentence", "changes"), CASES, ids=[f"{c[0]}: {c[2]}" for c in CASES])
def test_refusal(code: str, rule: str | None, sentence: str, changes: dict[str, Any]) -> None:
    answer = refusal(**changes)
    assert (answer.code, answer.rule) == (code, rule)
    sheet = load(game) if (game := changes.get("game", BASE["game"])) in GAMES else None
    assert sentence in say(answer, sheet=sheet)
    assert say(answer, "zh-Hans", sheet) != say(answer, sheet=sheet)


def test_the_first_in_precedence_is_given() -> None:
    bets = [*bet(on="player-pair"), *bet(stake=0), *bet(box=99)]
    assert isinstance(refusal(bets=bets), BoxUnknown)
    assert isinstance(refusal(bets=bets[:2]), StakeInvalid)
