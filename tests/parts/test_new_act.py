"""A new act is one file and one line: it then appears in choices, protocol, documents and ledger, or fails at import.

Its words are in `texts`, which other tests compare with the acts.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINE = "from punto.table.acts.fills import *\n"
FILLS = '''
"""Fills: chips that the cage brings to the table."""

from __future__ import annotations

from punto.rules.money import Cents
from punto.rules.refusals import Refusal, StakeInvalid
from punto.rules.sheet import Role
from punto.table.act import Command, Event, act, event
from punto.table.draft import Draft
from punto.table.money import Holder, Money, Moved
from punto.table.phases import Phase
from punto.table.state import State
from punto.table.ways import Asking, Input, InputType, Way, Ways


@event(money=True)
class ChipsFilled(Event):
    """The cage brought chips to the table."""

    cents: Cents

    def apply(self, state: State) -> State:
        return state

    def money(self) -> tuple[Money, ...]:
        return (Moved(Holder.CAGE, Holder.CHIPS, self.cents),)


@act(by=Role.PIT_SUPERVISOR, during={Phase.BETWEEN_ROUNDS})
class FillTable(Command):
    """Bring chips to the table."""

    cents: Cents

    def decide(self, state: State) -> Draft | Refusal:
        """Chips of at least one cent."""
        return Draft(state, ChipsFilled(self.by, self.cents)) if self.cents > 0 else StakeInvalid("chips", self.cents)

    @classmethod
    def ways(cls, state: State, asking: Asking) -> Ways[Way]:
        return (Way(inputs=(Input("cents", InputType.NUMBER, minimum=1),)),)
'''
SHOWN = """
from punto.ledger.bet_ledger import BetLedger
from punto.protocol.codec import parse_command, parse_event, to_json
from punto.protocol.shown import show_event
from punto.table import acts
from punto.table.engine import choices
from punto.web.openapi import components
from tests.docs.tables import act_table
from tests.table_kit import DEALER, SUPERVISOR, Play

play = Play("commission")
told = {who: {each.kind: each for each in choices(play.state, who)}["fill-table"] for who in (DEALER, SUPERVISOR)}
assert told[DEALER].refusal.code == "not-permitted"
assert [each.name for each in told[SUPERVISOR].ways[0].inputs] == ["cents"]
command = parse_command('{"kind":"fill-table","by":"pit-supervisor:sue","cents":50000}')
assert play.refused(acts.FillTable(SUPERVISOR, 0))[0] == "stake-invalid"
(event,) = play.do(command)
assert parse_event(to_json(event)) == event == acts.ChipsFilled(SUPERVISOR, 50000)
(move,), _ = BetLedger("t1").moves(7, event)
assert (move.reference, dict(move.amounts)) == ("t1/0/7", {"cash-desk": -50000, "chips:t1": 50000}), move
assert play.open().decide(command).code == "wrong-phase"
assert {"FillTable", "ChipsFilled"} <= components().keys()
assert show_event(event).cents == 50000
assert "| `fill-table` | Pit Supervisor | the same | `between-rounds` |" in act_table().splitlines()
"""


def run(folder: Path, act: str, script: str) -> str:
    """The errors of a script on a copy of the package that has this act, or nothing."""
    shutil.copytree(ROOT / "src" / "punto", folder / "punto", ignore=shutil.ignore_patterns("static", "__pycache__"))
    acts = folder / "punto" / "table" / "acts"
    (acts / "fills.py").write_text(act)
    listed = (acts / "__init__.py").read_text().replace("\nclose_registry()", f"{LINE}\nclose_registry()")
    assert LINE in listed
    (acts / "__init__.py").write_text(listed)
    paths = os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])}
    return subprocess.run([sys.executable, "-c", script], cwd=folder, env=paths, capture_output=True, text=True).stderr


def test_an_act_with_money_is_one_file_and_one_line(tmp_path: Path) -> None:
    assert run(tmp_path, FILLS, SHOWN) == ""


@pytest.mark.parametrize(
    ("left_out", "instead", "says"),
    [
        ("@event(money=True)", "@event()", "missing 1 required keyword-only argument: 'money'"),
        ("@event(money=True)", "@event(money=False)", "ChipsFilled moves money and says that it moves none"),
        ("    def money(self)", "    def worth(self)", "ChipsFilled does not say its money"),
        ("    def apply(self", "    def change(self", "ChipsFilled does not say its apply"),
        ("by=Role.PIT_SUPERVISOR, ", "", "missing 1 required keyword-only argument: 'by'"),
        (", during={Phase.BETWEEN_ROUNDS}", "", "missing 1 required keyword-only argument: 'during'"),
        ("    def decide(self", "    def answer(self", "FillTable does not say its decide"),
        ("    def ways(cls", "    def paths(cls", "FillTable does not say its ways"),
        ("class ChipsFilled", "class BetPlaced", "bet-placed is declared twice"),
    ],
)
def test_what_an_act_leaves_out_is_an_error_at_import(tmp_path: Path, left_out: str, instead: str, says: str) -> None:
    assert left_out in FILLS
    assert says in run(tmp_path, FILLS.replace(left_out, instead), "import punto.table.acts").splitlines()[-1]
