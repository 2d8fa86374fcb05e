"""Situations at a table that several sheets answer alike. Each takes the game; the sheets' tests name paragraphs."""

from __future__ import annotations

from typing import Any

from punto.rules.cards import parse_cards
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.money import Cents
from punto.rules.refusals import Code, Refusal
from punto.rules.sheet import Role, Ruling
from punto.table import commands as c
from punto.table import events as e
from punto.table.phases import Phase
from punto.table.refusals import TableCode
from punto.table.state import Waits
from tests.table_kit import DEALER, MANAGER, SHIFT, SUPERVISOR, Play, patron

Refused = tuple[Code, str | None]

# ------------------------------------------------------------------------------------------- how to play


def result(game: str, cards: str) -> e.ResultDeclared:
    play = Play(game).open().close().deal(cards)
    return play.of(e.ResultDeclared)[0]


def table_for(game: str, *patrons: str, **settings: Any) -> Play:
    return Play(game, **settings).sit(*patrons)


def bet_before_the_call(game: str) -> Refused:
    play = table_for(game, "ann")
    return play.refused(play.placing("ann", "banker", 10_000))


def call_opens_bets(game: str) -> e.BetsOpened:
    play = table_for(game, "ann").open(("ann", "banker", 10_000))
    assert play.state.phase is Phase.BETTING
    return play.of(e.BetsOpened)[0]


def bet_after_the_close(game: str) -> Refused:
    play = table_for(game, "ann").open(("ann", "banker", 10_000)).close()
    return play.refused(play.placing("ann", "tie", 2_500))


def raise_after_the_close(game: str) -> Refused:
    play = table_for(game, "ann").open(("ann", "banker", 10_000)).close()
    return play.refused(c.RaiseBet(patron("ann"), "ann", 1, "banker", Cents(100)))


def withdrawal_after_the_close(game: str) -> Refused:
    """Refused, and the bet stays in play to win or lose."""
    play = table_for(game, "ann").open(("ann", "player", 10_000)).close()
    refused = play.refused(c.WithdrawBet(patron("ann"), "ann", 1, "player"))
    play.deal("9h 2c Kd 3c").settle()
    assert play.backs() == {("ann", "player"): 20_000}
    return refused


def close_call(game: str) -> e.BetsClosed:
    return Play(game).open().close().of(e.BetsClosed)[0]


def every_side_bet_alone(game: str) -> None:
    """Each side bet lies without an original bet and is settled."""
    play = table_for(game, "ann").open()
    sides = [bet.id for bet in play.sheet.bets.values() if bet.hand is None]
    for on in sides:
        play.bet("ann", on, 2_500)
    play.close().deal("9h 2c Kd 3c").settle()
    assert {on for _, on in play.backs()} == set(sides)


def original_bets_both_ways(game: str) -> None:
    play = table_for(game, "ann", "bo").open(("ann", "player", 10_000), ("bo", "banker", 10_000))
    play.close().deal("9h 2c Kd 3c").settle()
    assert play.backs() == {("ann", "player"): 20_000, ("bo", "banker"): 0}


def four_cards(game: str) -> list[tuple[Hand, str]]:
    play = Play(game).open().close().deal("2h 3d 4s 5c")
    return [(card.hand, card.rule) for card in play.of(e.CardDealt)]


def third_cards(game: str) -> list[tuple[Hand, str]]:
    """Player 2 draws, Banker 2 draws: the fifth and the sixth card."""
    play = Play(game).open().close().deal("2h 2d Ks Kc 4h 5d")
    return [(card.hand, card.rule) for card in play.of(e.CardDealt)][4:]


def player_stands(game: str) -> None:
    """With Player standing on 6, Banker draws on 5 and stands on 6."""
    play = Play(game).open().close().deal("2h 2d 4s 3c")
    assert play.refused(c.Settle(DEALER))[0] is TableCode.WRONG_PHASE
    play.deal("Kh")
    assert play.of(e.CardDealt)[-1].hand is Hand.BANKER
    assert Play(game).open().close().deal("2h 3d 4s 3c").state.phase is Phase.RESULT


