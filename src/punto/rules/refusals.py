"""Refusals: how the rules say no.

A refusal is a value: a stable code for programs, a sentence for people, and the paragraph it rests on. The codes
stand in order of precedence: where several would do, the first is given, whatever order the bets came in.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Code(StrEnum):
    """A refusal's stable name. Each package that refuses declares its own closed set, with what each code means."""

    @property
    def precedence(self) -> int:
        """The place of this code in its set; a lower one is given first."""
        return list(type(self)).index(self)

    @property
    def meaning(self) -> str:
        """When this code is given, in one line."""
        raise NotImplementedError


class RecordCode(Code):
    """Why a round cannot be read or settled, in order of precedence."""

    UNREADABLE = "unreadable"
    FIELD_UNKNOWN = "field-unknown"
    FIELD_MISSING = "field-missing"
    FIELD_TYPE = "field-type"
    GAME_UNKNOWN = "game-unknown"
    SHEET_INVALID = "sheet-invalid"
    DECKS_NOT_ALLOWED = "decks-not-allowed"
    LIMITS_INVALID = "limits-invalid"
    CARD_UNREADABLE = "card-unreadable"
    CARD_MISSING = "card-missing"
    CARD_TOO_MANY = "card-too-many"
    CARD_COPIES = "card-copies"
    RESULT_MISMATCH = "result-mismatch"
    BOX_UNKNOWN = "box-unknown"
    STAKE_INVALID = "stake-invalid"
    STAKE_OFF_UNIT = "stake-off-unit"
    BET_NOT_OFFERED = "bet-not-offered"
    WINDOW_MISSING = "window-missing"
    WINDOW_NOT_FOR_BET = "window-not-for-bet"
    INSURANCE_WINDOW_CLOSED = "insurance-window-closed"
    INSURANCE_HAND_NOT_ON_OFFER = "insurance-hand-not-on-offer"
    INSURANCE_WITHOUT_ORIGINAL = "insurance-without-original"
    INSURANCE_OVER_CAP = "insurance-over-cap"
    EXCESS_NOT_RULED = "excess-not-ruled"

    @property
    def meaning(self) -> str:
        """When this code is given, in one line."""
        return MEANINGS[self.value]


MEANINGS = {
    "unreadable": "The text is not a record: broken JSON, or something other than an object.",
    "field-unknown": "A field that the format does not have.",
    "field-missing": "A field that the format needs is not there.",
    "field-type": "A field holds the wrong kind of value, such as a fraction of a cent.",
    "game-unknown": "No sheet has this id and no sheet file is at this path.",
    "sheet-invalid": "A rule sheet contradicts itself or cannot be read.",
    "decks-not-allowed": "The sheet does not allow this number of decks.",
    "limits-invalid": "The limits contradict each other.",
    "card-unreadable": "A card is not rank A 2-9 T J Q K and suit s h d c.",
    "card-missing": "The Table of Play asks for another card.",
    "card-too-many": "The Table of Play had ended the round before this card.",
    "card-copies": "More copies of one card than the shoe holds.",
    "result-mismatch": "The result written down is not the one the cards give.",
    "box-unknown": "No layout of the sheet has this box.",
    "stake-invalid": "The stake is not a whole number of cents above zero.",
    "stake-off-unit": "The stake is not a multiple of the table's chip unit.",
    "bet-not-offered": "The sheet does not offer this bet.",
    "window-missing": "An insurance bet must name its window.",
    "window-not-for-bet": "A window is named on a bet that is not insurance.",
    "insurance-window-closed": "No insurance was on offer in that window of this round.",
    "insurance-hand-not-on-offer": "Insurance was on offer in that window, but not on this hand.",
    "insurance-without-original": "The patron has no original bet on the hand to insure.",
    "insurance-over-cap": "The insurance could pay more than the original bet on that hand.",
    "excess-not-ruled": "A box is over the Differential and the sheet has no rule for it after the close.",
}


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something was not done: a code, the paragraph it rests on (if one does) and a sentence for people."""

    code: Code
    message: str
    rule: str | None = None


class RefusedError(ValueError):
    """Carries a refusal out of a parser. Only reading raises; deciding and settling return refusals as values."""

    def __init__(self, code: Code, message: str, rule: str | None = None) -> None:
        super().__init__(message)
        self.refusal = Refusal(code, message, rule)
