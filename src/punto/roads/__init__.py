"""The roads of a shoe: bead plate, big road, big eye boy, small road, cockroach pig. Computed from the outcomes.

The package itself can be called: `punto.roads("BPPT")` gives the roads of these results.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from punto.roads.results import AnyResult
    from punto.roads.roads import Roads


class _CallableModule(ModuleType):
    """This package, with a call. `punto.roads` names both, and importing the package must not hide the function."""

    def __call__(self, results: Iterable[AnyResult]) -> Roads:
        """The roads of these results."""
        from punto.roads.results import roads_of

        return roads_of(results)


sys.modules[__name__].__class__ = _CallableModule
