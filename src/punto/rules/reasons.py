"""Reasons as values: why the Table of Play gives a card, and what is wrong with an input.

Each is a key; `punto.texts` has its words.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class DrawCode(StrEnum):
    """The reasons for which the Table of Play gives a hand a card, or no card."""

    INITIAL_CARDS = "initial-cards"
    BOTH_DREW = "both-drew"
    NOBODY_DRAWS = "nobody-draws"
    PLAYER_DRAWS = "player-draws"
    PLAYER_DREW_BANKER_DRAWS = "player-drew-banker-draws"
    PLAYER_DREW_BANKER_STANDS = "player-drew-banker-stands"
    PLAYER_STOOD_BANKER_DREW = "player-stood-banker-drew"
    PLAYER_STANDS_BANKER_DRAWS = "player-stands-banker-draws"
    PLAYER_STANDS_BANKER_STANDS = "player-stands-banker-stands"


@dataclass(frozen=True, slots=True)
class DrawReason:
    """The card that follows those on the table, if any, and the reason.

    `player` and `banker` are the totals of two cards, `third` the points of Player's third card. Each is None if it is
    not known or does not matter.
    """

    code: DrawCode
    player: int | None = None
    banker: int | None = None
    third: int | None = None


class Wanted(StrEnum):
    """The values that a field of a record or message must hold. `ONE_OF` and `ACTOR` are followed by what is known."""

    TEXT = "text"
    PRINTABLE_TEXT = "printable-text"
    SHORT_TEXT = "short-text"
    PERSON_NAME = "person-name"
    WHOLE_NUMBER = "whole-number"
    EXACT_NUMBER = "exact-number"
    PACE = "pace"
    CENTS_ABOVE_ZERO = "cents-above-zero"
    TICKET_NUMBER = "ticket-number"
    ONE_OF = "one-of"
    LIST = "list"
    ACTOR = "actor"
    PATRON = "patron"
    CARD = "card"
    ODDS = "odds"
    CENTS = "cents"
    FLAG = "flag"
    OBJECT = "object"
    NAME = "name"
    BET_ID = "bet-id"
    WINDOW = "window"
    CARDS = "cards"
    BET_LIST = "bet-list"


class Problem(StrEnum):
    """The problems of an input, for refusals that have several reasons."""

    # a record
    NOT_UTF_8 = "not-utf-8"
    NOT_JSON = "not-json"
    NESTED_TOO_DEEPLY = "nested-too-deeply"
    FIELD_REPEATED = "field-repeated"
    NUMBER_NOT_JSON = "number-not-json"
    RECORD_NOT_OBJECT = "record-not-object"
    ROUND_REFUSED = "round-refused"
    # its limits
    LIMITS_NOT_POSITIVE = "limits-not-positive"
    LIMITS_TOO_LARGE = "limits-too-large"
    SIDE_BET_UNKNOWN = "side-bet-unknown"
    SIDE_BET_LIMITS = "side-bet-limits"
    OTHER_EDITION = "other-edition"
    OTHER_RULES = "other-rules"
    LIMITS_OFF_UNIT = "limits-off-unit"
    MINIMUM_ABOVE_DIFFERENTIAL = "minimum-above-differential"
    # a path to a sheet
    NOT_A_FILE = "not-a-file"
    FILE_TOO_LARGE = "file-too-large"
    NOT_A_PATH = "not-a-path"
    # a sheet
    NOT_TOML = "not-toml"
    SHEET_TOO_DEEP = "sheet-too-deep"
    PARAGRAPHS_MISSING = "paragraphs-missing"
    KEY_MISSING = "key-missing"
    KEY_UNKNOWN = "key-unknown"
    # what a sheet cannot say, because a bet depends on the outcome alone and every game is drawn by one table
    BEYOND_SUITS = "beyond-suits"
    BEYOND_RANKS = "beyond-ranks"
    BEYOND_THIRD_CARDS = "beyond-third-cards"
    BEYOND_DRAWING = "beyond-drawing"
    BEYOND_THE_ROUND = "beyond-the-round"
    NOT_A_TABLE = "not-a-table"
    NOT_TABLES = "not-tables"
    NOT_TEXT = "not-text"
    NOT_A_NUMBER = "not-a-number"
    NOT_A_FLAG = "not-a-flag"
    NOT_AN_ID = "not-an-id"
    NOT_A_CHOICE = "not-a-choice"
    NOT_A_VALUE = "not-a-value"
    ID_TAKEN = "id-taken"
    PARAGRAPH_UNKNOWN = "paragraph-unknown"
    TRANSLATION_UNUSED = "translation-unused"
    NOT_EXTENDED = "not-extended"
    BASE_UNKNOWN = "base-unknown"
    REMOVE_UNKNOWN = "remove-unknown"
    DECKS_NOT_IN_ORDER = "decks-not-in-order"
    LAYOUTS_ALIKE = "layouts-alike"
    # its bets and their conditions
    ORIGINAL_BETS = "original-bets"
    NOT_POINTS = "not-points"
    NOT_ODDS = "not-odds"
    ODDS_NOT_POSITIVE = "odds-not-positive"
    NOT_A_SUM = "not-a-sum"
    CONDITION_UNKNOWN = "condition-unknown"
    CONDITIONS_EMPTY = "conditions-empty"
    NOT_CONDITIONS = "not-conditions"
    PAY_LINE_MISSING = "pay-line-missing"
    PAY_LINE_UNREACHABLE = "pay-line-unreachable"
    PAY_LINE_SHADOWED = "pay-line-shadowed"
    PAY_LINE_RETURNED = "pay-line-returned"
    PAY_LINES_OVERLAP = "pay-lines-overlap"
    RETURN_UNREACHABLE = "return-unreachable"
    # its insurance
    INSURANCE_BETS = "insurance-bets"
    INSURANCE_EMPTY = "insurance-empty"
    INSURANCE_UNREACHABLE = "insurance-unreachable"
    INSURANCE_ROWS_OVERLAP = "insurance-rows-overlap"


_BEYOND = {
    Problem.BEYOND_SUITS: "suit suits suited same-suit colour colours color colors red black flush",
    Problem.BEYOND_RANKS: "rank ranks three-of-a-kind trips player-trips banker-trips straight face-cards first-card",
    Problem.BEYOND_THIRD_CARDS: "third-card third third-card-points player-third player-third-card banker-third "
    "banker-third-card",
    Problem.BEYOND_DRAWING: "draw draws drawing drawing-rules player-draws banker-draws player-stands banker-stands",
    Problem.BEYOND_THE_ROUND: "streak previous last-round rounds in-a-row progressive jackpot",
}
BEYOND = {key: problem for problem, keys in _BEYOND.items() for key in keys.split()}
"""The problem of each key by which people ask for what a sheet cannot say."""


class ProblemError(ValueError):
    """An invalid value: the problem, the given values, an example, and the known values.

    `at` is the place within the value, such as `.winner`, and `more` are further problems of the same value. The reader
    of a file adds the position and makes refusals of them.
    """

    def __init__(
        self, problem: Problem, *given: object, example: str = "", known: tuple[str, ...] = (), at: str = ""
    ) -> None:
        super().__init__(problem.value)
        self.problem, self.example, self.known, self.at = problem, example, known, at
        self.given = tuple(map(str, given))
        self.more: tuple[ProblemError, ...] = ()


def shorten(value: object, maximum: int = 40) -> str:
    """A value as text for a sentence, cut to a maximum length."""
    text = str(value)
    return text if len(text) <= maximum else text[: maximum - 1] + "…"


def quoted(value: object) -> str:
    """An outside value as text for a sentence: quoted, with control characters escaped, and cut."""
    return shorten(repr(value))
