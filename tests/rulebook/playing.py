"""Scenarios at a table that several sheets rule; `paragraphs.TABLE` says which, and by which paragraph.

A function that is a row takes the game and the paragraphs of its cell, `None` where the sheet cites none. The functions
that set a table up serve these, and what one sheet alone rules.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

from punto.rules.cards import parse_cards
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.money import Cents
from punto.rules.refusals import Refusal
from punto.rules.sheet import AskedBy, Device, Role, Ruling
from punto.table import acts
from punto.table.actor import Actor
from punto.table.acts.insurance import Cover
from punto.table.automatic import AUTOMAT, Step, Timing, next_step
from punto.table.engine import choices as table_choices
from punto.table.phases import Phase
from punto.table.refusals import Contradiction, FactsContradict, OverDifferential
from punto.table.rulings.cases import RulingEffect
from punto.table.rulings.procedures import ReportWay
from punto.table.state import Settings
from punto.table.values import (
    BetLimits,
    BoxProblem,
    BoxWarning,
    Burn,
    Claim,
    Consent,
    Decision,
    Option,
    ReturnReason,
    SqueezeOf,
    Waits,
)
from punto.table.ways import choice_of
from punto.texts import say
from tests.table_kit import BOTH_DRAW, DEALER, MANAGER, NATURAL, SHIFT, SUPERVISOR, Play, patron

Rule = str | None

CALLS = {  # what opens bets, and what closes them
    "commission": ("Place your Bets, please", "No more Bets"),
    "commission-insurance": ("Place your bets, please", "No more bets"),
    "non-commission": ("Place Your Bets", "No More Bets"),
    "easy-six": ("Place your bets, please", "No more bets"),
    "da-hu-ying-xiong": ("Place your Bets, please", "No more Bets"),
}
WAIVERS = (SqueezeOf.BANKER_THIRD_FIRST, SqueezeOf.SHOW_BANKER_THIRD)
BANKER_ON_TWO = "2h 2d 3s Kc"  # Player 5, Banker 2: both draw whatever Player's third card is


def table_for(game: str, *patrons: str, **settings: Any) -> Play:
    return Play(game, **settings).sit(*patrons)


def one_bet(game: str, cards: str = "", **settings: Any) -> Play:
    """Ann has 100.00 on Player, bets are closed, and these cards are dealt."""
    return table_for(game, "ann", **settings).open(("ann", "player", 10_000)).close().deal(cards)


def deal_on(play: Play, number: int) -> None:
    """Deal so many cards: as the shoe has them, or closed."""
    for _ in range(number):
        play.do(acts.Deal(DEALER))


def granted(play: Play, name: str, what: SqueezeOf = SqueezeOf.CARD) -> acts.SqueezeAnswered:
    """A patron asks for a squeeze, and the House consents."""
    play.do(acts.AskSqueeze(patron(name), name, what))
    return play.of(acts.SqueezeAnswered, play.do(acts.AnswerSqueeze(DEALER, True)))[0]


def cover(play: Play, on: str) -> Cover | None:
    """What Ann is offered to insure."""
    insure = choice_of(table_choices(play.state, patron("ann")), acts.Insure)
    return next(way.cover for way in insure.ways if way.on == on)


# ------------------------------------------------------------------------------------------- staff


def acting_in_another_position(game: str, rule: Rule) -> None:
    """A Dealer on duty is let act as Pit Supervisor: what they do is recorded under both, until they go off duty."""
    play = Play(game)
    correction = acts.CloseTable(DEALER)
    assert play.refused(correction)[0] == "not-permitted"
    assign = acts.AssignPosition(SUPERVISOR, DEALER.person, Role.PIT_SUPERVISOR)
    assert play.refused(assign) == ("not-on-duty", rule)
    play.do(acts.ComeOnDuty(DEALER))
    assert play.refused(acts.ComeOnDuty(DEALER))[0] == "already-on-duty"
    above = acts.AssignPosition(SUPERVISOR, DEALER.person, Role.PIT_MANAGER)
    assert play.refused(above) == ("position-not-assignable", rule)
    (assigned,) = play.do(assign)
    assert isinstance(assigned, acts.PositionAssigned)
    assert (assigned.person, assigned.own, assigned.position, assigned.rule) == (
        DEALER.person,
        Role.DEALER,
        Role.PIT_SUPERVISOR,
        rule,
    )
    assert play.refused(acts.AssignPosition(DEALER, DEALER.person, Role.DEALER))[0] == "not-on-duty"
    (closed,) = play.do(correction)
    assert closed.by.text == f"pit-supervisor:{DEALER.person}@dealer"
    assert Actor.parse(closed.by.text) == closed.by
    play = Play(game)
    play.do(acts.ComeOnDuty(DEALER))
    play.do(assign)
    play.do(acts.AssignPosition(SUPERVISOR, DEALER.person))
    assert play.refused(correction)[0] == "not-permitted"
    play.do(assign)
    play.do(acts.GoOffDuty(DEALER))
    assert play.refused(correction)[0] == "not-permitted"
    assert play.refused(acts.GoOffDuty(DEALER))[0] == "not-on-duty"


def every_act_names_both_positions(game: str, rule: Rule) -> None:
    """A Pit Supervisor who deals for a Dealer: all that they do in a round names the position and their own."""
    play = table_for(game, "ann", live=True)
    play.do(acts.ComeOnDuty(SUPERVISOR))
    play.do(acts.AssignPosition(MANAGER, SUPERVISOR.person, Role.DEALER))
    before = len(play.log)
    play.do(acts.OpenBets(SUPERVISOR))
    play.do(acts.CloseBets(SUPERVISOR))
    for card in parse_cards(NATURAL):
        play.do(acts.Deal(SUPERVISOR, card))
    play.do(acts.Settle(SUPERVISOR))
    assert {each.by.text for each in play.log[before:]} == {f"dealer:{SUPERVISOR.person}@pit-supervisor"}


# ------------------------------------------------------------------------------------------- a second person


def proposed(play: Play, proposal: acts.Command) -> None:
    """It waits for another person of the pit: not the proposer, whatever their rank, and no Dealer."""
    before = play.state.round, play.state.shoe
    asked = play.of(acts.ConfirmationAsked, play.do(proposal))[0]
    assert asked.to is Role.PIT_SUPERVISOR
    approve = Decision.APPROVE
    assert play.refused(acts.Decide(Actor("eve", Role.DEALER), approve))[0] == "not-permitted"
    assert play.refused(acts.Decide(Actor(proposal.by.person, Role.SHIFT_MANAGER), approve))[0] == "same-person"
    assert (play.state.round, play.state.shoe) == before
    play.do(acts.Decide(SUPERVISOR if proposal.by != SUPERVISOR else MANAGER, approve))
    assert (play.state.round, play.state.shoe) != before


def void_waits_for_a_second_person(game: str, rule: Rule) -> None:
    play = one_bet(game, "9h", live=True, second_person=True)
    proposed(play, play.reporting("foreign-card"))
    assert [each.rule for each in play.of(acts.RoundVoided)] == [rule]
    everything_went_back(play)


def cards_wait_for_a_second_person(game: str, rule: Rule) -> None:
    """Neither a swap of both hands nor cards that were never keyed rest on the word of one Dealer."""
    for keyed, cards in ((NATURAL, "2c 9h 3c Kd"), ("9h 2c", NATURAL)):
        play = one_bet(game, keyed, live=True, second_person=True)
        proposed(play, play.reporting("excess-card", cards=cards, reconstructible=True))
        assert play.of(acts.CardsReordered)[0].rule == rule
        assert play.cards == parse_cards(cards)


def card_keyed_last_is_undone(game: str, rule: Rule) -> None:
    """Plainly by one person until the next card, an insurance bet or the settlement; then with a second one."""
    misread: dict[str, Any] = {"reason": "misread", "by": SUPERVISOR}
    last, earlier = (acts.CorrectCards(cards=parse_cards(cards), **misread) for cards in ("9h 2c Kd 4c", "8h 2c Kd 3c"))
    play = one_bet(game, NATURAL, live=True, second_person=True)
    play.do(last)
    assert play.cards == last.cards
    assert not play.of(acts.ConfirmationAsked)
    proposed(play, earlier)
    play.settle()
    assert play.refused(last)[0] == "wrong-phase"
    correction = acts.CorrectRound(SHIFT, 1, parse_cards("7h 9c Kd Kc"), "misread")
    asked = play.of(acts.ConfirmationAsked, play.do(correction))
    assert not play.of(acts.RoundAdjusted)
    play.do(acts.Decide(MANAGER, Decision.APPROVE))
    (adjusted,) = play.of(acts.RoundAdjusted)
    assert (len(asked), adjusted.rule) == (1, rule)
    if play.sheet.insurance is not None:
        play = table_for(game, "ann", live=True, second_person=True).open(("ann", "banker", 10_000)).close()
        play.deal("5h Kd 6s 6c")
        play.do(insuring("ann", 1, "banker-insurance", 100))
        proposed(play, acts.CorrectCards(cards=parse_cards("5h Kd 6s 5c"), **misread))


# ------------------------------------------------------------------------------------------- how to play


def nearest_to_9_wins(game: str, rule: Rule) -> None:
    assert Play(game).open().close().deal("9h 8d Kd Kc").of(acts.ResultDeclared)[0].winner == "player"


def call_opens_bets(game: str, rule: Rule) -> None:
    play = table_for(game, "ann")
    assert (play.sheet.play.open.says, play.sheet.play.open.rule) == (CALLS[game][0], rule)
    assert play.refused(play.placing("ann", "banker", 10_000)) == ("bets-not-open", rule)
    play.open(("ann", "banker", 10_000))
    assert play.state.phase is Phase.BETTING
    opened = play.of(acts.BetsOpened)[0]
    assert (opened.says, opened.rule) == (CALLS[game][0], rule)


def limits_at_the_opening(game: str, rule: Rule) -> None:
    shown = Play(game).of(acts.TableOpened)[0]
    assert (shown.settings.minimum_cents, shown.settings.differential_cents) == (2_500, 100_000)
    opening = acts.OpenTable(SUPERVISOR, game, Settings("t1", 8, Cents(5_000), Cents(2_500), layout="bean-9"))
    assert Play(game, opened=False).refused(opening) == ("limits-invalid", rule)


def stake_to_put_right(game: str, rule: Rule, unit: Rule) -> None:
    play = table_for(game, "ann").open()
    assert play.refused(play.placing("ann", "tie", 0)) == ("stake-invalid", rule)
    assert play.refused(play.placing("ann", "banker", 2_550)) == ("stake-off-unit", unit)


def balance_taken_at_a_table(game: str, rule: Rule) -> None:
    play = table_for(game, "ann").open(("ann", "banker", 60_000))
    play.do(acts.Stand(patron("bo"), "bo", 1))
    play.bet("bo", "banker", 40_000)
    assert play.refused(acts.RaiseBet(patron("bo"), "bo", 1, "banker", Cents(100)))[0] == "over-differential"
    assert play.sheet.limits
    assert play.sheet.limits.balance_rule == rule


def second_call_closes_bets(game: str, rule: Rule) -> None:
    play = Play(game).open().close()
    assert (play.sheet.play.close.says, play.sheet.play.close.rule) == (CALLS[game][1], rule)
    closed = play.of(acts.BetsClosed)[0]
    assert (closed.says, closed.rule) == (CALLS[game][1], rule)


def four_cards_in_turn(game: str, rule: Rule) -> None:
    play = Play(game).open().close().deal("2h 3d 4s 5c")
    hands = [Hand.PLAYER, Hand.BANKER, Hand.PLAYER, Hand.BANKER]
    assert [(card.hand, card.rule) for card in play.of(acts.CardDealt)] == [(hand, rule) for hand in hands]


def third_cards(game: str, rule: Rule) -> None:
    """Player 2 draws, Banker 2 draws: the fifth and the sixth card. On a natural nobody draws."""
    play = Play(game).open().close().deal("2h 2d Ks Kc 4h 5d")
    drawn = [(card.hand, card.rule) for card in play.of(acts.CardDealt)][4:]
    assert drawn == [(Hand.PLAYER, rule), (Hand.BANKER, rule)]
    assert Play(game).open().close().deal(NATURAL).state.phase is Phase.RESULT


# ------------------------------------------------------------------------------------------- the device


def shuffler_at_a_table(game: str, rule: Rule) -> None:
    """Every round from the full set: no cut card, no last round, and a virtual set has an order for each round."""
    play = table_for(game, "ann", device=Device.SHUFFLER, live=True)
    assert play.sheet.play.shuffler_rule == rule
    assert play.refused(acts.CutCard(DEALER)) == ("no-cut-card", rule)
    for number in (1, 2, 3):
        play.open(("ann", "player", 10_000)).close()
        assert not play.of(acts.BetsOpened)[-1].last_of_shoe
        assert (play.shoe.number, play.shoe.left) == (number, 8 * 52)
        play.deal(NATURAL).settle()
    play.replays()
    virtual = Play(game, device=Device.SHUFFLER, shoe=NATURAL)
    virtual.open().close()
    deal_on(virtual, 4)
    virtual.settle()
    assert virtual.refused(acts.OpenBets(DEALER))[0] == "shoe-finished"
    assert virtual.refused(acts.LoadShoe(DEALER, parse_cards(NATURAL), 2)) == ("no-cut-card", rule)
    virtual.do(acts.LoadShoe(DEALER, parse_cards(NATURAL), None, "of this round"))
    assert virtual.open().state.shoe is not None


def life_of_a_shoe(game: str, rule: Rule) -> None:
    """Decks checked, cards shuffled, the first burned by its value, the cut card, the last round, and the end count."""
    play = Play(game, shoe=None, live=True, burn=Burn.FIRST_CARD)
    assert play.refused(acts.CheckDecks(DEALER, 415)) == ("shoe-invalid", rule)
    play.do(acts.CheckDecks(DEALER, 416))
    play.do(acts.ShuffleCards(DEALER))
    (loaded,) = play.do(acts.LoadShoe(DEALER))
    assert isinstance(loaded, acts.ShoeLoaded)
    assert (loaded.checked, loaded.shuffled, loaded.count) == (True, True, 416)
    assert play.refused(acts.OpenBets(DEALER))[0] == "burn-pending"
    assert play.of(acts.CardsBurned, play.do(acts.BurnCards(DEALER, parse_cards("7c")[0])))[0].unseen == 7
    play.open().close().deal("9h")
    play.do(acts.CutCard(DEALER))
    play.deal("2c Kd 3c").settle()
    play.open()
    assert [each.last_of_shoe for each in play.of(acts.BetsOpened)] == [False, True]
    play.close().deal(NATURAL).settle()
    assert play.refused(acts.OpenBets(DEALER))[0] == "shoe-finished"
    (counted,) = play.do(acts.CountShoe(DEALER, 416))
    assert isinstance(counted, acts.ShoeCounted)
    assert (counted.expected, counted.count) == (416, 416)
    assert play.refused(acts.CountShoe(DEALER, 416))[0] == "count-not-due"
    play.do(acts.LoadShoe(DEALER))
    assert play.refused(acts.OpenBets(DEALER))[0] == "burn-pending"


def unprepared_shoe_is_recorded(game: str, rule: Rule) -> None:
    """A live shoe whose check and shuffle nobody recorded: each round says so. A virtual shoe is made prepared."""
    for check, shuffle in ((False, False), (True, False), (True, True)):
        play = Play(game, shoe=None, live=True)
        if check:
            play.do(acts.CheckDecks(DEALER, 416))
        if shuffle:
            play.do(acts.ShuffleCards(DEALER))
        play.do(acts.LoadShoe(DEALER))
        (opened,) = play.of(acts.BetsOpened, play.do(acts.OpenBets(DEALER)))
        assert (opened.unchecked, opened.unshuffled) == (not check, not shuffle)
    (opened,) = Play(game, shoe=NATURAL).open().of(acts.BetsOpened)
    assert (opened.unchecked, opened.unshuffled) == (False, False)


def opened_again_as_it_was_closed(game: str, rule: Rule) -> None:
    """Shoe, seats and the number of rounds stay; patrons leave a closed table when they like."""
    play = table_for(game, "ann", "bo", live=True).open(("ann", "player", 10_000)).close().deal(NATURAL)
    play.settle()
    before = play.state
    play.do(acts.CloseTable(SUPERVISOR))
    assert play.refused(acts.OpenBets(DEALER))[0] == "table-not-open"
    opening, _ = play.given[0]
    play.do(opening)
    assert (play.state.shoe, play.state.seats, play.state.rounds) == (before.shoe, before.seats, 1)
    play.open(("ann", "player", 10_000)).close().deal(NATURAL).settle()
    assert play.backs() == {("ann", "player"): 40_000}
    play.do(acts.CloseTable(SUPERVISOR))
    play.do(acts.Leave(patron("ann"), "ann"))
    play.do(opening)
    assert [*play.state.seats.values()] == ["bo"]
    play.replays()


def no_shuffler_in_this_sheet(game: str, rule: Rule) -> None:
    layouts = Play(game).sheet.boxes.layouts
    opening = acts.OpenTable(SUPERVISOR, game, Settings("t1", 8, Cents(2_500), Cents(100_000), device=Device.SHUFFLER))
    where = {"layout": layouts[0].id} if layouts else {"boxes": 9}
    opening = replace(opening, settings=replace(opening.settings, **where))
    assert Play(game, opened=False).refused(opening) == ("device-not-allowed", rule)


def end_count_disagrees(game: str, rule: Rule) -> None:
    """A count after the last round is recorded as the sheet rules it; the rounds that were settled stand."""
    play = table_for(game, "ann", live=True).open(("ann", "player", 10_000)).close().deal(NATURAL)
    play.settle()
    play.do(acts.ReplaceShoe(DEALER, "end of the day"))
    counted = play.do(acts.CountShoe(DEALER, 415))
    assert [(each.expected, each.count) for each in play.of(acts.ShoeCounted, counted)] == [(416, 415)]
    if rule is None:
        assert play.case.waits is Waits.DECISION
        return
    assert [(each.rule, each.finding) for each in play.of(acts.IncidentRuled)] == [(rule, RulingEffect.NOTHING_TO_VOID)]
    assert not play.of(acts.RoundAdjusted)
    assert play.refused(acts.CountShoe(DEALER, 416))[0] == "count-not-due"


# ------------------------------------------------------------------------------------------- squeeze


def highest_seated_bet_squeezes(game: str, rule: Rule) -> None:
    play = table_for(game, "ann", "bo", face_down=True)
    assert play.sheet.play.squeeze is not None
    assert (play.sheet.play.squeeze.by, play.sheet.play.squeeze.rule) == (AskedBy.SEATED_HIGHEST_BET, rule)
    play.open(("ann", "player", 10_000), ("bo", "banker", 20_000)).close()
    assert play.refused(acts.AskSqueeze(patron("ann"), "ann", SqueezeOf.CARD)) == ("squeeze-not-highest", rule)
    asked = play.of(acts.SqueezeAsked, play.do(acts.AskSqueeze(patron("bo"), "bo", SqueezeOf.CARD)))[0]
    assert asked.rule == rule
    answered = play.of(acts.SqueezeAnswered, play.do(acts.AnswerSqueeze(DEALER, True)))[0]
    assert answered.consent
    assert not answered.waives_second_window


def any_bettor_squeezes(game: str, rule: Rule) -> None:
    """The sheet only mentions the squeeze, and names no highest bet: whoever has a bet may ask."""
    play = table_for(game, "ann", "bo", "cy", face_down=True).open(("ann", "player", 10_000), ("bo", "tie", 2_500))
    play.close()
    assert play.refused(acts.AskSqueeze(patron("cy"), "cy", SqueezeOf.CARD)) == ("squeeze-not-highest", rule)
    play.do(acts.AskSqueeze(patron("bo"), "bo", SqueezeOf.CARD))


def squeeze_only_face_down(game: str, rule: Rule) -> None:
    play = one_bet(game, face_down=False)
    assert play.refused(acts.AskSqueeze(patron("ann"), "ann", SqueezeOf.CARD)) == ("squeeze-not-offered", rule)


def waiver_only_face_down(game: str, rule: Rule) -> None:
    """Where cards are dealt open no request is heard."""
    play = one_bet(game, BANKER_ON_TWO, live=True)
    for what in WAIVERS:
        assert play.refused(acts.AskSqueeze(patron("ann"), "ann", what)) == ("squeeze-not-offered", rule)


def waiver_heard_at_every_table(game: str, rule: Rule) -> None:
    """Cards are dealt open; Player's third stays closed until Banker's is open. Other squeezes are not heard here."""
    for what in WAIVERS:
        play = one_bet(game, BANKER_ON_TWO, live=True)
        assert play.refused(acts.AskSqueeze(patron("ann"), "ann", SqueezeOf.CARD))[0] == "squeeze-not-offered"
        (asking,) = [choice for choice in table_choices(play.state, patron("ann")) if choice.kind == "ask-squeeze"]
        assert [way.what for way in asking.ways] == [*WAIVERS]
        answered = granted(play, "ann", what)
        assert (answered.waives_second_window, answered.rule) == (True, rule)
        play.do(acts.Deal(DEALER))
        if what is SqueezeOf.SHOW_BANKER_THIRD:
            play.deal("5d")
        else:
            play.do(acts.Deal(DEALER))
            play.do(acts.OpenCard(DEALER, 6, parse_cards("5d")[0]))
        play.do(acts.OpenCard(DEALER, 5, parse_cards("3s")[0]))
        play.settle()
        play.replays()


def squeeze_not_in_this_sheet(game: str, rule: Rule) -> None:
    play = one_bet(game, face_down=True)
    assert play.refused(acts.AskSqueeze(patron("ann"), "ann", SqueezeOf.CARD)) == ("squeeze-not-offered", rule)


def squeeze_once_a_card(game: str, rule: Rule) -> None:
    """Whatever the House answered, ann does not ask again before the next card is out; then she may."""
    play = one_bet(game, face_down=True)
    asking = acts.AskSqueeze(patron("ann"), "ann", SqueezeOf.CARD)
    for consent, card in ((False, "5h"), (False, "Kd"), (True, "6s")):
        play.do(asking)
        play.do(acts.AnswerSqueeze(DEALER, consent))
        assert play.refused(asking) == ("squeeze-repeated", rule)
        play.deal(card)
    play.replays()


def waiver_once_a_card(game: str, rule: Rule) -> None:
    """Whatever the House answered, ann does not ask again; once Player's third is dealt it is too late."""
    for what in WAIVERS:
        play = one_bet(game, BANKER_ON_TWO, face_down=True, live=True)
        asking = acts.AskSqueeze(patron("ann"), "ann", what)
        play.do(asking)
        play.do(acts.AnswerSqueeze(DEALER, False))
        assert play.refused(asking) == ("squeeze-repeated", rule)
        play.deal("4h")
        assert play.refused(asking) == ("squeeze-too-late", rule)


