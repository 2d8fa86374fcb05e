"""Rounds as text: the JSON record of a round with its bets, and the one-line form of cards and result.

docs/notation.md specifies both for other programs. Reading raises Refused. Writing gives back what was read.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from punto.rules.cards import Card, parse_cards, write_cards
from punto.rules.defaults import DEFAULT_DECKS
from punto.rules.differential import Limits
from punto.rules.insurance import Window
from punto.rules.money import MAX_CENTS, Cents
from punto.rules.outcome import Winner
from punto.rules.reasons import Problem, ProblemError, Wanted, quoted, shorten
from punto.rules.refusals import (
    FieldMissing,
    FieldType,
    FieldUnknown,
    LimitsInvalid,
    Refusal,
    Refused,
    ResultMismatch,
    Unreadable,
)
from punto.rules.settlement import Bet, Line, Settlement, row_of
from punto.rules.tableau import Round, deal

T = TypeVar("T")

# ------------------------------------------------------------------------------------------- the record


@dataclass(frozen=True, slots=True)
class RoundToSettle:
    """A round to settle: the game (an id or a path), the cards in dealing order, and the placed bets."""

    game: str
    cards: tuple[Card, ...]
    bets: tuple[Bet, ...]
    decks: int = DEFAULT_DECKS
    limits: Limits | None = None


RECORD_FIELDS = frozenset({"game", "decks", "cards", "limits", "bets"})
LIMITS_FIELDS = frozenset({"minimum", "differential", "unit"})
BET_FIELDS = frozenset({"box", "patron", "seated", "on", "window", "stake"})
DEFAULT_UNIT = 1
WINDOWS: dict[object, Window | None] = {None: None, **{window.value: window for window in Window}}


def parse_record(line: str | bytes) -> RoundToSettle:
    """Read a record from JSON text, or from its bytes in UTF-8."""
    return read_record(read_json(line))


def read_json(text: str | bytes) -> Any:
    """Parse JSON text strictly: no repeated field, and no number such as NaN that JSON does not have."""
    try:
        return _DECODER.decode(text.decode("utf-8-sig") if isinstance(text, bytes) else text)
    except Refused:
        raise
    except UnicodeDecodeError as error:
        raise Refused(Unreadable(Problem.NOT_UTF_8, str(error.start + 1))) from None
    except RecursionError:
        raise Refused(Unreadable(Problem.NESTED_TOO_DEEPLY)) from None
    except ValueError as error:
        raise Refused(Unreadable(Problem.NOT_JSON, str(error))) from None


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        names = [name for name, _ in pairs]
        repeated = next(name for name in names if names.count(name) > 1)
        raise Refused(Unreadable(Problem.FIELD_REPEATED, quoted(repeated)))
    return data


def _no_constant(name: str) -> Any:
    raise Refused(Unreadable(Problem.NUMBER_NOT_JSON, name))


_DECODER = json.JSONDecoder(object_pairs_hook=_no_repeats, parse_constant=_no_constant)


def read_record(data: object) -> RoundToSettle:
    """Read a record from plain dicts, lists, strings and numbers, as JSON gives them."""
    if type(data) is not dict:
        raise Refused(Unreadable(Problem.RECORD_NOT_OBJECT, _shown(data)))
    if not data.keys() <= RECORD_FIELDS:
        raise _unknown_field(data, RECORD_FIELDS, "record")
    game = _typed(str, data, "game", Wanted.TEXT)
    decks = DEFAULT_DECKS if data.get("decks") is None else _typed(int, data, "decks", Wanted.WHOLE_NUMBER)
    cards, bets = _typed(str, data, "cards", Wanted.CARDS), _typed(list, data, "bets", Wanted.BET_LIST)
    limits = data.get("limits")
    return RoundToSettle(
        game,
        parse_cards(cards),
        tuple([_read_bet(bet, place) for place, bet in enumerate(bets)]),
        decks,
        None if limits is None else _read_limits(limits),
    )


def _read_bet(data: object, place: int) -> Bet:
    if type(data) is not dict:
        raise Refused(FieldType(f"bets[{place}]", Wanted.OBJECT, _shown(data)))
    if not data.keys() <= BET_FIELDS:
        raise _unknown_field(data, BET_FIELDS, f"bets[{place}]")
    get = data.get
    box, patron, on, stake, seated = get("box"), get("patron"), get("on"), get("stake"), get("seated")
    if type(box) is not int:
        raise _wrong(data, "box", f"bets[{place}].", Wanted.WHOLE_NUMBER)
    if type(patron) is not str or not is_patron_name(patron):
        raise _wrong(data, "patron", f"bets[{place}].", Wanted.NAME)
    if type(on) is not str:
        raise _wrong(data, "on", f"bets[{place}].", Wanted.BET_ID)
    if type(stake) is not int:
        raise _wrong(data, "stake", f"bets[{place}].", Wanted.CENTS)
    if seated is not None and type(seated) is not bool:
        raise _wrong(data, "seated", f"bets[{place}].", Wanted.FLAG)
    window = get("window")
    if window is not None and (type(window) is not str or window not in WINDOWS):
        raise _wrong(data, "window", f"bets[{place}].", Wanted.WINDOW)
    return Bet(box, patron, on, Cents(stake), WINDOWS[window], seated is True)


def is_patron_name(text: str) -> bool:
    """True if a text may name a patron."""
    return text.isprintable() and text != ""


def _read_limits(data: object) -> Limits:
    if type(data) is not dict:
        raise Refused(FieldType("limits", Wanted.OBJECT, _shown(data)))
    if not data.keys() <= LIMITS_FIELDS:
        raise _unknown_field(data, LIMITS_FIELDS, "limits")
    given = {"unit": DEFAULT_UNIT} | {name: value for name, value in data.items() if value is not None}
    names = ("minimum", "differential", "unit")
    return make_limits(*[_typed(int, given, name, Wanted.WHOLE_NUMBER, "limits.") for name in names])


def make_limits(minimum: int, differential: int, unit: int) -> Limits:
    """The limits of a record. Raises Refused if they contradict each other or are too large."""
    if max(minimum, differential, unit) >= MAX_CENTS:
        raise Refused(LimitsInvalid(Problem.LIMITS_TOO_LARGE))
    try:
        return Limits(Cents(minimum), Cents(differential), Cents(unit))
    except ProblemError as error:
        raise Refused(LimitsInvalid(error.problem)) from None


def _typed(kind: type[T], data: Mapping[str, Any], key: str, wanted: Wanted, where: str = "") -> T:
    value = data.get(key)
    if type(value) is not kind:
        raise _wrong(data, key, where, wanted)
    return value


def _wrong(data: Mapping[str, Any], key: str, where: str, wanted: Wanted) -> Refused:
    if key not in data:
        return Refused(FieldMissing(f"{where}{key}", wanted))
    return Refused(FieldType(f"{where}{key}", wanted, _shown(data[key])))


def _unknown_field(data: Mapping[str, Any], known: frozenset[str], where: str) -> Refused:
    name = next(key for key in data if key not in known)
    return Refused(FieldUnknown(where, quoted(name), tuple(sorted(known))))


def _shown(value: object) -> str:
    """A value as JSON, without the contents of lists and objects."""
    return "{…}" if isinstance(value, dict) else "[…]" if isinstance(value, list) else shorten(json.dumps(value))


# ------------------------------------------------------------------------------------------- the settlement


def write_settlement(settlement: Settlement) -> dict[str, Any]:
    """A settled round as plain data for JSON."""
    round_ = settlement.round
    outcome = round_.outcome
    return {
        "player": {"cards": [card.text for card in round_.player], "points": outcome.player_points},
        "banker": {"cards": [card.text for card in round_.banker], "points": outcome.banker_points},
        "result": outcome.winner.value,
        "bets": [write_settled_bet(line) for line in settlement.lines],
        "house": settlement.house_cents,
    }


def write_settled_bet(line: Line) -> dict[str, Any]:
    """One bet of a settled round as plain data for JSON."""
    given = {name: value for name, value in row_of(line).items() if value is not None or name == "odds"}
    return {name.removesuffix("_cents"): value for name, value in given.items()}


# ------------------------------------------------------------------------------------------- one line

_LETTER = {Winner.PLAYER: "P", Winner.BANKER: "B", Winner.TIE: "T"}


def write_line(round_: Round) -> str:
    """A finished round in one line: the cards in dealing order, the winner's letter, both totals."""
    return f"{write_cards(round_.cards)} = {_result(round_)}"


def read_line(text: str, decks: int = DEFAULT_DECKS) -> Round:
    """Read a round from one line, and check that the result follows from the cards.

    The result may be left out.
    """
    left, equals, right = text.partition("=")
    cards = parse_cards(left)
    round_ = deal(cards, decks)
    if isinstance(round_, Refusal):
        raise Refused(round_)
    if equals and right.split() != _result(round_).split():
        raise Refused(ResultMismatch(quoted(right.strip()), quoted(_result(round_))))
    return round_


def _result(round_: Round) -> str:
    outcome = round_.outcome
    return f"{_LETTER[outcome.winner]} {outcome.player_points}-{outcome.banker_points}"
