"""An interrupted round that a case holds already: it stays held, unless it is void."""

from __future__ import annotations

import pytest

from punto.table import acts
from tests.table_kit import DEALER, NATURAL, Play


@pytest.mark.parametrize(
    ("game", "cards", "reported", "held"),
    [
        ("commission", "2h 3d", "other-dealing-error", False),
        ("commission", NATURAL, "anything-else", True),
        ("commission", NATURAL, "other-dealing-error", True),  # a second person is asked
        ("commission", NATURAL, "foreign-card", True),
        ("easy-six", NATURAL, "anything-else", True),
        ("easy-six", NATURAL, "foreign-card", True),
    ],
)
def test_what_becomes_of_a_held_round(game: str, cards: str, reported: str, held: bool) -> None:
    play = Play(game, second_person=True).sit("ann").open(("ann", "player", 10_000)).close().deal(cards)
    play.report(reported)
    if held:
        assert play.refused(acts.Recover(DEALER))[0] == "round-held"
    else:
        play.confirmed(acts.Recover(DEALER))
        assert play.of(acts.RoundVoided)
