"""What of a table may be shown: no card that nobody has seen, neither in an event nor by a question about one."""

from __future__ import annotations

import pytest

from punto.rules.cards import parse_cards
from punto.rules.hands import Hand
from punto.table import acts
from punto.table.values import Decision, Facts
from punto.table.views import hands_of
from tests.table_kit import DEALER, NATURAL, SUPERVISOR, Play


def dealt(cards: str, *, shoe: str = "") -> Play:
    """Cards as a live face-down table deals them: `?` unnamed, `9h` named, `=9h` read by an electronic shoe."""
    play = Play("commission", face_down=True, live=True, shoe=shoe).sit("ann").open(("ann", "player", 10_000)).close()
    for reading, card in enumerate(cards.split(), 1):
        named = None if card == "?" else parse_cards(card.removeprefix("="))[0]
        play.do(acts.Deal(DEALER, named, reading if card.startswith("=") else None))
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
    assert acts.Deal(DEALER).opens_cards(state) is opens
    assert acts.OpenCard(DEALER, 1).opens_cards(state) is opens
    assert not acts.Recover(DEALER).opens_cards(state)


@pytest.mark.parametrize("shoe", [NATURAL, ""])
def test_only_naming_cards_of_a_known_order_is_a_guess(shoe: str) -> None:
    state, cards = dealt("", shoe=shoe).state, parse_cards("9h 2c")
    pairs: list[tuple[acts.Command, acts.Command]] = [
        (acts.Report(DEALER, "excess-card", Facts(cards=cards)), acts.Report(DEALER, "excess-card")),
        (acts.Decide(SUPERVISOR, Decision.ORDER, "", cards), acts.Decide(SUPERVISOR, Decision.VOID, "")),
        (acts.CorrectCards(SUPERVISOR, cards, "misread"), acts.CorrectCards(SUPERVISOR, (), "misread")),
    ]
    for named, unnamed in pairs:
        assert named.names_cards(state) is bool(shoe)
        assert not unnamed.names_cards(state)
    for elsewhere in (
        acts.CorrectRound(SUPERVISOR, 1, cards, "misread"),
        acts.LoadShoe(DEALER, cards),
        acts.Deal(DEALER),
    ):
        assert not elsewhere.names_cards(state)


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
