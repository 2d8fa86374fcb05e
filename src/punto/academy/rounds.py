"""Drills of a round as it should go: its cards, what its bets get back, and its insurance."""

from __future__ import annotations

from random import Random

from punto.academy.drill import Drill, OptionOf, Said, Step
from punto.academy.stage import TRAINEE, Stage, amount, one, paragraph, several
from punto.rules.bets import Result
from punto.rules.cards import write_cards
from punto.rules.hands import Hand
from punto.rules.insurance import Window
from punto.rules.money import Cents
from punto.rules.outcome import Winner
from punto.rules.settlement import Bet, Line
from punto.rules.sheet import Sheet
from punto.rules.tableau import INITIAL_CARDS, draw_reason
from punto.table import acts
from punto.table.phases import Phase
from punto.table.state import open_round
from punto.table.ways import Way

NOBODY = "nobody"
DRAWS = (*Hand, NOBODY)
WINDOWS = (Phase.FIRST_WINDOW, Phase.SECOND_WINDOW)


def draw_cards(sheet: Sheet, random: Random) -> Drill:
    """Totals, who draws and why, who wins, and which side bets win. Rounds with third cards come more often."""
    stage = Stage(sheet, random, patrons=1)
    stage.open_round()
    for patron in stage.boxes:
        for on in stage.side_bets:
            stage.bet(patron, on, stage.stake(4))
    stage.give(acts.CloseBets(TRAINEE))
    stage.choose_cards(random.randint(1, 3), lambda _: len(open_round(stage.state).cards))
    stage.deal(INITIAL_CARDS)
    shown, story = stage.state, Said("next-cards", cards=write_cards(stage.cards[:2]))
    reason, rule = draw_reason(open_round(shown).cards), sheet.play.values_rule
    totals = ((Hand.PLAYER, reason.player), (Hand.BANKER, reason.banker))
    steps = [one(Said("total", hand=hand), str(points), range(10), OptionOf.NUMBER, rule) for hand, points in totals]
    steps += draw_steps(stage) + result_steps(stage)
    return Drill(shown, tuple(steps), (story,))


def draw_steps(stage: Stage) -> list[Step]:
    """Who gets the next card, until nobody does: what the table says when it is dealt."""
    steps = []
    while True:
        dealt = open_round(stage.state).cards
        card, rule = stage.cards[0], stage.sheet.deal_rules.for_card(dealt)
        said = Said("next-card", cards=card.text, n=len(dealt) + 1)
        events = stage.would(acts.Deal(TRAINEE, card))
        to = next((event.hand for event in events if isinstance(event, acts.CardDealt)), NOBODY)
        steps.append(one(said, to, DRAWS, OptionOf.DRAW, rule, reason=draw_reason(dealt)))
        if to == NOBODY:
            asked = stage.random.choice(steps)
            steps.append(paragraph(stage, Said("drawing-rule", n=asked.asks.n), asked.rules[0]))
            return steps
        stage.deal(1)


def result_steps(stage: Stage) -> list[Step]:
    """Who wins, and which side bets."""
    play, lines = stage.sheet.play, settled(stage)
    outcome = acts.outcome_of_cards(open_round(stage.state).cards)
    rule = play.tie_rule if outcome.winner is Winner.TIE else play.winner_rule
    steps = [one(Said("winner"), outcome.winner, Winner, OptionOf.WINNER, rule)]
    sides = [line for line in lines if stage.sheet.bets[line.bet.on].hand is None]
    if sides:
        won = [line.bet.on for line in sides if line.result is Result.WIN]
        rules = [line.rule for line in sides]
        steps.append(several(Said("side-bets-won"), won, [line.bet.on for line in sides], OptionOf.BET, *rules))
    return steps


def settled(stage: Stage) -> list[Line]:
    """What the table makes of the bets of its finished round, in the order of the boxes."""
    events = stage.would(acts.Settle(TRAINEE))
    lines = [line for event in events if isinstance(event, acts.RoundSettled) for line in event.lines]
    return sorted(lines, key=lambda line: line.bet.box)


def pay(sheet: Sheet, random: Random) -> Drill:
    """What each bet of a finished round gets back. Rounds in which many pay lines pay come more often."""
    stage = Stage(sheet, random, patrons=random.randint(2, 4))
    stage.open_round(sides=3)
    stage.give(acts.CloseBets(TRAINEE))
    stage.choose_cards(4, lambda _: len({(each.bet.on, each.odds) for each in settled(stage) if each.net_cents > 0}))
    stage.deal()
    return Drill(stage.state, tuple(pay_steps(stage)))


