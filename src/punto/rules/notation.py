"""Rounds as text: the JSON record of a round with its bets, and the one-line form of cards and result.

docs/notation.md specifies both for other programs. Reading raises RefusedError; writing what was read gives it back.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from punto.rules.cards import Card, parse_cards, write_cards
from punto.rules.differential import Limits
from punto.rules.insurance import Window
from punto.rules.money import MAX_CENTS, Cents
from punto.rules.outcome import Winner
from punto.rules.refusals import RecordCode, Refusal, RefusedError
from punto.rules.settlement import DEFAULT_DECKS, Bet, Line, Settlement
from punto.rules.tableau import Round, deal

# ------------------------------------------------------------------------------------------- the record


@dataclass(frozen=True, slots=True)
class Record:
    """A round to settle: the game (an id or a path), the cards in dealing order, and the bets as they lie."""

    game: str
    cards: tuple[Card, ...]
    bets: tuple[Bet, ...]
    decks: int = DEFAULT_DECKS
    limits: Limits | None = None


RECORD_FIELDS = frozenset({"game", "decks", "cards", "limits", "bets"})
LIMITS_FIELDS = frozenset({"minimum", "differential", "unit"})
BET_FIELDS = frozenset({"box", "patron", "seated", "on", "window", "stake"})
WINDOWS: dict[object, Window | None] = {None: None, **{window.value: window for window in Window}}


def parse_record(line: str) -> Record:
    """Read a record from JSON text."""
    return read_record(read_json(line))


def read_json(text: str) -> Any:
    """Plain data of JSON text, strictly: no field given twice, no number that JSON does not have."""
    try:
        return _DECODER.decode(text)
    except RefusedError:
        raise
    except (ValueError, RecursionError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise RefusedError(RecordCode.UNREADABLE, f"the record is not JSON: {reason}") from None


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        names = [name for name, _ in pairs]
        repeated = next(name for name in names if names.count(name) > 1)
        raise RefusedError(RecordCode.UNREADABLE, f"{repeated!r} is given twice in one object")
    return data


def _no_constant(name: str) -> Any:
    raise RefusedError(RecordCode.UNREADABLE, f"{name} is not a number that JSON has")


_DECODER = json.JSONDecoder(object_pairs_hook=_no_repeats, parse_constant=_no_constant)


def read_record(data: object) -> Record:
    """Read a record from plain dicts, lists, strings and numbers, as JSON gives them."""
    if type(data) is not dict:
        raise RefusedError(RecordCode.UNREADABLE, f"a record is an object, not {_kind(data)}")
    if not data.keys() <= RECORD_FIELDS:
        raise _unknown_field(data, RECORD_FIELDS, "the record")
    game = _text(data, "game", "")
    decks = _whole(data, "decks", "") if "decks" in data else DEFAULT_DECKS
    cards = data.get("cards")
    if type(cards) is not str:
        raise _wrong(data, "cards", "", "text such as '5h Kd 6s 6c 9h'")
    bets = data.get("bets")
    if type(bets) is not list:
        raise _wrong(data, "bets", "", "a list of bets")
    limits = data.get("limits")
    return Record(
        game,
        parse_cards(cards),
        tuple([_read_bet(bet, place) for place, bet in enumerate(bets)]),
        decks,
        None if limits is None else _read_limits(limits),
    )


def _read_bet(data: object, place: int) -> Bet:
    if type(data) is not dict:
        raise RefusedError(RecordCode.FIELD_TYPE, f"bets[{place}] must be an object, not {_kind(data)}")
    if not data.keys() <= BET_FIELDS:
        raise _unknown_field(data, BET_FIELDS, f"bets[{place}]")
    get = data.get
    box, patron, on, stake, seated = get("box"), get("patron"), get("on"), get("stake"), get("seated", False)
    if type(box) is not int:
        raise _wrong(data, "box", f"bets[{place}].", "a whole number")
    if type(patron) is not str or not patron or not patron.isprintable():
        raise _wrong(data, "patron", f"bets[{place}].", "a name without control characters")
    if type(on) is not str:
        raise _wrong(data, "on", f"bets[{place}].", "the id of a bet")
    if type(stake) is not int:
        raise _wrong(data, "stake", f"bets[{place}].", "a whole number of cents")
    if type(seated) is not bool:
        raise _wrong(data, "seated", f"bets[{place}].", "true or false")
    window = get("window")
    if window is not None and (type(window) is not str or window not in WINDOWS):
        raise _wrong(data, "window", f"bets[{place}].", " or ".join(Window))
    return Bet(box, patron, on, Cents(stake), WINDOWS[window], seated)


def _read_limits(data: object) -> Limits:
    if type(data) is not dict:
        raise RefusedError(RecordCode.FIELD_TYPE, f"limits must be an object, not {_kind(data)}")
    if not data.keys() <= LIMITS_FIELDS:
        raise _unknown_field(data, LIMITS_FIELDS, "limits")
    minimum, differential = _whole(data, "minimum", "limits."), _whole(data, "differential", "limits.")
    unit = _whole(data, "unit", "limits.") if "unit" in data else 1
    if max(minimum, differential, unit) >= MAX_CENTS:
        raise RefusedError(RecordCode.LIMITS_INVALID, f"limits must stay below {MAX_CENTS} cents")
    try:
        return Limits(Cents(minimum), Cents(differential), Cents(unit))
    except ValueError as error:
        raise RefusedError(RecordCode.LIMITS_INVALID, f"limits: {error}") from None


def _text(data: Mapping[str, Any], key: str, where: str) -> str:
    value = data.get(key)
    if type(value) is not str:
        raise _wrong(data, key, where, "text")
    return value


def _whole(data: Mapping[str, Any], key: str, where: str) -> int:
    value = data.get(key)
    if type(value) is not int:
        raise _wrong(data, key, where, "a whole number")
    return value


def _wrong(data: Mapping[str, Any], key: str, where: str, wanted: str) -> RefusedError:
    if key not in data:
        return RefusedError(RecordCode.FIELD_MISSING, f"{where}{key} is missing: it must be {wanted}")
    shown = json.dumps(data[key])
    shown = shown if len(shown) <= 40 else shown[:39] + "…"
    return RefusedError(RecordCode.FIELD_TYPE, f"{where}{key} must be {wanted}, not {shown}")


def _unknown_field(data: Mapping[str, Any], known: frozenset[str], where: str) -> RefusedError:
    name = next(key for key in data if key not in known)
    return RefusedError(
        RecordCode.FIELD_UNKNOWN, f"{where} has no field {name!r}; there are {', '.join(sorted(known))}"
    )


def _kind(value: object) -> str:
    kinds = {dict: "an object", list: "a list", str: "text", bool: "true or false", type(None): "null"}
    return kinds.get(type(value), "a number")


def write_record(record: Record) -> dict[str, Any]:
    """A record as plain data that JSON can write and read_record reads back."""
    data: dict[str, Any] = {"game": record.game, "decks": record.decks, "cards": write_cards(record.cards)}
    if record.limits is not None:
        limits = record.limits
        data["limits"] = {"minimum": limits.minimum_cents, "differential": limits.differential_cents}
        if limits.unit_cents != 1:
            data["limits"]["unit"] = limits.unit_cents
    data["bets"] = [_write_bet(bet) for bet in record.bets]
    return data


def _write_bet(bet: Bet) -> dict[str, Any]:
    data: dict[str, Any] = {"box": bet.box, "patron": bet.patron, "seated": bet.seated, "on": bet.on}
    if bet.window is not None:
        data["window"] = bet.window.value
    data["stake"] = bet.stake_cents
    return data


# ------------------------------------------------------------------------------------------- the answer


def write_settlement(settlement: Settlement) -> dict[str, Any]:
    """A settled round as plain data for JSON."""
    round_ = settlement.round
    outcome = round_.outcome
    return {
        "player": {"cards": [card.text for card in round_.player], "points": outcome.player_points},
        "banker": {"cards": [card.text for card in round_.banker], "points": outcome.banker_points},
        "result": outcome.winner.value,
        "bets": [_write_line(line) for line in settlement.lines],
        "house": settlement.house_cents,
    }


def _write_line(line: Line) -> dict[str, Any]:
    bet = line.bet
    data: dict[str, Any] = {"box": bet.box, "patron": bet.patron, "on": bet.on}
    if bet.window is not None:
        data["window"] = bet.window.value
    data["stake"] = bet.stake_cents
    data["in_play"] = line.in_play_cents
    data["result"] = line.result.value
    data["odds"] = line.odds.text if line.odds else None
    data["returned"] = line.returned_cents
    data["net"] = line.net_cents
    data["rule"] = line.rule
    if line.in_play_rule is not None:
        data["in_play_rule"] = line.in_play_rule
    return data


def write_refusal(refusal: Refusal) -> dict[str, Any]:
    """A refusal as plain data for JSON."""
    return {"refused": {"code": refusal.code.value, "rule": refusal.rule, "message": refusal.message}}


# ------------------------------------------------------------------------------------------- one line

_LETTER = {Winner.PLAYER: "P", Winner.BANKER: "B", Winner.TIE: "T"}


def write_line(round_: Round) -> str:
    """A finished round in one line: the cards in dealing order, the winner's letter, both totals."""
    return f"{write_cards(round_.cards)} = {_result(round_)}"


def read_line(text: str, decks: int = DEFAULT_DECKS) -> Round:
    """Read a round from one line, and check that its result is the one that its cards give.

    The result may be left out; then the cards alone decide.
    """
    left, equals, right = text.partition("=")
    cards = parse_cards(left)
    round_ = deal(cards, decks)
    if isinstance(round_, Refusal):
        raise RefusedError(round_.code, round_.message, round_.rule)
    if equals and right.split() != _result(round_).split():
        message = f"the line says {right.strip()!r}, the cards give {_result(round_)!r}"
        raise RefusedError(RecordCode.RESULT_MISMATCH, message)
    return round_


def _result(round_: Round) -> str:
    outcome = round_.outcome
    return f"{_LETTER[outcome.winner]} {outcome.player_points}-{outcome.banker_points}"
