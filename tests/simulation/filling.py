"""From a way that `choices` offers to the body of a command, filled in at random; and bodies that are wrong."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import fields
from typing import Any

from punto.protocol.codec import to_data
from punto.rules.cards import DECK, Card
from punto.rules.hands import Hand
from punto.rules.money import Cents, Odds
from punto.rules.sheet import Role
from punto.rules.tableau import INITIAL_CARDS, next_hand
from punto.table import acts
from punto.table.actor import Actor
from punto.table.acts.bets import BetStake
from punto.table.state import State, known_cards
from punto.table.values import Claim, Facts, Spot
from punto.table.ways import Amount, Input, InputType, Way

Body = dict[str, Any]
_NOT_FIELDS = {"amount", "cover", "inputs", "refusal", "warnings", "group"}
_AMOUNTS = {"place-bet": "stake_cents", "raise-bet": "add_cents", "withdraw-bet": "take_cents"}
_FIELDS = {kind: frozenset([each.name for each in fields(command)]) for kind, command in acts.COMMANDS.items()}
OUTSIDE = 0.04
"""How often an amount is just outside its bounds."""
_LIMITS = ((1_000, 400_000), (500, 300_000), (2_000, 500_000))


def body_of(
    state: State, actor: Actor, kind: str, way: Way, luck: random.Random, patrons: list[str], most_cents: int
) -> Body | None:
    """A command that takes a way; None where nothing can be filled in. Stakes stay near `most_cents`."""
    values: Body = {name: value for name in Way._fields if name not in _NOT_FIELDS and (value := getattr(way, name))}
    values |= {"box": way.box} if way.box is not None else {}
    values |= {name: getattr(way, name) for name in ("consent", "offered") if getattr(way, name) is not None}
    flag = next((each for each in way.inputs if each.type is InputType.FLAG), None)
    reconstructible = None
    if flag is not None and (flag.required or luck.random() < 0.5):
        reconstructible = values[flag.name] = luck.choice(flag.allowed or ("true", "false")) == "true"
    for each in way.inputs:
        fits = each.type is not InputType.FLAG and each.when_reconstructible in (None, reconstructible)
        if fits and (each.required or luck.random() < 0.3):
            value = _value_of(state, kind, each, luck, patrons)
            if value is None:
                return None
            values[each.name] = value
    if way.amount is not None:
        values[_AMOUNTS.get(kind, "stake_cents")] = _amount_in(way.amount, luck, most_cents)
    return _make(state, actor, kind, values, luck)


def _make(state: State, actor: Actor, kind: str, values: Body, luck: random.Random) -> Body:
    if kind == "report":
        situation = values.pop("situation")
        command: acts.Command = acts.Report(actor, situation, Facts(**values))
    else:
        if kind == "change-limits":  # limits must also fit each other
            minimum, differential = luck.choice(_LIMITS)
            values |= {"minimum_cents": Cents(minimum), "differential_cents": Cents(differential)}
        if values.get("position") is not None:
            values["position"] = Role(values["position"])
        if actor.role is None:
            values.setdefault("patron", actor.person)
        if kind == "place-bets":
            bets = state.round.bets.values() if state.round else ()
            own = {
                bet.on: bet.stake_cents for bet in bets if (bet.patron, bet.box) == (values["patron"], values["box"])
            }
            both = values["on"] in tuple(Hand) and luck.random() < 0.8  # whichever hand is insured is one's own
            own |= dict.fromkeys([hand.value for hand in Hand] if both else [values["on"]], values["stake_cents"])
            values["stakes"] = tuple([BetStake(*each) for each in own.items()])
        command = acts.COMMANDS[kind](actor, **{name: value for name, value in values.items() if name in _FIELDS[kind]})
    body = to_data(command)
    del body["by"]
    if actor.role is None:
        body.pop("patron", None)
    if kind in {"place-bet", "raise-bet", "withdraw-bet", "insure"} and state.round and luck.random() < 0.5:
        body["round"] = state.round.number
    return body


def _amount_in(amount: Amount, luck: random.Random, most_cents: int) -> Cents:
    if luck.random() < OUTSIDE:
        below, above = amount.minimum_cents - amount.step_cents, amount.maximum_cents + amount.step_cents
        return Cents(luck.choice([below, above]))
    if amount.maximum_cents < amount.minimum_cents:
        return amount.minimum_cents if amount.also_cents is None else amount.also_cents
    most = max(amount.minimum_cents, min(amount.maximum_cents, most_cents))
    if amount.maximum_cents <= most_cents and luck.random() < 0.2:
        return amount.maximum_cents
    steps = (most - amount.minimum_cents) // amount.step_cents
    inside = Cents(amount.minimum_cents + amount.step_cents * luck.randint(0, min(steps, 40)))
    return amount.also_cents if amount.also_cents is not None and luck.random() < 0.5 else inside


def _value_of(state: State, kind: str, each: Input, luck: random.Random, patrons: list[str]) -> Any:
    match each.type:
        case InputType.TEXT if each.name == "account":
            return luck.choice(patrons)
        case InputType.TEXT:
            return luck.choice(["seen by two", "as the camera shows"])
        case InputType.NUMBER if each.allowed:
            return int(luck.choice(each.allowed))
        case InputType.NUMBER:
            least = each.minimum or 0
            most = least + 3 if each.maximum is None else each.maximum
            if each.name == "amount_cents":
                return Cents(luck.randint(least, min(most, 20_000)))
            return least if each.name == "reading" else luck.randint(least, most)
        case InputType.ONE_OF:
            return luck.choice(each.allowed) if each.allowed else None
        case InputType.CARD:
            return _next_card(state, kind, each, luck)
        case InputType.CARDS:
            return _cards_in(state, kind, each, luck)
        case InputType.CLAIMS:
            claims = each.claims or (Claim(luck.choice(patrons), 1, Hand.PLAYER),)
            return tuple(luck.sample(claims, luck.randint(1, len(claims))))
        case InputType.BETS:
            bets = each.bets or (Spot(1, luck.choice(patrons), "player"),)
            return tuple(luck.sample(bets, luck.randint(1, len(bets))))
        case InputType.ODDS:
            return Odds.parse(luck.choice(["1:2", "8:1"]))
        case InputType.NEWCOMER:
            there = set(state.places)
            free = [patron for patron in patrons if patron not in there]
            return luck.choice(free) if free else None
    raise AssertionError(each.type)


def _seen(state: State) -> Counter[Card]:
    return Counter(state.shoe.seen) if state.shoe is not None else Counter()


def _next_card(state: State, kind: str, each: Input, luck: random.Random) -> Card:
    """A card that the shoe can still hold. A table that knows the next one is told that one."""
    shoe = state.shoe
    if kind == "deal" and shoe is not None:
        if shoe.carried:
            return shoe.carried[0]
        if shoe.order and shoe.drawn < len(shoe.order):
            return shoe.order[shoe.drawn]
    seen, decks = _seen(state), state.settings.decks if state.settings else 8
    left = [card for card in DECK if card not in each.excluded and seen[card] < decks]
    return luck.choice(left or list(DECK))


def _cards_in(state: State, kind: str, each: Input, luck: random.Random) -> tuple[Card, ...] | None:
    """Cards within the bounds: those that must be there, and some more that the shoe can still hold."""
    if kind == "correct-round":
        return _whole_round(luck)
    shoe, known = state.shoe, known_cards(state)
    if shoe is None or each.minimum is None or each.maximum is None:
        return tuple(luck.sample(DECK, luck.randint(4, 6)))
    if shoe.order:
        more = luck.randint(0, 2)
        return (*known, *shoe.order[shoe.drawn : shoe.drawn + more])
    cards = [*each.starts_with]
    rest = list((Counter(each.includes) - Counter(each.starts_with)).elements())
    luck.shuffle(rest)
    cards += rest
    if kind == "correct-cards" and known and luck.random() < 0.7:
        cards = list(known)
        cards[luck.randrange(len(cards))] = luck.choice(DECK)
    seen = _seen(state)
    seen.update(cards)
    decks = state.settings.decks if state.settings else 8
    wanted = min(each.maximum, max(each.minimum, len(cards) + luck.randint(0, 2)), 8)
    left = [card for card in DECK if seen[card] < decks - 1]
    while len(cards) < wanted and left:
        cards.append(luck.choice(left))
    return tuple(cards)


def _whole_round(luck: random.Random) -> tuple[Card, ...]:
    """The cards of a round as the Table of Play has them."""
    cards = luck.sample(DECK, INITIAL_CARDS)
    while next_hand(cards) is not None:
        cards.append(luck.choice(DECK))
    return tuple(cards)


# ------------------------------------------------------------------------------------------- what is wrong

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
