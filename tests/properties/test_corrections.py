"""A settled round that is corrected to other cards and back leaves all money as it was, insurance included."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from punto.ledger.balances import Balances
from punto.ledger.bet_ledger import BetLedger
from punto.ledger.moves import buy
from punto.rules.cards import Card
from punto.rules.loader import GAMES
from punto.table import acts
from punto.table.acts.insurance import bounds_to_insure
from punto.table.values import Spot
from punto.table.ways import Amount
from tests.properties.strategies import rounds
from tests.table_kit import DEALER, SHIFT, Play, patron

PATRONS = ("ann", "bo")


def insured_round(data: st.DataObject, game: str, cards: tuple[Card, ...]) -> Play:
    """A settled round of these cards in which patrons insured as they liked."""
    play = Play(game, live=True).sit(*PATRONS)
    hands = [(name, data.draw(st.sampled_from(["player", "banker"]))) for name in PATRONS]
    play.open(*[(name, on, 10_000) for name, on in hands]).close()
    for card in cards:
        for box, (name, on) in enumerate(hands, 1):
            insurance = f"{on}-insurance"
            bounds = play.sheet.insurance and bounds_to_insure(play.state, Spot(box, name, insurance))
            if isinstance(bounds, Amount) and not bounds.is_empty and data.draw(st.booleans()):
                play.do(acts.Insure(patron(name), name, box, insurance, bounds.minimum_cents))
        play.do(acts.Deal(DEALER, card))
    play.settle()
    return play


def balances(play: Play) -> dict[str, int]:
    """What each patron has less what they owe, and what the House has."""
    held, bets = Balances(), BetLedger("t1")
    for name in PATRONS:
        assert held.apply([buy(name, 50_000, "r")]) is None
    for seq, event in enumerate(play.log, 1):
        transfers, bets = bets.moves(seq, event)
        assert held.apply(transfers) is None
    of = {name: held[f"patron:{name}"] + held[f"owed:{name}"] for name in PATRONS}
    return of | {"house": held["house:t1"]}


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=30, derandomize=True, deadline=None, database=None)
@given(data=st.data())
def test_a_correction_and_its_reverse_leave_the_money_as_it_was(game: str, data: st.DataObject) -> None:
    cards = data.draw(rounds())
    play = insured_round(data, game, cards)
    before = balances(play)
    others = data.draw(st.lists(rounds(), min_size=1, max_size=3))
    for number, other in enumerate([*others, cards]):
        assert play.state.last is not None
        if play.state.last.cards != other:
            play.confirmed(acts.CorrectRound(SHIFT, 1, other, f"correction {number}"))
    assert balances(play) == before
