"""Random walks of a table: in each state somebody takes a way that `choices` offers, or does anything at all."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

from punto.rules.cards import DECK, Card, parse_cards
from punto.rules.insurance import Window
from punto.rules.loader import GAMES, load
from punto.rules.money import Cents
from punto.rules.refusals import Refusal
from punto.rules.sheet import Device
from punto.table import acts
from punto.table.actor import Actor
from punto.table.engine import choices, decide, round_needed
from punto.table.rulings.neglected import insurable
from punto.table.state import EndedRound, Settings, State, new_table
from punto.table.values import BetLimits, Burn, Decision, spot_of
from punto.table.ways import Way
from tests import filling
from tests.filling import whole_round
from tests.round_records import RoundRecords
from tests.table_kit import STAFF

PATRONS = ("ann", "bo", "cy", "di")
ACTORS = (*STAFF, *[Actor(patron) for patron in PATRONS])
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
WEIGHTS = {kind: LIKELY.get(kind, RARELY.get(kind, 0.5)) for kind in acts.COMMANDS}
"""How often the walk gives each command: so that rounds are played to their end, with whatever may happen in them."""


RECORDS = RoundRecords(load(GAMES[0]))
"""The events of the table in play: what its caller knows of earlier rounds."""

# ------------------------------------------------------------------------------------------- from a way to a command


def command_of(state: State, actor: Actor, kind: str, way: Way, chance: Random, **given: Any) -> acts.Command | None:
    """A command that takes a way, with everything filled in at random within its bounds; `given` overrides.

    None if the way is about earlier rounds, and no record of one allows it.
    """
    return fitted(state, filling.command_of(state, actor, kind, way, chance, PATRONS, **given), chance)


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


def other_cards(record: EndedRound, chance: Random) -> tuple[Card, ...]:
    """A round of other cards that the shoe can have held, no longer than the recorded one."""
    seen = Counter(record.other_cards)
    deck = [card for card in DECK if seen[card] < record.settings.decks - 1]
    while True:
        cards = whole_round(deck, chance)
        if cards != record.cards and max(Counter(cards).values()) == 1 and len(cards) <= len(record.cards):
            return cards


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
