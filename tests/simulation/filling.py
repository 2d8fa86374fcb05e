"""Bodies of commands: as a way offers them, just outside of it, or wrong."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from punto.protocol.codec import to_data
from punto.rules.cards import DECK
from punto.rules.hands import Hand
from punto.rules.money import Cents
from punto.table import acts
from punto.table.actor import Actor
from punto.table.acts.bets import BetStake
from punto.table.state import State
from punto.table.ways import BetWay, Way
from tests.filling import AMOUNTS, command_of

Body = dict[str, Any]
OUTSIDE = 0.04
"""How often an amount is just outside its bounds."""
_LIMITS = ((1_000, 400_000), (500, 300_000), (2_000, 500_000))


def body_of(
    state: State, actor: Actor, kind: str, way: Way, luck: random.Random, patrons: list[str], most_cents: int
) -> Body:
    """A command that takes a way. Stakes stay near `most_cents`."""
    given: Body = {}
    if isinstance(way, BetWay):
        amount = way.amount
        name = AMOUNTS.get(kind, "stake_cents")
        if luck.random() < OUTSIDE:
            below, above = amount.minimum_cents - amount.step_cents, amount.maximum_cents + amount.step_cents
            given[name] = Cents(luck.choice([below, above]))
        elif amount.maximum_cents > most_cents:
            near = max(amount.minimum_cents, Cents(most_cents))
            way = replace(way, amount=amount._replace(maximum_cents=near))
    if kind == "change-limits":
        given["minimum_cents"], given["differential_cents"] = map(Cents, luck.choice(_LIMITS))
    known = state.known_cards
    if kind == "correct-cards" and known and luck.random() < 0.7:  # one of them was misread
        misread = luck.randrange(len(known))
        given["cards"] = (*known[:misread], luck.choice(DECK), *known[misread + 1 :])
    luck.shuffle(patrons := [*patrons])
    command = command_of(state, actor, kind, way, luck, patrons, **given)
    if (
        isinstance(command, acts.PlaceBets)
        and isinstance(way, BetWay)
        and way.on in tuple(Hand)
        and luck.random() < 0.8
    ):
        stakes = {each.on: each for each in command.stakes}  # whichever hand is insured is one's own
        both = {hand.value: BetStake(hand.value, stakes[way.on].stake_cents) for hand in Hand}
        command = replace(command, stakes=tuple((stakes | both).values()))
    body = as_body(command)
    if kind in {"place-bet", "raise-bet", "withdraw-bet", "insure"} and state.round and luck.random() < 0.5:
        body["round"] = state.round.number
    return body


def as_body(command: acts.Command) -> Body:
    """A command as it is sent: nobody says who they are."""
    body: Body = to_data(command)
    del body["by"]
    if command.by.role is None and body.get("patron") == command.by.person:
        del body["patron"]
    return body


_ODD_VALUES: tuple[Any, ...] = (-1, 0, True, None, "", "x" * 200, 2**63, 1e3, 0.1, [], {}, "9h9h", "nobody")


def mangled(body: Body, luck: random.Random) -> Any:
    """A body with something wrong in it: a value, a field too many or too few, or another command's name."""
    wrong = dict(body)
    name = luck.choice(sorted(wrong))
    match luck.randrange(5):
        case 0:
            wrong[name] = luck.choice(_ODD_VALUES)
        case 1:
            del wrong[name]
        case 2:
            wrong[luck.choice(["by", "admin", "seq", "live"])] = luck.choice(_ODD_VALUES)
        case 3:
            wrong["kind"] = luck.choice(sorted(acts.COMMANDS))
        case _:
            numbers = [each for each in sorted(wrong) if type(wrong[each]) is int]
            if not numbers:
                return luck.choice([None, [], "bet", 7, wrong | {"kind": "bets"}])
            changed = luck.choice(numbers)
            wrong[changed] += luck.choice([-1_000_000, -500, -100, -1, 1, 7, 10**9])
    return wrong
