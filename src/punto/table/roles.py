"""The minimum authority for each command."""

from __future__ import annotations

from punto.rules.sheet import Role
from punto.table import commands as c

# Where a sheet names a higher role for a ruling (the order of cards, a return, a decision), the case waits for it.
AUTHORITY: dict[type[c.Command], Role | None] = {
    c.OpenTable: Role.PIT_SUPERVISOR,
    c.CloseTable: Role.PIT_SUPERVISOR,
    c.SuspendPlay: Role.PIT_SUPERVISOR,
    c.ResumePlay: Role.PIT_SUPERVISOR,
    c.ChangeLimits: Role.PIT_SUPERVISOR,
    c.ChangeInsurance: Role.PIT_SUPERVISOR,
    c.CorrectCards: Role.DEALER,  # a Pit Supervisor where no second person confirms
    c.CorrectRound: Role.PIT_SUPERVISOR,  # higher where the sheet has no paragraph for it
    c.ReplaceShoe: Role.DEALER,  # the sheet's paragraph may name a higher role
    c.LoadShoe: Role.DEALER,
    c.CutCard: Role.DEALER,
    c.OpenBets: Role.DEALER,
    c.CloseBets: Role.DEALER,
    c.RecordBet: Role.DEALER,
    c.Deal: Role.DEALER,
    c.AnswerSqueeze: Role.DEALER,
    c.Settle: Role.DEALER,
    c.Report: Role.DEALER,
    c.Recover: Role.DEALER,
    c.Decide: Role.DEALER,  # the case may name a higher role
    c.ComeOnDuty: Role.DEALER,
    c.GoOffDuty: Role.DEALER,
    c.AssignPosition: Role.PIT_SUPERVISOR,
    c.AnnounceInsurance: Role.DEALER,
    c.Sit: None,
    c.Stand: None,
    c.Leave: None,
    c.PlaceBet: None,
    c.RaiseBet: None,
    c.WithdrawBet: None,
    c.PlaceBets: None,
    c.Insure: None,
    c.AskSqueeze: None,
    c.PassSqueeze: None,
    c.Choose: None,
    c.CheckDecks: Role.DEALER,
    c.ShuffleCards: Role.DEALER,
    c.BurnCards: Role.DEALER,
    c.CountShoe: Role.DEALER,
    c.OpenCard: None,  # only the patron who has the squeeze of the card, or staff
}
"""None: a patron may give the command for themselves, and staff on a patron's behalf."""

AT_REQUEST = frozenset(
    {
        *(c.Sit, c.Stand, c.PlaceBet, c.RaiseBet, c.WithdrawBet, c.PlaceBets),
        *(c.Insure, c.AskSqueeze, c.PassSqueeze, c.Choose),
    }
)
"""What staff do for a patron who asks them across a live table. At an automatic table nobody can ask, so that patrons
do it themselves. Giving the command is the record of the request: the event names who gave it."""


def authority_table() -> str:
    """Who may give which command, as a Markdown table."""
    rows = []
    for role in (None, *Role):
        names = ", ".join(f"`{c.kind_of(kind)}`" for kind, minimum in AUTHORITY.items() if minimum is role)
        if names:
            who = role.spoken if role else "patron, or staff on the patron's behalf"
            rows.append(f"| {who} | {names} |")
    return "\n".join(["| at least | commands |", "|---|---|", *rows])
