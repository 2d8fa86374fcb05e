"""Spoils valid inputs: their bytes, lines and tokens, and the nodes of those that are JSON. One seed gives one case."""

from __future__ import annotations

import contextlib
import copy
import json
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from typing import Any

import msgspec

TOKEN = re.compile(rb'"(?:\\.|[^"\\\n])*"|[-+]?\d[\w.+-]*|\w+|[ \t]+|.', re.DOTALL)
MOST_STEPS = 4
DEPTHS = (3, 40, 300, 1_100, 20_000)
"""How deep nested brackets go: below, about and far above what Python takes by default."""

NUMBERS = (
    *(b"0", b"-0", b"1", b"-1", b"2", b"01", b"+1", b"1.", b".5", b"0.1", b"1e3", b"1E400", b"-1e-400", b"1_000"),
    *(b"0x10", b"9007199254740993", b"2147483648", b"9223372036854775807", b"9223372036854775808"),
    *(b"-9223372036854775809", b"18446744073709551616", b"1" * 30, b"9" * 5_000, b"true", b"false", b"null"),
    *(b"NaN", b"Infinity", b"-Infinity", b"nan", b"inf", b"1979-05-27T07:32:00Z", b"07:32:00"),
)
TEXTS = (
    *("", " ", "\t", "\0", "\x7f", "\x1b[31m", "a\nb", "\r", "\u2028", "\u202e", "\u200b", "\ufeff", "\ud800"),
    *("x" * 10_000, "é", "e\u0301", "ß", "İ", "ﬁ", "𝟙", "²", "١", "Ⅷ", "用户", "👩‍👩‍👧", "\U0010ffff"),
    *("null", "true", "-1", "1e3", "0.1", "1:0", "0:1", "-1:1", "1:1:1", "9-0", "0-99", "*", ".", "..", "/", "\\"),
    *("../x.toml", "/dev/null", ".toml", "[red]", "[/]", "{0}", "{name}", "%s", "$(x)", "'", "''", "patron:", ":"),
    *("commission", "banker", "player", "tie", "Ah", "10h", "0h", "ah", "dealer:dan", "http://[", "//[::1", "=", "#"),
)
PIECES = (
    *(b"\0", b"\xff", b"\xfe\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xc0\x80", b"\xf4\x90\x80\x80", b"\r\n", b"\n"),
    *(b"\x85", b"\x1a", b'"', b"'", b"\\", b"\\u0000", b"\\ud800"),
    *(b"[", b"]", b"{", b"}", b",", b":", b"=", b"#", b"."),
)
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 7, 2**31, 2**53 + 1, 2**63 - 1, 2**63, -(2**63) - 1, 2**64, 10**30),
    *(0.0, -0.0, 0.1, 1e3, 1e308, float("nan"), float("inf"), float("-inf"), [], {}, [[]], [None], {"": None}),
    *TEXTS,
)


def spoil(chance: Random, corpus: Sequence[bytes]) -> bytes:
    """One input of a corpus after a few changes; now and then after none."""
    made = chance.choice(corpus)
    for _ in range(chance.randrange(MOST_STEPS + 1)):
        made = chance.choice(CHANGES)(chance, made, corpus)
    return made


# ------------------------------------------------------------------------------------------- bytes and lines


def _bytes(chance: Random, given: bytes, corpus: Sequence[bytes]) -> bytes:
    start = chance.randrange(len(given) + 1)
    match chance.randrange(4):
        case 0 if start < len(given):
            return given[:start] + bytes([given[start] ^ (1 << chance.randrange(8))]) + given[start + 1 :]
        case 1:
            return given[:start] + chance.choice(PIECES) + given[start:]
        case 2:
            few = chance.choice((1, 1, 2, 8, 64))
            return given[:start] + chance.randbytes(few) + given[start + few :]
    return bytes(_shuffled(chance, given, chance.choice(corpus)))


def _lines(chance: Random, given: bytes, corpus: Sequence[bytes]) -> bytes:
    return b"\n".join(_shuffled(chance, given.split(b"\n"), chance.choice(corpus).split(b"\n")))


def _shuffled(chance: Random, items: Any, others: Any) -> Any:
    """A few bytes or items left out, repeated, moved or taken from elsewhere."""
    start, other = chance.randrange(len(items) + 1), chance.randrange(len(others) + 1)
    end = min(len(items), start + chance.choice((1, 1, 1, 2, 5, 20)))
    few, rest = others[other : other + chance.choice((1, 1, 3, 10))], items[:start] + items[end:]
    place = chance.randrange(len(rest) + 1)
    ways = (
        *(rest, items[:start], items[:end] + items[start:], items[:start] + few + items[start:]),
        *(items[:start] + few + items[end:], items[:start] + others[other:]),
        rest[:place] + items[start:end] + rest[place:],
    )
    return chance.choice(ways)