def tie_returns(game: str) -> list[str]:
    play = table_for(game, "ann", "bo").open(("ann", "player", 10_000), ("bo", "banker", 10_000))
    settled = play.close().deal("9h 9d Kd Kc").settle()
    assert play.backs() == {("ann", "player"): 10_000, ("bo", "banker"): 10_000}
    return [line.rule for line in settled.lines]


# ------------------------------------------------------------------------------------------- limits


def standing_behind(game: str) -> Play:
    """Ann sits at box 1, bo and cy stand behind; the Differential is 1,000.00, bo 600.00 and cy 400.00 on Banker."""
    play = table_for(game, "ann")
    for name in ("bo", "cy"):
        play.do(c.Stand(patron(name), name, 1))
    return play.open(("bo", "banker", 60_000), ("cy", "banker", 40_000))


def excess_before_close(game: str) -> Refused:
    """A standing patron takes what is left; a seated one takes room from the last who came."""
    play = standing_behind(game)
    refused = play.refused(c.RaiseBet(patron("bo"), "bo", 1, "banker", Cents(100)))
    moved = play.of(e.BetDisplaced, play.bet("ann", "banker", 50_000))
    assert [(each.bet.patron, each.returned_cents, each.rule) for each in moved] == [
        ("cy", 40_000, refused[1]),
        ("bo", 10_000, refused[1]),
    ]
    too_much = play.decide(c.RaiseBet(patron("ann"), "ann", 1, "banker", Cents(50_100)))
    assert isinstance(too_much, Refusal)
    assert too_much.code is TableCode.OVER_DIFFERENTIAL
    assert "ann may add 500.00 on banker" in too_much.message  # what is left, and what bo gives up
    play.do(c.RaiseBet(patron("ann"), "ann", 1, "banker", Cents(50_000)))
    return refused


def pro_rata(game: str) -> set[str | None]:
    """Recorded as they lie, 1,500.00 and 500.00 on one side come down to the Differential of 1,000.00."""
    play = table_for(game, "ann", live=True)
    play.do(c.Stand(patron("bo"), "bo", 1))
    play.open()
    play.do(c.RecordBet(DEALER, "ann", 1, "player", Cents(150_000)))
    play.do(c.RecordBet(DEALER, "bo", 1, "player", Cents(50_000)))
    settled = play.close().deal("9h 2c Kd 3c").settle()
    assert {line.bet.patron: line.in_play_cents for line in settled.lines} == {"ann": 75_000, "bo": 25_000}
    assert play.backs() == {("ann", "player"): 225_000, ("bo", "player"): 75_000}
    return {line.in_play_rule for line in settled.lines}


def pro_rata_never_below_minimum(game: str) -> None:
    play = table_for(game, "ann", live=True)
    play.do(c.Stand(patron("bo"), "bo", 1))
    play.open()
    play.do(c.RecordBet(DEALER, "ann", 1, "player", Cents(1_000_000)))
    play.do(c.RecordBet(DEALER, "bo", 1, "player", Cents(2_500)))
    settled = play.close().deal("9h 2c Kd 3c").settle()
    assert {line.bet.patron: line.in_play_cents for line in settled.lines} == {"ann": 97_500, "bo": 2_500}


def pro_rata_exempts_small_bets(game: str) -> str | None:
    play = table_for(game, "ann", live=True)
    play.do(c.Stand(patron("bo"), "bo", 1))
    play.open()
    play.do(c.RecordBet(DEALER, "ann", 1, "player", Cents(150_000)))
    play.do(c.RecordBet(DEALER, "bo", 1, "player", Cents(1_000)))
    settled = play.close().deal("9h 2c Kd 3c").settle()
    small = next(line for line in settled.lines if line.bet.patron == "bo")
    assert small.in_play_cents == 1_000
    return small.in_play_rule


def below_minimum_seen(game: str) -> str | None:
    """The patron is asked, bets do not close until the bet is raised or withdrawn."""
    play = table_for(game, "ann", "bo", live=True).open()
    for name, box in (("ann", 1), ("bo", 2)):
        play.do(c.RecordBet(DEALER, name, box, "banker", Cents(1_000)))
        play.report("below-minimum", patron=name, box=box, on="banker")
    assert play.refused(c.CloseBets(DEALER)) == (TableCode.RAISE_PENDING, play.of(e.RaiseAsked)[0].rule)
    play.do(c.RaiseBet(patron("ann"), "ann", 1, "banker", Cents(1_500)))
    play.do(c.WithdrawBet(patron("bo"), "bo", 2, "banker"))
    play.close()
    return play.of(e.RaiseAsked)[0].rule