def squeezer_opens_the_card(game: str, rule: Rule) -> None:
    """Granted, the patron alone opens the card, or the Dealer; refused, the card is turned with the others."""
    for consent in (True, False):
        play = table_for(game, "ann", "bo", face_down=True, shoe="5h Kd 6s 6c 9h")
        play.open(("ann", "player", 20_000), ("bo", "banker", 10_000)).close()
        play.do(acts.Deal(DEALER))
        play.do(acts.AskSqueeze(patron("ann"), "ann", SqueezeOf.CARD))
        play.do(acts.AnswerSqueeze(DEALER, consent))
        deal_on(play, 3)
        if not consent:
            assert [card and card.text for card in play.state.visible_cards] == ["5h", "Kd", "6s", "6c"]
            continue
        assert [card and card.text for card in play.state.visible_cards] == ["5h", None, "6s", "6c"]
        assert play.state.phase is Phase.OPENING
        assert play.refused(acts.Deal(DEALER))[0] == "wrong-phase"
        assert play.refused(acts.OpenCard(patron("bo"), 2)) == ("squeeze-not-granted", rule)
        assert play.refused(acts.OpenCard(patron("ann"), 1)) == ("squeeze-not-granted", rule)
        opened = play.of(acts.CardOpened, play.do(acts.OpenCard(patron("ann"), 2)))
        assert [(each.card.text, each.squeezed_by, each.rule) for each in opened] == [("Kd", "ann", rule)]
        assert play.state.phase in {Phase.PLAYER_THIRD, Phase.FIRST_WINDOW}
        play.replays()


