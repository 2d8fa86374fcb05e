"""Names that look alike: the same to the eye, whatever signs they are written with."""

from __future__ import annotations

import unicodedata

_TWINS = {
    "a": "аα@4",
    "b": "вβ",
    "c": "с",
    "d": "ԁ",
    "e": "еεє3",
    "h": "һнη",
    "i": "іιı1l|!ӏ",
    "j": "јϳ",
    "k": "кκ",
    "m": "мμ",
    "n": "пν",
    "o": "оοσ0",
    "p": "рρ",
    "q": "ԛ",
    "r": "г",
    "s": "ѕ$5",
    "t": "тτ7",
    "u": "υц",
    "w": "ԝω",
    "x": "хχ",
    "y": "уγү",
}
"""Signs of other alphabets, and digits, that pass for a letter."""
_LETTER = str.maketrans({twin: letter for letter, twins in _TWINS.items() for twin in twins})

_OFFICES = (
    *("dealer", "pit supervisor", "pit manager", "shift manager", "admin", "administrator", "manager", "supervisor"),
    *("staff", "house", "the house", "casino", "cashier", "punto", "system", "security", "support"),
    *("荷官", "监场", "主管", "经理", "管理员", "职员", "赌场", "庄家", "系统", "出纳"),
)
"""What only the house calls itself and its people."""


_ACCENTS = frozenset({1, *range(202, 241)})
"""The combining classes of marks above, below and across a letter. Vowel signs and voicing marks have others."""
_INVISIBLE = frozenset("\u034f\u115f\u1160\u180b\u180c\u180d\u2800") | set(map(chr, range(0xFE00, 0xFE10)))
"""Letters, marks and pictures that show nothing."""


def look_of(name: str) -> str:
    """How a name looks: without case, width, accents, spaces, points and signs that show nothing.

    Pictures count where there is no letter and no digit. It is empty for a name of points alone.
    """
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    shown = [sign for sign in folded if unicodedata.combining(sign) not in _ACCENTS and sign not in _INVISIBLE]
    letters = "".join([sign for sign in shown if unicodedata.category(sign)[0] in "LMN" or sign in "@$|!"])
    return letters.translate(_LETTER) or "".join([sign for sign in shown if unicodedata.category(sign)[0] == "S"])


OFFICE_LOOKS = frozenset(map(look_of, _OFFICES))