def below_minimum_refused(game: str) -> Refused:
    play = table_for(game, "ann").open()
    return play.refused(play.placing("ann", "banker", 1_000))


def below_minimum_unseen(game: str) -> str | None:
    play = table_for(game, "ann", live=True).open()
    play.do(c.RecordBet(DEALER, "ann", 1, "player", Cents(1_000)))
    play.close()
    ruled = play.of(e.IncidentRuled, play.report("below-minimum", patron="ann", box=1, on="player"))
    play.deal("9h 2c Kd 3c").settle()
    assert play.backs() == {("ann", "player"): 2_000}
    return ruled[0].rule


# ------------------------------------------------------------------------------------------- irregularities


def walk_away(game: str) -> str | None:
    play = table_for(game, "ann").open(("ann", "player", 10_000))
    left = play.of(e.PatronLeft, play.do(c.Leave(patron("ann"), "ann")))[0]
    play.close().deal("9h 2c Kd 3c").settle()
    assert play.backs() == {("ann", "player"): 20_000}
    assert play.state.seats == {}
    return left.rule


def interrupted(game: str, cards: str) -> Play:
    play = table_for(game, "ann", "bo").open(("ann", "player", 10_000), ("bo", "banker", 20_000)).close().deal(cards)
    play.do(c.Recover(DEALER))
    return play


def concludes(game: str, cards: str) -> str | None:
    play = interrupted(game, cards)
    assert play.state.phase is not Phase.BETWEEN_ROUNDS
    while play.state.phase is not Phase.RESULT:
        play.deal("9s")
    play.settle()
    return play.of(e.IncidentRuled)[0].rule


def voids(game: str, cards: str) -> str | None:
    play = interrupted(game, cards)
    everything_went_back(play)
    return play.of(e.RoundVoided)[0].rule


def everything_went_back(play: Play) -> None:
    assert play.state.phase is Phase.BETWEEN_ROUNDS
    placed = {(each.bet.patron, each.bet.on): each.bet.stake_cents for each in play.of(e.BetPlaced)}
    assert play.backs() == placed


def void_by(game: str, situation: str, **facts: Any) -> tuple[str | None, str | None]:
    """A round before is settled and stands; this one is void. The paragraphs of the void and of the return."""
    play = table_for(game, "ann", "bo").open(("ann", "player", 10_000)).close().deal("9h 2c Kd 3c")
    first = play.settle()
    before = len(play.log)
    play.open(("ann", "player", 10_000), ("bo", "tie", 2_500)).close().deal("9h 2c Kd")
    play.report(situation, **facts)
    voided = play.of(e.RoundVoided)[0]
    assert [line.returned_cents for line in voided.lines] == [10_000, 2_500]
    assert play.state.phase is Phase.BETWEEN_ROUNDS
    assert first in play.log[:before]
    assert not play.of(e.RoundAdjusted)
    return voided.rule, voided.lines[0].rule


def referred(game: str, situation: str, **facts: Any) -> tuple[Role, str | None]:
    """The sheet is silent: the round is held, and the decision recorded with its reason."""
    settings = {"face_down": situation == "dealt-face-up"}
    play = table_for(game, "ann", **settings).open(("ann", "player", 10_000)).close().deal("9h 2c Kd")
    to = play.of(e.IncidentReferred, play.report(situation, **facts))[0]
    assert play.refused(c.Deal(DEALER, parse_cards("3c")[0]))[0] is TableCode.ROUND_HELD
    assert play.refused(c.Decide(MANAGER, c.Decision.CONTINUE, "I say so"))[0] is TableCode.NOT_PERMITTED
    assert play.refused(c.Decide(SHIFT, c.Decision.CONTINUE))[0] is TableCode.REASON_MISSING
    made = play.of(e.DecisionMade, play.do(c.Decide(SHIFT, c.Decision.CONTINUE, "nobody was harmed")))[0]
    assert (made.decision, made.reason, made.by) == (c.Decision.CONTINUE, "nobody was harmed", SHIFT)
    play.deal("3c").settle()
    assert play.backs() == {("ann", "player"): 20_000}
    return to.to, to.rule