def squeeze_is_passed(game: str, rule: Rule) -> None:
    """Whoever has the squeeze may give it up; nothing is opened by that, and then the card is the Dealer's to open."""
    play = table_for(game, "ann", "bo", face_down=True, shoe="5h Kd 6s 6c 9h")
    play.open(("ann", "player", 20_000), ("bo", "banker", 10_000)).close()
    passing = acts.PassSqueeze(patron("ann"), "ann", 1)
    assert play.refused(passing) == ("squeeze-not-granted", rule)
    play.do(acts.AskSqueeze(patron("ann"), "ann", SqueezeOf.CARD))
    assert play.refused(passing) == ("squeeze-not-granted", rule)
    play.do(acts.AnswerSqueeze(DEALER, True))
    deal_on(play, 4)
    assert play.refused(acts.PassSqueeze(patron("bo"), "bo", 1)) == ("squeeze-not-granted", rule)
    assert play.refused(acts.PassSqueeze(patron("ann"), "ann", 2)) == ("squeeze-not-granted", rule)
    before = play.state.visible_cards
    (passed,) = play.do(passing)
    assert isinstance(passed, acts.SqueezePassed)
    assert (passed.patron, passed.place, passed.rule) == ("ann", 1, rule)
    assert play.state.visible_cards == before
    assert before[0] is None
    assert next_step(play.state, Timing()) == Step(Timing().card_ms, acts.OpenCard(AUTOMAT, 1))
    opened = play.of(acts.CardOpened, play.do(acts.OpenCard(DEALER, 1)))
    assert [(each.card.text, each.squeezed_by) for each in opened] == [("5h", None)]
    assert play.refused(passing) == ("squeeze-not-granted", rule)
    play.replays()


def squeeze_is_passed_before_its_card(game: str, rule: Rule) -> None:
    """A squeeze that is given up before its card comes is another's to ask for. It waives what it waived."""
    play = table_for(game, "ann", "bo", face_down=True, live=True)
    play.open(("ann", "player", 10_000), ("bo", "banker", 10_000)).close()
    ann, bo = (acts.AskSqueeze(patron(name), name, SqueezeOf.CARD) for name in ("ann", "bo"))
    play.do(ann)
    play.do(acts.AnswerSqueeze(DEALER, True))
    assert play.refused(bo) == ("squeeze-repeated", rule)
    play.do(acts.PassSqueeze(DEALER, "ann", 1))  # whom ann told so across the table
    assert play.refused(ann) == ("squeeze-repeated", rule)
    play.do(bo)
    play.do(acts.AnswerSqueeze(DEALER, True))
    play.do(acts.Deal(DEALER))
    assert play.round.squeezers == {1: "bo"}
    play.replays()


def squeezed_card_is_named_by_the_dealer(game: str, rule: Rule) -> None:
    """At a live table the patron turns the card over, and the Dealer names it; nobody names it before."""
    play = table_for(game, "ann", face_down=True, live=True).open(("ann", "player", 10_000)).close()
    granted(play, "ann")
    deal_on(play, 4)
    assert play.state.visible_cards == (None,) * 4
    assert play.refused(acts.OpenCard(patron("ann"), 1, parse_cards("9h")[0])) == ("not-permitted", rule)
    assert play.refused(acts.OpenCard(DEALER, 1))[0] == "card-not-given"
    for place, card in enumerate(parse_cards("9h 2c Kd 3c"), 1):
        opened = play.of(acts.CardOpened, play.do(acts.OpenCard(DEALER, place, card)))[0]
        assert opened.squeezed_by == ("ann" if place == 1 else None)
    assert play.of(acts.ResultDeclared)
    play.settle()
    play.replays()


def first_squeeze_request_stays(game: str, rule: Rule, *what: SqueezeOf) -> None:
    """Ann and bo bet the same, so both may ask: bo is refused until the House has answered ann, and then heard."""
    for each in what or (SqueezeOf.CARD,):
        play = table_for(game, "ann", "bo", face_down=True, live=True)
        play.open(("ann", "banker", 10_000), ("bo", "player", 10_000)).close().deal(BANKER_ON_TWO if what else "")
        ann, bo = (acts.AskSqueeze(patron(name), name, each) for name in ("ann", "bo"))
        play.do(ann)
        assert play.refused(bo) == ("squeeze-pending", rule)
        assert play.refused(ann) == ("squeeze-pending", rule)  # nor does she ask twice
        answered = play.of(acts.SqueezeAnswered, play.do(acts.AnswerSqueeze(DEALER, False)))
        assert [each.patron for each in answered] == ["ann"]
        play.do(bo)
        play.do(acts.Leave(patron("bo"), "bo"))  # whose request goes with him
        assert play.refused(acts.AnswerSqueeze(DEALER, True))[0] == "squeeze-not-asked"
        play.replays()


def first_waiver_request_is_kept(game: str, rule: Rule) -> None:
    first_squeeze_request_stays(game, rule, *WAIVERS)


# ------------------------------------------------------------------------------------------- insurance


def first_window(game: str, **settings: Any) -> Play:
    """Player 1 and Banker 6 after four cards: insurance on Banker at 3:1; ann has 100.00 there, bo on Player."""
    play = table_for(game, "ann", "bo", **settings)
    play.open(("ann", "banker", 10_000), ("bo", "player", 10_000)).close()
    return play.deal("5h Kd 6s 6c")


def second_window(game: str) -> Play:
    """Player 5 and Banker 4, then Player draws a 2: insurance on Player at 2:1 in the first window, then at 4:1."""
    return one_bet(game, "2h Kd 3s 4c 2s")


def insuring(name: str, box: int, on: str, stake: int) -> acts.Insure:
    return acts.Insure(patron(name), name, box, on, Cents(stake))


def insurance_windows_at_a_table(game: str, rule: Rule) -> None:
    offered = [
        (each.window, each.offers[0].odds.text, each.rule) for each in second_window(game).of(acts.InsuranceOffered)
    ]
    assert offered == [(Window.FOUR_CARDS, "2:1", rule), (Window.PLAYER_THIRD, "4:1", rule)]
    first = first_window(game).of(acts.InsuranceOffered)[0]
    assert (first.window, first.offers[0].odds.text, first.rule) == (Window.FOUR_CARDS, "3:1", rule)
    before = table_for(game, "ann").open(("ann", "banker", 10_000))
    assert before.refused(insuring("ann", 1, "banker-insurance", 100))[0] == "insurance-closed"


def insurance_taken_at_a_table(game: str, *rules: Rule) -> None:
    """It needs an original bet on that hand, and is paid when that hand loses."""
    play = first_window(game)
    assert play.refused(insuring("bo", 2, "banker-insurance", 100)) == ("insurance-without-original", rules[-1])
    assert isinstance(play.do(insuring("ann", 1, "banker-insurance", 3_000))[0], acts.BetPlaced)
    play.deal("8h").settle()
    assert play.backs()[("ann", "banker-insurance")] == 12_000


