"""Mutants of code: one small mistake each, made in the syntax tree of a module.

Texts are left out, and with them docstrings, annotations, `__repr__` and its like: a sentence is no rule.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "punto"

SHOWN = {"__repr__", "__str__", "_repr_html_", "spoken", "refusal_table"}
"""Functions that make texts."""
LEFT_OUT = {"rules/html.py", "rules/tabular.py", "rules/words.py"}
"""Modules that make texts and frames."""
UNTOLD_CALLS = {"field", "isinstance", "NewType", "TypeVar", "lru_cache", "cast"}
"""Calls whose arguments are no rules."""
UNTOLD_KEYWORDS = {"strict", "repr", "compare", "init", "frozen", "slots", "eq", "kw_only"}

COMPARISONS: dict[type[ast.cmpop], ast.cmpop] = {
    ast.Lt: ast.LtE(),
    ast.LtE: ast.Lt(),
    ast.Gt: ast.GtE(),
    ast.GtE: ast.Gt(),
    ast.Eq: ast.NotEq(),
    ast.NotEq: ast.Eq(),
    ast.Is: ast.IsNot(),
    ast.IsNot: ast.Is(),
    ast.In: ast.NotIn(),
    ast.NotIn: ast.In(),
}
INVERTED = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn)
"""Comparisons of which the mutant is the negation already."""
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
ROLES = ("DEALER", "PIT_SUPERVISOR", "PIT_MANAGER", "SHIFT_MANAGER")
COUNTERPARTS = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass
class Mutant:
    """One mistake. `put` makes it in the tree that all mutants of the module share."""

    file: str
    line: int
    within: str
    """The class and function around it, as in `Limits.__post_init__`."""
    change: str
    lines: tuple[int, ...] = field(repr=False)
    """The lines of which a test must run one to notice."""
    put: Callable[[], None] = field(repr=False)
    tree: ast.Module = field(repr=False)
    function: ast.AST | None = field(repr=False)
    """The outermost function around it; None where it is run by an import."""
    key: str = ""
    """What the baseline calls it, whatever its line."""


@dataclass
class _Place:
    """Where the walk is."""

    within: tuple[str, ...] = ()
    function: ast.AST | None = None
    statement: ast.stmt | None = None


def modules() -> list[str]:
    """The mutated modules, smallest first."""
    files = [file for part in ("rules", "table", "ledger") for file in (SOURCE / part).rglob("*.py")]
    names = [file.relative_to(SOURCE).as_posix() for file in sorted(files, key=lambda file: file.stat().st_size)]
    return [name for name in names if name not in LEFT_OUT]


def code_mutants(name: str) -> list[Mutant]:
    """All mutants of a module, in its order."""
    return mutants_of(name, (SOURCE / name).read_text(encoding="utf-8"))


def mutants_of(name: str, source: str) -> list[Mutant]:
    """All mutants of the source of a module."""
    tree = ast.parse(source)
    found: list[Mutant] = []
    for node, place, parent, slot in _walk(tree, _Place()):
        found += [_mutant(name, tree, node, place, new, slot) for new in _replacements(node, parent, place)]
    seen: dict[str, int] = {}
    for mutant in found:
        key = f"{name} {mutant.within}: {mutant.change}"
        seen[key] = seen.get(key, 0) + 1
        mutant.key = key if seen[key] == 1 else f"{key} #{seen[key]}"
    return found


Put = Callable[[ast.AST], None]


def _walk(node: ast.AST, place: _Place) -> Iterator[tuple[ast.AST, _Place, ast.AST, Put]]:
    """Every node that may be mutated, with the function that puts another into its slot."""
    for name, value in ast.iter_fields(node):
        if _is_left_out(node, name):
            continue
        items = value if isinstance(value, list) else [value]
        for index, child in enumerate(items):
            if not isinstance(child, ast.AST) or _is_text(child, place):
                continue
            at = index if isinstance(value, list) else None

            def put(new: ast.AST, node: ast.AST = node, name: str = name, at: int | None = at) -> None:
                if at is None:
                    setattr(node, name, new)
                else:
                    getattr(node, name)[at] = new

            below = place
            if isinstance(child, ast.stmt):
                below = _Place(place.within, place.function, child)
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                function = place.function or (None if isinstance(child, ast.ClassDef) else child)
                below = _Place((*place.within, child.name), function, child)
            yield child, below if isinstance(child, ast.stmt) else place, node, put
            yield from _walk(child, below)


def _is_left_out(node: ast.AST, name: str) -> bool:
    """Whether a part of a node is no rule: an annotation, a decorator, a base class; the step of a slice goes whole."""
    if isinstance(node, ast.ClassDef):
        return name in {"bases", "keywords", "decorator_list"}
    return name in {"annotation", "returns", "decorator_list"} or (isinstance(node, ast.Slice) and name == "step")


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
            return name in {"frozenset", "tuple", "list", "dict"}  # a type, as in frozenset[int]()
    return False


def _is_type(value: ast.AST) -> bool:
    """Whether a value names a type, as in `Reading = Taken | None`."""
    match value:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _is_type(left) and _is_type(right)
        case ast.Subscript(value=ast.Name(id=name)):
            return name[:1].isupper() or name in {"tuple", "list", "dict", "frozenset", "type"}
        case ast.Name(id=name):
            return name[:1].isupper() and not name.isupper()
        case ast.Constant(value=None):
            return True
        case ast.Attribute():
            return _is_type(ast.Name(value.attr))
    return False


def _mutant(name: str, tree: ast.Module, node: ast.AST, place: _Place, new: ast.AST, slot: Put) -> Mutant:
    ast.copy_location(new, node)
    ast.fix_missing_locations(new)
    line, last = node.lineno, node.end_lineno or node.lineno  # type: ignore[attr-defined]
    if isinstance(node, ast.stmt):
        last = line
    statement = place.statement.lineno if place.statement else line
    function = place.function
    if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and line < function.body[0].lineno:
        function = None  # a default, which is worked out by the import
    change = _change(node, new)
    lines = tuple(range(line, last + 1)) + ((statement,) if function else ())
    return Mutant(name, line, ".".join(place.within), change, lines, lambda: slot(new), tree, function)


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


def _shown(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 90 else f"{text[:60]} … {text[-25:]}"


def _replacements(node: ast.AST, parent: ast.AST, place: _Place) -> Iterator[ast.AST]:
    match node:
        case ast.Compare():
            for index, operator in enumerate(node.ops):
                new = copy.copy(node)
                new.ops = [*node.ops[:index], COMPARISONS[type(operator)], *node.ops[index + 1 :]]
                yield new
        case ast.BoolOp():
            for index in range(len(node.values)):
                rest = [*node.values[:index], *node.values[index + 1 :]]
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
        case ast.Call():
            yield from _calls(node)
        case ast.Slice():
            yield from _slices(node)
        case ast.Raise() | ast.Continue() | ast.Break():
            yield ast.Pass()
        case ast.Return(value=value) if value is not None and parent is not place.function:
            yield ast.Pass()
        case ast.Expr() if not isinstance(node.value, ast.Constant):
            yield ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()
        case ast.Dict() if len(node.keys) > 1 or place.function is None:
            for index in range(len(node.keys)):
                yield ast.Dict([*node.keys[:index], *node.keys[index + 1 :]], _without(node.values, index))
        case ast.Set() if len(node.elts) > 1:
            for index in range(len(node.elts)):
                yield ast.Set(_without(node.elts, index))
        case ast.List(ctx=ast.Load()) if len(node.elts) > 1:
            for index in range(len(node.elts)):
                yield ast.List(_without(node.elts, index), ast.Load())
        case ast.Tuple(ctx=ast.Load()) if _is_table(node, parent, place):
            for index in range(len(node.elts)):
                yield ast.Tuple(_without(node.elts, index), ast.Load())
        case ast.Attribute(value=ast.Name(id="Role"), attr=role) if place.function is None and role in ROLES:
            yield ast.Attribute(node.value, ROLES[(ROLES.index(role) + 1) % len(ROLES)], ast.Load())
        case ast.Constant(value=None) if place.function is None and "Role." in ast.unparse(parent)[:200]:
            yield ast.Attribute(ast.Name("Role", ast.Load()), ROLES[0], ast.Load())
        case ast.comprehension(ifs=ifs) if ifs:
            for index in range(len(ifs)):
                yield _located(ast.comprehension(node.target, node.iter, _without(ifs, index), node.is_async), node)
    if isinstance(node, ast.If | ast.While | ast.IfExp) and not _negated_already(node.test):
        negated = copy.copy(node)
        negated.test = ast.copy_location(ast.UnaryOp(ast.Not(), node.test), node.test)
        yield negated


def _is_table(node: ast.Tuple, parent: ast.AST, place: _Place) -> bool:
    """Whether a tuple lists entries of a table: made by the import, and neither a key nor a type."""
    is_key = isinstance(parent, ast.Dict) and node in parent.keys
    return place.function is None and bool(node.elts) and not is_key and not isinstance(parent, ast.Subscript)


def _located(new: ast.comprehension, old: ast.comprehension) -> ast.comprehension:
    """A comprehension's part has no place of its own: it is where its target is."""
    for each in (new, old):
        ast.copy_location(each, each.target)
        each.lineno, each.end_lineno = each.target.lineno, each.iter.end_lineno  # type: ignore[attr-defined]
    return new


