"""Drills of a round as it should go: its cards, what its bets get back, and its insurance."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from punto.academy.drill import NO_RULE, Drill, Said, Step
from punto.academy.stage import CLOSE_BETS, TRAINEE, UNIT, Stage, amount, grant, one, paragraph, several
from punto.rules.bets import Result
from punto.rules.cards import write_cards
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.money import Cents
from punto.rules.outcome import Winner
from punto.rules.refusals import Refusal
from punto.rules.settlement import Bet, Line
from punto.rules.sheet import Sheet
from punto.rules.tableau import INITIAL_CARDS, draw_reason
from punto.table import acts
from punto.table.engine import decide
from punto.table.phases import Phase
from punto.table.ways import BetWay

NOBODY = "nobody"
DRAWS = (*Hand, NOBODY)
WINDOWS = (Phase.FIRST_WINDOW, Phase.SECOND_WINDOW)


def draw_cards(sheet: Sheet, random: Random) -> Drill:
    """Totals, who draws and why, who wins, and which side bets win. Rounds with third cards come more often."""
    stage = Stage(sheet, random, 1)
    stage.open_round()
    for patron in stage.boxes:
        for on in stage.side_bets:
            stage.bet(patron, on, stage.stake(4))
    stage.give(CLOSE_BETS)
    stage.choose_cards(random.randint(1, 3), lambda _: len(stage.state.open_round.cards))
    stage.deal(INITIAL_CARDS)
    shown, story = stage.state, Said("next-cards", cards=write_cards(stage.cards[:2]))
    reason, rule = draw_reason(shown.open_round.cards), sheet.play.values_rule
    totals = ((Hand.PLAYER, reason.player), (Hand.BANKER, reason.banker))
    steps = [one(Said("total", hand=hand), str(points), range(10), "points", rule) for hand, points in totals]
    steps += draw_steps(stage) + result_steps(stage)
    return Drill(shown, tuple(steps), (story,))


def draw_steps(stage: Stage) -> list[Step]:
    """The hands of the fifth card and the sixth: what the table says when each is dealt."""
    steps = []
    for number, card in enumerate(stage.cards[:2], INITIAL_CARDS + 1):
        dealt = stage.state.open_round.cards
        events = stage.would(acts.Deal(TRAINEE, card))
        to = next((event.hand for event in events if isinstance(event, acts.CardDealt)), NOBODY)
        step = one(
            Said("next-card", cards=card.text, n=number), to, DRAWS, "draw", stage.sheet.deal_rules.for_card(dealt)
        )
        steps.append(replace(step, reason=draw_reason(dealt)))
        if to != NOBODY:
            stage.deal(1)
    asked = stage.random.choice(steps)
    return [*steps, paragraph(stage, Said("drawing-rule", n=asked.asks.n), asked.rules[0])]


def result_steps(stage: Stage) -> list[Step]:
    """The winner, and the side bets that win."""
    play = stage.sheet.play
    outcome = acts.outcome_of(stage.state.open_round.cards)
    assert outcome is not None  # noqa: S101 — the round is complete
    rule = play.tie_rule if outcome.winner is Winner.TIE else play.winner_rule
    steps = [one(Said("winner"), outcome.winner, Winner, "winner", rule)]
    if sides := {line.bet.on: line for line in settled(stage) if line.bet.on in stage.side_bets}:
        won = [on for on, line in sides.items() if line.result is Result.WIN]
        rules = [line.rule for line in sides.values()]
        steps.append(several(Said("side-bets-won"), won, sides, "bet", *rules))
    return steps


def settled(stage: Stage) -> list[Line]:
    """The lines of the bets of the finished round, in the order of the boxes."""
    events = stage.would(acts.Settle(TRAINEE))
    lines = [line for event in events if isinstance(event, acts.RoundSettled) for line in event.lines]
    return sorted(lines, key=lambda line: line.bet.box)


def pay(sheet: Sheet, random: Random) -> Drill:
    """The returns of each bet of a finished round. Rounds in which many pay lines pay come more often."""
    stage = Stage(sheet, random, random.randint(2, 4))
    stage.open_round(sides=3)
    stage.give(CLOSE_BETS)
    stage.choose_cards(4, lambda _: len({(each.bet.on, each.odds) for each in settled(stage) if each.net_cents > 0}))
    stage.deal()
    return Drill(stage.state, tuple(pay_steps(stage)))


def pay_steps(stage: Stage) -> list[Step]:
    """Take what lost, then pay: what goes back of each bet, so that no question tells, and one paragraph."""
    lines = settled(stage)
    spots = {f"{line.bet.box}/{line.bet.patron}/{line.bet.on}": line for line in lines}
    lost = {spot: line.rule for spot, line in spots.items() if line.result is Result.LOSE}
    steps = [several(Said("taken"), lost, spots, "spot", *lost.values())]
    steps += [amount(_about(line.bet, "goes-back"), line.returned_cents, line.rule) for line in lines]
    asked = stage.random.choice([line for spot, line in spots.items() if spot not in lost] or lines)
    return [*steps, paragraph(stage, _about(asked.bet, "paying-rule"), asked.rule)]


def _about(bet: Bet, code: str) -> Said:
    return Said(code, bet.box, bet.patron, bet.on, window=bet.window, amount_cents=bet.stake_cents)


def insure(sheet: Sheet, random: Random) -> Drill:
    """Insurance at this moment: on which hands, at which odds, for whom, how much at most, and what becomes of it."""
    private_rule = sheet.insurance and sheet.insurance.private_table_rule
    without, window = bool(private_rule) and random.random() < 0.1, random.choice(list(Window))
    stage = Stage(sheet, random, random.randint(2, 3), without_insurance=without, private=without)
    stage.open_round(sides=1)
    stage.give(CLOSE_BETS)
    stage.choose_cards(
        random.choice((1, 12, 12)),
        lambda events: any(isinstance(each, acts.InsuranceOffered) and each.window is window for each in events),
    )
    stage.deal(INITIAL_CARDS)
    story = _announce(stage) if window is Window.PLAYER_THIRD else []
    story += [Said("without-insurance")] if without else []
    stage.deal(window.cards - INITIAL_CARDS)
    shown, steps = stage.state, offer_steps(stage)
    if ways := stage.ways(acts.Insure):
        steps += _insured(stage, random.choice(ways))
    return Drill(shown, tuple(steps), tuple(story))


def _insured(stage: Stage, way: BetWay) -> list[Step]:
    """How much insurance may be staked at most, and what comes back of some that is."""
    bounds, insurance = way.amount, stage.sheet.insurance
    assert way.patron and insurance  # noqa: S101 — staff name the patron
    most = amount(Said("most-insurance", way.box, way.patron, way.on), bounds.maximum_cents, insurance.cap_rule)
    cents = Cents(stage.random.randrange(bounds.minimum_cents, bounds.maximum_cents + 1, bounds.step_cents))
    dealt = len(stage.state.open_round.cards)
    stage.give(acts.Insure(TRAINEE, way.patron, way.box, way.on, cents))
    stage.deal()
    cards = write_cards(stage.state.open_round.cards[dealt:])
    line = next(line for line in settled(stage) if line.bet.window is not None)
    back = Said("insurance-back", way.box, way.patron, way.on, cards=cards, amount_cents=cents)
    return [most, amount(back, line.returned_cents, line.rule)]


def _announce(stage: Stage) -> list[Said]:
    """Let some patrons announce in the first window that they will insure later."""
    story = []
    for way in stage.ways(acts.AnnounceInsurance) if stage.state.phase is Phase.FIRST_WINDOW else ():
        if way.patron is not None and stage.random.random() < 0.5:
            stage.give(acts.AnnounceInsurance(TRAINEE, way.patron))
            story.append(Said("announced", stage.boxes[way.patron], way.patron))
    return story


def offer_steps(stage: Stage) -> list[Step]:
    """The hands that can be insured now, at which odds, and who may."""
    insurance, cards, choice = stage.sheet.insurance, stage.state.open_round.cards, stage.choice(acts.Insure)
    assert insurance is not None  # noqa: S101 — no other sheet has this kind
    in_window = stage.state.phase in WINDOWS
    offers = insurance.offers(cards) if in_window else {}
    rule = choice.refusal.rule if choice.refusal and not in_window else insurance.window_rule
    odds = dict.fromkeys([row.odds.text for row in sorted(insurance.rows, key=lambda row: row.odds.exact)])
    steps = []
    for hand in Hand:
        offer, said = offers.get(hand), Said("insurance-odds", hand=hand)
        text, by = (offer.odds.text, offer.rule) if offer else (NO_RULE, rule)
        steps.append(one(said, text, [*odds, NO_RULE], "plain", by))
    if in_window:
        bets = [bet.id for bet in insurance.bets if bet.hand in offers]
        may = {way.patron for way in choice.ways if way.refusal is None}
        (patron, box), on = stage.random.choice(list(stage.boxes.items())), stage.random.choice(bets)
        answer = decide(stage.state, acts.Insure(TRAINEE, patron, box, on, UNIT))
        asked = grant(stage, Said("may-insure-one", box, patron, on), answer)
        rules = asked.rules if isinstance(answer, Refusal) else ()
        steps += [several(Said("may-insure"), may, stage.boxes, "plain", insurance.original_rule, *rules), asked]
    return steps