def hands_insured_at_a_table(game: str, rule: Rule) -> None:
    """Player at two or three cards, Banker at two."""
    play = second_window(game)
    offered = [(each.window, [offer.hand for offer in each.offers]) for each in play.of(acts.InsuranceOffered)]
    assert offered == [(Window.FOUR_CARDS, [Hand.PLAYER]), (Window.PLAYER_THIRD, [Hand.PLAYER])]
    assert play.refused(insuring("ann", 1, "banker-insurance", 100))[0] == "insurance-hand-not-on-offer"
    banker = first_window(game).of(acts.InsuranceOffered)[0]
    assert [offer.hand for offer in banker.offers] == [Hand.BANKER]


def insurance_cap_at_a_table(game: str, rule: Rule) -> None:
    """The cap holds over both windows, and the stakes that are offered keep within it."""
    play = one_bet(game, "2h Kd 3s 4c")
    told = cover(play, "player-insurance")
    assert told is not None
    assert told[:2] == (10_000, ((1_200, 2_400), (2_500, 5_000), (5_000, 10_000)))
    assert play.sheet.insurance is not None
    assert told.forgone_rule == play.sheet.insurance.forgone_rule, "said while it can still be bet"
    play.do(insuring("ann", 1, "player-insurance", 3_000))
    insured = cover(play, "player-insurance")
    assert insured is not None
    assert insured.forgone_rule is None
    play.deal("2s")
    assert play.refused(insuring("ann", 1, "player-insurance", 1_100)) == ("insurance-over-cap", rule)
    play.do(insuring("ann", 1, "player-insurance", 1_000))


def waiver_at_a_table(game: str, rule: Rule) -> None:
    """With consent Banker's third is dealt and opened before Player's third, with no second window."""
    asker = "bo" if game == "commission-insurance" else "ann"  # any patron, or the highest bet
    for what in WAIVERS:
        play = table_for(game, "ann", "bo", face_down=True, live=True)
        play.open(("ann", "player", 10_000), ("bo", "tie", 2_500)).close().deal(BANKER_ON_TWO)
        answered = granted(play, asker, what)
        assert (answered.waives_second_window, answered.rule) == (True, rule)
        play.do(acts.Deal(DEALER))
        assert play.state.phase is Phase.BANKER_THIRD
        assert play.refused(insuring("ann", 1, "player-insurance", 100)) == ("insurance-closed", rule)
        third = parse_cards("3s 5d")
        assert play.refused(acts.OpenCard(DEALER, 5, third[0])) == ("card-stays-closed", rule)
        play.do(acts.Deal(DEALER))
        assert play.refused(acts.OpenCard(DEALER, 5, third[0])) == ("card-stays-closed", rule)
        play.do(acts.OpenCard(DEALER, 6, third[1]))
        assert not play.of(acts.ResultDeclared)
        play.do(acts.OpenCard(DEALER, 5, third[0]))
        declared = play.of(acts.ResultDeclared)[0]
        assert (declared.player_points, declared.banker_points) == (8, 7)
        assert next(each.rule for each in play.of(acts.CardOpened) if each.place == 6) == rule
        squeezed = {each.place: each.squeezed_by for each in play.of(acts.CardOpened)}
        assert squeezed == ({5: None, 6: asker} if what is WAIVERS[0] else {5: asker, 6: None})
        play.settle()
        play.replays()


def waiver_only_where_banker_draws_in_any_case(game: str, rule: Rule) -> None:
    """Banker on 0, 1 or 2 with Player drawing: elsewhere Banker's third card might never come."""
    for player, banker in product("KA2345678", repeat=2):
        play = one_bet(game, f"{player}h {banker}d Ks Kc", face_down=True, live=True)
        if play.state.phase is Phase.RESULT:
            continue
        asking = acts.AskSqueeze(patron("ann"), "ann", WAIVERS[0])
        if banker in "KA2" and player in "KA2345":
            play.do(asking)
        else:
            code = "squeeze-uncertain" if player in "KA2345" else "squeeze-too-late"
            assert play.refused(asking) == (code, rule), (player, banker)
    play = one_bet(game, "2h 2d Ks", face_down=True, live=True)
    assert play.refused(acts.AskSqueeze(patron("ann"), "ann", WAIVERS[0])) == ("squeeze-uncertain", rule)


def waiver_by_policy_of_the_table(game: str, rule: Rule) -> None:
    """The House is asked, or its policy answers: at an automatic table it refuses unless it was opened otherwise."""
    asking = acts.AskSqueeze(patron("ann"), "ann", WAIVERS[0])
    live = {"face_down": True, "live": True}
    for settings, policy in (
        (live, Consent.ASK),
        (live | {"waiver_consent": Consent.NEVER}, Consent.NEVER),
        ({"face_down": True}, Consent.NEVER),
        ({"face_down": True, "waiver_consent": Consent.ALWAYS}, Consent.ALWAYS),
    ):
        play = one_bet(game, BANKER_ON_TWO, **settings)
        assert play.of(acts.TableOpened)[0].settings.waiver_consent is policy
        if policy is Consent.NEVER:
            assert play.refused(asking) == ("squeeze-not-offered", rule)
            continue
        answered = play.of(acts.SqueezeAnswered, play.do(asking))
        assert [each.waives_second_window for each in answered] == ([True] if policy is Consent.ALWAYS else [])


CLAIM = (Claim("ann", 1, Hand.BANKER),)


def neglected(game: str) -> Play:
    """The Dealer drew on without offering insurance on Banker; it would have won, for Banker loses."""
    play = table_for(game, "ann", "bo", live=True).open(("ann", "banker", 10_000), ("bo", "banker", 20_000)).close()
    return play.deal("Kh Kd 4s 5c 5s Kc")


def insurance_neglected(game: str, rule: Rule) -> None:
    """The original bet goes back to who had meant to insure."""
    play = neglected(game)
    play.confirmed(play.reporting("insurance-neglected", MANAGER, window=Window.FOUR_CARDS, claims=CLAIM))
    settled = play.settle()
    assert [(line.bet.patron, line.reason, line.rule) for line in settled.returned] == [
        ("ann", ReturnReason.INSURANCE_NEGLECTED, rule)
    ]
    assert play.backs() == {("ann", "banker"): 10_000, ("bo", "banker"): 0}
    assert settled.house_cents == 20_000


# ------------------------------------------------------------------------------------------- limits


def excess_bets(game: str, rule: Rule) -> None:
    """A standing patron takes what is left; a seated one takes room from the last who came.

    Ann sits at box 1 with a side bet, bo and cy stand behind; the Differential is 1,000.00, bo 600.00 and cy 400.00 on
    Banker.
    """
    play = table_for(game, "ann")
    for name in ("bo", "cy"):
        play.do(acts.Stand(patron(name), name, 1))
    play.open(("ann", "tie", 2_500), ("bo", "banker", 60_000), ("cy", "banker", 40_000))
    assert play.refused(acts.RaiseBet(patron("bo"), "bo", 1, "banker", Cents(100))) == ("over-differential", rule)
    moved = play.of(acts.BetDisplaced, play.bet("ann", "banker", 50_000))
    assert [(each.bet.patron, each.returned_cents, each.rule) for each in moved] == [
        ("cy", 40_000, rule),
        ("bo", 10_000, rule),
    ]
    too_much = play.decide(acts.RaiseBet(patron("ann"), "ann", 1, "banker", Cents(50_100)))
    assert isinstance(too_much, OverDifferential)
    assert too_much.maximum_cents == 50_000  # what is left, and what bo gives up
    play.do(acts.RaiseBet(patron("ann"), "ann", 1, "banker", Cents(50_000)))


def excess_seen_in_time_goes_back(game: str, rule: Rule) -> None:
    play = table_for(game, "ann", live=True).open()
    play.do(acts.RecordBet(DEALER, "ann", 1, "banker", Cents(150_000)))
    moved = play.of(acts.BetDisplaced, play.report("excess-bets"))
    assert [(each.returned_cents, each.rule) for each in moved] == [(50_000, rule)]
    assert play.of(acts.IncidentRuled)[0].rule == rule
    contradicts(play, play.reporting("excess-bets"), Contradiction.NOTHING_OVER)


def nothing_is_over(game: str, in_time: Rule, late: Rule) -> None:
    """Refused while bets are open, after the close, and at an automatic table, which takes no bet over the limit."""
    for live in (True, False):
        play = table_for(game, "ann", live=live).open(("ann", "banker", 100_000))
        contradicts(play, play.reporting("excess-bets"), Contradiction.NOTHING_OVER, in_time)
        play.close()
        contradicts(play, play.reporting("excess-bets"), Contradiction.NOTHING_OVER, late)


def outside_limits(game: str) -> Play:
    """Boxes 1 and 2 are over the Differential; bo's Player bet in box 2 and cy's in box 3 are below the minimum."""
    play = table_for(game, "ann", "bo", "cy", live=True).open()
    for name, box, on, stake in (
        ("ann", 1, "banker", 150_000),
        ("bo", 2, "banker", 111_000),
        ("bo", 2, "player", 1_000),
        ("cy", 3, "player", 1_000),
    ):
        play.do(acts.RecordBet(DEALER, name, box, on, Cents(stake)))
    return play


def way_targets(play: Play, kind: str) -> list[tuple[int | None, str | None, str | None]]:
    choice = next(each for each in table_choices(play.state, DEALER) if each.kind == kind)
    return [(way.box, way.patron, way.on) for way in choice.ways]


def noticed_is_put_right(game: str, excess: Rule, low: Rule) -> None:
    """Excess is rejected and low bettors are asked, one or all; who neither raises nor withdraws gets the bet back."""
    play = outside_limits(game)
    bo, cy = (2, "bo", "player"), (3, "cy", "player")
    assert play.refused(acts.CloseBets(DEALER)) == ("outside-limits", excess)
    assert way_targets(play, "put-right") == [(1, None, None), (2, None, None), bo, cy, (None, None, None)]
    (moved,) = play.of(acts.BetDisplaced, play.do(acts.PutRight(DEALER, 1)))
    assert (moved.bet.patron, moved.returned_cents, moved.rule) == ("ann", 50_000, excess)
    assert play.refused(acts.PutRight(DEALER, 1))[0] == "within-limits"
    assert play.refused(acts.ReturnLowBet(DEALER))[0] == "within-limits", "nobody was asked yet"
    done = play.do(acts.PutRight(DEALER))
    assert [(each.bet.patron, each.returned_cents) for each in play.of(acts.BetDisplaced, done)] == [("bo", 10_000)]
    assert [(each.bet.patron, each.rule) for each in play.of(acts.RaiseAsked, done)] == [("bo", low), ("cy", low)]
    assert play.refused(acts.CloseBets(DEALER)) == ("outside-limits", low)
    play.do(acts.RaiseBet(patron("cy"), "cy", 3, "player", Cents(1_500)))
    assert way_targets(play, "return-low-bet") == [bo]
    back = play.of(acts.BetDisplaced, play.do(acts.ReturnLowBet(DEALER)))
    assert [(each.bet.on, each.returned_cents, each.rule) for each in back] == [
        ("player", 1_000, None),
        ("banker", 1_000, excess),
    ]
    play.do(acts.CloseBets(DEALER))
    assert not play.of(acts.LimitsOverlooked)
    play.replays()


