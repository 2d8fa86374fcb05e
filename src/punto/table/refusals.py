"""How a table says no: a closed set of codes in order of precedence. Where several would do, the first is given."""

from __future__ import annotations

from punto.rules.refusals import Code


class TableCode(Code):
    """Why a command was not done, in order of precedence: who, when, then what."""

    COMMAND_UNKNOWN = "command-unknown"
    NOT_PERMITTED = "not-permitted"
    NOT_YOURS = "not-yours"
    TABLE_NOT_OPEN = "table-not-open"
    ROUND_HELD = "round-held"
    BETS_NOT_OPEN = "bets-not-open"
    BETS_CLOSED = "bets-closed"
    INSURANCE_CLOSED = "insurance-closed"
    READING_REPEATED = "reading-repeated"
    WRONG_PHASE = "wrong-phase"
    ROUND_MISMATCH = "round-mismatch"
    GAME_MISMATCH = "game-mismatch"
    NAME_INVALID = "name-invalid"
    LAYOUT_NOT_ALLOWED = "layout-not-allowed"
    DECKS_NOT_ALLOWED = "decks-not-allowed"
    LIMITS_INVALID = "limits-invalid"
    PRIVATE_NOT_ALLOWED = "private-not-allowed"
    SHOE_INVALID = "shoe-invalid"
    SHOE_MISSING = "shoe-missing"
    SHOE_FINISHED = "shoe-finished"
    SHOE_STAYS = "shoe-stays"
    CUT_CARD_KNOWN = "cut-card-known"
    SHOE_EMPTY = "shoe-empty"
    CARD_NOT_GIVEN = "card-not-given"
    CARD_NOT_NEXT = "card-not-next"
    CARD_COPIES = "card-copies"
    BOX_UNKNOWN = "box-unknown"
    BOX_TAKEN = "box-taken"
    NOBODY_SEATED = "nobody-seated"
    ALREADY_THERE = "already-there"
    NOT_AT_BOX = "not-at-box"
    PATRON_AWAY = "patron-away"
    BET_NOT_OFFERED = "bet-not-offered"
    NOT_LIVE = "not-live"
    BET_EXISTS = "bet-exists"
    BET_UNKNOWN = "bet-unknown"
    STAKE_INVALID = "stake-invalid"
    STAKE_OFF_UNIT = "stake-off-unit"
    STAKE_BELOW_MINIMUM = "stake-below-minimum"
    STAKE_ABOVE_MAXIMUM = "stake-above-maximum"
    OVER_DIFFERENTIAL = "over-differential"
    RAISE_PENDING = "raise-pending"
    INSURANCE_HAND_NOT_ON_OFFER = "insurance-hand-not-on-offer"
    INSURANCE_WITHOUT_ORIGINAL = "insurance-without-original"
    INSURANCE_OVER_CAP = "insurance-over-cap"
    SQUEEZE_NOT_OFFERED = "squeeze-not-offered"
    SQUEEZE_TOO_LATE = "squeeze-too-late"
    SQUEEZE_NOT_HIGHEST = "squeeze-not-highest"
    SQUEEZE_PENDING = "squeeze-pending"
    SQUEEZE_REPEATED = "squeeze-repeated"
    SQUEEZE_NOT_ASKED = "squeeze-not-asked"
    SITUATION_UNKNOWN = "situation-unknown"
    DECISION_NOT_OPEN = "decision-not-open"
    SAME_PERSON = "same-person"
    NO_CHOICE_OPEN = "no-choice-open"
    REASON_MISSING = "reason-missing"
    FACTS_MISSING = "facts-missing"
    FACTS_CONTRADICT = "facts-contradict"
    NOTHING_TO_RECOVER = "nothing-to-recover"

    @property
    def meaning(self) -> str:
        """When this code is given, in one line."""
        return MEANINGS[self]


