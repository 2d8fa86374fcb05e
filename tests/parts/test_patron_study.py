"""Patron studies: plans as they are described, money to the cent, insurance as the rules settle it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from punto.analysis.insurance import InsuranceCell
from punto.rules.cards import DECK, Card, Rank
from punto.rules.hands import Hand
from punto.rules.insurance import Window, maximum_insurance
from punto.rules.loader import load
from punto.rules.money import Cents, Odds
from punto.rules.outcome import PLAYS
from punto.rules.refusals import Refused
from punto.rules.settlement import Bet, Settlement, settle
from punto.rules.tableau import next_hand
from punto.simulation.estimates import estimate
from punto.simulation.plans import PLANS, Patron, find_plan, find_policy
from punto.simulation.shoe import SimulatedShoe
from punto.simulation.simulate import simulate
from punto.simulation.study import StudyResult, Terms, _Patrons, _Tables, study
from punto.simulation.summary import summarise
from punto.texts import say

TERMS = Terms(
    sheet=load("commission-insurance"),
    shoe=SimulatedShoe.of_decks(8),
    bet=load("commission-insurance").bets["banker"],
    plan=PLANS["flat"],
    policy=find_policy("never"),
    bankroll_cents=100_000,
    unit_cents=1_000,
    rounds=200,
    patrons=300,
    seed=5,
)


# ------------------------------------------------------------------------------------------- plans


OWN = {
    "flat": "def stake(p):\n    return p.unit_cents\n",
    "martingale": """
def stake(p):
    if p.memory is None or p.won:
        p.memory = p.unit_cents
    elif p.won is False:
        p.memory *= 2
    return p.memory
""",
    "dalembert": """
def stake(p):
    p.memory = p.memory or 1
    if p.won is not None:
        p.memory = max(1, p.memory - 1) if p.won else p.memory + 1
    return p.memory * p.unit_cents
""",
    "1-3-2-6": """
def stake(p):
    p.memory = p.memory or 0
    if p.won is not None:
        p.memory = (p.memory + 1) % 4 if p.won else 0
    return (1, 3, 2, 6)[p.memory] * p.unit_cents
