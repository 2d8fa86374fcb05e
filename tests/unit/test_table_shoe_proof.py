"""A published shoe and an audited one: what holds is accepted, and each lie is named in its own sentence."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

import pytest

from punto.rules.cards import DECK, Card, parse_cards
from punto.rules.hands import Hand
from punto.rules.loader import load
from punto.rules.money import Cents
from punto.rules.reasons import DrawReason
from punto.table import acts
from punto.table.shoe_proof import (
    OpenedShoe,
    PlayedRound,
    PutAside,
    broken_by_event,
    broken_commitment,
    check_opened,
    commit,
)
from punto.table.state import EndedRound, RoundInPlay, Settings, Shoe, State, TableCard
from punto.table.values import CardChange
from tests.table_kit import DEALER

SALT = "0a1b"
FIRST_BURN = "2h 7s 8s"
DEALT = f"{FIRST_BURN} 9h 2c Kc 3c 5d 6s 4c 2d 2s Ks Qs 4h 5h 8h Ac Jh 3d Td 9c"
ORDER = f"{DEALT} {' '.join([card.text for card in DECK if card.text not in DEALT.split()])}"
ROUNDS = (
    PlayedRound(4, "9h 2c Kc 3c", False),  # a natural
    PlayedRound(5, "5d 6s", True),  # with a closed card, 4c
    PlayedRound(6, "2d 2s Ks Qs 4h 5h", False),  # both draw
    PlayedRound(7, "8h Ac Jh 3d", False),  # a natural
)


def aside(place: int, card: str, number: int, rule: str | None = "5.7", reason: str = "it fell") -> PutAside:
    return PutAside(place, card, number, rule, reason)


FIVE = aside(8, "5d", 4)  # carried to round 5
TEN, NINE = aside(21, "Td", 7), aside(22, "9c", 7)  # carried to a round that never came
FOUR = aside(10, "4c", 5)


def opened(**changes: Any) -> OpenedShoe:
    """A shoe of which all is true: four rounds, a first burn of three, and cards carried and closed."""
    commitment = commit(parse_cards(ORDER), bytes.fromhex(SALT))
    shoe = OpenedShoe(commitment, SALT, ORDER, 1, DEALT, ROUNDS, (FIVE, TEN, NINE), (FOUR,), first_burn=3)
    return replace(shoe, **changes)


def without_rounds(dealt: str, *carried: PutAside, first_burn: int = 0) -> dict[str, Any]:
    return {"dealt": dealt, "rounds": (), "carried": carried, "closed": (), "first_burn": first_burn}


def but(at: int, **changes: Any) -> dict[str, Any]:
    """The rounds, one of them changed."""
    return {"rounds": (*ROUNDS[:at], replace(ROUNDS[at], **changes), *ROUNDS[at + 1 :])}


def explain(reason: DrawReason) -> str:
    return f"{reason.code.name} on {reason.player} and {reason.banker}"


# ------------------------------------------------------------------------------------------- a published record


def test_a_commitment_is_over_a_label_the_salt_and_the_cards() -> None:
    assert commit(parse_cards("2h 7s"), b"salt") == hashlib.sha256(b"punto shoe 1\nsalt2h 7s").hexdigest()


def test_a_record_that_says_nothing_of_cards_put_aside_had_none() -> None:
    shoe = OpenedShoe(opened().commitment, SALT, ORDER, 1, "", ())
    assert shoe == opened(**without_rounds(""))


def said(what: str, place: int, sentence: str) -> str:
    return f"card {place} is said to be {what}{sentence}"


NO_REASON = ", and neither a paragraph nor a reason is given"
TWICE = " out of order, or twice"
IMPOSSIBLE = "card {} is said to have come out in round {}, which it cannot: round {} was on"
LIES: list[tuple[dict[str, Any], str]] = [
    ({"salt": "00"}, "the commitment is not that of this salt and order"),
    # the first burn
    ({"first_burn": 4}, "the first burn is said to take 4 cards, and the first card makes it 3"),
    (without_rounds("2h 7s", first_burn=3), "the first burn is said to take 3 cards, and 2 cards came out"),
    (without_rounds("", first_burn=1), "the first burn is said to take 1 card, and 0 cards came out"),
    (
        without_rounds("", first_burn=-5) | {"rounds": ROUNDS[:1]},
        "the first burn is said to take -5 cards, and 0 cards came out",
    ),
    # cards put aside
    ({"carried": (aside(0, "9c", 3),)}, said("carried", 0, ", and 22 cards came out")),
    ({"carried": (aside(23, "As", 7),)}, said("carried", 23, ", and 22 cards came out")),
    (without_rounds("2h", aside(2, "7s", 0)), said("carried", 2, ", and 1 card came out")),
    ({"carried": (FIVE, TEN, TEN, NINE)}, said("carried", 21, TWICE)),
    ({"carried": (replace(FIVE, card="As"), TEN, NINE)}, said("carried", 8, " as As, and came out as 5d")),
    ({"carried": (replace(FIVE, rule=None, reason=""), TEN, NINE)}, said("carried", 8, NO_REASON)),
    ({"closed": (replace(FOUR, rule=" ", reason=" "),)}, said("closed", 10, NO_REASON)),
    ({"carried": (aside(1, "2h", 3), FIVE)}, said("carried", 1, ", and burned before the first round too")),
    ({"closed": (aside(3, "8s", 5), FOUR)}, said("closed", 3, ", and burned before the first round too")),
    ({"carried": (FIVE, FOUR, TEN, NINE)}, said("carried", 10, ", and closed too")),
    ({"closed": (replace(FOUR, round=4),)}, said("closed", 10, " in round 4, which was not void")),
    # rounds
    ({"rounds": (*ROUNDS[:2], ROUNDS[3])}, "round 7 follows round 5: what lies between is not shown"),
    ({"rounds": (*ROUNDS, ROUNDS[3])}, "round 7 follows round 7: what lies between is not shown"),
    (
        but(0, cards="9h 2c Kc 3c 5d 6s"),
        "round 4 shows 6 cards, and was complete after 4: NOBODY_DRAWS on 9 and 5",
    ),
    (
        {"closed": (FOUR, aside(11, "2d", 5), aside(12, "2s", 5))},
        "round 5 shows 5 cards, and was complete after 4: NOBODY_DRAWS on 9 and 8",
    ),
    (but(2, cards="2d 2s Ks Qs"), "round 6 is said to be settled with 4 cards: PLAYER_DRAWS on 2 and 2"),
    (but(3, cards="8h"), "round 7 is said to be settled with 1 card: INITIAL_CARDS on None and None"),
    # card by card
    (
        but(1, cards="5d 4c") | {"closed": (aside(9, "6s", 5),)},
        "round 5 shows 4c, and card 9 came out there, 6s",  # a card that came after a closed one is not shown
    ),
    (
        but(1, cards="5d") | {"closed": (FOUR,)},
        "card 10 is said to be closed in round 5, and card 9 came out there",
    ),
    ({"closed": (aside(11, "2d", 5),)}, "card 11 is said to be closed in round 5, and card 10 came out there"),
    (but(0, cards="9h 3c Kc 2c"), "round 4 shows 3c, and card 5 came out there, 2c"),
    (
        {"carried": (replace(FIVE, round=6), TEN, NINE)},
        "card 8 is said to have come out in round 6, and round 5 shows it",
    ),
    ({"carried": (FIVE, TEN)}, "card 22, 9c, came out, and no round shows it"),
    ({"carried": (aside(4, "9h", 2), FIVE, TEN, NINE)}, IMPOSSIBLE.format(4, 2, 3)),
    ({"carried": (FIVE, TEN, replace(NINE, round=8))}, IMPOSSIBLE.format(22, 8, 7)),
    (without_rounds("2h", aside(1, "2h", -1)), IMPOSSIBLE.format(1, -1, 0)),
    (
        {"dealt": DEALT.removesuffix(" Jh 3d Td 9c"), "carried": (FIVE,)},
        "round 7 shows Jh, and no card came out there",
    ),
]


@pytest.mark.parametrize(("changes", "sentence"), LIES, ids=[sentence for _, sentence in LIES])
def test_a_record_that_lies_is_refused_with_a_sentence(changes: dict[str, Any], sentence: str) -> None:
    assert broken_commitment(opened(**changes), explain) == sentence


def test_a_noted_commitment_may_be_in_capitals() -> None:
    shoe = opened()
    assert broken_commitment(shoe, explain, shoe.commitment.upper()) is None
    assert broken_commitment(replace(shoe, commitment=shoe.commitment.upper()), explain, shoe.commitment) is None


def test_a_commitment_that_is_not_the_noted_one_is_refused() -> None:
    shoe = opened()
    refused = f"the commitment in the record, {shoe.commitment}, is not the one noted before the first bet, 12ab"
    assert broken_commitment(shoe, explain, "12ab") == refused


# ------------------------------------------------------------------------------------------- an opened shoe


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({}, None),
        ({"dealt": DEALT}, None),
        ({"dealt": ORDER}, None),
        ({"salt": "xy"}, "the salt is not hexadecimal"),
        ({"salt": "0a"}, "the commitment is not that of this salt and order"),
        ({"commitment": ""}, "the commitment is not that of this salt and order"),
        ({"decks": 2}, "the order is not the cards of 2 decks"),
        ({"order": "2h"}, "the order is not the cards of 1 deck"),
        ({"dealt": "7s 2h"}, "card 1 was dealt as 7s, the order has 2h"),
        ({"dealt": "2h 7s 2h"}, "card 3 was dealt as 2h, the order has 8s"),
        ({"dealt": f"{ORDER} As"}, "53 cards were dealt from a shoe of 52"),
    ],
)
def test_an_opened_shoe_is_compared_with_what_was_published(changes: dict[str, Any], sentence: str | None) -> None:
    given: dict[str, Any] = {"commitment": opened().commitment, "salt": SALT, "order": ORDER, "decks": 1}
    assert check_opened(**(given | changes)) == sentence


def test_an_opened_shoe_may_have_a_commitment_in_capitals() -> None:
    assert check_opened(opened().commitment.upper(), SALT, ORDER, 1) is None


# ------------------------------------------------------------------------------------------- in an audit

CARDS = parse_cards("4h 5c 6c Kd 2s 9d 8c")


def table(drawn: int = 0, *, order: tuple[Card, ...] = CARDS, **parts: Any) -> State:
    """A table with a shoe of which so many cards came out."""
    return State(load("commission"), shoe=Shoe(1, 52, order, drawn=drawn), **parts)


def loaded(cards: str, salt: str | None, commitment: str | None) -> acts.ShoeLoaded:
    return acts.ShoeLoaded(DEALER, 1, 52, None, commitment, parse_cards(cards), salt)


def dealt(name: str | None, *, closed: bool = False) -> acts.CardDealt:
    shown = Card(name) if name else None
    return acts.CardDealt(DEALER, 1, 1, 3, shown, Hand.PLAYER, "3.10", closed=closed)


def turned(place: int, name: str) -> acts.CardOpened:
    return acts.CardOpened(DEALER, 1, place, Card(name), Hand.PLAYER, "3.10")


def burned(name: str, unseen: int) -> acts.CardsBurned:
    return acts.CardsBurned(DEALER, 1, Card(name), unseen)


def relaid(after: str, carried: str = "") -> acts.CardsReordered:
    now, later = parse_cards(after), parse_cards(carried)
    return acts.CardsReordered(DEALER, 1, 1, (), now, later, "5.7", "it fell", CardChange.between((), now))


IN_PLAY = RoundInPlay(1, cards=CARDS[:2], waiting=(TableCard(CARDS[2], False), TableCard(CARDS[3], False)))
TWO_OPEN = RoundInPlay(1, cards=CARDS[:2])
LAST = EndedRound(1, 1, CARDS[:2], (), Settings("t1", 8, Cents(100), Cents(1_000)))


@pytest.mark.parametrize(("cards", "salt"), [("7s 2h", SALT), ("2h", SALT), ("2h 7s", "00"), ("2h 7s", "xy")])
def test_a_shoe_is_not_the_one_that_was_promised(cards: str, salt: str) -> None:
    commitment = commit(parse_cards("2h 7s"), bytes.fromhex(SALT))
    assert broken_by_event(table(), loaded(cards, salt, commitment)) == "the shoe is not the one that was promised"


@pytest.mark.parametrize("salt", [SALT, "xy"])
def test_a_salt_without_a_promise_belongs_to_no_shoe(salt: str) -> None:
    assert broken_by_event(table(), loaded("2h 7s", salt, None)) == "the shoe is not the one that was promised"


NOT_NEXT = "is not the next card of its shoe"
NOT_LEFT = "is not what left its shoe"
AUDITED: list[tuple[acts.Event, dict[str, Any], str | None]] = [
    (acts.CaseClosed(DEALER, 1), {}, None),
    (loaded("2h", None, "promised"), {}, None),
    (burned("Kd", 3), {"order": CARDS[3:]}, None),
    (burned("4h", 5), {}, "4h with 5 cards is not the burn of its shoe"),
    (burned("4c", 4), {}, "4c with 4 cards is not the burn of its shoe"),
    (burned("4h", 4), {"drawn": 1}, "4h with 4 cards is not the burn of its shoe"),
    (burned("Kd", 1), {"order": ()}, None),
    (turned(3, "6c"), {"round": IN_PLAY}, None),
    (turned(4, "6c"), {"round": IN_PLAY}, "6c is not the card that was dealt closed"),
    (turned(3, "Kd"), {"round": IN_PLAY, "order": ()}, None),
    (turned(3, "Kd"), {}, None),
    (dealt("5c"), {"drawn": 2}, f"5c {NOT_NEXT}"),
    (dealt("6c", closed=True), {"drawn": 2}, None),
    (dealt("5c", closed=True), {"drawn": 2}, f"5c {NOT_NEXT}"),
    (dealt(None, closed=True), {"drawn": 6}, None),
    (dealt(None, closed=True), {"drawn": 7}, f"a card without a value {NOT_NEXT}"),
    (dealt(None), {"drawn": 2}, f"a card without a value {NOT_NEXT}"),
    (dealt("8c"), {"drawn": 7}, f"8c {NOT_NEXT}"),
    (dealt("5c"), {"order": ()}, None),
    (relaid("4h 5c", "6c"), {"drawn": 2, "last": LAST}, None),
    (relaid("5c 4h", "6c"), {"drawn": 2, "round": TWO_OPEN}, f"5c 4h 6c {NOT_LEFT}"),
    (relaid("4h 5c", "Kd"), {"drawn": 2, "round": TWO_OPEN}, f"4h 5c Kd {NOT_LEFT}"),
    (relaid("4h 5c", "4h"), {"drawn": 2, "round": TWO_OPEN}, f"4h 5c 4h {NOT_LEFT}"),
    (relaid("4h"), {"drawn": 2, "round": TWO_OPEN}, f"4h {NOT_LEFT}"),
    (relaid("5c"), {"order": ()}, None),
]


@pytest.mark.parametrize(("event", "parts", "sentence"), AUDITED)
def test_an_event_is_compared_with_the_order_of_its_shoe(
    event: acts.Event, parts: dict[str, Any], sentence: str | None
) -> None:
    assert broken_by_event(table(**parts), event) == sentence


@pytest.mark.parametrize("event", [burned("4h", 4), turned(3, "6c"), dealt("4h"), relaid("4h")])
def test_without_a_shoe_no_promise_is_broken(event: acts.Event) -> None:
    assert broken_by_event(State(load("commission"), round=IN_PLAY), event) is None
