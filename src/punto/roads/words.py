"""The words on a drawing of the roads, from the catalogue of a language."""

from __future__ import annotations

from dataclasses import dataclass

from punto.roads.path import Colour
from punto.roads.roads import COLOURS, LETTERS, ROADS, Cell, Roads
from punto.rules.outcome import Winner
from punto.texts import LANGUAGES, catalogue, text

WINNERS = {colour: winner for winner, colour in COLOURS.items()}


@dataclass(frozen=True, slots=True)
class Words:
    """One language: the names of roads, hands, marks and colours, and the notes of a drawing.

    `beads` are the marks of the bead plate. Use `dataclasses.replace` for other labels.
    """

    language: str
    roads: dict[str, str]
    hands: dict[Winner, str]
    beads: dict[Winner, str]
    colours: dict[Colour, str]
    comma: str
    next_hand: str
    coming: dict[Winner, str]
    nothing: str
    pairs_key: str
    ties_key: str
    tradition: str


def words_of(language: str) -> Words:
    """The words of a language that has a catalogue."""
    texts = catalogue(language)
    return Words(
        language=language,
        roads={road: texts.word("road", road) for road in ROADS},
        hands={winner: texts.word("winner", winner) for winner in LETTERS},
        beads={winner: texts.word("bead", letter) for winner, letter in LETTERS.items()},
        colours={colour: texts.word("colour", colour) for colour in Colour},
        comma=texts.list_separator,
        next_hand=text("roads", "next-hand", language),
        coming={hand: text("roads", "coming", language, hand=hand) for hand in (Winner.BANKER, Winner.PLAYER)},
        nothing=text("roads", "nothing", language),
        pairs_key=text("roads", "pairs-key", language),
        ties_key=text("roads", "ties-key", language),
        tradition=text("roads", "tradition", language),
    )


ENGLISH, CHINESE = map(words_of, LANGUAGES)


def summary(roads: Roads, words: Words) -> str:
    """The numbers of rounds, results and pairs."""
    outcomes = roads.outcomes
    counts = [f"{name} {sum(outcome.winner is winner for outcome in outcomes)}" for winner, name in words.hands.items()]
    pairs = {
        Winner.BANKER: sum(outcome.banker_pair is not None for outcome in outcomes),
        Winner.PLAYER: sum(outcome.player_pair is not None for outcome in outcomes),
    }
    counts += [f"{_pair(winner, words)} {count}" for winner, count in pairs.items()]
    return text("roads", "summary", words.language, rounds=roads.rounds, counts=counts)


def waiting(roads: Roads, words: Words) -> str:
    """The text in the big road's first cell while there are only ties."""
    return text("roads", "waiting", words.language, ties=roads.ties_waiting)


def newest(road: str, shown: int, columns: int, words: Words) -> str:
    """The heading of a road of which only the newest columns are shown."""
    return text("roads", "newest", words.language, name=words.roads[road], shown=shown, columns=columns)


def describe(cell: Cell, words: Words, *, hand: bool) -> str:
    """A mark in words: its round, its hand (or its colour, on a derived road), its pairs and its ties."""
    parts = [words.hands[WINNERS[cell.colour]] if hand else words.colours[cell.colour]]
    if cell.banker_pair:
        parts.append(_pair(Winner.BANKER, words))
    if cell.player_pair:
        parts.append(_pair(Winner.PLAYER, words))
    if cell.ties:
        parts.append(text("roads", "ties", words.language, ties=cell.ties))
    return text("roads", "mark", words.language, round=cell.round, what=parts)


def _pair(hand: Winner, words: Words) -> str:
    return text("roads", "pair", words.language, hand=hand)
