"""The shapes of what comes in and goes out. Amounts are whole cents, times milliseconds since the epoch.

What comes in is read strictly: unknown fields, fractions and numbers in quotes are refused. What goes out is the plain
data the house gives; these classes describe it in the OpenAPI document, and tests hold every answer against them.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeVar, cast

from msgspec import UNSET, Meta, Struct, UnsetType

from punto.rules.money import MAX_CENTS

T = TypeVar("T")

Cents = Annotated[int, Meta(ge=1, lt=MAX_CENTS)]
Name = Annotated[str, Meta(min_length=1, max_length=40)]
RoleName = Literal["patron", "dealer", "pit-supervisor", "pit-manager", "shift-manager", "admin"]


def as_(kind: type[T], data: Any) -> T:
    """Plain data under the name of its shape, for the type checker and the OpenAPI document; nothing is copied."""
    del kind
    return cast(T, data)


# ------------------------------------------------------------------------------------------- what comes in


class Asked(Struct, frozen=True, forbid_unknown_fields=True):
    """What every body shares: fields that are not named are refused."""


class Join(Asked, frozen=True):
    """Someone comes in by the open door."""

    name: Name


class NewPerson(Asked, frozen=True):
    """Someone whom staff let in."""

    name: Name
    role: RoleName


class Credits(Asked, frozen=True):
    """How much to buy."""

    cents: Cents


class CashOut(Asked, frozen=True):
    """How much to cash out; all of it if nothing is said."""

    cents: Cents | None = None


class SideLimits(Asked, frozen=True):
    """The least and the most on one side bet or insurance, for one patron in one box."""

    on: str
    minimum_cents: Cents
    maximum_cents: Cents


class TableTiming(Asked, frozen=True):
    """The pace of an automatic table."""

    betting_ms: int | UnsetType = UNSET
    card_ms: int | UnsetType = UNSET
    insurance_ms: int | UnsetType = UNSET
    pause_ms: int | UnsetType = UNSET


class NewTable(Asked, frozen=True):
    """A table to set up."""

    table: str
    game: str
    decks: int
    minimum_cents: Cents
    differential_cents: Cents
    mode: Literal["automatic", "live"] = "automatic"
    unit_cents: Cents = 1
    layout: str | None = None
    boxes: int | None = None
    sides: list[SideLimits] = []
    face_down: bool = False
    without_insurance: bool = False
    second_person: bool | None = None
    timing: TableTiming | None = None


class CommandBody(dict[str, Any]):
    """A command as the table's codec reads it; `punto.web.commands` describes each kind in the OpenAPI document."""


# ------------------------------------------------------------------------------------------- what goes out


class PersonOut(Struct, frozen=True):
    """Someone known to the house."""

    id: str
    name: str
    role: RoleName


class Admitted(Struct, frozen=True):
    """A new person with their token, which is shown this once."""

    person: PersonOut
    token: str


class MeOut(Struct, frozen=True):
    """Oneself; only patrons have a balance."""

    id: str
    name: str
    role: str
    balance: int | None


class GameOut(Struct, frozen=True):
    """A game in the list."""

    id: str
    title: str
    short: str
    effective: str
    decks: list[int]
    layouts: dict[str, int]
    bets: list[str]
    zh: dict[str, str]


class TableOut(Struct, frozen=True):
    """A table as the lobby shows it."""

    id: str
    game: str
    title: str
    mode: Literal["automatic", "live"] | None
    phase: str
    round: int
    shoe: int
    minimum: int | None
    differential: int | None
    boxes: int
    patrons: int
    notice: str | None
    last: list[str]


class HappenedOut(Struct, frozen=True):
    """An event as the one who asked may see it."""

    seq: int
    at: int
    event: dict[str, Any]


class OwnOut(Struct, frozen=True):
    """What is one's own at a table."""

    id: str
    name: str
    role: RoleName
    balance: int | None
    box: int | None
    seated: bool
    bets: list[dict[str, Any]]
    in_play: int
    lines: list[dict[str, Any]]
    lines_round: int | None
    options: dict[str, Any] | None
    insurable: dict[str, dict[str, int]]


class ReplyOut(Struct, frozen=True):
    """What a command led to."""

    seq: int
    events: list[HappenedOut]
    me: OwnOut | None


class DealtOut(Struct, frozen=True):
    """A card on the table; null while it lies face down."""

    card: str | None
    hand: str | None


class BoxOut(Struct, frozen=True):
    """A box: who sits there, how many stand behind it, and what lies on it in all."""

    box: int
    seated: str | None
    standing: int
    totals: dict[str, int]


class SnapshotOut(Struct, frozen=True):
    """A table now, for whoever asks."""

    type: Literal["snapshot"]
    seq: int
    now: int
    table: dict[str, Any]
    phase: str
    round: int
    clock: dict[str, int | None]
    shoe: dict[str, Any] | None
    cards: list[DealtOut]
    points: dict[str, int | None]
    next: dict[str, str | None]
    offers: list[dict[str, Any]]
    boxes: list[BoxOut]
    result: dict[str, Any] | None
    squeeze: dict[str, str] | None
    case: dict[str, Any] | None
    last: list[str]
    roads: dict[str, Any]
    me: OwnOut | None
    suspended: str | None
    bets: list[dict[str, Any]] | UnsetType = UNSET
    patrons: dict[str, Any] | UnsetType = UNSET


class Ticket(Struct, frozen=True):
    """What a patron is paid at the cash desk."""

    ticket: str
    cents: int
    at: int
    patron: str


class Bought(Struct, frozen=True):
    """The balance after buying credits."""

    balance: int
