"""A checkpoint: what the log came to at one moment, so that a start need not read it from its first record.

Whoever hands a checkpoint to `open_store` has checked its signature. The store makes sure that it is one of this log.
"""

from __future__ import annotations

from msgspec import Struct

from punto.store.fold import SavedFold


class Checkpoint(Struct, frozen=True, forbid_unknown_fields=True):
    """The fold of a store, and what a house keeps beside it.

    `places` are the records that the parts have taken in last: for each stream its number and hash. None of them is
    before the fold.
    """

    fold: SavedFold
    places: dict[str, tuple[int, str]]
    parts: dict[str, bytes]
