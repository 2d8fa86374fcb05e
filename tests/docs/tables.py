"""Tables of the pages that are made from what the edge declares."""

from __future__ import annotations

from punto.protocol.refusals import BY_STATUS
from punto.rules.refusals import kebab
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
