"""Names that look alike: the same to the eye, whatever signs they are written with."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

_TWINS = {
    "a": "аα@4",
    "b": "вβ",
    "c": "с",
    "d": "ԁđðɗᴅ",
    "e": "еεє3€",
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

_STAFF = (
    *("dealer", "croupier", "pit supervisor", "pit manager", "pit boss", "shift manager", "manager", "supervisor"),
    *("pit sup", "shift mgr", "mgr", "boss", "admin", "administrator", "staff", "employee", "inspector", "cashier"),
    *("security", "support", "moderator"),
    *("荷官", "监场", "主管", "经理", "管理员", "职员", "员工", "出纳", "保安", "客服"),
)
"""Words that the house uses for its people alone: no name has one of them in it."""
_HOUSE = (
    *("automat", "standing order", "set up", "open door", "desk", "cash desk", "cash", "cage", "the cage", "house"),
    *("the house", "bank", "the bank", "casino", "the casino", "punto", "system", "table", "banker", "player"),
    *("赌场", "庄家", "系统", "银行", "账房"),
)
"""Words that the house uses for itself alone: nobody is called so, with a number or without."""
_SIGNS = "@$|!€"
"""Signs that pass for letters, or for nothing at the edge of a name."""

_ACCENTS = frozenset({1, *range(202, 241)})
"""The combining classes of marks above, below and across a letter. Vowel signs and voicing marks have others."""
_INVISIBLE = frozenset("\u034f\u115f\u1160\u180b\u180c\u180d\u2800") | set(map(chr, range(0xFE00, 0xFE10)))
"""Letters, marks and pictures that show nothing."""


def look_of(name: str, signs: str = _SIGNS) -> str:
    """The look of a name: without case, width, accents, spaces, points and signs that show nothing.

    Pictures count where there is no letter and no digit. It is empty for a name of points alone.
    """
    shown = [sign for sign in _folded(name) if unicodedata.combining(sign) not in _ACCENTS and sign not in _INVISIBLE]
    letters = "".join([sign for sign in shown if unicodedata.category(sign)[0] in "LMN" or sign in signs])
    return letters.translate(_LETTER) or "".join([sign for sign in shown if unicodedata.category(sign)[0] == "S"])


def looks_of(name: str) -> set[str]:
    """The look of a name where `|` and its like are letters, and where they are nothing."""
    return {look for look in (look_of(name), look_of(name, "")) if look}


def reads_as_house(name: str) -> bool:
    """True if a name reads as one of the house or of its staff."""
    words = _WORD.findall(_folded(_JOINED.sub(" ", name)))
    shorter = [cut for word in words for cut in (word.removesuffix("s"), word.strip("0123456789"))]
    phrases = [*words, *shorter, *map("".join, pairwise(words)), name]
    if _ACCOUNT.search(_folded(name)) or any(not looks_of(phrase).isdisjoint(_STAFF_LOOKS) for phrase in phrases):
        return True
    plain = "".join([sign for sign in name if not sign.isdigit()])
    looks = looks_of(name) | looks_of(plain)
    return not looks.isdisjoint(_HOUSE_LOOKS) or any(word in look for look in looks for word in _WRITTEN_TOGETHER)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())


_WORD = re.compile(rf"(?:[^\W_]|[{re.escape(_SIGNS)}])+")
_JOINED = re.compile("(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_ACCOUNT = re.compile(r"\w:\w")
"""An account or a desk of the house, such as `cash:1`, is written like this."""
_STAFF_LOOKS, _HOUSE_LOOKS = frozenset(map(look_of, _STAFF)), frozenset(map(look_of, _HOUSE))
_WRITTEN_TOGETHER = frozenset([word for word in (*_STAFF, *_HOUSE) if not word.isascii()])
