"""The words on a drawing of the roads, from the catalogue of a language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from punto.roads.path import Colour
from punto.roads.roads import COLOURS, LETTERS, Cell, Roads
from punto.rules.outcome import Winner
from punto.texts import LANGUAGES, catalogue, text

HANDS = (Winner.BANKER, Winner.PLAYER)
WINNERS = {colour: winner for winner, colour in COLOURS.items()}


@dataclass(frozen=True, slots=True)
class Words:
    """The names of roads, hands, marks and colours in one language, and the notes of a drawing."""

    language: str

    def of(self, table: str, key: str) -> str:
        """A word: of a `road`, a `winner`, a `bead` or a `colour`."""
        return catalogue(self.language).word(table, key)

    def says(self, key: str, **parameters: Any) -> str:
        """A text of the section `roads`."""
        return text("roads", key, self.language, **parameters)

    def bead(self, colour: Colour) -> str:
        """The mark of the bead plate."""
        return self.of("bead", LETTERS[WINNERS[colour]])

    def joined(self, *parts: str) -> str:
        """Parts as a list."""
        return catalogue(self.language).list_separator.join(parts)


ENGLISH, CHINESE = map(Words, LANGUAGES)


def summary(roads: Roads, words: Words) -> str:
    """The numbers of rounds, results and pairs."""
    outcomes = roads.outcomes
    counts = [f"{words.of('winner', each)} {sum(outcome.winner is each for outcome in outcomes)}" for each in LETTERS]
    for hand in HANDS:
        pairs = sum(getattr(outcome, f"{hand}_pair") is not None for outcome in outcomes)
        counts.append(f"{words.says('pair', hand=hand)} {pairs}")
    return words.says("summary", rounds=roads.rounds, counts=counts)


def waiting(roads: Roads, words: Words) -> str:
    """The text in the big road's first cell while there are only ties."""
    return words.says("waiting", ties=roads.ties_waiting)


def newest(road: str, shown: int, columns: int, words: Words) -> str:
    """The heading of a road of which only the newest columns are shown."""
    return words.says("newest", name=words.of("road", road), shown=shown, columns=columns)


def describe(cell: Cell, words: Words, *, hand: bool) -> str:
    """A mark in words: its round, its hand (or its colour, on a derived road), its pairs and its ties."""
    parts = [words.of("winner", WINNERS[cell.colour]) if hand else words.of("colour", cell.colour)]
    parts += [words.says("pair", hand=each) for each in HANDS if getattr(cell, f"{each}_pair")]
    if cell.ties:
        parts.append(words.says("ties", ties=cell.ties))
    return words.says("mark", round=cell.round, what=parts)
