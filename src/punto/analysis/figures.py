"""Exact figures as programs and pages read them: fractions as floats, with the exact text where it matters."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from punto.rules.hands import Hand
from punto.rules.insurance import Window


class Advice(StrEnum):
    """The advice on an offer: insure up to the cap, wait for the second window, or do not insure.

    Where waiting would forgo the second window, a token stake must keep the right to it.
    """

    INSURE = "insure"
    WAIT = "wait"
    KEEP = "keep"
    LEAVE = "leave"


@dataclass(frozen=True, slots=True)
class PayShare:
    """A line of a pay table, and how often it pays; also as an exact fraction."""

    when: str
    odds: str
    probability: float
    probability_exact: str


@dataclass(frozen=True, slots=True)
class BetFigures:
    """A bet's cost: house edge, how often it wins and is returned, standard deviation. Exact ones are fractions."""

    edge: float
    edge_exact: str
    hit: float
    returned: float
    returned_exact: str
    sd: float
    pays: tuple[PayShare, ...]


@dataclass(frozen=True, slots=True)
class InsuranceFigures:
    """Insurance at a pair of points; null where these cards never get there."""

    window: Window
    hand: Hand
    player: int
    banker: int
    odds: str
    win: float | None
    push: float | None
    ev: float | None
    ev_exact: str | None


@dataclass(frozen=True, slots=True)
class ChartEntry:
    """The advice on insurance at a pair of points.

    `insure` up to the cap, `wait` for the second window, `keep` the right to it with a token stake, or `leave` it.
    """

    window: Window
    player: int
    banker: int
    advice: Advice


@dataclass(frozen=True, slots=True)
class PlayFigures:
    """For one unit on a hand: where the best play insures to the cap, and what that leaves of the edge.

    By `forgone_rule` an offer let pass in the first window forgoes the second. The edges `without_token` are against a
    patron who lets offers pass all the same; where the sheet has no such rule they are the same.
    """

    hand: Hand
    edge: float
    chart_edge: float
    best_edge: float
    chart_edge_without_token: float
    best_edge_without_token: float
    forgone_rule: str | None
    chart: tuple[ChartEntry, ...]


@dataclass(frozen=True, slots=True)
class Figures:
    """Exact figures for every bet of a game."""

    game: str
    decks: int
    bets: dict[str, BetFigures]
    insurance: tuple[InsuranceFigures, ...]
    play: tuple[PlayFigures, ...]


@dataclass(frozen=True, slots=True)
class BetCount:
    """The best count of a bet as it stands, and the true count from which the bet favours the patron."""

    tags: tuple[int, ...]
    fit: float
    true_count: float
    even_at: float


@dataclass(frozen=True, slots=True)
class ShoeValue:
    """A bet's value if a round began with the cards left; no count where none helps."""

    edge: float
    edge_exact: str
    count: BetCount | None


@dataclass(frozen=True, slots=True)
class LiveFigures(Figures):
    """The same for a running shoe, for staff alone. `shoe` is null when too few cards are left for a round."""

    left: int
    on_table: int
    shoe: dict[str, ShoeValue] | None
