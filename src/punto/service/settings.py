"""How a house is run: everything an operator may set, with values that suit one small house."""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass, field

from punto.ledger.table_day import FROM_MIDNIGHT, GamingDay
from punto.protocol.refusals import CreditLimit
from punto.rules.money import Cents
from punto.rules.refusals import Refusal
from punto.table.automatic import StandingOrder, Timing

RETRY_MS = 1_000
"""How long whatever a store could not do waits before it is tried again."""
LARGE_WIN_CENTS = Cents(1_000_000)
MOST_BOUGHT_CENTS = Cents(10**9)
MOST_HELD_CENTS = Cents(10**10)


@dataclass(frozen=True, slots=True)
class EdgeLimits:
    """What one terminal, or all of them together, may ask of the house."""

    payload_bytes: int = 65_536
    """The largest body or message."""
    stranger_bytes: int = 4_096
    """The largest message of someone who has not said who they are."""
    held_bytes: int = 16 * 2**20
    """Bytes of unfinished messages and unread answers, in all."""
    held_bytes_per_address: int = 4 * 2**20
    """The same of one address."""
    messages_per_second: int = 20
    """Messages of one person, or of one address without a token, once the burst is used up."""
    burst: int = 60
    """Messages that may come at once."""
    open_connections: int = 9_000
    """Connections of any kind, requests too."""
    connections_per_address: int = 5_000
    """Connections of any kind from one address, which may be a proxy's."""
    waiting: int = 1_024
    """Connections that have not said yet what they want: no whole request, no hello."""
    waiting_per_address: int = 512
    """The same of one address."""
    connections: int = 5_000
    """WebSockets of all terminals together."""
    connections_per_person: int = 8
    """WebSockets of one person."""
    files_per_second: int = 200
    """Files of the pages that one address, which may be a proxy's, gets in a second."""
    files_burst: int = 2_000
    """Files of the pages that one address gets at once."""
    joins_a_day: int = 5_000
    """Patrons who come in by the open door within a day."""
    joins_a_day_per_address: int = 500
    """The same from one address."""
    boards_per_address: int = 2_500
    """Terminals of nobody, such as display boards, from one address: so that one alone cannot fill the house."""
    queued_messages: int = 256
    """Messages that may wait for a slow reader before it is dropped."""
    queued_commands: int = 10_000
    """Commands that may wait for one table before more are refused."""
    batch: int = 512
    """Commands that are committed together at most."""


def owner_name() -> str:
    """A name for this process that no other on the same database has."""
    return f"{socket.gethostname()}-{os.getpid()}"


@dataclass(frozen=True, slots=True)
class HouseSettings:
    """One process of a house.

    `database` is `memory:`, `sqlite:///PATH` or `postgresql://…`; `head` is the file that keeps the head of the log
    outside the database, `key` the one with the key that encrypts the order of shoes (by default beside the head);
    `bus` is `nats://…` where several processes share one database.
    """

    database: str = "memory:"
    head: str | None = None
    key: str | None = None
    bus: str | None = None
    owner: str = field(default_factory=owner_name)
    """This process's name among those that share the database."""
    timing: Timing = field(default_factory=Timing)
    """The pace of automatic tables that have none of their own."""
    edge: EdgeLimits = EdgeLimits()
    """What terminals may ask."""
    open_door: bool = False
    """Whether anyone may join as a patron."""
    free_credit: bool = False
    """Whether patrons help themselves to credits, which is for demonstrations; elsewhere staff sell them."""
    token_days: int = 90
    """Days after which a token ends."""
    always_on: bool = False
    """Whether automatic tables play when nobody watches."""
    standing_order: StandingOrder = StandingOrder.CONCLUDE_OR_VOID
    """What becomes of interrupted rounds of automatic tables where the sheet is silent."""
    lease_ms: int = 3_000
    """How long a table stays with an owner that is not heard of; with the look-out for it, well within 5 seconds."""
    large_win_cents: Cents = LARGE_WIN_CENTS
    """A win from here on is a significant event."""
    most_bought_cents: Cents = MOST_BOUGHT_CENTS
    """The most that can be bought at once."""
    most_held_cents: Cents = MOST_HELD_CENTS
    """The credit beyond which a patron can buy no more; winning may go past it."""
    clock_jump_ms: int = 1_000
    """A change of the system's clock from here on is a significant event."""
    shoe_cut: int = 14
    """Cards behind the cut card of a new shoe."""
    gaming_day: GamingDay = FROM_MIDNIGHT
    """When the day begins to which the figures of the floor belong."""
    checkpoint_records: int = 50_000
    """Records of tables after which a checkpoint is written; one is written at every stop, too."""
    stop_ms: int = 20_000
    """How long a house that closes lets automatic tables finish their rounds."""
    sheets: tuple[str, ...] = ()
    """Paths of the house's own rule sheets; tables name them by path or by the sheet's id."""
    bus_prefix: str = "punto"
    """What the subjects of this house on the bus begin with."""
    origins: tuple[str, ...] = ()
    """Origins, besides the server's own, from which pages may connect."""

    def refuse_bought(self, cents: int) -> Refusal | None:
        """Why nobody can buy so much at once. What a patron may hold is judged by the store, with the buy itself."""
        if cents > self.most_bought_cents:
            return CreditLimit(Cents(self.most_bought_cents))
        return None

    @property
    def shared(self) -> bool:
        """Whether other processes may run tables of this house."""
        return self.bus is not None or self.database.startswith(("postgresql:", "postgres:"))
