"""The health of this process and of all it depends on. Changes are logged, a line each."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import shutil
from dataclasses import dataclass, field

from punto.protocol import views as v
from punto.protocol.views import Check, CheckState
from punto.service.cluster.lease_manager import LeaseManager
from punto.service.part import Part
from punto.service.streams import HOUSE_STREAM
from punto.service.tables.registry import TableRegistry
from punto.store.errors import StoreError

NEEDED: tuple[Check, ...] = ("store", "leases")
"""The checks without which nobody can be served here. The others are told, too, but another process would be no better:
all have lost the same bus, and a table that is stuck is stuck everywhere."""
ASK_SECONDS = 2
"""The time that the store may take over one row."""

log = logging.getLogger("punto.health")


@dataclass(eq=False, repr=False)
class HealthCheck(Part):
    """Asks everything that a process needs to serve."""

    _tables: TableRegistry
    _leases: LeaseManager
    _known: dict[Check, CheckState] = field(default_factory=dict)
    _store_problem: str = ""
    """The message of the store's driver, which may name hosts and users: for the log alone."""

    @property
    def alive(self) -> bool:
        """True if the process is of use at all; one that is not must be started again."""
        return not self._supervisor.failed.done()

    @property
    def turning(self) -> bool:
        """True if the process still looks after its leases; one that does not hangs."""
        return self._leases.silent_ms() <= 2 * self._settings.lease_ms

    async def ready(self) -> v.Health:
        """The state of everything the process depends on, and whether terminals can be served here."""
        found = await self._ask()
        self._log_changes(found)
        status: CheckState = next((found[check] for check in NEEDED if found[check] != "ok"), "ok")
        if self._supervisor.closing or not self.alive:
            status = "stopping"
        return v.Health(status, found, self._table_states(), self._settings.owner)

    async def watch(self) -> None:
        """Ask for as long as the house is open, so that the log tells when something goes and when it is back."""
        while True:
            await self._clock.sleep_until(self._clock.steady_ms() + self._settings.lease_ms // 3)
            await self.ready()

    def _log_changes(self, found: dict[Check, CheckState]) -> None:
        for check, state in found.items():
            before = self._known.get(check, "ok")
            if state != before and state == "ok":
                log.info("%s is well again", check)
            elif state != before:
                reason = f" ({self._store_problem})" if check == "store" else ""
                log.warning("%s: %s%s", check, state, reason)
        self._known = found

    async def _ask(self) -> dict[Check, CheckState]:
        return {
            "store": await self._ask_store(),
            "bus": "ok" if self._link.reachable else "away",
            "leases": "ok" if self.turning else "late",
            "disk": await asyncio.to_thread(self._ask_disk),
            "tables": self._ask_tables(),
        }

    async def _ask_store(self) -> CheckState:
        try:
            async with asyncio.timeout(ASK_SECONDS):
                await self._store.tail(HOUSE_STREAM)
        except (StoreError, TimeoutError) as error:
            cause = error.__cause__ or error
            self._store_problem = str(cause) or type(cause).__name__
            return "away"
        return "ok"

    def _ask_disk(self) -> CheckState:
        free = self.disk_free_bytes()
        return "low" if free is not None and free < self._settings.disk_free_bytes else "ok"

    def disk_free_bytes(self) -> int | None:
        """Room where this process writes: the SQLite file and its head lie together, PostgreSQL keeps the head here."""
        head = self._settings.head_file
        with contextlib.suppress(OSError):
            return None if head is None else shutil.disk_usage(head.parent).free
        return None

    def backup_seconds(self) -> int:
        """When the last sound backup was made, in seconds since 1970; 0 where none is known."""
        made = self._settings.backup_file
        with contextlib.suppress(OSError):
            return 0 if made is None else made.stat().st_mtime_ns // 10**9
        return 0

    def _ask_tables(self) -> CheckState:
        hosts = self._tables.hosts.values()
        if any(host.followed.id not in self._tables.runners and not host.runs_elsewhere for host in hosts):
            return "nobody-runs"
        if any(host.audience.suspended for host in hosts):
            return "suspended"
        return "stuck" if any(host.why_stuck for host in hosts) else "ok"

    def _table_states(self) -> dict[str, v.TableHealth]:
        return {
            table: v.TableHealth(
                host.followed.state.phase,
                runs_here=table in self._tables.runners,
                suspended=host.audience.suspended,
                stuck=host.why_stuck,
            )
            for table, host in sorted(self._tables.hosts.items())
        }
