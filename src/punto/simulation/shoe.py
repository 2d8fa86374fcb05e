"""A shoe to deal: its cards, the place of the cut card, and the burn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from punto.rules.composition import DEFAULT_CUT, MAX_DECKS, ROUND_CARDS, Burn, Composition, check_shoe, shoe_of

MIN_ROUND_CARDS = 4
ONE_LABEL, FOUR_LABELS = 208, 416
"""The largest shoes whose counts fit a byte with one label and, almost always at the first try, with four."""


@dataclass(frozen=True, slots=True)
class SimulatedShoe:
    """A shuffled shoe of 13 counts by rank, ace to king, that ends at the cut card.

    `cut` cards are behind the cut card. A round begins only while more than `cut` cards are left, and is always
    finished; that takes at most five more cards, so `cut` is at least 5.

    `burn` cards are discarded unseen before the first round. With `Burn.CARD` the first card is shown and discarded,
    with as many unseen cards as its points, an ace 1 and a ten or picture 10: two to eleven cards in total.

    The constructor raises Refused.
    """

    counts: tuple[int, ...]
    cut: int = DEFAULT_CUT
    burn: int | Burn = 0

    def __post_init__(self) -> None:
        shoe_of(MAX_DECKS, self.counts)
        check_shoe(self.cards, self.cut, self.burn)

    @classmethod
    def of_decks(cls, decks: int, cut: int = DEFAULT_CUT, burn: int | Burn = 0) -> SimulatedShoe:
        """A full shoe."""
        return cls(Composition.full(decks).counts, cut, burn)

    @classmethod
    def of_shuffler(cls, decks: int) -> SimulatedShoe:
        """The full set of an Electronic Card Shuffler, from which one round is dealt: the next has a set of its own."""
        return cls.of_decks(decks, 52 * decks - 1)

    @property
    def cards(self) -> int:
        """The number of cards of the full shoe."""
        return sum(self.counts)

    @property
    def sure_rounds(self) -> int:
        """The number of rounds that every such shoe has, whatever its cards."""
        return -(-(self.cards - check_shoe(self.cards, self.cut, self.burn) - self.cut) // ROUND_CARDS)

    @property
    def max_rounds(self) -> int:
        """A number of rounds that no such shoe exceeds."""
        return -(-(self.cards - self.cut) // MIN_ROUND_CARDS)

    def as_array(self) -> npt.NDArray[np.int64]:
        """The shoe as an array for the kernels. Unseen burnt cards count as behind the cut card."""
        stop = self.cut + (0 if self.burn == Burn.CARD else int(self.burn))
        labels = 1 if self.cards <= ONE_LABEL else 4 if self.cards <= FOUR_LABELS else 8
        return np.array([*self.counts, stop, self.burn == Burn.CARD, self.sure_rounds, labels], np.int64)
