"""The catalogues, read once from the package's TOML files, and the choice of a language."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache

LANGUAGES = ("en", "zh-Hans")
"""The languages with a catalogue. The first is the default."""
LANGUAGE: ContextVar[str] = ContextVar("language", default=LANGUAGES[0])
"""The language of a run of the command, for people. JSON is always English."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All texts of one language: sections of templates by key, and the tables of words for enumerations."""

    language: str
    list_separator: str
    sections: Mapping[str, Mapping[str, str]]
    words: Mapping[str, Mapping[str, str]]

    def template(self, section: str, key: str) -> str:
        """A template. Raises LookupError if it is missing."""
        return _find(self.sections.get(section, {}), key, f"[{section}] of {self.language}.toml")

    def word(self, table: str, value: str) -> str:
        """The word for a value of an enumeration. Raises LookupError if it is missing."""
        return _find(self.words.get(table, {}), value, f"[words.{table}] of {self.language}.toml")


def _find(texts: Mapping[str, str], key: str, where: str) -> str:
    if key not in texts:
        raise LookupError(f"{where} has no {key!r}")
    return texts[key]


@cache
def catalogue(language: str) -> Catalogue:
    """The catalogue of a language. LookupError lists the known languages."""
    import tomllib  # here, because help needs no texts
    from importlib.resources import files

    if language not in LANGUAGES:
        raise LookupError(f"no catalogue for {language!r}; there are {', '.join(LANGUAGES)}")
    data = tomllib.loads((files(__package__) / f"{language}.toml").read_text("utf-8"))
    words, separator = data.pop("words"), data.pop("list_separator")
    return Catalogue(language, separator, data, words)


def negotiate(accept_language: str) -> str:
    """The language for the value of an `Accept-Language` header; English if it names none of ours."""
    wanted = [_preference(part) for part in accept_language.split(",")]
    for quality, tag in sorted(wanted, key=lambda each: -each[0]):
        primary = tag.partition("-")[0]
        for language in LANGUAGES:
            if quality > 0 and primary in (language.partition("-")[0], "*"):
                return language
    return LANGUAGES[0]


def _preference(part: str) -> tuple[int, str]:
    """A language tag and its weight in thousandths; an invalid weight counts as 0."""
    tag, _, weight = part.partition(";")
    digits = weight.strip().removeprefix("q=").strip() or "1"
    whole, _, rest = digits.partition(".")
    readable = digits.isascii() and (whole + rest).isdigit() and len(whole) <= 1 and len(rest) <= 3
    return (int(whole or "0") * 1000 + int(rest.ljust(3, "0")) if readable else 0), tag.strip().lower()
