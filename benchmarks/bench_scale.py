"""Four `punto serve` processes on a real PostgreSQL and a real NATS: 50 tables, 1,000 bots over HTTP and WebSocket.

One process serves everything first. Three more join it, and the tables spread. Then one is told to stop, and its tables
move; one more joins in its place; one is killed, and its tables are taken over. At the end the database is audited,
and every bet that was acknowledged must be in its log. `python -m benchmarks.bench_scale --tables 8 --bots 60` runs it
at a smaller size.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import IO, Any

import httpx

from benchmarks.harness import Comparison, show
from punto.service.settings import HouseSettings
from punto.table.automatic import Timing
from tests.nats_server import NatsServer
from tests.postgres import PostgresServer

DATABASE = "scale"
PATIENCE_SECONDS = 900
DRIVERS = 2
IDLE_SECONDS = 10
PAGE_KB = os.sysconf("SC_PAGE_SIZE") // 1024
TICKS = os.sysconf("SC_CLK_TCK")
BETWEEN_ROUNDS = ("bets-opened", "shoe-loaded")
"""What a table that was between rounds begins with."""
TABLE: dict[str, Any] = {
    "game": "non-commission",
    "mode": "automatic",
    "decks": 8,
    "minimum_cents": 100,
    "differential_cents": 100_000_000,
    "unit_cents": 100,
}


@dataclass(frozen=True, slots=True)
class Size:
    """How much is tried."""

    tables: int = 50
    bots: int = 1_000
    processes: int = 4
    seconds: int = 60
    """How long each load is measured."""
    betting_ms: int = Timing().betting_ms
    pause_ms: int = Timing().pause_ms


@dataclass(slots=True)
class Load:
    """What bots and servers did between two looks."""

    seconds: float
    bets: list[float]
    """The seconds that each bet took."""
    rounds: int
    records: int
    commits: int
    bus_messages: int
    bus_bytes: int
    wal_bytes: int
    database_bytes: int
    processor: dict[str, float]
    """Processor seconds, by process."""
    refused: Counter[str]

    @property
    def bets_a_second(self) -> float:
        """The bets of all bots that were answered."""
        return len(self.bets) / self.seconds

    def bet_ms(self, share: float) -> float:
        """The latency within which this share of the bets was answered."""
        ordered = sorted(self.bets)
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1e3 if ordered else 0.0


# ------------------------------------------------------------------------------------------- the parts


@dataclass(slots=True)
class Served:
    """One `punto serve`."""

    name: str
    process: subprocess.Popen[str]
    address: str
    admin: str
    """The admin's token, which the first process told."""

    def tables(self) -> list[str]:
        """The tables that it runs."""
        told = httpx.get(f"{self.address}/api/health/ready", timeout=30, trust_env=False).json()
        return [name for name, table in told["tables"].items() if table["runs_here"]]

    def memory_mib(self) -> float:
        """What it holds in memory."""
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * PAGE_KB / 1024


