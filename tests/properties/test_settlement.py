"""What holds for any cards and any bets."""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from punto.rules.bets import Result
from punto.rules.differential import Limits, pro_rata
from punto.rules.hands import Hand
from punto.rules.loader import load
from punto.rules.money import Cents
from punto.rules.notation import RoundToSettle, parse_record, read_line, write_line, write_settlement
from punto.rules.refusals import Refusal
from punto.rules.settlement import Bet, Settlement, settle
from tests.properties.strategies import limits, records, rounds, stakes
from tests.written_records import write_record


def settled(record: RoundToSettle) -> Settlement:
    answer = settle(load(record.game), record.cards, record.bets, decks=record.decks, limits=record.limits)
    assert isinstance(answer, Settlement), answer
    return answer


@given(records())
def test_money_is_conserved(record: RoundToSettle) -> None:
    settlement = settled(record)
    assert sum(line.net_cents for line in settlement.lines) + settlement.house_cents == 0
    assert [line.bet for line in settlement.lines] == list(record.bets)
    for line in settlement.lines:
        stake = line.bet.stake_cents
        assert line.returned_cents == stake + line.net_cents >= stake - line.in_play_cents >= 0
        if line.result is Result.LOSE:
            assert line.net_cents == -line.in_play_cents
        if line.result is Result.RETURNED:
            assert line.net_cents == 0
        if line.result is Result.WIN:
            assert line.odds is not None
            exact = line.in_play_cents * line.odds.exact
            assert line.net_cents <= exact < line.net_cents + 1


@given(records(), st.randoms(use_true_random=False))
def test_settlement_does_not_depend_on_the_order_of_bets(record: RoundToSettle, random: Random) -> None:
    shuffled = list(record.bets)
    random.shuffle(shuffled)
    again = RoundToSettle(record.game, record.cards, tuple(shuffled), record.decks, record.limits)
    one, other = settled(record), settled(again)
    assert one.house_cents == other.house_cents
    assert sorted(map(repr, one.lines)) == sorted(map(repr, other.lines))


@given(
    records(),
    st.randoms(use_true_random=False),
    st.sampled_from(["no-such-bet", "player", "banker-insurance"]),
    st.integers(0, 99),
    st.integers(-1, 9),
)
def test_a_refusal_does_not_depend_on_the_order_of_bets(
    record: RoundToSettle, random: Random, on: str, box: int, stake: int
) -> None:
    wrong = [*record.bets, Bet(1, "zed", "no-such-bet", Cents(5)), Bet(box, "zed", on, Cents(stake))]
    sheet = load(record.game)
    one = settle(sheet, record.cards, wrong, limits=record.limits)
    random.shuffle(wrong)
    assert isinstance(one, Refusal)
    assert one == settle(sheet, record.cards, wrong, limits=record.limits)


@given(records())
def test_a_record_survives_a_round_trip(record: RoundToSettle) -> None:
    assert parse_record(json.dumps(write_record(record))) == record


@given(records())
def test_a_settlement_is_json(record: RoundToSettle) -> None:
    answer = write_settlement(settled(record))
    assert json.loads(json.dumps(answer)) == answer


@given(rounds())
def test_a_line_survives_a_round_trip(cards: tuple[object, ...]) -> None:
    round_ = read_line(" ".join(map(str, cards)))
    assert round_.cards == cards
    assert read_line(write_line(round_)) == round_


@given(records())
def test_pro_rata_meets_the_differential_or_stands_at_the_minimum(record: RoundToSettle) -> None:
    if record.limits is None:
        return
    sheet = load(record.game)
    sums: dict[int, dict[Hand, int]] = defaultdict(lambda: dict.fromkeys(Hand, 0))
    lines = settled(record).lines
    for line in lines:
        if line.bet.on in sheet.bets and (hand := sheet.bets[line.bet.on].hand):
            sums[line.bet.box][hand] += line.in_play_cents
    for box, by_hand in sums.items():
        apart = abs(by_hand[Hand.PLAYER] - by_hand[Hand.BANKER])
        if apart > record.limits.differential_cents:
            heavy = max(Hand, key=lambda hand: by_hand[hand])
            parts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
            for line in lines:
                if line.bet.box == box and line.bet.on in sheet.bets and sheet.bets[line.bet.on].hand is heavy:
                    parts[line.bet.patron][0] += line.bet.stake_cents
                    parts[line.bet.patron][1] += line.in_play_cents
            for stake, in_play in parts.values():
                assert in_play == min(stake, record.limits.minimum_cents)


@given(st.lists(stakes, min_size=1, max_size=8), st.integers(0, 500_000), limits())
def test_pro_rata_invariants(bets: list[int], light: int, limit: Limits) -> None:
    if sum(bets) - light <= limit.differential_cents:
        return
    parts = pro_rata(bets, light, limit)
    for stake, part in zip(bets, parts, strict=True):
        assert part == stake if stake < limit.minimum_cents else limit.minimum_cents <= part <= stake
    apart = sum(parts) - light
    assert apart == limit.differential_cents or (
        apart > limit.differential_cents
        and all(part == min(stake, limit.minimum_cents) for stake, part in zip(bets, parts, strict=True))
    )
    # One factor for all that are scaled: a larger stake never has a smaller part in play.
    order = sorted(range(len(bets)), key=lambda place: bets[place])
    for low, high in pairwise(order):
        if bets[low] >= limit.minimum_cents and bets[low] < bets[high]:
            assert parts[low] <= parts[high] + 1
