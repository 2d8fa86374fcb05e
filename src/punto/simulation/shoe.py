"""A shoe as it is dealt: which cards, where the cut card is, what is burnt."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from punto.analysis.composition import DEFAULT_CUT, MOST_DECKS, ROUND_CARDS
from punto.rules.reasons import quoted, shorten
from punto.rules.refusals import RefusedError
from punto.simulation.refusals import BurnInvalid, CutInvalid, DecksInvalid

LEAST_ROUND_CARDS = 4
MOST_BURN = 10
"""The most cards a burn card takes with it: a ten or a picture counts 10."""
LEAST_CUT = ROUND_CARDS - 1
ONE_LABEL, FOUR_LABELS = 208, 416
"""The largest shoes whose counts fit a byte with one label and, at the first try almost always, with four."""


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
            raise RefusedError(DecksInvalid("counts-impossible", shorten(self.counts), 0, 4 * MOST_DECKS))
        if self.burn != Burn.CARD and not 0 <= int(self.burn) < self.cards:
            raise RefusedError(BurnInvalid(quoted(self.burn), self.cards))
        most = self.cards - self._most_burnt - 1
        if not LEAST_CUT <= self.cut <= most:
            raise RefusedError(CutInvalid(self.cut, LEAST_CUT, most, self.cards))

    @classmethod
    def of_decks(cls, decks: int, cut: int = DEFAULT_CUT, burn: int | Burn = 0) -> Shoe:
        """A full shoe."""
        if not 1 <= decks <= MOST_DECKS:
            raise RefusedError(DecksInvalid("decks-impossible", str(decks), 1, MOST_DECKS))
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
