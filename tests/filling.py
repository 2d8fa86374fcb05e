"""From a way that `choices` offers to a command, with everything filled in at random within its bounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import fields, replace
from random import Random
from typing import Any

from punto.rules.cards import DECK, Card
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.money import MAX_CENTS, Cents, Odds
from punto.rules.sheet import Role
from punto.rules.tableau import next_hand
from punto.table import acts
from punto.table.actor import Actor
from punto.table.acts.bets import BetStake
from punto.table.acts.insurance import offers_now
from punto.table.state import Settings, State
from punto.table.values import Claim, Decision, Facts, Option, Spot, SqueezeOf
from punto.table.ways import Amount, BetWay, Input, InputType, Way

AMOUNTS = {"place-bet": "stake_cents", "raise-bet": "add_cents", "withdraw-bet": "take_cents"}
"""The field of the amount, where it is not `stake_cents`."""
FIELDS = {kind: frozenset([each.name for each in fields(command)]) for kind, command in acts.COMMANDS.items()}
FACTS = frozenset([each.name for each in fields(Facts)])
SETTINGS = frozenset([each.name for each in fields(Settings)])
LIMITS = {"minimum_cents": Cents(1_000), "differential_cents": Cents(40_000)}
"""They must also fit each other, which no input says."""
STEPS = 40
"""So many units above its minimum an amount is at most, if it is not the maximum."""


def command_of(
    state: State, actor: Actor, kind: str, way: Way, chance: Random, people: Sequence[str], **given: Any
) -> acts.Command:
    """A command that takes a way; `given` overrides. Accounts and newcomers are of `people`."""
    filled: dict[str, Any] = {}
    flag = next((each for each in way.inputs if each.type is InputType.FLAG), None)
    reconstructible = None
    if flag is not None and (flag.required or chance.random() < 0.5):
        reconstructible = filled[flag.name] = chance.choice(flag.allowed or ("true", "false")) == "true"
    for each in way.inputs:
        # Which hands can be is no bound of an input: the Table of Play says it of both together.
        fits = (
            each.type is not InputType.FLAG
            and not each.name.endswith("_cards")
            and each.when_reconstructible in (None, reconstructible)
        )
        if fits and (each.required or chance.random() < 0.3):
            filled[each.name] = value_of(state, kind, each, chance, people)
    about = {each.name: getattr(way, each.name) for each in fields(way)}
    if actor.role is None:
        about["patron"] = actor.person  # a patron's own ways name nobody
    if isinstance(way, BetWay):
        filled[AMOUNTS.get(kind, "stake_cents")] = amount_in(way.amount, chance)
    if kind in {"open-table", "change-limits"}:
        filled |= LIMITS
    return make(
        actor, kind, {name: value for name, value in about.items() if value is not None} | filled | given, state
    )


def make(actor: Actor, kind: str, values: dict[str, Any], state: State) -> acts.Command:
    """A command with those of the values that it has fields for."""
    if kind == "report":
        stated = {name: value for name, value in values.items() if name in FACTS}
        return acts.Report(actor, values["situation"], replace(values["facts"], **stated))
    values = dict[str, Any](LIMITS) | values
    if kind == "open-table":
        settings = {name: value for name, value in values.items() if name in SETTINGS}
        return acts.OpenTable(actor, state.sheet.id, Settings(**settings | {"live": True, "unit_cents": Cents(50)}))
    if values.get("position") is not None:
        values["position"] = Role(values["position"])
    if actor.role is None:
        values = {"patron": actor.person} | values  # whoever acts for themselves need not be named
    if kind == "place-bets":  # a way says how much may stand on one bet while the others stay
        stakes = stakes_of(state, values["patron"], values["box"]) | {values["on"]: values["stake_cents"]}
        values["stakes"] = tuple([BetStake(*each) for each in stakes.items()])
    return acts.COMMANDS[kind](actor, **{name: value for name, value in values.items() if name in FIELDS[kind]})


def stakes_of(state: State, patron: str, box: int) -> dict[str, Cents]:
    """The bets of a patron in a box."""
    bets = state.round.bets.values() if state.round else ()
    return {bet.on: bet.stake_cents for bet in bets if (bet.patron, bet.box) == (patron, box)}


def amount_in(amount: Amount, chance: Random) -> Cents:
    """An amount within its bounds."""
    if amount.maximum_cents < amount.minimum_cents:
        return amount.minimum_cents if amount.also_cents is None else amount.also_cents
    most = min(amount.maximum_cents, amount.minimum_cents + STEPS * amount.step_cents)
    inside = chance.randrange(amount.minimum_cents, most + 1, amount.step_cents)
    return Cents(chance.choice([amount.minimum_cents, amount.maximum_cents, inside, amount.also_cents or inside]))


def value_of(state: State, kind: str, each: Input, chance: Random, people: Sequence[str]) -> Any:
    """A value of an input within its bounds."""
    match each.type:
        case InputType.TEXT if each.name == "account":
            return people[0]
        case InputType.TEXT:
            return chance.choice(["seen by two", "t1"])
        case InputType.NUMBER if each.allowed:
            return int(chance.choice(each.allowed))
        case InputType.NUMBER:
            least = each.minimum or 0
            most = least + 3 if each.maximum is None else min(each.maximum, least + 20_000)
            return least if each.name == "reading" else chance.randint(least, most)
        case InputType.ONE_OF:
            return chance.choice(each.allowed)
        case InputType.CARD:
            known = next_card(state) if kind == "deal" else None
            seen, decks = Counter(state.shoe.seen if state.shoe else ()), state.settings.decks if state.settings else 8
            left = [card for card in DECK if card not in each.excluded and seen[card] < decks]
            return known or chance.choice(left)
        case InputType.CARDS:
            return cards_in(state, kind, each, chance)
        case InputType.CLAIMS:
            claims = each.claims or (Claim(people[0], 1, Hand.PLAYER),)
            return tuple(chance.sample(claims, chance.randint(1, len(claims))))
        case InputType.BETS:
            bets = each.bets or (Spot(1, people[0], "player"),)
            return tuple(chance.sample(bets, chance.randint(1, len(bets))))
        case InputType.ODDS:
            return Odds.parse(chance.choice(["1:2", "8:1"]))
        case InputType.NEWCOMER:
            there = set(state.places)
            return next(each for each in (*people, *map("newcomer-{}".format, range(1, 99))) if each not in there)
    raise AssertionError(each.type)


def next_card(state: State) -> Card | None:
    """The next card where it is known: the table knows it, and tells nobody."""
    shoe = state.shoe
    if shoe is None or not (shoe.carried or shoe.order):
        return None
    return shoe.carried[0] if shoe.carried else shoe.order[shoe.drawn] if shoe.drawn < len(shoe.order) else None


def cards_in(state: State, kind: str, each: Input, chance: Random) -> tuple[Card, ...]:
    """Cards within the bounds: those that must be there, and some more that the shoe can still hold."""
    if kind == "correct-round":
        return whole_round(DECK, chance)  # the record of the round says which it can be
    shoe, known = state.shoe, state.known_cards
    if shoe is None or each.minimum is None or each.maximum is None:
        return tuple(chance.sample(DECK, chance.randint(4, 6)))
    if shoe.order:
        more = chance.randint(max(each.minimum - len(known), 0), min(2, each.maximum - len(known)))
        return (*known, *shoe.order[shoe.drawn : shoe.drawn + more])
    cards = [*each.starts_with]
    rest = list((Counter(each.includes) - Counter(each.starts_with)).elements())
    chance.shuffle(rest)
    cards += rest
    decks = state.settings.decks if state.settings else 0
    seen = Counter(shoe.seen)
    if kind != "report" or each.includes or each.starts_with:
        seen.subtract(known)
    seen.update(cards)
    wanted = min(each.maximum, max(each.minimum, len(cards) + chance.randint(0, 2)))
    while len(cards) < wanted:
        card = chance.choice([card for card in DECK if seen[card] < decks])
        seen[card] += 1
        cards.append(card)
    return tuple(cards)


def whole_round(deck: Sequence[Card], chance: Random) -> tuple[Card, ...]:
    """The cards of a round as the Table of Play has them."""
    cards: list[Card] = []
    while next_hand(cards) is not None:
        cards.append(chance.choice(deck))
    return tuple(cards)


def anything(
    state: State, actor: Actor, kind: str, chance: Random, people: Sequence[str], *, wild: bool = False
) -> acts.Command:
    """A command of a kind that is well formed; `wild` ones may be about anything and anyone."""
    sheet = state.sheet
    first = [*state.places, *people][0] if actor.role is not None else actor.person
    patron = chance.choice([*people, *state.places]) if wild else first
    boxes = state.places.get(patron, ())
    box = chance.choice([*boxes, 0, 1, 2, 3, 99]) if wild else [*boxes, 1][0]
    originals = [bet.id for bet in sheet.bets.values() if bet.hand]
    on = chance.choice([*sheet.bet_ids, "nonsense"]) if wild else originals[0]
    cents = Cents(chance.choice([-50, 0, 1, 50, 1_000, 1_050, 5_000, 45_000, MAX_CENTS]) if wild else 1_000)
    cards = tuple(chance.sample(DECK, chance.randint(0, 6)))
    if kind == "report":
        facts = Facts(
            cards=chance.choice([(), cards, state.known_cards]),
            reconstructible=chance.choice([None, True, False]),
            hand=chance.choice([None, *Hand]),
            patron=chance.choice([None, patron]),
            box=chance.choice([None, box]),
            on=chance.choice([None, on]),
            window=chance.choice([None, *Window]),
            round=chance.choice([None, 1, state.rounds]),
            note=chance.choice([None, "seen"]),
            hand_count=chance.choice([None, 0, 2, 3, 4]),
        )
        return acts.Report(actor, chance.choice([*sheet.irregularities, "nonsense"]), facts)
    if kind == "insure" and not wild:
        offers = offers_now(state) if state.round else {}
        on = next((bet.id for bet in sheet.insurance_bets.values() if bet.hand in offers), on)
    values: dict[str, Any] = {
        "table": "t1",
        "decks": sheet.decks.minimum,
        "layout": sheet.boxes.layouts[0].id if sheet.boxes.layouts else None,
        "boxes": 0 if sheet.boxes.layouts else 5,
        "reason": chance.choice(["", "because"]) if wild else "because",
        "patron": patron,
        "box": box,
        "on": on,
        "stake_cents": cents,
        "add_cents": cents,
        "take_cents": chance.choice([None, cents]),
        "what": chance.choice([*SqueezeOf]),
        "consent": True,
        "offered": chance.choice([True, False]),
        "option": chance.choice([*Option]),
        "decision": chance.choice([*Decision]),
        "cards": cards if kind != "load-shoe" else (),
        "card": chance.choice([None, *DECK[:3]]) if wild else None,
        "person": chance.choice([*(state.duty or people)]),
        "position": chance.choice([None, *Role]),
        "place": chance.randint(0, 7) if wild else 1,
        "count": chance.choice([0, 52 * sheet.decks.minimum]) if wild else 52 * sheet.decks.minimum,
    }
    if kind == "correct-round":
        values["round"] = chance.choice([0, 1, state.rounds, 99])
    return make(actor, kind, values, state)
