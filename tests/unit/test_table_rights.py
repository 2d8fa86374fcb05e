"""Who may give which command, and when: the tables `AUTHORITY` and `LEGAL`, stated a second time as they are meant."""

from __future__ import annotations

import pytest

from punto.rules.sheet import Role
from punto.table import commands as c
from punto.table.decide import refuse_authority, refuse_kind
from punto.table.phases import LEGAL, Phase
from punto.table.refusals import NotPermitted
from punto.table.roles import AT_REQUEST, AUTHORITY
from tests.table_kit import Play

PHASES = {
    "N": Phase.NOT_OPEN,
    "B": Phase.BETWEEN_ROUNDS,
    "T": Phase.BETTING,
    "I": Phase.INITIAL_CARDS,
    "1": Phase.FIRST_WINDOW,
    "P": Phase.PLAYER_THIRD,
    "2": Phase.SECOND_WINDOW,
    "K": Phase.BANKER_THIRD,
    "R": Phase.RESULT,
    "H": Phase.HELD,
    "O": Phase.OPENING,
}
RIGHTS = """
    open-table         | pit-supervisor        | N . . . . . . . . . .
    close-table        | pit-supervisor        | . B . . . . . . . . .
    suspend-play       | pit-supervisor        | . B T I 1 P 2 K R H O
    resume-play        | pit-supervisor        | . B T I 1 P 2 K R H O
    change-limits      | pit-supervisor        | . B . . . . . . . . .
    change-insurance   | pit-supervisor        | . B . . . . . . . . .
    correct-cards      | dealer                | . . . I 1 P 2 K R H O
    correct-round      | pit-supervisor        | . B T I 1 P 2 K R . O
    replace-shoe       | dealer                | . B . I 1 P 2 K R H O
    load-shoe          | dealer                | . B . . . . . . . . .
    cut-card           | dealer                | . B . I 1 P 2 K . . O
    open-bets          | dealer                | . B . . . . . . . . .
    close-bets         | dealer                | . . T . . . . . . . .
    record-bet         | dealer                | . . T I . . . . . . .
    deal               | dealer                | . . . I 1 P 2 K . . .
    answer-squeeze     | dealer                | . . . I 1 P 2 K . . .
    settle             | dealer                | . . . . . . . . R . .
    report             | dealer                | . B T I 1 P 2 K R H O
    recover            | dealer                | . . T I 1 P 2 K R H O
    decide             | dealer                | . . . . . . . . . H .
    come-on-duty       | dealer                | . B T I 1 P 2 K R H O
    go-off-duty        | dealer                | . B T I 1 P 2 K R H O
    assign-position    | pit-supervisor        | . B T I 1 P 2 K R H O
    announce-insurance | dealer                | . . . . 1 . . . . . .
    sit                | patron, or at request | . B T I 1 P 2 K R H O
    stand              | patron, or at request | . B T I 1 P 2 K R H O
    leave              | patron                | N B T I 1 P 2 K R H O
    place-bet          | patron, or at request | . . T . . . . . . . .
    raise-bet          | patron, or at request | . . T . . . . . . . .
    withdraw-bet       | patron, or at request | . . T . . . . . . . .
    place-bets         | patron, or at request | . . T . . . . . . . .
    insure             | patron, or at request | . . . . 1 . 2 . . . .
    ask-squeeze        | patron, or at request | . . . I 1 P 2 K . . .
    pass-squeeze       | patron, or at request | . . . I 1 P 2 K . . O
    choose             | patron, or at request | . . . . . . . . . H .
    check-decks        | dealer                | . B . . . . . . . . .
    shuffle-cards      | dealer                | . B . . . . . . . . .
    burn-cards         | dealer                | . B . . . . . . . . .
    count-shoe         | dealer                | . B . . . . . . . . .
    open-card          | patron                | . . . I . . . K . . O
"""
"""A command, the lowest position that may give it, and the phases in which it is legal. At request: staff give it for a
patron who asks them across a live table."""
ROWS = [[cell.strip() for cell in line.split("|")] for line in RIGHTS.split("\n") if line]


def test_every_command_has_its_row() -> None:
    kinds = [c.COMMANDS[name] for name, _, _ in ROWS]
    assert kinds == list(AUTHORITY)
    assert set(kinds) == set(c.COMMANDS.values())


@pytest.mark.parametrize(("name", "who"), [(name, who) for name, who, _ in ROWS])
def test_the_lowest_position_that_may_give_a_command(name: str, who: str) -> None:
    kind, state = c.COMMANDS[name], Play("commission").state
    least = None if who.startswith("patron") else Role(who)
    assert AUTHORITY[kind] is least
    assert (kind in AT_REQUEST) is who.endswith("at request")
    for position in (None, *Role):
        may = least is None or (position is not None and position.level >= least.level)
        refusal = None if may or least is None else NotPermitted(least)
        assert refuse_authority(state, c.Actor("eve", position), kind) == refusal


@pytest.mark.parametrize(("letter", "phase"), PHASES.items())
def test_the_commands_that_are_legal_in_a_phase(letter: str, phase: Phase) -> None:
    legal = {c.COMMANDS[name] for name, _, phases in ROWS if letter in phases.split()}
    assert set(LEGAL[phase]) == legal
    assert len(LEGAL[phase]) == len(legal), "none is listed twice"


def test_what_is_not_legal_now_is_refused() -> None:
    """At an open table between rounds; a position that is too low comes first."""
    state, shift = Play("commission").state, c.Actor("eve", Role.SHIFT_MANAGER)
    for name, _, phases in ROWS:
        assert (refuse_kind(state, shift, c.COMMANDS[name]) is None) is ("B" in phases.split()), name
    assert refuse_kind(state, c.Actor("ann"), c.OpenTable) == NotPermitted(Role.PIT_SUPERVISOR)
