"""`punto roads`: draw the five roads of a shoe's rounds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Console
from rich.text import Text

from punto.cli.files import read_text, write_file
from punto.cli.output import LANGUAGE, console, named, write_json
from punto.cli.refusals import FileEmpty, LineRefusedError, OptionUnknown, OutputTwice
from punto.roads.data import to_data
from punto.roads.roads import Roads
from punto.roads.svg import draw_svg
from punto.roads.text import Line, draw_text
from punto.roads.words import Words, words_of
from punto.rules.cards import parse_cards
from punto.rules.hands import Hand
from punto.rules.notation import parse_record, read_line
from punto.rules.outcome import Outcome
from punto.rules.reasons import DrawCode, DrawReason, Problem, Wanted, quoted
from punto.rules.refusals import CardMissing, FieldType, Refusal, RefusedError, ResultMismatch, Unreadable
from punto.rules.tableau import INITIAL_ORDER, Round, deal
from punto.texts import text

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


def show_roads(file: str, *, svg: str | None, as_json: bool) -> None:
    """Draw the roads of a file's rounds (or of standard input's for `-`), or write them as SVG or JSON."""
    for given in (file, svg or "-"):
        if given.startswith("-") and given != "-":
            raise RefusedError(OptionUnknown(given))
    if svg == "-" and as_json:
        raise RefusedError(OutputTwice())
    words = words_of(LANGUAGE.get())
    roads = Roads.of(read_outcomes(read_text(file), file))
    if svg is not None:
        write_file(svg, draw_svg(roads, words=words))
    if as_json:
        write_json(to_data(roads))
    elif svg is None:
        _show(roads, words, console())
    elif svg != "-":
        says = text("commands", "roads-drawn", words.language, file=svg, rounds=roads.rounds)
        console().print(says, markup=False)


def read_outcomes(content: str, file: str) -> Iterator[Outcome]:
    """The outcomes of the rounds in a text: one-line rounds, records of `punto settle`, or its JSON results.

    Blank lines and comments after # are skipped. LineRefusedError names the line that cannot be read.
    """
    found = False
    for number, line in _rounds(content):
        found = True
        try:
            round_ = _read_json(line) if line.startswith("{") else read_line(line.partition("#")[0])
        except RefusedError as error:
            raise LineRefusedError(error.refusal, file, number) from None
        yield round_.outcome
    if not found:
        raise RefusedError(FileEmpty("round", **named(file)))


def _rounds(text: str) -> Iterator[tuple[int, str]]:
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    lines = [(number, line) for number, line in lines if line and not line.startswith("#")]
    # One record may span several lines, as in `punto settle`.
    if len(lines) > 1 and lines[0][1].startswith("{") and _object(lines[0][1]) is None and _object(text) is not None:
        lines = [(lines[0][0], text.strip())]
    return iter(lines)


def _object(text: str) -> Mapping[str, Any] | None:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def _read_json(text: str) -> Round:
    data = _object(text) or {}
    if "refused" in data:
        raise RefusedError(Unreadable(Problem.ROUND_REFUSED))
    if "player" in data and "banker" in data:
        return _read_answer(data)
    record = parse_record(text)
    round_ = deal(record.cards, record.decks)
    if isinstance(round_, Refusal):
        raise RefusedError(round_)
    return round_


def _read_answer(data: Mapping[str, Any]) -> Round:
    """The round of a result of `punto settle --json`, which lists the cards of each hand."""
    player, banker = _cards_of(data, "player"), _cards_of(data, "banker")
    for place, hand in enumerate(INITIAL_ORDER, 1):
        if len(player if hand is Hand.PLAYER else banker) < (place + 1) // 2:
            raise RefusedError(CardMissing(place, hand, DrawReason(DrawCode.INITIAL_CARDS)))
    round_ = read_line(" ".join([player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]]))
    if data.get("result") != round_.outcome.winner:
        given, winner = quoted(data.get("result")), quoted(round_.outcome.winner.value)
        raise RefusedError(ResultMismatch(given, winner))
    return round_


def _cards_of(data: Mapping[str, Any], hand: str) -> list[str]:
    value = data[hand]
    cards = value.get("cards") if isinstance(value, dict) else None
    if not isinstance(cards, list) or not all(isinstance(card, str) for card in cards):
        raise RefusedError(FieldType(f"{hand}.cards", Wanted.CARD_LIST, ""))
    return [card.text for card in parse_cards(" ".join(cards))]


def _show(roads: Roads, words: Words, out: Console) -> None:
    colour = out.color_system is not None and not out.no_color and out.encoding.startswith("utf")
    for line in draw_text(roads, colour=colour, width=out.width, words=words):
        out.print(_styled(line), soft_wrap=False)


def _styled(line: Line) -> Text:
    text = Text()
    for span in line:
        text.append(span.text, LOOKS.get(span.look))
    text.rstrip()
    return text
