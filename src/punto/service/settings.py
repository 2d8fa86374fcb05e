"""Settings of a house: everything an operator may set, with values that suit one small house."""

from __future__ import annotations

import ipaddress
import os
import socket
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from punto.ledger.table_day import FROM_MIDNIGHT, GamingDay
from punto.rules.money import Cents
from punto.store.opening import default_head
from punto.table.automatic import StandingOrder, Timing

Count = Annotated[int, Meta(ge=1)]
"""A number of which there is at least one."""
Amount = Annotated[Cents, Meta(ge=1)]
Address = Annotated[str, Meta(pattern=r"^https?://[a-z0-9.:\[\]-]+$", examples=["https://floor.example"])]
Network = Annotated[str, Meta(pattern=r"^[0-9a-fA-F.:]+(/[0-9]{1,3})?$", examples=["127.0.0.1", "10.0.0.0/8"])]
BasePath = Annotated[str, Meta(pattern=r"^(/[A-Za-z0-9._~-]+)*$", examples=["/punto"])]
LAST_PORT = 65_535

RETRY_MS = 1_000
"""The wait before a store tries again what it could not do."""
LARGE_WIN_CENTS = Cents(1_000_000)
SOLD_ALONE_CENTS = Cents(1_000_000)
MOST_BOUGHT_CENTS = Cents(10**9)
MOST_HELD_CENTS = Cents(10**10)


@dataclass(frozen=True, slots=True)
class EdgeLimits:
    """Limits on the requests of one terminal, and of all together."""

    payload_bytes: Count = 65_536
    """The largest body or message."""
    stranger_bytes: Count = 4_096
    """The largest message of someone who has not said who they are."""
    held_bytes: Count = 16 * 2**20
    """Bytes of unfinished messages and unread answers, in all."""
    held_bytes_per_address: Count = 4 * 2**20
    """The same of one address."""
    messages_per_second: Count = 20
    """Messages of one person, or of one address without a token, once the burst is used up."""
    burst: Count = 60
    """Messages that may come at once."""
    open_connections: Count = 9_000
    """Connections of any kind, requests too."""
    connections_per_address: Count = 5_000
    """Connections of any kind from one address, which may be a proxy's."""
    waiting: Count = 1_024
    """Connections that have not said yet what they want: no whole request, no hello."""
    waiting_per_address: Count = 512
    """The same of one address."""
    connections: Count = 5_000
    """WebSockets of all terminals together."""
    connections_per_person: Count = 8
    """WebSockets of one person."""
    files_per_second: Count = 200
    """Files of the pages that one address, which may be a proxy's, gets in a second."""
    files_burst: Count = 2_000
    """Files of the pages that one address gets at once."""
    joins_a_day: Count = 5_000
    """Patrons who come in by the open door within a day."""
    joins_a_day_per_address: Count = 500
    """The same from one address."""
    boards_per_address: Count = 2_500
    """Terminals of nobody, such as display boards, from one address: so that one alone cannot fill the house."""
    queued_messages: Count = 256
    """Messages that may wait for a slow reader before it is dropped."""
    queued_commands: Count = 10_000
    """Commands that may wait for one table before more are refused."""
    batch: Count = 512
    """Commands that are committed together at most."""


class LogFormat(StrEnum):
    """The formats of a log entry."""

    CONSOLE = "console"
    JSON = "json"


