"""The named methods of a table in the library, written from the acts: `python -m tests.docs.named_acts`."""

from __future__ import annotations

import re
from dataclasses import MISSING, Field, fields
from pathlib import Path

from punto.table import acts
from punto.table.act import PatronCommand

FILE = Path(__file__).parents[2] / "src" / "punto" / "library" / "named_acts.py"
TEXT_TOO = {
    "Cents": "int",
    "Cents | None": "int | None",
    "Card | None": "Card | str | None",
    "tuple[Card, ...]": "Cards",
    "Odds | None": "Odds | str | None",
    "Role | None": "Role | str | None",
    "Option": "Option | str",
    "Decision": "Decision | str",
    "SqueezeOf": "SqueezeOf | str",
    "Facts": "Facts | Mapping[str, Any] | None",
    "tuple[Spot, ...]": "Sequence[Any]",
    "tuple[BetStake, ...]": "Sequence[Any]",
    "tuple[BetLimits, ...]": "Sequence[Any]",
}
"""How callers may give a field, where that is more than its type."""
LEFT_OUT = {"by", "record"}
HEADER = '''"""The acts of a table as methods, for editors to complete. Written by `python -m tests.docs.named_acts`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from punto.rules.cards import Card
from punto.rules.money import Odds
from punto.rules.sheet import Role
from punto.table.act import Event
from punto.table.actor import Actor
from punto.table.values import Decision, Facts, Option, SqueezeOf

By = Actor | str | None
Cards = Sequence[Card] | str
Events = tuple[Event, ...]


class NamedActs:
    """Every act but the opening. Without `by` patrons act for themselves, and the House does the rest."""

    def _give(self, kind: str, given: dict[str, Any]) -> Events:
        raise NotImplementedError
'''


def module() -> str:
    """The source of the module."""
    kinds = [kind for name, kind in sorted(acts.COMMANDS.items()) if name != "open-table"]
    return HEADER + "".join(map(method, kinds))


def method(kind: type[acts.Command]) -> str:
    """One act as a method."""
    left_out = LEFT_OUT | {"round"} if kind.names_round else LEFT_OUT
    given = [each for each in fields(kind) if each.name not in left_out]
    name = kind.kind.replace("-", "_")
    first = re.split(r"(?<=[.:])\s", kind.__doc__ or "", maxsplit=1)[0].replace("\n    ", " ").rstrip(":.") + "."
    parameters = ", ".join(["self", *map(parameter, given), "*", "by: By = None"])
    assert not issubclass(kind, PatronCommand) or given[0].name == "patron"
    return f'''
    def {name}({parameters}) -> Events:
        """{first}"""
        return self._give("{kind.kind}", locals())
'''


def parameter(field: Field[object]) -> str:
    """A field as a parameter."""
    kind = TEXT_TOO.get(str(field.type), str(field.type))
    if field.default is MISSING:
        return f"{field.name}: {kind}"
    default = "None" if str(field.type) == "Facts" else repr(field.default)
    return f"{field.name}: {kind} = {default}"


if __name__ == "__main__":
    FILE.write_text(module(), encoding="utf-8")
