"""Money after the fact: corrections, decisions, debts and chips without an account, named by sheet and paragraph."""

from __future__ import annotations

import pytest

from punto.ledger.balances import Balances
from punto.ledger.bet_ledger import BetLedger
from punto.ledger.moves import buy, cash_out, collect, collectable
from punto.rules.cards import parse_cards
from punto.rules.cash import cash_patron
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.loader import GAMES
from punto.rules.money import Cents, Odds
from punto.rules.refusals import Refusal
from punto.table import acts
from punto.table.actor import Actor
from punto.table.corrections.past_rounds import record_of
from punto.table.effects import effect_of
from punto.table.phases import Phase
from punto.table.refusals import Contradiction
from punto.table.values import Claim, Decision, Option, Spot, SqueezeOf, Waits
from tests.rulebook import playing as at
from tests.rulebook.playing import MIXED_UP
from tests.table_kit import BANKER_INSURABLE, DEALER, MANAGER, NATURAL, SECOND, SHIFT, SUPERVISOR, Play, patron

COMMISSION, TIGER, INSURANCE, EASY_SIX = "commission", "da-hu-ying-xiong", "commission-insurance", "easy-six"
PREVAILS = {COMMISSION: "5.14", TIGER: "5.15"}
OTHERWISE = {COMMISSION: "5.17", TIGER: "5.18"}
BANKER_WINS = "2c 9h 3c Kd"  # Player 5, Banker 9
ANN_ON_PLAYER = Spot(1, "ann", "player")


def settled(game: str, cards: str = NATURAL, *bets: tuple[str, str, int], **settings: bool) -> Play:
    """Round 1 is settled with these cards; Ann had 100.00 on Player unless other bets are given."""
    names = tuple(dict.fromkeys([name for name, _, _ in bets])) or ("ann",)
    play = at.table_for(game, *names, **settings).open(*(bets or (("ann", "player", 10_000),))).close().deal(cards)
    play.settle()
    return play


def corrected(play: Play, cards: str, number: int = 1, by: Actor = SHIFT) -> acts.RoundAdjusted:
    events = play.confirmed(acts.CorrectRound(by, number, parse_cards(cards), "keyed wrongly"))
    return play.of(acts.RoundAdjusted, events)[0]


def correcting(cards: str, number: int = 1, by: Actor = SHIFT, reason: str = "keyed wrongly") -> acts.CorrectRound:
    return acts.CorrectRound(by, number, parse_cards(cards), reason)


def balances(play: Play, **credits_cents: int) -> dict[str, int]:
    """What everyone has after the log of a table, each having bought credits."""
    held, bets = Balances(), BetLedger("t1")
    for name, cents in credits_cents.items():
        assert held.apply([buy(name, cents, "r")]) is None
    for seq, event in enumerate(play.log, 1):
        transfers, bets = bets.moves(seq, event)
        assert held.apply(transfers) is None, event
    return {account: cents for account, cents in held.snapshot().items() if cents and account != "cash-desk"}


# ------------------------------------------------------------------------------------------- rounds recorded wrongly


@pytest.mark.parametrize("game", GAMES)
def test_a_round_recorded_wrongly_is_corrected_whenever_it_is_noticed(game: str) -> None:
    """`commission` 5.14, `da-hu-ying-xiong` 5.15; elsewhere the Shift Manager decides."""
    play = settled(game)
    play.open(("ann", "banker", 5_000)).close()
    play.deal("9h 2c")
    adjusted = corrected(play, BANKER_WINS)
    (line,) = adjusted.lines
    assert (line.before_cents, line.after_cents, line.correction_cents) == (20_000, 0, -20_000)
    assert (adjusted.round, adjusted.rule) == (1, PREVAILS.get(game))
    assert (adjusted.cards_before, adjusted.cards) == (parse_cards(NATURAL), parse_cards(BANKER_WINS))
    assert play.state.phase is Phase.INITIAL_CARDS
    play.deal("Kd 3c")
    assert [(each.bet.on, each.result) for each in play.settle().lines] == [("banker", "lose")]
    play.replays()


