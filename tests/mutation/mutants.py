"""Mutants: one small mistake each, in the syntax tree of a module of the core or in the data of a sheet.

Texts are left out, and with them docstrings, annotations, `__repr__` and its like: a sentence is no rule.
"""

from __future__ import annotations

import ast
import copy
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "punto"
CORE = ("rules", "table", "ledger")
LEFT_OUT = {"rules/html.py", "rules/tabular.py", "rules/words.py"}
"""Modules that make texts and frames."""
SHOWN = {"__repr__", "__str__", "_repr_html_", "spoken"}
"""Functions that make texts."""
UNTOLD_CALLS = {"field", "isinstance", "NewType", "TypeVar", "lru_cache", "cast"}
"""Calls whose arguments are no rules."""
UNTOLD_KEYWORDS = {"strict", "repr", "compare", "init", "frozen", "slots", "eq", "kw_only"}
TYPES = {"tuple", "list", "dict", "frozenset", "type"}

NEGATED: dict[type[ast.cmpop], ast.cmpop] = {
    ast.Eq: ast.NotEq(),
    ast.NotEq: ast.Eq(),
    ast.Is: ast.IsNot(),
    ast.IsNot: ast.Is(),
    ast.In: ast.NotIn(),
    ast.NotIn: ast.In(),
}
COMPARED = {**NEGATED, ast.Lt: ast.LtE(), ast.LtE: ast.Lt(), ast.Gt: ast.GtE(), ast.GtE: ast.Gt()}
ARITHMETIC: dict[type[ast.operator], ast.operator] = {
    ast.Add: ast.Sub(),
    ast.Sub: ast.Add(),
    ast.Mult: ast.Add(),
    ast.FloorDiv: ast.Mult(),
    ast.Div: ast.Mult(),
    ast.Mod: ast.FloorDiv(),
    ast.Pow: ast.Mult(),
    ast.BitOr: ast.BitAnd(),
    ast.BitAnd: ast.BitOr(),
    ast.BitXor: ast.BitAnd(),
    ast.LShift: ast.RShift(),
    ast.RShift: ast.LShift(),
}
COUNTERPARTS = {"min": "max", "max": "min", "any": "all", "all": "any"}

Put = Callable[[ast.AST], None]


@dataclass
class Mutant:
    """One mistake. `put` makes it in what all mutants of the file share: a syntax tree, or the data of a sheet."""

    file: str
    within: str
    """The class and function around it, as in `Limits.__post_init__`; in a sheet, the path of the key."""
    change: str
    put: Callable[[], None] = field(repr=False)
    tree: Any = field(repr=False)
    lines: tuple[int, ...] = ()
    """The lines of which a test must run one to notice."""
    key: str = ""
    """What the baseline calls it, whatever its line."""


def every_mutant() -> list[Mutant]:
    """All mutants of code and of sheets, the smallest modules first."""
    files = [file for part in CORE for file in (SOURCE / part).rglob("*.py")]
    names = [each.relative_to(SOURCE).as_posix() for each in sorted(files, key=lambda file: file.stat().st_size)]
    sheets = [f"sheets/{file.name}" for file in sorted((SOURCE / "sheets").glob("*.toml"))]
    return [mutant for name in (*names, *sheets) if name not in LEFT_OUT for mutant in mutants_of(name)]


def mutants_of(name: str, source: str | None = None) -> list[Mutant]:
    """All mutants of a file, in its order."""
    source = (SOURCE / name).read_text(encoding="utf-8") if source is None else source
    found = list(_of_sheet(name, source) if name.endswith(".toml") else _of_code(name, source))
    seen: dict[str, int] = {}
    for mutant in found:
        key = f"{name} {mutant.within}: {mutant.change}"
        seen[key] = seen.get(key, 0) + 1
        mutant.key = key if seen[key] == 1 else f"{key} #{seen[key]}"
    return found


# ------------------------------------------------------------------------------------------- code


@dataclass(frozen=True)
class _Place:
    """Where the walk is."""

    within: tuple[str, ...] = ()
    function: ast.AST | None = None
    """The outermost function around it; None where it is run by an import."""
    line: int = 0
    """Of the statement."""


def _of_code(name: str, source: str) -> Iterator[Mutant]:
    tree = ast.parse(source)
    for node, place, parent, slot in _walk(tree, _Place()):
        for new in _replacements(node, parent, place):
            at = node.target if isinstance(node, ast.comprehension) else node
            ast.copy_location(new, at)
            ast.fix_missing_locations(new)
            last = at.lineno if isinstance(node, ast.stmt) else at.end_lineno  # type: ignore[attr-defined]
            lines = (place.line, *range(at.lineno, last + 1))  # type: ignore[attr-defined]
            yield Mutant(name, ".".join(place.within), _change(node, new), _putting(slot, new), tree, lines)


def _putting(slot: Put, new: ast.AST) -> Callable[[], None]:
    return lambda: slot(new)


