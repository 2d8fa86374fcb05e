"""The acts of a table as methods of the library's table."""

from __future__ import annotations

import subprocess
import sys

import punto
from tests.docs.named_acts import FILE, module


def test_the_methods_are_those_of_the_acts() -> None:
    command = [sys.executable, "-m", "ruff", "format", "-q", "--stdin-filename", str(FILE), "-"]
    written = subprocess.run(command, input=module(), capture_output=True, text=True, check=True).stdout
    assert FILE.read_text(encoding="utf-8") == written, "run python -m tests.docs.named_acts and ruff format"


def test_a_round_is_played_by_methods() -> None:
    table = punto.Table("da-hu-ying-xiong", live=True)
    table.load_shoe()
    table.sit("ann", box=1)
    table.stand("bo", 1, by="dealer:dan")
    table.open_bets()
    table.place_bet("ann", 1, "banker", 10_00)
    table.close_bets()
    for card in ["5h", "Kd", "6s", "6c"]:
        table.deal(card)
    table.insure("ann", 1, "banker-insurance", 3_00)
    table.deal("9h")
    settled = table.settle(by="dealer:dan")
    assert settled[0].kind == "round-settled"
    assert {event.by.text for event in table.events if event.kind == "bet-placed"} == {"patron:ann"}
