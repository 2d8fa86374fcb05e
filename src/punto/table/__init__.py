"""A table in play, without side effects.

`decide` turns a command into events and the state after them, or a refusal. `evolve` applies an event to the state.
`choices` lists what `decide` would accept now, from whom, and within which bounds. `acts` has every command and event.
"""

from punto.table import acts
from punto.table.engine import choices, decide, evolve, replay
from punto.table.state import State, new_table

__all__ = ["State", "acts", "choices", "decide", "evolve", "new_table", "replay"]
