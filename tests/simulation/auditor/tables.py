"""The log of a table, whole: every event must be one that the sheet allows after those before it (I4, I9)."""

from __future__ import annotations

from tests.simulation.auditor.betting import Betting
from tests.simulation.auditor.cases import Cases
from tests.simulation.auditor.dealing import Dealing
from tests.simulation.auditor.ending import Ending
from tests.simulation.auditor.floor import Floor


class TableLog(Floor, Betting, Dealing, Ending, Cases):
    """Follows one table through its log."""