def excess_card_carried(game: str) -> str | None:
    """The round is complete: the card too many is the first of the next."""
    play = table_for(game, "ann").open(("ann", "player", 10_000)).close().deal("9h 2c Kd 3c")
    play.report("excess-card", cards="9h 2c Kd 3c 7s", reconstructible=True)
    relaid = play.of(e.CardsRelaid)[0]
    assert relaid.carried == parse_cards("7s")
    assert not play.of(e.OptionsOffered)
    play.settle()
    play.open(("ann", "player", 10_000)).close()
    dealt = play.of(e.CardDealt, play.do(c.Deal(DEALER)))[0]
    assert (dealt.card.text, dealt.hand, dealt.carried) == ("7s", Hand.PLAYER, True)
    return relaid.rule


def excess_card_reconstructed(game: str) -> None:
    """A third card drawn for a Player who stands is Banker's, as an undisturbed deal has it."""
    play = table_for(game, "ann").open(("ann", "player", 10_000)).close().deal("2h 2d 4s 3c")
    play.report("excess-card", cards="2h 2d 4s 3c Kh", reconstructible=True, hand=Hand.PLAYER)
    undisturbed = Play(game).open().close().deal("2h 2d 4s 3c Kh")
    assert play.cards == undisturbed.cards
    assert play.of(e.ResultDeclared) == undisturbed.of(e.ResultDeclared)


def options(game: str, situation: str, dealt: str, **facts: Any) -> e.OptionsOffered | None:
    face_down = situation == "dealt-face-up"
    play = table_for(game, "ann", "bo", face_down=face_down).open(("ann", "player", 10_000), ("bo", "tie", 2_500))
    play.close().deal(dealt)
    offered = play.of(e.OptionsOffered, play.report(situation, **facts))
    return offered[0] if offered else None


def choices(game: str) -> Play:
    """A dealing error after two cards: ann goes on, bo takes the bets back, and the round is held until both chose."""
    play = table_for(game, "ann", "bo").open(("ann", "player", 10_000), ("bo", "banker", 20_000), ("bo", "tie", 2_500))
    play.close().deal("9h 2c")
    play.report("other-dealing-error", reconstructible=False, note="nobody saw the order")
    assert play.state.case is not None
    assert play.state.case.waits is Waits.CHOICES
    play.do(c.Choose(patron("bo"), "bo", c.Option.TAKE_BACK))
    assert play.refused(c.Deal(DEALER, parse_cards("Kd")[0]))[0] is TableCode.ROUND_HELD
    play.do(c.Choose(patron("ann"), "ann", c.Option.CONTINUE))
    assert play.state.phase is Phase.INITIAL_CARDS
    # Whoever goes on accepts what comes.
    assert play.refused(c.WithdrawBet(patron("ann"), "ann", 1, "player"))[0] is TableCode.BETS_CLOSED
    assert play.refused(c.Choose(patron("ann"), "ann", c.Option.TAKE_BACK))[0] is TableCode.WRONG_PHASE
    play.deal("Kd 3c").settle()
    assert play.backs() == {("ann", "player"): 20_000, ("bo", "banker"): 20_000, ("bo", "tie"): 2_500}
    return play


def wrong_area(game: str) -> str | None:
    """Keyed where they lay, Player's second and Banker's first changed places: the drawn order puts them right."""
    play = table_for(game, "ann").open(("ann", "player", 10_000)).close().deal("9h Kd 2c 3c")
    play.report("wrong-area", cards="9h 2c Kd 3c", reconstructible=True)
    undisturbed = Play(game).open().close().deal("9h 2c Kd 3c")
    assert play.cards == undisturbed.cards
    assert play.state.phase is Phase.RESULT
    assert play.of(e.ResultDeclared)[-1] == undisturbed.of(e.ResultDeclared)[0]
    return play.of(e.CardsRelaid)[0].rule