""",
}


@pytest.mark.parametrize("plan", PLANS)
def test_a_custom_function_gives_the_same_result_as_the_named_plan(tmp_path: Path, plan: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(OWN[plan])
    terms = replace(TERMS, maximum_stake_cents=30_000, policy=find_policy("always"))
    named = study(replace(terms, plan=find_plan(plan)))
    own = study(replace(terms, plan=find_plan(f"{file}:stake")))
    for name in ("final_cents", "ruined_at", "longest_win", "longest_loss", "staked_cents", "insured_cents", "path"):
        assert (getattr(named, name) == getattr(own, name)).all(), name


def test_a_stake_of_nothing_sits_the_round_out() -> None:
    def never(_patron: Patron) -> int:
        return 0

    result = study(replace(TERMS, plan=never))
    assert (result.final_cents == TERMS.bankroll_cents).all()
    assert (result.longest_loss == 0).all()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("def stake(p):\n    return 'all'\n", "did not return a whole number of cents from 0: 'all'"),
        ("def stake(p):\n    return -1\n", "did not return a whole number of cents from 0: -1"),
        ("def stake(p):\n    return 1 / 0\n", "ZeroDivisionError"),
        ("stake = 3\n", "no such function"),
        ("import nothing_of_the_sort\n", "it failed: ModuleNotFoundError"),
    ],
)
def test_a_failing_function_is_refused_with_its_reason(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(text)
    with pytest.raises(Refused) as refused:
        study(replace(TERMS, plan=find_plan(f"{file}:stake")))
    assert says in say(refused.value.refusal)


def test_plans_and_policies_that_do_not_exist_are_refused(tmp_path: Path) -> None:
    for find in (find_plan, find_policy):
        with pytest.raises(Refused) as unknown:
            find("guess")
        assert "there are" in say(unknown.value.refusal)
        with pytest.raises(Refused) as missing:
            find(f"{tmp_path}/none.py:f")
        assert "there is no file" in say(missing.value.refusal)
    file = tmp_path / "mine.py"
    file.write_text("def share(window, hand, player, banker, odds):\n    return 2\n")
    with pytest.raises(Refused) as refused:
        study(replace(TERMS, policy=find_policy(f"{file}:share")))
    assert "did not return a share from 0 to 1: 2" in say(refused.value.refusal)


# ------------------------------------------------------------------------------------------- money


def one(rank: int) -> Card:
    return next(card for card in DECK if card.rank is Rank(rank))


def rounds_of_every_kind() -> list[tuple[Card, ...]]:
    """A round for every pair of two-card totals and every value of the third cards."""
    rounds = []
    for totals in range(100):
        start = [one(value or 10) for value in (totals // 10, totals % 10)] + [one(13), one(13)]
        for drawn in range(100):
            cards = list(start)
            for value in (drawn // 10, drawn % 10):
                if next_hand(cards) is not None:
                    cards.append(one(value or 11))
            rounds.append(tuple(cards))
    return sorted(set(rounds), key=str)


@pytest.mark.parametrize("game", ["commission-insurance", "da-hu-ying-xiong"])
@pytest.mark.parametrize("hand", list(Hand))
@pytest.mark.parametrize("stake", [1_000, 777])
@pytest.mark.parametrize("windows", [tuple(Window), (Window.PLAYER_THIRD,)], ids=["both", "second"])
def test_insured_rounds_pay_like_the_rules(game: str, hand: Hand, stake: int, windows: tuple[Window, ...]) -> None:
    """Every kind of round, with as much insurance as may be in these windows, against settlement.

    Whoever lets an offer of the first window pass has no second window where the sheet says so.
    """
    sheet = load(game)
    bet = next(each for each in sheet.bets.values() if each.hand is hand)
    assert sheet.insurance is not None
    insurance = next(each.id for each in sheet.insurance.bets if each.hand is hand)
    dealt = rounds_of_every_kind()

    def policy(cell: InsuranceCell) -> Fraction:
        return Fraction(cell.offer.window in windows)

    terms = replace(TERMS, sheet=sheet, bet=bet, unit_cents=stake, policy=policy, rounds=1, patrons=len(dealt))
    expected, codes, starts = [], [], []
    for cards in dealt:
        bets = [Bet(1, "ann", bet.id, Cents(stake), seated=True)]
        taken: list[tuple[int, Odds]] = []
        had_offer = hand in sheet.insurance.offers(cards[:4]) and len(cards) > 4
        forgone = had_offer and Window.FOUR_CARDS not in windows and sheet.insurance.forgone_rule is not None
        for window in () if forgone else windows:
            offers = sheet.insurance.offers(cards[: window.cards]) if len(cards) > window.cards else {}
            if hand in offers and (most := maximum_insurance(stake, offers[hand].odds, taken)) > 0:
                taken.append((most, offers[hand].odds))
                bets.append(Bet(1, "ann", insurance, Cents(most), window))
        settled = settle(sheet, cards, bets)
        assert isinstance(settled, Settlement)
        expected.append(-settled.house_cents)
        outcome = settled.round.outcome
        codes.append(outcome.pairs * PLAYS + outcome.play)
        starts.append(
            sum(card.points for card in cards[0:4:2]) % 10 * 10 + sum(card.points for card in cards[1:4:2]) % 10
        )
    patrons = _Patrons(terms, _Tables.of(terms), len(dealt))
    patrons.play(np.array(codes, np.uint32), np.array(starts, np.int64))
    assert (patrons.bankroll - terms.bankroll_cents).tolist() == expected


def test_no_bankroll_is_negative_and_ruin_is_final() -> None:
    terms = replace(TERMS, plan=PLANS["martingale"], policy=find_policy("always"), bankroll_cents=5_000)
    result = study(terms)
    ruined = result.ruined_at > 0
    assert 0 < ruined.sum() < len(ruined)
    assert (result.final_cents >= 0).all()
    assert (result.final_cents[ruined] < terms.unit_cents).all()
    assert (result.final_cents[~ruined] >= terms.unit_cents).all()
    assert (result.path[-1] == result.final_cents).all()


def test_a_study_repeats_and_a_patron_does_not_depend_on_the_others() -> None:
    many, again, few = study(TERMS), study(TERMS), study(replace(TERMS, patrons=70))
    assert (many.final_cents == again.final_cents).all()
    assert (many.final_cents[:70] == few.final_cents).all()
    assert not (study(replace(TERMS, seed=6)).final_cents == many.final_cents).all()


def flat_result(policy: str) -> StudyResult:
    return study(
        replace(TERMS, policy=find_policy(policy), patrons=4_000, rounds=500, bankroll_cents=10**9, unit_cents=10_000)
    )


def test_flat_betting_loses_the_house_edge() -> None:
    result = flat_result("never")
    net = result.net_cents / result.staked_cents
    error = net.std() / np.sqrt(len(net))
    exact = estimate(TERMS.bet, simulate(TERMS.shoe, 1_000)).exact
    assert abs(-net.mean() - exact) < 4 * error


def test_favourable_insurance_gains_and_insuring_always_costs() -> None:
    never, favourable, always = (flat_result(policy) for policy in ("never", "favourable", "always"))
    assert favourable.insurance_net_cents.sum() > 0 > always.insurance_net_cents.sum()
    assert (favourable.net_cents - favourable.insurance_net_cents == never.net_cents).all()


@pytest.mark.parametrize(
    "change",
    [
        {"unit_cents": 0},
        {"unit_cents": 200_000},
        {"maximum_stake_cents": 500},
        {"rounds": 0},
        {"patrons": 10**9},
        {"bankroll_cents": 10**15},
    ],
    ids=str,
)
def test_invalid_terms_are_refused(change: dict[str, int]) -> None:
    with pytest.raises(Refused) as refused:
        replace(TERMS, **change)  # type: ignore[arg-type]
    assert say(refused.value.refusal)


# ------------------------------------------------------------------------------------------- numbers


def test_runs_are_counted_as_a_person_would() -> None:
    terms = replace(TERMS, patrons=1, rounds=9)
    patrons = _Patrons(terms, _Tables.of(terms), 1)
    code = {"W": 9 * 4, "L": 90 * 4, "T": 99 * 4}  # a natural 9 for Banker, for Player, for both
    for result in "WWTWLLTLL":
        patrons.play(np.array([code[result]], np.uint32), np.zeros(1, np.int64))
    assert (patrons.longest_win[0], patrons.longest_loss[0]) == (3, 4)


def test_a_summary_adds_up() -> None:
    summary = summarise(study(TERMS))
    assert summary["ahead"] + summary["even"] + summary["behind"] == pytest.approx(1)
    assert sum(summary["distribution"]["patrons"]) == TERMS.patrons
    assert sum(summary["longest_runs"]["won"]["patrons"].values()) == TERMS.patrons
    assert summary["bankroll_cents"]["rounds"][-1] == TERMS.rounds
