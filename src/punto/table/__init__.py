"""A table in play: pure. `decide` turns a command into events or a refusal; `evolve` folds events into state."""

from punto.table.decide import decide
from punto.table.evolve import evolve, replay
from punto.table.recovery import recover
from punto.table.state import State, new_table

__all__ = ["State", "decide", "evolve", "new_table", "recover", "replay"]