def test_commission_5_14_it_can_be_corrected_again_and_others_stand() -> None:
    play = settled(COMMISSION, NATURAL, ("ann", "player", 10_000), ("bo", "tie", 5_000))
    assert [line.bet.patron for line in corrected(play, BANKER_WINS).lines] == ["ann"]
    tied = corrected(play, "9c 9d Ks Kc")
    assert [(each.bet.patron, each.before_cents, each.after_cents) for each in tied.lines] == [
        ("ann", 0, 10_000),
        ("bo", 0, 45_000),
    ]
    assert tied.lines[1].line is not None
    assert tied.lines[1].line.rule == "4.1.2"
    assert play.state.last is not None
    assert play.state.last.cards == parse_cards("9c 9d Ks Kc")


def test_commission_5_14_contradictions_are_refused() -> None:
    play = settled(COMMISSION)
    assert play.refused(correcting(NATURAL)) == ("facts-contradict", "5.14")
    assert play.refused(correcting("9h 2c")) == ("card-missing", "3.10")
    assert play.refused(correcting("9h 2c Kd 3c 4c")) == ("card-too-many", "3.12")
    assert play.refused(correcting(BANKER_WINS, 2)) == ("round-not-settled", "5.14")
    assert play.refused(correcting(BANKER_WINS, 0)) == ("round-not-settled", "5.14")
    assert play.refused(correcting(BANKER_WINS, reason=" ")) == ("reason-missing", "5.14")
    assert play.refused(correcting(BANKER_WINS, by=DEALER))[0] == "not-permitted"
    for _ in range(7):
        play.open().close().deal(NATURAL)
        play.settle()
    assert play.refused(correcting("9h 2c 9h 3c")) == ("card-copies", "2.2.1")
    play.report("wrong-number-of-cards", SUPERVISOR, **MIXED_UP)
    assert play.refused(correcting(BANKER_WINS, 8)) == ("facts-contradict", "5.14")


def test_commission_5_14_a_shoe_of_known_order_was_not_keyed() -> None:
    play = Play(COMMISSION, shoe=NATURAL).sit("ann").open(("ann", "player", 10_000)).close()
    at.deal_on(play, 4)
    play.settle()
    assert play.refused(correcting(BANKER_WINS)) == ("facts-contradict", "5.14")


def test_commission_5_14_a_round_is_corrected_while_cards_are_opened() -> None:
    play = settled(COMMISSION, face_down=True, live=True).open(("ann", "player", 10_000)).close()
    at.deal_on(play, 4)
    assert play.state.phase is Phase.OPENING
    assert corrected(play, BANKER_WINS).round == 1
    assert play.state.phase is Phase.OPENING


def test_easy_six_only_the_shift_manager_corrects_a_round() -> None:
    play = settled(EASY_SIX)
    assert play.refused(correcting(BANKER_WINS, by=MANAGER)) == ("not-permitted", None)
    assert corrected(play, BANKER_WINS).rule is None


def test_commission_5_14_the_shoe_counts_the_cards_as_they_were() -> None:
    play = settled(COMMISSION)
    corrected(play, "9h 2c Kd 3d")
    assert play.shoe.seen == dict.fromkeys(parse_cards("9h 2c Kd 3d"), 1)


def test_da_hu_ying_xiong_5_15_insurance_settles_again_or_was_never_on_offer() -> None:
    play = at.table_for(TIGER, "ann").open(("ann", "banker", 30_000)).close().deal("5h Kd 6s 6c")
    play.do(acts.Insure(patron("ann"), "ann", 1, "banker-insurance", Cents(1_000)))
    play.deal("9h")
    play.settle()
    same_offer = corrected(play, "5h Kd 6s 6c 6h 2d")  # Banker draws: 7 to 8
    assert {line.bet.on: line.after_cents for line in same_offer.lines} == {"banker": 60_000}
    other = corrected(play, "5h Kd 4s 6c")  # Player 9: nothing was ever on offer
    assert {line.bet.on: line.after_cents for line in other.lines} == {"banker": 0, "banker-insurance": 1_000}


def test_commission_5_14_what_was_decided_for_a_bet_stays() -> None:
    play = settled(COMMISSION, NATURAL, ("ann", "player", 10_000), ("bo", "player", 10_000))
    play.report("anything-else", SHIFT, round=1)
    play.do(acts.Decide(SHIFT, Decision.RETURN_BETS, "a dispute", bets=(ANN_ON_PLAYER,)))
    assert [line.bet.patron for line in corrected(play, BANKER_WINS).lines] == ["bo"]