@dataclass(slots=True)
class House:
    """The servers, their database and their bus."""

    size: Size
    folder: Path
    database: PostgresServer
    bus: NatsServer
    log: IO[str]
    servers: list[Served] = field(default_factory=list)
    bots: list[subprocess.Popen[str]] = field(default_factory=list)

    def serve(self, name: str) -> Served:
        """Start one more process."""
        head = self.folder / f"{name}.head"
        edge = {"messages_per_second": 10**6, "burst": 10**6, "joins_a_day": 10**6, "joins_a_day_per_address": 10**6}
        options = [f"edge.{limit}={value}" for limit, value in edge.items()]
        options += [f"timing.betting_ms={self.size.betting_ms}", f"timing.pause_ms={self.size.pause_ms}"]
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "punto", "serve", "--json", "--port", "0", "--owner", name),
                *("--database", self.database.address(DATABASE), "--bus", self.bus.address),
                *("--head", str(head), "--key", str(self.folder / "house.key"), "--open-door", "--free-credit"),
                *([] if head.exists() or not self.servers else ["--adopt-head"]),
                *[word for option in options for word in ("--set", option)],
            ],
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
            cwd=self.folder,
        )
        admin = self.servers[0].admin if self.servers else ""
        for line in process.stdout or ():
            told = json.loads(line)
            admin = told.get("token", admin)
            if "address" in told:
                served = Served(name, process, told["address"], admin)
                self.servers.append(served)
                return served
        raise RuntimeError(f"{name} did not start; {self.log.name} says why")

    def stop(self, served: Served, how: signal.Signals) -> float:
        """Stop a process in some way; the seconds it took."""
        started = time.monotonic()
        self.servers.remove(served)
        served.process.send_signal(how)
        served.process.wait(PATIENCE_SECONDS)
        return time.monotonic() - started

    def open_tables(self) -> None:
        """Set the tables up, as an admin does, with two terminals for each bot: some leave late."""
        first, boxes = self.servers[0], 2 * -(-self.size.bots // self.size.tables)
        with httpx.Client(base_url=first.address, timeout=30, trust_env=False) as admin:
            for number in range(1, self.size.tables + 1):
                new = TABLE | {"table": f"t{number:03}", "boxes": boxes}
                admin.post(
                    "/api/tables", json=new, headers={"Authorization": f"Bearer {first.admin}"}
                ).raise_for_status()

    def spread(self) -> dict[str, int]:
        """How many tables each process runs."""
        return {served.name: len(served.tables()) for served in self.servers}

    def sql(self, statement: str) -> str:
        """Ask the database."""
        return self.database.sql(DATABASE, statement)


class Bots:
    """Processes full of bots; `figures` tells what they saw since it was last asked."""

    def __init__(self, house: House, name: str) -> None:
        addresses = [served.address for served in house.servers]
        self._processes = []
        for first in range(DRIVERS):
            ask = {"addresses": addresses, "name": name, "first": first, "step": DRIVERS, "bots": house.size.bots}
            command = [sys.executable, "-m", "benchmarks.scale_bots"]
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=house.log, text=True
            )
            self._processes.append(process)
            house.bots.append(process)
            self._write(process, json.dumps(ask))

    def figures(self) -> list[dict[str, Any]]:
        """What they saw since the last time."""
        for process in self._processes:
            self._write(process, "figures")
        return [self._read(process) for process in self._processes]

    def leave(self) -> list[str]:
        """Let them go; the keys of all bets that were acknowledged."""
        for process in self._processes:
            if process.stdin:
                process.stdin.close()
        told = [self._read(process)["stored"] for process in self._processes]
        for process in self._processes:
            process.wait(PATIENCE_SECONDS)
        return [key for each in told for key in each]

    @staticmethod
    def _write(process: subprocess.Popen[str], line: str) -> None:
        if process.stdin:
            process.stdin.write(line + "\n")
            process.stdin.flush()

    @staticmethod
    def _read(process: subprocess.Popen[str]) -> dict[str, Any]:
        line = process.stdout.readline() if process.stdout else ""
        if not line:
            raise RuntimeError("bots ended early")
        told: dict[str, Any] = json.loads(line)
        return told


# ------------------------------------------------------------------------------------------- measuring


def _processor_seconds(pid: int, *, children: bool = False) -> float:
    """What a process has used of the processor; with the children that it runs and those that have ended."""
    used = 0.0
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        used = sum(int(each) for each in fields[11 : 15 if children else 13]) / TICKS
    if children:
        with contextlib.suppress(OSError):
            for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
                used += _processor_seconds(int(child))
    return used


