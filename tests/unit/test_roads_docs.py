"""The examples of docs/roads.md do what the page says."""

from __future__ import annotations

import doctest
import re
from dataclasses import fields
from pathlib import Path

from punto.roads.words import CHINESE, ENGLISH

PAGE = (Path(__file__).parents[2] / "docs" / "roads.md").read_text(encoding="utf-8")


def test_the_python_examples_run() -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    example = doctest.DocTestParser().get_doctest(block, {}, "docs/roads.md", "docs/roads.md", 0)
    assert len(example.examples) > 10
    assert doctest.DocTestRunner().run(example).failed == 0


def test_both_languages_have_words_for_the_same_things() -> None:
    for field in fields(ENGLISH):
        english, chinese = getattr(ENGLISH, field.name), getattr(CHINESE, field.name)
        assert type(english) is type(chinese)
        if isinstance(english, dict):
            assert list(english) == list(chinese)
        if isinstance(english, str):
            assert sorted(re.findall(r"\{\w+\}", english)) == sorted(re.findall(r"\{\w+\}", chinese))
