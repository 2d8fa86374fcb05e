"""`punto roads`: draw the five roads of a shoe's rounds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import Any

import msgspec
from rich.console import Console
from rich.text import Text

from punto.cli.commands import rules
from punto.cli.files import read_text, write_file
from punto.cli.output import LANGUAGE, console, named, phrase, write_json
from punto.cli.refusals import FileEmpty, LineRefusedError, OptionUnknown, OutputTwice
from punto.protocol.codec import Reader
from punto.roads.data import to_data
from punto.roads.results import roads_of
from punto.roads.roads import LETTERS, Roads
from punto.roads.svg import draw_svg
from punto.roads.text import draw_text
from punto.roads.words import Words
from punto.rules.notation import parse_record, read_line
from punto.rules.outcome import Outcome
from punto.rules.reasons import Problem, Wanted, quoted
from punto.rules.refusals import FieldType, Refusal, Refused, ResultMismatch, Unreadable, kebab
from punto.rules.tableau import Round, deal
from punto.table.acts.rounds import RoundSettled


class Dealt(msgspec.Struct):
    """A hand of a result."""

    cards: list[str]


class SettledAnswer(msgspec.Struct):
    """The part that is read of a result of `punto settle --json`."""

    player: Dealt
    banker: Dealt
    result: str = ""


_ANSWER: Reader[SettledAnswer] = Reader(SettledAnswer)
SETTLED = kebab(RoundSettled.__name__)
LETTERS_AND_SPACE = {*LETTERS.values(), " "}
LOOKS = {
    "red": "bold bright_red",
    "blue": "bold bright_blue",
    "green": "bold green",
    "bead-red": "bold white on red",
    "bead-blue": "bold white on blue",
    "bead-green": "bold white on green",
    "name": "bold",
    "quiet": "dim",
}


def run(ask: rules.Roads) -> None:
    """Draw the roads of a file's rounds (or of standard input's for `-`), or write them as SVG or JSON."""
    svg = ask.svg
    for given in (ask.file, svg or "-"):
        if given.startswith("-") and given != "-":
            raise Refused(OptionUnknown(given))
    if svg == "-" and ask.as_json:
        raise Refused(OutputTwice())
    words = Words(LANGUAGE.get())
    roads = Roads.of(read_outcomes(read_text(ask.file), ask.file))
    if svg is not None:
        write_file(svg, draw_svg(roads, words=words))
    if ask.as_json:
        write_json(to_data(roads))
    elif svg is None:
        _show(roads, words, console())
    elif svg != "-":
        console().print(phrase("roads-drawn", file=svg, rounds=roads.rounds), markup=False)


def read_outcomes(content: str, file: str) -> Iterator[Outcome]:
    """The outcomes of the rounds in a text.

    These are letters (`BPPT`), one-line rounds, records and JSON results of `punto settle`, rows and published shoes
    with their `cards`, and events of `punto replay --json`. Blank lines and comments after # are skipped.
    LineRefused names the line that cannot be read.
    """
    found = False
    for number, line in _rounds(content):
        try:
            outcomes = _read_json(line) if line.startswith("{") else _read_line(line.partition("#")[0].strip())
        except Refused as error:
            raise LineRefusedError(error.refusal, file, number) from None
        for outcome in outcomes:
            found = True
            yield outcome
    if not found:
        raise Refused(FileEmpty("round", **named(file)))


def _read_line(line: str) -> Iterable[Outcome]:
    return roads_of(line if set(line) <= LETTERS_AND_SPACE else [line]).outcomes


def _rounds(text: str) -> list[tuple[int, str]]:
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    lines = [(number, line) for number, line in lines if line and not line.startswith("#")]
    # One record may span several lines, as in `punto settle`.
    if len(lines) > 1 and lines[0][1].startswith("{") and _object(lines[0][1]) is None and _object(text) is not None:
        return [(lines[0][0], text.strip())]
    return lines


def _object(text: str) -> Mapping[str, Any] | None:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def _read_json(text: str) -> Iterable[Outcome]:
    data = _object(text) or {}
    if "refused" in data and "line" in data:  # a command of `punto replay`
        return ()
    if "refused" in data:
        raise Refused(Unreadable(Problem.ROUND_REFUSED))
    if "player" in data and "banker" in data:
        return (_read_answer(data).outcome,)
    if isinstance(rounds := data.get("rounds"), list):  # a shoe that is published
        return [deal_text(each).outcome for each in rounds if isinstance(each, dict) and not each.get("void")]
    if "kind" in data or "winner" in data:  # an event, or a row of `Rounds`
        return (deal_text(data).outcome,) if data.get("kind", SETTLED) == SETTLED else ()
    record = parse_record(text)
    round_ = deal(record.cards, record.decks)
    if isinstance(round_, Refusal):
        raise Refused(round_)
    return (round_.outcome,)


def deal_text(data: Mapping[str, Any]) -> Round:
    """The round of an object with its `cards`."""
    cards = data.get("cards")
    if not isinstance(cards, str):
        raise Refused(FieldType("cards", Wanted.CARDS, quoted(cards)))
    return read_line(cards)


def _read_answer(data: Mapping[str, Any]) -> Round:
    """The round of a result of `punto settle --json`, which lists the cards of each hand."""
    answer = _ANSWER.read(data)
    player, banker = answer.player.cards, answer.banker.cards
    first = [card for pair in zip_longest(player[:2], banker[:2]) for card in pair if card]
    round_ = read_line(" ".join([*first, *player[2:], *banker[2:]]))
    if answer.result != (winner := round_.outcome.winner.value):
        raise Refused(ResultMismatch(quoted(answer.result), quoted(winner)))
    return round_


def _show(roads: Roads, words: Words, out: Console) -> None:
    colour = out.color_system is not None and not out.no_color and out.encoding.startswith("utf")
    for line in draw_text(roads, colour=colour, width=out.width, words=words):
        text = Text.assemble(*[(span.text, LOOKS.get(span.look, "")) for span in line])
        text.rstrip()
        out.print(text)