def called_all_the_same(game: str, *rules: Rule) -> None:
    """With a reason, as a significant event: then excess is scaled, and the low bet wins or loses as it stands."""
    play = outside_limits(game)
    assert play.refused(acts.CloseBets(DEALER, " "))[0] == "outside-limits"
    overlooked, closed = play.do(acts.CloseBets(DEALER, "the call was made too soon"))
    assert isinstance(overlooked, acts.LimitsOverlooked)
    assert isinstance(closed, acts.BetsClosed)
    assert (overlooked.significant, overlooked.reason) == ("override", "the call was made too soon")
    assert overlooked.warnings == closed.warnings
    settled = play.deal(NATURAL).settle()
    assert {(line.bet.patron, line.bet.on): (line.in_play_cents, line.in_play_rule) for line in settled.lines} == {
        ("ann", "banker"): (100_000, rules[0]),
        ("bo", "banker"): (101_000, rules[0]),
        ("bo", "player"): (1_000, None),
        ("cy", "player"): (1_000, None),
    }
    ruled = play.of(acts.IncidentRuled, outside_limits_late(game))
    assert [each.rule for each in ruled] == [*rules]


def outside_limits_late(game: str) -> tuple[acts.Event, ...]:
    """What is recorded of both reports after the call."""
    play = outside_limits(game).close()
    return play.report("excess-bets") + play.report("below-minimum", patron="cy", box=3, on="player")


def below_minimum(game: str, rule: Rule) -> None:
    """The patron is asked, and bets do not close until the bet is raised or withdrawn."""
    play = table_for(game, "ann", "bo", live=True).open()
    for name, box in (("ann", 1), ("bo", 2)):
        play.do(acts.RecordBet(DEALER, name, box, "banker", Cents(1_000)))
        play.report("below-minimum", patron=name, box=box, on="banker")
    assert play.of(acts.RaiseAsked)[0].rule == rule
    assert play.refused(acts.CloseBets(DEALER)) == ("outside-limits", rule)
    play.do(acts.RaiseBet(patron("ann"), "ann", 1, "banker", Cents(1_500)))
    play.do(acts.WithdrawBet(patron("bo"), "bo", 2, "banker"))
    play.close()
    play = table_for(game, "ann").open()
    assert play.refused(play.placing("ann", "banker", 1_000)) == ("stake-below-minimum", rule)


# ------------------------------------------------------------------------------------------- irregularities


def decision(game: str, situation: str, rule: Rule = None, **facts: Any) -> None:
    """The Shift Manager decides: until then the round is held, and the decision is recorded with its reason."""
    at = {"face_down": situation == "dealt-face-up", "live": situation == "insurance-neglected"}
    play = table_for(game, "ann", **at).open(("ann", "player", 10_000)).close().deal("9h 2c Kd")
    facts |= {"cards": "9h 2c Kd 7s"} if situation == "excess-card" else {}
    to = play.of(acts.IncidentReferred, play.report(situation, **facts))[0]
    assert (to.to, to.rule) == (Role.SHIFT_MANAGER, rule)
    assert play.refused(acts.Deal(DEALER, parse_cards("3c")[0]))[0] == "round-held"
    assert play.refused(acts.Decide(MANAGER, Decision.CONTINUE, "I say so"))[0] == "not-permitted"
    assert play.refused(acts.Decide(SHIFT, Decision.CONTINUE))[0] == "reason-missing"
    made = play.of(acts.DecisionMade, play.confirmed(acts.Decide(SHIFT, Decision.CONTINUE, "nobody was harmed")))[0]
    assert (made.decision, made.reason, made.by) == (Decision.CONTINUE, "nobody was harmed", SHIFT)
    play.deal("3c").settle()
    assert play.backs() == {("ann", "player"): 20_000}
    assert play.shoe.carried == parse_cards("9h 2c Kd 7s" if "cards" in facts else "")[3:]


def no_report(game: str, situation: str) -> None:
    """Nothing of the kind can happen: the report form does not have it, and a report of it is refused."""
    play = one_bet(game, "9h", live=True)
    assert play.refused(play.reporting(situation)) == ("situation-unknown", None)
    assert situation not in {way.situation for way in report_ways(play)}


def report_ways(play: Play) -> tuple[ReportWay, ...]:
    """The report form that the Dealer has now."""
    return choice_of(table_choices(play.state, DEALER), acts.Report).ways


def reportable(play: Play, situation: str) -> bool:
    return any(way.refusal is None for way in report_ways(play) if way.situation == situation)


def anything_else(game: str, rule: Rule) -> None:
    decision(game, "anything-else", rule, note="a bird on the layout")


NO_CHANGE = {
    "late-bet": Ruling.REFUSE,
    "late-withdrawal": Ruling.REFUSE,
    "misplaced-bet": Ruling.CHIPS_PREVAIL,
    "display-mistake": Ruling.TABLE_PREVAILS,
    "bet-for-patron": Ruling.CHIPS_PREVAIL,
}


def changes_nothing(game: str, situation: str, rule: Rule) -> None:
    """A ruling that changes nothing at the table."""
    play = one_bet(game, "9h 2c")
    before = play.state.round
    event = play.of(acts.IncidentRuled, play.report(situation))[0]
    stands = (game, situation) == ("commission-insurance", "late-withdrawal")
    assert (event.ruling, event.rule) == (Ruling.STANDS if stands else NO_CHANGE[situation], rule)
    assert play.state.round == before
    play.deal("Kd 3c").settle()
    assert play.backs() == {("ann", "player"): 20_000}


def everything_went_back(play: Play) -> None:
    assert play.state.phase is Phase.BETWEEN_ROUNDS
    placed = {(each.bet.patron, each.bet.on): each.bet.stake_cents for each in play.of(acts.BetPlaced)}
    assert play.backs() == placed


def void_by(game: str, situation: str, **facts: Any) -> tuple[Rule, Rule]:
    """A round before is settled and stands; this one is void. The paragraphs of the void and of the return."""
    play = table_for(game, "ann", "bo").open(("ann", "player", 10_000)).close().deal(NATURAL)
    first = play.settle()
    before = len(play.log)
    play.open(("ann", "player", 10_000), ("bo", "tie", 2_500)).close().deal("9h 2c Kd")
    play.report(situation, **facts)
    voided = play.of(acts.RoundVoided)[0]
    assert [line.returned_cents for line in voided.lines] == [10_000, 2_500]
    assert play.state.phase is Phase.BETWEEN_ROUNDS
    assert first in play.log[:before]
    assert not play.of(acts.RoundAdjusted)
    return voided.rule, voided.lines[0].rule


def voids(game: str, situation: str, rule: Rule, returned: Rule) -> None:
    assert void_by(game, situation) == (rule, returned)


def walk_away(game: str, rule: Rule) -> None:
    """The bets of a patron who walks away are settled."""
    play = table_for(game, "ann").open(("ann", "player", 10_000))
    assert play.of(acts.PatronLeft, play.do(acts.Leave(patron("ann"), "ann")))[0].rule == rule
    play.close().deal(NATURAL).settle()
    assert play.backs() == {("ann", "player"): 20_000}
    assert play.state.seats == {}
    chips = one_bet(game, live=True)
    (ruled,) = chips.of(acts.IncidentRuled, chips.report("walk-away", patron="ann"))
    assert (ruled.ruling, ruled.rule) == (Ruling.SETTLE, rule)


def walked_away_withdraws_nothing(game: str, rule: Rule) -> None:
    """Neither the patron nor the Dealer for them, until they are back."""
    play = table_for(game, "ann").open(("ann", "player", 10_000))
    play.do(acts.Leave(patron("ann"), "ann"))
    at_terminals = "terminals-only" if play.sheet.boxes.terminals_rule else "patron-away"
    for by, refused in ((patron("ann"), "patron-away"), (DEALER, at_terminals)):
        assert play.refused(acts.WithdrawBet(by, "ann", 1, "player"))[0] == refused
        assert play.refused(acts.RaiseBet(by, "ann", 1, "player", Cents(100)))[0] == refused
    play.do(acts.Sit(patron("ann"), "ann", 1))
    play.do(acts.WithdrawBet(patron("ann"), "ann", 1, "player"))


def interrupted(game: str, cards: str) -> Play:
    play = table_for(game, "ann", "bo").open(("ann", "player", 10_000), ("bo", "banker", 20_000)).close().deal(cards)
    play.do(acts.Recover(DEALER))
    return play


def no_outcome_is_void(game: str, rule: Rule, cards: str = "5h Kd") -> None:
    play = interrupted(game, cards)
    everything_went_back(play)
    assert play.of(acts.RoundVoided)[0].rule == rule


def technical_interruption(game: str, rule: Rule, void: Rule) -> None:
    """Ruled by the cards on the table."""
    for cards in ("", "5h", "5h Kd"):
        no_outcome_is_void(game, void, cards)


def established_outcome_concluded(game: str, rule: Rule) -> None:
    for cards in ("5h Kd 5s", NATURAL):
        play = interrupted(game, cards)
        assert play.state.phase is not Phase.BETWEEN_ROUNDS
        while play.state.phase is not Phase.RESULT:
            play.deal("9s")
        play.settle()
        assert play.of(acts.IncidentRuled)[0].rule == rule


def earlier_rounds_stand(game: str, rule: Rule, void: Rule) -> None:
    assert void_by(game, "foreign-card")[0] == void


MIXED_UP: dict[str, Any] = {"reconstructible": False, "note": "mixed up", "hand": Hand.PLAYER, "hand_count": 3}
"""Player's natural got a third card, and nobody can say which of the three was which."""


