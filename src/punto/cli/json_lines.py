"""Settles JSON Lines straight to text, for files of millions of records.

Reading, dealing and settling are those of every other way in; only what stands between is left out: a record is decoded
into the fields that settling reads, and an answer is written from a template that was made of one written the long way.
Whatever cannot be settled is left to the long way, which knows what to say about it.
"""

from __future__ import annotations

import json
from functools import lru_cache
from io import BytesIO
from json.encoder import encode_basestring_ascii as quote
from typing import Any, cast

import msgspec
from msgspec import UNSET, UnsetType

from punto.cli.output import write_refusal
from punto.cli.settle import settle_record, sheet_of
from punto.rules.bets import Payoff
from punto.rules.cards import Card, parse_cards
from punto.rules.defaults import DEFAULT_DECKS
from punto.rules.differential import Limits
from punto.rules.hands import Cards
from punto.rules.insurance import Window
from punto.rules.loader import load
from punto.rules.money import Cents
from punto.rules.notation import DEFAULT_UNIT, is_patron_name, make_limits, write_settled_bet, write_settlement
from punto.rules.outcome import Outcome
from punto.rules.refusals import Refusal
from punto.rules.settlement import Bet, Line, Settlement, deal_by, settle_bets
from punto.rules.tableau import Round

# ------------------------------------------------------------------------------------------- reading


class BetFields(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A bet of a record, with the names that `Bet` gives to its fields."""

    box: int
    patron: str
    on: str
    stake_cents: int = msgspec.field(name="stake")
    window: Window | UnsetType | None = UNSET
    seated: bool | UnsetType | None = UNSET


class LimitsFields(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """The limits of a record."""

    minimum: int
    differential: int
    unit: int | UnsetType | None = UNSET


class RecordFields(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A record. A field that may be left out is UNSET then, so that encoding it again gives the same fields."""

    game: str
    cards: str
    bets: list[BetFields]
    decks: int | UnsetType | None = UNSET
    limits: LimitsFields | UnsetType | None = UNSET


_READER = msgspec.json.Decoder(RecordFields)
_WRITER = msgspec.json.Encoder()


def _read(line: bytes) -> RecordFields | None:
    """The fields of a record; None if the line is not one, or may not be one. Raises ValueError too."""
    record = _READER.decode(line)
    # The decoder lets a repeated field pass. The line then has more colons than its fields have when encoded again,
    # unless a text has a colon that is written as its number.
    if b"\\" in line and b"u003" in line:
        return None
    if _WRITER.encode(record).count(b":") != line.count(b":"):
        return None
    for bet in record.bets:
        if not is_patron_name(bet.patron):
            return None
        if bet.window is UNSET:
            bet.window = None
    return record


def _limits(fields: LimitsFields | UnsetType | None) -> Limits | None:
    if fields is None or fields is UNSET:
        return None
    return make_limits(fields.minimum, fields.differential, _given(fields.unit, DEFAULT_UNIT))


def _given(value: int | UnsetType | None, default: int) -> int:
    return default if value is None or value is UNSET else value


# ------------------------------------------------------------------------------------------- writing

_HOLE = "\0"


def _with_holes(data: dict[str, Any]) -> str:
    """JSON with `%s` in place of every hole."""
    return json.dumps(data).replace("%", "%%").replace(json.dumps(_HOLE), "%s")


@lru_cache(maxsize=4096)
def _bet_template(on: str, window: Window | None, payoff: Payoff, in_play_rule: str | None) -> str:
    """A settled bet with holes for its box, patron, stake, part in play, amount returned and net, in this order."""
    zero = Cents(0)
    line = Line(Bet(0, "", on, zero, window), zero, payoff.result, payoff.odds, zero, zero, payoff.rule, in_play_rule)
    holes = dict.fromkeys(("box", "patron", "stake", "in_play", "returned", "net"), _HOLE)
    return _with_holes(write_settled_bet(line) | holes)


@lru_cache(maxsize=100)
def _round_template(player_points: int, banker_points: int) -> tuple[str, str]:
    """A settlement before its bets, with holes for both hands' cards, and after them, with one for the House's net."""
    outcome = Outcome(player_points, banker_points, 2, 2, None, None)
    data = write_settlement(Settlement(Round(Cards(), Cards(), Cards(), outcome), (), Cents(0)))
    data["player"]["cards"] = data["banker"]["cards"] = _HOLE
    before, _, after = _with_holes(data | {"bets": ["bets"], "house": _HOLE}).partition('"bets"]')
    return before, f"]{after}"


def _cards(cards: tuple[Card, ...]) -> str:
    return '["' + '", "'.join([card.text for card in cards]) + '"]'


# ------------------------------------------------------------------------------------------- settling


def settle_line(line: bytes) -> str | None:
    """The settlement of a record as JSON, the same as `write_settlement` gives; None if the long way must answer."""
    try:
        record = _read(line)
        if record is None:
            return None
        sheet, cards, limits = load(record.game), parse_cards(record.cards), _limits(record.limits)
    except ValueError:
        return None
    round_ = deal_by(sheet, cards, _given(record.decks, DEFAULT_DECKS))
    if isinstance(round_, Refusal):
        return None
    bets = cast("list[Bet]", record.bets)  # settling reads the same fields of both
    settled = settle_bets(sheet, round_, bets, limits)
    if isinstance(settled, Refusal):
        return None
    outcome = round_.outcome
    before, after = _round_template(outcome.player_points, outcome.banker_points)
    values: list[object] = [_cards(round_.player), _cards(round_.banker)]
    templates = []
    house = 0
    for bet, (payoff, in_play, net, in_play_rule) in zip(bets, settled, strict=True):
        templates.append(_bet_template(bet.on, bet.window, payoff, in_play_rule))
        stake = bet.stake_cents
        values += (bet.box, quote(bet.patron), stake, in_play, stake + net, net)
        house -= net
    values.append(house)
    return (before + ", ".join(templates) + after) % tuple(values)


def answer(text: bytes) -> tuple[str, bool]:
    """The answer to a record as JSON, and whether it is a refusal."""
    settled = settle_line(text)
    if settled is not None:
        return settled, False
    record, settlement = settle_record(text)
    if isinstance(settlement, Refusal):
        return json.dumps(write_refusal(settlement, sheet_of(record))), True
    return json.dumps(write_settlement(settlement)), False


def settle_lines(lines: bytes) -> tuple[str, bool]:
    """The answers to records as lines of JSON, and whether any was refused. A blank line has no answer."""
    answers = []
    refused = False
    for line in BytesIO(lines):
        if line.strip():
            text, is_refused = answer(line)
            answers.append(f"{text}\n")
            refused |= is_refused
    return "".join(answers), refused