class LogLevel(StrEnum):
    """From where on entries are written."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """Where one process answers, and what it writes down."""

    host: str = "127.0.0.1"
    """The address to listen on."""
    port: Annotated[int, Meta(ge=0, le=LAST_PORT)] = 8080
    """The port to listen on; 0 takes any that is free."""
    base_path: BasePath = ""
    """The beginning of every address, where a proxy serves the house under a prefix."""
    trusted_proxies: tuple[Network, ...] = ()
    """Addresses or networks of proxies whose word (`X-Forwarded-For`, `X-Forwarded-Proto`) is believed."""
    log_format: LogFormat = LogFormat.CONSOLE
    """Lines for people, or JSON for programs."""
    log_level: LogLevel = LogLevel.INFO
    """The least that is logged."""
    tokens_file: str | None = None
    """Where first tokens are written while nobody is at the terminal; by default `first-tokens` beside the head."""

    def __post_init__(self) -> None:
        for network in self.trusted_proxies:
            ipaddress.ip_network(network, strict=False)


def owner_name() -> str:
    """A name for this process that no other on the same database has."""
    return f"{socket.gethostname()}-{os.getpid()}"


@dataclass(frozen=True, slots=True)
class HouseSettings:
    """One process of a house."""

    database: str = "memory:"
    """Where all of it is kept: `memory:`, `sqlite:///PATH` or `postgresql://…`."""
    head: str | None = None
    """The file that keeps the head of the log outside the database; PostgreSQL needs one."""
    adopt_head: bool = False
    """True if a database whose head file is missing is trusted, and that noted: for further processes of a house."""
    key: str | None = None
    """The file with the key that encrypts the order of shoes and signs the log; by default beside the head."""
    bus: str | None = None
    """`nats://…`, where several processes share one database."""
    owner: str = field(default_factory=owner_name)
    """This process's name among those that share the database."""
    timing: Timing = field(default_factory=Timing)
    """The pace of automatic tables that have none of their own."""
    edge: EdgeLimits = EdgeLimits()
    """Limits on the requests of terminals."""
    server: ServerSettings = ServerSettings()
    """Where this process answers, and what it writes down."""
    open_door: bool = False
    """True if anyone may join as a patron."""
    free_credit: bool = False
    """True if patrons help themselves to credits, which is for demonstrations; elsewhere staff sell them."""
    token_days: Count = 90
    """Days after which a token ends."""
    always_on: bool = False
    """True if automatic tables play when nobody watches."""
    absent_rounds: int = 3
    """Rounds of an automatic table without a bet or a connection after which a patron's place is freed; 0 for never."""
    standing_order: StandingOrder = StandingOrder.CONCLUDE_OR_VOID
    """The decision on interrupted rounds of automatic tables where the sheet is silent."""
    lease_ms: Count = 3_000
    """The time that a table stays with a silent owner; with the look-out for it, well within 5 seconds."""
    large_win_cents: Amount = LARGE_WIN_CENTS
    """A win from here on is a significant event."""
    sold_alone_cents: Amount = SOLD_ALONE_CENTS
    """The most credit that one member of staff sells alone; a larger sale takes two, and is a significant event."""
    most_bought_cents: Amount = MOST_BOUGHT_CENTS
    """The most that can be bought at once."""
    ticket_days: Count = 90
    """Days for which terminals take a ticket; the cage pays it at any time."""
    most_held_cents: Amount = MOST_HELD_CENTS
    """The credit beyond which a patron can buy no more; winning may go past it."""
    clock_jump_ms: Count = 1_000
    """A change of the system's clock from here on is a significant event."""
    shoe_cut: Count = 14
    """Cards behind the cut card of a new shoe."""
    gaming_day: GamingDay = FROM_MIDNIGHT
    """When the day begins to which the figures of the floor belong."""
    checkpoint_records: Count = 50_000
    """Records of tables after which a checkpoint is written; one is written at every stop, too."""
    stop_ms: Count = 20_000
    """The time that a closing house gives automatic tables to finish their rounds."""
    drain_ms: Annotated[int, Meta(ge=0)] = 3_000
    """The least time for which one of several processes serves on after it says that it stops: proxies must notice."""
    disk_free_bytes: Count = 256 * 2**20
    """Free space of the disk under which this process says that it is low."""
    sheets: tuple[str, ...] = ()
    """Paths of the house's own rule sheets; tables name them by path or by the sheet's id."""
    bus_prefix: str = "punto"
    """The beginning of the subjects of this house on the bus."""
    origins: tuple[Address, ...] = ()
    """Origins, besides the server's own, from which pages may connect."""

    @property
    def head_file(self) -> Path | None:
        """The head file, named or beside the database; None for a house in memory."""
        return Path(self.head) if self.head else default_head(self.database)

    @property
    def key_file(self) -> Path | None:
        """The file of the key, named or beside the head."""
        return Path(self.key) if self.key else self._beside_head(".key")

    @property
    def checkpoint_file(self) -> Path | None:
        """The file of the newest checkpoint, beside the head."""
        return self._beside_head(".checkpoint")

    @property
    def backup_file(self) -> Path | None:
        """The file that `punto backup` touches after each sound copy, beside the key, which all processes share."""
        key = self.key_file
        return key and key.with_name(key.name.removesuffix(".key") + ".backup")

    def _beside_head(self, suffix: str) -> Path | None:
        head = self.head_file
        return head and head.with_name(head.name.removesuffix(".head") + suffix)

    @property
    def shared(self) -> bool:
        """True if other processes may run tables of this house."""
        return self.bus is not None or self.database.startswith(("postgresql:", "postgres:"))