def wrong_number_of_cards(game: str, rule: Rule) -> None:
    """Beyond reconstruction it voids; settled before the next round began, by way of correction."""
    assert void_by(game, "wrong-number-of-cards", **MIXED_UP)[0] == rule
    assert void_by(game, "excess-card", cards="9h 2c Kd 7s", **MIXED_UP)[0] == rule
    assert void_by(game, "excess-card", **MIXED_UP)[0] == rule
    play = table_for(game, "ann", "bo").open(("ann", "player", 10_000), ("bo", "banker", 20_000))
    play.close().deal(NATURAL).settle()
    play.report("wrong-number-of-cards", **MIXED_UP | {"hand": Hand.BANKER, "hand_count": 4})
    adjusted = play.of(acts.RoundAdjusted)[0]
    assert (adjusted.void, adjusted.rule) == (True, rule)
    assert {each.bet.patron: each.correction_cents for each in adjusted.lines} == {"ann": -10_000, "bo": 20_000}


def wrong_number_reconstructible(game: str, rule: Rule) -> None:
    play = Play(game).open().close().deal("9h 2c Kd")
    reporting = play.reporting("wrong-number-of-cards", **MIXED_UP | {"reconstructible": True})
    assert play.refused(reporting) == ("facts-contradict", rule)


def contradicts(play: Play, command: acts.Command, problem: Contradiction, rule: Rule = None) -> None:
    """The table refuses a report, because it knows better."""
    refusal = play.decide(command)
    assert isinstance(refusal, FactsContradict)
    assert refusal.problem is problem
    assert rule in (None, refusal.rule)
    assert say(refusal, sheet=play.sheet)


def number_is_counted(game: str, rule: Rule) -> None:
    """The number of cards is held against the Table of Play, now and after settlement; the table itself never errs."""
    right = {"9h 2c Kd": (2, 1), NATURAL: (2, 2), BOTH_DRAW: (3, 3), "2h 2d Ks Kc 4h": (3, 2), "9h": (1, 0)}
    for cards, counts in right.items():
        play = one_bet(game, cards)
        for hand, count in zip(Hand, counts, strict=True):
            wrong = play.reporting("wrong-number-of-cards", **MIXED_UP | {"hand": hand, "hand_count": count})
            contradicts(play, wrong, Contradiction.NUMBER_RIGHT, rule)
            excess = play.reporting("excess-card", **MIXED_UP | {"hand": hand, "hand_count": count})
            contradicts(play, excess, Contradiction.NUMBER_RIGHT, rule)
    for count in (2, 3):  # a card that is due is not one too many
        due = play.reporting("wrong-number-of-cards", **MIXED_UP | {"hand_count": count})
        contradicts(play, due, Contradiction.NUMBER_RIGHT, rule)
    play = one_bet(game, NATURAL)
    play.settle()
    wrong = play.reporting("wrong-number-of-cards", **MIXED_UP | {"hand_count": 2})
    contradicts(play, wrong, Contradiction.NUMBER_RIGHT, rule)
    play.report("wrong-number-of-cards", **MIXED_UP | {"hand_count": 1})
    play = Play(game, shoe=NATURAL).open().close()
    play.do(acts.Deal(DEALER))
    contradicts(play, play.reporting("wrong-number-of-cards", **MIXED_UP), Contradiction.NUMBER_RIGHT, rule)


def running_out(game: str, cards: str) -> Play:
    """Ann has a bet in a round whose shoe has these cards and no more; the cut card is out."""
    play = Play(game, shoe=cards).sit("ann").open(("ann", "player", 10_000)).close()
    play.do(acts.CutCard(DEALER))
    while play.state.shoe is not None and play.state.shoe.left:
        play.do(acts.Deal(DEALER))
    return play


def shoe_runs_out(game: str, rule: Rule) -> None:
    play = running_out(game, "9h 2c Kd")
    assert play.refused(acts.Deal(DEALER))[0] == "shoe-empty"
    play.report("not-enough-cards")
    assert play.of(acts.RoundVoided)[0].rule == rule
    the_shoe_is_over(play, None)


def the_shoe_is_over(play: Play, rule: Rule) -> None:
    """No further round is played from it: by house practice, where no paragraph asks for new cards."""
    everything_went_back(play)
    assert [each.rule for each in play.of(acts.ShoeRemoved)] == [rule]
    assert play.refused(acts.OpenBets(DEALER))[0] == "shoe-finished"
    play.do(acts.LoadShoe(DEALER))
    play.open()


def enough_cards_are_left(game: str, rule: Rule, cited: Rule) -> None:
    """Counted against what the round must still draw: nothing is void while that may be there."""
    report, many = acts.Report(DEALER, "not-enough-cards"), one_bet(game, "9h 2c")
    contradicts(many, report, Contradiction.ENOUGH_CARDS, cited)
    many.deal("Kd 3c").settle()
    contradicts(many, report, Contradiction.ENOUGH_CARDS, cited)
    # Banker with 2 draws whatever comes, so two cards must be there; with 3 an eight would end the round.
    for banker, left, enough in (("Kc", 1, False), ("Ac", 1, True), ("Kc", 2, True), ("Ac", 0, False)):
        play = short_shoe(one_bet(game, f"2h 2d Ks {banker}"), left)
        if enough:
            contradicts(play, report, Contradiction.ENOUGH_CARDS, cited)
        else:
            assert play.of(acts.RoundVoided, play.do(report))[0].rule == rule
    for cards, enough in (("2h 2d Ks Kc 4h 5d", True), ("2h 2d Ks Kc 4h", False)):
        play = Play(game, shoe=cards).open().close()  # the order is known, and with it whether it is enough
        play.do(acts.CutCard(DEALER))
        if enough:
            contradicts(play, report, Contradiction.ENOUGH_CARDS, cited)
        else:
            play.do(report)


def short_shoe(play: Play, left: int) -> Play:
    """The same table with as few cards left in its shoe, which is read one card at a time; the cut card is out."""
    play.alter_shoe(size=play.shoe.drawn + left, last_round=play.state.rounds)
    return play


def known_shoe(game: str, situation: str, rule: Rule) -> None:
    """A shoe whose order is known has its own cards, all of them, and they are shuffled."""
    play = Play(game, shoe=NATURAL).sit("ann").open(("ann", "player", 10_000)).close()
    contradicts(play, acts.Report(DEALER, situation), Contradiction.SHOE_KNOWN, rule)
    play.report("anything-else", note="a card of another back")
    play.do(acts.Decide(SHIFT, Decision.VOID, "seen on camera"))
    everything_went_back(play)


def shoe_ends(game: str, situation: str, rule: Rule) -> None:
    play = one_bet(game, "9h")
    play.report(situation)
    the_shoe_is_over(play, rule)
    play.close().deal(NATURAL)
    play.do(acts.Settle(DEALER))
    play.report(situation)  # between rounds there is nothing to void, and the shoe is over all the same
    assert play.of(acts.IncidentRuled)[-1].finding is RulingEffect.NOTHING_TO_VOID
    assert play.refused(acts.OpenBets(DEALER))[0] == "shoe-finished"


def late_bet(game: str, rule: Rule) -> None:
    play = table_for(game, "ann").open(("ann", "banker", 10_000))
    assert play.refused(play.reporting("late-bet")) == ("facts-contradict", rule)  # no bet is late while bets are open
    play.close()
    assert play.refused(play.placing("ann", "tie", 2_500)) == ("bets-closed", rule)
    assert play.refused(acts.RaiseBet(patron("ann"), "ann", 1, "banker", Cents(100))) == ("bets-closed", rule)
    changes_nothing(game, "late-bet", rule)


def late_withdrawal(game: str, rule: Rule) -> None:
    """Refused, and the bet stays in play to win or lose."""
    play = one_bet(game)
    assert play.refused(acts.WithdrawBet(patron("ann"), "ann", 1, "player")) == ("bets-closed", rule)
    if play.sheet.boxes.layouts:
        chips = one_bet(game, live=True)
        assert chips.refused(acts.RecordBet(DEALER, "ann", 1, "player", Cents(0))) == ("bets-closed", rule)
    play.deal(NATURAL).settle()
    assert play.backs() == {("ann", "player"): 20_000}
    changes_nothing(game, "late-withdrawal", rule)


def excess_card(game: str, rule: Rule) -> None:
    """In a complete round the card too many is the first of the next; else it is put where it belongs."""
    play = one_bet(game, NATURAL)
    play.report("excess-card", cards=f"{NATURAL} 7s", reconstructible=True)
    reordered = play.of(acts.CardsReordered)[0]
    assert (reordered.carried, reordered.rule) == (parse_cards("7s"), rule)
    assert not play.of(acts.OptionsOffered)
    play.settle()
    play.open(("ann", "player", 10_000)).close()
    dealt = play.of(acts.CardDealt, play.do(acts.Deal(DEALER)))[0]
    assert (dealt.card, dealt.hand, dealt.carried) == (parse_cards("7s")[0], Hand.PLAYER, True)
    # A third card drawn for a Player who stands is Banker's, as an undisturbed deal has it.
    play = one_bet(game, "2h 2d 4s 3c")
    play.report("excess-card", cards="2h 2d 4s 3c Kh", reconstructible=True, hand=Hand.PLAYER)
    undisturbed = Play(game).open().close().deal("2h 2d 4s 3c Kh")
    assert play.cards == undisturbed.cards
    assert play.of(acts.ResultDeclared) == undisturbed.of(acts.ResultDeclared)


def carried_card_keeps_its_shoe(game: str, rule: Rule) -> None:
    """A card carried to the next round is used in it: no other shoe comes before, but by who decides the rest."""
    play = one_bet(game, NATURAL)
    play.report("excess-card", cards=f"{NATURAL} 7c", reconstructible=True)
    play.settle()
    assert play.refused(acts.LoadShoe(DEALER)) == ("shoe-stays", rule)
    assert play.refused(acts.ReplaceShoe(MANAGER, "worn")) == ("not-permitted", rule)
    assert play.refused(acts.ReplaceShoe(SHIFT, " "))[0] == "reason-missing"
    otherwise = play.decide(acts.ReplaceShoe(SHIFT, "beer on the cards"))
    assert not isinstance(otherwise, Refusal)
    assert [each.rule for each in otherwise if isinstance(each, acts.ShoeRemoved)] == [
        play.sheet.authority.otherwise_rule
    ]
    assert [each.cards for each in otherwise if isinstance(each, acts.CardsRemoved)] == [parse_cards("7c")]
    play.open(("ann", "player", 10_000)).close()
    dealt = play.of(acts.CardDealt, play.do(acts.Deal(DEALER)))[0]
    assert (str(dealt.card), dealt.carried) == ("7c", True)
    play.replays()