MEANINGS: dict[TableCode, str] = {
    TableCode.COMMAND_UNKNOWN: "No command or event has this name.",
    TableCode.NOT_PERMITTED: "The one who asks lacks the authority; the message names who may.",
    TableCode.NOT_YOURS: "A patron acts for someone else.",
    TableCode.TABLE_NOT_OPEN: "The table is not open.",
    TableCode.ROUND_HELD: "An open case holds the table; the message says what it waits for.",
    TableCode.BETS_NOT_OPEN: "No round has been called.",
    TableCode.BETS_CLOSED: "Bets have closed: nothing is placed, raised or withdrawn.",
    TableCode.INSURANCE_CLOSED: "No insurance is on offer now.",
    TableCode.READING_REPEATED: "The electronic shoe sent this card before; it is dealt once.",
    TableCode.WRONG_PHASE: "The command does not belong to this phase.",
    TableCode.ROUND_MISMATCH: "The command is meant for another round.",
    TableCode.GAME_MISMATCH: "The table was asked for another game than its sheet's.",
    TableCode.NAME_INVALID: "A name is empty or cannot be printed.",
    TableCode.LAYOUT_NOT_ALLOWED: "The sheet has no such layout, or no such number of boxes.",
    TableCode.DECKS_NOT_ALLOWED: "The sheet does not allow this number of decks.",
    TableCode.LIMITS_INVALID: "The limits contradict each other, or limit a bet the sheet does not offer.",
    TableCode.PRIVATE_NOT_ALLOWED: "The sheet does not let a table run without insurance.",
    TableCode.SHOE_INVALID: "The order is not one of these decks, or the cut card lies outside it.",
    TableCode.SHOE_MISSING: "No shoe is in play.",
    TableCode.SHOE_FINISHED: "The shoe has had its last round, or is out of play; a new one must come first.",
    TableCode.SHOE_STAYS: "The shoe is in play: it was not taken out, or no ruling of this round lets it be.",
    TableCode.CUT_CARD_KNOWN: "The place of the cut card is known, or it came already.",
    TableCode.SHOE_EMPTY: "The shoe has no card left.",
    TableCode.CARD_NOT_GIVEN: "This shoe is read card by card, and no card was given.",
    TableCode.CARD_NOT_NEXT: "The card is not the next one of the shoe.",
    TableCode.CARD_COPIES: "More copies of one card than the decks hold.",
    TableCode.BOX_UNKNOWN: "The layout has no such box.",
    TableCode.BOX_TAKEN: "Someone sits there.",
    TableCode.NOBODY_SEATED: "Nobody sits at the box to stand behind.",
    TableCode.ALREADY_THERE: "The patron has a place there, or a seat elsewhere.",
    TableCode.NOT_AT_BOX: "The patron has no place at the box, or at the table.",
    TableCode.PATRON_AWAY: "The patron walked away from this round.",
    TableCode.BET_NOT_OFFERED: "The sheet does not offer this bet.",
    TableCode.NOT_LIVE: "Bets are recorded as they lie only at a live table.",
    TableCode.BET_EXISTS: "The bet lies already; it can be raised.",
    TableCode.BET_UNKNOWN: "No such bet lies.",
    TableCode.STAKE_INVALID: "The amount is not a whole number of cents above zero that can be bet.",
    TableCode.STAKE_OFF_UNIT: "The amount is not a multiple of the chip unit.",
    TableCode.STAKE_BELOW_MINIMUM: "The bet would lie below the minimum: raise it or withdraw it.",
    TableCode.STAKE_ABOVE_MAXIMUM: "The bet would pass the maximum of this side bet.",
    TableCode.OVER_DIFFERENTIAL: "The box would pass the maximum Differential; the message says what is left.",
    TableCode.RAISE_PENDING: "A patron was asked to raise or withdraw a bet and has not.",
    TableCode.INSURANCE_HAND_NOT_ON_OFFER: "Insurance is on offer, but not on this hand.",
    TableCode.INSURANCE_WITHOUT_ORIGINAL: "The patron has no original bet on the hand to insure.",
    TableCode.INSURANCE_OVER_CAP: "The insurance could pay more than the original bet on that hand.",
    TableCode.SQUEEZE_NOT_OFFERED: "The sheet or the table knows no such squeeze.",
    TableCode.SQUEEZE_TOO_LATE: "The card this is about has come, or will not.",
    TableCode.SQUEEZE_NOT_HIGHEST: "The patron is not the one whom the sheet lets ask.",
    TableCode.SQUEEZE_PENDING: "Another request came first and waits for the House's answer.",
    TableCode.SQUEEZE_REPEATED: "The patron has asked this before the same card; the House's answer stands.",
    TableCode.SQUEEZE_NOT_ASKED: "There is no request to answer.",
    TableCode.SITUATION_UNKNOWN: "No irregularity has this name, or not in this game.",
    TableCode.FACTS_MISSING: "The ruling needs facts that were not given.",
    TableCode.FACTS_CONTRADICT: "The facts cannot be, at this table and in this phase.",
    TableCode.REASON_MISSING: "A decision is recorded with its reason.",
    TableCode.DECISION_NOT_OPEN: "The open case does not wait for this decision.",
    TableCode.SAME_PERSON: "A second person must confirm.",
    TableCode.NO_CHOICE_OPEN: "The patron has no choice to make.",
    TableCode.NOTHING_TO_RECOVER: "No round is under way.",
}


def code_table() -> str:
    """The codes as a Markdown table, in order of precedence."""
    rows = [f"| {place} | `{code}` | {code.meaning} |" for place, code in enumerate(TableCode, 1)]
    return "\n".join(["| | code | given when |", "|---|---|---|", *rows])
