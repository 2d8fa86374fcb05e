"""The tables and figures of the pages are those of the code."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from punto.cli.refusals import COMMAND_REFUSALS
from punto.protocol.refusals import BY_STATUS, EDGE_REFUSALS, HOUSE_REFUSALS
from punto.rules.loader import load_all
from punto.rules.refusals import RECORD_REFUSALS
from punto.rules.shoe_refusals import SHOE_REFUSALS
from punto.service.settings import EdgeLimits, HouseSettings
from punto.simulation.refusals import SIMULATION_REFUSALS
from punto.table.refusals import TABLE_REFUSALS
from punto.web.sockets import CLOSES
from tests.docs.pages import PAGES
from tests.docs.tables import act_table, close_table, diagram, refusal_table, route_table, situation_table, status_table

GENERATED: dict[tuple[str, str], Callable[[], str]] = {
    ("api.md", "codes"): lambda: refusal_table(EDGE_REFUSALS),
    ("api.md", "statuses"): status_table,
    ("api.md", "closes"): close_table,
    ("api.md", "addresses"): route_table,
    ("refusals.md", "records"): lambda: refusal_table(RECORD_REFUSALS),
    ("refusals.md", "shoes and simulations"): lambda: refusal_table((*SHOE_REFUSALS, *SIMULATION_REFUSALS)),
    ("refusals.md", "commands"): lambda: refusal_table(COMMAND_REFUSALS),
    ("service.md", "refusals"): lambda: refusal_table(HOUSE_REFUSALS),
    ("table.md", "diagram"): diagram,
    ("table.md", "acts"): act_table,
    ("table.md", "situations"): lambda: situation_table(load_all()),
    ("table.md", "refusals"): lambda: refusal_table(TABLE_REFUSALS),
}


def is_current(page: str, made: str) -> None:
    """The page holds this text as whole lines."""
    made = made.strip("\n")
    assert made
    assert f"\n{made}\n" in PAGES[page], f"docs/{page} should hold:\n{made}"


@pytest.mark.parametrize(("page", "name"), GENERATED)
def test_the_page_shows_what_the_code_says(page: str, name: str) -> None:
    is_current(page, GENERATED[page, name]())


def test_the_limits_are_those_of_the_settings() -> None:
    limits, page = EdgeLimits(), PAGES["api.md"]
    kib = limits.payload_bytes // 1024
    assert f"{limits.messages_per_second} times a second after a burst of {limits.burst}, send {kib} KiB" in page
    assert f"keep {limits.connections_per_person}\nconnections open" in page
    assert f"keep {limits.boards_per_address:,} display boards" in page
    assert f"leaves {limits.queued_messages} messages unread" in page


def test_the_limits_of_the_security_page_are_those_of_the_settings() -> None:
    limits, page = EdgeLimits(), PAGES["security.md"]
    for name in ("waiting", "waiting_per_address", "open_connections", "connections_per_address", "queued_messages"):
        assert re.search(rf"{getattr(limits, name):,}[^|;]*\(`{name}`\)", page), name
    for name in ("joins_a_day", "joins_a_day_per_address"):
        assert re.search(rf"{getattr(limits, name):,}[^|;]*\(`{name}`\)", page), name
    for name, unit in (("stranger_bytes", 2**10), ("payload_bytes", 2**10)):
        assert re.search(rf"{getattr(limits, name) // unit} KiB[^|;]*\(`{name}`\)", page), name
    for name in ("held_bytes", "held_bytes_per_address"):
        assert f"({getattr(limits, name) // 2**20} MiB, `{name}`)" in page, name
    assert f"{HouseSettings().token_days} days (`token_days`)" in page


def test_every_code_of_the_edge_has_a_status_and_a_refusal_one_close() -> None:
    assert set(EDGE_REFUSALS) <= {kind for kinds in BY_STATUS.values() for kind in kinds}
    closing = [refusal for _, refusals in CLOSES.values() for refusal in refusals]
    assert len(set(closing)) == len(closing)


def test_the_diagram_can_be_drawn() -> None:
    """Mermaid's names hold no dash, and what it writes on an arrow no second colon."""
    for line in diagram().splitlines()[1:]:
        arrow = re.fullmatch(r"    (\w+|\[\*\]) --> (\w+)(: [^:;]+)?", line)
        assert arrow or re.fullmatch(r'    state "[a-z-]+" as \w+', line), line
