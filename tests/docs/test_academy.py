"""Every paragraph that rules something in play has a drill, or the reason why not, and the page says which."""

from __future__ import annotations

import pytest

from punto.rules.loader import GAMES, load
from tests.docs.academy import PAGE, REASONS, asked, page, reason


def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run python -m tests.docs.academy"


@pytest.mark.parametrize("game", GAMES)
def test_every_paragraph_has_a_drill_or_the_reason_why_not(game: str) -> None:
    found, paragraphs = asked(game), load(game).paragraphs
    assert [number for number in paragraphs if number not in found and reason(game, number) is None] == []
    assert found.keys() <= paragraphs.keys() | {"-"}


def test_no_reason_is_left_over() -> None:
    given = {reason(game, number) for game in GAMES for number in load(game).paragraphs if number not in asked(game)}
    assert {*REASONS.values()} <= given
