"""A part of a house. Whatever most parts need is made first, and is at hand in each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from punto.service.audit.observer import Observer
from punto.service.clock import Clock
from punto.service.cluster.cluster_link import ClusterLink
from punto.service.metrics import Metrics
from punto.service.settings import HouseSettings
from punto.service.supervisor import Supervisor
from punto.service.world import World
from punto.store.interface import Store


@dataclass(eq=False, repr=False)
class Part:
    """The fields that parts of a house share. Its own fields follow, in the order in which the house makes them."""

    _world: World
    _settings: HouseSettings
    _store: Store
    _link: ClusterLink
    _metrics: Metrics
    _supervisor: Supervisor
    _balances: dict[str, int]
    """Balances as of the last commit that this process heard of. The store has the last word."""
    _observers: Sequence[Observer]
    """All that follow what is recorded; complete once the house is made."""

    @property
    def _clock(self) -> Clock:
        return self._world.clock
