"""Shuffled shoes and the rounds dealt from them: one shoe, or millions of rounds in bounded memory.

The shuffle is Python's own generator: repeatable from a seed, and meant for study. Tables with money shuffle in
`punto.service.shoes`; billions of rounds are dealt by `punto.simulate`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, SupportsIndex, overload

from punto.library.inputs import read
from punto.library.progress import Progress
from punto.rules.cards import DECK, Card
from punto.rules.composition import ROUND_CARDS, Composition, check_shoe
from punto.rules.defaults import DEFAULT_CUT, DEFAULT_DECKS
from punto.rules.hands import Cards
from punto.rules.html import cards_html
from punto.rules.refusals import Refusal, Refused
from punto.rules.shoe_refusals import RoundsInvalid
from punto.rules.tableau import Round, cards_in_round, deal
from punto.rules.tabular import Row, Tabular, make_frame
from punto.rules.words import counted

if TYPE_CHECKING:
    import polars


class Shoe:
    """A shuffled shoe. The same seed gives the same order; without one, a new seed is drawn.

    Iterating gives its rounds: each begins while more than `cut` cards are left. Shoes with the same cards and cut are
    equal.

    >>> import punto
    >>> shoe = punto.Shoe(decks=8, seed=1)
    >>> len(shoe.cards), shoe.rounds, next(iter(shoe)).player.points
    (416, 83, 8)
    """

    __slots__ = ("cards", "cut", "decks", "seed")

    def __init__(self, decks: int = DEFAULT_DECKS, seed: int | None = None, *, cut: int = DEFAULT_CUT) -> None:
        decks, cut = read(decks, int, "decks"), read(cut, int, "cut")
        seed = read(seed, int | None, "seed")
        check_shoe(Composition.full(decks).size, cut)
        self.decks, self.cut = decks, cut
        self.seed = random.SystemRandom().getrandbits(64) if seed is None else seed
        self.cards = Cards(next(_orders(decks, self.seed)))

    def __iter__(self) -> Iterator[Round]:
        return _rounds_of(self.cards, self.decks, self.cut)

    @property
    def rounds(self) -> int:
        """The number of rounds of this shoe."""
        return sum(1 for _ in self)

    def deal(self, count: int, *, progress: bool | None = None) -> Rounds:
        """So many rounds: those of this shoe, then of the shoes that follow it.

        Rounds are dealt while they are read, so that memory does not grow with their number. A progress line is shown
        on a terminal; `progress` says otherwise. Raises Refused for a count that is not a whole number above zero.
        """
        count = read(count, int, "count")
        if count < 1:
            raise Refused(RoundsInvalid(str(count)))
        return Rounds(self.decks, self.seed, self.cut, count, progress)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shoe) and (other.cards, other.cut) == (self.cards, self.cut)

    def __hash__(self) -> int:
        return hash((self.cards, self.cut))

    def __str__(self) -> str:
        cards = f"{counted(self.decks, 'deck')}, {len(self.cards)} cards"
        return f"{cards}, seed {self.seed}, cut card {self.cut} from the end"

    def __repr__(self) -> str:
        return f"Shoe(decks={self.decks}, seed={self.seed}, cut={self.cut})"

    def _repr_html_(self) -> str:
        before, behind = self.cards[: -self.cut], self.cards[-self.cut :]
        marker = '<b style="color:#c98a1b;margin:0 .5em">cut card</b>'
        order = f'<div style="font-size:.8em;line-height:2">{cards_html(before)}{marker}{cards_html(behind)}</div>'
        return f"<details><summary><b>Shoe</b> · {self}</summary>{order}</details>"


@dataclass(frozen=True, slots=True, repr=False)
class Rounds(Tabular):
    """Rounds that are dealt while they are read. Reading them again deals the same ones.

    An index deals the rounds before it too, and a slice is a list.

    >>> import punto
    >>> rounds = punto.Shoe(seed=1).deal(1000)
    >>> sum(round.outcome.winner == "banker" for round in rounds), len(rounds), rounds[-1] == rounds[999]
    (435, 1000, True)
    """

    decks: int
    seed: int
    cut: int
    count: int
    progress: bool | None = field(compare=False)

    def __len__(self) -> int:
        return self.count

    @overload
    def __getitem__(self, place: SupportsIndex, /) -> Round: ...
    @overload
    def __getitem__(self, place: slice, /) -> list[Round]: ...
    def __getitem__(self, place: Any, /) -> Any:
        wanted = range(self.count)[place]
        if isinstance(wanted, int):
            return next(islice(self._endless(), wanted, None))
        first, end = (min(wanted), max(wanted) + 1) if wanted else (0, 0)
        dealt = list(islice(self._endless(), first, end))
        return [dealt[each - first] for each in wanted]

    def __iter__(self) -> Iterator[Round]:
        with Progress(self.count, "rounds-noun", shown=self.progress) as progress:
            for number, round_ in enumerate(islice(self._endless(), self.count)):
                if not number % 1_000:
                    progress.update(number)
                yield round_

    def _endless(self) -> Iterator[Round]:
        for order in _orders(self.decks, self.seed):
            yield from _rounds_of(order, self.decks, self.cut)

    def to_dicts(self) -> list[Row]:
        """A row for each round."""
        return [_row(number, round_) for number, round_ in enumerate(self, 1)]

    def frames(self, size: int = 100_000) -> Iterator[polars.DataFrame]:
        """The same rows in frames of at most this size, so that memory is bounded."""
        rows = (_row(number, round_) for number, round_ in enumerate(self, 1))
        while batch := list(islice(rows, size)):
            yield make_frame(batch)

    def __str__(self) -> str:
        return f"{counted(self.count, 'round')} of {counted(self.decks, 'deck')}, seed {self.seed}"

    def _repr_html_(self) -> str:
        from punto.rules.html import round_html

        first = "".join(map(round_html, self[:5]))
        return f"<div><b>{self}</b>; the first:{first}</div>"


def _orders(decks: int, seed: int) -> Iterator[list[Card]]:
    """The orders of one shoe after another."""
    generator = random.Random(seed)  # noqa: S311 — for study; no money is bet on it
    while True:
        order = list(DECK * decks)
        generator.shuffle(order)
        yield order


def _rounds_of(order: Sequence[Card], decks: int, cut: int) -> Iterator[Round]:
    """The rounds of a shoe, up to the one that begins before the cut card."""
    at = 0
    while len(order) - at > cut:
        taken = cards_in_round(order[at : at + ROUND_CARDS])
        round_ = deal(tuple(order[at : at + taken]), decks)
        if isinstance(round_, Refusal):  # never: the cards follow the Table of Play
            raise Refused(round_)
        yield round_
        at += taken


def _row(number: int, round_: Round) -> Row:
    outcome = round_.outcome
    return {
        "round": number,
        "cards": str(round_.cards),
        "winner": outcome.winner.value,
        "player_points": outcome.player_points,
        "banker_points": outcome.banker_points,
        "player_cards": outcome.player_cards,
        "banker_cards": outcome.banker_cards,
        "player_pair": outcome.player_pair.symbol if outcome.player_pair else None,
        "banker_pair": outcome.banker_pair.symbol if outcome.banker_pair else None,
    }
