"""Refusals on the wire, derived from their classes: the code, the facts and the paragraph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from punto.protocol.derive import SHOWN, Deriver, union
from punto.protocol.refusals import REFUSALS
from punto.rules.refusals import Refusal

refusals = Deriver(SHOWN, whole=True)
_DERIVED = {
    # An event may have the same name: bets can be closed, and be refused because they are.
    kind: refusals.derive(kind, f"{kind.__name__}Refusal", tag=code, tag_field="code")
    for code, kind in REFUSALS.items()
}
_BUILD = {each.struct: each.build for each in _DERIVED.values()}

if TYPE_CHECKING:  # no type checker knows types that are made when the program runs
    AnyRefusal: TypeAlias = Any
else:
    AnyRefusal = union(_BUILD)


def show_refusal(refusal: Refusal) -> AnyRefusal:
    """A refusal as it travels."""
    return _DERIVED[type(refusal)].write(refusal)


def build_refusal(shown: AnyRefusal) -> Refusal:
    """The refusal that travelled."""
    refusal: Refusal = _BUILD[type(shown)](shown)
    return refusal
