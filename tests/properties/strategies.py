"""What a round may be: any cards the Table of Play allows, any bets a sheet offers."""

from __future__ import annotations

from hypothesis import strategies as st

from punto.rules.cards import DECK, Card
from punto.rules.differential import Limits
from punto.rules.insurance import Window, maximum_insurance
from punto.rules.loader import GAMES, load
from punto.rules.money import Cents
from punto.rules.notation import RoundToSettle
from punto.rules.settlement import Bet
from punto.rules.tableau import next_hand

any_card = st.sampled_from(DECK)
patrons = st.sampled_from(["ann", "bo", "cy", "陳", "d d"])
stakes = st.one_of(st.integers(1, 300), st.integers(1, 2_000_000))


@st.composite
def rounds(draw: st.DrawFn) -> tuple[Card, ...]:
    cards: list[Card] = []
    while next_hand(cards) is not None:
        cards.append(draw(any_card))
    return tuple(cards)


@st.composite
def limits(draw: st.DrawFn) -> Limits:
    minimum = draw(st.integers(1, 5_000))
    return Limits(Cents(minimum), Cents(draw(st.integers(minimum, 1_000_000))))


@st.composite
def records(draw: st.DrawFn, *, insurance: bool = True) -> RoundToSettle:
    """A record that settles: bets the sheet offers, insurance where and as far as it was on offer."""
    sheet = load(draw(st.sampled_from(GAMES)))
    cards = draw(rounds())
    boxes = st.integers(1, min(sheet.boxes.most or 9, 3))
    bets = draw(
        st.lists(
            st.builds(Bet, boxes, patrons, st.sampled_from(list(sheet.bets)), stakes.map(Cents), seated=st.booleans()),
            max_size=8,
        )
    )
    if insurance and sheet.insurance:
        for bet in list(bets):
            hand = sheet.bets[bet.on].hand
            for window in Window:
                offer = sheet.insurance.offers(cards[: window.cards]).get(hand) if hand else None
                if offer is None or len(cards) <= window.cards or hand is None:
                    continue
                most = maximum_insurance(bet.stake_cents, offer.odds)
                stake = draw(st.integers(0, most // 2))
                if stake:
                    name = next(each.id for each in sheet.insurance.bets if each.hand is hand)
                    bets.append(Bet(bet.box, bet.patron, name, Cents(stake), window, bet.seated))
    # Only a sheet that speaks of limits can settle a box that is over them.
    return RoundToSettle(sheet.id, cards, tuple(bets), 8, draw(st.none() | limits()) if sheet.limits else None)
