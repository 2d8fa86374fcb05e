"""Settles JSON Lines straight to text, for files of millions of records.

Reading, dealing and settling are those of every other way in; only what stands between is left out: a record is decoded
into the fields that settling reads, and an answer is encoded from the fields that it has.
Whatever cannot be settled is left to the long way, which knows what to say about it.
"""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any, cast

import msgspec
from msgspec import UNSET, UnsetType

from punto.cli.output import write_refusal
from punto.cli.settle import settle_record, sheet_of
from punto.rules.bets import Result
from punto.rules.cards import parse_cards
from punto.rules.defaults import DEFAULT_DECKS
from punto.rules.differential import Limits
from punto.rules.insurance import Window
from punto.rules.loader import load
from punto.rules.notation import DEFAULT_UNIT, is_patron_name, make_limits, write_settlement
from punto.rules.refusals import Refusal
from punto.rules.settlement import Bet, deal_by, settle_bets

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


class BetAnswer(msgspec.Struct, gc=False):
    """A settled bet, with the fields that `write_settled_bet` writes."""

    box: int
    patron: str
    on: str
    window: Window | UnsetType
    stake: int
    in_play: int
    result: Result
    odds: str | None
    returned: int
    net: int
    rule: str
    in_play_rule: str | UnsetType


# ------------------------------------------------------------------------------------------- settling


def settle_line(line: bytes) -> bytes | None:
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
    answers = []
    house = 0
    for bet, (payoff, in_play, net, in_play_rule) in zip(bets, settled, strict=True):
        stake, odds = bet.stake_cents, payoff.odds.text if payoff.odds else None
        window, why = bet.window or UNSET, in_play_rule or UNSET
        figures = stake, in_play, payoff.result, odds, stake + net, net
        answers.append(BetAnswer(bet.box, bet.patron, bet.on, window, *figures, payoff.rule, why))
        house -= net
    outcome = round_.outcome
    player = {"cards": [card.text for card in round_.player], "points": outcome.player_points}
    banker = {"cards": [card.text for card in round_.banker], "points": outcome.banker_points}
    data = {"player": player, "banker": banker, "result": outcome.winner, "bets": answers, "house": house}
    return _WRITER.encode(data)


def _write(data: dict[str, Any]) -> bytes:
    try:
        return _WRITER.encode(data)
    except UnicodeEncodeError:  # half of a character, which UTF-8 cannot say
        return json.dumps(data).encode()


def answer(text: bytes) -> tuple[bytes, bool]:
    """The answer to a record as JSON, and whether it is a refusal."""
    settled = settle_line(text)
    if settled is not None:
        return settled, False
    record, settlement = settle_record(text)
    if isinstance(settlement, Refusal):
        return _write(write_refusal(settlement, sheet_of(record))), True
    return _write(write_settlement(settlement)), False


def settle_lines(lines: bytes) -> tuple[bytes, bool]:
    """The answers to records as lines of JSON, and whether any was refused. A blank line has no answer."""
    answers: list[bytes] = []
    refused = False
    for line in BytesIO(lines):
        if line.strip():
            text, is_refused = answer(line)
            answers += (text, b"\n")
            refused |= is_refused
    return b"".join(answers), refused