def face_up(game: str) -> str | None:
    play = table_for(game, "ann", face_down=True).open(("ann", "player", 10_000)).close().deal("9h 2c Kd 3c")
    ruled = play.of(e.IncidentRuled, play.report("dealt-face-up"))[0]
    assert not play.of(e.OptionsOffered)
    play.settle()
    assert play.backs() == {("ann", "player"): 20_000}
    return ruled.rule


def two_at_once(game: str) -> Play:
    """Two cards at once after two: the Dealer cannot order them, a Pit Supervisor does; then everyone chooses."""
    play = table_for(game, "ann").open(("ann", "player", 10_000)).close().deal("9h 2c")
    asked = play.of(e.OrderAsked, play.report("simultaneous-cards", cards="3c Kd"))[0]
    assert asked.to is Role.PIT_SUPERVISOR
    assert play.refused(c.Decide(DEALER, c.Decision.ORDER, "", parse_cards("Kd 3c")))[0] is TableCode.NOT_PERMITTED
    wrong = c.Decide(SUPERVISOR, c.Decision.ORDER, "", parse_cards("Kd 4c"))
    assert play.refused(wrong) == (TableCode.FACTS_CONTRADICT, asked.rule)
    play.do(c.Decide(SUPERVISOR, c.Decision.ORDER, "", parse_cards("Kd 3c")))
    assert play.cards == parse_cards("9h 2c Kd 3c")
    return play


def shoe_replaced(game: str) -> tuple[Refused, str | None]:
    play = two_at_once(game)
    refused = play.refused(c.ReplaceShoe(DEALER, "two at once"))
    removed = play.of(e.ShoeRemoved, play.do(c.ReplaceShoe(SUPERVISOR, "two at once")))[0]
    play.do(c.Choose(patron("ann"), "ann", c.Option.CONTINUE))
    play.settle()
    assert play.refused(c.OpenBets(DEALER))[0] is TableCode.SHOE_FINISHED
    play.do(c.LoadShoe(DEALER))
    play.open()
    return refused, removed.rule


def late_error(game: str) -> str | None:
    """An error of round 1 seen in round 2 changes nothing; of the round under way it is not late."""
    play = table_for(game, "ann").open(("ann", "player", 10_000)).close().deal("9h 2c Kd 3c")
    play.settle()
    play.open(("ann", "player", 10_000)).close().deal("9h")
    assert play.refused(play.reporting("late-error", round=2))[0] is TableCode.FACTS_CONTRADICT
    before = play.state
    ruled = play.of(e.IncidentRuled, play.report("late-error", round=1))[0]
    assert ruled.ruling is Ruling.NO_EFFECT
    assert play.state.round == before.round
    assert not play.of(e.RoundAdjusted)
    return ruled.rule


def void_after_settlement(game: str) -> str | None:
    """Settled, but the next round has not begun: the wrong number of cards still voids it, by way of correction."""
    play = table_for(game, "ann", "bo").open(("ann", "player", 10_000), ("bo", "banker", 20_000))
    play.close().deal("9h 2c Kd 3c").settle()
    play.report("wrong-number-of-cards", reconstructible=False, note="four in one hand", hand=Hand.BANKER)
    adjusted = play.of(e.RoundAdjusted)[0]
    assert adjusted.void
    corrections = {each.bet.patron: each.correction_cents for each in adjusted.lines}
    assert corrections == {"ann": -10_000, "bo": 20_000}
    return adjusted.rule


def ruled(game: str, situation: str, **facts: Any) -> tuple[Ruling, str | None]:
    """A ruling that changes nothing at the table."""
    play = table_for(game, "ann").open(("ann", "player", 10_000)).close().deal("9h 2c")
    before = play.state.round
    event = play.of(e.IncidentRuled, play.report(situation, **facts))[0]
    assert play.state.round == before
    play.deal("Kd 3c").settle()
    assert play.backs() == {("ann", "player"): 20_000}
    return event.ruling, event.rule


def bet_by_staff(game: str) -> str | None:
    play = table_for(game, "ann").open()
    placed = play.of(e.BetPlaced, play.do(c.PlaceBet(MANAGER, "ann", 1, "banker", Cents(10_000))))[0]
    assert (placed.bet.patron, placed.by) == ("ann", MANAGER)
    assert play.refused(c.PlaceBet(patron("bo"), "ann", 1, "tie", Cents(2_500)))[0] is TableCode.NOT_YOURS
    return placed.rule


