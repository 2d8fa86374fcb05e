"""A rule sheet: one complete game, with the paragraph of every rule. The constructors check it."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, field
from enum import StrEnum

from punto.rules.bets import OfferedBet
from punto.rules.insurance import Insurance, InsuranceBet
from punto.rules.reasons import Problem, ProblemError
from punto.rules.shown import Shown
from punto.rules.tableau import DealRules


class Role(StrEnum):
    """The staff roles, from the lowest authority to the highest."""

    DEALER = "dealer"
    PIT_SUPERVISOR = "pit-supervisor"
    PIT_MANAGER = "pit-manager"
    SHIFT_MANAGER = "shift-manager"
    CASINO_MANAGER = "casino-manager"

    level: int
    """The level of authority. A higher role may do all that a lower one may."""

    def __init__(self, _: str) -> None:
        self.level = len(type(self).__members__)  # of the roles so far: those below


class Ruling(StrEnum):
    """The rulings with which a sheet answers a situation."""

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
    """When patrons do *not* get the options after an irregularity."""

    NEVER = "never"
    OUTCOME_ESTABLISHED = "outcome-established"
    ESTABLISHED_AND_RECONSTRUCTIBLE = "outcome-established-and-reconstructible"


class AskedBy(StrEnum):
    """The patron who may ask for a squeeze."""

    SEATED_HIGHEST_BET = "seated-highest-bet"
    ANY_PATRON = "any-patron"


class Device(StrEnum):
    """The devices from which cards are dealt."""

    CARD_SHOE = "card-shoe"
    SHUFFLER = "shuffler"


@dataclass(frozen=True, slots=True)
class Decks:
    """The numbers of decks that the game may be played with."""

    minimum: int
    maximum: int
    rule: str

    def __post_init__(self) -> None:
        if not 1 <= self.minimum <= self.maximum:
            raise ProblemError(Problem.DECKS_NOT_IN_ORDER, self.minimum, self.maximum)

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
    """The layouts of a sheet. `most` is the largest number of boxes; None for a game on player terminals.

    With a `terminals_rule`, bets are made at player terminals alone. With a `standing_rule`, one bets standing only in
    the box of a seated patron: one who sits there and has a bet in it, by the `seated_rule`.
    """

    rule: str
    layouts_rule: str
    layouts: tuple[Layout, ...]
    seated_rule: str | None = None
    standing_rule: str | None = None
    terminals_rule: str | None = None
    most: int | None = field(init=False)

    def __post_init__(self) -> None:
        ids = [layout.id for layout in self.layouts]
        if len(set(ids)) < len(ids):
            raise ProblemError(Problem.LAYOUTS_ALIKE)
        object.__setattr__(self, "most", max((layout.boxes for layout in self.layouts), default=None))


@dataclass(frozen=True, slots=True)
class Call:
    """A call of the Dealer."""

    says: str
    rule: str


@dataclass(frozen=True, slots=True)
class Squeeze:
    """The patrons who may ask to squeeze a card, at every table or at `face_down` tables alone."""

    by: AskedBy
    rule: str
    face_down: bool


@dataclass(frozen=True, slots=True)
class Play:
    """The paragraphs on how a round is played. A sheet without a `shuffler_rule` knows no Electronic Card Shuffler."""

    open: Call
    close: Call
    values_rule: str
    initial_cards_rule: str
    third_card_rule: str
    table_of_play_rule: str
    winner_rule: str
    tie_rule: str
    squeeze: Squeeze | None = None
    shuffler_rule: str | None = None

    @property
    def devices(self) -> tuple[Device, ...]:
        """The devices from which the game may be dealt."""
        return (Device.CARD_SHOE,) if self.shuffler_rule is None else (Device.CARD_SHOE, Device.SHUFFLER)


@dataclass(frozen=True, slots=True)
class LimitRules:
    """The paragraphs on the minimum and the Differential. A sheet may have none."""

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
    """The option to continue or take bets back after an irregularity, and when patrons do not get it."""

    rule: str
    unless: OptionsUnless = OptionsUnless.NEVER


@dataclass(frozen=True, slots=True)
class NewShoe:
    """The replacement of the shoe after an irregularity: if a role decides so, or always (`by` None).

    Without a `rule` it is house practice.
    """

    rule: str | None
    by: Role | None = None


@dataclass(frozen=True, slots=True)
class Irregularity:
    """A situation and the sheet's ruling on it. Without a `rule` the sheet is silent, and the ruling is house practice.

    With `beyond_reconstruction`, the ruling applies only if the cards cannot be reconstructed. With `until_next_round`,
    it applies to a settled round too, until the next begins. With `cut_card_out`, it applies only once the cut card
    came out.
    """

    id: str
    situation: str
    ruling: Ruling
    decides: Role
    rule: str | None
    options: Options | None
    new_shoe: NewShoe | None
    beyond_reconstruction: bool
    until_next_round: bool
    cut_card_out: bool


@dataclass(frozen=True, slots=True)
class Authority:
    """The general paragraphs of rulings, and the role that decides where no paragraph does.

    A rule is None where the sheet is silent and house practice applies.
    """

    decides_otherwise: Role
    otherwise_rule: str | None = None
    options_rule: str | None = None
    continue_as_is_rule: str | None = None
    continue_reconstructed_rule: str | None = None
    take_back_rule: str | None = None
    accepts_later_rule: str | None = None
    """Patrons who went on get no options after a later error of the round."""
    conclude_rule: str | None = None
    void_interrupted_rule: str | None = None
    void_rule: str | None = None
    bets_for_patrons_rule: str | None = None
    acting_rule: str | None = None


NOWHERE = Boxes("", "", ())
"""The boxes of a sheet that is mathematics only."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Sheet(Shown):
    """One game. `bets` has original and side bets by id; insurance is separate.

    `zh` maps texts of the sheet to Chinese. A table cannot be opened on a sheet that leaves out a part that it needs:
    `missing` names these. `canonical` is what the sheet says, with all that it extends, as one line of JSON, from which
    it can be loaded again; the `fingerprint` is its SHA-256.
    """

    id: str
    title: str
    short: str = ""
    effective: str = ""
    version: str | None
    decks: Decks
    boxes: Boxes = NOWHERE
    play: Play
    bets: dict[str, OfferedBet]
    insurance: Insurance | None
    limits: LimitRules | None
    irregularities: dict[str, Irregularity]
    authority: Authority
    paragraphs: dict[str, str] = field(repr=False)
    zh: dict[str, str] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    canonical: str = field(default="", repr=False, compare=False)
    fingerprint: str = field(init=False, repr=False)
    insurance_bets: dict[str, InsuranceBet] = field(init=False, repr=False, compare=False)
    deal_rules: DealRules = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "short", self.short or self.title)
        play = self.play
        cited = DealRules(play.initial_cards_rule, play.third_card_rule, play.table_of_play_rule, self.decks.rule)
        object.__setattr__(self, "deal_rules", cited)
        bets = self.insurance.bets if self.insurance else ()
        object.__setattr__(self, "insurance_bets", {bet.id: bet for bet in bets})
        said = self.canonical.encode("utf-8", "surrogatepass")
        object.__setattr__(self, "fingerprint", hashlib.sha256(said).hexdigest())

    def __hash__(self) -> int:
        return hash((self.id, self.fingerprint))

    def __str__(self) -> str:
        return f"{self.title} ({self.id})"

    def __repr__(self) -> str:
        return f"<Sheet {self.id} of {self.effective}>" if self.effective else f"<Sheet {self.id}>"

    @property
    def bet_ids(self) -> tuple[str, ...]:
        """The ids of all bets, insurance last."""
        return (*self.bets, *self.insurance_bets)

    @property
    def exact_unit_cents(self) -> int:
        """The smallest unit of stakes on which every line pays whole cents: on others a win is rounded down."""
        odds = [line.odds for bet in self.bets.values() for line in bet.pays]
        odds += [row.odds for row in self.insurance.rows] if self.insurance else []
        return math.lcm(*[each.stake for each in odds])

    @property
    def offered_rule(self) -> str:
        """The paragraph that lists the bets."""
        return next(iter(self.bets.values())).rule