# ------------------------------------------------------------------------------------------- insurance not offered


INSURED_LOST = "5h Kd 6s 6c 7h Kd"  # after four cards Banker 6 to 1 is on offer; Player wins with 8 to 6
SECOND_OFFER = "2h Kd 2s 6c 7h 4d"  # Banker 6 is on offer in both windows, and loses with 0 to 1
ON_BANKER = Claim("ann", 1, Hand.BANKER)


def claiming(play: Play, window: Window = Window.FOUR_CARDS, *, number: int | None = None) -> acts.Report:
    return play.reporting("insurance-neglected", MANAGER, round=number, window=window, claims=(ON_BANKER,))


def neglected(**settings: bool) -> Play:
    """Ann lost 300.00 on Player's side of an insurable round, and round 2 has begun."""
    play = at.table_for(TIGER, "ann", "bo", live=True, **settings)
    play.open(("ann", "player", 30_000), ("bo", "banker", 30_000)).close().deal(
        "2h 2d 4s 3c"
    )  # Player 6 stands, Banker 5 draws
    play.do(acts.Leave(patron("bo"), "bo"))
    play.deal("4d")  # Banker wins with 9
    play.settle()
    return play.open()


CLAIM = Claim("ann", 1, Hand.PLAYER)


def test_da_hu_ying_xiong_5_13_has_no_time_limit() -> None:
    play = neglected()
    play.confirmed(play.reporting("insurance-neglected", MANAGER, round=1, window=Window.FOUR_CARDS, claims=(CLAIM,)))
    (adjusted,) = play.of(acts.RoundAdjusted)
    (line,) = adjusted.lines
    assert (adjusted.round, line.before_cents, line.after_cents, line.rule) == (1, 0, 30_000, "5.13")
    assert play.state.phase is Phase.BETTING
    # With other cards that insurance would not have won: the bet is settled after all.
    assert {each.bet.patron: each.after_cents for each in corrected(play, "2h 2d 4s 3c Kd").lines} == {
        "ann": 60_000,
        "bo": 0,
    }


def test_da_hu_ying_xiong_5_13_waits_for_a_pit_manager_about_an_earlier_round() -> None:
    play = neglected()
    play.report("insurance-neglected", DEALER, round=1, window=Window.FOUR_CARDS, claims=(CLAIM,))
    assert not play.of(acts.RoundAdjusted)
    play.do(acts.Decide(MANAGER, Decision.APPROVE))
    assert play.of(acts.RoundAdjusted)[0].lines[0].correction_cents == 30_000


def test_da_hu_ying_xiong_5_13_who_walked_away_cannot_claim_for_an_earlier_round() -> None:
    play = neglected()
    away = play.reporting(
        "insurance-neglected", MANAGER, round=1, window=Window.FOUR_CARDS, claims=(Claim("bo", 2, Hand.BANKER),)
    )
    assert play.refused(away) == ("facts-contradict", "5.3")


def test_da_hu_ying_xiong_4_2_2_nothing_was_neglected_without_insurance() -> None:
    play = neglected(without_insurance=True)
    claim = play.reporting("insurance-neglected", MANAGER, round=1, window=Window.FOUR_CARDS, claims=(CLAIM,))
    assert play.refused(claim) == ("facts-contradict", "4.2.2")


def test_da_hu_ying_xiong_5_13_a_return_survives_a_correction_of_the_last_round() -> None:
    play = settled(TIGER, INSURED_LOST, ("ann", "banker", 10_000), live=True)
    play.confirmed(claiming(play))
    assert balances(play, ann=10_000) == {"patron:ann": 10_000}
    play.confirmed(correcting("5h Kd 6s 6c 7h Qd"))
    assert play.of(acts.RoundAdjusted)[-1].lines == ()
    assert balances(play, ann=10_000) == {"patron:ann": 10_000}