def pay_steps(stage: Stage) -> list[Step]:
    """Take what lost, then pay: what goes back of each other bet, and by which paragraph one of them."""
    lines = settled(stage)
    lost = [line for line in lines if line.result is Result.LOSE]
    others = [line for line in lines if line.result is not Result.LOSE]
    spots = [spot_text(line.bet) for line in lines]
    taken = [spot_text(line.bet) for line in lost]
    steps = [several(Said("taken"), taken, spots, OptionOf.SPOT, *[line.rule for line in lost])]
    steps += [amount(_about(line.bet, "goes-back"), line.returned_cents, line.rule) for line in others]
    asked = stage.random.choice(others or lines)
    return [*steps, paragraph(stage, _about(asked.bet, "paying-rule"), asked.rule)]


def spot_text(bet: Bet) -> str:
    """A bet as an option of a step."""
    return f"{bet.box}/{bet.patron}/{bet.on}"


def _about(bet: Bet, code: str) -> Said:
    return Said(code, bet.box, bet.patron, bet.on, window=bet.window, amount_cents=bet.stake_cents)


def insure(sheet: Sheet, random: Random) -> Drill:
    """Insurance at this moment: on which hands, at which odds, for whom, how much at most, and what becomes of it."""
    stage, window = Stage(sheet, random, patrons=random.randint(2, 3)), random.choice(list(Window))
    stage.open_round(sides=1)
    stage.give(acts.CloseBets(TRAINEE))
    stage.choose_cards(
        random.choice((1, 12, 12)),
        lambda events: any(isinstance(each, acts.InsuranceOffered) and each.window is window for each in events),
    )
    stage.deal(INITIAL_CARDS)
    story = _announce(stage) if window is Window.PLAYER_THIRD else []
    stage.deal(window.cards - INITIAL_CARDS)
    shown, steps = stage.state, offer_steps(stage)
    if ways := stage.ways(acts.Insure):
        steps += _insured(stage, random.choice(ways), story)
    return Drill(shown, tuple(steps), tuple(story))


def _insured(stage: Stage, way: Way, story: list[Said]) -> list[Step]:
    """How much insurance may be staked at most, and what comes back of some that is."""
    bounds, insurance = way.amount, stage.sheet.insurance
    assert way.patron and way.box and way.on and bounds and insurance  # noqa: S101 — staff name all of it
    most = amount(Said("most-insurance", way.box, way.patron, way.on), bounds.maximum_cents, insurance.cap_rule)
    cents = Cents(stage.random.randrange(bounds.minimum_cents, bounds.maximum_cents + 1, bounds.step_cents))
    dealt = len(open_round(stage.state).cards)
    stage.give(acts.Insure(TRAINEE, way.patron, way.box, way.on, cents))
    stage.deal()
    cards = write_cards(open_round(stage.state).cards[dealt:])
    story.append(Said("insured", way.box, way.patron, way.on, cards=cards, amount_cents=cents))
    line = next(line for line in settled(stage) if line.bet.window is not None)
    return [most, amount(_about(line.bet, "insurance-back"), line.returned_cents, line.rule)]


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
    insurance, cards = stage.sheet.insurance, open_round(stage.state).cards
    assert insurance is not None  # noqa: S101 — no other sheet has this kind
    in_window = stage.state.phase in WINDOWS
    offers = insurance.offers(cards) if in_window else {}
    steps = [several(Said("insurable"), offers, Hand, OptionOf.HAND, insurance.window_rule)]
    odds = [row.odds.text for row in sorted(insurance.rows, key=lambda row: row.odds.exact)]
    for hand, offer in offers.items():
        window = Window.FOUR_CARDS if len(cards) == INITIAL_CARDS else Window.PLAYER_THIRD
        said = Said("insurance-odds", hand=hand, window=window)
        steps.append(one(said, offer.odds.text, odds, OptionOf.ODDS, offer.rule))
    if in_window:
        choice = stage.choice(acts.Insure)
        may = dict.fromkeys([way.patron for way in choice.ways if way.refusal is None])
        rule = choice.refusal.rule if choice.refusal else insurance.original_rule
        steps.append(several(Said("may-insure"), may, stage.boxes, OptionOf.PATRON, rule))
        steps.append(paragraph(stage, Said("may-insure-rule"), rule))
    return steps
