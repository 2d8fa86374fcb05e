"""Numbers as people write them at a prompt."""

from __future__ import annotations

import re
from fractions import Fraction

from punto.rules.refusals import Code, RefusedError, shorten

_NUMBER = re.compile(r"-?[0-9]{1,30}(\.[0-9]{1,30})?([eE][0-9]{1,2})?")


def read_whole(text: str, code: Code) -> int:
    """A whole number, also as 1e9 or 2.5e6; a RefusedError with the code says that it is none."""
    plain = text.replace("_", "").replace(",", "")
    number = Fraction(plain) if _NUMBER.fullmatch(plain) else Fraction(1, 2)
    if number.denominator != 1:
        raise RefusedError(code, f"{shorten(repr(text))} is not a whole number such as 1000000 or 1e9")
    return number.numerator