def test_da_hu_ying_xiong_5_3_who_has_forgone_cannot_claim_for_the_second_window() -> None:
    play = at.table_for(TIGER, "ann", live=True).open(("ann", "banker", 10_000)).close().deal(SECOND_OFFER)
    at.contradicts(play, claiming(play, Window.PLAYER_THIRD), Contradiction.FORGONE, "5.3")
    play.settle()
    at.contradicts(play, claiming(play, Window.PLAYER_THIRD), Contradiction.FORGONE, "5.3")
    play.open()
    at.contradicts(play, claiming(play, Window.PLAYER_THIRD, number=1), Contradiction.FORGONE, "5.3")
    # Whoever was not offered insurance in the first window had not forgone it.
    play.confirmed(claiming(play, number=1))
    assert not isinstance(play.decide(claiming(play, Window.PLAYER_THIRD, number=1)), Refusal)


def test_da_hu_ying_xiong_5_3_a_claim_restores_the_right_of_the_claimant_alone() -> None:
    play = at.table_for(TIGER, "ann", "bo", live=True).open(("ann", "banker", 10_000), ("bo", "banker", 10_000)).close()
    play.deal("2h Kd 2s 6c 7h")
    play.confirmed(claiming(play))
    assert play.round.forgone == {"bo"}
    insuring = [
        acts.Insure(patron(name), name, box, "banker-insurance", Cents(100)) for box, name in ((1, "ann"), (2, "bo"))
    ]
    assert play.refused(insuring[1]) == ("insurance-closed", "5.3")
    play.do(insuring[0])


def test_da_hu_ying_xiong_5_13_a_claim_during_the_round_waits_for_a_second_person() -> None:
    play = at.table_for(TIGER, "ann", live=True).open(("ann", "banker", 10_000)).close().deal(INSURED_LOST)
    play.do(claiming(play))
    assert not play.of(acts.InsuranceClaimed)
    play.do(acts.Decide(SHIFT, Decision.APPROVE))
    assert [line.bet.patron for line in play.settle().returned] == ["ann"]


# ------------------------------------------------------------------------------------------- decisions


@pytest.mark.parametrize("game", GAMES)
def test_the_shift_manager_decides_about_money_in_a_round(game: str) -> None:
    """`commission` 5.17, `da-hu-ying-xiong` 5.18, and house practice elsewhere."""
    rule = OTHERWISE.get(game)
    play = at.table_for(game, "ann", "bo").open(("ann", "player", 10_000), ("bo", "banker", 10_000)).close()
    play.deal("9h 2c")
    play.report("anything-else")
    assert (
        play.refused(acts.Decide(MANAGER, Decision.RETURN_BETS, "as seen", bets=(ANN_ON_PLAYER,)))[0] == "not-permitted"
    )
    assert play.refused(acts.Decide(SHIFT, Decision.RETURN_BETS, "", bets=(ANN_ON_PLAYER,)))[0] == "reason-missing"
    assert play.refused(acts.Decide(SHIFT, Decision.RETURN_BETS, "as seen"))[0] == "inputs-missing"
    play.do(acts.Decide(SHIFT, Decision.RETURN_BETS, "as seen", bets=(ANN_ON_PLAYER,)))
    (line,) = play.of(acts.BetsReturned)[0].lines
    assert (line.reason, line.rule, line.returned_cents) == ("decided", rule, 10_000)
    play.report("anything-else", SHIFT)
    bos = Spot(2, "bo", "banker")
    play.do(acts.Decide(SHIFT, Decision.PAY_BETS, "as agreed", bets=(bos,), odds=Odds.parse("1:2")))
    (paid,) = play.of(acts.BetsPaid)[0].lines
    assert (paid.returned_cents, paid.rule) == (15_000, rule)
    play.deal("Kd 3c")
    assert play.settle().lines == ()
    assert balances(play, ann=10_000, bo=10_000) == {"patron:ann": 10_000, "patron:bo": 15_000, "house:t1": -5_000}
    play.replays()