def carried_card_leaves_with_its_shoe(game: str, rule: Rule) -> None:
    """A carried card that a void takes away with its shoe is recorded as removed; it is in no other shoe."""
    play = one_bet(game, NATURAL)
    carried = parse_cards(f"{NATURAL} 7c")
    play.report("excess-card", cards=f"{NATURAL} 7c", reconstructible=True)
    if play.state.case is not None:
        play.do(acts.Decide(SHIFT, Decision.RECONSTRUCT, "the next round has it", carried))
    play.settle()
    play.open()
    assert [(each.cards, each.shoe) for each in play.of(acts.CardsRemoved, play.report("foreign-card"))] == [
        (carried[-1:], 1)
    ]
    play.do(acts.LoadShoe(DEALER))
    assert len(play.of(acts.CardsRemoved)) == 1
    play.replays()


def card_no_round_takes(game: str, rule: Rule) -> None:
    """The shoe repeats its last reading: nothing came out. It sends another: a card that the round does not take."""
    play = one_bet(game)
    for reading, card in enumerate(parse_cards(NATURAL), 1):
        play.do(acts.Deal(DEALER, card, reading))
    again, more = (acts.Deal(DEALER, parse_cards(card)[0], reading) for card, reading in (("3c", 4), ("7c", 5)))
    for go_on in (acts.Settle(DEALER), acts.OpenBets(DEALER), acts.CloseBets(DEALER)):
        assert play.refused(again) == ("reading-repeated", None)
        refused = play.refused(more)
        assert refused[0] == "wrong-phase"
        play.do(go_on)
    assert refused == ("wrong-phase", rule)
    assert play.refused(again)[0] == "reading-repeated"
    play.do(more)


def options(game: str, situation: str, dealt: str, **facts: Any) -> acts.OptionsOffered | None:
    play = table_for(game, "ann", "bo", face_down=situation == "dealt-face-up")
    play.open(("ann", "player", 10_000), ("bo", "tie", 2_500)).close().deal(dealt)
    offered = play.of(acts.OptionsOffered, play.confirmed(play.reporting(situation, **facts)))
    return offered[0] if offered else None


def excess_card_options(game: str, rule: Rule, going_on: Rule) -> None:
    """Options only while no outcome is established."""
    offered = options(game, "excess-card", "5h", cards="5h Kd", reconstructible=True)
    assert offered is not None
    assert (offered.patrons, offered.rule, offered.continue_rule) == (("ann", "bo"), rule, going_on)
    assert options(game, "excess-card", "5h Kd 5s", cards="5h Kd 5s 2c", reconstructible=True) is None


def wrong_area(game: str, rule: Rule) -> None:
    """Keyed where they lay, Player's second and Banker's first changed places: the drawn order puts them right."""
    play = one_bet(game, "9h Kd 2c 3c")
    play.report("wrong-area", cards=NATURAL, reconstructible=True)
    undisturbed = Play(game).open().close().deal(NATURAL)
    assert play.cards == undisturbed.cards
    assert play.state.phase is Phase.RESULT
    assert play.of(acts.ResultDeclared)[-1] == undisturbed.of(acts.ResultDeclared)[0]
    assert play.of(acts.CardsReordered)[0].rule == rule


def wrong_area_options(game: str, rule: Rule, cited: Rule) -> None:
    """Options unless the outcome is established and the cards can be put right."""
    offered = options(game, "wrong-area", "5h Kd", cards="5h Kd", reconstructible=True)
    assert offered is not None
    assert offered.rule == cited
    assert options(game, "wrong-area", "5h Kd 5s", cards="5h Kd 5s", reconstructible=True) is None


def wrong_area_beyond_repair(game: str, rule: Rule, going_on: Rule) -> None:
    facts = {"cards": "5h Kd 5s", "reconstructible": False, "note": "the cards were mixed"}
    offered = options(game, "wrong-area", "5h Kd 5s", **facts)
    assert offered is not None
    assert offered.continue_rule == going_on


def dealt_face_up(game: str, rule: Rule) -> None:
    """The cards stand; options while no outcome is established; and only where cards are dealt face down."""
    play = one_bet(game, NATURAL, face_down=True)
    assert play.of(acts.IncidentRuled, play.report("dealt-face-up"))[0].rule == rule
    assert not play.of(acts.OptionsOffered)
    play.settle()
    assert play.backs() == {("ann", "player"): 20_000}
    offered = options(game, "dealt-face-up", "5h")
    assert offered is not None
    assert offered.rule == rule
    assert Play(game).open().close().refused(acts.Report(DEALER, "dealt-face-up")) == ("facts-contradict", rule)


def two_at_once(game: str) -> Play:
    """Two cards at once after two: the Dealer cannot order them, a Pit Supervisor does; then everyone chooses."""
    play = one_bet(game, "9h 2c")
    asked = play.of(acts.OrderAsked, play.report("simultaneous-cards", cards="3c Kd"))[0]
    assert asked.to is Role.PIT_SUPERVISOR
    assert play.refused(acts.Decide(DEALER, Decision.ORDER, "", parse_cards("Kd 3c")))[0] == "not-permitted"
    wrong = acts.Decide(SUPERVISOR, Decision.ORDER, "", parse_cards("Kd 4c"))
    assert play.refused(wrong) == ("facts-contradict", asked.rule)
    play.do(acts.Decide(SUPERVISOR, Decision.ORDER, "", parse_cards("Kd 3c")))
    assert play.cards == parse_cards(NATURAL)
    return play


def simultaneous_cards(game: str, rule: Rule) -> None:
    assert two_at_once(game).of(acts.OrderAsked)[0].rule == rule


def simultaneous_cards_options(game: str, rule: Rule) -> None:
    assert two_at_once(game).of(acts.OptionsOffered)[0].rule == rule


def shoe_replaced(game: str, rule: Rule) -> None:
    play = two_at_once(game)
    assert play.refused(acts.ReplaceShoe(DEALER, "two at once")) == ("not-permitted", rule)
    assert play.of(acts.ShoeRemoved, play.do(acts.ReplaceShoe(SUPERVISOR, "two at once")))[0].rule == rule
    play.do(acts.Choose(patron("ann"), "ann", Option.CONTINUE))
    play.settle()
    assert play.refused(acts.OpenBets(DEALER))[0] == "shoe-finished"
    play.do(acts.LoadShoe(DEALER))
    play.open()


def two_at_once_between_rounds(game: str, replace: Rule, otherwise: Rule) -> None:
    """No round takes them: whoever decides the rest orders them for the next, or the shoe is replaced before."""
    play = one_bet(game, NATURAL)
    play.settle()
    referred = play.of(acts.IncidentReferred, play.report("simultaneous-cards", cards="7c 8c"))
    for decision in (Decision.VOID, Decision.OPTIONS):
        assert play.refused(acts.Decide(SHIFT, decision, "two at once"))[0] == "facts-contradict"
    assert play.refused(acts.ReplaceShoe(DEALER, "two at once")) == ("not-permitted", replace)
    removed = play.decide(acts.ReplaceShoe(SUPERVISOR, "two at once"))
    assert not isinstance(removed, Refusal)
    assert {each.rule for each in removed if isinstance(each, acts.ShoeRemoved)} == {replace}
    assert {each.rule for each in referred} == {otherwise}
    play.do(acts.Decide(SHIFT, Decision.RECONSTRUCT, "8c was seen first", parse_cards(f"{NATURAL} 8c 7c")))
    play.open(("ann", "player", 10_000)).close()
    carried = [play.of(acts.CardDealt, play.do(acts.Deal(DEALER)))[0].card for _ in range(2)]
    assert carried == [*parse_cards("8c 7c")]
    play.replays()


def late_error(game: str, *rules: Rule) -> None:
    """An error of round 1 seen in round 2 changes nothing; of the round under way it is not late."""
    play = one_bet(game, NATURAL)
    play.settle()
    play.open(("ann", "player", 10_000)).close().deal("9h")
    assert play.refused(play.reporting("late-error", round=2))[0] == "facts-contradict"
    before = play.state
    event = play.of(acts.IncidentRuled, play.report("late-error", round=1))[0]
    assert (event.ruling, event.rule) == (Ruling.NO_EFFECT, rules[-1])
    assert play.state.round == before.round
    assert not play.of(acts.RoundAdjusted)


def choices(game: str) -> Play:
    """A dealing error after two cards: ann goes on, bo takes the bets back, and the round is held until both chose."""
    play = table_for(game, "ann", "bo").open(("ann", "player", 10_000), ("bo", "banker", 20_000), ("bo", "tie", 2_500))
    play.close().deal("9h 2c")
    play.report("other-dealing-error", reconstructible=False, note="nobody saw the order")
    assert play.case.waits is Waits.CHOICES
    play.do(acts.Choose(patron("bo"), "bo", Option.TAKE_BACK))
    assert play.refused(acts.Deal(DEALER, parse_cards("Kd")[0]))[0] == "round-held"
    play.do(acts.Choose(patron("ann"), "ann", Option.CONTINUE))
    assert play.state.phase is Phase.INITIAL_CARDS
    # Whoever goes on accepts what comes.
    assert play.refused(acts.WithdrawBet(patron("ann"), "ann", 1, "player"))[0] == "bets-closed"
    assert play.refused(acts.Choose(patron("ann"), "ann", Option.TAKE_BACK))[0] == "wrong-phase"
    play.deal("Kd 3c").settle()
    assert play.backs() == {("ann", "player"): 20_000, ("bo", "banker"): 20_000, ("bo", "tie"): 2_500}
    return play


def other_dealing_error(game: str, rule: Rule) -> None:
    play = choices(game)
    assert [each.rule for each in play.of(acts.IncidentRuled)] == [rule]
    assert [each.rule for each in play.of(acts.OptionsOffered)] == [rule]


def going_on_as_it_is(game: str, rule: Rule) -> None:
    chosen = choices(game).of(acts.OptionChosen)
    assert [each.rule for each in chosen if each.option is Option.CONTINUE] == [rule]


def going_on_reconstructed(game: str, rule: Rule) -> None:
    play = one_bet(game, "5h")
    play.report("excess-card", cards="5h Kd", reconstructible=True)
    chosen = play.of(acts.OptionChosen, play.do(acts.Choose(patron("ann"), "ann", Option.CONTINUE)))[0]
    assert chosen.rule == rule


def taking_the_bets_back(game: str, rule: Rule) -> None:
    returned = choices(game).of(acts.BetsReturned)[0]
    assert {(line.reason, line.rule) for line in returned.lines} == {(ReturnReason.OPTION, rule)}