# ------------------------------------------------------------------------------------------- squeeze and insurance


def highest_bet_squeezes(game: str) -> tuple[Refused, str]:
    play = (
        table_for(game, "ann", "bo", face_down=True).open(("ann", "player", 10_000), ("bo", "banker", 20_000)).close()
    )
    refused = play.refused(c.AskSqueeze(patron("ann"), "ann", c.SqueezeOf.CARD))
    asked = play.of(e.SqueezeAsked, play.do(c.AskSqueeze(patron("bo"), "bo", c.SqueezeOf.CARD)))[0]
    answered = play.of(e.SqueezeAnswered, play.do(c.AnswerSqueeze(DEALER, True)))[0]
    assert answered.consent
    assert not answered.waives_second_window
    return refused, asked.rule


def two_at_once_between_rounds(game: str) -> set[str | None]:
    """No round takes them: whoever decides the rest orders them for the next, or the shoe is replaced before."""
    play = table_for(game, "ann").open(("ann", "player", 10_000)).close().deal("9h 2c Kd 3c")
    play.settle()
    referred = play.of(e.IncidentReferred, play.report("simultaneous-cards", cards="7c 8c"))
    for decision in (c.Decision.VOID, c.Decision.OPTIONS):
        assert play.refused(c.Decide(SHIFT, decision, "two at once"))[0] is TableCode.FACTS_CONTRADICT
    code, by = play.refused(c.ReplaceShoe(DEALER, "two at once"))
    assert code is TableCode.NOT_PERMITTED
    removed = play.decide(c.ReplaceShoe(SUPERVISOR, "two at once"))
    assert isinstance(removed, tuple)
    play.do(c.Decide(SHIFT, c.Decision.RECONSTRUCT, "8c was seen first", parse_cards("9h 2c Kd 3c 8c 7c")))
    play.open(("ann", "player", 10_000)).close()
    assert [play.of(e.CardDealt, play.do(c.Deal(DEALER)))[0].card.text for _ in range(2)] == ["8c", "7c"]
    play.replays()
    return {by, *[each.rule for each in removed if isinstance(each, e.ShoeRemoved)], *[each.rule for each in referred]}


def carried_cards_keep_their_shoe(game: str) -> Refused:
    """A card carried to the next round is used in it: no other shoe comes before, but by who decides the rest."""
    play = table_for(game, "ann").open(("ann", "player", 10_000)).close().deal("9h 2c Kd 3c")
    play.report("excess-card", cards="9h 2c Kd 3c 7c", reconstructible=True)
    play.settle()
    refused = play.refused(c.LoadShoe(DEALER))
    assert play.refused(c.ReplaceShoe(MANAGER, "worn")) == (TableCode.NOT_PERMITTED, refused[1])
    assert play.refused(c.ReplaceShoe(SHIFT, " "))[0] is TableCode.REASON_MISSING
    otherwise = play.decide(c.ReplaceShoe(SHIFT, "beer on the cards"))
    assert isinstance(otherwise, tuple)
    assert [each.rule for each in otherwise if isinstance(each, e.ShoeRemoved)] == [play.sheet.authority.otherwise_rule]
    play.open(("ann", "player", 10_000)).close()
    dealt = play.of(e.CardDealt, play.do(c.Deal(DEALER)))[0]
    assert (str(dealt.card), dealt.carried) == ("7c", True)
    play.replays()
    return refused


def a_card_too_many(game: str) -> Refused:
    """The shoe repeats its last reading: nothing came out. It sends another: a card that the round does not take."""
    play = table_for(game, "ann").open(("ann", "player", 10_000)).close()
    for reading, card in enumerate(parse_cards("9h 2c Kd 3c"), 1):
        play.do(c.Deal(DEALER, card, reading))
    again, more = (c.Deal(DEALER, parse_cards(card)[0], reading) for card, reading in (("3c", 4), ("7c", 5)))
    for go_on in (c.Settle(DEALER), c.OpenBets(DEALER), c.CloseBets(DEALER)):
        assert play.refused(again) == (TableCode.READING_REPEATED, None)
        refused = play.refused(more)
        assert refused[0] is TableCode.WRONG_PHASE
        play.do(go_on)
    assert play.refused(again)[0] is TableCode.READING_REPEATED
    play.do(more)
    return refused


