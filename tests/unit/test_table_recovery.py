"""What the sheet says about a round that was interrupted."""

from __future__ import annotations

import pytest

from punto.rules.sheet import Role
from punto.table.rulings.interruption import Recovery, Verdict, recover
from tests.table_kit import NATURAL, Play

SHIFT = Role.SHIFT_MANAGER


@pytest.mark.parametrize(
    ("game", "cards", "reported", "recovery"),
    [
        ("commission", None, None, Recovery(Verdict.NOTHING)),
        ("commission", "2h 3d", None, Recovery(Verdict.VOID, "5.4.2")),
        ("commission", NATURAL, None, Recovery(Verdict.CONCLUDE, "5.4.1")),
        ("commission", "2h 3d", "other-dealing-error", Recovery(Verdict.VOID, "5.4.2")),
        ("commission", NATURAL, "anything-else", Recovery(Verdict.HELD, "5.4.1")),
        ("commission", NATURAL, "other-dealing-error", Recovery(Verdict.HELD)),  # a second person is asked
        ("commission", NATURAL, "foreign-card", Recovery(Verdict.HELD)),
        ("easy-six", None, None, Recovery(Verdict.NOTHING)),
        ("easy-six", "2h 3d", None, Recovery(Verdict.REFER, None, SHIFT)),
        ("easy-six", NATURAL, None, Recovery(Verdict.REFER, None, SHIFT)),
        ("easy-six", NATURAL, "anything-else", Recovery(Verdict.HELD, None, SHIFT)),
        ("easy-six", NATURAL, "foreign-card", Recovery(Verdict.HELD)),
    ],
)
def test_what_becomes_of_an_interrupted_round(
    game: str, cards: str | None, reported: str | None, recovery: Recovery
) -> None:
    play = Play(game, second_person=True).sit("ann")
    if cards:
        play.open(("ann", "player", 10_000)).close().deal(cards)
    if reported:
        play.report(reported)
    assert recover(play.state) == recovery