@pytest.mark.parametrize("game", GAMES)
def test_the_shift_manager_decides_about_an_earlier_round(game: str) -> None:
    play = settled(game, BANKER_WINS, ("ann", "player", 10_000), ("bo", "banker", 10_000))
    play.open()
    play.report("anything-else", SHIFT, round=1)
    odds = Odds.parse("1:1")
    play.do(acts.Decide(SHIFT, Decision.PAY_BETS, "the bet was misplaced", bets=(ANN_ON_PLAYER,), odds=odds))
    (line,) = play.of(acts.RoundAdjusted)[0].lines
    assert (line.before_cents, line.after_cents, line.rule, line.decided) == (0, 20_000, OTHERWISE.get(game), True)
    play.report("anything-else", SHIFT, round=1)
    assert play.refused(acts.Decide(SHIFT, Decision.OPTIONS, "no"))[0] == "facts-contradict"
    play.do(acts.Decide(SHIFT, Decision.VOID, "nothing can be established"))
    voided = play.of(acts.RoundAdjusted)[-1]
    assert voided.void
    assert {each.bet.patron: each.after_cents for each in voided.lines} == {"ann": 10_000, "bo": 10_000}
    record = record_of(play.sheet, play.log, 1)
    assert record is not None
    assert record.void
    after = balances(play, ann=50_000, bo=50_000)
    assert (
        sum(after[account] for account in ("patron:ann", "owed:ann", "patron:bo", "owed:bo") if account in after)
        == 100_000
    )
    assert play.refused(correcting(NATURAL))[0] == "facts-contradict"
    assert play.refused(play.reporting("anything-else", SHIFT, round=9))[0] == "round-not-settled"


@pytest.mark.parametrize("game", GAMES)
def test_the_shift_manager_pays_or_charges_a_named_patron(game: str) -> None:
    play = settled(game)
    play.report("anything-else", SHIFT)
    assert play.refused(acts.Decide(SHIFT, Decision.PAY_AMOUNT, "goodwill", account="ann", amount_cents=Cents(0))) == (
        "amount-out-of-range",
        None,
    )
    play.do(acts.Decide(SHIFT, Decision.PAY_AMOUNT, "goodwill", account="zoe", amount_cents=Cents(700)))
    play.report("anything-else", SHIFT, round=1)
    play.do(acts.Decide(SHIFT, Decision.CHARGE_AMOUNT, "a chip was lost", account="bo", amount_cents=Cents(300)))
    assert [(each.round, each.amount_cents, each.rule) for each in play.of(acts.AmountDecided)] == [
        (1, 700, OTHERWISE.get(game)),
        (1, -300, OTHERWISE.get(game)),
    ]
    held = balances(play, ann=10_000)
    assert (held["patron:zoe"], held["owed:bo"]) == (700, -300)


@pytest.mark.parametrize("account", ["no such person!", "ann:1", "cash:3", "cash:99"])
def test_commission_5_17_an_amount_needs_a_name_that_the_ledger_can_post(account: str) -> None:
    play = settled(COMMISSION)
    play.report("anything-else", SHIFT)
    paying = acts.Decide(SHIFT, Decision.PAY_AMOUNT, "goodwill", account=account, amount_cents=Cents(500))
    assert play.refused(paying) == ("name-invalid", None)
    live = settled(COMMISSION, live=True)
    live.report("anything-else", SHIFT)
    if account == "cash:3":
        live.confirmed(paying)
        assert balances(live, ann=10_000)["chips:t1"] == 500
    else:
        assert live.refused(paying) == ("name-invalid", None)


def test_commission_5_17_a_void_takes_back_what_was_paid_within_the_round() -> None:
    play = at.table_for(COMMISSION, "ann", "bo").open(("ann", "player", 10_000), ("bo", "banker", 10_000)).close()
    play.report("anything-else", SHIFT)
    odds = Odds.parse("2:1")
    play.do(acts.Decide(SHIFT, Decision.PAY_BETS, "as agreed", bets=(Spot(2, "bo", "banker"),), odds=odds))
    play.deal(NATURAL).settle()
    play.report("anything-else", SHIFT, round=1)
    play.do(acts.Decide(SHIFT, Decision.VOID, "on reflection"))
    after = balances(play, ann=10_000, bo=10_000)
    assert after.get("house:t1", 0) == 0
    assert [after[f"patron:{name}"] + after[f"owed:{name}"] for name in ("ann", "bo")] == [10_000, 10_000]


