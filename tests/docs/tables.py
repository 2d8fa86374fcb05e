"""Tables of the pages that are made from what the edge and the acts of a table declare."""

from __future__ import annotations

from collections.abc import Sequence

from punto.cli.rule import in_sheet
from punto.protocol.refusals import BY_STATUS
from punto.rules.refusals import Refusal, kebab
from punto.rules.sheet import Sheet
from punto.table.act import Command
from punto.table.acts import COMMANDS
from punto.table.phases import MOVES, OPEN, Phase
from punto.table.rulings.situations import situations
from punto.texts import catalogue
from punto.web.openapi import ROUTES
from punto.web.sockets import CLOSES


def route_table() -> str:
    """Every address under /api and /metrics with what it does, as a Markdown table."""
    rows = [
        f"| `{route.method} {route.path}` | {route.about.splitlines()[0]} |"
        for route in sorted(ROUTES, key=lambda route: (route.path, route.method))
    ]
    return "\n".join(["| | |", "|---|---|", *rows])


def close_table() -> str:
    """The close codes as a Markdown table."""
    rows = [f"| {code} | {says} |" for code, (says, _) in sorted(CLOSES.items())]
    return "\n".join(["| code | |", "|---|---|", *rows])


def status_table() -> str:
    """The statuses and the codes that lead to each, as a Markdown table."""
    rows = [
        f"| {status.value} {status.phrase} | {', '.join(f'`{kebab(kind.__name__)}`' for kind in kinds)} |"
        for status, kinds in sorted(BY_STATUS.items())
    ]
    return "\n".join(["| status | codes |", "|---|---|", *rows, "| 422 Unprocessable Entity | every other code |"])


def act_table() -> str:
    """Every act of a table as a Markdown table: who may give it, who at an automatic table, and in which phases."""
    rows = [
        f"| `{name}` | {_given_by(kind)} | {_at_automatic_table(kind)} | {_phases(kind)} |"
        for name, kind in sorted(COMMANDS.items())
    ]
    return "\n".join(
        ["| act | given by at least | at an automatic table | in the phases |", "|---|---|---|---|", *rows]
    )


def _given_by(kind: type[Command]) -> str:
    return catalogue("en").word("role", kind.authority) if kind.authority else "patron, or staff on the patron's behalf"


def _at_automatic_table(kind: type[Command]) -> str:
    if kind.at_request:
        return "the patron alone"
    return "the table alone" if kind.of_automat else "the same"


def _phases(kind: type[Command]) -> str:
    if kind.during >= OPEN:
        return "all of an open table" + (", and `not-open`" if Phase.NOT_OPEN in kind.during else "")
    return ", ".join(f"`{phase}`" for phase in Phase if phase in kind.during)


def diagram() -> str:
    """The phases of a table as a Mermaid state diagram."""
    names = [f'    state "{phase}" as {phase.name.lower()}' for phase in Phase if phase is not Phase.HELD]
    moves = [f"    {start.name.lower()} --> {end.name.lower()}: {says}" for (start, end), says in MOVES.items()]
    return "\n".join(["stateDiagram-v2", *names, f"    [*] --> {Phase.NOT_OPEN.name.lower()}", *moves])


def situation_table(sheets: Sequence[Sheet]) -> str:
    """Every situation with each sheet's ruling, as a Markdown table."""
    names = dict.fromkeys([name for sheet in sheets for name in situations(sheet)])
    rows = [f"| `{name}` | {' | '.join(_cell(sheet, name) for sheet in sheets)} |" for name in names]
    head = f"| situation | {' | '.join(sheet.id for sheet in sheets)} |"
    return "\n".join([head, "|---" * (len(sheets) + 1) + "|", *rows])


def _cell(sheet: Sheet, situation: str) -> str:
    if situation not in situations(sheet):
        return "—"
    answer = in_sheet(sheet, situation, "en")
    return f"{answer['ruling'] or 'decision'} {answer['rule'] or ''}".strip()


def refusal_table(kinds: tuple[type[Refusal], ...]) -> str:
    """Refusals with when each is given, as a Markdown table, in order of precedence."""
    rows = [
        f"| {place} | `{kebab(kind.__name__)}` | {(kind.__doc__ or '').partition(chr(10))[0]} |"
        for place, kind in enumerate(kinds, 1)
    ]
    return "\n".join(["| | code | given when |", "|---|---|---|", *rows])
