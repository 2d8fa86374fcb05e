"""Squeezes: who may ask for a card that is to come, what the House answers, and until when one may pass."""

from __future__ import annotations

from typing import Any

import pytest

from punto.rules.loader import load
from punto.table import acts
from punto.table.acts.squeezes import squeezes_left
from punto.table.engine import decide
from punto.table.refusals import SqueezeNotGranted
from punto.table.values import Consent, SqueezeOf
from tests.table_kit import Play, patron

CARD, WAIVER = SqueezeOf.CARD, SqueezeOf.BANKER_THIRD_FIRST
BANKER_ON_TWO = "2h 2d 3s Kc"  # Player 5, Banker 2: both draw whatever Player's third card is


def asking(name: str, what: SqueezeOf = CARD) -> acts.AskSqueeze:
    return acts.AskSqueeze(patron(name), name, what)


def closed(game: str = "commission", ann: int = 10_000, **settings: Any) -> Play:
    """Ann and bo sit with bets, cy stands behind ann; bets are closed."""
    play = Play(game, face_down=True, live=True, **settings).sit("ann", "bo")
    play.do(acts.Stand(patron("cy"), "cy", 1))
    return play.open(("ann", "player", ann), ("bo", "player", 20_000), ("cy", "player", 30_000)).close()


@pytest.mark.parametrize("game", ["commission", "commission-insurance"])
def test_who_walked_away_neither_squeezes_nor_keeps_others_from_it(game: str) -> None:
    play = closed(game)
    play.do(acts.Leave(patron("bo"), "bo"))
    assert play.refused(asking("bo"))[0] == "squeeze-not-highest"
    play.do(asking("ann"))


def test_a_sheet_without_a_squeeze_lets_nobody_pass_what_a_waiver_gave() -> None:
    play = closed("da-hu-ying-xiong", waiver_consent=Consent.ALWAYS).deal(BANKER_ON_TWO)
    play.do(asking("bo", WAIVER))
    own = load('extends = "da-hu-ying-xiong"\nid = "own"\ntitle = "Own"\nremove = ["play.squeeze"]\n')
    state, passing = play.state._replace(sheet=own), acts.PassSqueeze(patron("bo"), "bo", 6)
    assert squeezes_left(state, "bo") == (6,)
    assert decide(state, passing) == SqueezeNotGranted(6)
