"""Every paragraph of the five sheets is carried by something and shown by a test, and the page says which."""

from __future__ import annotations

import pytest

from punto.rules.loader import GAMES, load
from tests.docs.conformance import CASES, CODE, PAGE, carriers, kind_of, named_tests, page, resolves, shown_by

HEADINGS = {"2.1", "2.2", "4.1", "4.2"}
DEFINED = {"1.2"}
"""Words that mean the same as another: nothing can carry them."""


def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run python -m tests.docs.conformance"


@pytest.mark.parametrize("game", GAMES)
def test_every_paragraph_is_carried_and_shown(game: str) -> None:
    tests = shown_by(game)
    for number in load(game).paragraphs:
        if number in HEADINGS:
            assert kind_of(game, number) == "heading" and not tests.get(number)
            continue
        assert tests.get(number), f"no test shows {game} {number}"
        assert carriers(game, number) or number in DEFINED, f"nothing carries {game} {number}"


@pytest.mark.parametrize("game", GAMES)
def test_every_test_named_by_a_paragraph_names_one_that_exists(game: str) -> None:
    known = load(game).paragraphs
    assert [name for name, number in named_tests(game) if number not in known] == []


def test_the_code_that_is_named_exists() -> None:
    assert [name for name in CODE.values() if not resolves(name)] == []
    assert not resolves("punto.rules.cards.no_such_thing")
    assert CODE.keys() <= {case.scenario for case in CASES}
