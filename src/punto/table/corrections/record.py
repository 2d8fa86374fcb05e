"""The record of an earlier round, which a command about that round needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from punto.rules.cards import Card
from punto.rules.insurance import Window
from punto.rules.money import Cents
from punto.rules.refusals import Refusal
from punto.rules.settlement import Bet
from punto.table.act import Command
from punto.table.refusals import Contradiction, FactsContradict, RoundNotSettled
from punto.table.state import Settings
from punto.table.values import Claim


@dataclass(frozen=True, slots=True)
class RecordedBet:
    """A bet of a settled round, and what it has returned by now, corrections included.

    `decided` says that someone with authority decided what it returns.
    """

    bet: Bet
    returned_cents: Cents
    decided: bool = False


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """A settled round as it stands now: what a command about an earlier round needs to know of it.

    The state of a table holds the present only. Whoever gives such a command supplies the record of the round, which
    `past_rounds.record_of` makes from the log. `settings` are those of the table in that round, `other_cards` the other
    cards that left its shoe. `order_known` says that the order of that shoe was known before it was dealt.
    `cards_at_settlement` are the cards by which the round was first settled: insurance was taken on the offers that
    they make. `paid` are the bets that ended by a decision before.
    """

    number: int
    shoe: int
    cards: tuple[Card, ...]
    bets: tuple[RecordedBet, ...]
    settings: Settings
    taken_back: tuple[Bet, ...] = ()
    other_cards: tuple[Card, ...] = ()
    cards_left: int = 0
    order_known: bool = False
    waived: bool = False
    void: bool = False
    walked: Mapping[str, int] = field(default_factory=dict)
    claims: tuple[tuple[Window, Claim], ...] = ()
    cards_at_settlement: tuple[Card, ...] = ()
    forgone: frozenset[str] = frozenset()
    paid: tuple[RecordedBet, ...] = ()


@dataclass(frozen=True, slots=True)
class PastCommand(Command):
    """A command that may be about an earlier round. Its record is supplied where the command is decided.

    The record never travels: it is no part of the command that a person gives.
    """

    record: RoundRecord | None = field(default=None, compare=False, kw_only=True, repr=False)


def settled_record(record: RoundRecord | None, number: int | None, rule: str | None) -> RoundRecord | Refusal:
    """The record of a round that can be corrected, or why it cannot: it was not settled, or is void."""
    if record is None or record.number != number:
        return RoundNotSettled(number or 0, rule=rule)
    return FactsContradict(Contradiction.ALREADY_VOID, rule=rule) if record.void else record