class Look:
    """The counters of everything at one moment."""

    def __init__(self, house: House, bots: Bots) -> None:
        self.figures = bots.figures()
        self.at = time.monotonic()
        counted = house.sql(
            "SELECT (SELECT count(*) FILTER (WHERE kind IN ('round-settled', 'round-voided')) FROM records), "
            "(SELECT count(*) FROM records), xact_commit, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint, "
            "pg_database_size(datname) FROM pg_stat_database WHERE datname = current_database()"
        )
        self.rounds, self.records, self.commits, self.wal, self.size = map(int, counted.split("|"))
        self.bus_messages, self.bus_bytes = house.bus.traffic()
        self.processor = {each.name: _processor_seconds(each.process.pid) for each in house.servers}
        self.processor["PostgreSQL"] = _processor_seconds(house.database.pid, children=True)
        self.processor["NATS"] = _processor_seconds(house.bus.pid)

    def until(self, later: Look) -> Load:
        """What happened from this look to a later one."""
        refused: Counter[str] = Counter()
        for each in later.figures:
            refused.update(each["refused"])
        return Load(
            later.at - self.at,
            [seconds for each in later.figures for seconds in each["seconds"]],
            later.rounds - self.rounds,
            later.records - self.records,
            later.commits - self.commits,
            later.bus_messages - self.bus_messages,
            later.bus_bytes - self.bus_bytes,
            later.wal - self.wal,
            later.size - self.size,
            {name: used - self.processor.get(name, 0.0) for name, used in later.processor.items()},
            refused,
        )


def _measure(house: House, bots: Bots) -> Load:
    """The load of some time at play, once all bots have come in."""
    coming = _wait("the bots to come in", lambda: sum(each["patrons"] for each in bots.figures()) >= house.size.bots)
    _say(f"{house.size.bots} bots came in and bought credits in {coming:.0f} s")
    time.sleep((house.size.betting_ms + house.size.pause_ms) / 1e3)
    before = Look(house, bots)
    time.sleep(house.size.seconds)
    return before.until(Look(house, bots))


def _wait(what: str, done: Callable[[], bool]) -> float:
    """Wait for something to come about; the seconds it took."""
    started = time.monotonic()
    while not done():
        if time.monotonic() > started + PATIENCE_SECONDS:
            raise RuntimeError(f"waited in vain for {what}")
        time.sleep(0.2)
    return time.monotonic() - started


@dataclass(frozen=True, slots=True)
class Moves:
    """Seconds from the last record of a table under one owner to the first under the next, sorted.

    A table that was between rounds has nothing to write before the pause is over.
    """

    between_rounds: list[float]
    in_a_round: list[float]

    @property
    def all(self) -> list[float]:
        """Those of all tables."""
        return sorted(self.between_rounds + self.in_a_round)


def _moves(house: House, tables: list[str], since_ms: int) -> Moves:
    """How these tables came to another owner since some time."""
    rows = house.sql(
        "SELECT stream, kind, time_ms, time_ms - before FROM (SELECT stream, kind, seq, time_ms, fence, "
        "lag(time_ms) OVER log AS before, lag(fence) OVER log AS owned FROM records WHERE stream LIKE 'table:%' "
        "WINDOW log AS (PARTITION BY stream ORDER BY seq)) AS told WHERE fence <> owned ORDER BY time_ms"
    )
    first: dict[str, tuple[bool, float]] = {}
    for line in rows.splitlines():
        stream, kind, at_ms, ms = line.split("|")
        table = stream.removeprefix("table:")
        if int(at_ms) > since_ms and table in tables:
            first.setdefault(table, (kind in BETWEEN_ROUNDS, int(ms) / 1e3))
    between, within = [sorted(ms for paused, ms in first.values() if paused is each) for each in (True, False)]
    return Moves(between, within)


def _even(house: House) -> bool:
    """Whether all tables are run, and none of the processes runs two more than another."""
    counts = house.spread().values()
    return sum(counts) == house.size.tables and max(counts) - min(counts) <= 1


# ------------------------------------------------------------------------------------------- the run


def run(size: Size | None = None) -> list[Comparison]:
    """One process, then four; a drain, a kill, an audit."""
    with _house(size or Size()) as house:
        return _run(house)