def paid_within_the_round(cards: str) -> Play:
    """Bo's bet on Banker was paid 2:1 by decision; Ann's on Player is open, and so are 50.00 of cash."""
    play = at.table_for(COMMISSION, "ann", "bo", live=True)
    play.open(("ann", "player", 10_000), ("bo", "banker", 10_000))
    play.do(acts.RecordBet(DEALER, "cash:3", 3, "banker", Cents(5_000)))
    play.close().deal(cards).report("anything-else", SHIFT)
    named = (Spot(2, "bo", "banker"), Spot(3, "cash:3", "banker"))
    play.confirmed(acts.Decide(SHIFT, Decision.PAY_BETS, "as agreed", bets=named, odds=Odds.parse("2:1")))
    return play


@pytest.mark.parametrize("decision", [Decision.PAY_BETS, Decision.RETURN_BETS])
def test_commission_insurance_4_1_4_insurance_stays_when_its_original_bet_ends_by_decision(
    decision: Decision,
) -> None:
    """The original bet was over the Differential, which this sheet does not scale: the excess leaves with it."""
    play = at.table_for(INSURANCE, "ann", live=True).open()
    play.do(acts.RecordBet(DEALER, "ann", 1, "banker", Cents(10_000_000)))
    play.close().deal("5h Kd 6s 6c")  # Player 1, Banker 6
    play.do(at.insuring("ann", 1, "banker-insurance", 10_000))
    play.report("anything-else", SHIFT)
    odds = Odds.parse("1:1") if decision is Decision.PAY_BETS else None
    play.confirmed(acts.Decide(SHIFT, decision, "as agreed", bets=(Spot(1, "ann", "banker"),), odds=odds))
    play.deal("8s")  # Player 9
    assert [(line.bet.on, line.result, line.rule) for line in play.settle().lines] == [
        ("banker-insurance", "win", "4.1.3")
    ]
    play.replays()


def money_is_as_before_the_round(play: Play) -> None:
    after = balances(play, ann=10_000, bo=10_000)
    assert {name: after[f"patron:{name}"] + after.get(f"owed:{name}", 0) for name in ("ann", "bo")} == {
        "ann": 10_000,
        "bo": 10_000,
    }
    assert [after.get(account, 0) for account in ("chips:t1", "house:t1", "bets:t1")] == [0, 0, 0]


def test_commission_5_5_1_a_void_takes_back_what_was_paid_in_the_running_round() -> None:
    play = paid_within_the_round("9h 2c")
    assert balances(play, ann=10_000, bo=10_000)["chips:t1"] == 10_000
    asked = play.report("foreign-card")
    effect = effect_of(play.state, play.case)
    assert effect is not None
    assert [(each.patron, each.after_cents) for each in effect.money] == [
        ("ann", 10_000),
        ("bo", 10_000),
        ("cash:3", 5_000),
    ]
    assert not play.of(acts.RoundVoided, asked)
    play.do(acts.Decide(SECOND, Decision.APPROVE))
    (adjusted,) = play.of(acts.RoundAdjusted)
    assert [(each.before_cents, each.after_cents, each.rule) for each in adjusted.lines] == [
        (30_000, 10_000, "5.15"),
        (15_000, 5_000, "5.15"),
    ]
    money_is_as_before_the_round(play)
    play.replays()


def test_commission_5_5_3_a_void_takes_back_what_was_paid_in_the_settled_round() -> None:
    play = paid_within_the_round(NATURAL)
    play.settle()
    play.confirmed(play.reporting("wrong-number-of-cards", SUPERVISOR, **MIXED_UP))
    assert play.state.last is not None
    assert play.state.last.void
    money_is_as_before_the_round(play)
    play.replays()


def test_easy_six_a_second_person_confirms_that_chips_over_the_maximum_stand() -> None:
    play = at.table_for(EASY_SIX, "ann", live=True, second_person=True).open()
    play.do(acts.RecordBet(DEALER, "ann", 1, "banker", Cents(200_000)))
    play.close().deal(NATURAL)
    play.do(acts.Settle(DEALER))
    play.do(acts.Decide(SHIFT, Decision.CONTINUE, "as seen"))
    assert play.refused(acts.Settle(DEALER))[0] == "round-held"
    play.do(acts.Decide(SHIFT, Decision.DECLINE, "on reflection"))
    assert play.case.waits is Waits.DECISION
    play.do(acts.Decide(SHIFT, Decision.CONTINUE, "as seen"))
    play.do(acts.Decide(MANAGER, Decision.APPROVE))
    assert len(play.settle().lines) == 1


