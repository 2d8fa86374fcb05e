"""The minimum authority for each command."""

from __future__ import annotations

from punto.rules.sheet import Role
from punto.table.commands import (
    AnnounceInsurance,
    AnswerSqueeze,
    AskSqueeze,
    AssignPosition,
    BurnCards,
    ChangeInsurance,
    ChangeLimits,
    CheckDecks,
    Choose,
    CloseBets,
    CloseTable,
    ComeOnDuty,
    Command,
    CorrectCards,
    CorrectRound,
    CountShoe,
    CutCard,
    Deal,
    Decide,
    GoOffDuty,
    Insure,
    Leave,
    LoadShoe,
    OpenBets,
    OpenCard,
    OpenTable,
    PlaceBet,
    RaiseBet,
    RecordBet,
    Recover,
    ReplaceShoe,
    Report,
    Settle,
    ShuffleCards,
    Sit,
    Stand,
    WithdrawBet,
    kind_of,
)

# Where a sheet names a higher role for a ruling (the order of cards, a return, a decision), the case waits for it.
AUTHORITY: dict[type[Command], Role | None] = {
    OpenTable: Role.PIT_SUPERVISOR,
    CloseTable: Role.PIT_SUPERVISOR,
    ChangeLimits: Role.PIT_SUPERVISOR,
    ChangeInsurance: Role.PIT_SUPERVISOR,
    CorrectCards: Role.PIT_SUPERVISOR,
    CorrectRound: Role.PIT_SUPERVISOR,  # higher where the sheet has no paragraph for it
    ReplaceShoe: Role.DEALER,  # the sheet's paragraph may name a higher role
    LoadShoe: Role.DEALER,
    CutCard: Role.DEALER,
    OpenBets: Role.DEALER,
    CloseBets: Role.DEALER,
    RecordBet: Role.DEALER,
    Deal: Role.DEALER,
    AnswerSqueeze: Role.DEALER,
    Settle: Role.DEALER,
    Report: Role.DEALER,
    Recover: Role.DEALER,
    Decide: Role.DEALER,  # the case may name a higher role
    ComeOnDuty: Role.DEALER,
    GoOffDuty: Role.DEALER,
    AssignPosition: Role.PIT_SUPERVISOR,
    AnnounceInsurance: Role.DEALER,
    Sit: None,
    Stand: None,
    Leave: None,
    PlaceBet: None,
    RaiseBet: None,
    WithdrawBet: None,
    Insure: None,
    AskSqueeze: None,
    Choose: None,
    CheckDecks: Role.DEALER,
    ShuffleCards: Role.DEALER,
    BurnCards: Role.DEALER,
    CountShoe: Role.DEALER,
    OpenCard: None,  # only the patron who has the squeeze of the card, or staff
}
"""None: a patron may give the command for themselves, and staff on a patron's behalf."""


def authority_table() -> str:
    """Who may give which command, as a Markdown table."""
    rows = []
    for role in (None, *Role):
        names = ", ".join(f"`{kind_of(kind)}`" for kind, minimum in AUTHORITY.items() if minimum is role)
        if names:
            who = role.spoken if role else "patron, or staff on the patron's behalf"
            rows.append(f"| {who} | {names} |")
    return "\n".join(["| at least | commands |", "|---|---|", *rows])
