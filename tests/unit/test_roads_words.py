"""The words of the roads, in both languages."""

from __future__ import annotations

import re
from dataclasses import fields

from punto.roads.words import CHINESE, ENGLISH


def test_both_languages_have_the_same_words() -> None:
    for field in fields(ENGLISH):
        english, chinese = getattr(ENGLISH, field.name), getattr(CHINESE, field.name)
        assert type(english) is type(chinese)
        if isinstance(english, dict):
            assert list(english) == list(chinese)
        if isinstance(english, str):
            assert sorted(re.findall(r"\{\w+\}", english)) == sorted(re.findall(r"\{\w+\}", chinese))
