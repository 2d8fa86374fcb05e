"""The front door refuses what it cannot take, with a code and a sentence, and never with an error of Python."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

import punto
from punto.rules.loader import load
from punto.table.act import COMMANDS

ROUND = "6h 2d Ks 3c 4c"
KEYS: tuple[Any, ...] = ("title", "bets", "extends", "zh", 5)

ODD: tuple[Any, ...] = (
    *(None, True, 0, -1, 1, 10**30, 0.5, 10.0, float("nan"), float("inf"), 1j, b"6h", object(), int, print),
    *("", " ", "XYZ", "6h", "6h 6h", "banker", "four-cards", "a\nb", "\ud800", "x" * 10_000, "dealer:", ":", "ann"),
    *([], [None], ["6h"], [["6h"]], {}, {"on": 1}, {1: 2}, (), set(), range(3), iter([1])),
)


def refused(call: Callable[[], object]) -> punto.Refused:
    with pytest.raises(punto.Refused) as caught:
        call()
    assert caught.value.code in str(caught.value)
    return caught.value


@pytest.mark.parametrize(
    ("call", "code", "where"),
    [
        (lambda: punto.Bet("banker", 10.5), "field-type", "stake_cents"),  # type: ignore[arg-type]
        (lambda: punto.Bet("banker", 10, window="zz"), "field-type", "window"),
        (lambda: punto.Bet(None, 10), "field-type", "on"),  # type: ignore[arg-type]
        (lambda: punto.Bet("banker", 0), "stake-invalid", None),
        (lambda: punto.Limits(-5, -5), "limits-invalid", None),
        (lambda: punto.Limits(0.5, 5), "field-type", "minimum_cents"),  # type: ignore[arg-type]
        (lambda: punto.Cards([5]), "field-type", "cards[0]"),  # type: ignore[list-item]
        (lambda: punto.Cards(["9h 9d"]), "field-type", "cards[0]"),
        (lambda: punto.Shoe(decks=2.5), "field-type", "decks"),  # type: ignore[arg-type]
        (lambda: punto.Shoe(seed=1).deal(0), "rounds-invalid", None),
        (lambda: punto.game(5), "game-unknown", None),  # type: ignore[arg-type]
        (lambda: punto.roads("XYZ"), "card-unreadable", ""),
        (lambda: punto.roads([5]), "field-type", "result"),  # type: ignore[list-item]
        (lambda: punto.game("commission").settle(ROUND, ["tie"]), "field-type", "bets[0]"),  # type: ignore[list-item]
        (lambda: punto.game("commission").settle(ROUND, [], limits=5), "field-type", "limits"),  # type: ignore[arg-type]
        (lambda: punto.game("commission").odds(counts=["x"] * 13), "field-type", "counts[0]"),  # type: ignore[list-item]
        (lambda: punto.simulate("commission", rounds=None), "rounds-invalid", None),  # type: ignore[arg-type]
        (lambda: punto.Table("commission", shoe=5), "field-type", "shoe"),  # type: ignore[arg-type]
        (lambda: punto.Table("commission", colour="red"), "field-unknown", "open-table.settings"),
        (lambda: punto.Table("commission", minimum_cents="x"), "field-type", "open-table.settings.minimum_cents"),  # type: ignore[arg-type]
    ],
)
def test_what_cannot_be_taken_is_refused(call: Callable[[], object], code: str, where: str | None) -> None:
    error = refused(call)
    assert error.code == code
    assert error.parameters.get("where") == where


def test_cards_in_a_row_may_be_texts() -> None:
    assert punto.Cards(["9h", *punto.Cards("9d")]) == punto.Cards("9h 9d")
    assert str(punto.game("commission").settle(ROUND.split(), []).round) == f"{ROUND} = B 6-9"


@pytest.fixture(scope="module")
def table() -> punto.Table:
    return punto.Table("commission", shoe=punto.Shoe(seed=1))


def test_nothing_that_is_given_leaks_an_error_of_python(table: punto.Table) -> None:
    """Random values at every entrance: each is taken, or refused with a sentence."""
    chance = random.Random(8)
    game, shoe = punto.game("da-hu-ying-xiong"), punto.Shoe(seed=1)
    bet = punto.Bet("tie", 100)

    def odd() -> Any:
        return chance.choice(ODD)

    def command() -> object:
        kind = chance.choice(list(COMMANDS))
        names = chance.sample(["box", "patron", "on", "stake_cents", "cards", "card", "window", "facts", "round"], 4)
        return table.try_play(kind, by=chance.choice(["ann", None, odd()]), **{name: odd() for name in names})

    entrances: list[Callable[[], object]] = [
        lambda: punto.Cards(odd()),
        lambda: (punto.Card(odd()), punto.Rank(odd()), punto.Suit(odd())),
        lambda: punto.Bet(chance.choice(["tie", odd()]), chance.choice([5, odd()]), window=odd(), box=odd()),
        lambda: punto.Bet("tie", 5, patron=odd(), seated=odd()),
        lambda: punto.Limits(odd(), odd(), chance.choice([1, odd()])),
        lambda: punto.game(odd()),
        lambda: game.settle(odd(), [bet]),
        lambda: game.settle(ROUND, odd()),
        lambda: game.settle(ROUND, [bet], decks=odd()),
        lambda: game.settle(ROUND, [bet], limits=odd()),
        lambda: game.settle(ROUND, [punto.Bet("banker-insurance", 5, window=odd(), box=odd())]),
        lambda: punto.Shoe(chance.choice([1, odd()]), odd(), cut=chance.choice([14, odd()])),
        lambda: shoe.deal(odd(), progress=False),
        lambda: punto.roads(odd()),
        lambda: punto.roads([odd()]),
        lambda: table.choices(odd(), patrons=odd()),
        lambda: punto.Table(chance.choice(["easy-six", odd()]), name=odd(), decks=odd(), layout=odd()),
        lambda: punto.Table("easy-six", minimum_cents=odd(), differential_cents=odd(), device=odd()),
        lambda: load({chance.choice(KEYS): odd(), "paragraphs": odd()}),
        lambda: game.odds(odd(), removed=odd()),
        lambda: game.effects(odd(), removed=odd()),
        lambda: game.best_play(odd(), removed=odd()),
        lambda: game.report(odd()),
        lambda: game.count(chance.choice([None, "tie", odd()]), tags=odd(), threshold=odd(), shoes=odd(), decks=odd()),
        lambda: game.count("tie", burn=odd(), one_more=odd(), cut=odd(), shoes=1, seed=odd(), progress=False),
        lambda: punto.study(game, chance.choice(["tie", odd()]), plan=odd(), insurance=odd(), rounds=1, patrons=odd()),
        lambda: punto.study(game, bankroll_cents=odd(), unit_cents=odd(), maximum_stake_cents=odd(), rounds=odd()),
        lambda: game.odds(counts=chance.choice([[odd()] * 13, odd()])),
        command,
        command,
    ]
    said = 0
    for turn in range(600):
        try:
            entrances[turn % len(entrances)]()
        except punto.Refused as error:
            said += bool(str(error))
    assert said > 200