@contextlib.contextmanager
def _house(size: Size) -> Iterator[House]:
    database, bus = PostgresServer(on_disk=True), NatsServer(monitored=True)
    with tempfile.TemporaryDirectory() as name, (Path(name) / "log").open("w+", encoding="utf-8") as log:
        house = House(size, Path(name), database, bus, log)
        try:
            database.start()
            bus.start()
            database.sql("postgres", f"CREATE DATABASE {DATABASE}")
            yield house
        except BaseException:
            log.flush()
            sys.stderr.write("".join(Path(log.name).read_text(encoding="utf-8").splitlines(keepends=True)[-40:]))
            raise
        finally:
            for process in [*house.bots, *[served.process for served in house.servers]]:
                process.kill()
                process.wait()
            bus.kill()
            database.close()


def _run(house: House) -> list[Comparison]:
    size = house.size
    first = house.serve("p1")
    empty_mib = first.memory_mib()
    house.open_tables()
    open_mib = first.memory_mib()
    _say(f"one process: {empty_mib:.0f} MiB empty, {open_mib:.0f} MiB with {size.tables} tables")
    alone_bots = Bots(house, "A")
    alone = _measure(house, alone_bots)
    _tell_load("one process", alone, 1)
    _say(f"  MiB of memory: {first.memory_mib():.0f}")
    stored = alone_bots.leave()

    for number in range(2, size.processes + 1):
        house.serve(f"p{number}")
    spreading = _wait("the tables to spread", lambda: _even(house))
    _say(f"{size.processes} processes; spread after {spreading:.1f} s: {house.spread()}")
    _tell_idle(house)
    bots = Bots(house, "B")
    together = _measure(house, bots)
    _tell_load(f"{size.processes} processes", together, size.processes)
    memory = {served.name: served.memory_mib() for served in house.servers}
    _say("  MiB of memory: " + ", ".join(f"{name} {mib:.0f}" for name, mib in memory.items()))

    leaving = house.servers[-1]
    moved, since = leaving.tables(), _now_ms()
    stopping = house.stop(leaving, signal.SIGTERM)
    _wait("the tables to move", lambda: len(_moves(house, moved, since).all) == len(moved))
    drained = _moves(house, moved, since)
    _tell_moves(f"drain of {len(moved)} tables, the process gone after {stopping:.1f} s", drained, house)
    house.serve(f"p{size.processes + 1}")
    _say(f"one more joined; spread after {_wait('the tables to spread', lambda: _even(house)):.1f} s: {house.spread()}")

    dying = house.servers[-2]
    lost, since = dying.tables(), _now_ms()
    house.stop(dying, signal.SIGKILL)
    _wait("the tables to be taken over", lambda: len(_moves(house, lost, since).all) == len(lost))
    killed = _moves(house, lost, since)
    _tell_moves(f"kill with {len(lost)} tables", killed, house)
    _say(f"figures of the bots since: {_refusals(bots)}")
    stored += bots.leave()
    for served in list(house.servers):
        house.stop(served, signal.SIGTERM)
    _audit(house, stored)
    return [
        Comparison(
            "bets with four processes",
            "the same bots with one",
            1 / together.bets_a_second,
            1 / alone.bets_a_second,
            0.9,
            note=f"{together.bets_a_second:,.0f} a second, one process {alone.bets_a_second:,.0f}",
        ),
        Comparison(
            "p99 of a bet with four processes",
            "the same bots with one",
            together.bet_ms(0.99),
            alone.bet_ms(0.99),
            3,
            "cost",
            f"median {together.bet_ms(0.5):.0f} ms, p99 {together.bet_ms(0.99):.0f}; "
            f"one process {alone.bet_ms(0.5):.0f} and {alone.bet_ms(0.99):.0f}",
        ),
        Comparison(
            "worst takeover after a kill",
            "the lease, and p99 of a bet with one",
            (killed.in_a_round or killed.all)[-1],
            HouseSettings().lease_ms / 1e3 + alone.bet_ms(0.99) / 1e3,
            2,
            "cost",
            f"{len(lost)} tables, {len(killed.in_a_round)} in a round: {_shown(killed.in_a_round)}",
        ),
        Comparison(
            "worst move on a drain",
            "the pause between rounds, and p99 of a bet with one",
            drained.all[-1],
            size.pause_ms / 1e3 + alone.bet_ms(0.99) / 1e3,
            2,
            "cost",
            f"{len(moved)} tables: {_shown(drained.all)}",
        ),
    ]


