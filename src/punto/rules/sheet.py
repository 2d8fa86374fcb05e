"""A rule sheet: one game, complete, with the paragraph for everything it says. Built only if it makes sense."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import StrEnum
from functools import reduce

from punto.rules.bets import OfferedBet
from punto.rules.insurance import Insurance, InsuranceBet
from punto.rules.tableau import DealRules


class Role(StrEnum):
    """Who may decide, from the lowest authority to the highest."""

    DEALER = "dealer"
    PIT_SUPERVISOR = "pit-supervisor"
    PIT_MANAGER = "pit-manager"
    SHIFT_MANAGER = "shift-manager"

    @property
    def spoken(self) -> str:
        """The role as the sheets name it."""
        return "Table Game Shift Manager" if self is Role.SHIFT_MANAGER else self.value.replace("-", " ").title()

    @property
    def level(self) -> int:
        """The rank of this authority; a higher role may do all that a lower one may."""
        return list(Role).index(self)


class Ruling(StrEnum):
    """How a sheet answers an irregularity."""

    VOID = "void"
    REFUSE = "refuse"
    STANDS = "stands"
    SETTLE = "settle"
    PRO_RATA = "pro-rata"
    RAISE_OR_WITHDRAW = "raise-or-withdraw"
    CONCLUDE_OR_VOID = "conclude-or-void"
    RECONSTRUCT = "reconstruct"
    CONTINUE = "continue"
    ORDER_CARDS = "order-cards"
    OPTIONS = "options"
    NO_EFFECT = "no-effect"
    RETURN_ORIGINAL = "return-original"
    CHIPS_PREVAIL = "chips-prevail"
    TABLE_PREVAILS = "table-prevails"


class OptionsUnless(StrEnum):
    """When patrons are *not* given the options after an irregularity."""

    NEVER = "never"
    OUTCOME_ESTABLISHED = "outcome-established"
    ESTABLISHED_AND_RECONSTRUCTIBLE = "outcome-established-and-reconstructible"


class AskedBy(StrEnum):
    """Which patron may ask for a squeeze."""

    SEATED_HIGHEST_BET = "seated-highest-bet"
    ANY_PATRON = "any-patron"


@dataclass(frozen=True, slots=True)
class Decks:
    """How many decks the game may be played with."""

    minimum: int
    maximum: int
    rule: str

    def __post_init__(self) -> None:
        if not 1 <= self.minimum <= self.maximum:
            raise ValueError(f"{self.minimum} to {self.maximum} is not a range of decks in order")

    def __contains__(self, decks: int) -> bool:
        return self.minimum <= decks <= self.maximum


@dataclass(frozen=True, slots=True)
class Layout:
    """A printed layout and its number of betting boxes."""

    id: str
    name: str
    boxes: int
    appendix: str


@dataclass(frozen=True, slots=True)
class Boxes:
    """The layouts a sheet allows and the highest box on any. A game on player terminals has none, and no highest."""

    rule: str
    layouts_rule: str
    layouts: tuple[Layout, ...]
    most: int | None = field(init=False)

    def __post_init__(self) -> None:
        ids = [layout.id for layout in self.layouts]
        if len(set(ids)) < len(ids):
            raise ValueError("two layouts have the same id")
        object.__setattr__(self, "most", max((layout.boxes for layout in self.layouts), default=None))


@dataclass(frozen=True, slots=True)
class Call:
    """An announcement of the table."""

    says: str
    rule: str


@dataclass(frozen=True, slots=True)
class Squeeze:
    """Who may ask to squeeze a card, where the sheet says so."""

    by: AskedBy
    rule: str


@dataclass(frozen=True, slots=True)
class Play:
    """Where the sheet says how a round is played."""

    open: Call
    close: Call
    values_rule: str
    initial_cards_rule: str
    third_card_rule: str
    table_of_play_rule: str
    winner_rule: str
    tie_rule: str
    squeeze: Squeeze | None = None


@dataclass(frozen=True, slots=True)
class LimitRules:
    """Where the sheet speaks of the minimum and the Differential; a sheet may not."""

    shown_rule: str
    responsibility_rule: str
    balance_rule: str
    excess_rule: str
    pro_rata_rule: str
    pro_rata_exempt_rule: str
    minimum_rule: str
    minimum_unnoticed_rule: str


@dataclass(frozen=True, slots=True)
class Options:
    """That patrons may go on or take their bets back after an irregularity, and when they may not."""

    unless: OptionsUnless
    rule: str


@dataclass(frozen=True, slots=True)
class NewShoe:
    """That the shoe is or may be replaced after an irregularity: at the word of a role, or always (no role)."""

    rule: str
    by: Role | None = None


@dataclass(frozen=True, slots=True)
class Irregularity:
    """A situation and the answer to it; without a rule the sheet is silent and the answer is house practice.

    `beyond_reconstruction` says that the answer holds only if the cards cannot be reconstructed;
    `until_next_round` that it holds for a settled round too, as long as the next has not begun.
    """

    id: str
    situation: str
    ruling: Ruling
    decides: Role
    rule: str | None
    options: Options | None = None
    new_shoe: NewShoe | None = None
    beyond_reconstruction: bool = False
    until_next_round: bool = False


@dataclass(frozen=True, slots=True)
class Authority:
    """The general paragraphs behind rulings, and who decides what no paragraph does.

    A rule is None where the sheet is silent and house practice holds.
    """

    decides_otherwise: Role
    otherwise_rule: str | None = None
    options_rule: str | None = None
    continue_as_is_rule: str | None = None
    continue_reconstructed_rule: str | None = None
    take_back_rule: str | None = None
    conclude_rule: str | None = None
    void_interrupted_rule: str | None = None
    void_rule: str | None = None
    bets_for_patrons_rule: str | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """One game. `bets` holds original and side bets by id; insurance has a place of its own.

    `zh` gives words of the sheet in Chinese, by those words.
    """

    id: str
    title: str
    short: str
    effective: str
    version: str | None
    decks: Decks
    boxes: Boxes
    play: Play
    bets: dict[str, OfferedBet]
    insurance: Insurance | None
    limits: LimitRules | None
    irregularities: dict[str, Irregularity]
    authority: Authority
    paragraphs: dict[str, str] = field(repr=False)
    zh: dict[str, str] = field(default_factory=dict)
    insurance_bets: dict[str, InsuranceBet] = field(init=False, repr=False, compare=False)
    deal_rules: DealRules = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        play = self.play
        cited = DealRules(play.initial_cards_rule, play.third_card_rule, play.table_of_play_rule, self.decks.rule)
        object.__setattr__(self, "deal_rules", cited)
        bets = self.insurance.bets if self.insurance else ()
        object.__setattr__(self, "insurance_bets", {bet.id: bet for bet in bets})

    @property
    def bet_ids(self) -> tuple[str, ...]:
        """Every bet that can be placed, insurance last."""
        return (*self.bets, *self.insurance_bets)

    @property
    def bet_names(self) -> tuple[str, ...]:
        """The same bets as they are printed."""
        return (*[bet.name for bet in self.bets.values()], *[bet.name for bet in self.insurance_bets.values()])

    @property
    def offered_rule(self) -> str:
        """The paragraph that lists the bets."""
        return next(iter(self.bets.values())).rule

    @property
    def exact_unit_cents(self) -> int:
        """The smallest chip unit at which no payout has a fraction of a cent."""
        odds = [line.odds for bet in self.bets.values() for line in bet.pays]
        odds += [row.odds for row in self.insurance.rows] if self.insurance else []
        return reduce(math.lcm, [each.stake for each in odds])
