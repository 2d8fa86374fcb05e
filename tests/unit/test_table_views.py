"""What of a table may be shown: no card that nobody has seen, neither in an event nor by a question about one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from punto.rules.cards import parse_cards
from punto.rules.hands import Hand
from punto.table import commands as c
from punto.table import events as e
from punto.table.views import guesses_unseen_cards, hands_of, opens_unseen_cards, public
from tests.table_kit import DEALER, NATURAL, SUPERVISOR, Play

LOADED = e.ShoeLoaded(DEALER, 1, 416, 300, "hash")
NINE = parse_cards("9h")[0]
DEALT = e.CardDealt(DEALER, 1, 1, 1, NINE, Hand.PLAYER, "4.1", face_down=True)


@pytest.mark.parametrize(
    ("event", "shown"),
    [
        (replace(LOADED, cards=parse_cards(NATURAL), salt="salt"), LOADED),
        (replace(LOADED, cards=parse_cards(NATURAL)), LOADED),
        (replace(LOADED, salt="salt"), LOADED),
        (DEALT, DEALT),  # named as it was dealt
        (replace(DEALT, closed=True), replace(DEALT, closed=True, card=None)),
        (replace(DEALT, closed=True, card=None), replace(DEALT, closed=True, card=None)),
        (e.ConfirmationAsked(DEALER, 1, (replace(LOADED, salt="salt"),)), e.ConfirmationAsked(DEALER, 1, (LOADED,))),
        (e.RoundClosed(DEALER, 1), e.RoundClosed(DEALER, 1)),
    ],
)
def test_an_event_is_shown_without_the_order_of_a_shoe_and_closed_cards(event: e.Event, shown: e.Event) -> None:
    assert public(event) == shown


def dealt(cards: str, *, shoe: str = "") -> Play:
    """Cards as a live face-down table deals them: `?` unnamed, `9h` named, `=9h` read by an electronic shoe."""
    play = Play("commission", face_down=True, live=True, shoe=shoe).sit("ann").open(("ann", "player", 10_000)).close()
    for reading, card in enumerate(cards.split(), 1):
        named = None if card == "?" else parse_cards(card.removeprefix("="))[0]
        play.do(c.Deal(DEALER, named, reading if card.startswith("=") else None))
    return play


@pytest.mark.parametrize(
    ("cards", "opens"),
    [
        ("", False),  # the Dealer names what comes
        ("?", False),
        ("? Kd", False),
        ("=9h", True),
        ("=9h Kd", True),
    ],
)
def test_only_a_closed_card_of_known_value_may_be_shown_unseen(cards: str, opens: bool) -> None:
    state = dealt(cards).state
    assert opens_unseen_cards(state, c.Deal(DEALER)) is opens
    assert opens_unseen_cards(state, c.OpenCard(DEALER, 1)) is opens
    assert not opens_unseen_cards(state, c.Recover(DEALER))


def test_a_shoe_of_known_order_shows_a_card_with_each_deal() -> None:
    state = dealt("", shoe=NATURAL).state
    assert opens_unseen_cards(state, c.Deal(DEALER))
    assert not opens_unseen_cards(state, c.Recover(DEALER))


@pytest.mark.parametrize("shoe", [NATURAL, ""])
def test_only_naming_cards_of_a_known_order_is_a_guess(shoe: str) -> None:
    state, cards = dealt("", shoe=shoe).state, parse_cards("9h 2c")
    for named, unnamed in (
        (c.Report(DEALER, "excess-card", c.Facts(cards=cards)), c.Report(DEALER, "excess-card")),
        (c.Decide(SUPERVISOR, c.Decision.ORDER, "", cards), c.Decide(SUPERVISOR, c.Decision.VOID, "")),
        (c.CorrectCards(SUPERVISOR, cards, "misread"), c.CorrectCards(SUPERVISOR, (), "misread")),
    ):
        assert guesses_unseen_cards(state, named) is bool(shoe)
        assert not guesses_unseen_cards(state, unnamed)
    for elsewhere in (c.CorrectRound(SUPERVISOR, 1, cards, "misread"), c.LoadShoe(DEALER, cards), c.Deal(DEALER)):
        assert not guesses_unseen_cards(state, elsewhere)


@pytest.mark.parametrize(
    ("cards", "hands"),
    [
        ("", ""),
        ("9h", "P"),
        ("? ? ? ?", "PBPB"),
        ("? 9h ?", "PBP"),
        ("2h 2d Ks Kc", "PBPB"),
        ("2h 2d Ks Kc ?", "PBPBP"),
        ("6h 2d Ks Kc ?", "PBPBB"),  # Player stands on 6
        ("2h 2d Ks Kc 4h ?", "PBPBPB"),
        ("2h 2d Ks Kc ? ?", "PBPBPB"),
        ("2h 2d Ks Kc ? 5d", "PBPBPB"),  # Banker's was opened first
        ("9h 2c Kd 3c 7c", "PBPB-"),  # one too many
        ("2h 7d Ks Kc 4h 5d", "PBPBP-"),
    ],
)
def test_each_card_on_the_table_belongs_to_a_hand(cards: str, hands: str) -> None:
    given = [None if card == "?" else parse_cards(card)[0] for card in cards.split()]
    letters = {Hand.PLAYER: "P", Hand.BANKER: "B", None: "-"}
    assert "".join([letters[hand] for hand in hands_of(given)]) == hands