def void_returns_every_bet(game: str, rule: Rule, void: Rule) -> None:
    assert void_by(game, "foreign-card") == (void, rule)


def bet_for_patron(game: str, rule: Rule) -> None:
    """Pit staff place bets for a patron."""
    play = table_for(game, "ann").open()
    placed = play.of(acts.BetPlaced, play.do(acts.PlaceBet(MANAGER, "ann", 1, "banker", Cents(10_000))))[0]
    assert (placed.bet.patron, placed.by, placed.rule) == ("ann", MANAGER, rule)
    assert play.refused(acts.PlaceBet(patron("bo"), "ann", 1, "tie", Cents(2_500)))[0] == "not-yours"
    changes_nothing(game, "bet-for-patron", rule)


# ------------------------------------------------------------------------------------------- seats


def seat_read_when_it_matters(game: str, rule: Rule) -> None:
    """Bo bets standing and then takes the seat that ann left: the bet has a seated patron's priority and squeeze."""
    play = table_for(game, "ann", "cy", face_down=True)
    for name in ("bo", "di"):
        play.do(acts.Stand(patron(name), name, 1))
    play.open(("ann", "tie", 2_500), ("bo", "banker", 50_000), ("di", "banker", 30_000), ("cy", "player", 10_000))
    play.do(acts.WithdrawBet(patron("ann"), "ann", 1, "tie"))
    play.do(acts.Leave(patron("ann"), "ann"))
    play.do(acts.Sit(patron("bo"), "bo", 1))
    assert play.sheet.boxes.seated_rule == rule
    moved = play.of(acts.BetDisplaced, play.do(acts.RaiseBet(patron("bo"), "bo", 1, "banker", Cents(40_000))))
    assert [(each.bet.patron, each.returned_cents) for each in moved] == [("di", 20_000)]
    play.close()
    assert play.refused(acts.AskSqueeze(patron("cy"), "cy", SqueezeOf.CARD))[0] == "squeeze-not-highest"
    play.do(acts.AskSqueeze(patron("bo"), "bo", SqueezeOf.CARD))
    play.replays()


def sitter_who_walked_away_is_not_seated(game: str, rule: Rule) -> None:
    play = table_for(game, "ann", "bo", face_down=True)
    play.open(("ann", "player", 20_000), ("bo", "player", 10_000)).close()
    play.do(acts.Leave(patron("ann"), "ann"))
    play.do(acts.AskSqueeze(patron("bo"), "bo", SqueezeOf.CARD))


def standing_bet_needs_a_seated_patron(game: str, rule: Rule) -> None:
    """Behind a sitter without a bet, and behind an empty box, no standing bet is taken; one that is placed stays."""
    play = table_for(game, "ann", "cy")
    assert play.refused(acts.Stand(patron("bo"), "bo", 3)) == ("nobody-seated", rule)
    play.do(acts.Stand(patron("bo"), "bo", 1))
    play.open()
    assert play.refused(play.placing("bo", "banker", 10_000)) == ("no-seated-bet", rule)
    assert play.refused(play.placing("bo", "tie", 10_000)) == ("no-seated-bet", rule)
    play.bet("ann", "tie", 2_500)
    play.bet("bo", "banker", 10_000)
    play.do(acts.WithdrawBet(patron("ann"), "ann", 1, "tie"))
    raising = acts.RaiseBet(patron("bo"), "bo", 1, "banker", Cents(10_000))
    assert play.refused(raising) == ("no-seated-bet", rule)
    play.do(acts.Leave(patron("ann"), "ann"))
    assert play.refused(raising) == ("no-seated-bet", rule)
    assert play.refused(play.placing("bo", "tie", 10_000)) == ("no-seated-bet", rule)
    play.close().deal("7h 9d Ks Kc").settle()
    assert ("bo", "banker") in play.backs()


def standing_bet_behind_an_empty_box(game: str, rule: Rule) -> None:
    """These sheets do not say where one stands: whoever stands behind a box keeps that place."""
    play = table_for(game, "ann")
    play.do(acts.Stand(patron("bo"), "bo", 1))
    play.do(acts.Leave(patron("ann"), "ann"))
    play.open(("bo", "banker", 10_000))
    assert play.sheet.boxes.standing_rule is rule


def chips_of_a_standing_patron_are_recorded(game: str, rule: Rule) -> None:
    """Chips on the layout count where they lie, whether or not the seated patron's are recorded first."""
    play = table_for(game, "ann", live=True)
    play.do(acts.Stand(patron("bo"), "bo", 1))
    play.open()
    play.do(acts.RecordBet(DEALER, "bo", 1, "banker", Cents(10_000)))
    play.close().deal("7h 9d Ks Kc").settle()
    assert [line.result for line in play.of(acts.RoundSettled)[0].lines] == ["win"]


# ------------------------------------------------------------------------------------------- closing bets


def close_tells_what_to_check(game: str, *rules: Rule) -> None:
    """The way to close bets names each box outside the limits, with its amounts; the event names those left so."""
    responsibility, excess, minimum, standing = rules
    side = BetLimits("tie", Cents(500), Cents(5_000))
    play = table_for(game, "ann", "bo", live=True, sides=(side,))
    play.do(acts.Stand(patron("cy"), "cy", 2))
    play.open()
    assert to_check(play) == ()
    for name, box, on, cents in (
        ("ann", 1, "banker", 150_000),
        ("ann", 1, "tie", 50_000),
        ("ann", 1, "player", 1_000),
        ("cy", 2, "banker", 5_000),
    ):
        play.do(acts.RecordBet(DEALER, name, box, on, Cents(cents)))
    warnings = to_check(play)
    assert [(each.problem, each.box, each.patron, each.on) for each in warnings] == [
        (BoxProblem.OVER_DIFFERENTIAL, 1, None, None),
        (BoxProblem.ABOVE_MAXIMUM, 1, "ann", "tie"),
        (BoxProblem.BELOW_MINIMUM, 1, "ann", "player"),
        (BoxProblem.NO_SEATED_BET, 2, "cy", "banker"),
    ]
    assert [(each.amount_cents, each.limit_cents) for each in warnings] == [
        (149_000, 100_000),
        (50_000, 5_000),
        (1_000, 2_500),
        (5_000, None),
    ]
    assert [each.rule for each in warnings] == [excess, responsibility, minimum, standing]
    play.do(acts.RecordBet(DEALER, "ann", 1, "tie", Cents(5_000)))
    play.do(acts.RecordBet(DEALER, "cy", 2, "banker", Cents(0)))
    play.close()
    assert [each.problem for each in play.of(acts.BetsClosed)[0].warnings] == [
        BoxProblem.OVER_DIFFERENTIAL,
        BoxProblem.BELOW_MINIMUM,
    ]


def to_check(play: Play) -> tuple[BoxWarning, ...]:
    (way,) = choice_of(table_choices(play.state, DEALER), acts.CloseBets).ways
    return way.warnings


def side_bet_over_its_maximum(game: str, *rules: Rule) -> None:
    """Ten times the maximum on a tie is not paid before somebody decides; the Differential is scaled all the same."""
    side = BetLimits("tie", Cents(500), Cents(5_000))
    play = table_for(game, "ann", live=True, sides=(side,)).open()
    play.do(acts.RecordBet(DEALER, "ann", 1, "tie", Cents(50_000)))
    play.do(acts.RecordBet(DEALER, "ann", 1, "player", Cents(150_000)))
    play.close().deal("9h 9d Ks Kc")
    (referred,) = play.of(acts.IncidentReferred, play.do(acts.Settle(DEALER)))
    assert (referred.to, referred.rule) == (Role.SHIFT_MANAGER, rules[-1])
    assert play.of(acts.IncidentReported)[-1].situation == "over-maximum"
    assert play.refused(acts.Settle(DEALER))[0] == "round-held"
    play.confirmed(acts.Decide(SHIFT, Decision.CONTINUE, "the House takes the bet"))
    settled = play.settle()
    assert play.backs()[("ann", "tie")] == 450_000
    assert [line.in_play_cents for line in settled.lines if line.bet.on == "player"] == [100_000]
    play.replays()


def limits_change_with_the_next_call(game: str, rule: Rule) -> None:
    """A Pit Supervisor changes what the table displays between rounds, by the same checks as at the opening."""
    play = table_for(game, "ann").open(("ann", "banker", 2_500))
    changing = acts.ChangeLimits(
        SUPERVISOR, Cents(5_000), Cents(50_000), (BetLimits("tie", Cents(1_000), Cents(2_000)),)
    )
    assert play.refused(changing)[0] == "wrong-phase"
    play.close().deal(NATURAL).settle()
    assert play.refused(replace(changing, by=DEALER))[0] == "not-permitted"
    assert play.refused(replace(changing, minimum_cents=Cents(60_000))) == ("limits-invalid", rule)
    assert play.refused(replace(changing, minimum_cents=Cents(5_050))) == ("limits-invalid", rule)
    assert play.refused(replace(changing, sides=(BetLimits("moon", Cents(0), Cents(100)),))) == (
        "limits-invalid",
        rule,
    )
    (changed,) = play.of(acts.LimitsChanged, play.do(changing))
    assert (changed.from_round, changed.rule) == (2, rule)
    play.open()
    assert play.refused(play.placing("ann", "banker", 2_500))[0] == "stake-below-minimum"
    over = "over-differential" if play.sheet.limits else "stake-above-maximum"
    assert play.refused(play.placing("ann", "banker", 50_100))[0] == over
    assert play.refused(play.placing("ann", "tie", 2_100))[0] == "stake-above-maximum"
    play.bet("ann", "banker", 50_000)
    play.replays()


def odd_cent_by_the_seat_at_settlement(game: str, rule: Rule) -> None:
    """Each has a third of the limit of 10.00; the odd cent goes to zoe, who took the seat after betting."""
    limits = {"minimum_cents": 100, "differential_cents": 1_000, "unit_cents": 1}
    play = table_for(game, "ann", live=True, **limits)
    for name in ("bo", "cy", "zoe"):
        play.do(acts.Stand(patron(name), name, 1))
    play.open()
    for name in ("bo", "cy", "zoe"):
        play.do(acts.RecordBet(DEALER, name, 1, "player", Cents(1_000)))
    play.do(acts.Leave(patron("ann"), "ann"))
    play.do(acts.Sit(patron("zoe"), "zoe", 1))
    settled = play.close().deal(NATURAL).settle()
    assert {line.bet.patron: line.in_play_cents for line in settled.lines} == {"bo": 333, "cy": 333, "zoe": 334}