def test_commission_5_17_a_case_about_an_earlier_round_outlasts_a_void() -> None:
    play = settled(COMMISSION).open(("ann", "player", 10_000)).close().deal("9h 2c")
    play.report("anything-else", round=1, note="a dispute of round 1")
    play.report("technical-interruption", SUPERVISOR)
    assert [event.round for event in play.of(acts.RoundVoided)] == [2]
    assert play.state.round is None
    assert (play.state.phase, play.case.waits) == (Phase.HELD, Waits.DECISION)
    play.do(acts.Decide(SHIFT, Decision.RETURN_BETS, "goodwill", bets=(ANN_ON_PLAYER,)))
    assert play.of(acts.RoundAdjusted)[-1].round == 1
    play.open().replays()  # nothing holds the table any more


@pytest.mark.parametrize(("decision", "leads_to"), [("options", "options-offered"), ("return-bets", "bets-returned")])
def test_commission_5_17_a_second_person_confirms_what_touches_bets(decision: str, leads_to: str) -> None:
    play = at.one_bet(COMMISSION, "9h", second_person=True)
    play.report("anything-else", SHIFT)
    decided = play.do(acts.Decide(SHIFT, Decision(decision), "as seen", bets=(ANN_ON_PLAYER,)))
    assert [each.kind for each in decided] == ["decision-made", "confirmation-asked"]
    assert leads_to in [each.kind for each in play.do(acts.Decide(MANAGER, Decision.APPROVE))]


# ------------------------------------------------------------------------------------------- debts


def test_commission_5_5_3_a_void_goes_through_after_a_cash_out() -> None:
    play = settled(COMMISSION)
    held, bets = Balances(), BetLedger("t1")
    assert held.apply([buy("ann", 10_000, "r")]) is None
    for seq, event in enumerate(play.log, 1):
        transfers, bets = bets.moves(seq, event)
        assert held.apply(transfers) is None
    assert held.apply([cash_out("ann", 20_000, "r")]) is None
    voided = play.report("wrong-number-of-cards", SUPERVISOR, **MIXED_UP)
    for seq, event in enumerate(voided, len(play.log)):
        transfers, bets = bets.moves(seq, event)
        assert held.apply(transfers) is None
    assert (held["patron:ann"], held["owed:ann"], held["house:t1"]) == (0, -10_000, 0)
    assert held.apply([buy("ann", 4_000, "r")]) is None
    assert held.apply([collect("ann", collectable(held["patron:ann"], held["owed:ann"]), "c")]) is None
    assert (held["patron:ann"], held["owed:ann"]) == (0, -6_000)


# ------------------------------------------------------------------------------------------- chips without an account


def cash_bet(game: str, box: int = 3, stake: int = 5_000) -> Play:
    play = at.table_for(game, "ann", live=True).open(("ann", "player", 10_000))
    play.do(acts.RecordBet(DEALER, cash_patron(box), box, "player", Cents(stake)))
    return play


@pytest.mark.parametrize("game", [COMMISSION, TIGER])
def test_one_stands_behind_a_box_that_cash_alone_holds(game: str) -> None:
    """`commission` 1.17 and 1.18, `da-hu-ying-xiong` 1.19 and 1.21: whoever bets cash there is the seated patron."""
    play = at.table_for(game, live=True).open()
    standing = acts.Stand(patron("bo"), "bo", 3)
    assert play.refused(standing)[0] == "nobody-seated"
    play.do(acts.RecordBet(DEALER, "cash:3", 3, "player", Cents(5_000)))
    play.do(standing)
    play.bet("bo", "player", 2_500, 3)
    play.do(acts.RecordBet(DEALER, "cash:3", 3, "player", Cents(0)))
    assert play.refused(play.placing("bo", "banker", 2_500, 3))[0] == "no-seated-bet"
    play.close().deal(NATURAL).settle()
    assert play.backs() == {("bo", "player"): 5_000}
    play.replays()


