"""Metrics of a house for Prometheus: nobody's name and nobody's money."""

from __future__ import annotations

from functools import partial

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
        counter, gauge = partial(Counter, registry=registry), partial(Gauge, registry=registry)
        histogram = partial(Histogram, buckets=SECONDS, registry=registry)
        answered = "Commands answered at tables, by outcome and refusal."
        self.commands = counter("punto_commands", answered, ["outcome", "code"])
        to_answer = "From a command's arrival to its durable answer."
        self.command_seconds = histogram("punto_command_seconds", to_answer, ["kind"])
        self.commit_seconds = histogram("punto_commit_seconds", "How long the store takes over a commit.")
        self.commit_commands = counter("punto_commit_commands", "Commands committed.")
        to_socket = "From a commit to the terminal's socket, for each terminal."
        self.delivery_seconds = histogram("punto_delivery_seconds", to_socket)
        self.events = counter("punto_events", "Events of tables, by kind.", ["kind"])
        self.rounds = counter("punto_rounds", "Rounds ended, by table and ending.", ["table", "ending"])
        self.fenced_out = counter("punto_fenced_out", "Tables lost to another process.")
        self.readers_dropped = counter("punto_readers_dropped", "Terminals dropped because they did not keep up.")
        self.responses = counter("punto_http_responses", "HTTP answers, by class of status.", ["status"])
        self.tokens_refused = counter("punto_tokens_refused", "Tokens that were nobody's or had ended.")
        self.connections = gauge("punto_websockets", "Open WebSockets.")
        self.tables = gauge("punto_tables", "Tables of the house.")
        self.tables_run_here = gauge("punto_tables_run_here", "Tables that this process runs.")
        self.queued_commands = gauge("punto_queued_commands", "Commands that wait for a table.", ["table"])
        self.readers = gauge("punto_readers", "Terminals that follow a table.", ["table"])
        self.people = gauge("punto_people", "People admitted.")
        well = "Whether what this process depends on is well: store, bus, leases, disk, tables."
        self.up = gauge("punto_up", well, ["check"])
        self.disk_free = gauge("punto_disk_free_bytes", "Free bytes where this process writes.")
        made = "When the last sound backup was made; 0 if none is known."
        self.backup = gauge("punto_backup_timestamp_seconds", made)
        ends = "When the first of the staff's tokens ends that were used since the start; 0 if none was."
        self.token_ends = gauge("punto_staff_token_ends_timestamp_seconds", ends)
        gauge("punto_info", "The version of the program.", ["version"]).labels(__version__).set(1)
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
