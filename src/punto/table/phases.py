"""The phases of a table, and the commands that are legal in each. docs/table.md shows both."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from punto.rules.cards import Card
from punto.rules.hands import Hand
from punto.rules.tableau import INITIAL_CARDS, banker_always_draws, next_hand
from punto.table import commands as c


class Phase(StrEnum):
    """The phases of a table."""

    NOT_OPEN = "not-open"
    BETWEEN_ROUNDS = "between-rounds"
    BETTING = "betting"
    INITIAL_CARDS = "initial-cards"
    FIRST_WINDOW = "first-window"
    PLAYER_THIRD = "player-third"
    SECOND_WINDOW = "second-window"
    BANKER_THIRD = "banker-third"
    RESULT = "result"
    HELD = "held"
    OPENING = "opening"


class Waits(StrEnum):
    """What an open case waits for."""

    CHOICES = "choices"
    DECISION = "decision"
    ORDER = "order"
    APPROVAL = "approval"
    CONFIRMATION = "confirmation"
    CORRECTION = "correction"


_PLACES = (c.Sit, c.Stand, c.Leave)
_CORRECT = (c.CorrectCards, c.CorrectRound)
_SHOE = (c.LoadShoe, c.ReplaceShoe, c.CutCard)
_SETTINGS = (c.ChangeLimits, c.ChangeInsurance)
_BETWEEN = (*_SHOE, c.OpenBets, c.Report, c.CorrectRound, *_SETTINGS, c.CloseTable)
_BETS = (c.PlaceBet, c.RaiseBet, c.WithdrawBet, c.PlaceBets, c.RecordBet)
_CARDS = (
    c.Deal,
    c.CutCard,
    c.AskSqueeze,
    c.AnswerSqueeze,
    c.PassSqueeze,
    c.ReplaceShoe,
    *_CORRECT,
    c.Report,
    c.Recover,
    *_PLACES,
)

_OPEN: dict[Phase, tuple[type[c.Command], ...]] = {
    Phase.BETWEEN_ROUNDS: (*_BETWEEN, *_PLACES, c.CheckDecks, c.ShuffleCards, c.BurnCards, c.CountShoe),
    Phase.BETTING: (*_BETS, c.CloseBets, c.Report, c.Recover, c.CorrectRound, *_PLACES),
    Phase.INITIAL_CARDS: (c.RecordBet, *_CARDS, c.OpenCard),
    Phase.FIRST_WINDOW: (c.Insure, c.AnnounceInsurance, *_CARDS),
    Phase.PLAYER_THIRD: _CARDS,
    Phase.SECOND_WINDOW: (c.Insure, *_CARDS),
    Phase.BANKER_THIRD: (*_CARDS, c.OpenCard),
    Phase.RESULT: (c.Settle, c.ReplaceShoe, *_CORRECT, c.Report, c.Recover, *_PLACES),
    Phase.HELD: (c.Choose, c.Decide, c.CorrectCards, c.ReplaceShoe, c.Report, c.Recover, *_PLACES),
    Phase.OPENING: (c.OpenCard, c.PassSqueeze, c.CutCard, c.ReplaceShoe, *_CORRECT, c.Report, c.Recover, *_PLACES),
}
LEGAL: dict[Phase, tuple[type[c.Command], ...]] = {Phase.NOT_OPEN: (c.OpenTable, c.Leave)} | {
    phase: (*legal, c.ComeOnDuty, c.GoOffDuty, c.AssignPosition, c.SuspendPlay, c.ResumePlay)
    for phase, legal in _OPEN.items()
}

MOVES: dict[tuple[Phase, Phase], str] = {
    (Phase.NOT_OPEN, Phase.BETWEEN_ROUNDS): "open-table",
    (Phase.BETWEEN_ROUNDS, Phase.NOT_OPEN): "close-table",
    (Phase.BETWEEN_ROUNDS, Phase.BETTING): "open-bets, “Place your bets”",
    (Phase.BETTING, Phase.INITIAL_CARDS): "close-bets, “No more bets”",
    (Phase.INITIAL_CARDS, Phase.FIRST_WINDOW): "fourth card, an offer stands",
    (Phase.INITIAL_CARDS, Phase.PLAYER_THIRD): "fourth card, Player draws",
    (Phase.INITIAL_CARDS, Phase.BANKER_THIRD): "fourth card, only Banker draws",
    (Phase.INITIAL_CARDS, Phase.RESULT): "fourth card, nobody draws",
    (Phase.FIRST_WINDOW, Phase.SECOND_WINDOW): "Player's third, an offer stands",
    (Phase.FIRST_WINDOW, Phase.BANKER_THIRD): "Player's third, Banker draws",
    (Phase.FIRST_WINDOW, Phase.RESULT): "the last card",
    (Phase.PLAYER_THIRD, Phase.SECOND_WINDOW): "Player's third, an offer stands",
    (Phase.PLAYER_THIRD, Phase.BANKER_THIRD): "Player's third, Banker draws",
    (Phase.PLAYER_THIRD, Phase.RESULT): "Player's third, Banker stands",
    (Phase.SECOND_WINDOW, Phase.RESULT): "Banker's third",
    (Phase.BANKER_THIRD, Phase.RESULT): "Banker's third",
    (Phase.RESULT, Phase.BETWEEN_ROUNDS): "settle",
    (Phase.INITIAL_CARDS, Phase.OPENING): "fourth card, some are closed",
    (Phase.FIRST_WINDOW, Phase.OPENING): "the next card, closed",
    (Phase.PLAYER_THIRD, Phase.OPENING): "Player's third, closed",
    (Phase.SECOND_WINDOW, Phase.OPENING): "Banker's third, closed",
    (Phase.BANKER_THIRD, Phase.OPENING): "Banker's third, closed",
    (Phase.OPENING, Phase.FIRST_WINDOW): "four cards open, an offer stands",
    (Phase.OPENING, Phase.PLAYER_THIRD): "four cards open, Player draws",
    (Phase.OPENING, Phase.SECOND_WINDOW): "Player's third open, an offer stands",
    (Phase.OPENING, Phase.BANKER_THIRD): "all cards open, Banker draws",
    (Phase.OPENING, Phase.RESULT): "the last card open",
}
"""The transitions of a round without incidents. From any phase, an open case leads to `held` and back."""

IN_ROUND = frozenset(Phase) - {Phase.NOT_OPEN, Phase.BETWEEN_ROUNDS, Phase.BETTING, Phase.HELD}
"""The phases after bets closed and before the round is settled."""


def phase_of(cards: Sequence[Card], waiting: int = 0, *, waived: bool = False) -> Phase:
    """The phase of a round after bets closed, by its cards alone. Insurance windows are not considered.

    `cards` are the open cards up to the first closed one, `waiting` the number of cards from that one on. All four
    initial cards are opened before a third card is dealt, and Player's third before Banker decides; except that with
    the second window `waived`, a Banker who draws in any case gets the third card first.
    """
    dealt = len(cards) + waiting
    if dealt < INITIAL_CARDS:
        return Phase.INITIAL_CARDS
    if waiting:
        banker_first = waived and dealt == INITIAL_CARDS + 1 and banker_always_draws(cards)
        return Phase.BANKER_THIRD if banker_first else Phase.OPENING
    hand = next_hand(cards)
    if hand is None:
        return Phase.RESULT
    return Phase.PLAYER_THIRD if hand is Hand.PLAYER else Phase.BANKER_THIRD


def diagram() -> str:
    """The phases as a Mermaid state diagram."""
    names = [f'    state "{phase}" as {phase.name.lower()}' for phase in Phase if phase is not Phase.HELD]
    moves = [f"    {start.name.lower()} --> {end.name.lower()}: {says}" for (start, end), says in MOVES.items()]
    return "\n".join(["stateDiagram-v2", *names, f"    [*] --> {Phase.NOT_OPEN.name.lower()}", *moves])


def legal_table() -> str:
    """The phases and their commands as a Markdown table."""
    rows = [f"| `{phase}` | {', '.join(f'`{c.kind_of(each)}`' for each in legal)} |" for phase, legal in LEGAL.items()]
    return "\n".join(["| phase | commands |", "|---|---|", *rows])
