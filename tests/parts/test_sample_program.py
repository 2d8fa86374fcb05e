"""A program of a user that takes everything that the library gives. It runs, and mypy --strict knows its types."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, assert_type

import pytest

import punto

if TYPE_CHECKING:
    import polars


def program() -> None:
    card, hand = punto.Card("6h"), punto.Cards("9h 9d")
    assert_type(card.rank, punto.Rank)
    assert_type(card.suit, punto.Suit)
    assert_type(hand[:1] + "Ks", punto.Cards)
    assert_type(hand[0], punto.Card)
    assert_type(hand.points, int)

    game = punto.game("da-hu-ying-xiong")
    assert_type(punto.games(), tuple[punto.Game, ...])
    assert_type({game.sheet: game.bets}, dict[punto.Sheet, tuple[str, ...]])
    own = punto.game({"extends": game.id, "id": "own", "title": "Mine"})
    assert_type(own.odds()["banker"].edge == game.odds()["banker"].edge, bool)
    limits = punto.Limits(25_00, 5_000_00)
    settled = game.settle("5h Kd 6s 6c 9h", [punto.Bet("banker", 100_00, patron="ann")], limits=limits)
    assert_type(settled, punto.Settlement)
    assert_type(settled.lines[0], punto.Line)
    assert_type(settled.round.outcome, punto.Outcome)
    assert_type(settled.round.outcome.winner, punto.Winner)
    assert_type(game.try_settle("5h", []), punto.Settlement | punto.Refusal)
    try:
        game.settle("5h", [])
    except punto.ExtraMissingError as missing:
        assert_type(missing.extra, str)
    except punto.Refused as refused:
        assert_type((refused.code, refused.sentence, refused.paragraph), tuple[str, str, str | None])

    odds: punto.GameOdds = game.odds(removed="6h 6d")
    assert_type(odds["tiger"].edge, Fraction)
    frame: polars.DataFrame = odds.to_frame()
    assert len(frame) == len(odds)
    assert {row["window"] for row in odds.insurance_dicts()} == {"four-cards", "player-third"}
    effects: punto.GameEffects = game.effects()
    assert_type(effects["banker"][punto.Rank("6")], Fraction)
    assert_type(game.best_play()["banker"].best_edge, Fraction)
    counted: punto.GameCount = game.count(
        "tiger", tags=[0] * 5 + [1, 0, 0, 0, -1], burn="card", shoes=8, progress=False
    )
    assert_type(counted["tiger"].perfect.per_100_error, float)
    assert game.report().startswith("<!doctype html>")
    studied: punto.PatronStudy = punto.study(game, insurance="favourable", rounds=5, patrons=5, progress=False)
    assert studied.summary["result_cents"]["mean_error"] >= 0
    dealt: punto.SimulationResult = punto.simulate([game, "commission"], rounds=1e5, progress=False)
    assert_type(dealt[game.id]["tiger"].stderr, float)

    shoe = punto.Shoe(seed=1)
    rounds: punto.Rounds = shoe.deal(100, progress=False)
    assert_type(rounds[-1], punto.Round)
    assert_type(rounds[3:5], list[punto.Round])
    table = punto.Table(game, shoe=shoe)
    table.sit("ann", box=1)
    table.open_bets()
    table.place_bet("ann", box=1, on="banker", stake_cents=10_00)
    while table.state.round:
        table.advance()
    roads: list[punto.Roads] = [punto.roads(each) for each in (shoe, rounds, table.results, "BPPT", [settled])]
    assert [each.rounds for each in roads] == [shoe.rounds, len(rounds), table.rounds, 4, 1]
    assert_type(list(shoe), list[punto.Round])


def test_the_program_runs() -> None:
    pytest.importorskip("polars")
    program()


def test_the_program_takes_every_public_name() -> None:
    assert set(punto.__all__) == set(re.findall(r"punto\.(\w+)", Path(__file__).read_text(encoding="utf-8"))) - {
        "__all__"
    }
