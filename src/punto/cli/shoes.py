"""Shared by the commands of exact analysis: parsing shoes and formatting figures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from punto.cli.output import phrase
from punto.cli.refusals import DeviceOption, DeviceUnknown
from punto.rules.bets import OfferedBet
from punto.rules.cards import Rank, parse_cards
from punto.rules.composition import Composition, shoe_of, shoe_without
from punto.rules.reasons import quoted
from punto.rules.refusals import BetNotOffered, Refused
from punto.rules.sheet import Device, Sheet
from punto.rules.shoe_refusals import CountsInvalid


def read_shoe(decks: int, counts: Sequence[str] | None, removed: str | None) -> Composition:
    """The shoe of `--decks`, with the cards left by `--counts` or without those of `--removed`."""
    if counts is not None and removed:
        raise Refused(CountsInvalid("counts-and-removed"))
    if counts is not None:
        return shoe_of(decks, read_whole_numbers(counts, "--counts"))
    return shoe_without(decks, parse_cards(removed or ""))


def read_device(given: str, **options: object) -> Device:
    """The device of `--device`. A shuffler refuses the options that were given (not None)."""
    if given not in set(Device):
        raise Refused(DeviceUnknown(quoted(given), tuple(Device)))
    device = Device(given)
    for option, value in options.items():
        if device is Device.SHUFFLER and value is not None:
            raise Refused(DeviceOption(f"--{option}"))
    return device


def read_whole_numbers(given: Sequence[str], option: str) -> list[int]:
    """Parse thirteen whole numbers, ace to king, separated by spaces or commas or given as several words."""
    return [int(word) for word in _thirteen(given, option, r"[-+]?[0-9]{1,6}", "count-not-whole")]


def read_tags(given: Sequence[str], option: str) -> tuple[float, ...]:
    """Parse thirteen tags, ace to king, or ten, of which the last is for ten to king; fractions are allowed."""
    words = _thirteen(given, option, r"[-+]?[0-9]{1,6}(\.[0-9]{1,6})?", "tag-not-number", or_ten=True)
    return tuple([float(word) for word in words])


def _thirteen(given: Sequence[str], option: str, pattern: str, problem: str, *, or_ten: bool = False) -> list[str]:
    words = re.split(r"[\s,]+", " ".join(given).strip()) if given else []
    for word in words:
        if not re.fullmatch(pattern, word):
            raise Refused(CountsInvalid(problem, quoted(word), argument=option))
    if or_ten and len(words) == len(Rank) - 3:
        words += words[-1:] * 3
    if len(words) != len(Rank):
        raise Refused(CountsInvalid("counts-not-thirteen", str(len(words)), argument=option))
    return words


def bet_of(sheet: Sheet, bet: str) -> OfferedBet:
    """An original or side bet of a sheet by its id."""
    if bet not in sheet.bets:
        raise Refused(BetNotOffered(bet, tuple(sheet.bets)))
    return sheet.bets[bet]


def shoe_line(decks: int, left: Composition) -> str:
    """A shoe in one line."""
    if left == Composition.full(decks):
        return phrase("full-shoe", decks=decks, cards=left.size)
    return phrase("shoe-left", decks=decks, cards=left.size)


def percent(value: Fraction | float, digits: int = 4) -> str:
    """A share of one as a percentage."""
    return f"{float(value) * 100:.{digits}f} %"


def signed(value: Fraction | float, digits: int = 2) -> str:
    """A gain or loss as a percentage, green where the patron gains."""
    text = f"{float(value) * 100:+.{digits}f} %"
    return f"[green]{text}[/]" if value > 0 else text
