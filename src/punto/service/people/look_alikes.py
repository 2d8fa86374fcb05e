"""Names that look alike: the same to the eye, whatever signs they are written with."""

from __future__ import annotations

import unicodedata

_TWINS = {
    "a": "аα@4",
    "b": "вβ",
    "c": "сϲ",
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


def look_of(name: str) -> str:
    """How a name looks: without case, width, accents, spaces, points and signs that show nothing."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    return "".join([sign for sign in plain if sign.isalnum() or sign in "@$|!"]).translate(_LETTER)


OFFICE_LOOKS = frozenset(map(look_of, _OFFICES))
