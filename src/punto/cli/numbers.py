"""Numbers on the command line."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from punto.rules.reasons import quoted
from punto.rules.refusals import Refusal, Refused

_NUMBER = re.compile(r"-?[0-9]{1,30}(\.[0-9]{1,30})?([eE][0-9]{1,2})?")


def read_whole(text: str, refuse: Callable[[str], Refusal]) -> int:
    """Parse a whole number, also 1e9 or 2.5e6. Raises Refused with the refusal that `refuse` makes."""
    plain = text.replace("_", "").replace(",", "")
    number = Fraction(plain) if _NUMBER.fullmatch(plain) else Fraction(1, 2)
    if number.denominator != 1:
        raise Refused(refuse(quoted(text)))
    return number.numerator