def first_request_keeps_its_place(game: str, what: c.SqueezeOf) -> Refused:
    """Ann and bo bet the same, so both may ask: bo is refused until the House has answered ann, and then heard."""
    play = table_for(game, "ann", "bo", face_down=True)
    play.open(("ann", "banker", 10_000), ("bo", "player", 10_000)).close()
    play.do(c.AskSqueeze(patron("ann"), "ann", what))
    bo = c.AskSqueeze(patron("bo"), "bo", what)
    refused = play.refused(bo)
    assert play.refused(c.AskSqueeze(patron("ann"), "ann", what)) == refused  # nor does she ask twice
    answered = play.of(e.SqueezeAnswered, play.do(c.AnswerSqueeze(DEALER, False)))
    assert [each.patron for each in answered] == ["ann"]
    play.do(bo)
    play.do(c.Leave(patron("bo"), "bo"))  # whose request goes with him
    assert play.refused(c.AnswerSqueeze(DEALER, True))[0] is TableCode.SQUEEZE_NOT_ASKED
    play.replays()
    return refused


def asked_once_a_card(game: str, what: c.SqueezeOf) -> Refused:
    """Whatever the House answered, ann does not ask again before the next card is out; then she may."""
    play = table_for(game, "ann", face_down=True).open(("ann", "player", 10_000)).close()
    again = c.AskSqueeze(patron("ann"), "ann", what)
    refused = []
    for consent, card in ((False, "5h"), (False, "Kd"), (True, "6s")):
        play.do(again)
        play.do(c.AnswerSqueeze(DEALER, consent))
        refused.append(play.refused(again))
        play.deal(card)
    play.replays()
    assert len(set(refused)) == 1
    return refused[0]


def no_squeeze(game: str, *, face_down: bool) -> Refused:
    play = table_for(game, "ann", face_down=face_down).open(("ann", "player", 10_000)).close()
    return play.refused(c.AskSqueeze(patron("ann"), "ann", c.SqueezeOf.CARD))


def first_window(game: str) -> Play:
    """Player 1 and Banker 6 after four cards: insurance on Banker at 3:1; ann has 100.00 there, bo on Player."""
    play = table_for(game, "ann", "bo").open(("ann", "banker", 10_000), ("bo", "player", 10_000)).close()
    return play.deal("5h Kd 6s 6c")


def insuring(name: str, box: int, on: str, stake: int) -> c.Insure:
    return c.Insure(patron(name), name, box, on, Cents(stake))


def second_window(game: str, **settings: Any) -> Play:
    """Player 5 and Banker 4, then Player draws a 2: insurance on Player at 2:1 in the first window, then at 4:1."""
    play = table_for(game, "ann", **settings).open(("ann", "player", 10_000)).close()
    return play.deal("2h Kd 3s 4c 2s")


def waiver(game: str, what: c.SqueezeOf, asker: str = "ann") -> tuple[str, Refused]:
    """With consent, Player's third is followed by Banker's with no second window."""
    play = table_for(game, "ann", "bo", face_down=True).open(("ann", "player", 10_000), ("bo", "tie", 2_500)).close()
    play.deal("2h Kd 3s 4c")
    play.do(c.AskSqueeze(patron(asker), asker, what))
    answered = play.of(e.SqueezeAnswered, play.do(c.AnswerSqueeze(DEALER, True)))[0]
    assert answered.waives_second_window
    play.deal("2s")
    assert play.state.phase is Phase.BANKER_THIRD
    return answered.rule, play.refused(insuring("ann", 1, "player-insurance", 100))


def neglected(game: str) -> Play:
    """The Dealer drew on without offering insurance on Banker; it would have won, for Banker loses."""
    play = table_for(game, "ann", "bo").open(("ann", "banker", 10_000), ("bo", "banker", 20_000)).close()
    return play.deal("Kh Kd 4s 5c 5s Kc")


CLAIM = (c.Claim("ann", 1, Hand.BANKER),)
FIRST = Window.FOUR_CARDS
