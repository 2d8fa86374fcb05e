"""How the house says no, besides the rules and the table: a closed set of codes."""

from __future__ import annotations

from punto.rules.refusals import Code


class HouseCode(Code):
    """Why the house did not do something, in order of precedence."""

    HOUSE_CLOSING = "house-closing"
    STORE_UNAVAILABLE = "store-unavailable"
    NOT_PERMITTED = "not-permitted"
    KEY_INVALID = "key-invalid"
    KEY_REUSED = "key-reused"
    COMMAND_UNREADABLE = "command-unreadable"
    TABLE_UNKNOWN = "table-unknown"
    TABLE_EXISTS = "table-exists"
    TABLE_SUSPENDED = "table-suspended"
    TABLE_BUSY = "table-busy"
    TABLE_UNREACHABLE = "table-unreachable"
    AUTOMATIC = "automatic"
    PERSON_UNKNOWN = "person-unknown"
    NAME_INVALID = "name-invalid"
    AMOUNT_INVALID = "amount-invalid"
    FUNDS_SHORT = "funds-short"
    CREDIT_LIMIT = "credit-limit"
    ROUND_UNKNOWN = "round-unknown"
    SHOE_UNKNOWN = "shoe-unknown"

    @property
    def meaning(self) -> str:
        """When this code is given, in one line."""
        return MEANINGS[self]


MEANINGS: dict[HouseCode, str] = {
    HouseCode.HOUSE_CLOSING: "The server is stopping and takes nothing new; the same key may be sent again later.",
    HouseCode.STORE_UNAVAILABLE: "Nothing can be written now (the disk is full, say, or the database away); try again.",
    HouseCode.NOT_PERMITTED: "The person's role does not allow this.",
    HouseCode.KEY_INVALID: "The idempotency key is missing, too long or not printable.",
    HouseCode.KEY_REUSED: "The idempotency key was used before for something else.",
    HouseCode.COMMAND_UNREADABLE: "The command is not one the table can read; the message says where.",
    HouseCode.TABLE_UNKNOWN: "No table has this id.",
    HouseCode.TABLE_EXISTS: "A table with this id is there already.",
    HouseCode.TABLE_SUSPENDED: "The table cannot write its log (the disk is full, say) and takes no bets until it can.",
    HouseCode.TABLE_BUSY: "Too many commands wait for the table; try again.",
    HouseCode.TABLE_UNREACHABLE: "The process that runs the table does not answer; send the same key again.",
    HouseCode.AUTOMATIC: "This table deals by itself; people give no dealing commands at it.",
    HouseCode.PERSON_UNKNOWN: "Nobody has this id.",
    HouseCode.NAME_INVALID: "A name is 1 to 40 printable characters; an id is a word of letters, digits and hyphens.",
    HouseCode.AMOUNT_INVALID: "The amount is not a whole number of cents above zero that can be kept.",
    HouseCode.FUNDS_SHORT: "The patron's credit does not cover this.",
    HouseCode.CREDIT_LIMIT: "More than the house sells at once, or than it lets a patron hold by buying.",
    HouseCode.ROUND_UNKNOWN: "The table has had no round with this number.",
    HouseCode.SHOE_UNKNOWN: "The table has had no shoe with this number.",
}


def code_table() -> str:
    """The codes as a Markdown table, in order of precedence."""
    rows = [f"| `{code}` | {code.meaning} |" for code in HouseCode]
    return "\n".join(["| code | given when |", "|---|---|", *rows])
