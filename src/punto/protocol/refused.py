"""Refusals on the wire, derived from their classes: the code, the facts and the paragraph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from punto.protocol.derive import SHOWN_TYPES, Deriver, TaggedUnion
from punto.protocol.refusals import REFUSALS
from punto.rules.refusals import Refusal

refusals = Deriver(SHOWN_TYPES, write_all=True)
_REFUSALS = TaggedUnion(
    {
        # An event may have the same name: bets can be closed, and be refused because they are.
        kind: refusals.derive(kind, f"{kind.__name__}Refusal", tag=code, tag_field="code")
        for code, kind in REFUSALS.items()
    }
)
AnyRefusal: Any = _REFUSALS.type

show_refusal: Callable[[Refusal], AnyRefusal] = _REFUSALS.write
"""A refusal as it travels."""
build_refusal: Callable[[AnyRefusal], Refusal] = _REFUSALS.build
"""The refusal that travelled."""
