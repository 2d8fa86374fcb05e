"""The most that the House can lose in a round: its worst result over all outcomes that the cards still allow.

Bets depend on each other through the outcome, so their worst cases do not add up: Player and Banker cannot both win.
Outcomes that pay every bet alike count once, which leaves a few dozen to try.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache, lru_cache
from itertools import takewhile

from punto.rules.bets import OfferedBet, Result
from punto.rules.cards import Card
from punto.rules.established import Ranks, possible_outcomes, ranks_on_table
from punto.rules.hands import Hand
from punto.rules.insurance import Offer, Window
from punto.rules.money import Cents
from punto.rules.outcome import Outcome, Winner
from punto.rules.settlement import Bet
from punto.rules.sheet import Sheet
from punto.rules.tableau import cards_in_round

Neglected = tuple[Bet, Window]
"""An original bet that is returned if the insurance that was meant for it in a window would have won."""


def most_to_lose(
    sheet: Sheet,
    cards: Sequence[Card | None],
    bets: Sequence[Bet],
    in_play_cents: Sequence[int],
    neglected: Collection[Neglected] = (),
) -> Cents:
    """The most that the House can lose by these bets, of which so much is in play; 0 where it cannot lose.

    The cards are those on the table in dealing order, None for a closed one; cards that the round does not need are
    left out. Any card may still come, as long as the Table of Play draws it.
    """
    known = list(takewhile(lambda card: card is not None, cards))
    needed = cards_in_round([card for card in known if card is not None])
    on_table = tuple(cards[:needed] if needed < len(known) else cards)
    placed = [(bet, in_play) for bet, in_play in zip(bets, in_play_cents, strict=True) if bet.window is None]
    insured = [
        (sheet.insurance.payoffs[offer], bet)
        for bet in bets
        if sheet.insurance
        and bet.window
        and (offer := _offer(sheet, on_table, sheet.insurance_bets[bet.on].hand, bet.window))
    ]
    meant = {bet: _offer(sheet, on_table, sheet.bets[bet.on].hand, window) for bet, window in neglected}
    offered = tuple({bet.on: sheet.bets[bet.on] for bet, _ in placed}.values())
    worst = 0
    for index in _telling_outcomes(tuple([each.payoffs for each in offered]), ranks_on_table(on_table)):
        winner = _winner(index)
        loss = sum([_net(sheet.bets[bet.on], index, in_play, meant.get(bet), winner) for bet, in_play in placed])
        loss += sum([payoffs[winner].net_odds.pays(bet.stake_cents) for payoffs, bet in insured])
        worst = max(worst, loss)
    return Cents(worst)


def _net(offered: OfferedBet, index: int, in_play: int, meant: Offer | None, winner: Winner) -> int:
    """A patron's win by a bet."""
    payoff = offered.payoff(index)
    if payoff.result is Result.LOSE and meant is not None and meant.result(winner) is Result.WIN:
        return 0
    return payoff.net_odds.pays(in_play)


def _offer(sheet: Sheet, cards: Sequence[Card | None], hand: Hand | None, window: Window) -> Offer | None:
    """The offer on a hand in a window; its cards were open then."""
    if sheet.insurance is None or hand is None:
        return None
    seen = [card for card in cards[: window.cards] if card is not None]
    return sheet.insurance.offers(seen).get(hand)


@lru_cache(maxsize=1024)
def _telling_outcomes(payoffs: tuple[bytes, ...], ranks: Ranks) -> tuple[int, ...]:
    """One outcome for each way in which the possible outcomes pay these bets and give a winner."""
    found = {(_winner(index), *[table[index] for table in payoffs]): index for index in possible_outcomes(ranks)}
    return tuple(found.values())


@cache
def _winner(index: int) -> Winner:
    return Outcome.at(index).winner
