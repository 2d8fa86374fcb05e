"""Metrics of a house for Prometheus: nobody's name and nobody's money."""

from __future__ import annotations

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)

from punto import __version__
from punto.table import acts

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
BETS = (acts.PlaceBet, acts.RaiseBet)
ENDINGS = {acts.RoundSettled: "settled", acts.RoundVoided: "void"}

disable_created_metrics()  # type: ignore[no-untyped-call]  # a second line for each figure that nobody reads


class Metrics:
    """Counters and histograms from the start of the process; gauges are set when somebody asks."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self.commands = Counter(
            "punto_commands",
            "Commands answered at tables, by outcome and refusal.",
            ["outcome", "code"],
            registry=registry,
        )
        self.command_seconds = Histogram(
            "punto_command_seconds",
            "From a command's arrival to its durable answer.",
            ["kind"],
            buckets=SECONDS,
            registry=registry,
        )
        self.commit_seconds = Histogram(
            "punto_commit_seconds", "How long the store takes over a commit.", buckets=SECONDS, registry=registry
        )
        self.commit_commands = Counter("punto_commit_commands", "Commands committed.", registry=registry)
        self.delivery_seconds = Histogram(
            "punto_delivery_seconds",
            "From a commit to the terminal's socket, for each terminal.",
            buckets=SECONDS,
            registry=registry,
        )
        self.events = Counter("punto_events", "Events of tables, by kind.", ["kind"], registry=registry)
        self.rounds = Counter(
            "punto_rounds", "Rounds ended, by table and ending.", ["table", "ending"], registry=registry
        )
        self.fenced_out = Counter("punto_fenced_out", "Tables lost to another process.", registry=registry)
        self.readers_dropped = Counter(
            "punto_readers_dropped", "Terminals dropped because they did not keep up.", registry=registry
        )
        self.responses = Counter(
            "punto_http_responses", "HTTP answers, by class of status.", ["status"], registry=registry
        )
        self.connections = Gauge("punto_websockets", "Open WebSockets.", registry=registry)
        self.tables = Gauge("punto_tables", "Tables of the house.", registry=registry)
        self.tables_run_here = Gauge("punto_tables_run_here", "Tables that this process runs.", registry=registry)
        self.queued_commands = Gauge(
            "punto_queued_commands", "Commands that wait for a table.", ["table"], registry=registry
        )
        self.readers = Gauge("punto_readers", "Terminals that follow a table.", ["table"], registry=registry)
        self.people = Gauge("punto_people", "People admitted.", registry=registry)
        self.up = Gauge(
            "punto_up",
            "Whether what this process depends on is well: store, bus, leases, disk, tables.",
            ["check"],
            registry=registry,
        )

        self.disk_free = Gauge("punto_disk_free_bytes", "Free bytes where this process writes.", registry=registry)
        self.backup = Gauge(
            "punto_backup_timestamp_seconds",
            "When the last sound backup was made; 0 if none is known.",
            registry=registry,
        )
        self.tokens_refused = Counter(
            "punto_tokens_refused", "Tokens that were nobody's or had ended.", registry=registry
        )
        self.token_ends = Gauge(
            "punto_staff_token_ends_timestamp_seconds",
            "When the first of the staff's tokens ends that were used since the start; 0 if none was.",
            registry=registry,
        )
        Gauge("punto_info", "The version of the program.", ["version"], registry=registry).labels(__version__).set(1)
        ProcessCollector(registry=registry)  # memory, descriptors, processor time

        self._by_kind = {kind: self.events.labels(name) for name, kind in acts.EVENTS.items()}

    def count_event(self, table: str, event: acts.Event) -> None:
        """Count an event of a table."""
        self._by_kind[type(event)].inc()
        if (ending := ENDINGS.get(type(event))) is not None:
            self.rounds.labels(table, ending).inc()

    def count_command(self, command: acts.Command, refused: str, seconds: float) -> None:
        """Count a command that was answered; `refused` is the code of its refusal, or empty."""
        self.commands.labels("refused" if refused else "accepted", refused).inc()
        self.command_seconds.labels("bet" if isinstance(command, BETS) else "other").observe(seconds)

    def value(self, name: str, **labels: str) -> float:
        """One figure by its name, 0 where nothing was counted."""
        return self.registry.get_sample_value(name, labels) or 0

    def text(self) -> bytes:
        """All of it, as Prometheus reads it."""
        return generate_latest(self.registry)