def _walk(node: ast.AST, place: _Place) -> Iterator[tuple[ast.AST, _Place, ast.AST, Put]]:
    """Every node that may be mutated, with the function that puts another into its slot."""
    for name, value in ast.iter_fields(node):
        is_base = isinstance(node, ast.ClassDef) and name in {"bases", "keywords", "decorator_list"}
        if is_base or name in {"annotation", "returns", "decorator_list"}:
            continue
        for index, child in enumerate(value if isinstance(value, list) else [value]):
            if not isinstance(child, ast.AST) or _is_text(child, place):
                continue

            def put(
                new: ast.AST, name: str = name, at: int | None = index if isinstance(value, list) else None
            ) -> None:
                if at is None:
                    setattr(node, name, new)
                else:
                    getattr(node, name)[at] = new

            below = place
            if isinstance(child, ast.stmt):
                below = _Place(place.within, place.function, child.lineno)
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                function = place.function or (None if isinstance(child, ast.ClassDef) else child)
                below = _Place((*place.within, child.name), function, child.lineno)
            yield child, below if isinstance(child, ast.stmt) else place, node, put
            yield from _walk(child, below)


def _is_text(node: ast.AST, place: _Place) -> bool:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return name in SHOWN
        case ast.Expr(value=ast.Constant()) | ast.JoinedStr() | ast.Import() | ast.ImportFrom():
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in UNTOLD_CALLS
        case ast.keyword(arg=name):
            return name in UNTOLD_KEYWORDS
        case ast.Assign(value=value) if place.function is None:
            return _is_type(value)
        case ast.Subscript(value=ast.Name(id=name)):
            return name in TYPES  # as in frozenset[int]()
    return False


def _is_type(value: ast.AST) -> bool:
    """Whether a value names a type, as in `Reading = Taken | None`."""
    match value:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _is_type(left) and _is_type(right)
        case ast.Subscript(value=ast.Name(id=name)):
            return name[:1].isupper() or name in TYPES
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name[:1].isupper() and not name.isupper()
        case ast.Constant(value=None):
            return True
    return False


def _change(old: ast.AST, new: ast.AST) -> str:
    """What was changed, in a line."""
    match old, new:
        case ((ast.If() | ast.While() | ast.IfExp()), (ast.If() | ast.While() | ast.IfExp())):
            return f"if {_shown(old.test)} → {_shown(new.test)}"
        case ast.Dict(), ast.Dict():
            gone = next(i for i, key in enumerate(old.keys) if i == len(new.keys) or new.keys[i] is not key)
            return f"without {_shown(old.keys[gone] or old.values[gone])}: {_shown(old.values[gone])}"
        case ((ast.Set() | ast.List() | ast.Tuple()), (ast.Set() | ast.List() | ast.Tuple())):
            gone = next(i for i, each in enumerate(old.elts) if i == len(new.elts) or new.elts[i] is not each)
            return f"without {_shown(old.elts[gone])}"
    return f"{_shown(old)} → {_shown(new)}"


def _shown(node: object) -> str:
    text = " ".join(ast.unparse(node).split()) if isinstance(node, ast.AST) else str(node)
    return text if len(text) <= 90 else f"{text[:60]} … {text[-25:]}"


def _replacements(node: ast.AST, parent: ast.AST, place: _Place) -> Iterator[ast.AST]:
    match node:
        case ast.Compare():
            for index, operator in enumerate(node.ops):
                ops = [*node.ops[:index], COMPARED[type(operator)], *node.ops[index + 1 :]]
                yield ast.Compare(node.left, ops, node.comparators)
        case ast.BoolOp():
            for rest in _shorter(node.values):
                yield rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
        case ast.BinOp() if not _is_string(node.left) and not _is_string(node.right):
            yield ast.BinOp(node.left, ARITHMETIC[type(node.op)], node.right)
        case ast.AugAssign() if not _is_string(node.value):
            yield ast.AugAssign(node.target, ARITHMETIC[type(node.op)], node.value)
            yield ast.Pass()
        case ast.UnaryOp(op=ast.USub() | ast.Not()):
            yield node.operand
        case ast.Constant(value=bool()):
            yield ast.Constant(not node.value)
        case ast.Constant(value=int(number)):
            yield ast.Constant(number + 1)
            yield ast.Constant(number - 1)
        case ast.Call(func=ast.Name(id=name)) if name in COUNTERPARTS:
            yield ast.Call(ast.Name(COUNTERPARTS[name], ast.Load()), node.args, node.keywords)
        case ast.Call(func=ast.Name(id="sorted")):
            yield ast.Call(ast.Name("list", ast.Load()), node.args, [])
        case ast.Slice(lower=ast.expr(), upper=upper):
            yield ast.Slice(None, upper, node.step)
        case ast.Slice(lower=None, upper=ast.expr()):
            yield ast.Slice(None, None, node.step)
        case ast.Raise() | ast.Continue() | ast.Break() | ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()
        case ast.Return(value=ast.expr()) if parent is not place.function:
            yield ast.Pass()
        case ast.Expr():
            yield ast.Pass()
        case ast.Dict() if len(node.keys) > 1 or place.function is None:
            for index in range(len(node.keys)):
                keys, values = ([*part[:index], *part[index + 1 :]] for part in (node.keys, node.values))
                yield ast.Dict(keys, values)
        case ast.Set() | ast.List(ctx=ast.Load()) if len(node.elts) > 1:
            for rest in _shorter(node.elts):
                yield ast.Set(rest) if isinstance(node, ast.Set) else ast.List(rest, ast.Load())
        case ast.Tuple(ctx=ast.Load()) if _is_table(node, parent, place):
            for rest in _shorter(node.elts):
                yield ast.Tuple(rest, ast.Load())
        case ast.comprehension(ifs=ifs):
            for rest in _shorter(ifs):
                yield ast.comprehension(node.target, node.iter, rest, node.is_async)
    if isinstance(node, ast.If | ast.While | ast.IfExp) and not _is_negated_elsewhere(node.test):
        negated = copy.copy(node)
        negated.test = ast.copy_location(ast.UnaryOp(ast.Not(), node.test), node.test)
        yield negated


