"""What `choices` tells and what `decide` does, held against each other in random states of all five games.

Every state is reached by play: a random walk takes ways that `choices` offers. In each state somebody is asked, and:
whatever is within a way's bounds is accepted; one step outside is refused with the code that the bound names; what a
choice denies is refused with that code; and nothing is accepted that no way allows.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from punto.rules.cards import DECK
from punto.rules.loader import GAMES, load
from punto.rules.refusals import Refusal, kebab
from punto.table import acts
from punto.table.act import kind_of
from punto.table.actor import Actor
from punto.table.acts.insurance import InsuranceWay
from punto.table.engine import choices, decide
from punto.table.rulings.procedures import ReportWay
from punto.table.state import State
from punto.table.ways import Amount, AnyChoice, BetWay, Choice, Input, InputType, Way
from tests.filling import AMOUNTS, anything, next_card, stakes_of
from tests.properties.walk import ACTORS, PATRONS, RECORDS, RETURNS, command_of, open_number, opened, walk

STEPS = 80
"""How far a walk goes: long enough for several rounds."""


# ------------------------------------------------------------------------------------------- whether a way allows one


def allows(state: State, choice: AnyChoice, command: acts.Command) -> bool:
    """Whether a command is among the ways of its choice: written from the bounds alone."""
    if isinstance(command, acts.PlaceBets):
        changed = dict(command.stakes).items() - stakes_of(state, command.patron, command.box).items()
        single = [acts.PlaceBet(command.by, command.patron, command.box, *each, command.round) for each in changed]
        return bool(choice.ways) and all(allows(state, choice, each) for each in single)
    return any(way.refusal is None and takes(state, way, command) for way in choice.ways)


def told_in(command: acts.Command) -> Any:
    """The record that the inputs of a way fill: the facts of a report, the settings of a table, or the command."""
    if isinstance(command, acts.Report):
        return command.facts
    return command.settings if isinstance(command, acts.OpenTable) else command


def takes(state: State, way: Way, command: acts.Command) -> bool:
    told = told_in(command)
    if isinstance(way, ReportWay) and (
        way.situation != getattr(command, "situation", None) or replace(told, **way.about) != told
    ):
        return False
    number = None if isinstance(command, acts.CorrectRound) else getattr(command, "round", None)
    if number not in {None, open_number(state)}:
        return False
    for name in ("patron", "box", "on", "what", "consent", "option", "decision", "offered", "place"):
        wanted = getattr(way, name, None)
        if wanted is not None and getattr(told, name, None) != wanted:
            return False
    if isinstance(way, BetWay) and not is_amount(way.amount, command):
        return False
    reconstructible = getattr(told, "reconstructible", None)
    return all(is_filled(state, each, told, reconstructible) for each in way.inputs)


def is_amount(amount: Amount, command: Any) -> bool:
    name = AMOUNTS.get(kind_of(type(command)), "stake_cents")
    cents = getattr(command, name)
    if cents is None or cents == amount.also_cents:
        return True
    return bool(amount.minimum_cents <= cents <= amount.maximum_cents and cents % amount.step_cents == 0)


def is_filled(state: State, each: Input, told: Any, reconstructible: bool | None) -> bool:
    value: Any = getattr(told, each.name, None)
    if value in (None, "", ()) and each.type is not InputType.CARDS:
        return not each.is_required(reconstructible)
    match each.type:
        case InputType.NUMBER if each.allowed:
            return str(value) in each.allowed
        case InputType.NUMBER:
            return (each.minimum is None or value >= each.minimum) and (each.maximum is None or value <= each.maximum)
        case InputType.ONE_OF:
            return value in each.allowed
        case InputType.FLAG:
            return not each.allowed or str(value).lower() in each.allowed
        case InputType.CARD:
            known = next_card(state) if isinstance(told, acts.Deal) else None
            return value not in each.excluded and known in (None, value)
        case InputType.CLAIMS if each.claims:
            return set(value) <= set(each.claims)
        case InputType.BETS if each.bets:
            return set(value) <= set(each.bets)
        case InputType.CARDS if each.is_required(reconstructible):
            enough = (each.minimum or 0) <= len(value) <= (each.maximum or 0)
            return (
                enough
                and not Counter(each.includes) - Counter(value)
                and value[: len(each.starts_with)] == each.starts_with
            )
    return True


# ------------------------------------------------------------------------------------------- the checks


def refused(state: State, command: acts.Command) -> str | None:
    answer = decide(state, RECORDS.supply(state, command))
    return answer.code if isinstance(answer, Refusal) else None


def check(state: State, actor: Actor, chance: Random, seen: Counter[str]) -> None:
    told = {choice.kind: choice for choice in choices(state, actor)}
    assert told.keys() == acts.COMMANDS.keys()
    for kind, choice in told.items():
        if choice.refusal is not None:
            seen[f"denied {choice.refusal.code}"] += 1
            assert not choice.ways
            assert refused(state, anything(state, actor, kind, chance, PATRONS)) == choice.refusal.code, (kind, choice)
            continue
        for way in chance.sample(choice.ways, min(len(choice.ways), 4)):
            check_way(state, actor, kind, way, chance, seen)
    for _ in range(6):
        wild = anything(state, actor, chance.choice([*told]), chance, PATRONS, wild=True)
        if refused(state, wild) is None:
            seen["wild accepted"] += 1
            assert allows(state, told[kind_of(type(wild))], wild), wild


def check_way(state: State, actor: Actor, kind: str, way: Way, chance: Random, seen: Counter[str]) -> None:
    command = command_of(state, actor, kind, way, chance)
    if command is None:
        return
    if way.refusal is not None:
        seen[f"way denied {way.refusal.code}"] += 1
        assert refused(state, command) == way.refusal.code, (command, way)
        return
    seen[f"accepted {kind}"] += 1
    assert refused(state, command) is None, (command, way, decide(state, command))
    assert allows(state, Choice(kind, (way,)), command), (command, way)
    if isinstance(way, BetWay):
        check_amount(state, actor, kind, way, way.amount, chance, seen)
    for each in way.inputs:
        check_input(state, command, kind, each, seen)


def check_amount(
    state: State, actor: Actor, kind: str, way: Way, amount: Amount, chance: Random, seen: Counter[str]
) -> None:
    def code_of(cents: int) -> str | None:
        given = command_of(state, actor, kind, way, chance, **{AMOUNTS.get(kind, "stake_cents"): cents})
        assert given is not None
        return refused(state, given)

    step, below, above = amount.step_cents, kebab(amount.below.__name__), kebab(amount.above.__name__)
    if amount.minimum_cents <= amount.maximum_cents:
        if amount.minimum_cents >= step and amount.minimum_cents - step != amount.also_cents:
            assert code_of(amount.minimum_cents - step) == below, (way, code_of(amount.minimum_cents - step))
            seen[f"below {below}"] += 1
        if amount.maximum_cents + step != amount.also_cents:
            assert code_of(amount.maximum_cents + step) == above, (way, code_of(amount.maximum_cents + step))
            seen[f"above {above}"] += 1
        if step > 1:
            assert code_of(amount.minimum_cents + 1) == "stake-off-unit"
    if amount.also_cents is not None and kind != "place-bets":
        assert code_of(amount.also_cents + step) == "stake-invalid"
    if isinstance(way, InsuranceWay):
        for stake, win in way.cover.stakes:
            assert code_of(stake) is None
            assert win <= way.cover.original_cents
            seen["cover"] += 1


def check_input(state: State, command: acts.Command, kind: str, each: Input, seen: Counter[str]) -> None:
    """Leave a required input out, or go one step outside its bounds."""
    told = told_in(command)
    reconstructible = getattr(told, "reconstructible", None)
    if each.type is InputType.NEWCOMER:
        return
    if each.type is InputType.FLAG and getattr(told, "hand", None) is not None:
        return  # without it the report is another, of a hand that is not beyond reconstruction

    refusal, missing = kebab(each.refused.__name__), kebab(each.missing.__name__)

    def with_value(value: Any) -> str | None:
        changed = replace(told, **{each.name: value})
        if isinstance(command, acts.OpenTable):
            return refused(state, replace(command, settings=changed))
        return refused(state, replace(command, facts=changed) if isinstance(command, acts.Report) else changed)

    if each.name == "round" and isinstance(command, acts.Report) and each.required and command.situation in RETURNS:
        assert with_value(0) == refusal
        return  # without it, or with a later number, the report is about the present round
    many = {InputType.CARDS, InputType.CLAIMS, InputType.BETS}
    empty: Any = () if each.type in many else "" if each.type is InputType.TEXT else None
    is_field = kind in {"open-table", "change-limits"}  # such a command cannot be made without it
    if each.is_required(reconstructible) and not is_field and (each.type is not InputType.CARDS or each.minimum):
        code = with_value(empty)
        seen[f"missing {code}"] += 1
        assert code == missing or (each.type is InputType.CARDS and code == refusal), (command, each, code)
    if each.type is InputType.NUMBER and each.allowed:
        outside = [number for number in range(9) if str(number) not in each.allowed]
        assert {with_value(number) for number in outside} == {refusal}, (command, each)
    if each.type is InputType.NUMBER and each.minimum is not None:
        assert with_value(each.minimum - 1) == refusal, (command, each)
    if each.type is InputType.NUMBER and each.maximum is not None:
        assert with_value(each.maximum + 1) == refusal, (command, each)
    if kind == "deal" and each.type is InputType.CARD and (known := next_card(state)) is not None:
        assert with_value(next(card for card in DECK if card != known)) == refusal
    if each.type is InputType.CARD and each.excluded:
        assert with_value(each.excluded[0]) == refusal
    if each.type is InputType.FLAG and each.allowed == ("false",):
        assert with_value(True) in {refusal, "facts-missing"}


FIRST = 13
"""The number of the first walk: few come to an insurance, and some of the ten from here do."""


@pytest.mark.parametrize("walks", [10, pytest.param(100, marks=pytest.mark.slow)])
@pytest.mark.parametrize("game", GAMES)
def test_choices_and_decide_agree_in_every_reachable_state(game: str, walks: int) -> None:
    seen: Counter[str] = Counter()
    for number in range(FIRST, FIRST + walks):
        chance = Random(f"{game}/{number}")
        state = opened(game, chance)
        for _ in range(STEPS):
            check(state, chance.choice(ACTORS), chance, seen)
            state = walk(state, chance)
    assert seen["accepted place-bet"] > 2 * walks
    assert seen["accepted place-bets"] > 2 * walks
    assert seen["accepted report"] > 6 * walks
    limited = load(game).limits is not None
    assert seen["above over-differential" if limited else "above stake-above-maximum"] > walks // 2
    assert seen["wild accepted"] > 2 * walks
    assert seen["accepted correct-round"] > 0
    if load(game).insurance is not None:
        assert seen["accepted insure"] > 0
        assert seen["above insurance-over-cap"] > 0
        assert seen["cover"] > 0
