"""Random walks of a table: in each state somebody takes a way that `choices` offers, or does anything at all."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace
from itertools import count
from random import Random
from typing import Any

from punto.rules.cards import DECK, Card, parse_cards
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.loader import GAMES, load
from punto.rules.money import MAX_CENTS, Cents, Odds
from punto.rules.refusals import Refusal
from punto.rules.sheet import Device, Role
from punto.rules.tableau import next_hand
from punto.table import acts
from punto.table.actor import Actor
from punto.table.acts.bets import BetStake
from punto.table.acts.insurance import offers_now
from punto.table.corrections.record import RoundRecord
from punto.table.engine import choices, decide, round_needed
from punto.table.rulings.neglected import insurable
from punto.table.seats import boxes_of, patrons_at
from punto.table.state import Settings, State, known_cards, new_table
from punto.table.values import BetLimits, Burn, Claim, Decision, Facts, Option, Spot, SqueezeOf, spot_of
from punto.table.ways import Amount, Input, InputType, Way
from tests.round_records import RoundRecords
from tests.table_kit import STAFF

PATRONS = ("ann", "bo", "cy", "di")
ACTORS = (*STAFF, *[Actor(patron) for patron in PATRONS])
NOT_THE_TARGET = {"amount", "cover", "inputs", "refusal", "warnings"}
AMOUNTS = {"place-bet": "stake_cents", "raise-bet": "add_cents", "withdraw-bet": "take_cents"}
LIKELY = {
    "deal": 6,
    "insure": 24,
    "open-bets": 6,
    "close-bets": 1.5,
    "settle": 4,
    "place-bet": 8,
    "load-shoe": 4,
    "decide": 8,
    "open-card": 30,
    "burn-cards": 8,
}
RARELY = {
    "pass-squeeze": 0.1,
    "close-table": 0.01,
    "replace-shoe": 0.05,
    "leave": 0.05,
    "sit": 0.1,
    "stand": 0.05,
    "report": 0.1,
    "correct-cards": 0.1,
    "correct-round": 0.03,
    "record-bet": 0.1,
    "cut-card": 0.1,
    "come-on-duty": 0.03,
    "go-off-duty": 0.03,
    "assign-position": 0.03,
    "announce-insurance": 0.2,
    "decline-insurance": 0.2,
    "change-limits": 0.1,
    "change-insurance": 0.1,
    "count-shoe": 0.1,
    "check-decks": 0.1,
    "shuffle-cards": 0.1,
}
FIELDS = {kind: frozenset([each.name for each in fields(command)]) for kind, command in acts.COMMANDS.items()}
SETTINGS = frozenset([each.name for each in fields(Settings)])
HANDS, WINDOWS = (None, *Hand), (None, *Window)
SQUEEZES, OPTIONS, DECISIONS = tuple(SqueezeOf), tuple(Option), tuple(Decision)
WEIGHTS = {kind: LIKELY.get(kind, RARELY.get(kind, 0.5)) for kind in acts.COMMANDS}
"""How often the walk gives each command: so that rounds are played to their end, with whatever may happen in them."""


RECORDS = RoundRecords(load(GAMES[0]))
"""The events of the table in play: what its caller knows of earlier rounds."""

# ------------------------------------------------------------------------------------------- from a way to a command


def command_of(state: State, actor: Actor, kind: str, way: Way, chance: Random, **given: Any) -> acts.Command | None:
    """A command that takes a way, with everything filled in at random within its bounds; `given` overrides.

    None if the way is about earlier rounds, and no record of one allows it.
    """
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
            filled[each.name] = value_of(state, kind, each, chance)
    about = {name: getattr(way, name) for name in Way._fields if name not in NOT_THE_TARGET}
    if actor.role is None:
        about["patron"] = actor.person  # a patron's own ways name nobody
    if way.amount is not None:
        filled[AMOUNTS.get(kind, "stake_cents")] = amount_in(way.amount, chance)
    values = {name: value for name, value in about.items() if value is not None} | filled | given
    return fitted(state, make(actor, kind, values, state), chance)


def fitted(state: State, command: acts.Command, chance: Random) -> acts.Command | None:
    """A command about an earlier round as its record allows it, which no way can tell; None if it allows none."""
    number = round_needed(state, command)
    if number is None or (isinstance(command, acts.Report) and command.situation not in RETURNS):
        return command
    records = [RECORDS.of(each) for each in range(1, state.rounds + 1)]
    settled = [record for record in records if record and not record.void and record.number != open_number(state)]
    if isinstance(command, acts.CorrectRound):
        read = [record for record in settled if not record.order_known]
        return replace(command, round=read[0].number, cards=other_cards(read[0], chance)) if read else None
    if isinstance(command, acts.Report):
        claims = [
            replace(command.facts, round=record.number, window=window, claims=(claim,))
            for record in settled
            if record.number != (state.last.number if state.last else None)
            if record.settings.live and not record.settings.without_insurance
            for window in Window
            if len(record.cards) > window.cards and not (record.waived and window is Window.PLAYER_THIRD)
            for claim in insurable(
                state.sheet, [each.bet for each in record.bets], window, record.cards, record.settings
            )
            if record.walked.get(claim.patron, window.cards + 1) > window.cards
            and not (window is Window.PLAYER_THIRD and claim.patron in record.forgone)
            and state.sheet.insurance
            and claim.hand in state.sheet.insurance.offers(record.cards[: window.cards])
        ]
        return replace(command, facts=chance.choice(claims)) if claims else None
    assert isinstance(command, acts.Decide)
    record = records[number - 1]
    if command.decision in {Decision.RETURN_BETS, Decision.PAY_BETS}:
        bets = tuple([spot_of(each.bet) for each in record.bets]) if record and not record.void else ()
        return replace(command, bets=bets) if bets else None
    return None if command.decision is Decision.VOID and (record is None or record.void) else command


RETURNS = {"insurance-neglected"}


def open_number(state: State) -> int | None:
    return state.round.number if state.round else None


def other_cards(record: RoundRecord, chance: Random) -> tuple[Card, ...]:
    """A round of other cards that the shoe can have held, no longer than the recorded one."""
    seen = Counter(record.other_cards)
    deck = [card for card in DECK if seen[card] < record.settings.decks - 1]
    while True:
        cards: list[Card] = []
        while next_hand(cards) is not None:
            cards.append(chance.choice(deck))
        if tuple(cards) != record.cards and max(Counter(cards).values()) == 1 and len(cards) <= len(record.cards):
            return tuple(cards)


def make(actor: Actor, kind: str, values: dict[str, Any], state: State) -> acts.Command:
    if kind == "report":
        situation = values.pop("situation")
        values.pop("group")  # where people look for the situation, which no report says
        return acts.Report(actor, situation, Facts(**values))
    if kind in {"open-table", "change-limits"}:  # limits must also fit each other
        values |= {"minimum_cents": Cents(1_000), "differential_cents": Cents(40_000)}
    if kind == "open-table":
        given = {name: value for name, value in values.items() if name in SETTINGS}
        return acts.OpenTable(actor, state.sheet.id, Settings(**given | {"live": True, "unit_cents": Cents(50)}))
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
    if amount.maximum_cents < amount.minimum_cents:
        return amount.minimum_cents if amount.also_cents is None else amount.also_cents
    most = min(amount.maximum_cents, amount.minimum_cents + 40 * amount.step_cents)
    inside = chance.randrange(amount.minimum_cents, most + 1, amount.step_cents)
    return Cents(chance.choice([amount.minimum_cents, amount.maximum_cents, inside, amount.also_cents or inside]))


def value_of(state: State, kind: str, each: Input, chance: Random) -> Any:
    match each.type:
        case InputType.TEXT if each.name == "account":
            return "ann"
        case InputType.TEXT:
            return chance.choice(["seen by two", "t1"])
        case InputType.NUMBER if each.allowed:
            return int(chance.choice(each.allowed))
        case InputType.NUMBER:
            least = each.minimum or 0
            most = least + 3 if each.maximum is None else each.maximum
            return least if each.name == "reading" else chance.randint(least, most)
        case InputType.ONE_OF:
            return chance.choice(each.allowed)
        case InputType.CARD:
            known = next_card(state) if kind == "deal" else None
            return known or chance.choice([card for card in DECK if card not in each.excluded])
        case InputType.CARDS:
            return cards_in(state, kind, each, chance)
        case InputType.CLAIMS:
            claims = each.claims or (Claim("ann", 1, Hand.PLAYER),)
            return tuple(chance.sample(claims, chance.randint(1, len(claims))))
        case InputType.BETS:
            bets = each.bets or (Spot(1, "ann", "player"),)
            return tuple(chance.sample(bets, chance.randint(1, len(bets))))
        case InputType.ODDS:
            return Odds.parse(chance.choice(["1:2", "8:1"]))
        case InputType.NEWCOMER:
            return next(name for name in map("newcomer-{}".format, count(1)) if name not in patrons_at(state))
    raise AssertionError(each.type)


def next_card(state: State) -> Card | None:
    """The next card where it is known: the table knows it, and tells nobody."""
    shoe = state.shoe
    if shoe is None or not (shoe.carried or shoe.order):
        return None
    return shoe.carried[0] if shoe.carried else shoe.order[shoe.drawn] if shoe.drawn < len(shoe.order) else None


def cards_in(state: State, kind: str, each: Input, chance: Random) -> tuple[Card, ...]:
    """Cards within the bounds: those that must be there, and some more that the shoe can still hold."""
    shoe, known = state.shoe, known_cards(state)
    if kind == "correct-round":
        return DECK[:4]  # the record of the round says which it can be
    assert shoe is not None
    assert each.minimum is not None
    assert each.maximum is not None
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


def anything(state: State, actor: Actor, kind: str, chance: Random, *, wild: bool = False) -> acts.Command:
    """A command of a kind that is well formed; `wild` ones may be about anything and anyone."""
    sheet = state.sheet
    first = [*patrons_at(state), *PATRONS][0] if actor.role is not None else actor.person
    patron = chance.choice([*PATRONS, *patrons_at(state)]) if wild else first
    boxes = boxes_of(state, patron)
    box = chance.choice([*boxes, 0, 1, 2, 3, 99]) if wild else [*boxes, 1][0]
    originals = [bet.id for bet in sheet.bets.values() if bet.hand]
    on = chance.choice([*sheet.bet_ids, "nonsense"]) if wild else originals[0]
    cents = Cents(chance.choice([-50, 0, 1, 50, 1_000, 1_050, 5_000, 45_000, MAX_CENTS]) if wild else 1_000)
    cards = tuple(chance.sample(DECK, chance.randint(0, 6)))
    if kind == "report":
        facts = Facts(
            cards=chance.choice([(), cards, known_cards(state)]),
            reconstructible=chance.choice([None, True, False]),
            hand=chance.choice(HANDS),
            patron=chance.choice([None, patron]),
            box=chance.choice([None, box]),
            on=chance.choice([None, on]),
            window=chance.choice(WINDOWS),
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
        "what": chance.choice(SQUEEZES),
        "consent": True,
        "offered": chance.choice([True, False]),
        "option": chance.choice(OPTIONS),
        "decision": chance.choice(DECISIONS),
        "cards": cards if kind != "load-shoe" else (),
        "card": chance.choice([None, *DECK[:3]]) if wild else None,
        "person": chance.choice([each.person for each in STAFF]),
        "position": chance.choice([None, *Role]),
        "place": chance.randint(0, 7) if wild else 1,
        "count": chance.choice([0, 52 * sheet.decks.minimum]) if wild else 52 * sheet.decks.minimum,
    }
    if kind == "correct-round":
        values["round"] = chance.choice([0, 1, state.rounds, 99])
    return make(actor, kind, values, state)


# ------------------------------------------------------------------------------------------- the walk


def opened(game: str, chance: Random) -> State:
    sheet = load(game)
    RECORDS.begin(sheet)
    private = sheet.insurance is not None and sheet.insurance.private_table_rule is not None
    sides = tuple(
        BetLimits(on, Cents(500), Cents(6_000))
        for on in sheet.bet_ids
        if chance.random() < 0.5 and (on not in sheet.bets or sheet.bets[on].hand is None)
    )
    command = acts.OpenTable(
        STAFF[1],
        game,
        Settings(
            "t1",
            sheet.decks.minimum,
            Cents(1_000),
            Cents(chance.choice([4_000, 40_000])),
            Cents(chance.choice([1, 50, 500])),
            layout=sheet.boxes.layouts[0].id if sheet.boxes.layouts else None,
            boxes=0 if sheet.boxes.layouts else 3,
            sides=sides,
            face_down=chance.random() < 0.5,
            live=chance.random() < 0.6,
            without_insurance=private and chance.random() < 0.2,
            second_person=chance.random() < 0.5,
            private=chance.random() < 0.5,
            device=chance.choice(sheet.play.devices) if chance.random() < 0.4 else Device.CARD_SHOE,
        ),
    )
    if command.settings.without_insurance:
        command = replace(command, asked_by="ann")
    if command.settings.device is Device.CARD_SHOE and chance.random() < 0.3:
        command = replace(command, settings=replace(command.settings, burn=Burn.FIRST_CARD))
    state = step(new_table(sheet), command)
    order = tuple(chance.sample(DECK * sheet.decks.minimum, 52 * sheet.decks.minimum))
    if sheet.insurance is not None and chance.random() < 0.5:
        order = beginning_with(parse_cards(chance.choice(OFFERING)), order)
    cut = chance.choice([None, 20, 190]) if command.settings.device is Device.CARD_SHOE else None
    state = step(state, acts.LoadShoe(STAFF[0], order if chance.random() < 0.4 else (), cut))
    for place, patron in enumerate(PATRONS[:3], 1):
        state = step(state, acts.Sit(Actor(patron), patron, place))
    return state


OFFERING = ("2h Kd 3s 4c 2s", "5h Kd 6s 6c 7s")
"""The first cards of rounds with insurance on offer in both windows."""


def beginning_with(cards: tuple[Card, ...], order: tuple[Card, ...]) -> tuple[Card, ...]:
    rest = list(order)
    for card in cards:
        rest.remove(card)
    return (*cards, *rest)


def step(state: State, command: acts.Command) -> State:
    answer = decide(state, RECORDS.supply(state, command))
    assert not isinstance(answer, Refusal), (command, answer)
    for event in answer:
        state = RECORDS.evolve(state, event)
    return state


def next_command(state: State, chance: Random) -> acts.Command | None:
    """A command by anyone that the table offers, more often one that goes on than one that ends a round."""
    # At terminals nobody bets for a patron.
    often = ACTORS[len(STAFF) :] * 2 if state.sheet.boxes.terminals_rule else (STAFF[0], STAFF[3])
    for _ in range(20):
        actor = chance.choice([*ACTORS, *often])
        told = [choice for choice in choices(state, actor) if any(way.refusal is None for way in choice.ways)]
        if told:
            (choice,) = chance.choices(told, [WEIGHTS[choice.kind] for choice in told])
            way = chance.choice([way for way in choice.ways if way.refusal is None])
            command = command_of(state, actor, choice.kind, way, chance)
            if command is not None:
                return command
    return None


def walk(state: State, chance: Random) -> State:
    """One command further."""
    command = next_command(state, chance)
    return state if command is None else step(state, command)
