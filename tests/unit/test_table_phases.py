"""The phase of a round by its cards: what is due next, or that cards wait to be opened."""

from __future__ import annotations

import pytest

from punto.rules.cards import parse_cards
from punto.table.phases import Phase, phase_of


@pytest.mark.parametrize(
    ("cards", "waiting", "waived", "phase"),
    [
        ("", 0, False, Phase.INITIAL_CARDS),
        ("2h 2d", 1, False, Phase.INITIAL_CARDS),
        ("2h 2d 3s", 1, False, Phase.OPENING),
        ("2h 2d 3s", 1, True, Phase.OPENING),
        ("2h 2d 3s Kc", 0, False, Phase.PLAYER_THIRD),
        ("2h 2d 3s Kc", 1, False, Phase.OPENING),
        ("2h 2d 3s Kc", 1, True, Phase.BANKER_THIRD),  # Banker draws on 2 whatever Player's third card is
        ("2h 2d 3s Kc", 2, True, Phase.OPENING),
        ("2h 3d 3s Kc", 1, True, Phase.OPENING),  # on 3 it depends
        ("2h 2d 3s Kc 4h", 0, False, Phase.BANKER_THIRD),
        ("2h 2d 3s Kc 4h", 1, False, Phase.OPENING),
        ("2h 2d 3s Kc 4h 5d", 0, False, Phase.RESULT),
        ("2h 2d 4s 3c", 0, False, Phase.BANKER_THIRD),  # Player stands on 6
        ("9h 2c Kd 3c", 0, False, Phase.RESULT),
    ],
)
def test_the_phase_of_a_round_by_its_cards(cards: str, waiting: int, waived: bool, phase: Phase) -> None:
    assert phase_of(parse_cards(cards), waiting, waived=waived) is phase
