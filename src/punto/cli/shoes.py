"""Shared by the commands of exact analysis and dealt shoes: parsing what they are given, and formatting figures."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeVar

from punto.cli.declare import Output
from punto.cli.output import console, phrase, said
from punto.cli.refusals import DeviceOption
from punto.library.progress import Progress
from punto.rules.composition import Composition
from punto.rules.reasons import quoted
from punto.rules.refusals import Refused
from punto.rules.sheet import Device, Sheet
from punto.rules.shoe_refusals import CountsInvalid

Number = TypeVar("Number", int, float)


def check_device(device: str, **options: object) -> None:
    """Refuse the options that were given (not None) with a shuffler, which has no use for them."""
    for option, value in options.items():
        if device == Device.SHUFFLER and value is not None:
            raise Refused(DeviceOption(f"--{option}"))


def read_numbers(given: Sequence[str], kind: Callable[[str], Number], option: str, problem: str) -> list[Number]:
    """Parse numbers that are separated by spaces or commas, or given as several words."""
    words = re.split(r"[\s,]+", " ".join(given).strip())
    try:
        return [kind(word) for word in words]
    except ValueError:
        raise Refused(CountsInvalid(problem, quoted(" ".join(words)), argument=option)) from None


def progress(ask: Output, total: int, noun: str) -> Progress:
    """The line of progress of long work, for people."""
    return Progress(total, noun, shown=False if ask.as_json else None)


def shoe_line(decks: int, left: Composition) -> str:
    """A shoe in one line."""
    if left == Composition.full(decks):
        return phrase("full-shoe", decks=decks, cards=left.size)
    return phrase("shoe-left", decks=decks, cards=left.size)


def note_decks(sheet: Sheet, decks: int) -> None:
    """Note it if the sheet does not allow this number of decks. The figures are valid all the same."""
    if decks not in sheet.decks:
        least, most = sheet.decks.minimum, sheet.decks.maximum
        console().print(f"[yellow]{phrase('decks-of-sheet', least=least, most=most, rule=sheet.decks.rule)}[/]")


def note_device(sheet: Sheet, device: str) -> None:
    """Note it if the sheet does not know this device. The figures are valid all the same."""
    if device not in sheet.play.devices:
        console().print(f"[yellow]{said(phrase('no-shuffler', sheet, title=sheet.title))}[/]")


def percent(value: Fraction | float, digits: int = 4) -> str:
    """A share of one as a percentage."""
    return f"{float(value) * 100:.{digits}f} %"


def signed(value: Fraction | float, digits: int = 2) -> str:
    """A gain or loss as a percentage, green where the patron gains."""
    text = f"{float(value) * 100:+.{digits}f} %"
    return f"[green]{text}[/]" if value > 0 else text