def _audit(house: House, stored: list[str]) -> None:
    """Every acknowledged bet is in the log, and the audit finds nothing wrong."""
    kept = set(house.sql("SELECT key FROM records WHERE kind = 'bet-placed'").splitlines())
    if missing := [key for key in stored if key not in kept]:
        raise RuntimeError(f"{len(missing)} acknowledged bets are not in the log, such as {missing[0]}")
    command = [sys.executable, "-m", "punto", "audit", "--database", house.database.address(DATABASE), "--json"]
    command += ["--head", str(house.folder / "p1.head"), "--key", str(house.folder / "house.key")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=house.folder)
    if done.returncode:
        raise RuntimeError(f"the audit found: {done.stdout}{done.stderr}")
    report = json.loads(done.stdout)
    _say(f"audited {report['records']:,} records; all of {len(stored):,} acknowledged bets are in the log")


# ------------------------------------------------------------------------------------------- telling


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def _tell_idle(house: House) -> None:
    """Say what the processes use of the processor while nobody is there."""
    before = {served.name: _processor_seconds(served.process.pid) for served in house.servers}
    time.sleep(IDLE_SECONDS)
    used = [_processor_seconds(each.process.pid) - before[each.name] for each in house.servers]
    _say(f"nobody plays: {sum(used) / len(used) / IDLE_SECONDS * 100:.1f} % of a core for each process")


def _tell_load(name: str, load: Load, processes: int) -> None:
    seconds, bets, rounds = load.seconds, len(load.bets), max(load.rounds, 1)
    used = ", ".join(f"{name} {each / seconds * 100:.0f} %" for name, each in load.processor.items())
    disk, wal = load.database_bytes / rounds, load.wal_bytes / rounds
    _say(f"{name}, {seconds:.0f} s")
    _say(f"  bets a second: {bets / seconds:,.1f}, a process {bets / seconds / processes:,.1f}")
    _say(f"  rounds a second: {rounds / seconds:.2f}, a process {rounds / seconds / processes:.2f}")
    _say(f"  a bet at the bot: median {load.bet_ms(0.5):.0f} ms, p99 {load.bet_ms(0.99):.0f} ms")
    _say(f"  refused: {dict(load.refused)}")
    _say(f"  processor: {used}; {sum(load.processor.values()) / max(bets, 1) * 1e3:.2f} ms a bet in all")
    _say(f"  PostgreSQL: {load.commits / seconds:,.0f} commits and {load.records / seconds:,.0f} records a second")
    _say(f"  NATS: {load.bus_messages / seconds:,.0f} messages, {load.bus_bytes / seconds / 1024:,.0f} KiB a second")
    _say(f"  disk: {disk / 1024:.1f} KiB and {wal / 1024:.1f} KiB of WAL a round of {bets / rounds:.1f} bets,")
    _say(f"        {disk * 1e6 / 2**30:.1f} GiB a million rounds")


def _tell_moves(name: str, moves: Moves, house: House) -> None:
    _say(name)
    _say(f"  {len(moves.in_a_round)} tables in a round: {_shown(moves.in_a_round)}")
    _say(f"  {len(moves.between_rounds)} between rounds, the pause included: {_shown(moves.between_rounds)}")
    _say(f"  now {house.spread()}")


def _shown(seconds: list[float]) -> str:
    return f"median {median(seconds):.1f} s, worst {seconds[-1]:.1f} s" if seconds else "none"


def _refusals(bots: Bots) -> dict[str, int]:
    told: Counter[str] = Counter()
    for each in bots.figures():
        told.update(each["refused"])
        told["moved-to-another-server"] += each["moved"]
    return dict(told)


def main() -> None:
    """Run it at another size."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in ((each, getattr(Size(), each)) for each in Size.__dataclass_fields__):
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, default=default)
    comparisons = run(Size(**vars(parser.parse_args())))
    show(comparisons)
    sys.exit(0 if all(each.kept for each in comparisons) else 1)


if __name__ == "__main__":
    main()
