"""What the commands of exact analysis share: shoes as people write them, and figures as people read them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from punto.analysis.composition import Composition, ShoeCode, shoe_of, shoe_without
from punto.cli.output import Failure
from punto.rules.bets import OfferedBet
from punto.rules.cards import parse_cards
from punto.rules.refusals import RecordCode
from punto.rules.sheet import Sheet
from punto.rules.words import counted


def read_shoe(decks: int, counts: Sequence[str] | None, removed: str | None) -> Composition:
    """The shoe of `--decks`, with what `--counts` says is left or without what `--removed` says has gone."""
    if counts is not None and removed:
        raise Failure(ShoeCode.COUNTS_INVALID, "give --counts or --removed, not both: each says what is left")
    if counts is not None:
        return shoe_of(decks, read_whole_numbers(counts, "--counts"))
    return shoe_without(decks, parse_cards(removed or ""))


def read_whole_numbers(given: Sequence[str], option: str) -> list[int]:
    """Thirteen whole numbers, ace to king, however they are parted: by blanks, by commas or as several words."""
    return [int(word) for word in _thirteen(given, option, r"[-+]?[0-9]{1,6}", "a whole number")]


def read_tags(given: Sequence[str], option: str) -> tuple[float, ...]:
    """Thirteen tags, ace to king, whole or not."""
    words = _thirteen(given, option, r"[-+]?[0-9]{1,6}(\.[0-9]{1,6})?", "a number such as -1 or 0.5")
    return tuple([float(word) for word in words])


def _thirteen(given: Sequence[str], option: str, pattern: str, wanted: str) -> list[str]:
    words = re.split(r"[\s,]+", " ".join(given).strip()) if given else []
    for place, word in enumerate(words, 1):
        if not re.fullmatch(pattern, word):
            raise Failure(ShoeCode.COUNTS_INVALID, f"{option}: number {place}, {word!r}, is not {wanted}")
    if len(words) != 13:
        message = f"{option} takes 13 numbers, ace to king (A 2 3 4 5 6 7 8 9 T J Q K); {len(words)} are given"
        raise Failure(ShoeCode.COUNTS_INVALID, message)
    return words


def bet_of(sheet: Sheet, bet: str) -> OfferedBet:
    """An original or side bet of a sheet by its id."""
    if bet not in sheet.bets:
        message = f"{sheet.title} does not offer {bet!r}; it offers {', '.join(sheet.bets)}"
        raise Failure(RecordCode.BET_NOT_OFFERED, message)
    return sheet.bets[bet]


def shoe_line(decks: int, left: Composition) -> str:
    """A shoe in one line."""
    if left == Composition.full(decks):
        return f"A full shoe of {counted(decks, 'deck')}, {counted(left.size, 'card')}"
    return f"{counted(left.size, 'card')} left of {counted(decks, 'deck')}"


def percent(value: Fraction | float, digits: int = 4) -> str:
    """A share of one as a percentage."""
    return f"{float(value) * 100:.{digits}f} %"


def signed(value: Fraction | float, digits: int = 2) -> str:
    """A gain or loss as a percentage, green where the patron gains."""
    text = f"{float(value) * 100:+.{digits}f} %"
    return f"[green]{text}[/]" if value > 0 else text