# ------------------------------------------------------------------------------------------- tokens


@lru_cache(maxsize=512)
def _split(given: bytes) -> tuple[bytes, ...]:
    return tuple(TOKEN.findall(given))


def _tokens(chance: Random, given: bytes, corpus: Sequence[bytes]) -> bytes:
    tokens = list(_split(given))
    if not tokens or chance.random() < 0.3:
        return b"".join(_shuffled(chance, tokens, list(_split(chance.choice(corpus)))))
    # Blanks and points are most of the tokens, and the least of interest.
    telling = [place for place, token in enumerate(tokens) if token[:1].isalnum() or token[:1] in b'"-+'] or [0]
    place = chance.choice(telling)
    tokens[place] = _other_token(chance, tokens[place], corpus)
    return b"".join(tokens)


def _other_token(chance: Random, token: bytes, corpus: Sequence[bytes]) -> bytes:
    if chance.random() < 0.03:
        return _nested(chance)
    if chance.random() < 0.25:
        return chance.choice(_split(chance.choice(corpus)) or (b"",))
    if token.startswith(b'"'):
        text = chance.choice(TEXTS)
        as_escaped = json.dumps(text)
        return as_escaped.encode() if chance.random() < 0.7 else f'"{text}"'.encode(errors="surrogatepass")
    return chance.choice(NUMBERS) if chance.random() < 0.8 else chance.choice(TEXTS).encode(errors="surrogatepass")


def _nested(chance: Random) -> bytes:
    depth, opened, closed = chance.choice(DEPTHS), *chance.choice(((b"[", b"]"), (b'{"a":', b"}"), (b"{a=", b"}")))
    return opened * depth + (b"1" if len(opened) > 1 else b"") + closed * chance.choice((depth, depth, 0))


# ------------------------------------------------------------------------------------------- JSON


Write = Callable[[Any], bytes]


@lru_cache(maxsize=512)
def _parsed(given: bytes) -> tuple[Any, Write] | None:
    """What JSON or MessagePack says, and how it is written."""
    with contextlib.suppress(ValueError, RecursionError):
        return json.loads(given), lambda tree: json.dumps(tree).encode()
    with contextlib.suppress(ValueError, RecursionError):
        tree = msgspec.msgpack.decode(given)
        return (tree, msgspec.msgpack.encode) if isinstance(tree, list | dict) else None
    return None


Place = tuple[Any, Any]
"""A list or an object, and an index or key of it."""


def _places(value: Any) -> list[Place]:
    found: list[Place] = []
    stack = [value]
    while stack:
        node = stack.pop()
        keys: Any = node if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
        for key in keys:
            found.append((node, key))
            stack.append(node[key])
    return found


def spoil_tree(chance: Random, tree: Any, others: Any) -> Any:
    """A tree of plain data with one node changed. `others` is one to take nodes from."""
    tree = [copy.deepcopy(tree)]
    node, key = chance.choice(_places(tree))
    match chance.randrange(7):
        case 0 | 1:
            node[key] = copy.deepcopy(chance.choice(VALUES))
        case 2 if isinstance(node, dict):
            name = str(key)  # MessagePack has keys of any kind
            node[chance.choice((name.upper(), name + " ", f"{name}s", "", "kind", "\u0000", "x" * 300))] = node.pop(key)
        case 3 if node is not tree:
            del node[key]
        case 4:
            node[key] = chance.choice(([node[key]], {"a": node[key]}, [node[key]] * 3, str(node[key])))
        case 5 if isinstance(node, list):
            node.insert(key, copy.deepcopy(node[key]))
        case _:
            elsewhere = _places([others])
            there, at = chance.choice(elsewhere)
            node[key] = copy.deepcopy(there[at])
    return tree[0]


def _tree(chance: Random, given: bytes, corpus: Sequence[bytes]) -> bytes:
    parsed, other = _parsed(given), _parsed(chance.choice(corpus))
    if parsed is None:
        return _tokens(chance, given, corpus)
    tree, write = parsed
    try:
        return write(spoil_tree(chance, tree, other[0] if other else None))
    except (TypeError, OverflowError, UnicodeEncodeError):  # MessagePack has no number so large, JSON no bytes
        return given


CHANGES = (_bytes, _lines, _tokens, _tokens, _tree, _tree)