def _shorter(items: list[ast.expr]) -> Iterator[list[ast.expr]]:
    """The list without each of its items."""
    for index in range(len(items)):
        yield [*items[:index], *items[index + 1 :]]


def _is_table(node: ast.Tuple, parent: ast.AST, place: _Place) -> bool:
    """Whether a tuple lists entries of a table: made by the import, and neither a key nor a type."""
    is_key = isinstance(parent, ast.Dict) and node in parent.keys
    return place.function is None and bool(node.elts) and not is_key and not isinstance(parent, ast.Subscript)


def _is_string(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _is_negated_elsewhere(test: ast.expr) -> bool:
    match test:
        case ast.UnaryOp(op=ast.Not()):
            return True
        case ast.Compare(ops=[operator]):
            return type(operator) in NEGATED
    return False


# ------------------------------------------------------------------------------------------- sheets

TEXTS = {"id", "title", "short", "effective", "version", "says", "name", "appendix", "situation", "zh", "paragraphs"}
"""Keys of words, of names, and of what a paragraph says in short."""
CHOICES = (
    ("player", "banker", "tie"),
    ("four-cards", "player-third"),
    ("seated-highest-bet", "any-patron"),
    ("dealer", "pit-supervisor", "pit-manager", "shift-manager", "casino-manager"),
    ("outcome-established", "outcome-established-and-reconstructible"),
    (
        *("void", "refuse", "stands", "settle", "pro-rata", "raise-or-withdraw", "conclude-or-void", "reconstruct"),
        *("continue", "order-cards", "options", "no-effect", "return-original", "chips-prevail", "table-prevails"),
    ),
)
"""Words of a kind: the mutant of one is the next."""


def _of_sheet(name: str, source: str) -> Iterator[Mutant]:
    data = tomllib.loads(source)
    paragraphs = list(data.get("paragraphs", ()))

    def visit(table: Any, key: Any, path: str) -> Iterator[Mutant]:
        value = table[key]
        if isinstance(table, list):
            path += f".{value['id']}" if isinstance(value, dict) and "id" in value else f"[{key}]"
        else:
            path += f".{key}"
        news = [] if isinstance(value, dict | list) else list(_values(value, paragraphs))
        if isinstance(value, dict | list):
            yield Mutant(name, path.strip("."), f"{str(value)[:40]} → (gone)", lambda: table.__delitem__(key), data)
            for inner in list(value) if isinstance(value, dict) else range(len(value)):
                if inner not in TEXTS:
                    yield from visit(value, inner, path)
        for new in news:
            yield Mutant(name, path.strip("."), f"{value} → {new}", _setting(table, key, new), data)

    for key in data:
        if key not in TEXTS:
            yield from visit(data, key, "")


def _setting(table: Any, key: Any, new: object) -> Callable[[], None]:
    return lambda: table.__setitem__(key, new)


def _values(value: Any, paragraphs: list[str]) -> Iterator[object]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1)
    elif value in paragraphs and not re.fullmatch(r"[0-9]", value):
        yield paragraphs[(paragraphs.index(value) + 1) % len(paragraphs)]
    elif found := re.fullmatch(r"([0-9.]+):([0-9.]+)", value):
        yield f"{float(found[1]) + 1:g}:{found[2]}"
        yield f"{found[1]}:{int(found[2]) + 1}"
    elif found := re.fullmatch(r"([0-9])(?:-([0-9]))?", value):
        first, last = int(found[1]), int(found[2] or found[1])
        for low, high in ((first - 1, last), (first + 1, last), (first, last - 1), (first, last + 1)):
            if 0 <= low <= high <= 9:
                yield f"{low}-{high}"
    for words in CHOICES:
        if value in words:
            yield words[(words.index(value) + 1) % len(words)]
