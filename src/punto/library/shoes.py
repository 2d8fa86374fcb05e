"""Shuffled shoes and the rounds dealt from them: one shoe, or millions of rounds in bounded memory.

The shuffle is Python's own generator: repeatable from a seed, and meant for study. Tables with money shuffle in
`punto.service.shoes`; billions of rounds are dealt by `punto.simulate`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from punto.analysis.composition import MAX_DECKS, ROUND_CARDS
from punto.analysis.refusals import DecksOutOfRange
from punto.library.cards import Cards
from punto.library.inputs import read
from punto.library.progress import Progress
from punto.rules.cards import DECK, Card
from punto.rules.defaults import DEFAULT_CUT, DEFAULT_DECKS
from punto.rules.html import cards_html
from punto.rules.refusals import Refusal
from punto.rules.tableau import Round, cards_in_round, deal
from punto.rules.tabular import Row, Tabular, make_frame
from punto.rules.words import counted
from punto.simulation.refusals import CutInvalid, RoundsInvalid
from punto.texts.refused import Refused, raising_refused

MIN_CUT = ROUND_CARDS - 1
"""The minimum number of cards behind the cut card, because a round is always finished."""


class Shoe:
    """A shuffled shoe. The same seed gives the same order; without one, a new seed is drawn.

    >>> import punto
    >>> shoe = punto.Shoe(decks=8, seed=1)
    >>> len(shoe.cards), len(list(shoe.rounds()))
    (416, 83)
    """

    __slots__ = ("cards", "cut", "decks", "seed")

    def __init__(self, decks: int = DEFAULT_DECKS, seed: int | None = None, *, cut: int = DEFAULT_CUT) -> None:
        with raising_refused():
            decks, cut = read(decks, int, "decks"), read(cut, int, "cut")
            seed = read(seed, int | None, "seed")
        if not 1 <= decks <= MAX_DECKS:
            raise Refused(DecksOutOfRange(decks, MAX_DECKS))
        cards = len(DECK) * decks
        if not MIN_CUT <= cut < cards:
            raise Refused(CutInvalid(cut, MIN_CUT, cards - 1, cards))
        self.decks, self.cut = decks, cut
        self.seed = random.SystemRandom().getrandbits(64) if seed is None else seed
        self.cards = Cards(next(_orders(decks, self.seed)))

    def rounds(self, count: int | None = None, *, progress: bool | None = None) -> Rounds:
        """The rounds of this shoe; with a `count`, so many rounds of this shoe and of those that follow it.

        A round begins while more than `cut` cards are left. Rounds are dealt while they are read, so that memory does
        not grow with their number. A count shows a progress line on a terminal; `progress` says otherwise. Raises
        Refused for a count that is not a whole number above zero.
        """
        with raising_refused():
            count = read(count, int | None, "count")
        if count is not None and count < 1:
            raise Refused(RoundsInvalid(str(count)))
        return Rounds(self.decks, self.seed, self.cut, count, progress)

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

    >>> import punto
    >>> rounds = punto.Shoe(seed=1).rounds(1000)
    >>> sum(round.outcome.winner == "banker" for round in rounds)
    435
    """

    decks: int
    seed: int
    cut: int
    count: int | None
    progress: bool | None

    def __iter__(self) -> Iterator[Round]:
        if self.count is None:
            return _rounds_of(next(_orders(self.decks, self.seed)), self.decks, self.cut)
        return self._counted(self.count)

    def _counted(self, count: int) -> Iterator[Round]:
        with Progress(count, "rounds", shown=self.progress) as progress:
            for number, round_ in enumerate(islice(self._endless(), count)):
                if not number % 1_000:
                    progress.update(number)
                yield round_

    def _endless(self) -> Iterator[Round]:
        for order in _orders(self.decks, self.seed):
            yield from _rounds_of(order, self.decks, self.cut)

    def to_dicts(self) -> list[Row]:
        """A row for each round."""
        return [_row(number, round_) for number, round_ in enumerate(self, 1)]

    def frames(self, size: int = 100_000) -> Iterator[Any]:
        """The same rows in frames of at most this size, so that memory is bounded."""
        rows = (_row(number, round_) for number, round_ in enumerate(self, 1))
        while batch := list(islice(rows, size)):
            yield make_frame(batch)

    def __str__(self) -> str:
        shown = "the rounds of a shoe" if self.count is None else counted(self.count, "round")
        return f"{shown} of {counted(self.decks, 'deck')}, seed {self.seed}"

    def __repr__(self) -> str:
        return f"<Rounds {self}>"

    def _repr_html_(self) -> str:
        from punto.rules.html import round_html

        first = "".join([round_html(round_) for round_ in islice(Rounds(*self._key, progress=False), 5)])
        return f"<div><b>{self}</b>; the first:{first}</div>"

    @property
    def _key(self) -> tuple[int, int, int, int | None]:
        return self.decks, self.seed, self.cut, self.count


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
        "cards": str(Cards(round_.cards)),
        "winner": outcome.winner.value,
        "player_points": outcome.player_points,
        "banker_points": outcome.banker_points,
        "player_cards": outcome.player_cards,
        "banker_cards": outcome.banker_cards,
        "player_pair": outcome.player_pair.symbol if outcome.player_pair else None,
        "banker_pair": outcome.banker_pair.symbol if outcome.banker_pair else None,
    }
