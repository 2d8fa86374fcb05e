"""The auditor of a simulated house: it shares no code with the house and reads what clients saw of it.

It reads the rule sheets, `docs/store.md` and the messages of `docs/api.md` once more, in its own words, so that one
mistake cannot be made on both sides. It imports the standard library alone, and another MessagePack.
"""

from tests.simulation.auditor.auditor import Auditor

__all__ = ["Auditor"]
