"""A table in play, without side effects.

`decide` turns a command into events or a refusal. `evolve` applies an event to the state. `choices` lists what `decide`
would accept now, from whom, and within which bounds.
"""

from punto.table.choices import choices
from punto.table.decide import decide
from punto.table.evolve import evolve, replay
from punto.table.recovery import recover
from punto.table.state import State, new_table

__all__ = ["State", "choices", "decide", "evolve", "new_table", "recover", "replay"]