@pytest.mark.parametrize("game", [COMMISSION, TIGER, INSURANCE, EASY_SIX])
def test_chips_that_lie_on_a_live_layout_settle(game: str) -> None:
    """`commission` 5.13, `da-hu-ying-xiong` 5.14."""
    play = cash_bet(game).close().deal(NATURAL)
    assert {line.bet.patron: line.returned_cents for line in play.settle().lines} == {"ann": 20_000, "cash:3": 10_000}
    assert balances(play, ann=10_000) == {"patron:ann": 20_000, "chips:t1": 5_000, "house:t1": -15_000}
    corrected(play, BANKER_WINS)
    assert balances(play, ann=10_000)["chips:t1"] == -5_000


def test_commission_5_13_nobody_can_take_the_name_of_cash() -> None:
    play = cash_bet(COMMISSION)
    assert play.refused(acts.Sit(DEALER, "cash:4", 4)) == ("name-invalid", None)
    assert play.refused(acts.PlaceBet(DEALER, "cash:3", 3, "tie", Cents(2_500)))[0] == "not-at-box"
    assert play.refused(acts.RecordBet(DEALER, "cash:4", 3, "tie", Cents(2_500)))[0] == "not-at-box"
    terminals = at.table_for("non-commission", live=True).open()
    assert terminals.refused(acts.RecordBet(DEALER, "cash:3", 3, "tie", Cents(2_500)))[0] == "terminals-only"
    virtual = at.table_for(COMMISSION).open()
    assert virtual.refused(acts.RecordBet(DEALER, "cash:3", 3, "tie", Cents(2_500)))[0] == "not-at-box"


def test_commission_5_12_staff_choose_for_chips_without_an_account() -> None:
    play = cash_bet(COMMISSION).close().deal("5h Kd")
    play.report("other-dealing-error", SUPERVISOR)
    play.do(acts.Choose(patron("ann"), "ann", Option.CONTINUE))
    play.do(acts.Choose(DEALER, "cash:3", Option.TAKE_BACK))
    assert [line.bet.patron for line in play.of(acts.BetsReturned)[0].lines] == ["cash:3"]


def test_da_hu_ying_xiong_3_12_chips_without_an_account_are_insured() -> None:
    play = at.table_for(TIGER, live=True).open()
    play.do(acts.RecordBet(DEALER, "cash:3", 3, "banker", Cents(30_000)))
    play.close().deal("5h Kd 6s 6c")
    play.do(acts.Insure(DEALER, "cash:3", 3, "banker-insurance", Cents(1_000)))
    play.deal(BANKER_INSURABLE.split()[-1])
    assert {line.bet.on: line.result for line in play.settle().lines} == {"banker": "win", "banker-insurance": "lose"}


def test_da_hu_ying_xiong_5_3_the_dealer_records_that_a_cash_bettor_will_insure() -> None:
    play = at.table_for(TIGER, live=True).open()
    play.do(acts.RecordBet(DEALER, "cash:3", 3, "banker", Cents(10_000)))
    play.close().deal("2h Kd 2s 6c")
    assert play.refused(acts.AnnounceInsurance(DEALER, "cash:4"))[0] == "nothing-to-announce"
    play.do(acts.AnnounceInsurance(DEALER, "cash:3"))
    play.deal("7h")
    play.do(acts.Insure(DEALER, "cash:3", 3, "banker-insurance", Cents(1_000)))


def test_commission_1_17_whoever_bets_cash_where_nobody_sits_holds_the_box() -> None:
    play = at.table_for(COMMISSION, "ann", live=True, face_down=True)
    play.do(acts.Sit(patron("bo"), "bo", 3))
    play.do(acts.Stand(patron("cy"), "cy", 3))
    play.do(acts.Leave(patron("bo"), "bo"))
    play.open(("ann", "player", 10_000))
    assert play.refused(play.placing("cy", "player", 2_500, 3)) == ("no-seated-bet", "1.18")
    play.do(acts.RecordBet(DEALER, "cash:3", 3, "player", Cents(20_000)))
    play.bet("cy", "player", 2_500, 3)
    play.close()
    assert play.refused(acts.AskSqueeze(patron("ann"), "ann", SqueezeOf.CARD))[0] == "squeeze-not-highest"
    play.do(acts.AskSqueeze(DEALER, "cash:3", SqueezeOf.CARD))