def _without(items: list[ast.expr], index: int) -> list[ast.expr]:
    return [*items[:index], *items[index + 1 :]]


def _is_string(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _negated_already(test: ast.expr) -> bool:
    match test:
        case ast.UnaryOp(op=ast.Not()):
            return True
        case ast.Compare(ops=[operator]):
            return isinstance(operator, INVERTED)
    return False


def _calls(node: ast.Call) -> Iterator[ast.AST]:
    name = node.func.id if isinstance(node.func, ast.Name) else None
    if name in COUNTERPARTS:
        yield ast.Call(ast.Name(COUNTERPARTS[name], ast.Load()), node.args, node.keywords)
        return
    if name == "reversed":
        yield node.args[0]
        return
    if name == "sorted":
        yield ast.Call(ast.Name("list", ast.Load()), node.args, [])
        for index, keyword in enumerate(node.keywords):
            if keyword.arg == "key":
                yield ast.Call(node.func, node.args, [*node.keywords[:index], *node.keywords[index + 1 :]])
        return
    match node.args:
        case [first, second, *rest] if _are_alike(first, second):
            yield ast.Call(node.func, [second, first, *rest], node.keywords)


def _are_alike(first: ast.expr, second: ast.expr) -> bool:
    """Whether two arguments might be taken for each other. The state of a table is taken for nothing else."""
    kinds = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)
    given = {each.id for each in (first, second) if isinstance(each, ast.Name)}
    is_told_apart = bool(given & {"state", "draft", "sheet", "self", "cls", "case", "event", "command"})
    return isinstance(first, kinds) and isinstance(second, kinds) and not is_told_apart and first is not second


def _slices(node: ast.Slice) -> Iterator[ast.AST]:
    if node.lower is not None and not (isinstance(node.lower, ast.Constant) and node.lower.value == 0):
        yield ast.Slice(None, node.upper, node.step)
    if node.upper is not None:
        yield ast.Slice(node.lower, None, node.step)
    if node.step is not None:
        yield ast.Slice(node.lower, node.upper, None)
