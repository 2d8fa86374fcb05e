"""Choices: for whom each person is told that they may do something, and what all patrons share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from punto.rules.loader import load
from punto.rules.refusals import Refusal
from punto.table import acts
from punto.table import refusals as r
from punto.table.actor import Actor
from punto.table.engine import choices, own_choices, shared_choices
from punto.table.state import State, new_table
from punto.table.ways import AnyChoice, BoxWay, Choice, Input, Way
from tests.table_kit import DEALER, STAFF, Play, patron

ANN, BO, CY, ZED = map(patron, ("ann", "bo", "cy", "zed"))
COMMISSION = "commission"
BOXES = range(1, 10)

Told = tuple[Way, ...] | Refusal


def told(state: State, actor: Actor, kind: type[acts.Command], patrons: Sequence[str] | None = None) -> Told:
    """The ways of a command, or its refusal: never both."""
    (choice,) = [each for each in choices(state, actor, patrons) if each.kind == kind.kind]
    assert not (choice.ways and choice.refusal)
    return choice.ways if choice.refusal is None else choice.refusal


def after(play: Play, *commands: acts.Command) -> Play:
    for command in commands:
        play.do(command)
    return play


# ------------------------------------------------------------------------------------------- who and when


@pytest.mark.parametrize("actor", [ANN, *STAFF])
def test_everyone_is_told_of_every_command_and_a_table_that_is_not_open_can_only_be_opened(actor: Actor) -> None:
    found = {choice.kind: choice for choice in choices(new_table(load(COMMISSION)), actor)}
    assert list(found) == list(acts.COMMANDS)
    codes = {name: choice.refusal.code if choice.refusal else None for name, choice in found.items()}
    for name, kind in acts.COMMANDS.items():
        if kind.authority is not None and not actor.may_act_as(kind.authority):
            assert codes[name] == "not-permitted"
        else:
            assert codes[name] == {"open-table": None, "leave": "not-at-box"}.get(name, "table-not-open")


# ------------------------------------------------------------------------------------------- the table


def loaded(**settings: Any) -> Play:
    return Play(COMMISSION, **settings)


# ------------------------------------------------------------------------------------------- places, bets and insurance


def at(*boxes: int, name: str | None = None, inputs: tuple[Input, ...] = ()) -> tuple[BoxWay, ...]:
    return tuple([BoxWay(box, patron=name, inputs=inputs) for box in boxes])


def seated() -> Play:
    """Bo sits at box 3, ann at box 2, and cy stands behind box 3."""
    return after(loaded(), acts.Sit(BO, "bo", 3), acts.Sit(ANN, "ann", 2), acts.Stand(CY, "cy", 3))


def test_a_full_table_refuses_each_place_in_order() -> None:
    play = after(loaded(), *[acts.Sit(patron(f"p{box}"), f"p{box}", box) for box in reversed(BOXES)])
    shared = {each.kind: each for each in shared_choices(play.state)}
    assert shared["sit"] == Choice("sit", tuple([BoxWay(box, refusal=r.BoxTaken(box)) for box in BOXES]))
    assert shared["stand"] == Choice("stand", at(*BOXES))
    assert told(play.state, ZED, acts.Sit) == told(play.state, DEALER, acts.Sit, []) == r.BoxTaken(1)
    assert told(play.state, DEALER, acts.Sit) == r.AlreadyThere(9)


# ------------------------------------------------------------------------------------------- all patrons, and one


def test_a_patron_with_a_place_has_choices_of_their_own() -> None:
    state = seated().state
    places: list[AnyChoice] = [
        Choice("sit", refusal=r.AlreadyThere(2)),
        Choice("stand", at(3)),
        Choice("leave", (Way(),)),
    ]
    assert {*own_choices(state, "ann", (2,))} == {*places}
    assert own_choices(state, "ann", (2,), [acts.Leave, acts.PlaceBet]) == (places[2],)
    assert own_choices(state, "zed", ()) == ()
