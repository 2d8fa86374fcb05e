"""A shoe as it is dealt: which cards, where the cut card is, what is burnt."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from punto.analysis.composition import DEFAULT_CUT, MOST_DECKS, ROUND_CARDS
from punto.rules.refusals import Code, RefusedError

LEAST_ROUND_CARDS = 4
MOST_BURN = 10
"""The most cards a burn card takes with it: a ten or a picture counts 10."""
LEAST_CUT = ROUND_CARDS - 1
ONE_LABEL, FOUR_LABELS = 208, 416
"""The largest shoes whose counts fit a byte with one label and, at the first try almost always, with four."""


class SimulationCode(Code):
    """Why a simulation cannot be run, in order of precedence."""

    DECKS_INVALID = "decks-invalid"
    BURN_INVALID = "burn-invalid"
    CUT_INVALID = "cut-invalid"
    ROUNDS_INVALID = "rounds-invalid"
    SEED_INVALID = "seed-invalid"
    SPLITS_INVALID = "splits-invalid"
    BACKEND_UNKNOWN = "backend-unknown"
    BACKEND_NOT_INSTALLED = "backend-not-installed"
    BACKEND_UNAVAILABLE = "backend-unavailable"
    PATRON_INVALID = "patron-invalid"
    FUNCTION_INVALID = "function-invalid"

    @property
    def meaning(self) -> str:
        """When this code is given, in one line."""
        return MEANINGS[self]


MEANINGS = {
    SimulationCode.DECKS_INVALID: "The shoe has fewer than one deck or more than ten, or an impossible count.",
    SimulationCode.BURN_INVALID: "The burn is neither a number of cards the shoe can spare nor `card`.",
    SimulationCode.CUT_INVALID: "The cut card leaves no round, or too few cards behind it to finish one.",
    SimulationCode.ROUNDS_INVALID: "The number of rounds is not a whole number above zero.",
    SimulationCode.SEED_INVALID: "The seed is below zero.",
    SimulationCode.SPLITS_INVALID: "The first-rounds splits are not round numbers above zero.",
    SimulationCode.BACKEND_UNKNOWN: "No backend has this name.",
    SimulationCode.BACKEND_NOT_INSTALLED: "The backend needs a package that is not installed.",
    SimulationCode.BACKEND_UNAVAILABLE: "The backend is installed, but its device or cluster cannot be reached.",
    SimulationCode.PATRON_INVALID: "The patron study's money, bet, plan or policy makes no sense.",
    SimulationCode.FUNCTION_INVALID: "A function of the patron's own cannot be loaded or gave an impossible answer.",
}


class Burn(StrEnum):
    """What is taken out of a shoe before its first round, besides a plain number of cards."""

    CARD = "card"


@dataclass(frozen=True, slots=True)
class Shoe:
    """A shuffled shoe of 13 counts by rank, ace to king, that ends at the cut card.

    `cut` cards lie behind the cut card. A round begins only while the cut card has not been reached, which means while
    more than `cut` cards are left, and is always finished; that takes at most five cards more, so `cut` is at least 5.

    `burn` cards go unseen before the first round. With `Burn.CARD` the first card is turned up and goes, and with it,
    unseen, as many cards as its points say, an ace 1 and a ten or picture 10: two to eleven cards in all.

    A RefusedError says what is wrong.
    """

    counts: tuple[int, ...]
    cut: int = DEFAULT_CUT
    burn: int | Burn = 0

    def __post_init__(self) -> None:
        if len(self.counts) != 13 or not all(0 <= count <= 4 * MOST_DECKS for count in self.counts):
            message = f"a shoe is 13 counts by rank, each from 0 to {4 * MOST_DECKS}"
            raise RefusedError(SimulationCode.DECKS_INVALID, message)
        if self.burn != Burn.CARD and not 0 <= int(self.burn) < self.cards:
            message = f"burn {self.burn!r}: give the number of cards to burn, below {self.cards}, or 'card'"
            raise RefusedError(SimulationCode.BURN_INVALID, message)
        most = self.cards - self._most_burnt - 1
        if not LEAST_CUT <= self.cut <= most:
            message = (
                f"cut {self.cut}: a round in progress is finished, so at least {LEAST_CUT} cards must lie behind the "
                f"cut card, and at most {most} if every shoe of {self.cards} cards is to have a round"
            )
            raise RefusedError(SimulationCode.CUT_INVALID, message)

    @classmethod
    def of_decks(cls, decks: int, cut: int = DEFAULT_CUT, burn: int | Burn = 0) -> Shoe:
        """A full shoe."""
        if not 1 <= decks <= MOST_DECKS:
            message = f"{decks} decks: a simulated shoe has 1 to {MOST_DECKS}"
            raise RefusedError(SimulationCode.DECKS_INVALID, message)
        return cls((4 * decks,) * 13, cut, burn)

    @property
    def cards(self) -> int:
        """How many cards the full shoe has."""
        return sum(self.counts)

    @property
    def _most_burnt(self) -> int:
        return 1 + MOST_BURN if self.burn == Burn.CARD else int(self.burn)

    @property
    def sure_rounds(self) -> int:
        """How many rounds every such shoe has, however the cards fall."""
        return -(-(self.cards - self._most_burnt - self.cut) // ROUND_CARDS)

    @property
    def most_rounds(self) -> int:
        """A number of rounds that no such shoe exceeds."""
        return -(-(self.cards - self.cut) // LEAST_ROUND_CARDS)

    def as_array(self) -> npt.NDArray[np.int64]:
        """The shoe as the kernels take it. Unseen burnt cards count as behind the cut card: any place is as good."""
        stop = self.cut + (0 if self.burn == Burn.CARD else int(self.burn))
        labels = 1 if self.cards <= ONE_LABEL else 4 if self.cards <= FOUR_LABELS else 8
        return np.array([*self.counts, stop, self.burn == Burn.CARD, self.sure_rounds, labels], np.int64)
